package replay

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
)

// Deviation is a row of a table of deliberate differences:
//
//	| case | where | what differs | why |
//
// Case is one name or several with commas between, "*" as in file names;
// where is one or several of Difference.Where.
type Deviation struct {
	Cases, Where []string
	What, Why    string
	used         bool
}

// Deviations is the content of such a table. A difference that no row allows
// is a failure, and so is a row that allows nothing any more.
type Deviations struct {
	mu   sync.Mutex
	rows []*Deviation
}

// LoadDeviations reads the rows below the given heading of a Markdown file,
// up to the next heading.
func LoadDeviations(file, heading string) (*Deviations, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	_, section, found := bytes.Cut(text, []byte("\n"+heading+"\n"))
	if !found {
		return nil, fmt.Errorf("%s has no heading %q", file, heading)
	}
	section, _, _ = bytes.Cut(section, []byte("\n#"))
	return parseDeviations(section)
}

func parseDeviations(section []byte) (*Deviations, error) {
	d := &Deviations{}
	for line := range strings.Lines(string(section)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 4 {
			return nil, fmt.Errorf("row %q must have 4 cells", line)
		}
		d.rows = append(d.rows, &Deviation{
			Cases: names(cells[0]), Where: names(cells[1]),
			What: strings.TrimSpace(cells[2]), Why: strings.TrimSpace(cells[3]),
		})
	}
	return d, nil
}

func names(cell string) []string {
	var list []string
	for name := range strings.SplitSeq(cell, ",") {
		list = append(list, strings.Trim(name, " `"))
	}
	return list
}

// Check compares a played unit with its recording and returns what no row
// allows.
func (d *Deviations) Check(results []Result) []error {
	var wrong []error
	for _, r := range results {
		for _, diff := range Compare(r.Capture, r.Answer) {
			if !d.Allows(diff) {
				wrong = append(wrong, errors.New(diff.String()))
			}
		}
		if err := CheckStream(r.Capture, r.Answer); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", r.Capture.Name, err))
		}
	}
	return wrong
}

// Allows tells whether a row covers the difference.
func (d *Deviations) Allows(diff Difference) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, row := range d.rows {
		if slices.Contains(row.Where, diff.Where) && slices.ContainsFunc(row.Cases, func(pattern string) bool {
			ok, err := path.Match(pattern, diff.Case)
			return err == nil && ok
		}) {
			row.used = true
			return true
		}
	}
	return false
}

// Stale lists the rows that covered nothing.
func (d *Deviations) Stale() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []string
	for _, row := range d.rows {
		if !row.used {
			list = append(list, strings.Join(row.Cases, ", ")+": "+strings.Join(row.Where, ", "))
		}
	}
	return list
}
