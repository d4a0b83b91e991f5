package main_test

import (
	"sync"

	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

// sandboxWorks says whether the default isolation works here.
var sandboxWorks = sync.OnceValue(func() bool {
	server, err := sandboxd.New(nil)
	if err != nil {
		return false
	}
	return server.Close() == nil
})
