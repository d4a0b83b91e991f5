package sdk_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// timeout bounds one run of the script, the installation included.
const timeout = 8 * time.Minute

func TestOfficialSDKs(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("the official SDKs need %s, which is not installed", program)
		}
	}
	binary := build(t)
	for _, version := range []string{"e2b-2.45.0", "e2b-2.51.0"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			dir := install(t, version)
			for _, v := range variants(version) {
				t.Run(v.isolation+"-"+v.profile, func(t *testing.T) { runScript(t, dir, serve(t, binary, v)) })
			}
		})
	}
}

// variant is a way to start sandboxd.
type variant struct{ isolation, profile string }

// variants lists what a version is tried with. The service behind the profile
// fc has no version 2 of create, so newer SDKs cannot use it.
func variants(version string) []variant {
	list := []variant{{"none", "e2b"}}
	if runtime.GOOS == "linux" {
		list = append(list, variant{"namespace", "e2b"})
	}
	if version == "e2b-2.45.0" {
		list = append(list, variant{"none", "fc"})
	}
	return list
}

// install copies the folder of a version and installs its packages there.
func install(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
		copyFile(t, filepath.Join(version, name), filepath.Join(dir, name))
	}
	copyFile(t, "sdk.test.mjs", filepath.Join(dir, "sdk.test.mjs"))
	copyFile(t, "localhost.mjs", filepath.Join(dir, "localhost.mjs"))
	command(t, dir, nil, "npm", "ci", "--no-progress", "--loglevel=error")
	return dir
}

// runScript runs the script of real use, and shows what it printed when a
// step of it fails.
func runScript(t *testing.T, dir string, b *backend) {
	t.Helper()
	env := append(b.env, "NODE_EXTRA_CA_CERTS="+b.caFile)
	command(t, dir, env, "node", "--import", "./localhost.mjs", "--test", "sdk.test.mjs")
}

func command(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, fs.FileMode(0o644)); err != nil {
		t.Fatal(err)
	}
}
