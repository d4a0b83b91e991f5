package interpreter_test

import (
	"strings"
	"testing"
)

func TestJavaScriptCells(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	newServer(t, nil).follow("javascript", []script{
		{code: "let a = 1; const b = 2; class C { get n() { return 1 } }"},
		{code: "let a = 2; const b = 3; class C { get n() { return 10 } }; a + b + new C().n", text: "15"},
		{code: "a * 2;", text: "4"},
		{code: "var v = 1; function f() { return v } f()", text: "1"},
		{code: "const later = await new Promise(resolve => setTimeout(() => resolve('done'), 5))"},
		{code: "later", text: "done"},
		{code: "async function main() { await 1; console.log('in main'); return 5 }\nmain()", out: "in main\n", text: "5"},
		{code: "{a: 1, b: 2}", text: "{ a: 1, b: 2 }"},
		{code: "{ let inner = 3; inner }", text: "3"},
		{code: "10n ** 20n", text: "100000000000000000000n"},
		{code: "-0", text: "-0"},
		{code: "NaN", text: "NaN"},
		{code: `'it\'s "quoted" text'`, text: `it's "quoted" text`},
		{code: "Symbol('s')", text: "Symbol(s)"},
		{code: "null", text: "null"},
		{code: "undefined"},
		{code: ""},
		{code: "require('path').join('a', 'b')", text: "a/b"},
		{code: "console.error('e'); console.log('o')", out: "o\n", err: "e\n"},
		{code: "throw new RangeError('far')", failure: "RangeError", value: "far"},
		{code: "throw 'text'", failure: "Error", value: "'text'"},
		{code: "await Promise.reject(new TypeError('rejected'))", failure: "TypeError", value: "rejected"},
		{code: "Promise.reject(new TypeError('not awaited'))", failure: "TypeError", value: "not awaited"},
		{code: "let (", failure: "SyntaxError", value: "Unexpected end of input"},
		{code: "process.exit(3)", failure: "SystemExit", value: "3"},
		{code: "try { process.exit(4) } catch {}", failure: "SystemExit", value: "4"},
		{code: "setTimeout(() => process.exit(5), 1); await new Promise(r => setTimeout(r, 1000))", failure: "SystemExit", value: "5"},
		{code: "v", text: "1"},
		{code: "Object.keys(globalThis).filter(name => /display|import|evaluate|take|abx/.test(name)).length", text: "0"},
	})
}

func TestJavaScriptImports(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	newServer(t, nil).follow("javascript", []script{
		{code: "import fs, { readFileSync as read, existsSync } from 'fs'\nimport * as path from \"node:path\";\nimport os, * as all from 'os'\nimport 'util'"},
		{code: "[typeof fs.statSync, typeof read, typeof existsSync, path.sep, typeof os.cpus, typeof all.cpus].join()", text: "function,function,function,/,function,function"},
		{code: "const { EOL } = await import('os'); EOL.length", text: "1"},
		{code: "`\nimport x from 'y'\n${'import(z)'}`", text: "\nimport x from 'y'\nimport(z)"},
		{code: "// import('no')\n/import(x)/.source", text: "import(x)"},
		{code: "({ import: (n) => n + 1 }).import(1)", text: "2"},
		{code: "fs.writeFileSync('own.mjs', 'export default 6; export const seven = 7')"},
		{code: "import six, { seven } from './own.mjs'\nsix * seven", text: "42"},
		{code: "import {\n  seven as s,\n} from './own.mjs'\nthrow new Error(String(s))", failure: "Error", value: "7"},
	})
	got := newServer(t, nil).run("javascript", "import nothing from 'no-such-package'")
	if got.failure == nil || !strings.Contains(got.failure["value"].(string), "no-such-package") {
		t.Errorf("a missing package gives %v", got.failure)
	}
}

func TestJavaScriptTracebackShowsTheCellAlone(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	s := newServer(t, nil)
	for _, code := range []string{"function f() {\n  null.x\n}\nf()", "await 1;\n  null.x", "new Promise(() => { 1;\n  null.x })"} {
		got := s.run("javascript", code)
		trace, _ := got.failure["traceback"].(string)
		if !strings.Contains(trace, ".js:2:") || strings.Contains(trace, "driver") || strings.Contains(trace, "inspector") {
			t.Errorf("%s\ntraceback:\n%s", code, trace)
		}
	}
}

func TestJavaScriptErrorsThatNobodyAwaits(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	got := newServer(t, nil).run("js", "Promise.reject(new Error('lost')); setTimeout(() => { throw new Error('late') }, 1); await new Promise(r => setTimeout(r, 50)); 7")
	if got.text() != "7" || !strings.Contains(got.err, "lost") || !strings.Contains(got.err, "late") {
		t.Errorf("text is %q, stderr %q", got.text(), got.err)
	}
}

func TestJavaScriptOutputKeepsItsOrder(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	got := newServer(t, nil).run("js", `
console.log("node")
require("child_process").execSync("echo child", { stdio: "inherit" })
process.stdout.write("written\n")
display({ shown: 1 })
console.log("after")`)
	if got.out != "node\nchild\nwritten\nafter\n" {
		t.Errorf("output is %q", got.out)
	}
	if types := strings.Join(got.types, " "); !strings.HasSuffix(types, "stdout result stdout end_of_execution") {
		t.Errorf("lines are %s", types)
	}
}

func TestJavaScriptRichResults(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	s := newServer(t, nil)
	for _, test := range []struct{ code, field, want string }{
		{"({a: [1, null]})", "json", `{"a":[1,null]}`},
		{"({_toHtml: () => '<p>'})", "html", `"<p>"`},
		{"({_toPng: () => Buffer.from('png')})", "png", `"cG5n"`},
		{"({[Symbol.for('Jupyter.display')]: () => ({'text/markdown': '*m*'})})", "markdown", `"*m*"`},
	} {
		got := s.run("js", test.code)
		if len(got.results) != 1 || compact(t, got.results[0][test.field]) != test.want {
			t.Errorf("%s\nresults are %v, want %s %s", test.code, got.results, test.field, test.want)
		}
	}
}

func TestTypeScriptCells(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	newServer(t, nil).follow("ts", []script{
		{code: "interface Point { x: number }\nconst p: Point = { x: 1 }\np.x", text: "1"},
		{code: "enum Level { Low = 1, High }\nLevel.High", text: "2"},
		{code: "class Box<T> { constructor(public value: T) {} }\nnew Box<string>('in').value", text: "in"},
		{code: "import { sep } from 'path'"},
		{code: "sep as string", text: "/"},
		{code: "const n = await Promise.resolve<number>(3)\nn satisfies number", text: "3"},
		{code: "throw new Error('typed')", failure: "Error", value: "typed"},
		{code: "let x: = 3", failure: "SyntaxError", value: `Unexpected "=" (cell.ts:1:8)`},
		{code: "p.x", text: "1"},
	})
}
