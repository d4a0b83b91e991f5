package sandboxclient_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// exampleClient stands for sandboxclient.New with your key. The backend is in
// memory and plays back what the examples need.
func exampleClient() (client *sandboxclient.Client, closeBackend func()) {
	httpClient, closeBackend := memoryServer(exampleBackend())
	client, err := sandboxclient.New("e2b_0123456789abcdef", &sandboxclient.Options{HTTPClient: httpClient, Domain: "example.com"})
	if err != nil {
		log.Fatal(err)
	}
	return client, closeBackend
}

func Example() {
	client, closeBackend := exampleClient()
	defer closeBackend()
	ctx := context.Background()

	sandbox, err := client.Create(ctx, &sandboxclient.CreateOptions{Template: "code-interpreter-v1", Timeout: 5 * time.Minute})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = sandbox.Kill(ctx) }()

	execution, err := sandbox.Code.Run(ctx, "print('hello'); 6 * 7", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(execution.Stdout)
	fmt.Println(execution.Results[0].Text)
	// Output:
	// hello
	// 42
}

func ExampleNew() {
	_, err := sandboxclient.New("e2b_0123456789abcdef", &sandboxclient.Options{APIURL: "http://api.example.com"})
	fmt.Println(err)
	// Output: new client: APIURL is plain http to api.example.com, which would send the key in the clear: use https, or set AllowInsecure
}

func ExampleClient_List() {
	client, closeBackend := exampleClient()
	defer closeBackend()
	mine := &sandboxclient.ListOptions{Metadata: map[string]string{"user": "ada"}}
	for info, err := range client.List(context.Background(), mine) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(info.SandboxID, info.State)
	}
	// Output:
	// i0123456789abcdefghij running
}

func ExampleCommands_Run() {
	client, closeBackend := exampleClient()
	defer closeBackend()
	ctx := context.Background()
	sandbox, err := client.Create(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	result, err := sandbox.Commands.Run(ctx, "echo $GREETING; exit 3", &sandboxclient.RunOptions{
		Envs:    map[string]string{"GREETING": "hello"},
		Timeout: time.Minute,
	})
	if err != nil {
		log.Fatal(err) // the command did not run, or nobody knows how it ended
	}
	fmt.Print(result.Stdout)
	fmt.Println("exit code", result.ExitCode)
	// Output:
	// hello
	// exit code 3
}

func ExampleCommands_Start() {
	client, closeBackend := exampleClient()
	defer closeBackend()
	ctx := context.Background()
	sandbox, err := client.Create(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	process, err := sandbox.Commands.Start(ctx, "echo $GREETING; exit 3", &sandboxclient.StartOptions{
		OnStdout: func(chunk []byte) { _, _ = os.Stdout.Write(chunk) },
	})
	if err != nil {
		log.Fatal(err)
	}
	result, err := process.Wait(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("exit code", result.ExitCode)
	// Output:
	// hello
	// exit code 3
}

func ExampleFiles_Open() {
	client, closeBackend := exampleClient()
	defer closeBackend()
	ctx := context.Background()
	sandbox, err := client.Create(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := sandbox.Files.WriteFrom(ctx, "notes.txt", strings.NewReader("as long as you like"), nil); err != nil {
		log.Fatal(err)
	}
	file, err := sandbox.Files.Open(ctx, "notes.txt", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bytes: %s\n", file.Size, content)
	// Output: 19 bytes: as long as you like
}

func ExampleIsNotFound() {
	client, closeBackend := exampleClient()
	defer closeBackend()
	_, err := client.Connect(context.Background(), "no-such-sandbox", nil)
	fmt.Println(sandboxclient.IsNotFound(err), err)
	// Output: true connect to sandbox no-such-sandbox: no such sandbox (HTTP 404)
}

// exampleBackend plays back one sandbox.
func exampleBackend() http.Handler {
	const listed = `[{"sandboxID":"i0123456789abcdefghij","state":"running"}]`
	// The events of: echo hello; exit 3
	const started = `{"event":{"start":{"pid":7}}}`
	const printed = `{"event":{"data":{"stdout":"aGVsbG8K"}}}`
	const ended = `{"event":{"end":{"exitCode":3,"exited":true,"status":"exit status 3"}}}`
	var stored string
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sandboxes", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusCreated, api.Sandbox{SandboxID: "i0123456789abcdefghij", EnvdVersion: "0.5.8"})
	})
	mux.HandleFunc("GET /v2/sandboxes", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, listed) })
	mux.HandleFunc("DELETE /sandboxes/{id}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("POST /sandboxes/{id}/connect", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusNotFound, api.Error{Code: 404, Message: "no such sandbox"})
	})
	mux.HandleFunc("POST /process.Process/Start", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/connect+json")
		for _, message := range []string{started, printed, ended} {
			_, _ = w.Write([]byte{0, 0, 0, 0, byte(len(message))})
			_, _ = io.WriteString(w, message)
		}
		_, _ = io.WriteString(w, "\x02\x00\x00\x00\x02{}")
	})
	mux.HandleFunc("POST /files", func(w http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		stored = string(content)
		_, _ = io.WriteString(w, `[{"name":"notes.txt","path":"/home/user/notes.txt","type":"file"}]`)
	})
	mux.HandleFunc("GET /files", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, stored) })
	mux.HandleFunc("POST /execute", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"type":"number_of_executions","execution_count":1}
{"type":"stdout","text":"hello\n","timestamp":"2026-01-01T00:00:00Z"}
{"type":"result","text":"42","extra":{},"is_main_result":true}
{"type":"end_of_execution"}
`)
	})
	return mux
}
