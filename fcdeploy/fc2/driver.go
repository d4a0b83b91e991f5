// Package fc2 drives FC 2.0 through the vendor's older SDK, for accounts whose
// functions still live in services. It knows functions and HTTP triggers;
// session affinity, custom routing and scaling rules exist in FC 3.0 only.
package fc2

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	fc "github.com/aliyun/fc-go-sdk"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/internal/credential"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/internal/retry"
)

const (
	apiVersion     = "2016-08-15"
	requestTimeout = 280 // seconds; an upload takes its time
)

// Options say where and as whom; nil means the default region. Without an
// endpoint the account is needed, since FC 2.0 has a host for each.
type Options struct {
	Region     string
	AccountID  string // digits
	Endpoint   string // URL of the API, instead of the account's
	ECSRAMRole bool   // also ask the metadata service of ECS for credentials
	RetryDelay time.Duration
}

// Driver speaks FC 2.0. It implements [fcdeploy.Driver]. A function lives in a
// service of the same name. The SDK keeps its connections in package variables,
// so a process should have one Driver.
type Driver struct {
	client   *fc.Client
	conns    *connections
	identity string
	retry    retry.Policy
}

var _ fcdeploy.Driver = (*Driver)(nil)

// New finds credentials and makes a driver. It makes no call to FC.
func New(opts *Options) (*Driver, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if err := credential.CheckDebug(); err != nil {
		return nil, err
	}
	endpoint, err := o.endpoint()
	if err != nil {
		return nil, err
	}
	provider, err := credential.Find(o.ECSRAMRole)
	if err != nil {
		return nil, err
	}
	key, err := provider.GetCredentials()
	if err != nil {
		return nil, fmt.Errorf("get credentials: %w", err)
	}
	conns := &connections{}
	client, err := fc.NewClient(endpoint, apiVersion, key.AccessKeyId, key.AccessKeySecret,
		fc.WithSecurityToken(key.SecurityToken), fc.WithAccountID(o.AccountID), fc.WithTimeout(requestTimeout), fc.WithTransport(conns.transport()))
	if err != nil {
		return nil, fmt.Errorf("make FC client: %w", err)
	}
	return &Driver{client: client, conns: conns, identity: provider.String(), retry: retry.Policy{Delay: o.RetryDelay}}, nil
}

// endpoint always has a scheme: without one the SDK would speak plain HTTP.
func (o *Options) endpoint() (string, error) {
	region := o.Region
	if region == "" {
		region = fcdeploy.DefaultRegion
	}
	switch {
	case o.Endpoint == "" && o.AccountID == "":
		return "", &fcdeploy.FieldError{Field: "account-id", Problem: "FC 2.0 has a host for each account",
			Fix: "give the account's number, which the console shows at the top right"}
	case o.Endpoint == "":
		return fmt.Sprintf("https://%s.%s.fc.aliyuncs.com", o.AccountID, region), nil
	case strings.HasPrefix(o.Endpoint, "http://"), strings.HasPrefix(o.Endpoint, "https://"):
		return strings.TrimSuffix(o.Endpoint, "/"), nil
	}
	return "https://" + o.Endpoint, nil
}

// API implements [fcdeploy.Driver].
func (d *Driver) API() fcdeploy.API { return fcdeploy.API2 }

// Identity implements [fcdeploy.Driver].
func (d *Driver) Identity() string { return d.identity }

// call makes one call, repeated where that may help. The SDK knows no context:
// when it ends, the connections are closed under the call.
func (d *Driver) call(ctx context.Context, action string, f func() error) error {
	return d.retry.Do(ctx, func(ctx context.Context) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		stop := context.AfterFunc(ctx, d.conns.close)
		defer stop()
		err := f()
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w", action, ctx.Err())
		}
		return apiError(action, err)
	})
}

func apiError(action string, err error) error {
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*fc.ServiceError](err)
	if !ok {
		return &fcdeploy.APIError{Action: action, Err: err}
	}
	code := e.ErrorCode
	if e.HTTPStatus == http.StatusForbidden && code == "" {
		code = "AccessDenied"
	}
	return &fcdeploy.APIError{Action: action, Status: e.HTTPStatus, Code: code, Message: e.ErrorMessage, RequestID: e.RequestID}
}
