package interpreter_test

import "testing"

func TestBashCells(t *testing.T) {
	t.Parallel()
	newServer(t, nil).follow("bash", []script{
		{code: "x=5; f() { echo \"f $x\"; }; cd /; declare -a list=(1 '2 3')"},
		{code: "f; pwd; echo \"${list[1]}\"", out: "f 5\n/\n2 3\n"},
		{code: "false", failure: "SystemExit", value: "1"},
		{code: "echo $?", out: "1\n"},
		{code: "echo out; echo err >&2", out: "out\n", err: "err\n"},
		{code: "read -r line; echo \"got:$line\"", out: "got:\n"},
		{code: "if then", failure: "SystemExit", value: "2", err: "bash: eval: line 1: syntax error near unexpected token `then'\nbash: eval: line 1: `if then'\n"},
		{code: "true\nno-such-program", failure: "SystemExit", value: "127", err: "bash: line 2: no-such-program: command not found\n"},
		{code: "set -o pipefail; set -u; echo \"$unset_name\"", failure: "SystemExit", value: "127", err: "bash: line 1: unset_name: unbound variable\n"},
		{code: ""},
		{code: "printf '%s' 'no newline'", out: "no newline"},
		{code: "echo \"$0 $# ${BASH_SOURCE[0]}\"", out: "bash 0 \n"},
	})
}

func TestBashStateSurvivesTheEndOfTheShell(t *testing.T) {
	t.Parallel()
	newServer(t, nil).follow("bash", []script{
		{code: "export E='a b'; n=$'two\\nlines \\'quoted\\' ü'; declare -A map=([k]=v); readonly R=1; f() { echo \"$n\"; exit 9; }; cd /tmp"},
		{code: "echo before; exit 3; echo never", out: "before\n", failure: "SystemExit", value: "3"},
		{code: "f", out: "two\nlines 'quoted' ü\n", failure: "SystemExit", value: "9"},
		{code: "set -e; echo a; false; echo never", out: "a\n", failure: "SystemExit", value: "1"},
		{code: ": \"${missing:?is missing}\"", failure: "SystemExit", value: "127", err: "bash: line 1: missing: is missing\n"},
		{code: "break"},
		{code: "bash -c 'echo $E'; echo \"${map[k]} $R $PWD $-\"", out: "a b\nv 1 /tmp hBc\n"},
		{code: "exit 0"},
		{code: "(exit 7); echo $?", out: "7\n"},
		{code: "$(exit 6)", failure: "SystemExit", value: "6"},
		{code: "sleep 0.01 & wait; echo waited", out: "waited\n"},
	})
}
