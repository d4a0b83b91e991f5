package sandboxclient

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"connectrpc.com/connect"
)

// statusCodes maps the statuses that mean the same on every plane.
var statusCodes = map[int]Code{
	http.StatusBadRequest:          CodeInvalidArgument,
	http.StatusUnauthorized:        CodeUnauthenticated,
	http.StatusForbidden:           CodePermissionDenied,
	http.StatusNotFound:            CodeNotFound,
	http.StatusMethodNotAllowed:    CodeUnsupported,
	http.StatusConflict:            CodeConflict,
	http.StatusUnprocessableEntity: CodeInvalidArgument,
	http.StatusTooManyRequests:     CodeRateLimited,
	http.StatusNotImplemented:      CodeUnsupported,
	http.StatusBadGateway:          CodeUnavailable,
	http.StatusServiceUnavailable:  CodeUnavailable,
	http.StatusGatewayTimeout:      CodeUnavailable,
	http.StatusInsufficientStorage: CodeNoSpace,
}

func codeOfStatus(status int) Code {
	if code, ok := statusCodes[status]; ok {
		return code
	}
	if status >= 400 && status < 500 {
		return CodeInvalidArgument
	}
	return CodeInternal
}

// rpcCodes maps the connect codes that envd answers with.
var rpcCodes = map[connect.Code]Code{
	connect.CodeCanceled:           CodeCanceled,
	connect.CodeInvalidArgument:    CodeInvalidArgument,
	connect.CodeDeadlineExceeded:   CodeTimeout,
	connect.CodeNotFound:           CodeNotFound,
	connect.CodeAlreadyExists:      CodeAlreadyExists,
	connect.CodePermissionDenied:   CodePermissionDenied,
	connect.CodeResourceExhausted:  CodeQuotaExceeded, // a limit inside the sandbox
	connect.CodeFailedPrecondition: CodeConflict,
	connect.CodeUnimplemented:      CodeUnsupported,
	connect.CodeUnavailable:        CodeUnavailable,
	connect.CodeUnauthenticated:    CodeUnauthenticated,
}

// rpcError translates the error of a connect call. An error that our own
// transport made travels through connect unchanged.
func rpcError(op, sandboxID string, resource Resource, err error) error {
	if own, ok := errors.AsType[*Error](err); ok {
		named := *own
		named.Op = op
		if named.Status == http.StatusNotFound && named.Code == CodeNotFound {
			named.Code = CodeUnsupported // envd tells a missing thing by a connect error
		}
		return &named
	}
	var code connect.Code
	message := ""
	if se, ok := errors.AsType[*streamError](err); ok {
		code, message = se.code, se.message
	} else if ce, ok := errors.AsType[*connect.Error](err); ok && connect.IsWireError(err) {
		code, message = ce.Code(), ce.Message()
	} else {
		return transportError(op, sandboxID, err)
	}
	return wireError(op, sandboxID, resource, code, message)
}

// wireError is an error that envd itself sent.
func wireError(op, sandboxID string, resource Resource, wire connect.Code, message string) error {
	code, ok := rpcCodes[wire]
	if !ok {
		code = CodeInternal
	}
	e := &Error{Op: op, Code: code, SandboxID: sandboxID, Message: message}
	switch code {
	case CodeNotFound:
		e.Resource = resource
	case CodeUnauthenticated: // of the user; a wrong token is no connect error
		e.Code, e.Resource = CodeInvalidArgument, ResourceUser
	}
	return e
}

// fromServer reports whether envd itself sent err.
func fromServer(err error) bool {
	_, ok := errors.AsType[*streamError](err)
	return ok || connect.IsWireError(err)
}

// transportError describes a call that got no answer. The request may have
// been carried out unless the connection was never made.
func transportError(op, sandboxID string, err error) error {
	e := &Error{Op: op, SandboxID: sandboxID, Err: err, Code: CodeOutcomeUnknown}
	switch {
	case errors.Is(err, context.Canceled):
		e.Code = CodeCanceled
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, errIdleFile):
		e.Code = CodeTimeout
	case errors.Is(err, errRedirect):
		e.Code = CodePermissionDenied
	case neverSent(err):
		e.Code, e.gateway = CodeUnavailable, true
	}
	return e
}

// neverSent reports whether err happened before a request could be sent.
func neverSent(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

func invalidArgument(op string, err error) error {
	return &Error{Op: op, Code: CodeInvalidArgument, Err: err}
}

// contextError is the error of a call that ctx ended.
func contextError(op, sandboxID string, ctx context.Context) error {
	return transportError(op, sandboxID, context.Cause(ctx))
}

func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(h.Get("Retry-After")))
	if err != nil || seconds < 0 || seconds > 1<<30 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}
