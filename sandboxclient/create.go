package sandboxclient

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// DefaultSandboxTimeout is the life of a sandbox whose create names none.
const DefaultSandboxTimeout = 300 * time.Second

// CreateOptions describe a new sandbox; nil is a secure sandbox of the
// template "base" that lives 300 seconds.
type CreateOptions struct {
	// Template is an id, alias, "namespace/alias", optional ":tag", or a
	// snapshot id; "" is "base".
	Template string
	// Timeout is the life of the sandbox, rounded up to whole seconds; 0 is
	// DefaultSandboxTimeout. A life that the backend does not allow is its
	// own clear error.
	Timeout time.Duration
	// Envs are set for every process of the sandbox.
	Envs map[string]string
	// Metadata is kept with the sandbox and can be filtered by.
	Metadata map[string]string
	// Insecure makes a sandbox without an access token: whoever knows its
	// address can use it. Signed URLs on FC need it.
	Insecure bool
	// AllowInternetAccess nil leaves it to the backend, which allows it.
	AllowInternetAccess *bool
	// AutoPause pauses the sandbox at the end of its life, instead of
	// killing it.
	AutoPause bool
	// AutoPauseMemory false drops the memory at that pause; nil keeps it.
	AutoPauseMemory *bool
	// AutoResume wakes a paused sandbox on traffic.
	AutoResume bool
	// Network restricts traffic in both directions.
	Network *api.Network
	// VolumeMounts attaches volumes (not on FC).
	VolumeMounts []api.VolumeMount
	// MCP configures E2B's MCP gateway (not on FC).
	MCP map[string]any
}

// Create makes a sandbox. It is sent once more only when it surely was not
// carried out (connection refused, 429 that names a time). A sandbox may exist
// after a lost answer or any 5xx, which are CodeOutcomeUnknown, and when ctx
// ends the call.
func (c *Client) Create(ctx context.Context, opts *CreateOptions) (*Sandbox, error) {
	const op = "create sandbox"
	if opts == nil {
		opts = &CreateOptions{}
	}
	body, err := opts.wire()
	if err != nil {
		return nil, invalidArgument(op, err)
	}
	var answer api.Sandbox
	err = c.do(ctx, &controlCall{
		op: op, method: http.MethodPost, path: api.PathSandboxes, resource: ResourceTemplate,
		body: body, answer: &answer, timeout: max(createTimeout, c.requestTimeout),
	})
	if err != nil {
		return nil, err
	}
	return c.sandbox(op, &answer)
}

func (o *CreateOptions) wire() (*api.NewSandbox, error) {
	seconds, err := lifeSeconds(orDefault(o.Timeout, DefaultSandboxTimeout))
	if err != nil {
		return nil, err
	}
	if err := checkEnvs(o.Envs); err != nil {
		return nil, err
	}
	secure := !o.Insecure
	body := &api.NewSandbox{
		TemplateID: o.Template, Timeout: seconds, Secure: &secure,
		AllowInternetAccess: o.AllowInternetAccess,
		AutoPause:           o.AutoPause, AutoPauseMemory: o.AutoPauseMemory,
		Metadata: o.Metadata, EnvVars: o.Envs, Network: o.Network,
		VolumeMounts: o.VolumeMounts, MCP: o.MCP,
	}
	if body.TemplateID == "" {
		body.TemplateID = "base"
	}
	if o.AutoResume {
		body.AutoResume = &api.AutoResume{Enabled: true}
	}
	return body, nil
}

// lifeSeconds rounds a life up to the whole seconds of the control plane.
func lifeSeconds(d time.Duration) (int32, error) {
	if d < 0 {
		return 0, fmt.Errorf("timeout %v is negative", d)
	}
	seconds := (d + time.Second - 1) / time.Second
	if seconds > math.MaxInt32 {
		return 0, fmt.Errorf("timeout %v is longer than the protocol can say", d)
	}
	return int32(seconds), nil
}
