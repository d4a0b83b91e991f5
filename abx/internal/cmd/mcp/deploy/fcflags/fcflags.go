// Package fcflags are the flags with which deploy and undeploy choose the API of
// Function Compute, and the driver that they make. Only these commands link the
// SDKs of Alibaba Cloud.
package fcflags

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/fcdeploy"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/fc2"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/fc3"
)

// Flags choose the API.
type Flags struct {
	API        string
	Endpoint   string
	AccountID  string
	ECSRAMRole bool
}

// Add adds the flags to a command.
func (o *Flags) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.API, "fc-api", string(fcdeploy.API3), "`VERSION` of the FC API: 3.0, or 2.0 for accounts that still use services (without session affinity)")
	flags.StringVar(&o.Endpoint, "endpoint", "", "`URL` of the FC API, instead of the region's")
	flags.StringVar(&o.AccountID, "account-id", "", "`NUMBER` of the account, needed with --fc-api 2.0")
	flags.BoolVar(&o.ECSRAMRole, "ecs-ram-role", false, "on an ECS instance: use the credentials of its RAM role")
}

// Check refuses what no call could make right.
func (o *Flags) Check(region string) error {
	if api := fcdeploy.API(o.API); api != fcdeploy.API3 && api != fcdeploy.API2 {
		return cmdutil.FlagErrorf("--fc-api %q: want 3.0 or 2.0", o.API)
	}
	if o.Endpoint != "" {
		return nil
	}
	return fcdeploy.CheckRegion(region)
}

// Driver makes a driver. Missing credentials are an AuthError.
func (o *Flags) Driver(region, version string) (fcdeploy.Driver, error) {
	driver, err := o.driver(region, version)
	if _, ok := errors.AsType[*fcdeploy.CredentialsError](err); ok {
		return nil, cmdutil.AuthErrorf("%w", err)
	}
	return driver, err
}

func (o *Flags) driver(region, version string) (fcdeploy.Driver, error) {
	if fcdeploy.API(o.API) == fcdeploy.API2 {
		return fc2.New(&fc2.Options{Region: region, AccountID: o.AccountID, Endpoint: o.Endpoint, ECSRAMRole: o.ECSRAMRole})
	}
	return fc3.New(&fc3.Options{Region: region, Endpoint: o.Endpoint, ECSRAMRole: o.ECSRAMRole, UserAgent: "abx/" + version})
}

// Explain gives errors of FC the exit code that scripts know them by.
func Explain(err error) error {
	if fcdeploy.IsUnauthenticated(err) {
		return cmdutil.AuthErrorf("%w", err)
	}
	return err
}
