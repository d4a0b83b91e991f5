// Package deploy implements `abx mcp deploy`.
package deploy

import (
	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/deploy/fcflags"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// Options of the command.
type Options struct {
	FC fcflags.Flags

	// What is done.
	OutputDir string
	Plan      bool
	Apply     bool
	Adopt     bool
	NoSmoke   bool

	// The program.
	Binary string
	Source string
	Flavor string

	// The function.
	Name               string
	Template           string
	Memory             int
	CPU                float64
	Timeout            int // seconds
	MinInstances       int
	EnableAffinity     bool
	NoAffinity         bool
	Affinity           string
	SessionConcurrency int
	CustomDomain       string
	DomainCert         string
	DomainKey          string
	Env                []string

	// Secrets.
	AuthTokenFile string
	GenerateToken bool
	SandboxAPIKey string
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "deploy",
		Short: "Deploy the MCP server to Alibaba Cloud Function Compute",
		Long: heredoc.Doc(`
			Writes a directory that can be deployed: the server as a static Linux
			program, code.zip, config.yaml, s.yaml for Serverless Devs, a README
			and a RAM policy. Then it prints the steps, and the configuration for
			an MCP client.

			--plan shows what differs between that and what is deployed; --apply
			makes it so: function, HTTP trigger, session affinity, custom domain
			and warm instances. It waits until the function is ready and tests it
			over MCP. Applying the same again changes nothing.

			Clients send a bearer token: from --auth-token-file, --generate-token
			(kept in OUTPUT-DIR/.env, mode 0600) or ABX_MCP_AUTH_TOKEN. No other
			file and no output holds a secret.

			Credentials of Alibaba Cloud: ALIBABA_CLOUD_ACCESS_KEY_ID and _SECRET,
			OIDC, the aliyun CLI's profile, ~/.alibabacloud/credentials, a
			credentials URI; an ECS role only with --ecs-ram-role.

			With --json: {artifact{dir, files, code_checksum, binary}, token_file,
			steps, plan[{action, resource, changes}], deployment, smoke,
			client_config}.
		`),
		Example: heredoc.Doc(`
			$ abx mcp deploy --generate-token --output-dir ./mcp-artifact
			$ abx mcp deploy --generate-token --plan
			$ abx mcp deploy --generate-token --apply
			$ abx mcp deploy --region us-west-1 --custom-domain mcp.example.com --apply
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fcflags.Explain(run(cmd.Context(), f, o))
		},
	}
	o.addFlags(cmd)
	o.addFunctionFlags(cmd)
	o.FC.Add(cmd)
	cmdutil.AddBackendFlags(cmd, f)
	return cmd
}

func (o *Options) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.OutputDir, "output-dir", "mcp-artifact", "`DIR` to write: new, empty, or written by this command before")
	flags.BoolVar(&o.Plan, "plan", false, "show what would change on FC and change nothing")
	flags.BoolVar(&o.Apply, "apply", false, "deploy")
	flags.BoolVar(&o.Adopt, "adopt", false, "take over a function of this name that abx did not make")
	flags.BoolVar(&o.NoSmoke, "no-smoke", false, "do not test the endpoint after --apply")
	flags.StringVar(&o.Binary, "binary", "", "Linux `FILE` of abx to deploy, instead of this program or one built from source")
	flags.StringVar(&o.Source, "source", "", "`DIR` of abx's source, to build the Linux program from")
	flags.StringVar(&o.Flavor, "flavor", string(fcdeploy.FlavorBinary), "binary, or python: app.py and requirements.txt that start the same program")
	flags.StringVar(&o.AuthTokenFile, "auth-token-file", "", "`FILE` with the bearer token that clients send")
	flags.BoolVar(&o.GenerateToken, "generate-token", false, "make a bearer token, or use the one made before")
	flags.StringVar(&o.SandboxAPIKey, "sandbox-api-key", "", "same as --api-key")
}

func (o *Options) addFunctionFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.Name, "name", fcdeploy.DefaultName, "`NAME` of the function")
	flags.StringVarP(&o.Template, "template", "t", fcdeploy.DefaultTemplate, "sandbox `TEMPLATE` to use when none is named")
	flags.IntVar(&o.Memory, "memory", fcdeploy.DefaultMemoryMB, "memory in `MB`, a multiple of 64")
	flags.Float64Var(&o.CPU, "cpu", 0, "`vCPU` in steps of 0.05, 1 to 4 GB of memory each (default: what fits the memory)")
	flags.IntVar(&o.Timeout, "timeout", int(fcdeploy.DefaultTimeout.Seconds()), "`SECONDS` that one request may take; an open event stream is one")
	flags.IntVar(&o.MinInstances, "min-instances", 0, "`N` instances that are kept warm, at their price")
	flags.BoolVar(&o.EnableAffinity, "enable-session-affinity", false, "keep a session on its instance (default with FC 3.0)")
	flags.BoolVar(&o.NoAffinity, "no-session-affinity", false, "let any instance serve any request, with session state in the sandbox backend")
	flags.StringVar(&o.Affinity, "affinity", "", "session affinity by its `NAME`: MCP_STREAMABLE or NONE")
	flags.IntVar(&o.SessionConcurrency, "session-concurrency", 0, "`N` sessions in one instance (default 20)")
	flags.StringVar(&o.CustomDomain, "custom-domain", "", "`HOST` to route to the function; a CNAME to the account's FC host")
	flags.StringVar(&o.DomainCert, "domain-cert", "", "PEM `FILE` of the domain's certificate; without one it is plain HTTP")
	flags.StringVar(&o.DomainKey, "domain-key", "", "PEM `FILE` of its private key")
	flags.StringArrayVar(&o.Env, "env", nil, "`NAME=VALUE` for the function, or NAME to take it from the environment; may be repeated")
}
