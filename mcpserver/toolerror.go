package mcpserver

import "fmt"

// Code names why a tool call failed. The list is closed: clients may switch on it.
type Code string

// The codes of tool errors, as they stand in _meta "agent-sandbox/error".
const (
	CodeInvalidArgument     Code = "invalid_argument"
	CodePathNotFound        Code = "path_not_found"
	CodeIsDirectory         Code = "is_directory"
	CodeNotDirectory        Code = "not_directory"
	CodeTooLarge            Code = "too_large"
	CodeLanguageUnavailable Code = "language_unavailable"
	CodeSandboxNotFound     Code = "sandbox_not_found"
	CodeSandboxExpired      Code = "sandbox_expired"
	CodeNoDefaultSandbox    Code = "no_default_sandbox"
	CodeTimeout             Code = "timeout"
	CodeCancelled           Code = "cancelled"
	CodeSessionClosed       Code = "session_closed"
	CodeOutcomeUnknown      Code = "outcome_unknown"
	CodeKernelDied          Code = "kernel_died"
	CodeRateLimited         Code = "rate_limited"
	CodeQuotaExceeded       Code = "quota_exceeded"
	CodeUnauthenticated     Code = "unauthenticated"
	CodePermissionDenied    Code = "permission_denied"
	CodeUnsupported         Code = "unsupported"
	CodeBackendUnavailable  Code = "backend_unavailable"
	CodeInternal            Code = "internal"
)

// ToolError is a failed tool call: Message is written for the model and says
// what failed, why, and what to do next. Err is the cause, for errors.Is.
type ToolError struct {
	Code      Code
	Message   string
	Retryable bool
	Err       error
}

// Error implements error.
func (e *ToolError) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *ToolError) Unwrap() error { return e.Err }

// toolErrorf makes an error with the code's usual retryability: the same call
// may succeed when nothing but time has passed.
func toolErrorf(code Code, format string, args ...any) *ToolError {
	return &ToolError{Code: code, Message: fmt.Sprintf(format, args...), Retryable: code.retryable()}
}

func (c Code) retryable() bool {
	return c == CodeRateLimited || c == CodeBackendUnavailable || c == CodeKernelDied
}

func invalidArgument(format string, args ...any) *ToolError {
	return toolErrorf(CodeInvalidArgument, format, args...)
}
