package interpreter_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/interpreter"
)

func ExampleNew() {
	handler := interpreter.New(&interpreter.Config{Cwd: "/"})
	defer handler.Close()
	server := httptest.NewServer(handler)
	defer server.Close()

	response, err := http.Post(server.URL+"/execute", "application/json", strings.NewReader(`{"code": "6 * 7"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	lines, _ := io.ReadAll(response.Body)
	fmt.Print(string(lines))
	// Output:
	// {"type":"number_of_executions","execution_count":1}
	// {"extra":{},"is_main_result":true,"text":"42","type":"result"}
	// {"type":"end_of_execution"}
}
