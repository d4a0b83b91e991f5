package replay

import (
	"context"
	"fmt"
	"net"
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
