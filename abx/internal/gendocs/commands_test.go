package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// Every `abx` line of a shell block must be one that abx accepts: its command,
// flags and number of arguments.
func TestDocumentedCommandsExist(t *testing.T) {
	t.Parallel()
	needRepository(t)
	found := 0
	for _, path := range pages(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range shellLines(string(data)) {
			for _, words := range abxCalls(line) {
				found++
				if err := accepts(words); err != nil {
					t.Errorf("%s: %q: %v", path, line, err)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d commands found: are the blocks still marked sh?", found)
	}
}

func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "*/*.md", "docs/*/*.md"} {
		paths, err := filepath.Glob(filepath.Join(docs, "..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, paths...)
	}
	return all
}

var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```")

// shellLines are the lines of sh blocks, and those after a prompt in blocks
// without a language, which show a dialogue.
func shellLines(page string) []string {
	var lines []string
	for _, block := range fence.FindAllStringSubmatch(page, -1) {
		for _, line := range strings.Split(strings.ReplaceAll(block[2], "\\\n", " "), "\n") {
			typed, prompted := strings.CutPrefix(strings.TrimSpace(line), "$ ")
			if block[1] == "sh" || block[1] == "" && prompted {
				lines = append(lines, typed)
			}
		}
	}
	return lines
}

// abxCalls finds the commands of a line that run abx, without what stands
// before it (assignments) and after it (redirections).
func abxCalls(line string) [][]string {
	var calls [][]string
	for _, command := range commands(line) {
		for len(command) > 0 && regexp.MustCompile(`^[A-Z_]+=`).MatchString(command[0]) {
			command = command[1:]
		}
		if len(command) > 0 && command[0] == "abx" {
			calls = append(calls, command[1:])
		}
	}
	return calls
}

// commands splits a line of shell at its operators and command substitutions,
// and each part into words. It knows as much shell as the pages use.
func commands(line string) [][]string {
	var all [][]string
	var words []string
	var word strings.Builder
	var quote rune
	inWord := false
	endWord := func() {
		if inWord {
			words = append(words, word.String())
		}
		word.Reset()
		inWord = false
	}
	endCommand := func() {
		endWord()
		if len(words) > 0 {
			all = append(all, words)
		}
		words = nil
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == '#' && !inWord:
			endCommand()
			return all
		case strings.ContainsRune("|&;()`", r):
			endCommand()
		case r == '<' || r == '>':
			endCommand()
		case unicode.IsSpace(r):
			endWord()
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	endCommand()
	return all
}

func accepts(words []string) error {
	root := tree()
	root.SetOut(io.Discard)
	cmd, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

func TestAbxCalls(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`abx mcp status --check || abx doctor`:       "mcp status --check|doctor",
		`KEY=x abx version > file # abx nothing`:     "version",
		`id=$(abx sandbox create --timeout 1h)`:      "sandbox create --timeout 1h",
		`abx mcp call run_command command='ls | wc'`: "mcp call run_command command=ls | wc",
		`go run ./abx version`:                       "",
	} {
		var got []string
		for _, words := range abxCalls(line) {
			got = append(got, strings.Join(words, " "))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for _, wrong := range []string{"mcp stort", "mcp start --no-such-flag", "mcp call"} {
		if accepts(strings.Fields(wrong)) == nil {
			t.Errorf("abx %s was accepted", wrong)
		}
	}
}
