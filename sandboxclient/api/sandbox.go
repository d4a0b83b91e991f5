package api

import "time"

// NewSandbox is the body of POST /sandboxes. Only TemplateID is required.
type NewSandbox struct {
	// TemplateID is a template id, alias, "namespace/alias", an optional
	// ":tag", or a snapshot id.
	TemplateID string `json:"templateID"`
	// Timeout is the life of the sandbox in seconds. A server that gets none
	// takes 15, so a client always sends it.
	Timeout int32 `json:"timeout,omitempty"`
	// Secure asks for an access token; a server that gets none takes false.
	Secure *bool `json:"secure,omitempty"`
	// AllowInternetAccess is snake_case on the wire, unlike its neighbours.
	AllowInternetAccess *bool             `json:"allow_internet_access,omitempty"`
	AutoPause           bool              `json:"autoPause,omitempty"`
	AutoPauseMemory     *bool             `json:"autoPauseMemory,omitempty"`
	AutoResume          *AutoResume       `json:"autoResume,omitempty"`
	Metadata            map[string]string `json:"metadata,omitempty"`
	EnvVars             map[string]string `json:"envVars,omitempty"`
	Network             *Network          `json:"network,omitempty"`
	VolumeMounts        []VolumeMount     `json:"volumeMounts,omitempty"`
	MCP                 map[string]any    `json:"mcp,omitempty"`
}

// AutoResume says whether traffic wakes a paused sandbox.
type AutoResume struct {
	Enabled bool `json:"enabled"`
}

// Network restricts what a sandbox can reach and who can reach it.
type Network struct {
	// AllowPublicTraffic false demands a traffic token on every port but
	// envd's; unset means true.
	AllowPublicTraffic *bool          `json:"allowPublicTraffic,omitempty"`
	AllowOut           []string       `json:"allowOut,omitempty"`
	DenyOut            []string       `json:"denyOut,omitempty"`
	EgressProxy        any            `json:"egressProxy,omitempty"`
	MaskRequestHost    string         `json:"maskRequestHost,omitempty"`
	Rules              map[string]any `json:"rules,omitempty"`
}

// NetworkUpdate is the body of PUT /sandboxes/{id}/network. It replaces the
// rules: what is left out is cleared.
type NetworkUpdate struct {
	AllowOut            []string       `json:"allowOut,omitempty"`
	DenyOut             []string       `json:"denyOut,omitempty"`
	Rules               map[string]any `json:"rules,omitempty"`
	AllowInternetAccess *bool          `json:"allow_internet_access,omitempty"`
}

// VolumeMount attaches a named volume at a path.
type VolumeMount struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// Sandbox is the answer to create, connect and resume.
type Sandbox struct {
	TemplateID string `json:"templateID"`
	SandboxID  string `json:"sandboxID"`
	// ClientID is deprecated, but required by the schema.
	ClientID    string `json:"clientID"`
	EnvdVersion string `json:"envdVersion"`
	Alias       string `json:"alias,omitempty"`
	// EnvdAccessToken is present only for a secure sandbox.
	EnvdAccessToken string `json:"envdAccessToken,omitempty"`
	// TrafficAccessToken is present only when public traffic is not allowed.
	TrafficAccessToken *string `json:"trafficAccessToken,omitempty"`
	// Domain overrides the domain that the client was configured with.
	Domain *string `json:"domain,omitempty"`
}

// State is the state of a sandbox. Servers may send values not named here.
type State string

// States that the protocol names.
const (
	StateRunning    State = "running"
	StatePaused     State = "paused"
	StateTerminated State = "terminated" // FC
)

// ListedSandbox is one element of the answer to GET /v2/sandboxes.
type ListedSandbox struct {
	TemplateID   string            `json:"templateID"`
	Alias        string            `json:"alias,omitempty"`
	SandboxID    string            `json:"sandboxID"`
	ClientID     string            `json:"clientID"`
	StartedAt    time.Time         `json:"startedAt"`
	EndAt        time.Time         `json:"endAt"`
	CPUCount     int32             `json:"cpuCount"`
	MemoryMB     int32             `json:"memoryMB"`
	DiskSizeMB   int32             `json:"diskSizeMB"`
	State        State             `json:"state"`
	EnvdVersion  string            `json:"envdVersion"`
	Metadata     map[string]string `json:"metadata,omitempty"`
	VolumeMounts []VolumeMount     `json:"volumeMounts,omitempty"`
}

// SandboxDetail is the answer to GET /sandboxes/{id}.
type SandboxDetail struct {
	ListedSandbox
	EnvdAccessToken     string     `json:"envdAccessToken,omitempty"`
	Domain              *string    `json:"domain,omitempty"`
	AllowInternetAccess *bool      `json:"allowInternetAccess,omitempty"`
	Network             *Network   `json:"network,omitempty"`
	Lifecycle           *Lifecycle `json:"lifecycle,omitempty"`
}

// Lifecycle says what happens at the end of life.
type Lifecycle struct {
	OnTimeout  string `json:"onTimeout,omitempty"` // "kill" or "pause"
	AutoResume bool   `json:"autoResume,omitempty"`
}
