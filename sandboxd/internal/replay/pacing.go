package replay

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// Later steps of a group act on the stream of the first one. pace tells how
// much of the recorded output of that stream must have come before a step is
// sent, for its effect to fall on the same place as in the recording:
//   - an input that is echoed goes where its echo is,
//   - a second listener comes before the output that it was given,
//   - anything else comes after all output.
func (u *Unit) pace(step int) (output int, untilEnd bool) {
	whole := recordedOutput(u.Steps[0])
	if u.Steps[step].Response.Status == http.StatusNotFound {
		return len(whole), true
	}
	if strings.HasSuffix(u.Steps[step].Request.Path, "/Connect") {
		rest := recordedOutput(u.Steps[step])
		return len(whole) - len(rest), rest == ""
	}
	at := 0
	for i := 1; i < len(u.Steps); i++ {
		input := inputOf(u.Steps[i])
		echo := strings.Index(whole[at:], input)
		if input == "" || echo < 0 {
			continue
		}
		if i >= step {
			return at + echo, false
		}
		at += echo + len(input)
	}
	return len(whole), false
}

// recordedOutput joins all output of a stream.
func recordedOutput(c *Capture) string { return outputIn(c.Decoded) }

func outputIn(decoded any) string {
	var all strings.Builder
	list, _ := decoded.([]any)
	for _, frame := range list {
		_, data := outputOf(frame)
		all.WriteString(data)
	}
	return all.String()
}

// inputOf is the first input that a step sends, as a terminal echoes it.
func inputOf(c *Capture) string {
	if c.Response.Status != http.StatusOK {
		return "" // was refused
	}
	for _, at := range []string{"/input/stdin", "/input/pty", "/*/data/input/stdin"} {
		for _, v := range values(c.RequestDecoded, at) {
			text, _ := v.(string)
			if b, err := base64.StdEncoding.DecodeString(text); err == nil {
				return echoed(string(b), strings.HasSuffix(at, "pty"))
			}
		}
	}
	return ""
}

func echoed(text string, tty bool) string {
	if tty {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}
