// Command testrun runs `go test` over packages and says what a reader of the
// result wants to know: a line for each package, the output of what failed,
// every test that was skipped with its reason, and a closing count.
//
//	testrun [-no-skip REGEXP] [--] GO-TEST-ARGUMENTS
//	… | testrun [-no-skip REGEXP] -read
//
// With -again a few packages that failed run once more, alone: many of the tests
// start whole servers and can starve one another. What passes only then is
// named, so that it does not go unseen.
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
	"strings"
)

func main() {
	noSkip := flag.String("no-skip", "", "`REGEXP` of tests that must not be skipped")
	read := flag.Bool("read", false, "read test2json events from standard input")
	again := flag.Bool("again", false, "run packages that failed once more, and name those that pass then")
	flag.Parse()
	ok, err := run(*noSkip, *read, *again, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(noSkip string, read, again bool, args []string) (bool, error) {
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
	ok, err := report.run(args)
	if ok || err != nil || !again || !report.mayRunAgain() {
		return ok, err
	}
	return secondTry(report, args)
}

// secondTry runs the packages that failed, one after the other.
func secondTry(first *report, args []string) (bool, error) {
	fmt.Printf("\nrunning once more: %s\n", strings.Join(first.broken, " "))
	second := newReport(os.Stdout)
	second.noSkip = first.noSkip
	ok, err := second.run(append(append([]string{"-p", "1"}, flagsOf(args)...), first.broken...))
	if ok {
		fmt.Printf("\nPASSED ONLY ON THE SECOND TRY:\n  %s\n", strings.Join(first.broken, "\n  "))
		fmt.Printf("%d passed, 0 failed, %d skipped\n", first.passed+second.passed, len(first.skips)+len(second.skips))
	}
	return ok, err
}

// flagsOf are the arguments of go test before its packages.
func flagsOf(args []string) []string {
	for i, arg := range args {
		if strings.HasPrefix(arg, "./") {
			return args[:i]
		}
	}
	return args
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
