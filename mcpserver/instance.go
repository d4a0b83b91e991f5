package mcpserver

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Instance identifies one running process among all that ever ran: the
// machine since its last start, and the process since its own. It is the value
// of the metadata key abx.instance.
type Instance struct {
	Machine string // hash of host name and boot id
	PID     int
	Started int64 // when the process started, in a unit of the operating system
}

// String is the form in which metadata carries an instance.
func (i Instance) String() string {
	return fmt.Sprintf("%s-%d-%d", i.Machine, i.PID, i.Started)
}

// ParseInstance reads what String wrote.
func ParseInstance(s string) (Instance, bool) {
	parts := strings.Split(s, "-")
	if len(parts) != 3 || parts[0] == "" {
		return Instance{}, false
	}
	pid, pidErr := strconv.Atoi(parts[1])
	started, startErr := strconv.ParseInt(parts[2], 10, 64)
	if pidErr != nil || startErr != nil || pid <= 0 {
		return Instance{}, false
	}
	return Instance{Machine: parts[0], PID: pid, Started: started}, true
}

// ThisInstance is the running process.
var ThisInstance = sync.OnceValue(func() Instance {
	pid := os.Getpid()
	started, _ := processStart(pid) // zero where it is not told: the pid alone must do
	return Instance{Machine: thisMachine(), PID: pid, Started: started}
})

// ProcessInstance is the value of abx.instance for this process.
func ProcessInstance() string { return ThisInstance().String() }

// Here says whether the instance ran on this machine since its last start.
// Only then does Alive mean anything.
func (i Instance) Here() bool { return i.Machine == thisMachine() }

// Alive says whether the process still runs. A process that took over the pid
// is told apart by its start.
func (i Instance) Alive() bool {
	started, ok := processStart(i.PID)
	return ok && (started == i.Started || started == 0)
}

var thisMachine = sync.OnceValue(func() string {
	host, _ := os.Hostname()
	return shortHash(host, bootID())
})
