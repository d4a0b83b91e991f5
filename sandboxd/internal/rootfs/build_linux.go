package rootfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// staging is where the new tree is put together: any directory will do, for it
// is covered in this mount namespace only.
const staging = "/tmp"

// Error says at which step building the tree went wrong. Stage is one of a
// few words that a table of explanations can go by.
type Error struct {
	Stage  string
	Detail string
	Err    error
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s %s: %v", e.Stage, e.Detail, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Build makes the planned tree the root of this process and drops the old one.
// It must run in fresh user, mount and pid namespaces with CAP_SYS_ADMIN. The
// result is an O_PATH descriptor of the store, for its use to be measured, or
// -1 when the plan has none.
func Build(ops []Op) (store int, err error) {
	b := &builder{sources: map[string]int{}, store: -1}
	for _, step := range []struct {
		stage string
		run   func() error
	}{
		{"private root", func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") }},
		{"open sources", func() error { return b.openSources(ops) }},
		{"staging tmpfs", mountStaging},
		{"build", func() error { return b.applyAll(ops) }},
		{"pivot", pivot},
		{"seal root", func() error { return restrict(unix.AT_FDCWD, "/", ReadOnly, 0) }},
	} {
		if err := step.run(); err != nil {
			if _, ok := errors.AsType[*Error](err); ok {
				return -1, err
			}
			return -1, &Error{Stage: step.stage, Err: err}
		}
	}
	return b.store, nil
}

type builder struct {
	sources map[string]int // detached copies of host mounts, by path
	store   int
}

// openSources takes hold of everything of the host before the staging point
// covers a part of it.
func (b *builder) openSources(ops []Op) error {
	for _, op := range ops {
		if op.Kind != Bind {
			continue
		}
		fd, err := cloneTree(op.Source, op.Flags)
		if err != nil {
			return &Error{Stage: "open", Detail: op.Source, Err: err}
		}
		b.sources[op.Source] = fd
	}
	return nil
}

// cloneTree makes a detached copy of the mount at the path that carries the
// restrictions before anything can see it.
func cloneTree(path string, flags Flags) (int, error) {
	open := uint(unix.OPEN_TREE_CLONE | unix.OPEN_TREE_CLOEXEC)
	if flags&Recursive != 0 {
		open |= unix.AT_RECURSIVE
	}
	fd, err := unix.OpenTree(unix.AT_FDCWD, path, open)
	if err != nil {
		return -1, err
	}
	if err := restrict(fd, "", flags, unix.AT_EMPTY_PATH); err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

func restrict(fd int, path string, flags Flags, at uint) error {
	attr := unix.MountAttr{Attr_set: attributes(flags)}
	if attr.Attr_set == 0 {
		return nil
	}
	if flags&Recursive != 0 {
		at |= unix.AT_RECURSIVE
	}
	return unix.MountSetattr(fd, path, at, &attr)
}

func attributes(flags Flags) uint64 {
	var attr uint64
	for flag, bit := range map[Flags]uint64{
		ReadOnly:  unix.MOUNT_ATTR_RDONLY,
		NoSetuid:  unix.MOUNT_ATTR_NOSUID,
		NoDevices: unix.MOUNT_ATTR_NODEV,
		NoExec:    unix.MOUNT_ATTR_NOEXEC,
	} {
		if flags&flag != 0 {
			attr |= bit
		}
	}
	return attr
}

func mountStaging() error {
	return unix.Mount("root", staging, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=16m,nr_inodes=4096")
}

func (b *builder) applyAll(ops []Op) error {
	for _, op := range ops {
		err := b.apply(&op)
		if _, ok := errors.AsType[*Error](err); ok {
			return err
		}
		if err != nil {
			return &Error{Stage: string(op.Kind), Detail: op.Target, Err: err}
		}
	}
	return nil
}

func (b *builder) apply(op *Op) error {
	target := filepath.Join(staging, op.Target)
	switch op.Kind {
	case Dir:
		return makeDir(target, op.Mode)
	case Link:
		return makeLink(op.Source, target)
	case File:
		return makeFile(target, op.Data, op.Mode)
	case Bind:
		return b.bind(op, target)
	case BindOwn:
		return bindOwn(op, target)
	case Tmpfs:
		return unix.Mount("tmpfs", target, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, op.Data)
	case Proc:
		return mountProc(target)
	case Devpts:
		return unix.Mount("devpts", target, "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
	case Store:
		return b.keepStore(target)
	case Unmount:
		return unmount(target)
	}
	return fmt.Errorf("unknown kind of step %q", op.Kind)
}

func makeDir(target string, mode fs.FileMode) error {
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	return os.Chmod(target, mode)
}

func makeLink(says, target string) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.Symlink(says, target)
}

func makeFile(target, data string, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, []byte(data), mode)
}

func (b *builder) bind(op *Op, target string) error {
	if err := makeMountPoint(target, op.OnlyDir); err != nil {
		return err
	}
	return unix.MoveMount(b.sources[op.Source], "", unix.AT_FDCWD, target, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

func makeMountPoint(target string, dir bool) error {
	if dir {
		return os.MkdirAll(target, 0o755)
	}
	return makeFile(target, "", 0o644)
}

func bindOwn(op *Op, target string) error {
	if op.Flags&Masking != 0 {
		if _, err := os.Lstat(target); err != nil {
			return nil
		}
	}
	fd, err := cloneTree(filepath.Join(staging, op.Source), op.Flags)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.MoveMount(fd, "", unix.AT_FDCWD, target, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

func (b *builder) keepStore(target string) (err error) {
	b.store, err = unix.Open(target, unix.O_PATH|unix.O_CLOEXEC|unix.O_DIRECTORY, 0)
	return err
}

func unmount(target string) error {
	if err := unix.Unmount(target, unix.MNT_DETACH); err != nil {
		return err
	}
	return os.Remove(target)
}

// mountProc must come while the host's own /proc is still in sight: the kernel
// allows it only then.
func mountProc(target string) error {
	if err := unix.Mount("proc", target, "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return err
	}
	// Programs of the sandbox must not make user namespaces, in which they
	// would have capabilities again. The number is this namespace's own.
	if err := os.WriteFile(filepath.Join(target, "sys/user/max_user_namespaces"), []byte("0"), 0); err != nil {
		return &Error{Stage: "forbid namespaces", Err: err}
	}
	// A server in the sandbox may have port 80; a kernel that refuses this
	// loses nothing else.
	os.WriteFile(filepath.Join(target, "sys/net/ipv4/ip_unprivileged_port_start"), []byte("0"), 0) //nolint:errcheck // see above
	return nil
}

// pivot makes the staged tree the root; the old one, stacked below it, goes.
func pivot() error {
	if err := os.Chdir(staging); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return err
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return err
	}
	return os.Chdir("/")
}
