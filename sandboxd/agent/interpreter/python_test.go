package interpreter_test

import (
	"strings"
	"testing"
)

func TestPythonCells(t *testing.T) {
	t.Parallel()
	newServer(t, nil).follow("python", []script{
		{code: "x = 41"},
		{code: "x + 1", text: "42"},
		{code: "_ * 2", text: "84"},
		{code: "x + 1;"},
		{code: "None"},
		{code: "def f():\n    return 7\nf()", text: "7"},
		{code: "if True:\n    5"},
		{code: "import asyncio\nawait asyncio.sleep(0)\n'waited'", text: "waited"},
		{code: "asyncio.run(asyncio.sleep(0, 'ran'))", text: "ran"},
		{code: "from __future__ import annotations"},
		{code: "def g(a: nowhere): pass\ng.__annotations__['a']", text: "nowhere"},
		{code: "if __name__ == '__main__': print('main')", out: "main\n"},
		{code: "import sys\nsys.exit(3)", failure: "SystemExit", value: "3"},
		{code: "exit(0)", failure: "SystemExit", value: "0"},
		{code: "x", text: "41"},
		{code: "import builtins\n'private' if hasattr(builtins, 'Kernel') else 'clean'", text: "clean"},
		{code: "9007199254740993", text: "9007199254740993"},
		{code: "sys.stdin.read()"},
		{code: "input()", failure: "StdinNotImplementedError", value: "raw_input was called, but this frontend does not support input requests."},
	})
}

func TestPythonShellEscapes(t *testing.T) {
	t.Parallel()
	newServer(t, nil).follow("python", []script{
		{code: "!echo from shell; echo err >&2; exit 4\n_exit_code", out: "from shell\n", err: "err\n", text: "4"},
		{code: "lines = !printf 'a\\nb\\n'\nlines", text: "['a', 'b']"},
		{code: "for i in range(2):\n    !echo again", out: "again\nagain\n"},
		{code: "%matplotlib inline\n1", text: "1"},
		{code: "'''\n!echo text\n'''", text: `\n!echo text\n`},
	})
}

func TestPythonTracebackShowsTheCellAlone(t *testing.T) {
	t.Parallel()
	got := newServer(t, nil).run("python", "def f(n):\n    return 1 / n\n\nf(0)")
	trace, _ := got.failure["traceback"].(string)
	for _, want := range []string{"line 4, in <module>", "line 2, in f", "return 1 / n", "ZeroDivisionError: division by zero"} {
		if !strings.Contains(trace, want) {
			t.Errorf("traceback lacks %q:\n%s", want, trace)
		}
	}
	if strings.Contains(trace, "driver") {
		t.Errorf("traceback shows the driver:\n%s", trace)
	}
}

func TestPythonOutputKeepsItsOrder(t *testing.T) {
	t.Parallel()
	got := newServer(t, nil).run("python", `
import ctypes, os, subprocess, sys
libc = ctypes.CDLL(None)
print("python")
libc.printf(b"c library\n")
print("no newline", end=" ")
os.system("echo system")
subprocess.run(["echo", "subprocess"])
os.write(1, b"descriptor\n")
if os.fork() == 0:
    print("child")
    os._exit(0)
os.wait()
libc.printf(b"c without newline")
print(" python again")
`)
	want := "python\nc library\nno newline system\nsubprocess\ndescriptor\nchild\n"
	if !strings.HasPrefix(got.out, want) || len(got.out) != len(want)+len("c without newline python again\n") {
		t.Errorf("output is %q, want %q and both last pieces", got.out, want)
	}
}

func TestPythonDisplaysStayInPlace(t *testing.T) {
	t.Parallel()
	got := newServer(t, nil).run("python", "for i in range(50):\n    print(i)\n    display(i)")
	want := strings.Repeat("stdout result ", 50)
	if types := strings.Join(got.types[1:len(got.types)-1], " ") + " "; types != want {
		t.Errorf("lines are %s", types)
	}
}

func TestPythonForkedChildDoesNotBecomeAKernel(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for _, end := range []string{"", "sys.exit(3)", "1/0", "display('shown')"} {
		got := s.run("python", "import os, sys\npid = os.fork()\nif pid == 0:\n    print('child')\n    "+end+"\nelse:\n    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])\n    print('parent', status)")
		if strings.Count(got.out, "parent") != 1 || strings.Count(got.out, "child") != 1 || got.failure != nil {
			t.Errorf("child with %q: output %q, error %v", end, got.out, got.failure)
		}
	}
	if got := s.run("python", "1 + 1"); got.text() != "2" || got.count != 5 {
		t.Errorf("afterwards text is %q, count %d", got.text(), got.count)
	}
}

func TestPythonMultiprocessing(t *testing.T) {
	t.Parallel()
	got := newServer(t, nil).run("python", "import multiprocessing as mp\ndef square(n): return n * n\nwith mp.get_context('fork').Pool(2) as pool:\n    r = pool.map(square, [1, 2, 3])\nr")
	if got.text() != "[1, 4, 9]" {
		t.Errorf("result is %q, error %v", got.text(), got.failure)
	}
}

func TestPythonRichResults(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for _, test := range []struct{ code, field, want string }{
		{"{'a': [1, None]}", "json", `{"a":[1,null]}`},
		{"class T:\n    def _repr_mimebundle_(self, include, exclude): return {'text/html': '<p>'}\nT()", "html", `"<p>"`},
		{"class P:\n    def _repr_png_(self): return b'png'\nP()", "png", `"cG5n"`},
		{"class M:\n    def _repr_html_(self): return ('<i>', {'isolated': True})\nM()", "html", `"<i>"`},
		{"class D:\n    def _ipython_display_(self): display('itself')\nD()", "text", `"itself"`},
		{"from IPython.display import Latex\nLatex('$x$')", "latex", `"$x$"`},
		{"from IPython.display import SVG\nSVG('<svg/>')", "svg", `"<svg/>"`},
		{"from IPython.display import Image\nImage(b'\\xff\\xd8jpeg')", "jpeg", `"/9hqcGVn"`},
		{"from IPython.display import Javascript\nJavascript('f()')", "javascript", `"f()"`},
		{"display({'text/html': 5}, raw=True)", "html", `"5"`},
		{"display({'text/html': ['<a>', '<b>']}, raw=True)", "html", `"<a><b>"`},
		{"display({'x/y': 1}, raw=True)", "extra", `{"x/y":1}`},
	} {
		got := s.run("python", test.code)
		if len(got.results) != 1 || compact(t, got.results[0][test.field]) != test.want {
			t.Errorf("%s\nresults are %v, want %s %s", test.code, got.results, test.field, test.want)
		}
	}
}

func TestPythonAwkwardValues(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for code, text := range map[string]string{
		"{'nan': float('nan')}":                          "{'nan': nan}", // no JSON value
		"class Bad:\n    def __repr__(self): 1/0\nBad()": "ZeroDivisionError",
		"list(range(100000))":                            "999, ...]",
		"from unittest import mock\nmock.Mock(name='m')": "<Mock name='m' id=",
		"int":       "<class 'int'>",
		"'\\ud800'": `\ud800`,
	} {
		got := s.run("python", code)
		if !strings.Contains(got.text(), text) || got.failure != nil || len(got.results) != 1 || got.results[0]["json"] != nil {
			t.Errorf("%s\nresults are %.300v, error %v; want text with %s alone", code, got.results, got.failure, text)
		}
	}
}

func TestPythonFailingRepresentationIsTold(t *testing.T) {
	t.Parallel()
	got := newServer(t, nil).run("python", "class H:\n    def _repr_html_(self): 1/0\n    def __repr__(self): return 'H'\nH()")
	if got.text() != "H" || !strings.Contains(got.err, "ZeroDivisionError") {
		t.Errorf("text is %q, stderr %q", got.text(), got.err)
	}
}

func TestPythonCharts(t *testing.T) {
	t.Parallel()
	needsModule(t, "matplotlib.pyplot")
	s := newServer(t, nil)
	s.run("python", "import matplotlib.pyplot as plt")
	for code, want := range map[string]string{
		"plt.bar(['p', 'q'], [1, 2], label='g')":                              `"elements":[{"group":"g","label":"p","value":1},{"group":"g","label":"q","value":2}]`,
		"plt.scatter([1], [2])":                                               `"elements":[{"label":"Scatter 0","points":[[1,2]]}]`,
		"plt.plot([1, 2]); plt.xlabel('d (km)')":                              `"x_unit":"km"`,
		"_, axes = plt.subplots(1, 2)\naxes[0].plot([1])\naxes[1].plot([2]);": `"type":"superchart"`,
		"plt.imshow([[1]]);":                                                  `null`,
	} {
		results := s.run("python", code).results
		if len(results) == 0 {
			t.Errorf("%s: no result", code)
			continue
		}
		if chart := compact(t, results[len(results)-1]["chart"]); !strings.Contains(chart, want) {
			t.Errorf("%s: chart is %s, want %s", code, chart, want)
		}
	}
}

func TestPythonFigures(t *testing.T) {
	t.Parallel()
	needsModule(t, "matplotlib.pyplot")
	s := newServer(t, nil)
	got := s.run("python", "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nprint('between')\nplt.plot([3, 4])\nplt.title('left open')")
	if len(got.results) != 3 {
		t.Fatalf("there are %d results, want two figures and a title: lines %v", len(got.results), got.types)
	}
	for _, i := range []int{0, 2} {
		png, _ := got.results[i]["png"].(string)
		if !strings.HasPrefix(png, "iVBORw0KGgo") {
			t.Errorf("result %d has no png: %.200v", i, got.results[i])
		}
	}
	if got := s.run("python", "len(plt.get_fignums())"); got.text() != "0" {
		t.Errorf("%s figures are still open", got.text())
	}
}
