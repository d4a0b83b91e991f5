package proctree

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// rlimitLocks is RLIMIT_LOCKS of setrlimit(2): "a limit on the combined number
// of flock locks and fcntl leases", without effect since Linux 2.4.25, but
// still inherited and still listed in /proc/<pid>/limits for everyone to read.
// Nothing else that an ordinary program can neither lose nor see survives
// setsid, a double fork and an empty environment.
const rlimitLocks = 10

// put makes this process carry the mark, for the children that it starts
// before restore.
func (m Mark) put() (restore func(), err error) {
	var before unix.Rlimit
	if err := unix.Getrlimit(rlimitLocks, &before); err != nil {
		return nil, os.NewSyscallError("getrlimit", err)
	}
	marked := unix.Rlimit{Cur: uint64(m), Max: before.Max}
	if err := unix.Setrlimit(rlimitLocks, &marked); err != nil {
		return nil, os.NewSyscallError("setrlimit", err)
	}
	return func() { unix.Setrlimit(rlimitLocks, &before) }, nil //nolint:errcheck // raising to the hard limit is always allowed
}

// OwnSelf gives this process, and with it all its offspring, the mark for
// good.
func OwnSelf(owner Mark) error {
	limit := unix.Rlimit{Cur: uint64(owner), Max: uint64(owner)}
	return os.NewSyscallError("setrlimit", unix.Setrlimit(rlimitLocks, &limit))
}

// Processes selects the living processes that carry the mark.
func (m Mark) Processes() ([]Process, error) {
	return carrying(func(soft, _ Mark) bool { return m != 0 && soft == m })
}

// OwnedBy selects the living processes that OwnSelf(owner) made or was.
func OwnedBy(owner Mark) Selector {
	return func() ([]Process, error) {
		return carrying(func(_, hard Mark) bool { return owner != 0 && hard == owner })
	}
}

func carrying(match func(soft, hard Mark) bool) ([]Process, error) {
	var found []Process
	err := eachPID(func(pid int) {
		soft, hard, ok := readMark(pid)
		if !ok || !match(soft, hard) {
			return
		}
		if p, err := Lookup(pid); err == nil && !p.Dead() {
			found = append(found, *p)
		}
	})
	return found, err
}

func readMark(pid int) (soft, hard Mark, ok bool) {
	limits, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/limits")
	if err != nil {
		return 0, 0, false
	}
	return parseMark(limits)
}

// parseMark reads the line "Max file locks  <soft>  <hard>  locks".
func parseMark(limits []byte) (soft, hard Mark, ok bool) {
	_, rest, found := bytes.Cut(limits, []byte("Max file locks"))
	if !found {
		return 0, 0, false
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) < 2 {
		return 0, 0, false
	}
	return markField(fields[0]), markField(fields[1]), true
}

// markField is 0 for "unlimited".
func markField(text []byte) Mark {
	v, _ := strconv.ParseUint(string(text), 10, 64)
	return Mark(v)
}
