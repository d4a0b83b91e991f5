package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// event is a line of `go test -json` (https://pkg.go.dev/cmd/test2json); build
// failures come as build-output and build-fail.
type event struct {
	Action      string
	Package     string
	ImportPath  string
	Test        string
	Output      string
	Elapsed     float64 // seconds
	FailedBuild string
}

type report struct {
	out    io.Writer
	noSkip *regexp.Regexp
	output map[string][]string // by "package.Test", or package
	passed int
	failed int
	skips  []string
	broken []string
	// forbidden: a test that must not be skipped was
	forbidden bool
	started   time.Time
}

func newReport(out io.Writer) *report {
	return &report{out: out, output: map[string][]string{}, started: time.Now()}
}

// scenarioMark begins the lines with which a black-box test tells what it went
// through: they are shown even when it passes.
const scenarioMark = "scenario "

// maxLine bounds one line of test output, in bytes.
const maxLine = 16 << 20

func (r *report) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(r.out, lines.Text())
			continue
		}
		r.take(&e)
	}
	return lines.Err()
}

func (r *report) take(e *event) {
	key := e.Package
	if e.Test != "" {
		key += "." + e.Test
	}
	switch e.Action {
	case "output":
		r.output[key] = append(r.output[key], e.Output)
		if strings.HasPrefix(e.Output, scenarioMark) {
			fmt.Fprint(r.out, e.Output)
		}
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "pass", "fail", "skip":
		r.end(e, key)
		delete(r.output, key)
	}
}

func (r *report) end(e *event, key string) {
	if e.Test == "" {
		r.endPackage(e)
		return
	}
	switch e.Action {
	case "pass":
		r.passed++
	case "fail":
		r.failed++
		fmt.Fprintf(r.out, "--- FAIL: %s (%.2fs)\n%s", key, e.Elapsed, strings.Join(r.output[key], ""))
	case "skip":
		r.skip(key)
	}
}

func (r *report) endPackage(e *event) {
	switch {
	case e.Action == "fail":
		fmt.Fprintf(r.out, "%sFAIL\t%s\t%.1fs\n", strings.Join(r.output[e.Package], ""), e.Package, e.Elapsed)
		r.broken = append(r.broken, e.Package)
	case e.Action == "pass":
		fmt.Fprintf(r.out, "ok\t%s\t%.1fs\n", e.Package, e.Elapsed)
	}
}

func (r *report) skip(key string) {
	text := key + ": " + reason(r.output[key])
	if r.noSkip != nil && r.noSkip.MatchString(key) {
		r.failed++
		r.forbidden = true
		fmt.Fprintf(r.out, "--- FAIL (must not be skipped): %s\n", text)
		return
	}
	r.skips = append(r.skips, text)
}

// reason is what the test said: its output without the framework's own lines.
func reason(output []string) string {
	var said []string
	for line := range strings.Lines(strings.Join(output, "")) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
			said = append(said, line)
		}
	}
	if len(said) == 0 {
		return "no reason given"
	}
	return strings.Join(said, " ")
}

// close prints the summary and says whether all is well.
func (r *report) close() bool {
	slices.Sort(r.skips)
	if len(r.skips) > 0 {
		fmt.Fprintf(r.out, "\nskipped:\n  %s\n", strings.Join(r.skips, "\n  "))
	}
	if len(r.broken) > 0 {
		fmt.Fprintf(r.out, "\nfailed packages:\n  %s\n", strings.Join(r.broken, "\n  "))
	}
	fmt.Fprintf(r.out, "\n%.0f seconds\n%d passed, %d failed, %d skipped\n",
		time.Since(r.started).Seconds(), r.passed, r.failed+r.brokenWithoutTest(), len(r.skips))
	return r.failed == 0 && len(r.broken) == 0
}

// mostAgain is how many packages may fail for a second try to make sense.
const mostAgain = 3

// mayRunAgain says whether few packages failed, and each by a test of its own: a
// test that must not be skipped, or a build, fails the same way again.
func (r *report) mayRunAgain() bool {
	return len(r.broken) > 0 && len(r.broken) <= mostAgain && r.failed > 0 && !r.forbidden
}

// brokenWithoutTest counts packages that failed though no test of theirs did:
// they did not build, or the process died.
func (r *report) brokenWithoutTest() int {
	if r.failed == 0 {
		return len(r.broken)
	}
	return 0
}
