package table_test

import (
	"testing"

	"github.com/agentsandbox/agent-sandbox/abx/internal/iostreams"
	"github.com/agentsandbox/agent-sandbox/abx/internal/table"
)

func TestOnATerminalColumnsLineUpAndFit(t *testing.T) {
	t.Parallel()
	ios, _, out, _ := iostreams.Test()
	ios.SetTTY(false, true, false)
	tab := table.New(ios, "ID", "NOTE")
	tab.Row("é1", "short")
	tab.Row("longer-id", "0123456789012345678901234567890123456789012345678901234567890123456789-cut")
	if err := tab.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "ID         NOTE\né1         short\nlonger-id  01234567890123456789012345678901234567890123456789012345678901234567…\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}

func TestForScriptsThereAreTabsAndNoHeading(t *testing.T) {
	t.Parallel()
	ios, _, out, _ := iostreams.Test()
	tab := table.New(ios, "ID", "NOTE")
	tab.Row("a", "two\nlines")
	if err := tab.Flush(); err != nil {
		t.Fatal(err)
	}
	if out.String() != "a\ttwo lines\n" {
		t.Errorf("got %q", out)
	}
}
