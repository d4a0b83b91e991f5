package fcdeploy

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// manifest is config.yaml: what was generated, for people and for scripts. It
// is not an API payload.
type manifest struct {
	FunctionName string            `yaml:"function_name"`
	Region       string            `yaml:"region"`
	Runtime      string            `yaml:"runtime"`
	Handler      string            `yaml:"handler"`
	Memory       int               `yaml:"memory"`
	Timeout      int               `yaml:"timeout"`
	Environment  map[string]string `yaml:"environment_variables"`
	HTTPTrigger  manifestTrigger   `yaml:"http_trigger"`
	CustomDomain *manifestDomain   `yaml:"custom_domain,omitempty"`

	FCAPI               string          `yaml:"fc_api"`
	Flavor              string          `yaml:"flavor"`
	CPU                 float64         `yaml:"cpu"`
	Disk                int             `yaml:"disk"`
	Port                int             `yaml:"port"`
	Command             []string        `yaml:"command,omitempty"`
	InstanceConcurrency int             `yaml:"instance_concurrency"`
	Session             manifestSession `yaml:"session"`
	MinInstances        int             `yaml:"min_instances,omitempty"`
	Code                manifestCode    `yaml:"code"`
}

type manifestTrigger struct {
	Name                  string   `yaml:"name"`
	Methods               []string `yaml:"methods"`
	EnableSessionAffinity bool     `yaml:"enable_session_affinity"`
	AuthType              string   `yaml:"auth_type"`
	DisableInternetURL    bool     `yaml:"disable_internet_url"`
}

type manifestDomain struct {
	Name     string `yaml:"name"`
	Protocol string `yaml:"protocol"`
	Path     string `yaml:"path"`
}

type manifestSession struct {
	Affinity    string `yaml:"affinity"`
	PerInstance int    `yaml:"concurrency_per_instance,omitempty"`
	TTLSeconds  int    `yaml:"ttl_seconds,omitempty"`
	IdleSeconds int    `yaml:"idle_timeout_seconds,omitempty"`
}

type manifestCode struct {
	File    string `yaml:"file"`
	Size    int    `yaml:"size"`
	CRC64   string `yaml:"crc64"`
	SHA256  string `yaml:"sha256"`
	Content string `yaml:"content_sha256"`
}

const manifestHeader = `# Written by "abx mcp deploy"; run it again to change it.
# ${NAME} stands for a variable of your environment; no secret is in this file.
`

func (s *Spec) manifest(code *Code) ([]byte, error) {
	m := &manifest{
		FunctionName: s.Name, Region: s.Region, Runtime: s.Runtime, Handler: s.Handler,
		Memory: s.MemoryMB, Timeout: s.timeoutSeconds(),
		Environment: s.environmentRefs(func(name string) string { return "${" + name + "}" }),
		HTTPTrigger: manifestTrigger{
			Name: s.Trigger.Name, Methods: s.Trigger.Methods, EnableSessionAffinity: s.Affinity != AffinityNone,
			AuthType: s.Trigger.AuthType, DisableInternetURL: s.Trigger.DisableInternetURL,
		},
		FCAPI: string(s.FCAPI), Flavor: string(s.Flavor), CPU: s.CPU, Disk: s.DiskMB, Port: s.Port, Command: s.Command(),
		InstanceConcurrency: s.InstanceConcurrency, Session: s.manifestSession(), MinInstances: s.MinInstances,
		Code: manifestCode{File: codeName, Size: len(code.Zip), CRC64: code.CRC64, SHA256: code.SHA256, Content: code.Content},
	}
	if s.Domain != nil {
		m.CustomDomain = &manifestDomain{Name: s.Domain.Name, Protocol: s.Domain.Protocol(), Path: "/*"}
	}
	return marshalYAML(manifestHeader, m)
}

func (s *Spec) manifestSession() manifestSession {
	if s.Affinity == AffinityNone {
		return manifestSession{Affinity: string(s.Affinity)}
	}
	c := s.Session.config()
	return manifestSession{Affinity: string(s.Affinity), PerInstance: c.PerInstance, TTLSeconds: c.TTLSeconds, IdleSeconds: c.IdleSeconds}
}

func marshalYAML(header string, value any) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(header)
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode yaml: %w", err)
	}
	return out.Bytes(), nil
}
