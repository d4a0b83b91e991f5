package cp

import (
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	redraw   = 100 * time.Millisecond
	barWidth = 24
)

// progress draws one line for a transfer. It is a writer that counts.
type progress struct {
	out   io.Writer
	width int
	name  string
	size  int64 // in bytes, negative when not known

	n    int64
	last time.Time
}

// Write implements io.Writer.
func (p *progress) Write(data []byte) (int, error) {
	p.n += int64(len(data))
	if now := time.Now(); now.Sub(p.last) >= redraw {
		p.last = now
		fmt.Fprintf(p.out, "\r%s", p.line())
	}
	return len(data), nil
}

// done wipes the line.
func (p *progress) done() {
	if !p.last.IsZero() {
		fmt.Fprintf(p.out, "\r%s\r", strings.Repeat(" ", p.width-1))
	}
}

func (p *progress) line() string {
	figures := byteCount(p.n)
	if p.size > 0 {
		share := min(1, float64(p.n)/float64(p.size))
		filled := int(share * barWidth)
		figures = fmt.Sprintf("[%s%s] %3.0f%% %s", strings.Repeat("#", filled), strings.Repeat(" ", barWidth-filled), 100*share, figures)
	}
	name := []rune(p.name)
	if room := p.width - len(figures) - 3; len(name) > max(room, 0) {
		name = name[len(name)-max(room, 0):]
	}
	return fmt.Sprintf("%s  %s", string(name), figures)
}

// byteCount is a size in the largest decimal unit below it.
func byteCount(n int64) string {
	const unit = 1000
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, prefix := float64(n)/unit, 0
	for value >= unit && prefix < len("kMGT")-1 {
		value /= unit
		prefix++
	}
	return fmt.Sprintf("%.1f %cB", value, "kMGT"[prefix])
}
