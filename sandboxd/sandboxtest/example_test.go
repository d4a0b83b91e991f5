package sandboxtest_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

// A backend for a test, and a real command in a sandbox of it.
func ExampleNewServer() {
	backend, err := sandboxtest.NewServer(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer backend.Close()
	client, err := sandboxclient.New(backend.APIKey, &sandboxclient.Options{
		APIURL: backend.URL, SandboxURL: backend.URL,
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	sandbox, err := client.Create(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer sandbox.Kill(ctx)
	result, err := sandbox.Commands.Run(ctx, "echo $((6 * 7))", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(result.Stdout)
	// Output: 42
}

// A create whose answer is lost: the sandbox exists, and the client can only
// say that it does not know.
func ExampleServer_Inject() {
	backend, err := sandboxtest.NewServer(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer backend.Close()
	backend.Inject(sandboxtest.Fault{
		Method: "POST", Path: "/sandboxes", Times: 1, Do: sandboxtest.LoseAnswer(),
	})
	client, err := sandboxclient.New(backend.APIKey, &sandboxclient.Options{
		APIURL: backend.URL, SandboxURL: backend.URL,
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	_, err = client.Create(ctx, nil)
	fmt.Println("outcome unknown:", sandboxclient.IsOutcomeUnknown(err))
	for info := range client.List(ctx, nil) {
		fmt.Println("and yet there is one,", info.State)
	}
	// Output:
	// outcome unknown: true
	// and yet there is one, running
}

// A sandbox whose time is up, without waiting for it.
func ExampleServer_Advance() {
	backend, err := sandboxtest.NewServer(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer backend.Close()
	client, err := sandboxclient.New(backend.APIKey, &sandboxclient.Options{
		APIURL: backend.URL, SandboxURL: backend.URL,
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	sandbox, err := client.Create(ctx, &sandboxclient.CreateOptions{Timeout: 10 * time.Minute})
	if err != nil {
		log.Fatal(err)
	}
	backend.Advance(9 * time.Minute)
	running, _ := sandbox.Running(ctx)
	fmt.Println("after 9 minutes:", running)
	backend.Advance(time.Minute)
	for running {
		running, _ = sandbox.Running(ctx)
	}
	fmt.Println("after 10 minutes:", running)
	// Output:
	// after 9 minutes: true
	// after 10 minutes: false
}
