package fcdeploy

import (
	"errors"
	"net/http"
	"slices"
	"strings"
)

// APIError is an error that FC, or a gateway in front of it, answered.
type APIError struct {
	Action    string // such as CreateFunction
	Status    int    // of HTTP; 0 when no answer was understood
	Code      string // FC's own, such as FunctionNotFound; may be empty
	Message   string
	RequestID string
	Err       error // of the transport, when there was no answer
}

// Error implements error.
func (e *APIError) Error() string {
	var text strings.Builder
	text.WriteString(e.Action)
	text.WriteString(": ")
	switch {
	case e.Code != "":
		text.WriteString(e.Code + ": " + e.Message)
	case e.Err != nil:
		text.WriteString(e.Err.Error())
	default:
		text.WriteString(strings.TrimSpace(http.StatusText(e.Status) + " " + e.Message))
	}
	if IsDenied(e) {
		text.WriteString("; the credentials need the permission fc:" + e.Action + " (see ram-policy.json)")
	}
	if e.RequestID != "" {
		text.WriteString(" (request " + e.RequestID + ")")
	}
	return text.String()
}

// Unwrap gives what is behind the error.
func (e *APIError) Unwrap() error { return e.Err }

// Temporary says whether the same call may succeed later.
func (e *APIError) Temporary() bool {
	return e.Status == http.StatusTooManyRequests || e.Status >= http.StatusInternalServerError || (e.Status == 0 && e.Err != nil)
}

// IsNotFound says that what a call named does not exist.
func IsNotFound(err error) bool {
	e, ok := errors.AsType[*APIError](err)
	return ok && e.Status == http.StatusNotFound
}

// IsConflict says that what a call was to create exists already.
func IsConflict(err error) bool {
	e, ok := errors.AsType[*APIError](err)
	return ok && (e.Status == http.StatusConflict || strings.HasSuffix(e.Code, "AlreadyExists"))
}

// IsDenied says that the credentials lack a permission.
func IsDenied(err error) bool {
	e, ok := errors.AsType[*APIError](err)
	return ok && e.Code == "AccessDenied"
}

// IsUnauthenticated says that FC does not accept the credentials themselves.
func IsUnauthenticated(err error) bool {
	e, ok := errors.AsType[*APIError](err)
	return ok && slices.ContainsFunc(refusedCredentials, func(prefix string) bool { return strings.HasPrefix(e.Code, prefix) })
}

// refusedCredentials are prefixes of the codes of Alibaba Cloud's gateway and of
// FC 2.0 for an unknown key, a wrong secret and an expired token.
var refusedCredentials = []string{"InvalidAccessKeyId", "InvalidAccessKeyID", "SignatureDoesNotMatch", "SignatureNotMatch",
	"InvalidSecurityToken", "IncompleteSignature"}

// CredentialsError says that no source has Alibaba Cloud credentials.
type CredentialsError struct {
	Tried []error // what each source said
}

// Error implements error.
func (e *CredentialsError) Error() string {
	return "no Alibaba Cloud credentials: set ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET, " +
		"configure the aliyun CLI (aliyun configure), or pass --ecs-ram-role on an ECS instance"
}

// Unwrap gives what is behind the error.
func (e *CredentialsError) Unwrap() []error { return e.Tried }

// NotOursError refuses to touch a resource that we did not make.
type NotOursError struct {
	Resource string
	Why      string
	Fix      string
}

// Error implements error.
func (e *NotOursError) Error() string { return e.Resource + " is not ours: " + e.Why + "; " + e.Fix }
