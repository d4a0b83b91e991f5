package call

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

func TestParseArguments(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "code.py")
	if err := os.WriteFile(file, []byte("print(\"é\")\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		words []string
		stdin string
		want  string
	}{
		"none":                {nil, "", `{}`},
		"object as it is":     {[]string{` {"n": 9007199254740993}`}, "", ` {"n": 9007199254740993}`},
		"object on stdin":     {[]string{"-"}, `{"a":1}`, `{"a":1}`},
		"text stays text":     {[]string{"timeout=30"}, "", `{"timeout":"30"}`},
		"JSON":                {[]string{`envs:={"A":"b"}`}, "", `{"envs":{"A":"b"}}`},
		"first = splits":      {[]string{"command=a=b"}, "", `{"command":"a=b"}`},
		"empty value":         {[]string{"content="}, "", `{"content":""}`},
		"file":                {[]string{"code=@" + file}, "", `{"code":"print(\"é\")\n"}`},
		"stdin":               {[]string{"code=-"}, "x\n", `{"code":"x\n"}`},
		"braces in the value": {[]string{"code={}"}, "", `{"code":"{}"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parseArguments(tt.words, strings.NewReader(tt.stdin))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

func TestParseArgumentsRefuses(t *testing.T) {
	t.Parallel()
	for name, words := range map[string][]string{
		"not an object":  {"[1]"},
		"torn JSON":      {`{"code":`},
		"no value":       {"code"},
		"no key":         {"=x"},
		"no key, JSON":   {":=1"},
		"value not JSON": {"timeout:=ten"},
		"twice":          {"a=1", "a=2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parseArguments(words, strings.NewReader(""))
			var usage *cmdutil.FlagError
			if !errors.As(err, &usage) {
				t.Errorf("error %v is not a usage error", err)
			}
		})
	}
}
