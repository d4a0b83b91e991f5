package conf_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// liar is a JSON format whose editor gives whatever splices a test wants.
type liar struct {
	splices []conf.Splice
	own     conf.Span
}

func (liar) Blank() []byte { return []byte("{}") }

func (l liar) Dialect([]byte) conf.Format { return l }

func (l liar) Parse(src []byte) (conf.Document, error) {
	var v any
	if err := json.Unmarshal(src, &v); err != nil {
		return nil, err
	}
	return lie{l, v}, nil
}

type lie struct {
	liar
	value any
}

func (d lie) Value() any                               { return d.value }
func (d lie) Find([]string) (conf.Span, bool)          { return d.own, d.own.End > 0 }
func (d lie) Set([]string, any) ([]conf.Splice, error) { return d.splices, nil }
func (d lie) Remove([]string) ([]conf.Splice, error)   { return d.splices, nil }

func cut(start, end int, text string) conf.Splice {
	return conf.Splice{Span: conf.Span{Start: start, End: end}, Text: text}
}

// An editor with any of these faults must not get its result written.
func TestFaultyEditsAreRefused(t *testing.T) {
	t.Parallel()
	set := conf.Op{Path: []string{"b"}, Value: "x"}
	remove := conf.Op{Path: []string{"b"}}
	tests := map[string]struct {
		src     string
		op      conf.Op
		own     conf.Span
		splices []conf.Splice
	}{
		"does not parse":            {`{"a":1}`, set, conf.Span{}, []conf.Splice{cut(6, 6, `,"b":`)}},
		"another value":             {`{"a":1}`, set, conf.Span{}, []conf.Splice{cut(6, 6, `,"b":"y"`)}},
		"one member too many":       {`{"a":1}`, set, conf.Span{}, []conf.Splice{cut(6, 6, `,"b":"x","c":1`)}},
		"a foreign value rewritten": {`{"a":1.0}`, set, conf.Span{}, []conf.Splice{cut(5, 8, `1,"b":"x"`)}},
		"a foreign key rewritten":   {`{"\u0061":1}`, set, conf.Span{}, []conf.Splice{cut(1, 11, `"a":1,"b":"x"`)}},
		"a foreign member removed":  {`{"a":1,"b":2}`, remove, conf.Span{Start: 7, End: 12}, []conf.Splice{cut(1, 12, ``)}},
		"the wrong member removed":  {`{"a":1,"b":2}`, remove, conf.Span{Start: 7, End: 12}, []conf.Splice{cut(1, 7, ``)}},
		"line endings mixed":        {"{\r\n\"a\":1}", set, conf.Span{}, []conf.Splice{cut(8, 8, ",\n\"b\":\"x\"")}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := conf.Apply(liar{tt.splices, tt.own}, []byte(tt.src), []conf.Op{tt.op})
			var unsafe *conf.UnsafeEditError
			if !errors.As(err, &unsafe) {
				t.Errorf("error %v, result %v", err, r)
			}
		})
	}
}

func TestSoundEditsPass(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		src, want string
		op        conf.Op
		own       conf.Span
		splices   []conf.Splice
	}{
		"insertion":   {`{"a":1.0}`, `{"a":1.0,"b":"x"}`, conf.Op{Path: []string{"b"}, Value: "x"}, conf.Span{}, []conf.Splice{cut(8, 8, `,"b":"x"`)}},
		"replacement": {`{"b":1,"a":2}`, `{"b":"x","a":2}`, conf.Op{Path: []string{"b"}, Value: "x"}, conf.Span{Start: 1, End: 6}, []conf.Splice{cut(5, 6, `"x"`)}},
		"removal":     {`{"a":1, "b":2}`, `{"a":1}`, conf.Op{Path: []string{"b"}}, conf.Span{Start: 8, End: 13}, []conf.Splice{cut(6, 13, ``)}},
		"nothing":     {"\xef\xbb\xbf{}", "\xef\xbb\xbf{}", conf.Op{Path: []string{"b"}}, conf.Span{}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := conf.Apply(liar{tt.splices, tt.own}, []byte(tt.src), []conf.Op{tt.op})
			if err != nil || string(r.Bytes) != tt.want || r.Changed != (tt.splices != nil) {
				t.Errorf("got %+v, %v; want %s", r, err, tt.want)
			}
		})
	}
}

func TestSubsequence(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		old, new string
		want     bool
	}{{"", "", true}, {"ab", "xaxbx", true}, {"ab", "ba", false}, {"aa", "a", false}, {"a", "", false}} {
		if got := conf.Subsequence([]byte(tt.old), []byte(tt.new)); got != tt.want {
			t.Errorf("%q in %q: %v", tt.old, tt.new, got)
		}
	}
}

func TestPosition(t *testing.T) {
	t.Parallel()
	for offset, want := range map[int][2]int{0: {1, 1}, 2: {1, 3}, 3: {2, 1}, 5: {2, 3}, 99: {2, 3}} {
		if line, column := conf.Position([]byte("ab\ncd"), offset); line != want[0] || column != want[1] {
			t.Errorf("%d: line %d, column %d", offset, line, column)
		}
	}
}
