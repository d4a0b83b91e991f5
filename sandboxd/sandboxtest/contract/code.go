package contract

import (
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

var codeCases = []one{
	{"state and results", stateAndResults},
	{"output and errors", outputAndErrors},
	{"contexts", contexts},
	{"a timeout frees the context", timeoutFreesContext},
	{"other languages", otherLanguages},
	{"unknown language", unknownLanguage},
	{"same files as the commands", sameFiles},
	{"no interpreter in the plain template", noInterpreter},
}

func (r *run) createForCode() *sandboxclient.Sandbox {
	r.Helper()
	return r.create(&sandboxclient.CreateOptions{Template: r.CodeTemplate})
}

// python runs code that has to succeed, and returns the main result's text.
func (r *run) python(sandbox *sandboxclient.Sandbox, code string, opts *sandboxclient.CodeOptions) string {
	r.Helper()
	execution, err := sandbox.Code.Run(r.ctx, code, opts)
	if err != nil {
		r.Fatalf("run %q: %v", code, err)
	}
	if execution.Error != nil {
		r.Fatalf("run %q: %s", code, execution.Error.Traceback)
	}
	return mainText(execution)
}

func mainText(execution *sandboxclient.Execution) string {
	for _, result := range execution.Results {
		if result.IsMain {
			return result.Text
		}
	}
	return ""
}

func stateAndResults(r *run) {
	sandbox := r.createForCode()
	r.python(sandbox, "x = 41", nil)
	if got := r.python(sandbox, "x += 1\nx", nil); got != "42" {
		r.Errorf("x is %q, want 42", got)
	}
	if got := r.python(sandbox, "x = 1", nil); got != "" {
		r.Errorf("an assignment has the result %q", got)
	}
}

func outputAndErrors(r *run) {
	sandbox := r.createForCode()
	var streamed strings.Builder
	execution, err := sandbox.Code.Run(r.ctx, "import sys\nprint('out')\nprint('err', file=sys.stderr)\n1/0",
		&sandboxclient.CodeOptions{OnStdout: func(s string) { streamed.WriteString(s) }})
	r.check("run", err)
	if execution.Stdout.String() != "out\n" || streamed.String() != "out\n" || execution.Stderr.String() != "err\n" {
		r.Errorf("stdout %q, streamed %q, stderr %q", execution.Stdout, streamed.String(), execution.Stderr)
	}
	if e := execution.Error; e == nil || e.Name != "ZeroDivisionError" || e.Value != "division by zero" || e.Traceback == "" {
		r.Errorf("error is %+v", e)
	}
}

func contexts(r *run) {
	sandbox := r.createForCode()
	own, err := sandbox.Code.CreateContext(r.ctx, &sandboxclient.ContextOptions{Language: "python", Cwd: "/tmp"})
	r.check("create context", err)
	in := &sandboxclient.CodeOptions{ContextID: own.ID}
	if got := strings.Trim(r.python(sandbox, "import os; os.getcwd()", in), "'"); !strings.HasSuffix(got, "/tmp") {
		r.Errorf("directory is %q, want /tmp", got)
	}
	r.python(sandbox, "y = 1", in)
	execution, err := sandbox.Code.Run(r.ctx, "y", nil)
	r.check("run", err)
	if execution.Error == nil || execution.Error.Name != "NameError" {
		r.Errorf("the default context knows y: %+v", execution.Error)
	}
	r.check("restart", sandbox.Code.RestartContext(r.ctx, own.ID))
	if execution, err = sandbox.Code.Run(r.ctx, "y", in); err != nil || execution.Error == nil {
		r.Errorf("a restarted context knows y: %v", err)
	}
	r.check("delete", sandbox.Code.DeleteContext(r.ctx, own.ID))
	_, err = sandbox.Code.Run(r.ctx, "1", in)
	r.wantCode("run in a deleted context", err, sandboxclient.CodeNotFound)
}

func timeoutFreesContext(r *run) {
	sandbox := r.createForCode()
	execution, err := sandbox.Code.Run(r.ctx, "print('begun', flush=True)\nwhile True: pass",
		&sandboxclient.CodeOptions{Timeout: 2 * time.Second})
	r.check("run", err)
	if !execution.TimedOut || execution.Stdout.String() != "begun\n" {
		r.Errorf("timed out %t, stdout %q", execution.TimedOut, execution.Stdout)
	}
	if got := r.python(sandbox, "6*7", nil); got != "42" {
		r.Errorf("after the timeout: %q", got)
	}
}

// greetings print "hello 3" in each language.
var greetings = map[string]string{
	"javascript": "const n = [1, 2].reduce((a, b) => a + b); console.log(`hello ${n}`)",
	"typescript": "const n: number = 1 + 2; console.log(`hello ${n}`)",
	"bash":       "echo hello $((1 + 2))",
	"r":          "cat(paste0('hello ', 1 + 2, '\\n'))",
}

func otherLanguages(r *run) {
	if len(r.Languages) == 0 {
		r.T.Skip("the target names no language beside python")
	}
	sandbox := r.createForCode()
	for _, language := range r.Languages {
		execution, err := sandbox.Code.Run(r.ctx, greetings[language], &sandboxclient.CodeOptions{Language: language})
		if err != nil {
			r.Errorf("%s: %v", language, err)
			continue
		}
		if got := execution.Stdout.String(); got != "hello 3\n" {
			r.Errorf("%s printed %q, error %+v", language, got, execution.Error)
		}
	}
}

func unknownLanguage(r *run) {
	sandbox := r.createForCode()
	if _, err := sandbox.Code.Run(r.ctx, "x", &sandboxclient.CodeOptions{Language: "klingon"}); err == nil {
		r.Error("a language that does not exist was accepted")
	}
}

func sameFiles(r *run) {
	sandbox := r.createForCode()
	_, err := sandbox.Files.Write(r.ctx, "numbers.csv", []byte("a,b\n1,2\n3,4\n"), nil)
	r.check("write", err)
	r.python(sandbox, "import csv\nrows = list(csv.DictReader(open('numbers.csv')))\n"+
		"open('sum.txt', 'w').write(str(sum(int(x['b']) for x in rows)))", nil)
	if got := r.sh(sandbox, "cat sum.txt"); got != "6" {
		r.Errorf("the sum is %q, want 6", got)
	}
}

func noInterpreter(r *run) {
	sandbox := r.create(nil)
	_, err := sandbox.Code.Run(r.ctx, "1", nil)
	if err == nil {
		r.Fatal("the plain template ran code")
	}
	if running, err := sandbox.Running(r.ctx); err != nil || !running {
		r.Errorf("running is %t, %v", running, err)
	}
}
