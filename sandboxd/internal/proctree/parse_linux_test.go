package proctree

import "testing"

func TestParseStatOfAStrangeName(t *testing.T) {
	t.Parallel()
	line := "42 (a) b (c) S 7 42 43 0 -1 4194560 1 2 3 4 10 5 0 0 20 0 1 0 987 1000 33 18446744073709551615 1 1\n"
	p, err := parseStat([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Process{PID: 42, Parent: 7, Group: 42, Session: 43, State: 'S', Start: 987, CPUTicks: 15, ResidentPages: 33}); *p != want {
		t.Errorf("got %+v, want %+v", *p, want)
	}
}

func TestParseMark(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Mark{
		"Max file locks            unlimited            unlimited            locks     \n": 0,
		"Max file locks            77                   unlimited            locks     \n": 77,
	} {
		soft, hard, ok := parseMark([]byte("Limit  Soft\n" + line + "Max pending signals 1 1 signals\n"))
		if !ok || soft != want || hard != 0 {
			t.Errorf("%q: %d, %d, %v", line, soft, hard, ok)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("1 (x) R 0 1 1 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"))
	f.Add([]byte(") ("))
	f.Fuzz(func(t *testing.T, line []byte) {
		if p, err := parseStat(line); err == nil && p.State == 0 {
			t.Errorf("no state, no error: %q", line)
		}
		parseMark(line)
	})
}
