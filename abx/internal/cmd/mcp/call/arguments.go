package call

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// parseArguments turns the words after the tool's name into its arguments: one
// JSON object, - for a JSON object on standard input, or key=value words. The
// result is raw JSON, since what the user wrote must reach the server as it is.
func parseArguments(words []string, in io.Reader) (json.RawMessage, error) {
	switch {
	case len(words) == 0:
		return json.RawMessage("{}"), nil
	case len(words) == 1 && words[0] == "-":
		data, err := io.ReadAll(in)
		if err != nil {
			return nil, fmt.Errorf("read arguments from standard input: %w", err)
		}
		return object(data)
	case len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{"):
		return object([]byte(words[0]))
	}
	return pairs(words, in)
}

func object(data []byte) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, cmdutil.FlagErrorf("arguments: want one JSON object: %w", err)
	}
	return json.RawMessage(data), nil
}

func pairs(words []string, in io.Reader) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	for _, word := range words {
		key, value, err := pair(word, in)
		if err != nil {
			return nil, err
		}
		if _, twice := fields[key]; twice {
			return nil, cmdutil.FlagErrorf("argument %q is given twice", key)
		}
		fields[key] = value
	}
	return json.Marshal(fields)
}

// pair reads key=text, key:=JSON, key=@FILE or key=- (standard input).
func pair(word string, in io.Reader) (string, json.RawMessage, error) {
	key, text, ok := strings.Cut(word, "=")
	if !ok || strings.TrimSuffix(key, ":") == "" {
		return "", nil, cmdutil.FlagErrorf("argument %q: want key=value, key:=JSON, key=@FILE or key=-", word)
	}
	if name, isJSON := strings.CutSuffix(key, ":"); isJSON {
		if !json.Valid([]byte(text)) {
			return "", nil, cmdutil.FlagErrorf("argument %s: %q is not JSON", name, text)
		}
		return name, json.RawMessage(text), nil
	}
	text, err := contents(text, in)
	if err != nil {
		return "", nil, fmt.Errorf("argument %s: %w", key, err)
	}
	value, err := json.Marshal(text)
	return key, value, err
}

func contents(text string, in io.Reader) (string, error) {
	switch {
	case text == "-":
		data, err := io.ReadAll(in)
		return string(data), err
	case strings.HasPrefix(text, "@"):
		data, err := os.ReadFile(text[1:])
		return string(data), err
	}
	return text, nil
}
