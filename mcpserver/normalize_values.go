package mcpserver

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// convert reads a value as the type of its property.
func (p *property) convert(name string, raw json.RawMessage) (any, error) {
	raw = bytes.TrimSpace(raw)
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

// plainInteger is a number that has one spelling only.
var plainInteger = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`) })

// scalarText takes strings as they are, and integers and booleans by their
// digits and words: some clients turn a string that looks like a number into
// one. A number that may have had another spelling in the string is refused.
func scalarText(name string, raw json.RawMessage) (string, error) {
	switch {
	case raw[0] == '"':
		return decodeString(name, raw)
	case plainInteger().Match(raw), raw[0] == 't', raw[0] == 'f':
		return string(raw), nil
	case raw[0] == '{', raw[0] == '[':
		return "", invalidArgument("%s must be a string; got %s. To pass JSON, put it into a string.", name, kindOf(raw))
	}
	return "", invalidArgument("%s must be a string; got %s, %s.", name, kindOf(raw), shown(raw))
}

// cleanNumeral is a whole number in a string: spaces around it and a zero
// fraction are allowed, a leading zero and an exponent are not.
var cleanNumeral = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ *(0|-?[1-9][0-9]*)(\.0+)? *$`) })

// convertInteger takes a whole number, also written as "30", " 30 " or 30.0.
func convertInteger(name string, raw json.RawMessage) (int64, error) {
	refused := invalidArgument("%s must be a whole number, for example 30; got %s.", name, shown(raw))
	text := string(raw)
	switch {
	case raw[0] == '"':
		inner, err := decodeString(name, raw)
		if err != nil {
			return 0, err
		}
		text = inner
	case bytes.ContainsAny(raw, "eE"): // 3e1 is how JSON may write 30
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
			return 0, refused
		}
		return int64(f), nil
	}
	match := cleanNumeral().FindStringSubmatch(text)
	if match == nil {
		return 0, refused
	}
	n, err := strconv.ParseInt(match[1], 10, 64)
	if err != nil {
		return 0, refused
	}
	return n, nil
}

func convertBoolean(name string, raw json.RawMessage) (bool, error) {
	switch strings.Trim(strings.Trim(string(raw), `"`), " ") {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, invalidArgument("%s must be true or false; got %s.", name, shown(raw))
}

// convertStringMap takes an object, also as a string that holds its JSON. Of a
// member that is null nothing is set.
func convertStringMap(name string, raw json.RawMessage) (map[string]string, error) {
	if raw[0] == '"' {
		inner, err := decodeString(name, raw)
		if err != nil {
			return nil, err
		}
		raw = bytes.TrimSpace([]byte(inner))
	}
	if len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return nil, invalidArgument(`%s must be an object of strings, for example {"NAME": "value"}; got %s.`, name, shown(raw))
	}
	members, err := splitObject(name, raw)
	if err != nil {
		return nil, err
	}
	m := make(map[string]string, len(members))
	for _, e := range members {
		if isNull(e.value) {
			continue
		}
		if m[e.name], err = scalarText(name+"."+e.name, bytes.TrimSpace(e.value)); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// decodeString reads a JSON string. Half a surrogate pair stands for no
// character; decoding would put another one in its place.
func decodeString(name string, raw json.RawMessage) (string, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", invalidArgument("%s is not a valid JSON string.", name)
	}
	if hasLoneSurrogate(raw) {
		return "", invalidArgument("%s holds half of a surrogate pair (\\ud800 to \\udfff alone), which is no character.", name)
	}
	return s, nil
}

// surrogates finds escaped surrogates: pairs, and halves in group 2. Escaped
// backslashes are matched to pass over them.
var surrogates = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\\\\|(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})`)
})

func hasLoneSurrogate(raw []byte) bool {
	if !bytes.Contains(raw, []byte(`\u`)) {
		return false
	}
	for _, match := range surrogates().FindAllSubmatchIndex(raw, -1) {
		if match[4] >= 0 {
			return true
		}
	}
	return false
}

// shown is a refused JSON value in an error, shortened.
func shown(raw json.RawMessage) string { return shorten(string(raw)) }

// quote is a refused text in an error, in quotes and shortened.
func quote(s string) string { return strconv.Quote(shorten(s)) }

func shorten(s string) string {
	const most = 80
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
