package sandboxclient

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// Options configure a Client. The zero value, or nil, is the hosted E2B
// service.
type Options struct {
	// APIURL is the base URL of the control plane, such as
	// "https://api.cn-hangzhou.e2b.fc.aliyuncs.com". Empty: "https://api."
	// and Domain.
	APIURL string
	// Domain is where sandboxes are reached, such as
	// "cn-hangzhou.e2b.fc.aliyuncs.com". Empty: the host of APIURL without
	// its leading "api.", or "e2b.app" when APIURL is empty too.
	Domain string
	// SandboxURL replaces the data-plane URL of every sandbox; the sandbox
	// and port are then told by headers alone (a local backend, a gateway).
	SandboxURL string

	// HTTPClient sends the requests; nil: a client of our own, HTTP/1.1, so
	// that leaving a stream is seen at once by every proxy on the way. Its
	// Timeout is ignored (it would cut streams; use contexts), and redirects
	// to another host are refused whatever its CheckRedirect says.
	HTTPClient *http.Client
	// Logger gets one debug record per request: method, host, path, status
	// and duration, never a header or a body. Nil: silent.
	Logger *slog.Logger
	// UserAgent is put in front of the package's own.
	UserAgent string
	// Header, when set, gives headers to add to each request of a call with
	// that context, such as those of a trace; none may replace the client's own.
	Header func(ctx context.Context) http.Header
	// AllowInsecure permits plain http to hosts other than loopback, which
	// sends the key in the clear.
	AllowInsecure bool

	// RequestTimeout bounds a control-plane or metadata call whose context
	// has no deadline; 0: 30 s. Create has 150 s instead: a broken image
	// fails on FC only after about 121 s.
	RequestTimeout time.Duration
	// StartupWait bounds how long the first call to a new sandbox is resent
	// while the gateway does not route to it yet; 0: 10 s, negative: never.
	StartupWait time.Duration
	// IdleTimeout is the longest silence within a file transfer or between
	// the keepalives of a stream before it counts as broken; 0: 60 s for
	// files and 120 s for streams (the server pings every 50 s).
	IdleTimeout time.Duration
}

const (
	defaultDomain         = "e2b.app"
	defaultRequestTimeout = 30 * time.Second
	createTimeout         = 150 * time.Second
	defaultStartupWait    = 10 * time.Second
	fileIdleTimeout       = 60 * time.Second
	streamIdleTimeout     = 120 * time.Second
	keepaliveSeconds      = "50"
)

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}
