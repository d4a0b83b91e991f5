package mcpserver

import (
	"bytes"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// convert reads a value as the type of its property.
func (p *property) convert(name string, raw json.RawMessage) (any, error) {
	switch p.Type {
	case "integer":
		return convertInteger(name, raw)
	case "boolean":
		return convertBoolean(name, raw)
	case "object":
		return convertStringMap(name, raw)
	}
	return p.convertString(name, raw)
}

// convertString takes strings as they are, and integers and booleans by their
// digits and words: some clients turn a string that looks like a number into
// one. A number that had another spelling in the string is refused.
func (p *property) convertString(name string, raw json.RawMessage) (string, error) {
	text, err := scalarText(name, raw)
	if err != nil {
		return "", err
	}
	if len(p.Enum) > 0 && !slices.Contains(p.Enum, text) {
		return "", invalidArgument("%s must be one of %s; got %s.", name, strings.Join(p.Enum, ", "), quote(text))
	}
	return text, nil
}

func scalarText(name string, raw json.RawMessage) (string, error) {
	raw = bytes.TrimSpace(raw)
	switch {
	case raw[0] == '"':
		return decodeString(name, raw)
	case plainInteger.Match(raw), raw[0] == 't', raw[0] == 'f':
		return string(raw), nil
	}
	return "", invalidArgument("%s must be a string; got %s (%s).", name, kindOf(raw), quote(string(raw)))
}

var (
	plainInteger = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	cleanNumeral = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.0+)?$`)
)

// convertInteger takes a whole number, also written as "30", " 30 " or 30.0.
func convertInteger(name string, raw json.RawMessage) (int64, error) {
	text := string(bytes.TrimSpace(raw))
	if text[0] == '"' {
		inner, err := decodeString(name, raw)
		if err != nil {
			return 0, err
		}
		text = strings.Trim(inner, " ")
	} else if exact, ok := new(big.Rat).SetString(text); ok && len(text) < 40 && exact.IsInt() {
		text = exact.Num().String() // 3e1 is a number in JSON
	}
	whole, _, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if !cleanNumeral.MatchString(text) || err != nil {
		return 0, invalidArgument("%s must be a whole number, for example 30; got %s.", name, quote(string(raw)))
	}
	return n, nil
}

func convertBoolean(name string, raw json.RawMessage) (bool, error) {
	switch strings.Trim(string(raw), " \"") {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, invalidArgument("%s must be true or false; got %s.", name, quote(string(raw)))
}

// convertStringMap takes an object, also as a string that holds its JSON.
func convertStringMap(name string, raw json.RawMessage) (map[string]string, error) {
	raw = bytes.TrimSpace(raw)
	if raw[0] == '"' {
		inner, err := decodeString(name, raw)
		if err != nil {
			return nil, err
		}
		raw = json.RawMessage(inner)
	}
	if !json.Valid(raw) || bytes.TrimSpace(raw)[0] != '{' {
		return nil, invalidArgument(`%s must be an object of strings, for example {"NAME": "value"}; got %s.`, name, quote(string(raw)))
	}
	entries, err := splitObject(raw)
	if err != nil {
		return nil, err
	}
	m := make(map[string]string, len(entries))
	for _, e := range entries {
		if isNull(e.value) {
			continue
		}
		if m[e.name], err = scalarText(name+"."+e.name, e.value); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func decodeString(name string, raw json.RawMessage) (string, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", invalidArgument("%s is not a valid JSON string.", name)
	}
	return s, nil
}

// quote shows a refused value, shortened.
func quote(s string) string {
	const most = 80
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strconv.Quote(s)
}
