package agent_test

import (
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent"
)

// An agent serves one sandbox on one listener, until that is closed.
func ExampleMain() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	done := make(chan error, 1)
	go func() {
		done <- agent.Main(l, &agent.Config{SandboxID: "sbx-1", TemplateID: "base", Envs: map[string]string{"LEVEL": "info"}})
	}()

	res, err := http.Get("http://" + l.Addr().String() + "/envs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer res.Body.Close()
	envs, _ := io.ReadAll(res.Body)
	fmt.Printf("%s\n", envs)

	_ = l.Close()
	fmt.Println("ended:", <-done)
	// Output:
	// {"E2B_SANDBOX":"true","E2B_SANDBOX_ID":"sbx-1","E2B_TEMPLATE_ID":"base","LEVEL":"info"}
	// ended: <nil>
}
