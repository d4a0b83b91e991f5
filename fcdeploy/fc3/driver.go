// Package fc3 drives FC 3.0 through the vendor's SDK. It stands apart from
// package fcdeploy so that only who deploys links the SDK.
package fc3

import (
	"context"
	"fmt"
	"strings"
	"time"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/utils"
	fc "github.com/alibabacloud-go/fc-20230330/v4/client"
	"github.com/alibabacloud-go/tea/dara"
	"github.com/aliyun/credentials-go/credentials"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/internal/credential"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/internal/retry"
)

const (
	connectTimeout = 30 * time.Second
	readTimeout    = 280 * time.Second // the service drops an upload at about 300 s
	qualifier      = "LATEST"
)

// Options say where and as whom; nil means FC's host of the default region and
// the credentials of the environment.
type Options struct {
	Region     string
	Endpoint   string // URL or host of the API, instead of the region's
	UserAgent  string
	ECSRAMRole bool          // also ask the metadata service of ECS for credentials
	RetryDelay time.Duration // before the first repetition of a call; default 1 s
}

// Driver speaks FC 3.0. It implements [fcdeploy.Driver], [fcdeploy.DomainDriver]
// and [fcdeploy.ScalingDriver].
type Driver struct {
	client   *fc.Client
	identity string
	retry    retry.Policy
}

var (
	_ fcdeploy.Driver        = (*Driver)(nil)
	_ fcdeploy.DomainDriver  = (*Driver)(nil)
	_ fcdeploy.ScalingDriver = (*Driver)(nil)
)

// New finds credentials and makes a driver. It makes no call to FC.
func New(opts *Options) (*Driver, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Region == "" {
		o.Region = fcdeploy.DefaultRegion
	}
	if err := credential.CheckDebug(); err != nil {
		return nil, err
	}
	provider, err := credential.Find(o.ECSRAMRole)
	if err != nil {
		return nil, err
	}
	protocol, host := address(o.Endpoint, o.Region)
	client, err := fc.NewClient(&openapi.Config{
		Credential: credentials.FromCredentialsProvider(provider.GetProviderName(), provider),
		RegionId:   dara.String(o.Region), Endpoint: dara.String(host), Protocol: dara.String(protocol), UserAgent: dara.String(o.UserAgent),
		ConnectTimeout: milliseconds(connectTimeout), ReadTimeout: milliseconds(readTimeout),
	})
	if err != nil {
		return nil, fmt.Errorf("make FC client: %w", err)
	}
	return &Driver{client: client, identity: provider.String(), retry: retry.Policy{Delay: o.RetryDelay}}, nil
}

func address(endpoint, region string) (protocol, host string) {
	if endpoint == "" {
		endpoint = fcdeploy.Endpoint(region)
	}
	if host, ok := strings.CutPrefix(endpoint, "http://"); ok {
		return "HTTP", strings.TrimSuffix(host, "/")
	}
	return "HTTPS", strings.TrimSuffix(strings.TrimPrefix(endpoint, "https://"), "/")
}

func milliseconds(d time.Duration) *int { return dara.Int(int(d.Milliseconds())) }

// API implements [fcdeploy.Driver].
func (d *Driver) API() fcdeploy.API { return fcdeploy.API3 }

// Identity implements [fcdeploy.Driver].
func (d *Driver) Identity() string { return d.identity }

// call makes one call of the API, repeated where that may help, and turns its
// error into an [fcdeploy.APIError]. The SDK wants a map for headers.
func (d *Driver) call(ctx context.Context, action string, f func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error) error {
	return d.retry.Do(ctx, func(ctx context.Context) error {
		return apiError(action, f(ctx, map[string]*string{}, &dara.RuntimeOptions{}))
	})
}
