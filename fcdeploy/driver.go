package fcdeploy

import "context"

// Driver is one generation of FC's management API, in the words of this
// package. Its errors are [*APIError] where the service answered. Calls may be
// repeated by the driver when the service is throttled or unavailable: a create
// whose answer was lost therefore ends with [IsConflict].
type Driver interface {
	API() API
	Identity() string // whose credentials are used, without secrets

	Function(ctx context.Context, name string) (*Function, error)
	CreateFunction(ctx context.Context, f *Function, zip []byte) error
	UpdateFunction(ctx context.Context, f *Function, zip []byte) error // nil zip: the code stays
	DeleteFunction(ctx context.Context, name string) error

	HTTPTriggers(ctx context.Context, function string) ([]*TriggerState, error)
	CreateTrigger(ctx context.Context, function string, t *TriggerState) error
	UpdateTrigger(ctx context.Context, function string, t *TriggerState) error
	DeleteTrigger(ctx context.Context, function, trigger string) error
}

// DomainDriver is a [Driver] that can route custom domains.
type DomainDriver interface {
	CustomDomain(ctx context.Context, name string) (*DomainState, error)
	CreateDomain(ctx context.Context, d *DomainState) error
	UpdateDomain(ctx context.Context, d *DomainState) error
	DeleteDomain(ctx context.Context, name string) error
}

// ScalingDriver is a [Driver] that can keep instances warm.
type ScalingDriver interface {
	MinInstances(ctx context.Context, function string) (int, error)
	SetMinInstances(ctx context.Context, function string, n int) error // 0 removes the rule
}

// Function is a function as FC has it. What a generation does not know is zero.
type Function struct {
	Name                string
	ARN                 string // acs:fc:<region>:<account id>:functions/<name>
	Description         string
	Runtime             string
	Handler             string
	CPU                 float64
	MemoryMB            int
	DiskMB              int
	TimeoutSeconds      int
	InstanceConcurrency int
	Port                int
	Command             []string // empty: /code/bootstrap
	Environment         map[string]string
	Affinity            Affinity
	AffinityConfig      string // JSON
	Checksum            string // of the code, see [Code].CRC64
	Status              Status
}

// Status says how far FC is with a function.
type Status struct {
	Ready  bool
	Failed bool
	Reason string // of a failure
}

// TriggerState is an HTTP trigger as FC has it.
type TriggerState struct {
	Name   string
	ID     string
	Config string // JSON
	URL    string // "" until FC has assigned one
}

// DomainState is a custom domain as FC has it.
type DomainState struct {
	Name        string
	Protocol    string // HTTP, HTTPS or "HTTP,HTTPS"
	Routes      []Route
	Certificate string // PEM; "" keeps what is online
	PrivateKey  Secret // never read back
}

// Route sends a path of a domain to a function.
type Route struct {
	Path     string
	Function string
	Native   any // the driver's own form of a route that was read, kept as it is
}
