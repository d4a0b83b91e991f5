package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
)

func contents(t *testing.T, f *config.File) string {
	t.Helper()
	data, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestMissingCanBeReadButNotWritten(t *testing.T) {
	t.Parallel()
	why := errors.New("no home")
	f := config.Missing(why)
	if v, ok := f.Get(config.Region); ok {
		t.Errorf("region = %q", v)
	}
	if err := f.Set(config.Region, "cn-beijing"); !errors.Is(err, why) {
		t.Errorf("Set: %v", err)
	}
	if _, err := f.Unset(config.Region); !errors.Is(err, why) {
		t.Errorf("Unset: %v", err)
	}
}

func TestMissingFileIsEmptyAndSetCreatesItPrivate(t *testing.T) {
	t.Parallel()
	f, err := config.Open(filepath.Join(t.TempDir(), "abx", "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Set(config.APIKey, "e2b_00"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode().Perm())
	}
	again, err := config.Open(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := again.Get(config.APIKey); got != "e2b_00" {
		t.Errorf("api_key = %q", got)
	}
}

func TestSetKeepsCommentsAndOrder(t *testing.T) {
	t.Parallel()
	f := openFile(t, "# mine\nregion = \"cn-beijing\" # near me\n\n# last\ntemplate = \"base\"")
	if err := f.Set(config.Region, "cn-hangzhou"); err != nil {
		t.Fatal(err)
	}
	if err := f.Set(config.Backend, "e2b"); err != nil {
		t.Fatal(err)
	}
	want := "# mine\nregion = \"cn-hangzhou\"\n\n# last\ntemplate = \"base\"\nbackend = \"e2b\"\n"
	if got := contents(t, f); got != want {
		t.Errorf("file is\n%s\nwant\n%s", got, want)
	}
}

func TestUnset(t *testing.T) {
	t.Parallel()
	f := openFile(t, "region = \"cn-beijing\"\ntemplate = \"base\"\n")
	if had, err := f.Unset(config.Region); !had || err != nil {
		t.Fatalf("Unset = %v, %v", had, err)
	}
	if had, err := f.Unset(config.Region); had || err != nil {
		t.Fatalf("second Unset = %v, %v", had, err)
	}
	if got := contents(t, f); got != "template = \"base\"\n" {
		t.Errorf("file is %q", got)
	}
}

func TestSetRefusesWhatItCannotChangeInPlace(t *testing.T) {
	t.Parallel()
	text := "region = \"\"\"\ncn-beijing\"\"\"\n"
	f := openFile(t, text)
	if err := f.Set(config.Region, "cn-hangzhou"); err == nil {
		t.Fatal("a value over several lines was changed")
	}
	if got := contents(t, f); got != text {
		t.Errorf("file changed to %q", got)
	}
}

func TestSetThroughALinkKeepsTheLink(t *testing.T) {
	t.Parallel()
	target := openFile(t, "region = \"cn-beijing\"\n")
	link := filepath.Join(t.TempDir(), "config.toml")
	if err := os.Symlink(target.Path(), link); err != nil {
		t.Skip("symbolic links are not available:", err)
	}
	f, err := config.Open(link)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Set(config.Region, "cn-hangzhou"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	if got := contents(t, target); got != "region = \"cn-hangzhou\"\n" {
		t.Errorf("target is %q", got)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"unknown key":        {"regoin = \"x\"\n", 0o600, `unknown setting "regoin"`},
		"not a string":       {"region = 1\n", 0o600, "region: want a string"},
		"table":              {"[region]\na = \"b\"\n", 0o600, "region: want a string"},
		"not TOML":           {"region\n", 0o600, "config.toml"},
		"key others can see": {"api_key = \"e2b_1\"\n", 0o644, "chmod 600"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.mode != 0o600 && runtime.GOOS == "windows" {
				t.Skip("file modes do not guard files on Windows")
			}
			path := filepath.Join(t.TempDir(), "config.toml")
			if err := os.WriteFile(path, []byte(tt.text), tt.mode); err != nil {
				t.Fatal(err)
			}
			_, err := config.Open(path)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}
