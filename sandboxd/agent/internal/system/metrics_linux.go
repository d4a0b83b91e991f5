package system

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// readTicks reads the first line of /proc/stat: user, nice, system, idle,
// iowait and more, in ticks.
func readTicks() ticks {
	stat, _ := os.ReadFile("/proc/stat") // no figures without /proc
	line, _, _ := bytes.Cut(stat, []byte("\n"))
	return parseTicks(line)
}

func parseTicks(line []byte) ticks {
	var t ticks
	for i, field := range bytes.Fields(line) {
		n, err := strconv.ParseUint(string(field), 10, 64)
		if err != nil {
			continue // the name of the line
		}
		t.total += n
		if idle := i == 4 || i == 5; !idle {
			t.busy += n
		}
	}
	return t
}

func readMemory() memory {
	info, _ := os.ReadFile("/proc/meminfo") // no figures without /proc
	return parseMemory(info)
}

func parseMemory(info []byte) memory {
	values := map[string]uint64{}
	for line := range bytes.Lines(info) {
		name, rest, _ := bytes.Cut(line, []byte(":"))
		if fields := bytes.Fields(rest); len(fields) > 0 {
			kib, _ := strconv.ParseUint(string(fields[0]), 10, 64)
			values[string(name)] = kib << 10
		}
	}
	total, available := values["MemTotal"], values["MemAvailable"]
	return memory{total: total, used: total - min(available, total), cache: values["Cached"]}
}

func readDisk(path string) (used, total uint64) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(path, &fs); err != nil {
		return 0, 0
	}
	size := uint64(fs.Bsize)
	return (fs.Blocks - fs.Bfree) * size, fs.Blocks * size
}
