package fcdeploy

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
)

// Defaults of a [Spec].
const (
	DefaultName                = "agent-sandbox-mcp"
	DefaultRegion              = "cn-hangzhou"
	DefaultTemplate            = "base"
	DefaultRuntime             = "custom.debian12"
	DefaultHandler             = "index.handler" // FC wants one even where nothing calls it
	DefaultMemoryMB            = 512
	DefaultDiskMB              = 512
	DefaultTimeout             = 600 * time.Second
	DefaultPort                = 9000 // FC's own default for custom runtimes
	DefaultInstanceConcurrency = 100
	DefaultTriggerName         = "httpTrigger"

	defaultCPU                         = 0.5
	defaultSessionsPerInstance         = 20
	defaultSessionTTL                  = 6 * time.Hour
	defaultSessionIdle                 = 30 * time.Minute
	cpuStep                            = 0.05
	minMemoryPerCPU                    = 1.0 // GB per vCPU
	maxMemoryPerCPU                    = 4.0
	megabytesPerGigabyte       float64 = 1024
)

// Flavor picks the entry point of the artifact.
type Flavor string

// The flavors. Both run the same binary.
const (
	FlavorBinary Flavor = "binary" // FC starts /code/bootstrap
	FlavorPython Flavor = "python" // FC starts app.py, which replaces itself by the binary
)

// Spec is the wanted deployment. The zero value of a field means its default.
type Spec struct {
	Name     string // of the function
	Region   string
	Flavor   Flavor
	FCAPI    API
	Runtime  string
	Handler  string
	MemoryMB int           // a multiple of 64
	CPU      float64       // vCPU, in steps of 0.05
	DiskMB   int           // 512 or 10240
	Timeout  time.Duration // of one request, whole seconds; an open event stream is one request
	Port     int           // that the server listens on

	InstanceConcurrency int // requests at once in one instance
	Affinity            Affinity
	Session             SessionLimits
	MinInstances        int // kept warm, and paid for; 0: none

	Trigger Trigger
	Domain  *CustomDomain // nil: FC's own host name only

	Server ServerSettings
	Env    map[string]string // further environment variables of the function
}

// ServerSettings is what the server reads from its environment.
type ServerSettings struct {
	Template      string
	SandboxAPIKey Secret
	AuthToken     Secret // clients send it as a bearer token
	BaseURL       string // of the sandbox API
	SandboxDomain string
	SandboxURL    string // one URL for every sandbox, in place of the domain
	Backend       string // kind of the backend; "" is the server's default
}

// CustomDomain routes a host name of the user to the function. It must be a
// CNAME to the account's FC endpoint before FC accepts it.
type CustomDomain struct {
	Name        string
	Certificate []byte // PEM; with PrivateKey it turns HTTPS on
	PrivateKey  Secret // PEM
}

// Protocol is the one that the domain is served with.
func (d *CustomDomain) Protocol() string {
	if len(d.Certificate) > 0 {
		return "HTTPS"
	}
	return "HTTP"
}

// WithDefaults returns a copy of s with every empty field filled in.
func (s Spec) WithDefaults() Spec {
	setDefault(&s.Name, DefaultName)
	setDefault(&s.Region, DefaultRegion)
	setDefault(&s.Flavor, FlavorBinary)
	setDefault(&s.FCAPI, API3)
	setDefault(&s.Runtime, DefaultRuntime)
	setDefault(&s.Handler, DefaultHandler)
	setDefault(&s.MemoryMB, DefaultMemoryMB)
	setDefault(&s.CPU, cpuFor(s.MemoryMB))
	setDefault(&s.DiskMB, DefaultDiskMB)
	setDefault(&s.Timeout, DefaultTimeout)
	setDefault(&s.Port, DefaultPort)
	setDefault(&s.InstanceConcurrency, DefaultInstanceConcurrency)
	setDefault(&s.Affinity, s.FCAPI.defaultAffinity())
	setDefault(&s.Session.PerInstance, defaultSessionsPerInstance)
	setDefault(&s.Session.TTL, defaultSessionTTL)
	setDefault(&s.Session.Idle, defaultSessionIdle)
	setDefault(&s.Server.Template, DefaultTemplate)
	s.Trigger = s.Trigger.withDefaults()
	s.Env = maps.Clone(s.Env)
	return s
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// cpuFor is half a vCPU, moved to where FC allows it for this much memory
// (1 to 4 GB per vCPU, steps of 0.05).
func cpuFor(memoryMB int) float64 {
	gigabytes := float64(memoryMB) / megabytesPerGigabyte
	most := math.Floor(gigabytes/minMemoryPerCPU/cpuStep+1e-9) * cpuStep
	least := math.Ceil(gigabytes/maxMemoryPerCPU/cpuStep-1e-9) * cpuStep
	cpu := min(max(defaultCPU, least), most)
	return math.Round(cpu*100) / 100
}

// Command is what FC starts; empty means /code/bootstrap, as FC does by itself.
func (s *Spec) Command() []string {
	if s.Flavor == FlavorPython {
		return []string{"python3", "/code/app.py"}
	}
	return nil
}

func (s *Spec) timeoutSeconds() int { return int(s.Timeout / time.Second) }

func (s *Spec) cpuText() string { return strconv.FormatFloat(s.CPU, 'f', -1, 64) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
