package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
)

// Player plays units against one server.
type Player struct {
	// Dial connects to the server.
	Dial func(context.Context) (net.Conn, error)
	// Place is where setup steps happen.
	Place *Place
	// Collect names captures whose recorded answer may come in several: the
	// request is repeated and the list at the pointer joined, until it is the
	// recorded one or no more comes. Events of the kernel take their time.
	Collect map[string]string
}

// Result is one step with what the server answered.
type Result struct {
	Capture *Capture
	Answer  *Answer
}

// Play sends the steps of a unit in order and waits until all have ended.
func (p *Player) Play(ctx context.Context, u *Unit) ([]Result, error) {
	g := &game{player: p, unit: u, learned: map[string]any{}}
	for step := range u.Steps {
		if err := g.step(ctx, step); err != nil {
			return nil, fmt.Errorf("%s: %w", u.Steps[step].Name, err)
		}
	}
	for _, r := range g.results {
		if err := r.Answer.end(ctx); err != nil {
			return nil, fmt.Errorf("%s: wait for the end: %w", r.Capture.Name, err)
		}
	}
	return g.results, nil
}

// game is one unit being played.
type game struct {
	player  *Player
	unit    *Unit
	results []Result
	// learned maps recorded ids to those of this run.
	learned map[string]any
}

func (g *game) step(ctx context.Context, step int) error {
	c := g.unit.Steps[step]
	for _, s := range c.Setup {
		if err := g.player.Place.Do(s); err != nil {
			return fmt.Errorf("setup %s %s: %w", s.Op, s.Path, err)
		}
	}
	if err := g.await(ctx, step); err != nil {
		return fmt.Errorf("wait before the step: %w", err)
	}
	answer, err := g.ask(ctx, c)
	if err != nil {
		return err
	}
	g.results = append(g.results, Result{Capture: c, Answer: answer})
	return g.learn(ctx, c, answer)
}

// await holds a step back until the first stream is where it was.
func (g *game) await(ctx context.Context, step int) error {
	if step == 0 || !g.unit.Steps[0].streams() {
		return nil
	}
	first := g.results[0]
	output, untilEnd := g.unit.pace(step)
	if untilEnd {
		return first.Answer.end(ctx)
	}
	return first.Answer.wait(ctx, func(body []byte) bool {
		decoded, err := decode(first.Capture, first.Answer.Header, body)
		return err == nil && len(outputIn(decoded)) >= output
	})
}

// ask sends the request of c and waits for its end, or for the first frame of
// a stream that stays open.
func (g *game) ask(ctx context.Context, c *Capture) (*Answer, error) {
	req, err := g.request(c)
	if err != nil {
		return nil, err
	}
	answer, err := send(ctx, g.player.Dial, req)
	if err != nil {
		return nil, err
	}
	if c.streams() {
		return answer, answer.wait(ctx, func(body []byte) bool { return len(envelopes(body)) > 0 })
	}
	if err := answer.end(ctx); err != nil {
		return nil, err
	}
	if at := g.player.Collect[c.Name]; at != "" {
		return g.collect(ctx, c, req, answer, at)
	}
	return answer, nil
}

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
