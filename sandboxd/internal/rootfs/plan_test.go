package rootfs_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/rootfs"
)

// machine is a host that consists of a list of files.
type machine struct{ fstest.MapFS }

func (m machine) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(m.MapFS, name[1:]) }

func (m machine) Readlink(name string) (string, error) { return fs.ReadLink(m.MapFS, name[1:]) }

var (
	file = &fstest.MapFile{}
	dir  = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
)

func link(to string) *fstest.MapFile {
	return &fstest.MapFile{Mode: fs.ModeSymlink | 0o777, Data: []byte(to)}
}

func merged() machine {
	return machine{fstest.MapFS{
		"usr": dir, "bin": link("usr/bin"), "sbin": link("usr/sbin"), "lib": link("usr/lib"), "lib64": link("usr/lib64"),
		"dev/null": file, "dev/zero": file, "dev/mem": file, "dev/sda": file,
		"etc/passwd": file, "etc/shadow": file, "etc/sudoers": file, "etc/ssh/ssh_host_rsa_key": file,
		"etc/ssl/certs": dir, "etc/ssl/private/key.pem": file, "etc/ld.so.cache": file,
		"etc/localtime": link("/usr/share/zoneinfo/UTC"), "etc/resolv.conf": file, "etc/machine-id": file,
		"home/me/.ssh/id": file, "opt/tool/bin": dir,
	}}
}

func plan(host rootfs.Host, layout rootfs.Layout) []rootfs.Op {
	layout.User, layout.Hostname, layout.Path = "user", "box", "/usr/bin"
	layout.StoreSize = 1 << 20
	return rootfs.Plan(host, &layout)
}

func find(ops []rootfs.Op, target string) []rootfs.Op {
	var found []rootfs.Op
	for _, op := range ops {
		if op.Target == target {
			found = append(found, op)
		}
	}
	return found
}

func TestProgramsOfAMergedSystemStayLinks(t *testing.T) {
	t.Parallel()
	ops := plan(merged(), rootfs.Layout{})
	if got := find(ops, "/lib64"); len(got) != 1 || got[0].Kind != rootfs.Link || got[0].Source != "usr/lib64" {
		t.Errorf("/lib64: %+v", got)
	}
	if got := find(ops, "/lib32"); len(got) != 0 {
		t.Errorf("/lib32 is not on the host, but planned: %+v", got)
	}
}

func TestProgramsOfASplitSystemAreBound(t *testing.T) {
	t.Parallel()
	ops := plan(machine{fstest.MapFS{"usr": dir, "bin": dir, "lib": dir}}, rootfs.Layout{})
	for _, target := range []string{"/usr", "/bin", "/lib"} {
		got := find(ops, target)
		if len(got) != 1 || got[0].Kind != rootfs.Bind || got[0].Flags&rootfs.ReadOnly == 0 || got[0].Flags&rootfs.Recursive == 0 {
			t.Errorf("%s: %+v, want a recursive read-only bind", target, got)
		}
	}
}

func TestNothingSecretIsBound(t *testing.T) {
	t.Parallel()
	for _, op := range plan(merged(), rootfs.Layout{}) {
		if op.Kind != rootfs.Bind {
			continue
		}
		for _, secret := range []string{"shadow", "sudoers", "ssh", "private", "/home", "/root", "/var", "/run", "/dev/mem", "/dev/sda", "machine-id", "resolv.conf"} {
			if strings.Contains(op.Source, secret) {
				t.Errorf("%s of the host is bound", op.Source)
			}
		}
		if op.Source == "/" || op.Source == "/etc" || op.Source == "/dev" || op.Source == "/proc" || op.Source == "/sys" {
			t.Errorf("all of the host's %s is bound", op.Source)
		}
	}
}

func TestOnlyDevicesAreWritableOnTheHost(t *testing.T) {
	t.Parallel()
	for _, op := range plan(merged(), rootfs.Layout{Prefixes: []string{"/opt/tool"}}) {
		if op.Kind == rootfs.Bind && op.Flags&rootfs.ReadOnly == 0 && !strings.HasPrefix(op.Source, "/dev/") {
			t.Errorf("%s is bound writable", op.Source)
		}
	}
}

func TestOwnFiles(t *testing.T) {
	t.Parallel()
	ops := plan(merged(), rootfs.Layout{MachineID: strings.Repeat("0", 32)})
	for target, want := range map[string]string{
		"/etc/passwd":        "user:x:1000:1000::/home/user:/bin/bash\n",
		"/etc/hosts":         "127.0.0.1 localhost box\n",
		"/etc/machine-id":    strings.Repeat("0", 32),
		"/etc/nsswitch.conf": "hosts: files dns\n",
		"/etc/profile":       `: "${PATH:=/usr/bin}"`,
	} {
		got := find(ops, target)
		if len(got) != 1 || got[0].Kind != rootfs.File || !strings.Contains(got[0].Data, want) {
			t.Errorf("%s: %+v, want it to contain %q", target, got, want)
		}
	}
}

func TestStoreOnDiskAndInMemory(t *testing.T) {
	t.Parallel()
	memory := find(plan(merged(), rootfs.Layout{}), "/.store")
	if i := slices.IndexFunc(memory, func(op rootfs.Op) bool { return op.Kind == rootfs.Tmpfs }); i < 0 || !strings.Contains(memory[i].Data, "size=1048576") {
		t.Errorf("store in memory: %+v", memory)
	}
	disk := find(plan(merged(), rootfs.Layout{StoreDir: "/state/x"}), "/.store")
	if i := slices.IndexFunc(disk, func(op rootfs.Op) bool { return op.Kind == rootfs.Bind }); i < 0 || disk[i].Source != "/state/x" {
		t.Errorf("store on disk: %+v", disk)
	}
	for _, ops := range [][]rootfs.Op{memory, disk} {
		if last := ops[len(ops)-1]; last.Kind != rootfs.Unmount {
			t.Errorf("the store stays visible: %+v", last)
		}
	}
}

func TestPrefixesComeAfterWhatTheyMayLieIn(t *testing.T) {
	t.Parallel()
	ops := plan(merged(), rootfs.Layout{Prefixes: []string{"/usr/local/go", "/opt/tool"}})
	if len(find(ops, "/usr/local/go")) != 0 {
		t.Error("a part of /usr is bound twice")
	}
	if last := ops[len(ops)-1]; last.Target != "/opt/tool" || last.Kind != rootfs.Bind {
		t.Errorf("the last step is %+v, want the prefix", last)
	}
}
