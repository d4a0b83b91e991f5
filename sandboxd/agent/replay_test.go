package agent_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/replay"
)

// recorded is how the envd of the captures was set up before any /init.
var recorded = agent.Config{
	User:  "root",
	Users: []agent.User{{Name: "root", Home: "/root"}, {Name: "user", UID: 1000, GID: 1000, Home: "/home/user"}},
}

const rooms = 4

// TestReplayEnvd gives the agent every recorded request of a real envd 0.6.13
// and wants its answers. Each deliberate difference is a row of
// docs/deviations.md under the heading named here.
func TestReplayEnvd(t *testing.T) {
	t.Parallel()
	if err := replay.CanOpenRoom(); err != nil {
		t.Skip(err)
	}
	captures, err := replay.Load("testdata/envd")
	if err != nil {
		t.Fatal(err)
	}
	if len(captures) != 232 {
		t.Errorf("%d captures, want all 232", len(captures))
	}
	deviations, err := replay.LoadDeviations("../docs/deviations.md", "## envd")
	if err != nil {
		t.Fatal(err)
	}
	open, secured := split(replay.Units(captures))
	judge := &judge{t: t, deviations: deviations}
	work := make(chan *replay.Unit)
	var playing sync.WaitGroup
	for range rooms {
		playing.Go(func() { judge.play(work) })
	}
	playing.Go(func() { judge.play(queue(secured)) })
	for _, u := range open {
		work <- u
	}
	close(work)
	playing.Wait()
	for _, row := range deviations.Stale() {
		t.Errorf("docs/deviations.md lists a difference that is none any more: %s", row)
	}
}

// split takes the units apart that were recorded after /init, which comes first.
func split(units []*replay.Unit) (open, secured []*replay.Unit) {
	for _, u := range units {
		switch {
		case u.Name == "secured-init":
			secured = append([]*replay.Unit{u}, secured...)
		case u.Steps[0].Profile == "secured":
			secured = append(secured, u)
		default:
			open = append(open, u)
		}
	}
	return open, secured
}

func queue(units []*replay.Unit) <-chan *replay.Unit {
	c := make(chan *replay.Unit, len(units))
	for _, u := range units {
		c <- u
	}
	close(c)
	return c
}

// judge plays units and fails the test for what is not allowed.
type judge struct {
	t          *testing.T
	deviations *replay.Deviations
}

// play takes units until there are no more, in a room of its own.
func (j *judge) play(units <-chan *replay.Unit) {
	room, err := replay.OpenRoom(&recorded)
	if err != nil {
		for range units { // let the sender end
		}
		j.t.Errorf("open room: %v", err)
		return
	}
	defer room.Close()
	player := room.Player()
	player.Collect = map[string]string{"filesystem-watcher-6-events": "/events"}
	for u := range units {
		j.unit(player, u)
	}
}

func (j *judge) unit(player *replay.Player, u *replay.Unit) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	results, err := player.Play(ctx, u)
	if err != nil {
		j.t.Errorf("play %s: %v", u.Name, err)
	}
	for _, err := range j.deviations.Check(results) {
		j.t.Error(err)
	}
}
