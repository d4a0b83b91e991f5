package fctest_test

import (
	"fmt"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/fcdeploy/fctest"
)

// An emulator refuses what is not signed, and remembers what it was asked.
func ExampleNewServer() {
	server := fctest.NewServer(nil)
	defer func() { _ = server.Close() }()
	response, err := http.Get(server.URL + "/2023-03-30/functions/hello")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = response.Body.Close() }()
	fmt.Println(response.Status, server.Requests()[0].Action)
	// Output: 403 Forbidden GetFunction
}
