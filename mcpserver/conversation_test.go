package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// Each file of testdata/conversation holds what a client sends, line by line,
// and what the server answers to each. After an intended change,
// go test -update writes the answers anew.
func TestConversations(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/conversation/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			spoken := &txtar.Archive{Comment: archive.Comment, Files: []txtar.File{archive.Files[0], {Name: "server"}}}
			spoken.Files[1].Data = converse(t, archive.Files[0].Data)
			golden(t, "conversation/"+filepath.Base(file), txtar.Format(spoken))
		})
	}
}

// converse sends the lines one by one, each after the answer to the one before,
// and gives the answers.
func converse(t *testing.T, lines []byte) []byte {
	pipe := newPipe(t, mcpserver.NewFake(&mcpserver.FakeBackend{OnRun: actor}, &mcpserver.Options{Version: "test", Template: "box"}))
	var answers bytes.Buffer
	for line := range strings.Lines(string(lines)) {
		if _, err := pipe.in.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if !wantsAnswer(line) {
			continue
		}
		answer, err := pipe.out.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		answers.Write(answer)
	}
	return answers.Bytes()
}

// wantsAnswer tells calls, and what is no message at all, from notifications.
func wantsAnswer(line string) bool {
	var message struct{ ID, Method json.RawMessage }
	err := json.Unmarshal([]byte(line), &message)
	return err != nil || message.ID != nil || message.Method == nil
}

// actor plays commands by their names.
func actor(_ context.Context, command string, _ *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
	gone := &sandboxclient.Error{Op: "run command", Code: sandboxclient.CodeSandboxGone, SandboxID: "sb1", Message: "The sandbox was not found"}
	half := &sandboxclient.Result{Stdout: mcpserver.FakeOutput("half"), ExitCode: -1}
	switch command {
	case "panic":
		panic("a bug")
	case "fail":
		return &sandboxclient.Result{Stderr: mcpserver.FakeOutput("no\n"), ExitCode: 3}, nil
	case "hang":
		return &sandboxclient.Result{Stdout: mcpserver.FakeOutput("tick\n"), ExitCode: 124, TimedOut: true}, nil
	case "vanish":
		return half, gone
	case "break":
		return half, &sandboxclient.Error{Op: "run command", Code: sandboxclient.CodeOutcomeUnknown, Message: "connection reset"}
	case "html":
		return &sandboxclient.Result{Stdout: mcpserver.FakeOutput("<b>&</b>")}, nil
	}
	return &sandboxclient.Result{Stdout: mcpserver.FakeOutput(command)}, nil
}
