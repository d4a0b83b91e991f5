package mcpserver_test

import (
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

func TestBrokenWriteLeavesTheFile(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	file := r.home(t) + "/config"
	r.run(t, "write_file", toJSON(t, "path", file, "content", "old"))
	for name, fault := range map[string]sandboxtest.Fault{
		"the upload is cut":      {Method: "POST", Path: "/files", Do: sandboxtest.Reset()},
		"the disk is full":       {Method: "POST", Path: "/files", Do: sandboxtest.Status(507, "no space left")},
		"the last step is lost":  {Path: "/filesystem.Filesystem/Move", Do: sandboxtest.Status(500, "no")},
		"its state is not known": {Path: "/filesystem.Filesystem/Stat", Do: sandboxtest.Status(500, "no")},
	} {
		injected := r.backend.Inject(fault)
		if code, _, _ := failure(t, r.client, "write_file", toJSON(t, "path", file, "content", "new")); code == "" {
			t.Errorf("%s: no error", name)
		}
		injected.Remove()
		got := r.command(t, "cat "+file+"; ls -A $(dirname "+file+") | grep -c '^.abx-'")["stdout"]
		if got != "old0\n" {
			t.Errorf("%s: content and count of leftovers are %q, want the old content and none", name, got)
		}
	}
}

func TestWriteKeepsModeAndLink(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	dir := r.home(t) + "/bin"
	r.command(t, "mkdir "+dir+" && cd "+dir+" && printf old >tool && chmod 750 tool && ln -s tool link")
	r.run(t, "write_file", toJSON(t, "path", dir+"/link", "content", "new"))
	if got := r.command(t, "cd "+dir+" && stat -c '%F %a' link tool && cat tool")["stdout"]; got != "symbolic link 777\nregular file 750\nnew" {
		t.Errorf("after the write: %q", got)
	}
}

func TestWriteToAPipeIsRefused(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	pipe := r.home(t) + "/pipe"
	r.command(t, "mkfifo "+pipe)
	code, message, _ := failure(t, r.client, "write_file", toJSON(t, "path", pipe, "content", "x"))
	if code != "invalid_argument" || !strings.Contains(message, "run_command") {
		t.Errorf("%s: %s", code, message)
	}
}
