package mcpserver_test

import (
	"strings"
	"testing"
)

func TestCodeKeepsItsVariables(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	first := r.run(t, "run_code", `{"code":"x = 6*7\nprint(x)"}`)
	if first["stdout"] != "42\n" || first["exit_code"] != 0.0 || first["stateful"] != true || first["result"] != "" {
		t.Errorf("first run: %v", first)
	}
	second := r.run(t, "run_code", `{"code":"x + 1"}`)
	if second["result"] != "43" || second["stdout"] != "" || second["sandbox_id"] != first["sandbox_id"] {
		t.Errorf("second run: %v", second)
	}
}

func TestUncaughtExceptionIsAResult(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	got := r.run(t, "run_code", `{"code":"print('x')\n1/0"}`)
	stderr := got["stderr"].(string)
	if got["exit_code"] != 1.0 || got["stdout"] != "x\n" || !strings.Contains(stderr, "ZeroDivisionError") {
		t.Errorf("got %v", got)
	}
	if got := r.run(t, "run_code", `{"code":"print('next')"}`); got["stdout"] != "next\n" || got["exit_code"] != 0.0 {
		t.Errorf("the next run: %v", got)
	}
}

func TestSystemExit(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	for code, want := range map[string]float64{"3": 3, "0": 0, "": 0, "'bye'": 1, "300": 44} {
		got := r.run(t, "run_code", `{"code":"import sys\nsys.exit(`+code+`)"}`)
		if got["exit_code"] != want {
			t.Errorf("sys.exit(%s): %v, want %v", code, got, want)
		}
	}
}

func TestKernelDeath(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	code, message, retryable := failure(t, r.client, "run_code", `{"code":"import os\nprint('before', flush=True)\nos._exit(1)"}`)
	if code != "kernel_died" || !retryable || !strings.Contains(message, "before") {
		t.Errorf("got %s (%v): %s", code, retryable, message)
	}
	if got := r.run(t, "run_code", `{"code":"print('alive')"}`); got["stdout"] != "alive\n" {
		t.Errorf("the next run: %v", got)
	}
}

func TestCodeTimeoutKeepsOutputAndRestarts(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	r.run(t, "run_code", `{"code":"x = 1"}`)
	res := call(t, r.client, "run_code", `{"code":"print('tick', flush=True)\nwhile True: pass","timeout":2}`)
	got := fields(t, res)
	if !res.IsError || got["timed_out"] != true || got["exit_code"] != 124.0 || got["stdout"] != "tick\n" {
		t.Errorf("got %v (isError %v)", got, res.IsError)
	}
	next := r.run(t, "run_code", `{"code":"print('x' in globals())"}`)
	if next["stdout"] != "False\n" {
		t.Errorf("the next run: %v", next)
	}
}

func TestCommandResult(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	got := r.run(t, "run_command", `{"command":"echo out; echo err >&2; exit 3"}`)
	if got["stdout"] != "out\n" || got["stderr"] != "err\n" || got["exit_code"] != 3.0 {
		t.Errorf("got %v", got)
	}
	if got["stdout_bytes"] != 4.0 || got["truncated"] != false || got["full_output"] != "" || got["timed_out"] != false {
		t.Errorf("got %v", got)
	}
}

func TestCommandCannotReadStdin(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	for _, command := range []string{`cat`, `read x; echo got:$x`, `python3 -`} {
		got := r.run(t, "run_command", `{"command":"`+command+`","timeout":20}`)
		if got["timed_out"] != false {
			t.Errorf("%s waited for input: %v", command, got)
		}
	}
}

func TestEnvsReachCommandsAndCode(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	r.run(t, "create_sandbox", `{"envs":{"A":"l1\nl2","B":"\"; touch /tmp/x; '$HOME'","C":"","D":"数"}}`)
	want := "l1\nl2|\"; touch /tmp/x; '$HOME'||数"
	if got := r.run(t, "run_command", `{"command":"printf '%s|%s|%s|%s' \"$A\" \"$B\" \"$C\" \"$D\""}`); got["stdout"] != want {
		t.Errorf("command: %q, want %q", got["stdout"], want)
	}
	code := `{"code":"import os\nprint('|'.join(os.environ[k] for k in 'ABCD'), end='')"}`
	if got := r.run(t, "run_code", code); got["stdout"] != want {
		t.Errorf("code: %q, want %q", got["stdout"], want)
	}
}

func TestTemplateWithoutInterpreter(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	r.run(t, "create_sandbox", `{"template":"base"}`)
	got := r.run(t, "run_code", `{"code":"x = 41\nprint(x + 1)"}`)
	if got["stdout"] != "42\n" || got["stateful"] != false || !strings.Contains(notes(got), "variables are not kept") {
		t.Errorf("python: %v", got)
	}
	if got := r.run(t, "run_code", `{"code":"read x; echo $((6*7)) $x; exit 4","language":"shell"}`); got["stdout"] != "42\n" || got["exit_code"] != 4.0 {
		t.Errorf("shell: %v", got)
	}
}

func TestOutputFiles(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	dir := strings.TrimSpace(r.run(t, "run_command", `{"command":"pwd"}`)["stdout"].(string))
	r.run(t, "run_code", `{"code":"open('old.txt','w').write('x')"}`)
	r.run(t, "write_file", `{"path":"`+dir+`/mine.txt","content":"known"}`)
	got := r.run(t, "run_code", `{"code":"import os\nos.makedirs('d/e', exist_ok=True)\nopen('d/e/new.csv','w').write('12345')\nopen('old.txt','w').write('changed')\nos.symlink('old.txt','link')"}`)
	var names []string
	for _, f := range got["output_files"].([]any) {
		file := f.(map[string]any)
		names = append(names, strings.TrimPrefix(file["path"].(string), dir+"/"))
	}
	if want := "d/e/new.csv old.txt"; strings.Join(names, " ") != want {
		t.Errorf("got %v, want %s", names, want)
	}
}

func TestFilesRoundTrip(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	home := strings.TrimSpace(r.run(t, "run_command", `{"command":"echo $HOME"}`)["stdout"].(string))
	for name, content := range map[string]string{
		"plain.txt": "x", "empty": "", "newline": `\n`, "crlf": `#!/bin/sh\r\n`, "bom": `\ufeffx`,
		"数据 文件/e\u0301.txt": "😀", "q'uo\\\"te #?%&+": "abcd", "a/b/c": "deep",
	} {
		path := home + "/" + name
		wrote := r.run(t, "write_file", `{"path":"`+path+`","content":"`+content+`"}`)
		got := r.run(t, "read_file", `{"path":"`+path+`"}`)
		if want := unquote(t, content); got["content"] != want || wrote["bytes_written"] != float64(len(want)) || got["size"] != float64(len(want)) {
			t.Errorf("%s: wrote %v, read %v; want %q", name, wrote, got, want)
		}
	}
}
