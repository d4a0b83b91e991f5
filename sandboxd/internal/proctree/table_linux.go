package proctree

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// Table lists the processes that this process can see.
func Table() ([]Process, error) {
	var all []Process
	err := eachPID(func(pid int) {
		if p, err := Lookup(pid); err == nil {
			all = append(all, *p)
		}
	})
	return all, err
}

// Lookup reads the table entry of one process. The error is
// os.ErrNotExist when it is gone.
func Lookup(pid int) (*Process, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if errors.Is(err, syscall.ESRCH) {
		err = os.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	return parseStat(stat)
}

func eachPID(visit func(pid int)) error {
	dir, err := os.Open("/proc")
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			visit(pid)
		}
	}
	return nil
}

// parseStat reads a line of proc(5)'s /proc/<pid>/stat. The second field is
// the program's name in parentheses and may itself hold spaces and
// parentheses, so fields are counted from the last one.
func parseStat(stat []byte) (*Process, error) {
	opening, closing := bytes.IndexByte(stat, ' '), bytes.LastIndexByte(stat, ')')
	if opening < 0 || closing < opening {
		return nil, fmt.Errorf("parse process entry %q", stat)
	}
	rest := bytes.Fields(stat[closing+1:])
	if len(rest) < 22 || len(rest[0]) != 1 {
		return nil, fmt.Errorf("parse process entry %q", stat)
	}
	n := numbers{}
	p := &Process{
		PID:     int(n.parse(stat[:opening])),
		State:   rest[0][0],
		Parent:  int(n.parse(rest[1])),
		Group:   int(n.parse(rest[2])),
		Session: int(n.parse(rest[3])),
		// utime and stime are fields 14 and 15, starttime 22, rss 24.
		CPUTicks:      n.parse(rest[11]) + n.parse(rest[12]),
		Start:         n.parse(rest[19]),
		ResidentPages: n.parse(rest[21]),
	}
	return p, n.err
}

type numbers struct{ err error }

func (n *numbers) parse(text []byte) uint64 {
	v, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil && n.err == nil {
		n.err = fmt.Errorf("parse process entry: %w", err)
	}
	return v
}
