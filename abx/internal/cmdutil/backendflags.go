package cmdutil

import (
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
)

var backendFlags = []struct {
	name, usage string
	key         config.Key
}{
	{"backend", "backend `KIND`: fc, e2b or local", config.Backend},
	{"api-key", "API `KEY` of the backend (seen by other users in process lists: prefer ABX_SANDBOX_API_KEY)", config.APIKey},
	{"base-url", "`URL` of the backend's API", config.BaseURL},
	{"domain", "`DOMAIN` under which sandboxes are reached", config.Domain},
	{"sandbox-url", "one `URL` that reaches every sandbox (a gateway or a local backend)", config.SandboxURL},
}

// AddBackendFlags adds the flags that choose the backend.
func AddBackendFlags(cmd *cobra.Command, f *Factory) {
	for _, b := range backendFlags {
		cmd.Flags().Var(overrideFlag{f, b.key}, b.name, b.usage)
	}
	cmd.Flags().BoolVar(&f.AllowInsecureBackend, "allow-insecure-backend", false, "send the key over plain http to a host that is not this machine")
}

// AddTemplateFlag adds --template.
func AddTemplateFlag(cmd *cobra.Command, f *Factory) {
	cmd.Flags().VarP(overrideFlag{f, config.Template}, "template", "t", "sandbox `TEMPLATE` to use when none is named")
	_ = cmd.RegisterFlagCompletionFunc("template", completeTemplates(f)) // fails only for a flag that is not there
}

// overrideFlag stores a flag's value as a setting that beats all others.
type overrideFlag struct {
	f   *Factory
	key config.Key
}

// String implements pflag.Value; secrets have no default to show.
func (o overrideFlag) String() string { return "" }

// Type implements pflag.Value.
func (o overrideFlag) Type() string { return "string" }

// Set implements pflag.Value.
func (o overrideFlag) Set(value string) error {
	if err := o.key.Validate(value); err != nil {
		return err
	}
	if o.f.Overrides == nil {
		o.f.Overrides = config.Overrides{}
	}
	o.f.Overrides[o.key] = value
	return nil
}

// RegionFlag is the value of the global --region.
func RegionFlag(f *Factory) interface {
	String() string
	Set(string) error
	Type() string
} {
	return overrideFlag{f, config.Region}
}
