//go:build unix

package ideinstall_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// griffinwork40/agent-afk#2039: a mode is never tightened without a key in the
// file; with one, nobody else may read it.
func TestModeOfAnExistingFile(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		before, after os.FileMode
		secret        ideinstall.SecretMode
	}{
		"shared, no key":   {0o644, 0o644, ideinstall.SecretNone},
		"group, no key":    {0o660, 0o660, ideinstall.SecretNone},
		"shared, with key": {0o644, 0o600, ideinstall.SecretLiteral},
		"reference":        {0o640, 0o640, ideinstall.SecretEnv},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tg := target(t, "cursor")
			path := m.path(tg, "user")
			m.write(path, "{}", tt.before)
			m.install(tg, stdioServer(), &ideinstall.Options{Secret: tt.secret})
			if got := m.mode(path); got != tt.after {
				t.Errorf("mode %o, want %o", got, tt.after)
			}
		})
	}
}

// A link stays a link and its target is replaced; one that leads nowhere yet is
// followed too.
func TestLinksAreFollowed(t *testing.T) {
	t.Parallel()
	for _, exists := range []bool{true, false} {
		m := newMachine(t)
		tg := target(t, "cursor")
		link, real := m.path(tg, "user"), filepath.Join(m.Home, "dotfiles", "mcp.json")
		m.write(filepath.Join(filepath.Dir(link), "x"), "", 0o600)
		m.write(filepath.Join(filepath.Dir(real), "x"), "", 0o600)
		if exists {
			m.write(real, "{}", 0o600)
		}
		if err := os.Symlink("../dotfiles/mcp.json", link); err != nil {
			t.Fatal(err)
		}
		m.install(tg, stdioServer(), nil)
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link was replaced (%v)", err)
		}
		if !strings.Contains(m.read(real), "agent-sandbox") {
			t.Error("the target has no entry")
		}
	}
}

// What is not a plain writable file is refused without blocking and left alone.
func TestUnfitFilesAreRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		make func(path string) error
		want string
	}{
		"directory": {func(p string) error { return os.Mkdir(p, 0o755) }, "it is a directory"},
		"pipe":      {func(p string) error { return syscall.Mkfifo(p, 0o600) }, "it is a named pipe"},
		"read-only": {func(p string) error { return os.WriteFile(p, []byte("{}"), 0o444) }, "it is read-only"},
		"link loop": {func(p string) error { return os.Symlink(p, p) }, "too many links"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tg := target(t, "cursor")
			path := m.path(tg, "user")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := tt.make(path); err != nil {
				t.Fatal(err)
			}
			_, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestForceWritesAReadOnlyFile(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	path := m.path(tg, "user")
	m.write(path, "{}", 0o444)
	m.install(tg, stdioServer(), &ideinstall.Options{Force: true, Secret: ideinstall.SecretNone})
	if got := m.mode(path); got != 0o444 || !strings.Contains(m.read(path), "agent-sandbox") {
		t.Errorf("mode %o, content %s", got, m.read(path))
	}
}

// can1357/oh-my-pi#8775: in a read-only directory nothing is half done.
func TestReadOnlyDirectory(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may write to read-only directories")
	}
	m := newMachine(t)
	tg := target(t, "cursor")
	path := m.path(tg, "user")
	m.write(path, "{}", 0o600)
	if err := os.Chmod(filepath.Dir(path), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o755) })
	plan, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(context.Background()); !errors.Is(err, os.ErrPermission) {
		t.Errorf("error %v", err)
	}
	if got := m.read(path); got != "{}" {
		t.Errorf("the file became %q", got)
	}
}

// A second install is no write at all, an uninstall of what is absent neither.
func TestUnchangedFileKeepsItsTime(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	path := m.path(tg, "user")
	m.install(tg, stdioServer(), nil)
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	m.install(tg, stdioServer(), nil)
	info, err := os.Stat(path)
	if err != nil || !info.ModTime().Equal(old) {
		t.Errorf("time %v (%v)", info.ModTime(), err)
	}
	if backups := m.backups(); len(backups) != 0 {
		t.Errorf("a new and an unchanged file have backups: %v", backups)
	}
}

func (m *machine) backups() []string {
	m.t.Helper()
	names, err := filepath.Glob(m.Home + "/.local/state/abx/ide-backups/*")
	if err != nil {
		m.t.Fatal(err)
	}
	return names
}

// The old content is kept privately, the newest five copies of a file.
func TestBackups(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	path := m.path(tg, "user")
	m.write(path, "{ }", 0o644)
	plan := m.install(tg, stdioServer(), nil)
	backup := plan.Changes[0].Backup
	if got := m.read(backup); got != "{ }" {
		t.Errorf("backup holds %q", got)
	}
	if file, dir := m.mode(backup), m.mode(filepath.Dir(backup)); file != 0o600 || dir != 0o700 {
		t.Errorf("modes %o and %o", file, dir)
	}
	for range 4 {
		m.uninstall(tg, nil)
		m.install(tg, stdioServer(), nil)
	}
	if got := m.backups(); len(got) != 5 {
		t.Errorf("%d backups", len(got))
	}
	before := len(m.backups())
	m.uninstall(tg, &ideinstall.Options{NoBackup: true})
	if got := len(m.backups()); got != before {
		t.Errorf("NoBackup made one")
	}
}

// anthropics/claude-code#29112: writers that come between the plan and its
// application lose nothing.
func TestChangeBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "claude-code")
	path := m.path(tg, "user")
	m.write(path, `{"numStartups": 1}`, 0o600)
	plan, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m.write(path, `{"numStartups": 2, "mcpServers": {"other": {"command": "x"}}}`, 0o600)
	if err := plan.Apply(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := m.read(path)
	for _, want := range []string{`"numStartups": 2`, `"other"`, `"agent-sandbox"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
}

// A client that writes while the change is under way, after the file was read and
// before it is replaced: once is planned anew, for ever is given up.
func TestChangeDuringApply(t *testing.T) {
	t.Parallel()
	for writes, ok := range map[int]bool{1: true, 100: false} {
		m := newMachine(t)
		tg := target(t, "cursor")
		path := m.path(tg, "user")
		m.write(path, `{"n": 0}`, 0o600)
		plan, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		m.Now = func() time.Time { // asked for the backup, right in between
			if n < writes {
				n++
				m.write(path, fmt.Sprintf(`{"n": %d}`, n), 0o600)
			}
			return time.Unix(int64(n), 0)
		}
		err = plan.Apply(context.Background())
		got := m.read(path)
		if ok && (err != nil || !strings.Contains(got, `"n": 1`) || !strings.Contains(got, "agent-sandbox")) {
			t.Errorf("%v, file %s", err, got)
		}
		if !ok && (!errors.Is(err, ideinstall.ErrChanged) || strings.Contains(got, "agent-sandbox")) {
			t.Errorf("%v, file %s", err, got)
		}
	}
}

// A key that others can read is told even where nothing is to be written.
func TestExposedKeyIsTold(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	path := m.install(tg, stdioServer(), nil).Changes[0].Path
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	plan := m.install(tg, stdioServer(), nil)
	if notes := strings.Join(plan.Notes, "\n"); plan.Changed() || !strings.Contains(notes, "chmod 600") {
		t.Errorf("notes: %s", notes)
	}
}

// Installers that run at once, each with an entry of its own.
func TestConcurrentInstalls(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	const writers = 20
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			s := stdioServer()
			s.Name = fmt.Sprintf("server-%d", i)
			plan, err := ideinstall.PlanInstall(m.Env, tg, s, nil)
			if err == nil {
				err = plan.Apply(context.Background())
			}
			if err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		})
	}
	wg.Wait()
	got := m.read(m.path(tg, "user"))
	for i := range writers {
		if !strings.Contains(got, fmt.Sprintf(`"server-%d"`, i)) {
			t.Errorf("server-%d is lost", i)
		}
	}
	if left, _ := filepath.Glob(m.Home + "/.cursor/.abx-*"); len(left) != 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// A dry run must leave no trace: no directory, no lock, no backup.
func TestPlanWritesNothing(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	for _, tg := range ideinstall.Targets() {
		for _, scope := range tg.Scopes() {
			plan, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), &ideinstall.Options{Scope: scope})
			if err == nil {
				plan.Changes[0].Diff()
			}
		}
	}
	for _, dir := range []string{m.Home, m.Project} {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
			t.Errorf("%s holds %v (%v)", dir, entries, err)
		}
	}
}

// A file of 10 MB is edited like any other.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	path := m.path(tg, "user")
	line := "  \"key\": \"" + strings.Repeat("x", 1000) + "\",\n"
	var b strings.Builder
	b.WriteString("{\n")
	for i := range 10_000 {
		b.WriteString(strings.Replace(line, "key", fmt.Sprint("key", i), 1))
	}
	b.WriteString("  \"mcpServers\": {}\n}\n")
	m.write(path, b.String(), 0o600)
	m.install(tg, stdioServer(), nil)
	m.uninstall(tg, nil)
	if got := m.read(path); got != b.String() {
		t.Error("the file is not what it was")
	}
}
