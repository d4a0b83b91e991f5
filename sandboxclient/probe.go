package sandboxclient

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

const (
	probeInterval = 150 * time.Millisecond
	probeTimeout  = 5 * time.Second
	// probesPerQuestion is how many fruitless probes there are for each question
	// to the control plane whether the sandbox still exists.
	probesPerQuestion = 7
	// interpreterWait is how long a closed interpreter port of a new sandbox
	// may still be starting up: short, for most often there is none.
	interpreterWait = 400 * time.Millisecond
)

// health asks envd's /health once. It needs no token and changes nothing.
func (s *Sandbox) health(ctx context.Context) error {
	const op = "check sandbox"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.envd.base+api.PathHealth, nil)
	if err != nil {
		return invalidArgument(op, err)
	}
	resp, err := s.envd.Do(req)
	if err != nil {
		return rpcError(op, s.ID, ResourceSandbox, err)
	}
	closeBody(resp)
	return nil
}

// call runs one exchange with the data plane. Nothing stands in front of it;
// only when a gateway answers in the sandbox's place is it sent again: while
// the sandbox has never answered, after its health check succeeds; later, only
// where retryable allows it.
func (d *dataPlane) call(ctx context.Context, idempotent bool, exchange func() error) error {
	err := retry(ctx, idempotent, exchange)
	if !d.startingUp(err) {
		return d.explain(ctx, err)
	}
	wait := d.sandbox.client.startupWait
	if d.port != api.EnvdPort && IsPortClosed(err) {
		wait = min(wait, interpreterWait)
	}
	bounded, cancel := context.WithTimeout(ctx, max(wait, 0))
	defer cancel()
	for probe := 1; d.startingUp(err) && pause(bounded, probeInterval); probe++ {
		switch {
		case d.sandbox.health(bounded) == nil:
			err = exchange()
		case probe%probesPerQuestion == 2 && d.sandbox.gone(bounded):
			return d.explain(ctx, err) // killed before it ever answered
		}
	}
	return d.explain(ctx, err)
}

// startingUp reports whether err is a gateway's answer to the first calls of a
// sandbox.
func (d *dataPlane) startingUp(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.gateway && !d.answered.Load()
}

// explain asks the control plane what an unclear gateway answer means: some
// gateways say 502 for a dead sandbox and for a hiccup alike.
func (d *dataPlane) explain(ctx context.Context, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || !e.gateway || e.Code != CodeUnavailable || e.Status == 0 {
		return err
	}
	if d.sandbox.gone(ctx) {
		e.Code = CodeSandboxGone
	} else if d.port == api.InterpreterPort && e.Status == http.StatusBadGateway && d.sandbox.health(ctx) == nil {
		e.Code = CodePortClosed
	}
	return err
}

// gone reports whether the control plane says that the sandbox does not exist.
func (s *Sandbox) gone(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	_, err := s.client.Get(ctx, s.ID)
	return IsNotFound(err)
}

// cut describes a stream that broke off before its end: the sandbox is gone,
// or it lives and the outcome is unknown. ctx may be over already.
func (s *Sandbox) cut(ctx context.Context, op string, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), probeTimeout)
	defer cancel()
	e := &Error{Op: op, Code: CodeOutcomeUnknown, SandboxID: s.ID, Err: cause, Message: "the stream broke off before its end"}
	if err := s.envd.explain(ctx, s.health(ctx)); IsSandboxGone(err) {
		e.Code, e.Message = CodeSandboxGone, "the sandbox ended while this ran"
	}
	return e
}
