package mcpserver

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// startField is the place of starttime, in ticks since boot, behind the command
// name in /proc/PID/stat (field 22 of proc(5), the name being field 2).
const startField = 19

// processStart tells when a process started; ok is false when there is none.
func processStart(pid int) (started int64, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The name is in parentheses and may itself hold blanks and parentheses.
	_, rest, found := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
	fields := strings.Fields(rest)
	if !found || len(fields) <= startField {
		return 0, true
	}
	if state := fields[0]; state == "Z" || state == "X" {
		return 0, false // ended, and only waits for its parent to notice
	}
	started, _ = strconv.ParseInt(fields[startField], 10, 64)
	return started, true
}
