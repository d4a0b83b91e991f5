package mcpserver

import "syscall"

// processStart tells when a process started, in 100 ns since 1601.
func processStart(pid int) (started int64, ok bool) {
	const queryLimitedInformation = 0x1000
	h, err := syscall.OpenProcess(queryLimitedInformation, false, uint32(pid))
	if err != nil {
		return 0, false
	}
	defer func() { _ = syscall.CloseHandle(h) }()
	var creation, exit, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(h, &creation, &exit, &kernel, &user) != nil {
		return 0, true
	}
	if exit.HighDateTime != 0 || exit.LowDateTime != 0 {
		return 0, false
	}
	return int64(creation.HighDateTime)<<32 | int64(creation.LowDateTime), true
}
