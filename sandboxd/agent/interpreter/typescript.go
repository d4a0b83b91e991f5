package interpreter

import (
	"fmt"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// translationError is an error in the code of a cell that showed before it ran.
type translationError struct{ name, value, traceback string }

func (e *translationError) Error() string { return e.name + ": " + e.value }

// tsconfig keeps imports whose names this cell does not use: a later one may.
const tsconfig = `{"compilerOptions": {"verbatimModuleSyntax": true}}`

// transpile turns TypeScript into JavaScript by taking its types away; they are
// not checked. The last statement stays the last one.
func transpile(code string) (string, error) {
	result := api.Transform(code, api.TransformOptions{
		Loader:      api.LoaderTS,
		Target:      api.ESNext,
		TsconfigRaw: tsconfig,
		Sourcefile:  "cell.ts",
	})
	if len(result.Errors) > 0 {
		return "", syntaxError(result.Errors)
	}
	return string(result.Code), nil
}

func syntaxError(messages []api.Message) error {
	lines := api.FormatMessages(messages, api.FormatMessagesOptions{Kind: api.ErrorMessage})
	first := messages[0].Text
	if at := messages[0].Location; at != nil {
		first = fmt.Sprintf("%s (%s:%d:%d)", first, at.File, at.Line, at.Column+1)
	}
	return &translationError{"SyntaxError", first, strings.TrimSpace(strings.Join(lines, "\n"))}
}
