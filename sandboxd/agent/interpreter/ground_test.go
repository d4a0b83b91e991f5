package interpreter_test

import "testing"

// TestPythonCellsCannotSpoilTheKernel takes away what the kernel itself needs.
func TestPythonCellsCannotSpoilTheKernel(t *testing.T) {
	t.Parallel()
	needs(t, "python3")
	s := newServer(t, nil)
	for name, code := range map[string]string{
		"a built-in name": "import builtins\ndel builtins.len, builtins.print, builtins.isinstance",
		"the outputs":     "import os\nos.close(1)\nos.close(2)",
	} {
		s.run("python", code)
		if got := s.run("python", "print(len([1, 2]))"); got.out != "2\n" {
			t.Errorf("after a cell took %s away: %q, %+v", name, got.out, got)
		}
	}
	s.run("python", "import builtins\nbuiltins.answer = 42")
	if got := s.run("python", "print(answer)"); got.out != "42\n" {
		t.Errorf("a name that a cell added: %q", got.out)
	}
}
