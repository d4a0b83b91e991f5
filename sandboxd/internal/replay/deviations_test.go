package replay

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const table = `# Title

## one

text | with a bar

| case | where | what differs | why |
|---|---|---|---|
| ` + "`a-*`, `b`" + ` | ` + "`status`, `body`" + ` | x | y |
| ` + "`never`" + ` | ` + "`status`" + ` | x | y |

## two

| ` + "`c`" + ` | ` + "`status`" + ` | x | y |
`

func TestDeviationsAllowWhatIsListed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "d.md")
	if err := os.WriteFile(file, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := LoadDeviations(file, "## one")
	if err != nil {
		t.Fatal(err)
	}
	for diff, want := range map[[2]string]bool{
		{"a-1", "status"}:        true,
		{"b", "body"}:            true,
		{"b", "content-type"}:    false,
		{"b-1", "body"}:          false,
		{"c", "status"}:          false, // of the other section
		{"never-ever", "status"}: false,
	} {
		if got := d.Allows(Difference{Case: diff[0], Where: diff[1]}); got != want {
			t.Errorf("%v: allowed %v, want %v", diff, got, want)
		}
	}
	if stale := d.Stale(); !slices.Equal(stale, []string{"never: status"}) {
		t.Errorf("stale rows %q", stale)
	}
	if _, err := LoadDeviations(file, "## three"); err == nil {
		t.Error("a heading that is not there is no error")
	}
}

func TestRowsNeedFourCells(t *testing.T) {
	t.Parallel()
	if _, err := parseDeviations([]byte("| `a` | `status` | why |\n")); err == nil {
		t.Error("a row of three cells is no error")
	}
}
