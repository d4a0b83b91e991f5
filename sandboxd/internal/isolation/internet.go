package isolation

import (
	"fmt"
	"net"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/egress"
)

// internet is a sandbox's way out: a socket in its network, served out here.
// Without a policy it says no, which programs report better than a name that
// cannot be resolved.
type internet struct {
	listener net.Listener
	proxy    *egress.Proxy
	done     chan struct{}
}

// newInternet serves the sandbox's listener.
func newInternet(l net.Listener, policy *egress.Policy) (*internet, error) {
	proxy, err := egress.New(policy, nil)
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("network policy: %w", err)
	}
	i := &internet{listener: l, proxy: proxy, done: make(chan struct{})}
	go func() {
		defer close(i.done)
		proxy.Serve(l) //nolint:errcheck // ends with the listener
	}()
	return i, nil
}

func (i *internet) close() {
	i.listener.Close()
	i.proxy.Close() //nolint:errcheck // nothing can be lost
	<-i.done
}
