// Package rootfs plans and builds the file tree of a sandbox: the programs of
// the host read-only, a handful of files in /etc, and writable directories of
// its own. What is not in the plan does not exist inside.
//
// The plan is data, made by the server from what it sees of the host; only
// Build needs privileges, and has them in the sandbox's namespaces alone.
package rootfs

import (
	"io/fs"
	"path"
)

// Op is one step of a plan. Targets are paths in the new tree.
type Op struct {
	Kind    Kind        `json:"kind"`
	Target  string      `json:"target"`
	Source  string      `json:"source,omitempty"` // Bind: path on the host; Link: what it says; BindOwn: path in the new tree
	Data    string      `json:"data,omitempty"`   // File: content; Tmpfs: mount options
	Mode    fs.FileMode `json:"mode,omitempty"`   // Dir, File
	Flags   Flags       `json:"flags,omitempty"`  // Bind, BindOwn
	OnlyDir bool        `json:"only_dir,omitempty"`
}

// Kind is what an Op makes.
type Kind string

// The kinds of an Op.
const (
	Dir     Kind = "dir"      // a directory, with its parents
	Link    Kind = "link"     // a symbolic link
	File    Kind = "file"     // a small file
	Bind    Kind = "bind"     // something of the host
	BindOwn Kind = "bind-own" // something of the new tree at a second place
	Tmpfs   Kind = "tmpfs"    // an empty file system in memory
	Proc    Kind = "proc"     // this pid namespace's /proc
	Devpts  Kind = "devpts"   // terminals of its own
	Store   Kind = "store"    // marks Target as the file system whose use is measured
	Unmount Kind = "unmount"  // takes a mount and its directory away again
)

// Flags restrict a bind.
type Flags uint

// The restrictions of a bind. None of them can be lifted inside.
const (
	ReadOnly Flags = 1 << iota
	NoSetuid
	NoDevices
	NoExec
	Recursive // with the mounts below
	Masking   // over something that may be absent: then there is nothing to do
)

const (
	hostBind = ReadOnly | NoSetuid | NoDevices | Recursive
	ownBind  = NoSetuid | NoDevices
)

// Host is what a plan has to know of the machine.
type Host interface {
	// Lstat is fs.ErrNotExist for what is not there.
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
}

// Layout is what a plan is made from.
type Layout struct {
	User      string // name of the one user; the uid inside is UID
	Hostname  string
	MachineID string // 32 hex digits
	// StoreDir is the host directory of the writable part; "" means a file
	// system in memory of StoreSize bytes.
	StoreDir  string
	StoreSize int64
	Prefixes  []string // further host directories, read-only
	Path      string   // PATH
}

// UID is the only user id that exists inside, and its group id.
const UID = 1000

// Plan lists the steps in order.
func Plan(host Host, layout *Layout) []Op {
	p := &planner{host: host, layout: layout}
	p.programs()
	p.etc()
	p.dev()
	p.proc()
	p.store()
	p.prefixes()
	return p.ops
}

type planner struct {
	host   Host
	layout *Layout
	ops    []Op
}

func (p *planner) add(ops ...Op) { p.ops = append(p.ops, ops...) }

func (p *planner) dir(target string, mode fs.FileMode) {
	p.add(Op{Kind: Dir, Target: target, Mode: mode})
}

func (p *planner) exists(name string) bool {
	_, err := p.host.Lstat(name)
	return err == nil
}

// programs shows the host's programs and libraries. On most systems /bin and
// the like are links into /usr and stay that.
func (p *planner) programs() {
	for _, name := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"} {
		p.hostPath(name)
	}
	p.dir("/opt", 0o755)
	p.dir("/mnt", 0o755)
	p.dir("/srv", 0o755)
	p.dir("/root", 0o755)
	p.dir("/sys", 0o755)
}

// prefixes come last: one may lie below a writable directory.
func (p *planner) prefixes() {
	for _, prefix := range p.layout.Prefixes {
		if !below(prefix, "/usr") {
			p.hostPath(prefix)
		}
	}
}

// hostPath shows a directory or a file of the host at its own place, and
// repeats a link as a link.
func (p *planner) hostPath(name string) {
	info, err := p.host.Lstat(name)
	if err != nil {
		return
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if to, err := p.host.Readlink(name); err == nil {
			p.add(Op{Kind: Link, Target: name, Source: to})
		}
		return
	}
	p.add(Op{Kind: Bind, Target: name, Source: name, Flags: hostBind, OnlyDir: info.IsDir()})
}

func below(name, parent string) bool {
	return name == parent || len(name) > len(parent) && name[:len(parent)+1] == parent+"/"
}

// storeTree are the writable directories: where they lie in the store, where
// they show, and who may write them.
var storeTree = []struct {
	name, target string
	mode         fs.FileMode
}{
	{"home", "/home/user", 0o755},
	{"app", "/app", 0o755},
	{"tmp", "/tmp", 0o777 | fs.ModeSticky},
	{"vartmp", "/var/tmp", 0o777 | fs.ModeSticky},
	{"run", "/run", 0o755},
	{"shm", "/dev/shm", 0o777 | fs.ModeSticky},
}

// storeMount is where the store is mounted while its parts are bound.
const storeMount = "/.store"

// store makes the writable directories parts of one file system, so that one
// size bounds them all.
func (p *planner) store() {
	p.dir(storeMount, 0o755)
	if p.layout.StoreDir != "" {
		p.add(Op{Kind: Bind, Target: storeMount, Source: p.layout.StoreDir, Flags: ownBind, OnlyDir: true})
	} else {
		p.add(Op{Kind: Tmpfs, Target: storeMount, Data: tmpfsOptions(p.layout.StoreSize)})
	}
	p.add(Op{Kind: Store, Target: storeMount})
	for _, part := range storeTree {
		source := path.Join(storeMount, part.name)
		p.dir(source, part.mode)
		p.dir(part.target, 0o755)
		p.add(Op{Kind: BindOwn, Target: part.target, Source: source, Flags: ownBind})
	}
	p.add(Op{Kind: Unmount, Target: storeMount})
}
