package isolation

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/egress"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lockdown"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/reexec"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/rootfs"
)

// dataName is the directory of a sandbox's files when they are on disk.
const dataName = "data"

// machineID is a random identity: programs inside must not learn the host's.
func machineID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// start brings the sandbox up. What it made before an error, discard removes.
func (s *nsSandbox) start(ctx context.Context) (err error) {
	s.started = make(chan struct{})
	defer close(s.started)
	if s.dir, err = s.launcher.store.Make(s.spec.ID); err != nil {
		return err
	}
	for _, prefix := range s.spec.Toolchains {
		if err := checkToolchain(prefix, s.dir); err != nil {
			return err
		}
	}
	if err := s.identify(); err != nil {
		return err
	}
	if s.spec.Storage == StorageDisk {
		if err := s.makeData(); err != nil {
			return err
		}
	}
	var listener *os.File
	if s.sock, listener, err = listen(s.dir); err != nil {
		return err
	}
	defer listener.Close()
	return s.launch(ctx, listener)
}

// identify decides which user of the host the sandbox is.
func (s *nsSandbox) identify() (err error) {
	s.uid, s.gid = os.Geteuid(), os.Getegid()
	if s.uid == 0 {
		s.uid, err = s.launcher.uids.take()
		s.gid = s.uid
	}
	return err
}

// asRoot reports whether the sandbox has a user id of its own on the host.
func (s *nsSandbox) asRoot() bool { return os.Geteuid() == 0 }

// makeData makes the directory of the files, which must be the sandbox's own.
func (s *nsSandbox) makeData() error {
	data := filepath.Join(s.dir, dataName)
	if err := os.Mkdir(data, 0o755); err != nil {
		return fmt.Errorf("make sandbox directory: %w", err)
	}
	if !s.asRoot() {
		return nil
	}
	// The sandbox's user must get through the directory to open it.
	return errors.Join(os.Chmod(s.dir, 0o711), os.Chown(data, s.uid, s.gid))
}

func (s *nsSandbox) launch(ctx context.Context, listener *os.File) error {
	image, err := reexec.Sealed()
	if err != nil {
		return err
	}
	conn, theirs, err := statusPair()
	if err != nil {
		return err
	}
	defer theirs.Close()
	s.command(listener, image, theirs)
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := s.launcher.spawn.start(s.cmd); err != nil {
		conn.Close()
		return &startFailure{status{Stage: "clone", Errno: errnoOf(err), Text: err.Error()}}
	}
	s.running()
	theirs.Close()
	killFirst(s.pid())
	if err := s.instruct(stdin); err != nil {
		// The status, if there is one, says more than a broken pipe.
		_, why := awaitStart(ctx, conn)
		return errors.Join(why, err)
	}
	given, err := awaitStart(ctx, conn)
	if err != nil {
		return err
	}
	return s.receive(given)
}

// killFirst makes the kernel choose the sandbox when memory runs out. Written
// by root, the sandbox cannot lower it again; otherwise it can, down to 0.
func killFirst(pid int) {
	os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0) //nolint:errcheck // it is done again inside
}

// command prepares the first process: a child in new namespaces that is user
// UID there and no other, with the capabilities that building needs, valid in
// those namespaces alone.
func (s *nsSandbox) command(files ...*os.File) {
	s.cmd = &exec.Cmd{
		Path:       fmt.Sprintf("/proc/self/fd/%d", imageFD),
		Args:       reexec.Args(roleInit),
		Env:        []string{},
		Dir:        "/",
		ExtraFiles: files,
		Stderr:     &s.stderr,
		WaitDelay:  time.Second,
		SysProcAttr: &syscall.SysProcAttr{
			Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC |
				syscall.CLONE_NEWUTS | syscall.CLONE_NEWNET | unix.CLONE_NEWCGROUP,
			UidMappings:                []syscall.SysProcIDMap{{ContainerID: rootfs.UID, HostID: s.uid, Size: 1}},
			GidMappings:                []syscall.SysProcIDMap{{ContainerID: rootfs.UID, HostID: s.gid, Size: 1}},
			GidMappingsEnableSetgroups: s.asRoot(),
			Credential:                 &syscall.Credential{Uid: rootfs.UID, Gid: rootfs.UID, NoSetGroups: !s.asRoot()},
			AmbientCaps:                buildCapabilities,
			Pdeathsig:                  syscall.SIGKILL,
			Setsid:                     true,
		},
	}
}

// buildCapabilities are what building a sandbox takes. Without a place in the
// ambient set they would be lost with the exec of a user that is not root.
var buildCapabilities = []uintptr{
	unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_SYS_RESOURCE,
	unix.CAP_SYS_CHROOT, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER,
}

// instruct sends the plan, and behind it the start message of the agent.
func (s *nsSandbox) instruct(stdin io.WriteCloser) error {
	defer stdin.Close()
	p := &plan{
		Root:     rootfs.Plan(rootfs.OS{}, s.layout(s.dir)),
		Hostname: s.hostname(),
		Limits: lockdown.Limits{
			Processes: uint64(s.limits.Processes), OpenFiles: uint64(s.limits.OpenFiles),
			FileSize: uint64(s.limits.FileSize), Data: s.dataLimit(),
		},
		Probe: s.probe,
	}
	if err := writeFrame(stdin, p); err != nil {
		return fmt.Errorf("send plan: %w", err)
	}
	if s.probe {
		return nil
	}
	if err := (&boot{Place: s.place(), Config: s.spec.Agent}).send(stdin); err != nil {
		return fmt.Errorf("send start message: %w", err)
	}
	return nil
}

// leastData is the smallest limit of a process's private memory under which
// the agent itself can run: a Go program maps its heap in blocks of 64 MiB.
const leastData = 256 << 20

// dataLimit bounds one process; the sum over all is watched.
func (s *nsSandbox) dataLimit() uint64 {
	if s.limits.Memory == 0 {
		return 0
	}
	return uint64(max(s.limits.Memory, leastData))
}

// receive takes the descriptors that the first process handed out.
func (s *nsSandbox) receive(given map[givenHandle]*os.File) (err error) {
	if given[givenStore] == nil || given[givenProxy] == nil {
		closeAll(given)
		return errors.New("start sandbox: its first process ended without a word")
	}
	s.files = given[givenStore]
	defer given[givenProxy].Close()
	l, err := net.FileListener(given[givenProxy])
	if err != nil {
		return fmt.Errorf("take over proxy socket: %w", err)
	}
	if s.internet, err = newInternet(l, s.spec.Internet); err != nil {
		return err
	}
	if s.limits.Memory > 0 {
		s.watches.Go(func() { s.watchMemory(s.exited) })
	}
	return nil
}

// environment is what every command of the sandbox gets.
func (s *nsSandbox) environment() map[string]string {
	env := maps.Clone(installEnv)
	maps.Copy(env, egress.Env(proxyAddress))
	return env
}

func errnoOf(err error) (errno unix.Errno) {
	errors.As(err, &errno)
	return errno
}
