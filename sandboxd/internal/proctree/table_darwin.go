package proctree

import (
	"os"

	"golang.org/x/sys/unix"
)

// Table lists the processes that this process can see.
func Table() ([]Process, error) {
	infos, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, os.NewSyscallError("sysctl kern.proc.all", err)
	}
	all := make([]Process, 0, len(infos))
	for i := range infos {
		all = append(all, fromKinfo(&infos[i]))
	}
	return all, nil
}

func fromKinfo(info *unix.KinfoProc) Process {
	started := info.Proc.P_starttime
	return Process{
		PID:    int(info.Proc.P_pid),
		Parent: int(info.Eproc.Ppid),
		Group:  int(info.Eproc.Pgid),
		State:  stateLetter(info.Proc.P_stat),
		Start:  uint64(started.Sec)*1e6 + uint64(started.Usec),
	}
}

// stateLetter translates the p_stat values of <sys/proc.h>.
func stateLetter(stat int8) byte {
	const sstop, szomb = 4, 5
	switch stat {
	case sstop:
		return 'T'
	case szomb:
		return 'Z'
	}
	return 'S'
}
