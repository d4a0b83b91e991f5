package ideinstall

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const masked = "***"

var (
	secretKey  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)key|token|secret|passw|auth|credential|cookie`) })
	secretFlag = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^--?[\w-]*(key|token|secret|passw|auth|credential)[\w-]*$`)
	})
	bearer    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(bearer|basic)\s+([^\s"'\\]+)`) })
	reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\$\{[^}]+\}|\$\w+|\{env:\w+\})$`) })

	// keyLine finds a quoted value after a name that sounds like a secret, in
	// JSON and in TOML, wherever the decoded document could not be searched.
	keyLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)([\w.-]*(?:key|token|secret|passw|auth|credential|cookie)[\w.-]*["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'[^']*')`)
	})
)

// masker hides secrets in text that is shown: those it was told, those found in
// documents, and whatever looks like one.
type masker struct{ values []string }

// learn collects the secrets of a decoded document.
func (m *masker) learn(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			if s, ok := child.(string); ok && secretKey().MatchString(key) {
				m.add(s)
			}
			m.learn(child)
		}
	case []any:
		m.learnArgs(stringsOf(v))
		for _, child := range v {
			m.learn(child)
		}
	case string:
		m.learnText(v)
	}
}

// learnArgs knows --token X and --token=X.
func (m *masker) learnArgs(args []string) {
	for i, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		switch {
		case ok && secretFlag().MatchString(name):
			m.add(value)
		case secretFlag().MatchString(arg) && i+1 < len(args):
			m.add(args[i+1])
		}
	}
}

// learnText knows bearer tokens and the secrets of URLs.
func (m *masker) learnText(s string) {
	for _, found := range bearer().FindAllStringSubmatch(s, -1) {
		m.add(found[2])
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return
	}
	if password, ok := u.User.Password(); ok {
		m.add(password)
	}
	for key, values := range u.Query() {
		if secretKey().MatchString(key) {
			for _, v := range values {
				m.add(v)
			}
		}
	}
}

// add takes a value unless it only refers to one.
func (m *masker) add(value string) {
	if _, token, ok := strings.Cut(value, " "); ok && bearer().MatchString(value) {
		value = token
	}
	if value == "" || reference().MatchString(value) || slices.Contains(m.values, value) {
		return
	}
	m.values = append(m.values, value)
	if escaped := jsonText(value); escaped != value {
		m.values = append(m.values, escaped)
	}
}

// shortest is the length below which a secret is not searched for in all of the
// text, which it would blot out; keyLine finds it where it stands.
const shortest = 4

// text masks everything that the masker knows, longest first so that no tail of
// a longer secret stays.
func (m *masker) text(s string) string {
	values := slices.Clone(m.values)
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	for _, v := range values {
		if len(v) < shortest {
			break
		}
		s = strings.ReplaceAll(s, v, masked)
	}
	s = bearer().ReplaceAllStringFunc(s, func(found string) string {
		parts := bearer().FindStringSubmatch(found)
		if reference().MatchString(parts[2]) {
			return found
		}
		return parts[1] + " " + masked
	})
	return keyLine().ReplaceAllStringFunc(s, maskLine)
}

func maskLine(found string) string {
	parts := keyLine().FindStringSubmatch(found)
	quote, inner := parts[2][:1], parts[2][1:len(parts[2])-1]
	if inner == "" || strings.Contains(inner, masked) || reference().MatchString(strings.TrimPrefix(inner, "Bearer ")) {
		return found
	}
	return parts[1] + quote + masked + quote
}

// holdsLiteral reports whether an entry has a secret itself, not a reference.
func holdsLiteral(entry map[string]any) bool {
	var m masker
	m.learn(entry)
	return len(m.values) > 0
}

func jsonText(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return s
	}
	return strings.TrimSuffix(b.String()[1:], "\"\n")
}
