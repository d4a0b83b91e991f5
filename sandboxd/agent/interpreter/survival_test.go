package interpreter_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/interpreter"
)

// speech is what a test needs to say in each language.
type speech struct {
	language, program string
	set, get          string // keep a value and show "7"
	die               string // ends the process at once
	endless           string // runs for ever, yields to an interrupt; "" if it cannot
	sleep             string // waits for long without work
	late              string // prints "late" some 500 ms after the cell
	flood             string // prints 10,000,000 bytes and "END"
	halves            string // prints "ü" in two halves, 50 ms apart
	env               string // prints the variable V
}

var speeches = []speech{
	{
		language: "python", program: "python3",
		set: "k = 7", get: "print(k)",
		die:     "import os; os._exit(1)",
		endless: "n = 0\nwhile True: n += 1",
		sleep:   "import time; time.sleep(600)",
		late:    "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.5), print('late'))).start()",
		flood:   "for i in range(1000): print('x' * 9999)\nprint('END')",
		halves:  "import os, time\nb = 'ü'.encode()\nos.write(1, b[:1]); time.sleep(0.05); os.write(1, b[1:])",
		env:     "import os; print(os.environ.get('V', 'unset'))",
	},
	{
		language: "javascript", program: "node",
		set: "let k = 7", get: "console.log(k)",
		die:    "process.kill(process.pid, 'SIGSEGV'); await new Promise(r => setTimeout(r, 5000))",
		sleep:  "await new Promise(r => setTimeout(r, 600000))",
		late:   "setTimeout(() => console.log('late'), 500); undefined",
		flood:  "for (let i = 0; i < 1000; i++) console.log('x'.repeat(9999)); console.log('END')",
		halves: "const b = Buffer.from('ü'); process.stdout.write(b.subarray(0, 1)); await new Promise(r => setTimeout(r, 50)); process.stdout.write(b.subarray(1)); undefined",
		env:    "console.log(process.env.V ?? 'unset')",
	},
	{
		language: "bash", program: "bash",
		set: "k=7", get: "echo $k",
		die:     "kill -9 $$",
		endless: "while :; do :; done",
		sleep:   "sleep 600",
		late:    "(sleep 0.5; echo late) &",
		flood:   "head -c 10000000 /dev/zero | tr '\\0' x; echo END",
		halves:  "printf '\\xc3'; sleep 0.05; printf '\\xbc'",
		env:     "echo \"${V-unset}\"",
	},
	{
		language: "r", program: "Rscript",
		set: "k <- 7", get: "cat(k, '\\n', sep = '')",
		die:     "tools::pskill(Sys.getpid(), 9); Sys.sleep(5)",
		endless: "repeat {}",
		sleep:   "Sys.sleep(600)",
		late:    "system('(sleep 0.5; echo late) &')",
		flood:   "line <- strrep('x', 9999); for (i in 1:1000) cat(line, '\\n', sep = ''); cat('END\\n')",
		halves:  "system(\"printf '\\\\303'; sleep 0.05; printf '\\\\274'\")",
		env:     "cat(Sys.getenv('V', 'unset'), '\\n', sep = '')",
	},
}

// everyLanguage runs a test for each language that this machine has.
func everyLanguage(t *testing.T, test func(t *testing.T, s *server, say speech)) {
	t.Helper()
	for _, say := range speeches {
		t.Run(say.language, func(t *testing.T) {
			t.Parallel()
			needs(t, say.program)
			test(t, newServer(t, &interpreter.Config{Yield: 20 * time.Second}), say)
		})
	}
}

func TestKernelDeathIsToldAndTheNextCallHasAFreshKernel(t *testing.T) {
	t.Parallel()
	everyLanguage(t, func(t *testing.T, s *server, say speech) {
		s.run(say.language, say.set)
		if got := s.run(say.language, say.die); !got.failed("ContextRestarting", "Context was restarted") || got.count != 2 {
			t.Errorf("death gives %v, count %d", got.failure, got.count)
		}
		got := s.run(say.language, say.get)
		if got.out == "7\n" || got.count != 1 {
			t.Errorf("after the death: output %q, count %d, want a fresh kernel", got.out, got.count)
		}
	})
}

func TestDroppedClientFreesTheContext(t *testing.T) {
	t.Parallel()
	everyLanguage(t, func(t *testing.T, s *server, say speech) {
		s.run(say.language, say.set)
		for _, code := range []string{say.endless, say.sleep} {
			if code == "" {
				continue
			}
			s.drop(cell{Code: code, Language: say.language})
			if got := s.run(say.language, say.get); got.out != "7\n" {
				t.Errorf("after %s was dropped: output %q, error %v; want the state kept", code, got.out, got.failure)
			}
		}
	})
}

func TestKernelThatDoesNotYieldIsReplaced(t *testing.T) {
	t.Parallel()
	s := newServer(t, &interpreter.Config{Yield: 100 * time.Millisecond})
	s.run("python", "k = 7")
	ctx, leave := context.WithCancel(t.Context())
	response := s.open(ctx, cell{Code: "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('deaf')\nwhile True: time.sleep(1)", Language: "python"})
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), "deaf") {
	}
	leave()
	_ = response.Body.Close()
	if got := s.run("python", "print('fresh' if 'k' not in globals() else k)"); got.out != "fresh\n" || got.count != 1 {
		t.Errorf("output is %q, count %d", got.out, got.count)
	}
}

func TestEndlessJavaScriptIsReplaced(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	s := newServer(t, &interpreter.Config{Yield: 100 * time.Millisecond})
	s.drop(cell{Code: "for (;;) {}", Language: "js"})
	if got := s.run("js", "1 + 1"); got.text() != "2" || got.count != 1 {
		t.Errorf("text is %q, count %d", got.text(), got.count)
	}
}

// drop starts an execution and leaves when it has begun.
func (s *server) drop(c cell) {
	s.t.Helper()
	ctx, leave := context.WithCancel(s.t.Context())
	response := s.open(ctx, c)
	leave()
	_ = response.Body.Close()
}

func TestOutputAfterTheCellComesWithTheNext(t *testing.T) {
	t.Parallel()
	everyLanguage(t, func(t *testing.T, s *server, say speech) {
		if got := s.run(say.language, say.late); got.out != "" {
			t.Fatalf("the cell itself printed %q", got.out)
		}
		for out, deadline := "", time.Now().Add(patience); out != "late\n"; {
			out += s.run(say.language, "").out
			if time.Now().After(deadline) {
				t.Fatalf("output is %q, want late", out)
			}
		}
	})
}

func TestFloodArrivesWholeInBoundedMemory(t *testing.T) {
	t.Parallel()
	everyLanguage(t, func(t *testing.T, s *server, say speech) {
		response := s.open(t.Context(), cell{Code: say.flood, Language: say.language})
		defer response.Body.Close()
		// Without a reader the kernel has to wait; nothing may pile up meanwhile.
		before := residentBytes(t)
		time.Sleep(200 * time.Millisecond)
		if grown := residentBytes(t) - before; grown > 64<<20 {
			t.Errorf("memory grew by %d MiB while nobody read", grown>>20)
		}
		got := s.read(response.Body)
		if x := strings.Count(got.out, "x"); x < 9_990_000 || !strings.HasSuffix(got.out, "END\n") {
			t.Errorf("%d bytes and an end of %.20q arrived", x, got.out[max(0, len(got.out)-20):])
		}
	})
}

func residentBytes(t *testing.T) int {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skipf("memory use is read from Linux's /proc: %v", err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func TestCharactersAreCarriedOverBorders(t *testing.T) {
	t.Parallel()
	everyLanguage(t, func(t *testing.T, s *server, say speech) {
		if got := s.run(say.language, say.halves); got.out != "ü" {
			t.Errorf("output is %q, want ü", got.out)
		}
	})
}

func TestBytesThatAreNoTextAreReplaced(t *testing.T) {
	t.Parallel()
	got := newServer(t, nil).run("bash", `printf 'a\xff\xc3'`)
	if got.out != "a\uFFFD\uFFFD" {
		t.Errorf("output is %q", got.out)
	}
}

func TestVariablesOfOneExecution(t *testing.T) {
	t.Parallel()
	everyLanguage(t, func(t *testing.T, s *server, say speech) {
		for _, value := range []string{"value ü", "it's \"quoted\" $HOME `x` \\", "two\nlines", ""} {
			got := s.execute(cell{Code: say.env, Language: say.language, Env: map[string]string{"V": value, "OTHER": "o"}})
			if got.out != value+"\n" || got.err != "" || got.failure != nil {
				t.Errorf("value %q arrives as %q, error %v, stderr %q", value, got.out, got.failure, got.err)
			}
		}
		if got := s.run(say.language, say.env); got.out != "unset\n" {
			t.Errorf("the next execution sees %q", got.out)
		}
	})
}

func TestVariablesGiveWayToThoseThatWereThere(t *testing.T) {
	t.Parallel()
	env := func() []string { return []string{"PATH=/usr/bin:/bin", "HOME=/", "V=own"} }
	for _, say := range speeches {
		t.Run(say.language, func(t *testing.T) {
			t.Parallel()
			needs(t, say.program)
			s := newServer(t, &interpreter.Config{Env: env})
			s.execute(cell{Code: say.env, Language: say.language, Env: map[string]string{"V": "other"}})
			if got := s.run(say.language, say.env); got.out != "own\n" {
				t.Errorf("variable is %q afterwards, want own", got.out)
			}
		})
	}
}

func TestKeepaliveWhileNothingIsPrinted(t *testing.T) {
	t.Parallel()
	const every = 50 * time.Millisecond
	s := newServer(t, &interpreter.Config{Keepalive: every})
	started := time.Now()
	got := s.run("python", "import time\ntime.sleep(0.4)")
	if most := int(time.Since(started) / every); got.keepalives < 2 || got.keepalives > most {
		t.Errorf("%d keepalives in 400 ms of silence at one each 50 ms, at most %d fit in", got.keepalives, most)
	}
	patient := newServer(t, &interpreter.Config{Keepalive: time.Minute})
	if patient.run("python", "import time\ntime.sleep(0.1)").keepalives != 0 {
		t.Error("keepalive before its time")
	}
}

func TestCloseEndsRunningKernelsWithTheirChildren(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pidFile := filepath.Join(dir, "pid")
	handler := interpreter.New(&interpreter.Config{Cwd: dir})
	s := serve(t, handler)
	response := s.open(t.Context(), cell{Code: "sleep 600 & echo $! > pid.new; mv pid.new pid; wait", Language: "bash"})
	defer response.Body.Close()
	waitFor(t, func() bool { _, err := os.Stat(pidFile); return err == nil })
	if err := handler.Close(); err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(response.Body); !strings.Contains(string(body), "ContextRestarting") {
		t.Errorf("the running execution ended with %s", body)
	}
	pid, _ := os.ReadFile(pidFile)
	waitFor(t, func() bool { return gone(strings.TrimSpace(string(pid))) })
	if status, text := s.call(http.MethodPost, "/execute", `{"code":"1"}`); status != http.StatusInternalServerError {
		t.Errorf("a closed server answers %d %s", status, text)
	}
}

// gone tells whether a process has ended; nobody may have waited for it yet.
func gone(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}
