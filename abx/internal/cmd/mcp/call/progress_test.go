package call

import "testing"

func TestProgressLine(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"":                      "         ",
		"short":                 "short    ",
		"much longer than that": "much long",
		"\x1b[31mred\r\n\u009b": "[31mred  ",
		"数据数据数据数据数据":            "数据数据数据数据数",
	} {
		if got := line(message, 10); got != want {
			t.Errorf("line(%q) = %q, want %q", message, got, want)
		}
	}
}
