package mcpserver

import (
	"context"
	"errors"
	"fmt"
)

// diagnose turns the failure of a call into what it means for the sandbox.
func (m *SandboxManager) diagnose(ctx context.Context, box *Box, err error, x *extension) error {
	if broken, ok := errors.AsType[*brokenRun](err); ok {
		return &brokenRun{m.diagnose(ctx, box, broken.err, x), broken.output}
	}
	switch {
	case ctx.Err() != nil:
		return because(ctx, err)
	case isGone(err), isUnreachable(err) && x.gone(ctx):
		if m.life.Pause && m.resume(ctx, box) == nil {
			return toolErrorf(CodeBackendUnavailable, "Sandbox %s had been paused; it runs again now, with its files. Nothing was done in this call: repeat it.", box.Handle)
		}
		return m.lost(box)
	case isUnreachable(err) && box.lazy && !box.reached.Load():
		return m.halfMade(box, err)
	}
	return err
}

// lost writes a sandbox off that ended on its own.
func (m *SandboxManager) lost(box *Box) error {
	wasDefault := m.forget(box)
	failure := toolErrorf(CodeSandboxExpired, "Sandbox %s has expired or was ended from outside; its files and variables are lost. Call create_sandbox for a new one.", box.Handle)
	if wasDefault {
		failure.Retryable = true
		failure.Message = fmt.Sprintf("The default sandbox %s has expired or was ended from outside; its files and variables are lost. The next call without sandbox_id starts a new, empty one.", box.Handle)
	}
	return failure
}

// halfMade destroys a sandbox whose first call could not reach it at all.
func (m *SandboxManager) halfMade(box *Box, cause error) error {
	m.discard(box)
	failure := toolErrorf(CodeBackendUnavailable, "The new sandbox could not be reached and was destroyed: %s. Call again to start another one.", mapError(cause).Message)
	failure.Err = cause
	return failure
}

// discard destroys a sandbox, as far as that is possible now.
func (m *SandboxManager) discard(box *Box) {
	m.forget(box)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(m.ctx), closeDeadline)
	defer cancel()
	if err := m.kill(ctx, box.ID()); err != nil && !isGone(err) {
		m.log.Warn("sandbox not destroyed", "sandbox", box.ID(), "error", err)
	}
}

// forget marks a sandbox as ended and tells whether it was the default.
func (m *SandboxManager) forget(box *Box) (wasDefault bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if box.ended.CompareAndSwap(false, true) && box.owned {
		m.alive--
	}
	if m.def != nil && m.def.finished() && m.def.box == box {
		m.def = nil
		return true
	}
	return false
}

// finished tells whether the sandbox is made, or has failed to be.
func (c *creation) finished() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}
