package replay

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// collect repeats a request and joins what it gets.
func (g *game) collect(ctx context.Context, c *Capture, req *Request, answer *Answer, at string) (*Answer, error) {
	const pause, patience = 20 * time.Millisecond, 200
	for range patience {
		body, err := decode(c, answer.Header, answer.Body())
		if err != nil || equalBody(c, body) {
			return answer, err
		}
		time.Sleep(pause) // the server offers nothing to wait on: its client polls
		more, err := send(ctx, g.player.Dial, req)
		if err != nil {
			return nil, err
		}
		if err := more.end(ctx); err != nil {
			return nil, err
		}
		if err := answer.append(c, more, at); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// append joins the list at a pointer of another answer to this one.
func (a *Answer) append(c *Capture, more *Answer, at string) error {
	next, err := decode(c, more.Header, more.Body())
	if err != nil || len(values(next, at)) == 0 {
		return err
	}
	sofar, err := decode(c, a.Header, a.Body())
	if err != nil {
		return err
	}
	if len(values(sofar, at)) == 0 {
		sofar = next
	} else {
		edit(sofar, at, func(v any) any { return slices.Concat(v.([]any), values(next, at)[0].([]any)) })
	}
	text, err := json.Marshal(sofar)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.body.Reset()
	a.body.Write(text)
	return nil
}
