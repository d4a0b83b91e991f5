package fcdeploy

// The s.yaml of Serverless Devs v3 with the component fc3: field names as in
// that component's schema.
type sProject struct {
	Edition   string               `yaml:"edition"`
	Name      string               `yaml:"name"`
	Access    string               `yaml:"access"`
	Resources map[string]sResource `yaml:"resources"`
}

type sResource struct {
	Component string `yaml:"component"`
	Props     sProps `yaml:"props"`
}

type sProps struct {
	Region                string            `yaml:"region"`
	FunctionName          string            `yaml:"functionName"`
	Description           string            `yaml:"description"`
	Runtime               string            `yaml:"runtime"`
	CPU                   float64           `yaml:"cpu"`
	MemorySize            int               `yaml:"memorySize"`
	DiskSize              int               `yaml:"diskSize"`
	Timeout               int               `yaml:"timeout"`
	InstanceConcurrency   int               `yaml:"instanceConcurrency"`
	Code                  string            `yaml:"code"` // a zip is uploaded as it is
	Handler               string            `yaml:"handler"`
	CustomRuntimeConfig   sRuntime          `yaml:"customRuntimeConfig"`
	SessionAffinity       string            `yaml:"sessionAffinity"`
	SessionAffinityConfig *affinityConfig   `yaml:"sessionAffinityConfig,omitempty"`
	Environment           map[string]string `yaml:"environmentVariables"`
	Triggers              []sTrigger        `yaml:"triggers"`
	CustomDomain          *sDomain          `yaml:"customDomain,omitempty"`
}

type sRuntime struct {
	Command []string `yaml:"command"`
	Port    int      `yaml:"port"`
}

type sTrigger struct {
	Name      string        `yaml:"triggerName"`
	Type      string        `yaml:"triggerType"`
	Qualifier string        `yaml:"qualifier"`
	Config    triggerConfig `yaml:"triggerConfig"`
}

type sDomain struct {
	Name     string `yaml:"domainName"`
	Protocol string `yaml:"protocol"`
	Route    sRoute `yaml:"route"`
}

type sRoute struct {
	Path      string `yaml:"path"`
	Qualifier string `yaml:"qualifier"`
}

const serverlessHeader = `# Written by "abx mcp deploy" for Serverless Devs (component fc3): s deploy -y
# Secrets are read from your environment, or from a .env file beside this one.
`

func (s *Spec) serverlessDevs() ([]byte, error) {
	props := sProps{
		Region: s.Region, FunctionName: s.Name, Description: Description, Runtime: s.Runtime,
		CPU: s.CPU, MemorySize: s.MemoryMB, DiskSize: s.DiskMB, Timeout: s.timeoutSeconds(),
		InstanceConcurrency: s.InstanceConcurrency, Code: "./" + codeName, Handler: s.Handler,
		CustomRuntimeConfig: sRuntime{Command: s.startCommand(), Port: s.Port},
		SessionAffinity:     string(s.Affinity),
		Environment:         s.environmentRefs(func(name string) string { return "${env('" + name + "')}" }),
		Triggers:            []sTrigger{{Name: s.Trigger.Name, Type: "http", Qualifier: qualifier, Config: s.Trigger.config()}},
	}
	if s.Affinity != AffinityNone {
		config := s.Session.config()
		props.SessionAffinityConfig = &config
	}
	if s.Domain != nil {
		// The certificate stays out of the file: the component keeps the one that is online.
		props.CustomDomain = &sDomain{Name: s.Domain.Name, Protocol: "HTTP", Route: sRoute{Path: "/*", Qualifier: qualifier}}
	}
	return marshalYAML(serverlessHeader, &sProject{
		Edition: "3.0.0", Name: s.Name, Access: "default",
		Resources: map[string]sResource{"mcp": {Component: "fc3", Props: props}},
	})
}

// startCommand is Command, spelled out.
func (s *Spec) startCommand() []string {
	if command := s.Command(); command != nil {
		return command
	}
	return []string{"/code/" + bootstrapName}
}
