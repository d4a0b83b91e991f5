package sandboxclient

import (
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"
)

// Client talks to one backend with one key. It is safe for concurrent use and
// holds nothing that needs closing.
type Client struct {
	apiKey    string
	endpoint  *endpoint
	http      *http.Client
	logger    *slog.Logger
	userAgent string

	requestTimeout time.Duration
	startupWait    time.Duration
	fileIdle       time.Duration
	streamIdle     time.Duration
}

// New makes a client. apiKey is the account's key; opts nil means the hosted
// E2B service. Nothing is sent. Every error is a CodeInvalidArgument.
func New(apiKey string, opts *Options) (*Client, error) {
	if opts == nil {
		opts = &Options{}
	}
	if err := checkKey(apiKey); err != nil {
		return nil, err
	}
	end, err := newEndpoint(opts)
	if err != nil {
		return nil, invalidArgument("new client", err)
	}
	return &Client{
		apiKey:         apiKey,
		endpoint:       end,
		http:           newHTTPClient(opts.HTTPClient, opts.Header),
		logger:         orDiscard(opts.Logger),
		userAgent:      strings.TrimSpace(opts.UserAgent + " " + ownUserAgent()),
		requestTimeout: orDefault(opts.RequestTimeout, defaultRequestTimeout),
		startupWait:    orDefault(opts.StartupWait, defaultStartupWait),
		fileIdle:       orDefault(opts.IdleTimeout, fileIdleTimeout),
		streamIdle:     orDefault(opts.IdleTimeout, streamIdleTimeout),
	}, nil
}

// NewFromEnv makes a client from <prefix>_API_KEY, <prefix>_API_URL,
// <prefix>_DOMAIN and <prefix>_SANDBOX_URL; what opts sets wins. With the
// prefix "E2B" these are the variables of the E2B SDKs.
func NewFromEnv(prefix string, opts *Options) (*Client, error) {
	filled := Options{}
	if opts != nil {
		filled = *opts
	}
	for _, v := range []struct {
		field *string
		name  string
	}{
		{&filled.APIURL, "_API_URL"},
		{&filled.Domain, "_DOMAIN"},
		{&filled.SandboxURL, "_SANDBOX_URL"},
	} {
		if *v.field == "" {
			*v.field = os.Getenv(prefix + v.name)
		}
	}
	key := os.Getenv(prefix + "_API_KEY")
	if key == "" {
		return nil, &Error{Op: "new client", Code: CodeInvalidArgument, Message: prefix + "_API_KEY is not set"}
	}
	return New(key, &filled)
}

func checkKey(key string) error {
	message := ""
	switch {
	case key == "":
		message = "the API key is empty"
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		message = "the API key holds a blank, a line break or a character that is not ASCII"
	default:
		return nil
	}
	return &Error{Op: "new client", Code: CodeInvalidArgument, Message: message}
}

func orDiscard(l *slog.Logger) *slog.Logger {
	if l == nil {
		return slog.New(slog.DiscardHandler)
	}
	return l
}
