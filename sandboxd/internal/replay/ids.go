package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// learn remembers the ids that the answer gave in place of recorded ones.
func (g *game) learn(ctx context.Context, c *Capture, a *Answer) error {
	if c.Group == "" {
		return nil
	}
	if !c.streams() {
		if err := a.end(ctx); err != nil {
			return err
		}
	}
	decoded, err := decode(c, a.Header, a.Body())
	if err != nil {
		return nil // Compare will say it
	}
	for _, pointer := range c.Volatile {
		at, ok := below(pointer, "decoded")
		recorded, now := values(c.Decoded, at), values(decoded, at)
		if ok && len(recorded) == 1 && len(now) == 1 {
			g.learned[key(recorded[0])] = now[0]
		}
	}
	return nil
}

func key(v any) string { return fmt.Sprintf("%T %v", v, v) }

// request is the recorded one with the ids of this run.
func (g *game) request(c *Capture) (*Request, error) {
	req := c.Request
	rebuild := false
	decoded := copied(c.RequestDecoded)
	for _, pointer := range c.VolatileRequest {
		if at, ok := below(pointer, "request_decoded"); ok {
			decoded = edit(decoded, at, g.current)
		}
		rebuild = rebuild || pointer == "/request/body_base64"
		if pointer == "/request/path" {
			req.Path = g.path(req.Path)
		}
	}
	if !rebuild {
		return &req, nil
	}
	body, err := encode(&req, decoded)
	req.Body = body
	return &req, err
}

func (g *game) current(recorded any) any {
	if now, ok := g.learned[key(recorded)]; ok {
		return now
	}
	return recorded
}

func (g *game) path(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i], _ = g.current(s).(string)
	}
	return strings.Join(segments, "/")
}

// encode writes a decoded request again: one envelope for each message of a
// stream, plain JSON otherwise.
func encode(req *Request, decoded any) ([]byte, error) {
	messages := []any{decoded}
	enveloped := strings.HasPrefix(req.Headers["Content-Type"], "application/connect+")
	if list, ok := decoded.([]any); ok && enveloped {
		messages = list
	}
	var body []byte
	for _, msg := range messages {
		text, err := json.Marshal(msg)
		if err != nil {
			return nil, err
		}
		if enveloped {
			text = enclose(text)
		}
		body = append(body, text...)
	}
	return body, nil
}
