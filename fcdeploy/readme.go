package fcdeploy

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed templates/README.md
var readmeText string

func (s *Spec) readme() []byte {
	start := "`/code/bootstrap`"
	if command := s.Command(); command != nil {
		start = "`" + strings.Join(command, " ") + "`, which starts it"
	}
	return []byte(strings.NewReplacer(
		"{{name}}", s.Name, "{{start}}", start, "{{port}}", strconv.Itoa(s.Port), "{{region}}", s.Region,
		"{{runtime}}", s.Runtime, "{{handler}}", s.Handler,
		"{{memory}}", strconv.Itoa(s.MemoryMB), "{{cpu}}", s.cpuText(), "{{disk}}", strconv.Itoa(s.DiskMB),
		"{{timeout}}", strconv.Itoa(s.timeoutSeconds()), "{{concurrency}}", strconv.Itoa(s.InstanceConcurrency),
		"{{affinity}}", string(s.Affinity), "{{affinity_note}}", s.affinityNote(),
		"{{trigger}}", s.Trigger.Name, "{{methods}}", strings.Join(s.Trigger.Methods, ", "), "{{auth}}", s.Trigger.AuthType,
		"{{serverless}}", s.serverlessStep(), "{{console}}", numbered("   ", s.ConsoleSteps()),
	).Replace(readmeText))
}

func (s *Spec) affinityNote() string {
	if s.Affinity == AffinityNone {
		return "Without affinity any instance may get any request of a session: the server keeps the state of sessions in the sandbox backend (`" +
			EnvSessionState + "=backend`), at the price of a lookup."
	}
	return "FC reads the `Mcp-Session-Id` of the answer to `initialize` and sends later requests with it to the same instance. FC documents this for protocol versions up to 2025-06-18, so the server offers those."
}

func (s *Spec) serverlessStep() string {
	if s.FCAPI == API2 {
		return "`s.yaml` describes the same function for FC 3.0 (the component `fc3` knows only that)."
	}
	return "`s deploy -y` in this directory (`s.yaml`, component `fc3`)."
}

// ConsoleSteps are the manual steps, one sentence each.
func (s Spec) ConsoleSteps() []string {
	s = s.WithDefaults()
	steps := []string{
		fmt.Sprintf("Create a function %s in %s with runtime %s and upload %s (it contains the start program).", s.Name, s.Region, s.Runtime, codeName),
		fmt.Sprintf("Set memory %d MB, %s vCPU, timeout %d s, instance concurrency %d, port %d%s.", s.MemoryMB, s.cpuText(), s.timeoutSeconds(), s.InstanceConcurrency, s.Port, s.commandText()),
		"Set the environment variables that config.yaml lists.",
		fmt.Sprintf("Create an HTTP trigger with %s and authentication %q.", strings.Join(s.Trigger.Methods, ", "), s.Trigger.AuthType),
	}
	if s.Affinity != AffinityNone {
		steps = append(steps, fmt.Sprintf("Turn on session affinity %s (header Mcp-Session-Id): %d sessions per instance, lifetime %d s, idle %d s.",
			s.Affinity, s.Session.PerInstance, s.Session.config().TTLSeconds, s.Session.config().IdleSeconds))
	}
	if s.Domain != nil {
		steps = append(steps, fmt.Sprintf("Point a CNAME of %s to <account id>.%s.fc.aliyuncs.com and route /* of the domain to the function.", s.Domain.Name, s.Region))
	}
	return steps
}

func (s *Spec) commandText() string {
	if command := s.Command(); command != nil {
		return ", start command " + strings.Join(command, " ")
	}
	return ""
}

func numbered(indent string, steps []string) string {
	lines := make([]string, len(steps))
	for i, step := range steps {
		lines[i] = fmt.Sprintf("%s%d. %s", indent, i+1, step)
	}
	return strings.Join(lines, "\n")
}
