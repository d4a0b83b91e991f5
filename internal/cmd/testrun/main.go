// Command testrun runs `go test` over packages and says what a reader of the
// result wants to know: a line for each package, the output of what failed,
// every test that was skipped with its reason, and a closing count.
//
//	testrun [-no-skip REGEXP] [--] GO-TEST-ARGUMENTS
//	… | testrun [-no-skip REGEXP] -read
//
// With -read the events of a run (`go test -json`, `go tool test2json`) come
// from standard input.
//
// With -no-skip a skipped test whose "package.Test" matches is a failure: some
// tests prove what must not go unproven where they can run.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
)

func main() {
	noSkip := flag.String("no-skip", "", "`REGEXP` of tests that must not be skipped")
	read := flag.Bool("read", false, "read test2json events from standard input")
	flag.Parse()
	ok, err := run(*noSkip, *read, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(noSkip string, read bool, args []string) (bool, error) {
	report := newReport(os.Stdout)
	if noSkip != "" {
		re, err := regexp.Compile(noSkip)
		if err != nil {
			return false, fmt.Errorf("-no-skip: %w", err)
		}
		report.noSkip = re
	}
	if read {
		err := report.read(os.Stdin)
		return report.close(), err
	}
	return report.run(args)
}

func (r *report) run(args []string) (bool, error) {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	readErr := r.read(out)
	waitErr := cmd.Wait()
	ok := r.close() && waitErr == nil
	return ok, readErr
}
