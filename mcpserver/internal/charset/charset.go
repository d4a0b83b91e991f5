// Package charset turns file content into text and back, by the name of an
// encoding. What cannot be turned without loss is an error.
package charset

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
)

// Names of the encodings that are not character sets of the IANA registry.
const (
	UTF8   = "utf-8"
	Base64 = "base64"
)

// ErrUnknown is the cause of Lookup's error: no encoding has that name.
var ErrUnknown = errors.New("unknown encoding")

// ErrInvalid is the cause of a Decode or Encode that would lose something.
var ErrInvalid = errors.New("content does not fit the encoding")

// Codec is one encoding.
type Codec struct {
	// Name is how results call the encoding: the asked name in lower case.
	Name string
	set  encoding.Encoding // nil for UTF8 and Base64
}

// aliases are names that Python and editors use and the registry lacks.
var aliases = map[string]string{
	"utf8": UTF8, "latin-1": "latin1", "sjis": "shift_jis", "shift-jis": "shift_jis",
	"eucjp": "euc-jp", "euckr": "euc-kr", "cp936": "gbk", "ansi": "windows-1252",
	"utf16": "utf-16", "utf16le": "utf-16le", "utf16be": "utf-16be", "utf32": "utf-32",
}

// own are encodings whose byte order mark the registry leaves open: without one
// they are little endian, as Windows and Python write them.
var own = map[string]encoding.Encoding{
	"utf-8-sig": unicode.UTF8BOM,
	"utf-16":    unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	"utf-16le":  unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be":  unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
}

// Lookup finds an encoding by name, in any case. "" is UTF8.
func Lookup(name string) (*Codec, error) {
	key := strings.ToLower(strings.TrimSpace(name))
	if alias, ok := aliases[key]; ok {
		key = alias
	}
	switch {
	case key == "" || key == UTF8:
		return &Codec{Name: UTF8}, nil
	case key == Base64:
		return &Codec{Name: Base64}, nil
	case own[key] != nil:
		return &Codec{Name: key, set: own[key]}, nil
	}
	if strings.HasPrefix(key, "cp125") {
		key = "windows-" + key[2:]
	}
	set, err := ianaindex.IANA.Encoding(key)
	if err != nil || set == nil {
		return nil, fmt.Errorf("%w %q", ErrUnknown, name)
	}
	return &Codec{Name: key, set: set}, nil
}

// Decode turns bytes into text.
func (c *Codec) Decode(data []byte) (string, error) {
	switch {
	case c.Name == Base64:
		return base64.StdEncoding.EncodeToString(data), nil
	case c.set == nil:
		if !utf8.Valid(data) {
			return "", fmt.Errorf("%w: not valid %s", ErrInvalid, c.Name)
		}
		return string(data), nil
	}
	text, err := c.set.NewDecoder().Bytes(data)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if strings.ContainsRune(string(text), utf8.RuneError) && !c.holdsReplacement(data) {
		return "", fmt.Errorf("%w: not valid %s", ErrInvalid, c.Name)
	}
	return string(text), nil
}

// holdsReplacement tells whether U+FFFD, which decoders put for what they cannot
// read, may stand in the data itself.
func (c *Codec) holdsReplacement(data []byte) bool {
	itself, err := c.set.NewEncoder().String(string(utf8.RuneError))
	return err == nil && itself != "" && strings.Contains(string(data), strings.TrimPrefix(itself, "\xff\xfe"))
}

// Encode turns text into bytes.
func (c *Codec) Encode(text string) ([]byte, error) {
	switch {
	case c.Name == Base64:
		return decodeBase64(text)
	case c.set == nil:
		return []byte(text), nil
	}
	data, err := c.set.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%w: %q has no place in %s", ErrInvalid, c.misfit(text), c.Name)
	}
	return data, nil
}

// misfit finds the first character that the set lacks.
func (c *Codec) misfit(text string) string {
	for _, r := range text {
		if _, err := c.set.NewEncoder().String(string(r)); err != nil {
			return string(r)
		}
	}
	return ""
}

// decodeBase64 accepts line breaks and missing padding, which tools differ in.
func decodeBase64(text string) ([]byte, error) {
	compact := strings.TrimRight(strings.NewReplacer("\n", "", "\r", "").Replace(text), "=")
	data, err := base64.RawStdEncoding.Strict().DecodeString(compact)
	if err != nil {
		return nil, fmt.Errorf("%w: not base64: %w", ErrInvalid, err)
	}
	return data, nil
}
