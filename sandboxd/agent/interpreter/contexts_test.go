package interpreter_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/interpreter"
)

func TestContextsAreApart(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	one, two := s.newContext(`{}`), s.newContext(`{"language":" Python "}`)
	s.execute(cell{Code: "n = 1", Context: one})
	s.execute(cell{Code: "n = 2", Context: two})
	if a, b := s.execute(cell{Code: "n", Context: one}).text(), s.execute(cell{Code: "n", Context: two}).text(); a != "1" || b != "2" {
		t.Errorf("values are %s and %s", a, b)
	}
	if got := s.run("python", "n"); !got.failed("NameError", "name 'n' is not defined") {
		t.Errorf("the default context knows n: %v", got)
	}
}

func TestContextKeepsItsDirectory(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	body, _ := json.Marshal(map[string]string{"language": "bash", "cwd": dir})
	id := s.newContext(string(body))
	for range 2 {
		if got := s.execute(cell{Code: "pwd", Context: id}); got.out != dir+"\n" {
			t.Errorf("directory is %q, want %q", got.out, dir)
		}
		s.call(http.MethodPost, "/contexts/"+id+"/restart", "")
	}
}

func TestRestartEndsTheExecutionThatRuns(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	id := s.newContext(`{}`)
	response := s.open(t.Context(), cell{Code: "import time\ntime.sleep(600)", Context: id})
	defer response.Body.Close()
	if status, text := s.call(http.MethodPost, "/contexts/"+id+"/restart", ""); status != http.StatusOK || text != "null" {
		t.Fatalf("restart answers %d %s", status, text)
	}
	if got := s.read(response.Body); !got.failed("ContextRestarting", "Context was restarted") {
		t.Errorf("the execution ended with %v", got.failure)
	}
	if got := s.execute(cell{Code: "1 + 1", Context: id}); got.text() != "2" || got.count != 1 {
		t.Errorf("afterwards text is %q, count %d", got.text(), got.count)
	}
}

func TestDeleteEndsTheExecutionThatRunsAndThoseThatWait(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	id := s.newContext(`{}`)
	response := s.open(t.Context(), cell{Code: "import time\ntime.sleep(600)", Context: id})
	defer response.Body.Close()
	waiting := make(chan int)
	go func() {
		status, _ := s.call(http.MethodPost, "/execute", `{"code":"1","context_id":"`+id+`"}`)
		waiting <- status
	}()
	s.call(http.MethodDelete, "/contexts/"+id, "")
	if got := s.read(response.Body); !got.failed("ContextRestarting", "Context was restarted") {
		t.Errorf("the execution ended with %v", got.failure)
	}
	if status := <-waiting; status != http.StatusNotFound {
		t.Errorf("the waiting execution got status %d, want 404", status)
	}
}

func TestExecutionsOfOneContextRunOneAfterTheOther(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	s.run("python", "running = 0")
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			got := s.run("python", "running += 1\nimport time; time.sleep(0.02)\nseen = running\nrunning -= 1\nseen")
			if got.text() != "1" {
				t.Errorf("%s executions ran at once", got.text())
			}
		})
	}
	calls.Wait()
	if got := s.run("python", "1"); got.count != 10 {
		t.Errorf("count is %d, want 10", got.count)
	}
}

func TestDifferentContextsRunAtOnce(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	dir := t.TempDir()
	// Each waits for what the other writes.
	meet := func(own, other string) string {
		return "import os, time\nopen(os.path.join('" + dir + "', '" + own + "'), 'w')\nwhile not os.path.exists(os.path.join('" + dir + "', '" + other + "')): time.sleep(0.01)\n'met'"
	}
	one, two := s.newContext(`{}`), s.newContext(`{}`)
	first := s.open(t.Context(), cell{Code: meet("a", "b"), Context: one})
	defer first.Body.Close()
	if got := s.execute(cell{Code: meet("b", "a"), Context: two}); got.text() != "met" {
		t.Errorf("text is %q", got.text())
	}
	if got := s.read(first.Body); got.text() != "met" {
		t.Errorf("text is %q", got.text())
	}
}

func TestMissingLanguageSaysWhatToInstall(t *testing.T) {
	t.Parallel()
	s := newServer(t, &interpreter.Config{Env: pathWith(t, map[string]string{"bash": "#!/bin/sh\nexec /bin/bash \"$@\"\n"})})
	for _, test := range []struct{ body, want string }{
		{`{"code":"1","language":"javascript"}`, "javascript needs node (not found on PATH): install Node.js 18 or newer, on Debian the package nodejs. Languages here: bash"},
		{`{"code":"1"}`, "python needs python3 (not found on PATH): install Python 3.8 or newer, on Debian the package python3. Languages here: bash"},
		{`{"code":"1","language":"shell"}`, `there is no language "shell". Languages here: bash`},
	} {
		if status, text := s.call(http.MethodPost, "/execute", test.body); status != http.StatusInternalServerError || text != "Failed to create context: "+test.want {
			t.Errorf("%s: status %d: %s\nwant %s", test.body, status, text, test.want)
		}
	}
	if status, text := s.call(http.MethodPost, "/contexts", `{"language":"r"}`); status != http.StatusInternalServerError || !strings.Contains(text, "r needs Rscript") {
		t.Errorf("context: status %d: %s", status, text)
	}
	if status, text := s.call(http.MethodGet, "/contexts", ""); status != http.StatusOK || text != "[]" {
		t.Errorf("contexts are %d %s, want none without python and node", status, text)
	}
}

func TestProgramThatDoesNotRunIsNoLanguage(t *testing.T) {
	t.Parallel()
	s := newServer(t, &interpreter.Config{Env: pathWith(t, map[string]string{
		"python3": "#!/bin/sh\necho broken installation >&2\nexit 1\n",
	})})
	status, text := s.call(http.MethodPost, "/execute", `{"code":"1"}`)
	if status != http.StatusInternalServerError || !strings.Contains(text, "ended at once: broken installation") {
		t.Errorf("status %d: %s", status, text)
	}
	if _, text := s.call(http.MethodPost, "/execute", `{"code":"1","language":"cobol"}`); !strings.HasSuffix(text, "Languages here: none") {
		t.Errorf("answer is %s", text)
	}
}

func TestProgramIsAskedOnce(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	s := newServer(t, &interpreter.Config{Env: pathWith(t, map[string]string{
		"node": "#!/bin/sh\necho asked >> " + log + "\n",
	})})
	for range 3 {
		s.call(http.MethodGet, "/contexts", "")
		s.call(http.MethodPost, "/contexts", `{"language":"cobol"}`)
	}
	if asked, _ := os.ReadFile(log); string(asked) != "asked\n" {
		t.Errorf("the log of node is %q, want one line", asked)
	}
}

// pathWith is the environment with a PATH that has these programs alone.
func pathWith(t *testing.T, programs map[string]string) func() []string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return func() []string { return []string{"PATH=" + dir, "HOME=" + dir} }
}

func TestLanguagesThatAreLeftOut(t *testing.T) {
	t.Parallel()
	s := newServer(t, &interpreter.Config{Without: []string{"r"}})
	status, text := s.call(http.MethodPost, "/execute", `{"code":"1","language":"r"}`)
	if status != http.StatusInternalServerError || !strings.Contains(text, `there is no language "r"`) || strings.Contains(text, ", r") {
		t.Errorf("answered %d %q", status, text)
	}
	if got := s.run("bash", "echo hi"); got.out != "hi\n" {
		t.Errorf("another language printed %q", got.out)
	}
}
