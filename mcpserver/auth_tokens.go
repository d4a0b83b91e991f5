package mcpserver

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
)

// ErrNoToken means that a source of tokens holds none. It never means that
// everybody may come in.
var ErrNoToken = errors.New("no token: want at least one, one per line")

// Tokens are the bearer tokens that a Handler accepts. They may be replaced
// while it serves.
type Tokens struct{ current atomic.Pointer[tokenSet] }

type tokenSet struct {
	named []namedToken
	texts *strings.Replacer // takes the tokens out of a text
}

type namedToken struct {
	principal string
	digest    [sha256.Size]byte // compared in constant time, whatever its length was
}

// redactable is how long a token must be to be taken out of what tools answer:
// a shorter one may be part of any text.
const redactable = 8

// principalDigits is how much of a token's digest names an unnamed token.
const principalDigits = 12

// ParseTokens reads tokens, one per line, each with an optional name before it:
// "NAME TOKEN" or "TOKEN". Empty lines and lines that begin with # are passed
// over; white space around a line is not part of a token. None is ErrNoToken.
func ParseTokens(r io.Reader) (*Tokens, error) {
	t := &Tokens{}
	return t, t.Replace(r)
}

// Replace reads other tokens. On an error those there were stay.
func (t *Tokens) Replace(r io.Reader) error {
	var all []namedToken
	var texts []string
	names := map[string]bool{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		token, text, err := parseToken(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if names[token.principal] {
			return fmt.Errorf("line %d: the name %q is used twice", n, token.principal)
		}
		names[token.principal] = true
		all = append(all, token)
		if len(text) >= redactable {
			texts = append(texts, text)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if len(all) == 0 {
		return ErrNoToken
	}
	t.current.Store(&tokenSet{all, redactor(texts)})
	return nil
}

var (
	tokenForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\x21-\x7e]+$`) })
	nameForm  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._@-]{1,64}$`) })
)

// parseToken never puts the token into an error.
func parseToken(line string) (token namedToken, text string, err error) {
	fields := strings.Fields(line)
	text = fields[len(fields)-1]
	if len(fields) > 2 || !tokenForm().MatchString(text) {
		return namedToken{}, "", errors.New(`want "TOKEN" or "NAME TOKEN", the token of printable ASCII characters without spaces`)
	}
	digest := sha256.Sum256([]byte(text))
	if len(fields) == 1 {
		return namedToken{principal: hex.EncodeToString(digest[:])[:principalDigits], digest: digest}, text, nil
	}
	if !nameForm().MatchString(fields[0]) {
		return namedToken{}, "", errors.New("a name is 1 to 64 letters, digits or . _ @ -")
	}
	return namedToken{principal: fields[0], digest: digest}, text, nil
}

// Principal says whose token it is. Every token is compared, in constant time.
func (t *Tokens) Principal(token string) (principal string, ok bool) {
	digest := sha256.Sum256([]byte(token))
	current := t.current.Load()
	if current == nil || token == "" {
		return "", false
	}
	for _, known := range current.named {
		if subtle.ConstantTimeCompare(digest[:], known.digest[:]) == 1 {
			principal, ok = known.principal, true
		}
	}
	return principal, ok
}

// redact takes the tokens out of a text.
func (t *Tokens) redact(text string) string {
	if current := t.current.Load(); current != nil && current.texts != nil {
		return current.texts.Replace(text)
	}
	return text
}
