package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

const stream = `{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0.1}
{"Action":"output","Package":"p","Test":"TestB","Output":"=== RUN   TestB\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:3: needs Docker\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestB","Elapsed":0}
{"Action":"pass","Package":"p","Elapsed":1.5}
`

func TestSkipsAreListedWithTheirReason(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := newReport(&out)
	if err := r.read(strings.NewReader(stream)); err != nil {
		t.Fatal(err)
	}
	if !r.close() {
		t.Error("a skip alone made the run fail")
	}
	for _, want := range []string{"ok\tp\t1.5s", "p.TestB: b_test.go:3: needs Docker", "\n1 passed, 0 failed, 1 skipped\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
}

func TestSkipOfARequiredTestFails(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := newReport(&out)
	r.noSkip = regexp.MustCompile(`^p\.TestB$`)
	if err := r.read(strings.NewReader(stream)); err != nil {
		t.Fatal(err)
	}
	if r.close() {
		t.Error("the run passed")
	}
	if want := "\n1 passed, 1 failed, 0 skipped\n"; !strings.Contains(out.String(), want) {
		t.Errorf("output lacks %q:\n%s", want, out.String())
	}
}

func TestFailureShowsOutputOfTheTest(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := newReport(&out)
	err := r.read(strings.NewReader(`{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:9: got 1\n"}
{"Action":"fail","Package":"p","Test":"TestC","Elapsed":0.1}
{"Action":"fail","Package":"p","Elapsed":0.2}
`))
	if err != nil {
		t.Fatal(err)
	}
	if r.close() {
		t.Error("the run passed")
	}
	for _, want := range []string{"--- FAIL: p.TestC", "c_test.go:9: got 1", "failed packages:\n  p\n", "0 passed, 1 failed, 0 skipped"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
}

func TestPackageThatDoesNotBuildCountsAsFailure(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := newReport(&out)
	err := r.read(strings.NewReader(`{"Action":"build-output","ImportPath":"p","Output":"p.go:1: syntax error\n"}
{"Action":"fail","Package":"p","Elapsed":0,"FailedBuild":"p"}
`))
	if err != nil {
		t.Fatal(err)
	}
	if r.close() || !strings.Contains(out.String(), "0 passed, 1 failed") || !strings.Contains(out.String(), "syntax error") {
		t.Errorf("a build failure went by:\n%s", out.String())
	}
}

func TestSecondTryIsForFewPackagesThatFailedByATest(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		report report
		want   bool
	}{
		"nothing failed":          {report{}, false},
		"a test failed":           {report{failed: 1, broken: []string{"p"}}, true},
		"a package did not build": {report{broken: []string{"p"}}, false},
		"a forbidden skip":        {report{failed: 1, broken: []string{"p"}, forbidden: true}, false},
		"too many to be bad luck": {report{failed: 9, broken: []string{"p", "q", "r", "s"}}, false},
	} {
		if got := tt.report.mayRunAgain(); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	if got := flagsOf([]string{"-race", "-timeout", "15m", "./a/...", "./b/..."}); len(got) != 3 {
		t.Errorf("flags are %v", got)
	}
}
