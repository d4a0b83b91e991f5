package mcpserver

import (
	"context"
	"errors"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// errPanic stands for a bug of ours; its details are in the log.
var errPanic = toolErrorf(CodeInternal, "The server had an internal error in this call. It goes on running; its log has the details.")

// mapError gives every failure its code and a text for the model.
func mapError(err error) *ToolError {
	if err == nil {
		return nil
	}
	if broken, ok := errors.AsType[*brokenRun](err); ok {
		mapped := *mapError(broken.err)
		mapped.Message += broken.output
		return &mapped
	}
	if known, ok := errors.AsType[*ToolError](err); ok {
		return known
	}
	if known, ok := errors.AsType[*sandboxclient.Error](err); ok {
		return mapClientError(known, err)
	}
	switch {
	case errors.Is(err, errSessionClosed):
		return toolErrorf(CodeSessionClosed, "The session ended before the call did.")
	case errors.Is(err, context.Canceled):
		return toolErrorf(CodeCancelled, "The call was cancelled.")
	case errors.Is(err, context.DeadlineExceeded):
		return toolErrorf(CodeTimeout, "The backend did not answer in time: %v.", err)
	}
	return &ToolError{Code: CodeInternal, Message: err.Error(), Err: err}
}

// clientCodes maps the codes of the client. Those that depend on what was not
// found stand in notFoundCodes.
var clientCodes = map[sandboxclient.Code]Code{
	sandboxclient.CodeInvalidArgument:  CodeInvalidArgument,
	sandboxclient.CodeAlreadyExists:    CodeInvalidArgument,
	sandboxclient.CodeIsDirectory:      CodeIsDirectory,
	sandboxclient.CodeNotDirectory:     CodeNotDirectory,
	sandboxclient.CodeConflict:         CodeBackendUnavailable,
	sandboxclient.CodeUnauthenticated:  CodeUnauthenticated,
	sandboxclient.CodePermissionDenied: CodePermissionDenied,
	sandboxclient.CodeRateLimited:      CodeRateLimited,
	sandboxclient.CodeQuotaExceeded:    CodeQuotaExceeded,
	sandboxclient.CodeSandboxGone:      CodeSandboxExpired,
	sandboxclient.CodePortClosed:       CodeUnsupported,
	sandboxclient.CodeUnavailable:      CodeBackendUnavailable,
	sandboxclient.CodeOutcomeUnknown:   CodeOutcomeUnknown,
	sandboxclient.CodeUnsupported:      CodeUnsupported,
	sandboxclient.CodeNoSpace:          CodeTooLarge,
	sandboxclient.CodeTimeout:          CodeTimeout,
	sandboxclient.CodeCanceled:         CodeCancelled,
	sandboxclient.CodeInternal:         CodeInternal,
}

var notFoundCodes = map[sandboxclient.Resource]Code{
	sandboxclient.ResourceSandbox:  CodeSandboxNotFound,
	sandboxclient.ResourcePath:     CodePathNotFound,
	sandboxclient.ResourceTemplate: CodeInvalidArgument,
	sandboxclient.ResourceContext:  CodeKernelDied,
}

// advice tells the model what to do about failures whose text does not say it.
var advice = map[Code]string{
	CodeRateLimited:        " Wait a little and call again.",
	CodeQuotaExceeded:      " Destroy a sandbox that is no longer needed with kill_sandbox, then call again.",
	CodeUnauthenticated:    " The server's API key is missing or wrong; its operator has to set ABX_SANDBOX_API_KEY.",
	CodeBackendUnavailable: " Nothing was done; call again in a moment.",
	CodeOutcomeUnknown:     " Whether it took effect is unknown: look before you repeat it.",
	CodeTooLarge:           " The disk of the sandbox is full; the file that was to be replaced is as it was.",
	CodePathNotFound:       " Use list_files on a directory above it to see what is there.",
}

// fullSandbox is the advice where not the account but a sandbox is at its limit.
const fullSandbox = " The sandbox can start no more processes: end it with kill_sandbox and go on in a new one."

func mapClientError(known *sandboxclient.Error, err error) *ToolError {
	code, ok := clientCodes[known.Code]
	if known.Code == sandboxclient.CodeNotFound {
		code, ok = notFoundCodes[known.Resource]
	}
	if !ok {
		code = CodeInternal
	}
	hint := advice[code]
	if code == CodeQuotaExceeded && known.SandboxID != "" {
		hint = fullSandbox
	}
	mapped := toolErrorf(code, "%s.%s", err.Error(), hint)
	mapped.Err = err
	return mapped
}
