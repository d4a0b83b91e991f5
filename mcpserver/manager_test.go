package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// fakeClock is a clock that a test moves.
type fakeClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func newClock() *fakeClock { return &fakeClock{now: time.Unix(1_700_000_000, 0)} }

// eventually waits for a condition that something else brings about.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never came: %s", what)
		}
	}
}

func TestCreateMakesTheDefault(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, &mcpserver.Options{Template: "mine"}))
	lazy := structured(t, client, "run_command", `{"command":"a"}`)
	made := structured(t, client, "create_sandbox", `{"template":"other","timeout":"60"}`)
	if made["sandbox_id"] != "sb2" || made["status"] != "running" || made["template"] != "other" ||
		made["url"] != "https://49983-sb2.example.test" {
		t.Errorf("create_sandbox: %v", made)
	}
	if got := structured(t, client, "run_command", `{"command":"b"}`); got["sandbox_id"] != "sb2" {
		t.Errorf("the default is %v, want sb2", got["sandbox_id"])
	}
	if got := structured(t, client, "run_command", `{"command":"c","sandbox_id":"sb1"}`); got["sandbox_id"] != lazy["sandbox_id"] {
		t.Errorf("sb1 is gone: %v", got)
	}
	if got := structured(t, client, "run_command", `{"command":"d"}`); got["sandbox_id"] != "sb2" {
		t.Errorf("naming a sandbox moved the default to %v", got["sandbox_id"])
	}
	first, second := fake.Created()[0].Options, fake.Created()[1].Options
	if first.Template != "mine" || first.Timeout != 300*time.Second || second.Timeout != time.Minute {
		t.Errorf("created %+v and %+v", first, second)
	}
}

func TestSandboxesCarryTheirOrigin(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, &mcpserver.Options{Version: "1.2.3", Instance: "here"}))
	structured(t, client, "create_sandbox", `{}`)
	got := fake.Created()[0].Options.Metadata
	if got[mcpserver.MetadataInstance] != "here" || got[mcpserver.MetadataVersion] != "1.2.3" || len(got[mcpserver.MetadataSession]) != 16 {
		t.Errorf("metadata %v", got)
	}
	if _, ok := got[mcpserver.MetadataOwner]; !ok {
		t.Errorf("metadata %v has no owner", got)
	}
}

func TestSessionEndDestroysWhatItMade(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	foreign := fake.Add(&sandboxclient.CreateOptions{})
	server := mcpserver.NewFake(fake, nil)
	client, end, err := server.InMemory(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		structured(t, client, "create_sandbox", `{}`)
	}
	structured(t, client, "run_command", `{"command":"x","sandbox_id":"`+foreign.ID()+`"}`)
	for range 2 { // a second end has nothing left to do
		if err := end(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if fake.Alive() != 1 {
		t.Errorf("%d sandboxes live on, want the foreign one alone", fake.Alive())
	}
	if err := func() error { _, err := foreign.Run(t.Context(), "x", nil); return err }(); err != nil {
		t.Errorf("the foreign sandbox was destroyed: %v", err)
	}
}

func TestSessionEndReportsWhatItCouldNotDestroy(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{OnKill: func(_ context.Context, id string) error {
		if id == "sb2" {
			return errors.New("not today")
		}
		return nil
	}}
	client, end, err := mcpserver.NewFake(fake, nil).InMemory(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		structured(t, client, "create_sandbox", `{}`)
	}
	err = end(context.Background())
	if err == nil || !strings.Contains(err.Error(), "sb2") || strings.Contains(err.Error(), "sb1") || strings.Contains(err.Error(), "sb3") {
		t.Errorf("end reported %v, want sb2 alone", err)
	}
	if fake.Alive() != 1 {
		t.Errorf("%d live on, want 1", fake.Alive())
	}
}

// A sandbox whose creation outlasts the session is destroyed when it arrives.
func TestSessionEndWaitsForLateCreations(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}), make(chan struct{})
	fake := &mcpserver.FakeBackend{OnCreate: func(context.Context) error {
		close(arrived)
		<-release
		return nil
	}}
	session := mcpserver.NewFake(fake, nil).NewSession(t.Context(), nil)
	failed := make(chan error)
	go func() {
		_, err := session.Sandboxes.Create(context.Background(), &mcpserver.CreateRequest{})
		failed <- err
	}()
	<-arrived
	ended := make(chan error)
	go func() { ended <- session.Close(context.Background()) }()
	select {
	case err := <-ended:
		t.Fatalf("ended before the creation: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	close(release)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := <-failed; mcpserver.CodeOf(err) != mcpserver.CodeSessionClosed {
		t.Errorf("the creator got %v", err)
	}
	if fake.Alive() != 0 {
		t.Error("the late sandbox lives on")
	}
}

func TestACallerThatLeavesDoesNotTakeTheDefaultAlong(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	fake := &mcpserver.FakeBackend{OnCreate: func(context.Context) error { <-release; return nil }}
	session := mcpserver.NewFake(fake, nil).NewSession(t.Context(), nil)
	t.Cleanup(func() { _ = session.Close(context.Background()) })
	work := func(*mcpserver.Box) (*mcpserver.Result, error) { return &mcpserver.Result{}, nil }
	impatient, leave := context.WithCancel(t.Context())
	left, stayed := make(chan error), make(chan error)
	go func() { _, err := session.Sandboxes.Do(impatient, "", 0, work); left <- err }()
	go func() { _, err := session.Sandboxes.Do(t.Context(), "", 0, work); stayed <- err }()
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("who left got %v", err)
	}
	close(release)
	if err := <-stayed; err != nil {
		t.Errorf("who stayed got %v", err)
	}
	if n := len(fake.Created()); n != 1 {
		t.Errorf("%d sandboxes, want 1", n)
	}
}

func TestAnAbandonedCreateIsDestroyed(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}), make(chan struct{})
	fake := &mcpserver.FakeBackend{OnCreate: func(context.Context) error { close(arrived); <-release; return nil }}
	session := mcpserver.NewFake(fake, nil).NewSession(t.Context(), nil)
	t.Cleanup(func() { _ = session.Close(context.Background()) })
	ctx, leave := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := session.Sandboxes.Create(ctx, &mcpserver.CreateRequest{})
		failed <- err
	}()
	<-arrived
	leave()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(release)
	eventually(t, "the sandbox destroyed", func() bool { return len(fake.Created()) == 1 && fake.Alive() == 0 })
}

func TestAFailedCreationIsTriedAnew(t *testing.T) {
	t.Parallel()
	var failOnce sync.Once
	fake := &mcpserver.FakeBackend{OnCreate: func(context.Context) (err error) {
		failOnce.Do(func() { err = &sandboxclient.Error{Code: sandboxclient.CodeUnavailable, Message: "no room"} })
		return err
	}}
	client := connect(t, mcpserver.NewFake(fake, nil))
	code, message, retryable := failure(t, client, "run_command", `{"command":"x"}`)
	if code != "backend_unavailable" || !retryable || !strings.Contains(message, "no room") {
		t.Errorf("got %s %v %s", code, retryable, message)
	}
	structured(t, client, "run_command", `{"command":"x"}`)
}

func TestExpiredDefault(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, nil))
	structured(t, client, "run_command", `{"command":"x"}`)
	fake.Created()[0].End()
	code, message, retryable := failure(t, client, "run_command", `{"command":"x"}`)
	if code != "sandbox_expired" || !retryable || !strings.Contains(message, "lost") {
		t.Errorf("got %s %v %s", code, retryable, message)
	}
	if got := structured(t, client, "run_command", `{"command":"x"}`); got["sandbox_id"] != "sb2" {
		t.Errorf("the next call used %v, want a new sandbox", got["sandbox_id"])
	}
	if code, _, _ := failure(t, client, "run_command", `{"command":"x","sandbox_id":"sb1"}`); code != "sandbox_not_found" {
		t.Errorf("a second use of an ended id is %s", code)
	}
}

func TestExpiredByName(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, nil))
	structured(t, client, "create_sandbox", `{}`)
	structured(t, client, "create_sandbox", `{}`)
	fake.Created()[0].End()
	if code, _, retryable := failure(t, client, "run_command", `{"command":"x","sandbox_id":"sb1"}`); code != "sandbox_expired" || retryable {
		t.Errorf("got %s, retryable %v", code, retryable)
	}
	if got := structured(t, client, "run_command", `{"command":"x"}`); got["sandbox_id"] != "sb2" {
		t.Errorf("the default became %v", got["sandbox_id"])
	}
}

func TestKill(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, nil))
	if code, _, _ := failure(t, client, "kill_sandbox", `{}`); code != "no_default_sandbox" {
		t.Errorf("kill without a default is %s", code)
	}
	for _, id := range []string{"nope", "../x", "a b"} {
		if code, _, _ := failure(t, client, "kill_sandbox", `{"sandbox_id":"`+id+`"}`); code != "sandbox_not_found" {
			t.Errorf("kill of %q is %s", id, code)
		}
	}
	if n := len(fake.Created()); n != 0 {
		t.Errorf("%d sandboxes were made to be killed", n)
	}
	structured(t, client, "create_sandbox", `{}`)
	if got := structured(t, client, "kill_sandbox", `{}`); got["sandbox_id"] != "sb1" || got["already_gone"] != false || got["success"] != true {
		t.Errorf("first kill: %v", got)
	}
	if got := structured(t, client, "kill_sandbox", `{"sandbox_id":"sb1"}`); got["already_gone"] != true || got["success"] != true {
		t.Errorf("second kill: %v", got)
	}
	if code, _, _ := failure(t, client, "kill_sandbox", `{}`); code != "no_default_sandbox" {
		t.Errorf("after the kill the default is still there: %s", code)
	}
}

func TestKillOfWhatExpiredUnseen(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, nil))
	structured(t, client, "create_sandbox", `{}`)
	fake.Created()[0].End()
	if got := structured(t, client, "kill_sandbox", `{}`); got["already_gone"] != true {
		t.Errorf("got %v", got)
	}
}

// The default named by its id is the default no more.
func TestKillOfTheDefaultByID(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, nil))
	structured(t, client, "create_sandbox", `{}`)
	structured(t, client, "kill_sandbox", `{"sandbox_id":"sb1"}`)
	if got := structured(t, client, "run_command", `{"command":"x"}`); got["sandbox_id"] != "sb2" {
		t.Errorf("ran in %v, want a new one", got["sandbox_id"])
	}
}

func TestKillWaitsForACreationInFlight(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}), make(chan struct{})
	fake := &mcpserver.FakeBackend{OnCreate: func(context.Context) error { close(arrived); <-release; return nil }}
	client := connect(t, mcpserver.NewFake(fake, nil))
	var wg sync.WaitGroup
	wg.Go(func() { call(t, client, "run_command", `{"command":"x"}`) })
	<-arrived
	wg.Go(func() { structured(t, client, "kill_sandbox", `{}`) })
	close(release)
	wg.Wait()
	if len(fake.Created()) != 1 || fake.Alive() != 0 {
		t.Errorf("%d made, %d alive", len(fake.Created()), fake.Alive())
	}
}

func TestKillInsistsWhileTheSandboxIsBusy(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	busy := 2
	fake := &mcpserver.FakeBackend{OnKill: func(context.Context, string) error {
		mu.Lock()
		defer mu.Unlock()
		if busy--; busy >= 0 {
			return &sandboxclient.Error{Code: sandboxclient.CodeConflict, Message: "being created"}
		}
		return nil
	}}
	client := connect(t, mcpserver.NewFake(fake, nil))
	structured(t, client, "create_sandbox", `{}`)
	structured(t, client, "kill_sandbox", `{}`)
	if fake.Alive() != 0 {
		t.Error("the sandbox lives on")
	}
}

func TestLifeIsExtendedAtEachUse(t *testing.T) {
	t.Parallel()
	clock, fake := newClock(), &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, mcpserver.Options{}.WithClock(clock.Now)))
	structured(t, client, "create_sandbox", `{"timeout":100}`)
	extensions := func() (list []string) {
		for _, c := range fake.Calls() {
			if strings.HasPrefix(c, "timeout") {
				list = append(list, c)
			}
		}
		return list
	}
	structured(t, client, "list_files", `{"path":"/x"}`) // nothing to gain yet
	clock.advance(10 * time.Second)
	structured(t, client, "list_files", `{"path":"/x"}`)
	eventually(t, "an extension to the life of the sandbox", func() bool { return slices.Equal(extensions(), []string{"timeout sb1 1m40s"}) })
	structured(t, client, "run_command", `{"command":"x","timeout":200}`)
	eventually(t, "an extension to the call and a margin", func() bool {
		return slices.Equal(extensions(), []string{"timeout sb1 1m40s", "timeout sb1 3m50s"})
	})
	clock.advance(100 * time.Second) // 100 s of 230 s are used up: nothing to gain
	structured(t, client, "list_files", `{"path":"/x"}`)
	if len(extensions()) != 2 {
		t.Errorf("an extension moved the end back: %v", extensions())
	}
}

func TestExtensionRunsBesideTheCall(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	clock := newClock()
	fake := &mcpserver.FakeBackend{OnSetTimeout: func(ctx context.Context, _ string, _ time.Duration) error {
		select {
		case <-hold:
		case <-ctx.Done():
		}
		return nil
	}}
	client := connect(t, mcpserver.NewFake(fake, mcpserver.Options{}.WithClock(clock.Now)))
	structured(t, client, "create_sandbox", `{}`)
	clock.advance(time.Minute)
	structured(t, client, "run_command", `{"command":"x"}`) // returns although the extension hangs
	close(hold)
}

func TestFailedExtensionIsANote(t *testing.T) {
	t.Parallel()
	clock, extended := newClock(), make(chan struct{})
	fake := &mcpserver.FakeBackend{
		OnSetTimeout: func(context.Context, string, time.Duration) error {
			defer close(extended)
			return &sandboxclient.Error{Code: sandboxclient.CodeInvalidArgument, Message: "no longer than 24 hours"}
		},
		OnRun: func(context.Context, string, *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
			<-extended
			time.Sleep(10 * time.Millisecond) // let the extension come home
			return &sandboxclient.Result{}, nil
		},
	}
	client := connect(t, mcpserver.NewFake(fake, mcpserver.Options{}.WithClock(clock.Now)))
	structured(t, client, "create_sandbox", `{}`)
	clock.advance(time.Minute)
	got := structured(t, client, "run_command", `{"command":"x"}`)
	if !strings.Contains(notes(got), "no longer than 24 hours") {
		t.Errorf("notes %q", notes(got))
	}
}

func TestAttachedSandboxIsNeverShortened(t *testing.T) {
	t.Parallel()
	clock, fake := newClock(), &mcpserver.FakeBackend{}
	foreign := fake.Add(&sandboxclient.CreateOptions{})
	client := connect(t, mcpserver.NewFake(fake, mcpserver.Options{}.WithClock(clock.Now)))
	use := func() {
		structured(t, client, "run_command", fmt.Sprintf(`{"command":"x","sandbox_id":%q}`, foreign.ID()))
	}
	use()
	clock.advance(time.Minute)
	use()
	eventually(t, "a second connect", func() bool {
		return slices.Equal(fake.Calls(), []string{"connect sb1 5m0s", "connect sb1 5m0s"})
	})
}

func TestAttachOnlyWhatIsOnesOwn(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	mine := fake.Add(&sandboxclient.CreateOptions{Metadata: map[string]string{mcpserver.MetadataOwner: "ann"}})
	other := fake.Add(&sandboxclient.CreateOptions{Metadata: map[string]string{mcpserver.MetadataOwner: "bob"}})
	session := mcpserver.NewFake(fake, nil).NewSession(t.Context(), &mcpserver.SessionOptions{Principal: "ann", ID: "s", AttachOwnOnly: true})
	t.Cleanup(func() { _ = session.Close(context.Background()) })
	work := func(*mcpserver.Box) (*mcpserver.Result, error) { return &mcpserver.Result{}, nil }
	if _, err := session.Sandboxes.Do(t.Context(), mine.ID(), 0, work); err != nil {
		t.Errorf("own sandbox: %v", err)
	}
	if _, err := session.Sandboxes.Do(t.Context(), other.ID(), 0, work); mcpserver.CodeOf(err) != mcpserver.CodeSandboxNotFound {
		t.Errorf("another's sandbox: %v", err)
	}
	if _, err := session.Sandboxes.Kill(t.Context(), other.ID()); mcpserver.CodeOf(err) != mcpserver.CodeSandboxNotFound {
		t.Errorf("kill of another's sandbox: %v", err)
	}
	if fake.Alive() != 2 {
		t.Error("another's sandbox was destroyed")
	}
}

func TestModernCallsNameTheirSandbox(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	session := mcpserver.NewFake(fake, nil).NewSession(t.Context(), &mcpserver.SessionOptions{Era: mcpserver.EraModern})
	t.Cleanup(func() { _ = session.Close(context.Background()) })
	_, err := session.Sandboxes.Do(t.Context(), "", 0, nil)
	if mcpserver.CodeOf(err) != mcpserver.CodeNoDefaultSandbox || len(fake.Created()) != 0 {
		t.Errorf("got %v and %d sandboxes", err, len(fake.Created()))
	}
}

func TestHalfMadeSandboxIsDestroyed(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{OnRun: func(context.Context, string, *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
		return nil, &sandboxclient.Error{Code: sandboxclient.CodeUnavailable, Status: 502, Message: "bad gateway"}
	}}
	client := connect(t, mcpserver.NewFake(fake, nil))
	code, message, _ := failure(t, client, "run_command", `{"command":"x"}`)
	if code != "backend_unavailable" || !strings.Contains(message, "bad gateway") || !strings.Contains(message, "destroyed") {
		t.Errorf("got %s: %s", code, message)
	}
	if fake.Alive() != 0 {
		t.Error("the sandbox lives on")
	}
	if code, _, _ := failure(t, client, "kill_sandbox", `{}`); code != "no_default_sandbox" {
		t.Errorf("it stayed the default: %s", code)
	}
}

func TestSandboxesOfASessionAreLimited(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, nil))
	for range 20 {
		structured(t, client, "create_sandbox", `{}`)
	}
	code, message, _ := failure(t, client, "create_sandbox", `{}`)
	if code != "quota_exceeded" || !strings.Contains(message, "kill_sandbox") {
		t.Errorf("the 21st is %s: %s", code, message)
	}
	structured(t, client, "kill_sandbox", `{"sandbox_id":"sb3"}`)
	structured(t, client, "create_sandbox", `{}`)
}

func TestCallsAtOnceAreLimited(t *testing.T) {
	t.Parallel()
	var arrived sync.WaitGroup
	release := make(chan struct{})
	fake := &mcpserver.FakeBackend{OnRun: func(_ context.Context, command string, _ *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
		if command == "hold" {
			arrived.Done()
			<-release
		}
		return &sandboxclient.Result{}, nil
	}}
	client := connect(t, mcpserver.NewFake(fake, &mcpserver.Options{MaxCalls: 3}))
	var calls sync.WaitGroup
	arrived.Add(3)
	for range 3 {
		calls.Go(func() { structured(t, client, "run_command", `{"command":"hold"}`) })
	}
	arrived.Wait()
	if code, _, retryable := failure(t, client, "run_command", `{"command":"x"}`); code != "rate_limited" || !retryable {
		t.Errorf("got %s, retryable %v", code, retryable)
	}
	close(release)
	calls.Wait()
	structured(t, client, "run_command", `{"command":"x"}`)
}

func TestPausedSandboxIsResumedAtItsNextUse(t *testing.T) {
	t.Parallel()
	clock, fake := newClock(), &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, mcpserver.Options{OnTimeout: "pause"}.WithClock(clock.Now)))
	structured(t, client, "create_sandbox", `{"timeout":60}`)
	if !fake.Created()[0].Options.AutoPause {
		t.Error("created without autoPause")
	}
	clock.advance(time.Minute)
	got := structured(t, client, "run_command", `{"command":"x"}`)
	if !strings.Contains(notes(got), "resumed") || !slices.Contains(fake.Calls(), "connect sb1 1m0s") {
		t.Errorf("notes %q, calls %v", notes(got), fake.Calls())
	}
	if got := structured(t, client, "run_command", `{"command":"x"}`); notes(got) != "" {
		t.Errorf("the second call has notes %q", notes(got))
	}
}
