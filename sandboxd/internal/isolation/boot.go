package isolation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// listenerFD is the descriptor of the agent's listening socket: it is made,
// and listens, before the agent is started.
const listenerFD = 3

// boot is what an agent is told on its standard input. The input stays open
// for as long as the agent is wanted.
type boot struct {
	Place  Place           `json:"place"`
	Config json.RawMessage `json:"config"`
	// Owner is the mark of the sandbox where no pid namespace holds its
	// processes together; 0 where one does.
	Owner proctree.Mark `json:"owner,omitempty"`
}

func (b *boot) send(w io.Writer) error {
	return json.NewEncoder(w).Encode(b)
}

// runAgent is the life of the agent's process.
func runAgent(agent AgentFunc) error {
	var b boot
	if err := json.NewDecoder(os.Stdin).Decode(&b); err != nil {
		return fmt.Errorf("read start message: %w", err)
	}
	l, err := inherited(listenerFD)
	if err != nil {
		return err
	}
	if b.Owner == 0 {
		if err := shield(); err != nil {
			return err
		}
	} else {
		if err := ownOffspring(b.Owner); err != nil {
			return err
		}
		go endWithInput(b.Owner)
	}
	return agent(l, &b.Place, b.Config)
}

func inherited(fd uintptr) (net.Listener, error) {
	f := os.NewFile(fd, "listener")
	defer f.Close()
	l, err := net.FileListener(f)
	if err != nil {
		return nil, fmt.Errorf("take over listener: %w", err)
	}
	return l, nil
}

// endWithInput ends the sandbox when the process that wanted it is gone, which
// the end of the input shows whatever ended it.
func endWithInput(owner proctree.Mark) {
	io.Copy(io.Discard, os.Stdin) //nolint:errcheck // any end is the end
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := killOthers(ctx, owner); err != nil && !errors.Is(err, proctree.ErrUnsupported) {
		fmt.Fprintln(os.Stderr, "end sandbox:", err)
	}
	os.Exit(0)
}

// killOthers kills the offspring of this process.
func killOthers(ctx context.Context, owner proctree.Mark) error {
	self := os.Getpid()
	all := proctree.Union(proctree.Tree(self), proctree.OwnedBy(owner))
	return proctree.Kill(ctx, func() ([]proctree.Process, error) {
		found, err := all()
		others := found[:0]
		for _, p := range found {
			if p.PID != self {
				others = append(others, p)
			}
		}
		return others, err
	})
}
