package sandboxclient

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Code says what kind of failure an Error is. Decide on it, never on text.
type Code string

// The codes of this package.
const (
	// CodeInvalidArgument: the request is wrong and was not carried out.
	CodeInvalidArgument Code = "invalid_argument"
	// CodeNotFound: what the call names does not exist; see Error.Resource.
	CodeNotFound Code = "not_found"
	// CodeAlreadyExists: the path to be made is there already.
	CodeAlreadyExists Code = "already_exists"
	// CodeIsDirectory and CodeNotDirectory: the path is of the wrong kind.
	CodeIsDirectory  Code = "is_directory"
	CodeNotDirectory Code = "not_directory"
	// CodeConflict: the sandbox is in a state that forbids the call, such as
	// a pause of a paused one.
	CodeConflict Code = "conflict"
	// CodeUnauthenticated: the key or token is missing or wrong.
	CodeUnauthenticated Code = "unauthenticated"
	// CodePermissionDenied: the key or token is known, the act is not allowed.
	CodePermissionDenied Code = "permission_denied"
	// CodeRateLimited: too many calls; Error.RetryAfter says when to retry.
	CodeRateLimited Code = "rate_limited"
	// CodeQuotaExceeded: the account has as many sandboxes as it may.
	CodeQuotaExceeded Code = "quota_exceeded"
	// CodeSandboxGone: the sandbox expired or was killed; its files and
	// processes are lost.
	CodeSandboxGone Code = "sandbox_gone"
	// CodePortClosed: the sandbox runs, and nothing listens on the port. On
	// the interpreter's port: the template has no code interpreter.
	CodePortClosed Code = "port_closed"
	// CodeUnavailable: the backend could not be reached or refused for now,
	// and did not carry out the call.
	CodeUnavailable Code = "unavailable"
	// CodeOutcomeUnknown: the answer was lost after the request was sent; the
	// call may have been carried out.
	CodeOutcomeUnknown Code = "outcome_unknown"
	// CodeUnsupported: this backend does not offer the call.
	CodeUnsupported Code = "unsupported"
	// CodeNoSpace: the disk of the sandbox is full.
	CodeNoSpace Code = "no_space"
	// CodeTimeout: the deadline of the context, or of the call, came first.
	CodeTimeout Code = "timeout"
	// CodeCanceled: the context was cancelled.
	CodeCanceled Code = "canceled"
	// CodeInternal: anything else that the backend reports as its own fault.
	CodeInternal Code = "internal"
)

// Resource names what a CodeNotFound error did not find.
type Resource string

// The resources of this package.
const (
	ResourceSandbox  Resource = "sandbox"
	ResourceTemplate Resource = "template"
	ResourcePath     Resource = "path"
	ResourceProcess  Resource = "process"
	ResourceContext  Resource = "context"
	ResourceUser     Resource = "user"
)

// Error is the one error type of this package: every failure of a call is an
// *Error, possibly wrapped. It never holds a key or a token.
type Error struct {
	// Op is what was tried, such as "create sandbox".
	Op   string
	Code Code
	// Status is the HTTP status, 0 when there was no answer.
	Status int
	// SandboxID is empty when the call is not about one sandbox.
	SandboxID string
	// Resource is set with CodeNotFound, and to ResourceUser with the
	// CodeInvalidArgument of an OS user that the sandbox does not have.
	Resource Resource
	// Message is the backend's own text, or ours when it sent none.
	Message string
	// RetryAfter is the backend's wish, 0 when it named none.
	RetryAfter time.Duration
	// Err is the cause, nil when the backend's answer is the cause.
	Err error

	// gateway: the answer came from something in front of the sandbox, or
	// the connection was refused, so the sandbox did not see the request.
	gateway bool
	header  http.Header // of the answer, when its caller needs it
}

// Error gives operation, sandbox, message and status on one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.SandboxID != "" {
		b.WriteString(" " + e.SandboxID)
	}
	b.WriteString(": " + e.text())
	if e.Status != 0 {
		b.WriteString(" (HTTP " + strconv.Itoa(e.Status) + ")")
	}
	return b.String()
}

func (e *Error) text() string {
	switch {
	case e.Message != "" && e.Err != nil:
		return e.Message + ": " + e.Err.Error()
	case e.Message != "":
		return e.Message
	case e.Err != nil:
		return e.Err.Error()
	default:
		return string(e.Code)
	}
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf gives the code of the first *Error in err's chain, "" when there is
// none.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// IsNotFound reports whether what the call names does not exist.
func IsNotFound(err error) bool { return CodeOf(err) == CodeNotFound }

// IsSandboxGone reports whether the sandbox itself is gone: it expired, was
// killed, or never existed.
func IsSandboxGone(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && (e.Code == CodeSandboxGone || e.Code == CodeNotFound && e.Resource == ResourceSandbox)
}

// IsRateLimited reports whether the call may be repeated after
// Error.RetryAfter.
func IsRateLimited(err error) bool { return CodeOf(err) == CodeRateLimited }

// IsQuotaExceeded reports whether the account has no room for one more
// sandbox.
func IsQuotaExceeded(err error) bool { return CodeOf(err) == CodeQuotaExceeded }

// IsUnauthenticated reports whether the key or token is missing or wrong.
func IsUnauthenticated(err error) bool { return CodeOf(err) == CodeUnauthenticated }

// IsPortClosed reports whether the sandbox runs and nothing listens on the
// port; for [Interpreter] calls: the template has no code interpreter.
func IsPortClosed(err error) bool { return CodeOf(err) == CodePortClosed }

// IsUnavailable reports whether the backend could not be reached.
func IsUnavailable(err error) bool { return CodeOf(err) == CodeUnavailable }

// IsOutcomeUnknown reports whether the call may have been carried out although
// its answer was lost.
func IsOutcomeUnknown(err error) bool { return CodeOf(err) == CodeOutcomeUnknown }

// IsTimeout reports whether a deadline came first.
func IsTimeout(err error) bool { return CodeOf(err) == CodeTimeout }

// IsCanceled reports whether the caller's context was cancelled.
func IsCanceled(err error) bool { return CodeOf(err) == CodeCanceled }
