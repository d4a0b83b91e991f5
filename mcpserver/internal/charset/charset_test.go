package charset_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver/internal/charset"
)

func lookup(t *testing.T, name string) *charset.Codec {
	t.Helper()
	codec, err := charset.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return codec
}

// The bytes are those that Python's str.encode makes of the text.
func TestEncodings(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, text, data string }{
		{"utf-8", "é", "\xc3\xa9"},
		{"UTF8", "\ufeffx\r\n", "\xef\xbb\xbfx\r\n"},
		{"utf-8-sig", "x", "\xef\xbb\xbfx"},
		{"latin1", "é\u0085", "\xe9\x85"},
		{"iso-8859-1", "é", "\xe9"},
		{"windows-1252", "€", "\x80"},
		{"cp1252", "€", "\x80"},
		{"gbk", "数据", "\xca\xfd\xbe\xdd"},
		{"gb18030", "数", "\xca\xfd"},
		{"big5", "數", "\xbc\xc6"},
		{"shift_jis", "データ", "\x83\x66\x81\x5b\x83\x5e"},
		{"euc-jp", "デ", "\xa5\xc7"},
		{"euc-kr", "데", "\xb5\xa5"},
		{"koi8-r", "ж", "\xd6"},
		{"utf-16", "a数", "\xff\xfea\x00\x70\x65"},
		{"utf-16le", "a", "a\x00"},
		{"utf-16be", "a", "\x00a"},
		{"base64", "AAH/", "\x00\x01\xff"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			codec := lookup(t, c.name)
			if text, err := codec.Decode([]byte(c.data)); err != nil || text != c.text {
				t.Errorf("Decode: %q, %v; want %q", text, err, c.text)
			}
			if data, err := codec.Encode(c.text); err != nil || string(data) != c.data {
				t.Errorf("Encode: %q, %v; want %q", data, err, c.data)
			}
		})
	}
}

func TestUTF16ByItsMark(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"\xfe\xff\x00a", "\xff\xfea\x00", "a\x00"} {
		if text, err := lookup(t, "utf-16").Decode([]byte(data)); err != nil || text != "a" {
			t.Errorf("%q: %q, %v; want a", data, text, err)
		}
	}
}

func TestUnknownEncoding(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"klingon", "utf-7", "hex"} {
		if _, err := charset.Lookup(name); !errors.Is(err, charset.ErrUnknown) {
			t.Errorf("%s: %v, want ErrUnknown", name, err)
		}
	}
}

func TestDecodeRefusesToLose(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{"utf-8": "\x89PNG", "gbk": "\xff\xff", "utf-16": "\xff\xfe\x00\xd8", "shift_jis": "\x83"} {
		if text, err := lookup(t, name).Decode([]byte(data)); !errors.Is(err, charset.ErrInvalid) {
			t.Errorf("%s: %q, %v; want ErrInvalid", name, text, err)
		}
	}
}

func TestReplacementCharacterItselfIsText(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"utf-8", "utf-16", "utf-16be"} {
		codec := lookup(t, name)
		data, err := codec.Encode("a\ufffdb")
		if err != nil {
			t.Fatal(err)
		}
		if text, err := codec.Decode(data); err != nil || text != "a\ufffdb" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestEncodeRefusesToLose(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"latin1": "数", "gbk": "😀", "base64": "not base64!"} {
		if data, err := lookup(t, name).Encode(text); !errors.Is(err, charset.ErrInvalid) {
			t.Errorf("%s: %q, %v; want ErrInvalid", name, data, err)
		}
	}
}

func TestBase64OfOtherTools(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"YWJjZA==", "YWJj\nZA==\n", "YWJjZA", "YWJj\r\nZA=="} {
		if data, err := lookup(t, "base64").Encode(text); err != nil || string(data) != "abcd" {
			t.Errorf("%q: %q, %v; want abcd", text, data, err)
		}
	}
}

func FuzzBase64RoundTrip(f *testing.F) {
	f.Add([]byte{0, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		codec, _ := charset.Lookup("base64")
		text, err := codec.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := codec.Encode(text); err != nil || !bytes.Equal(back, data) {
			t.Errorf("%q became %q (%v)", data, back, err)
		}
	})
}
