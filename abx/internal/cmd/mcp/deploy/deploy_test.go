package deploy_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/deploy"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/undeploy"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/iostreams"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/fctest"
)

const key = "backend-key-that-nothing-shows"

func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "deploy-home-")
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{"HOME": home, "USERPROFILE": home, "ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true",
		"ALIBABA_CLOUD_ACCESS_KEY_ID": "test-access-key-id", "ALIBABA_CLOUD_ACCESS_KEY_SECRET": "test-access-key-secret"} {
		_ = os.Setenv(name, value) // fails for malformed names only
	}
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}

// user is somebody at a terminal, or a script.
type user struct {
	t   *testing.T
	fc  *fctest.Server
	dir string
}

func newUser(t *testing.T) *user {
	t.Helper()
	server := fctest.NewServer(nil)
	t.Cleanup(func() { _ = server.Close() })
	return &user{t: t, fc: server, dir: filepath.Join(t.TempDir(), "out")}
}

// run runs one command and returns what it printed.
func (u *user) run(tty bool, input, command string, args ...string) (stdout, stderr string, err error) {
	u.t.Helper()
	io, in, out, errOut := iostreams.Test()
	in.WriteString(input)
	io.SetTTY(tty, tty, tty)
	f := &cmdutil.Factory{IO: io, Version: "v0.0.0-test", ConfigPath: filepath.Join(u.t.TempDir(), "config.toml"), Getenv: func(name string) string {
		return map[string]string{"ABX_SANDBOX_API_KEY": key}[name]
	}}
	cmd := deploy.NewCmd(f)
	if command == "undeploy" {
		cmd = undeploy.NewCmd(f)
	}
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(append([]string{"--endpoint", u.fc.URL, "--output-dir", u.dir}, args...))
	err = cmd.ExecuteContext(u.t.Context())
	for _, text := range []string{out.String(), errOut.String()} {
		if strings.Contains(text, key) || strings.Contains(text, "test-access-key-secret") {
			u.t.Errorf("a secret is printed: %s", text)
		}
	}
	return out.String(), errOut.String(), err
}

func (u *user) deploy(args ...string) string {
	u.t.Helper()
	out, _, err := u.run(false, "", "deploy", append([]string{"--binary", program(u.t), "--generate-token", "--no-smoke"}, args...)...)
	if err != nil {
		u.t.Fatal(err)
	}
	return out
}

func program(t *testing.T) string {
	t.Helper()
	header := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1, Ehsize: 64, Phentsize: 56, Shentsize: 64}
	copy(header.Ident[:], []byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1})
	var data bytes.Buffer
	if err := binary.Write(&data, binary.LittleEndian, header); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPlanApplyUndeploy(t *testing.T) {
	t.Parallel()
	for _, api := range []string{"3.0", "2.0"} { // one after the other: see package fc2
		u := newUser(t)
		planned := u.deploy("--fc-api", api, "--plan")
		if !strings.Contains(planned, "Would change:\n  create function agent-sandbox-mcp\n  create trigger httpTrigger\n") {
			t.Errorf("%s: plan: %s", api, planned)
		}
		if n := len(u.fc.Mutations()); n > 0 {
			t.Errorf("%s: a plan made %d changing calls", api, n)
		}
		applied := u.deploy("--fc-api", api, "--apply")
		if !strings.Contains(applied, "Changed:") || !strings.Contains(applied, "Endpoint: http://") {
			t.Errorf("%s: apply: %s", api, applied)
		}
		u.fc.ResetRequests()
		if again := u.deploy("--fc-api", api, "--apply"); !strings.Contains(again, "Nothing to change") || len(u.fc.Mutations()) > 0 {
			t.Errorf("%s: second apply: %v %s", api, u.fc.Mutations(), again)
		}
		changed := u.deploy("--fc-api", api, "--plan", "--memory", "1024")
		if !strings.Contains(changed, "memory: 512 -> 1024") {
			t.Errorf("%s: plan of a change: %s", api, changed)
		}
		removed, _, err := u.run(false, "", "undeploy", "--yes")
		if err != nil || !strings.Contains(removed, "delete function agent-sandbox-mcp") || !u.fc.Empty() {
			t.Errorf("%s: undeploy: %v %s, left %v", api, err, removed, u.fc.Functions())
		}
	}
}

func TestUndeployAsks(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.deploy("--apply")
	u.fc.ResetRequests()
	for name, test := range map[string]struct {
		tty   bool
		input string
	}{"script": {false, ""}, "no": {true, "n\n"}, "enter": {true, "\n"}, "end of input": {true, ""}} {
		_, shown, err := u.run(test.tty, test.input, "undeploy")
		if err == nil || len(u.fc.Mutations()) > 0 || !strings.Contains(shown, "delete function agent-sandbox-mcp") {
			t.Errorf("%s: %v %s", name, err, shown)
		}
	}
	if _, _, err := u.run(true, "y\n", "undeploy"); err != nil || !u.fc.Empty() {
		t.Errorf("yes: %v", err)
	}
}

func TestProgressIsForTerminals(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	args := []string{"--binary", program(t), "--generate-token", "--no-smoke", "--apply"}
	if _, progress, err := u.run(true, "", "deploy", args...); err != nil || !strings.Contains(progress, "… create function") {
		t.Errorf("terminal: %v %q", err, progress)
	}
	if _, progress, err := u.run(false, "", "deploy", args...); err != nil || progress != "" {
		t.Errorf("script: %v %q", err, progress)
	}
}

func TestRefusedCredentialsAreAnAuthError(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.fc.Inject(fctest.Fault{Status: 403, Code: "SignatureDoesNotMatch", Message: "no"})
	_, _, err := u.run(false, "", "deploy", "--binary", program(t), "--generate-token", "--plan")
	if auth := (*cmdutil.AuthError)(nil); !asAuth(err, &auth) {
		t.Errorf("got %v", err)
	}
}

func TestDeniedNamesThePermission(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.fc.Inject(fctest.AccessDenied("CreateFunction"))
	_, _, err := u.run(false, "", "deploy", "--binary", program(t), "--generate-token", "--apply")
	if err == nil || !strings.Contains(err.Error(), "permission fc:CreateFunction") {
		t.Errorf("got %v", err)
	}
}

func TestNoFileHoldsASecret(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.deploy("--apply", "--env", "EXTRA="+key)
	err := filepath.WalkDir(u.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), key) {
			t.Errorf("%s holds the key", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(u.dir, "deployment.json"))
	if err != nil {
		t.Fatal(err)
	}
	var record map[string]any
	if err := json.Unmarshal(text, &record); err != nil || record["endpoint"] == "" {
		t.Errorf("record: %s", text)
	}
}

func asAuth(err error, target **cmdutil.AuthError) bool { return errors.As(err, target) }
