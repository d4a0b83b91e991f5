package harness

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// process is a sandboxd on the machine itself.
type process struct {
	binary, log string
	args, env   []string
	cmd         *exec.Cmd
	out         *os.File
}

func startProcess(ctx context.Context, t testing.TB, key string, opts *BackendOptions) (machine, string, error) {
	t.Helper()
	binary, err := SandboxdBinary()
	if err != nil {
		return nil, "", err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, "", err
	}
	p := &process{binary: binary, log: filepath.Join(t.TempDir(), "log")}
	p.args = append([]string{"-isolation", "none", "-listen", address, "-storage", "disk", "-state-dir", t.TempDir()}, opts.Args...)
	p.env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + t.TempDir(), "SANDBOXD_API_KEY=" + key}
	return p, "http://" + address, p.start(ctx)
}

func (p *process) start(context.Context) error {
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	cmd := exec.Command(p.binary, p.args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env, out, out
	if err := Start(cmd); err != nil {
		return fmt.Errorf("start sandboxd: %w", err)
	}
	p.cmd, p.out = cmd, out
	return nil
}

func (p *process) pause(context.Context) error  { return p.cmd.Process.Signal(stopSignal) }
func (p *process) resume(context.Context) error { return p.cmd.Process.Signal(continueSignal) }

func (p *process) kill(context.Context) error {
	if err := p.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = p.cmd.Wait() // says that it was killed
	return p.out.Close()
}

func (p *process) logs() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// close ends sandboxd, which may have been killed before.
func (p *process) close(context.Context) error {
	if p.cmd == nil || p.cmd.ProcessState != nil {
		return nil
	}
	_ = p.resume(context.Background())
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	late := time.AfterFunc(20*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer late.Stop()
	err := p.cmd.Wait()
	return joinClose(err, p.out)
}

func joinClose(err error, f *os.File) error {
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
