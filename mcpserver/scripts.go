package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// scriptNote tells why variables do not stay.
const scriptNote = "This template has no code interpreter, so the code ran as a program of its own: variables are not kept for the next call. The template code-interpreter-v1 keeps them."

// missingProgram is the exit code of a script whose language is not there,
// together with scriptMark: the code itself may exit with any number.
const (
	missingProgram = 127
	scriptMark     = "abx-languages:"
)

// scripts are the command lines that run code of a language from stdin, for
// templates without an interpreter.
var scripts = map[string]string{
	"python":     wants("python3", "exec python3 -"),
	"javascript": wants("node", "exec node -"),
	"bash":       `exec bash -c "$(cat)"`,
	"r":          wants("Rscript", "exec Rscript /dev/stdin"),
	"typescript": `d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cat >"$d/code.ts"
if command -v tsx >/dev/null; then tsx "$d/code.ts"
elif command -v deno >/dev/null; then deno run -A "$d/code.ts"
elif command -v bun >/dev/null; then bun run "$d/code.ts"
elif node --experimental-strip-types -e 0 2>/dev/null; then node --no-warnings --experimental-strip-types "$d/code.ts"
else ` + listLanguages + `
fi`,
}

func wants(program, run string) string {
	return "command -v " + program + " >/dev/null || { " + listLanguages + "; }\n" + run
}

// listLanguages names the languages whose programs are there, and ends.
const listLanguages = `{ printf '` + scriptMark + `'; command -v python3 >/dev/null && printf ' python'; command -v node >/dev/null && printf ' javascript'; command -v bash >/dev/null && printf ' shell'; command -v Rscript >/dev/null && printf ' r'; echo; exit 127; }`

// runScript runs code once, as a program of its own.
func (b *Box) runScript(ctx context.Context, language, code string, timeout time.Duration, seen *capture) (*sandboxclient.Result, error) {
	ran, err := b.Run(ctx, scripts[language], &sandboxclient.RunOptions{
		Timeout: timeout, Stdin: strings.NewReader(code), MaxOutput: seen.kept(),
		OnStdout: seen.onBytes, OnStderr: seen.onBytes,
	})
	if err != nil && ran != nil {
		return nil, seen.broken(err, ran.Stdout, ran.Stderr)
	}
	if err != nil {
		return nil, err
	}
	if has, missing := strings.CutPrefix(ran.Stdout.String(), scriptMark); missing && ran.ExitCode == missingProgram {
		return nil, errLanguage(language, strings.Fields(has), "")
	}
	return ran, nil
}

// languageUnavailable is the error for a language that the interpreter refused;
// it looks up which ones the sandbox has.
func (b *Box) languageUnavailable(ctx context.Context, language string, cause error) error {
	ran, err := b.Run(ctx, listLanguages, &sandboxclient.RunOptions{Timeout: 10 * time.Second})
	if err != nil {
		return errLanguage(language, nil, cause.Error())
	}
	has, _ := strings.CutPrefix(ran.Stdout.String(), scriptMark)
	return errLanguage(language, strings.Fields(has), cause.Error())
}

func errLanguage(language string, has []string, cause string) *ToolError {
	if language == "bash" {
		language = "shell" // as callers name it
	}
	text := fmt.Sprintf("This sandbox cannot run %s.", language)
	if len(has) > 0 {
		text += " It has: " + strings.Join(has, ", ") + "."
	}
	if cause != "" {
		text += " The backend said: " + cause
	}
	return toolErrorf(CodeLanguageUnavailable, "%s", text)
}
