package mcpserver

import (
	"context"
	"errors"
)

// errPanic stands for a bug of ours; its details are in the log.
var errPanic = toolErrorf(CodeInternal, "The server had an internal error in this call. It goes on running; its log has the details.")

// mapError gives every failure its code and a text for the model.
func mapError(err error) *ToolError {
	if err == nil {
		return nil
	}
	var known *ToolError
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, errSessionClosed):
		return toolErrorf(CodeSessionClosed, "The session ended before the call did.")
	case errors.Is(err, context.Canceled):
		return toolErrorf(CodeCancelled, "The call was cancelled.")
	}
	return &ToolError{Code: CodeInternal, Message: err.Error(), Err: err}
}

// isGone tells whether a sandbox does not exist any more.
func isGone(err error) bool {
	var known *ToolError
	return errors.As(err, &known) && (known.Code == CodeSandboxNotFound || known.Code == CodeSandboxExpired)
}
