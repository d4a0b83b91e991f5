package rootfs

import (
	"fmt"
	"io/fs"
)

// etcShown are the parts of the host's /etc that programs need and that hold
// nothing about the host's users: the linker's cache, certificates, fonts,
// time zone, the settings of interpreters. Everything else is absent.
var etcShown = []string{
	"ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives",
	"ssl/certs", "ssl/openssl.cnf", "ssl/cert.pem", "ca-certificates", "pki/tls/certs", "pki/tls/cert.pem", "pki/ca-trust/extracted", "crypto-policies",
	"fonts", "localtime", "timezone", "mime.types", "services", "protocols",
	"os-release", "debian_version", "bash.bashrc", "inputrc", "R", "magic", "terminfo",
	"python3", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13", "python3.14",
	"java-17-openjdk", "java-21-openjdk", "java-25-openjdk",
}

func (p *planner) etc() {
	p.dir("/etc", 0o755)
	for _, name := range etcShown {
		p.hostPath("/etc/" + name)
	}
	for _, f := range etcFiles(p.layout) {
		p.add(Op{Kind: File, Target: "/etc/" + f.name, Data: f.content, Mode: 0o644})
	}
	p.add(Op{Kind: Link, Target: "/etc/mtab", Source: "/proc/self/mounts"})
}

type etcFile struct{ name, content string }

// etcFiles are the sandbox's own.
func etcFiles(l *Layout) []etcFile {
	return []etcFile{
		{"passwd", fmt.Sprintf("root:x:0:0:root:/root:/bin/sh\n%s:x:%d:%d::/home/user:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n", l.User, UID, UID)},
		{"group", fmt.Sprintf("root:x:0:\n%s:x:%d:\nnogroup:x:65534:\n", l.User, UID)},
		{"hostname", l.Hostname + "\n"},
		{"hosts", fmt.Sprintf("127.0.0.1 localhost %s\n::1 localhost ip6-localhost\n", l.Hostname)},
		// The host's may name sources that do not exist here.
		{"nsswitch.conf", "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nservices: files\nprotocols: files\n"},
		{"resolv.conf", ""},
		{"machine-id", l.MachineID + "\n"},
		{"profile", profile(l.Path)},
	}
}

// profile is what login shells read. The usual one sets PATH anew and would
// lose what the sandbox was started with.
func profile(path string) string {
	return fmt.Sprintf(`: "${PATH:=%s}"
export PATH
if [ -n "${BASH_VERSION-}" ] && [ -n "${PS1-}" ] && [ -r /etc/bash.bashrc ]; then
	. /etc/bash.bashrc
fi
`, path)
}

// devices are what programs expect of /dev. None of them leads to hardware.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

func (p *planner) dev() {
	p.dir("/dev", 0o755)
	for _, name := range devices {
		if target := "/dev/" + name; p.exists(target) {
			p.add(Op{Kind: Bind, Target: target, Source: target, Flags: NoSetuid | NoExec})
		}
	}
	p.dir("/dev/pts", 0o755)
	p.add(
		Op{Kind: Devpts, Target: "/dev/pts"},
		Op{Kind: Link, Target: "/dev/ptmx", Source: "pts/ptmx"},
		Op{Kind: Link, Target: "/dev/fd", Source: "/proc/self/fd"},
		Op{Kind: Link, Target: "/dev/stdin", Source: "/proc/self/fd/0"},
		Op{Kind: Link, Target: "/dev/stdout", Source: "/proc/self/fd/1"},
		Op{Kind: Link, Target: "/dev/stderr", Source: "/proc/self/fd/2"},
	)
}

// Parts of /proc that speak to or about the whole machine.
var (
	procReadOnly = []string{"sys", "irq", "bus", "fs", "sysrq-trigger"}
	procHidden   = []string{"kcore", "keys", "timer_list", "sched_debug"}
	procEmptied  = []string{"acpi", "scsi"}
)

// emptyDir is what hidden directories show.
const emptyDir = "/sys"

func (p *planner) proc() {
	p.dir("/proc", fs.FileMode(0o755))
	p.add(Op{Kind: Proc, Target: "/proc"})
	for _, name := range procReadOnly {
		target := "/proc/" + name
		p.add(Op{Kind: BindOwn, Target: target, Source: target, Flags: ReadOnly | NoSetuid | NoDevices | NoExec | Masking})
	}
	for _, name := range procHidden {
		p.add(Op{Kind: BindOwn, Target: "/proc/" + name, Source: "/dev/null", Flags: ReadOnly | NoSetuid | Masking})
	}
	for _, name := range procEmptied {
		p.add(Op{Kind: BindOwn, Target: "/proc/" + name, Source: emptyDir, Flags: ReadOnly | NoSetuid | NoDevices | Masking})
	}
}

// bytesPerInode bounds the number of files, whose table the kernel keeps
// outside the size of the file system.
const bytesPerInode = 4096

func tmpfsOptions(size int64) string {
	return fmt.Sprintf("mode=755,size=%d,nr_inodes=%d", size, size/bytesPerInode)
}
