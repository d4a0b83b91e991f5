package isolation_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

func TestToolchainIsShownReadOnlyAtItsOwnPlace(t *testing.T) {
	t.Parallel()
	base := stateBase(t)
	prefix := filepath.Join(base, "tools", "1.2")
	for _, dir := range []string{filepath.Join(prefix, "bin"), filepath.Join(base, "tools", "secret")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(base, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(prefix, "bin", "mytool"), []byte("#!/bin/sh\necho tool $0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := start(t, namespaceLauncher(t), &isolation.Spec{Toolchains: []string{prefix}})
	if out := s.output("mytool"); out != "tool "+prefix+"/bin/mytool\n" {
		t.Errorf("output %q", out)
	}
	if r := s.run("touch " + prefix + "/x"); !strings.Contains(r.Stderr, "Read-only file system") {
		t.Errorf("the toolchain can be written: %+v", r)
	}
	if out := s.output("ls " + filepath.Join(base, "tools")); out != "1.2\n" {
		t.Errorf("beside the toolchain stand %q", out)
	}
}

func TestToolchainBehindAClosedDirectory(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only the sandboxes of root run as another user")
	}
	base := stateBase(t)
	prefix := filepath.Join(base, "home", "tool", "bin")
	if err := os.MkdirAll(prefix, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(base, "home"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := namespaceLauncher(t).Start(t.Context(), &isolation.Spec{ID: "closed", Toolchains: []string{filepath.Dir(prefix)}})
	if err == nil || !strings.Contains(err.Error(), "run as the owner") {
		t.Errorf("error %v, want one that says what to do", err)
	}
}

func TestStateDirectoryWithALongPathBelowTmp(t *testing.T) {
	t.Parallel()
	base := filepath.Join(stateBase(t), strings.Repeat("long", 30), "state")
	for _, storage := range []string{isolation.StorageMemory, isolation.StorageDisk} {
		s := start(t, probed(t, launcher(t, isolation.Namespace, base)), &isolation.Spec{Storage: storage})
		if out := s.output("echo alive"); out != "alive\n" {
			t.Errorf("output %q", out)
		}
	}
}

func TestLanguagesOfTheHostWork(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	for program, script := range map[string]string{
		"/usr/bin/python3": `python3 -c '
import threading, multiprocessing, ssl, sqlite3, tempfile, socket
t = threading.Thread(target=lambda: print("thread")); t.start(); t.join()
multiprocessing.Lock(); ssl.create_default_context()
assert len(ssl.create_default_context().get_ca_certs()) > 0
print(multiprocessing.Pool(2).map(abs, [-1, -2]))'`,
		"/usr/bin/node": `node -e 'new (require("worker_threads").Worker)("console.log(1)", {eval: true}); require("fs").writeFileSync("/tmp/x", "y")'`,
		"/usr/bin/git":  `git init -q repo && cd repo && git -c user.name=a -c user.email=b commit -q --allow-empty -m c && git log --oneline`,
		"/bin/bash":     `bash -lc 'shopt -s login_shell; echo $PATH | grep -q /home/user/.local/bin && locale -a >/dev/null'`,
		"/usr/bin/date": `TZ=Asia/Shanghai date +%Z | grep CST`,
	} {
		if _, err := os.Stat(program); err != nil {
			t.Logf("%s is not on this machine", program)
			continue
		}
		if r := s.run(script); r.Exit != 0 {
			t.Errorf("%s: exit %d: %s%s", program, r.Exit, r.Stdout, r.Stderr)
		}
	}
}
