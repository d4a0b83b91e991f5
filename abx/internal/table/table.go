// Package table prints rows whose columns line up and, on a terminal, fit its
// width: the last column is cut, never an identifier in front of it.
package table

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/agentsandbox/agent-sandbox/abx/internal/iostreams"
)

const gap = "  "

// Table collects rows. A table that is not read at a terminal has no heading
// and tabs between columns, which scripts can cut.
type Table struct {
	io    *iostreams.IOStreams
	rows  [][]string
	plain bool
}

// New starts a table with a heading.
func New(io *iostreams.IOStreams, heading ...string) *Table {
	t := &Table{io: io, plain: !io.IsOutputTTY()}
	if !t.plain {
		t.rows = append(t.rows, heading)
	}
	return t
}

// Row adds a row; cells keep to one line.
func (t *Table) Row(cells ...string) {
	for i := range cells {
		cells[i] = strings.NewReplacer("\n", " ", "\t", " ", "\r", " ").Replace(cells[i])
	}
	t.rows = append(t.rows, cells)
}

// Flush prints the table.
func (t *Table) Flush() error {
	if t.plain {
		return t.flushPlain()
	}
	widths := t.widths()
	for _, row := range t.rows {
		if _, err := io.WriteString(t.io.Out, t.line(row, widths)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) flushPlain() error {
	for _, row := range t.rows {
		if _, err := fmt.Fprintln(t.io.Out, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) widths() []int {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

func (t *Table) line(row []string, widths []int) string {
	var b strings.Builder
	used := 0
	for i, cell := range row {
		if i == len(row)-1 {
			b.WriteString(cut(cell, t.io.TerminalWidth()-used))
			break
		}
		b.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)) + gap)
		used += widths[i] + len(gap)
	}
	return strings.TrimRight(b.String(), " ")
}

// cut shortens s to at most width characters, the last of them "…".
func cut(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	if width < 1 {
		return ""
	}
	return string([]rune(s)[:width-1]) + "…"
}
