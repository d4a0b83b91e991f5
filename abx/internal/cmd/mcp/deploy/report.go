package deploy

import (
	"fmt"
	"strings"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// report is the outcome: the JSON document, and what the text is made of.
type report struct {
	Artifact     *artifactReport        `json:"artifact,omitempty"`
	TokenFile    string                 `json:"token_file,omitempty"`
	Steps        []string               `json:"steps,omitempty"` // for people, when nothing is deployed
	Plan         []*fcdeploy.Step       `json:"plan,omitempty"`
	Deployment   *fcdeploy.Deployment   `json:"deployment,omitempty"`
	Smoke        *fcdeploy.SmokeResult  `json:"smoke,omitempty"`
	ClientConfig *fcdeploy.ClientConfig `json:"client_config,omitempty"`

	f       *cmdutil.Factory
	spec    *fcdeploy.Spec
	planned bool
}

type artifactReport struct {
	Dir      string   `json:"dir"`
	Files    []string `json:"files"`
	Checksum string   `json:"code_checksum"`
	Binary   string   `json:"binary"`
}

// progress shows what is going on to a person who watches.
func (r *report) progress(text string) {
	if r.f.IO.IsErrorTTY() && !r.f.JSON {
		fmt.Fprintln(r.f.IO.ErrOut, "… "+text)
	}
}

func (r *report) print() error {
	if r.Artifact == nil && !r.planned {
		return nil // it failed before there was anything to report
	}
	if !r.planned {
		r.Steps = r.spec.ConsoleSteps()
	}
	if r.Deployment != nil {
		r.ClientConfig = r.clientConfig(r.Deployment.Endpoint)
	} else if !r.planned {
		r.ClientConfig = r.clientConfig("")
	}
	if r.f.JSON {
		return cmdutil.WriteJSON(r.f.IO.Out, r)
	}
	_, err := fmt.Fprint(r.f.IO.Out, r.text())
	return err
}

func (r *report) clientConfig(endpoint string) *fcdeploy.ClientConfig {
	return fcdeploy.NewClientConfig(endpoint, r.spec.Trigger.AuthType != fcdeploy.AuthFunction)
}

func (r *report) text() string {
	var out strings.Builder
	if r.Artifact != nil {
		fmt.Fprintf(&out, "Artifact written to %s (program: %s)\n", r.Artifact.Dir, r.Artifact.Binary)
	}
	if r.TokenFile != "" {
		fmt.Fprintf(&out, "Bearer token in %s\n", r.TokenFile)
	}
	for _, note := range r.notes() {
		fmt.Fprintf(&out, "Note: %s\n", note)
	}
	if r.planned {
		r.writePlan(&out)
	} else {
		r.writeSteps(&out)
	}
	r.writeDeployment(&out)
	if r.ClientConfig != nil {
		fmt.Fprintf(&out, "\nConfiguration for an MCP client (put the token in place of the stars):\n\n%s", r.ClientConfig)
	}
	return out.String()
}

// notes are what the user should know and did not ask for.
func (r *report) notes() []string {
	var notes []string
	if r.spec.FCAPI == fcdeploy.API2 {
		notes = append(notes, "FC 2.0 has no session affinity: the server keeps session state in the sandbox backend")
	}
	if !r.planned && r.spec.Server.AuthToken == "" {
		notes = append(notes, "no bearer token is known: set ABX_MCP_AUTH_TOKEN where you deploy, or use --generate-token")
	}
	if !r.planned && r.spec.Server.SandboxAPIKey == "" {
		notes = append(notes, "no key of the sandbox backend is known: set ABX_SANDBOX_API_KEY where you deploy")
	}
	if d := r.spec.Domain; d != nil && d.Protocol() == "HTTP" {
		notes = append(notes, "without --domain-cert the bearer token travels to "+d.Name+" in clear text")
	}
	if r.spec.MinInstances > 0 {
		notes = append(notes, fmt.Sprintf("%d instances stay warm and are paid for while they idle", r.spec.MinInstances))
	}
	return notes
}

func (r *report) writeSteps(out *strings.Builder) {
	out.WriteString("\nTo deploy it: abx mcp deploy --apply with the same options, or `s deploy -y` in the directory, or by hand:\n")
	for i, step := range r.Steps {
		fmt.Fprintf(out, "  %d. %s\n", i+1, step)
	}
}

func (r *report) writePlan(out *strings.Builder) {
	if len(r.Plan) == 0 {
		out.WriteString("Nothing to change\n")
		return
	}
	heading := "Would change:"
	if r.Deployment != nil {
		heading = "Changed:"
	}
	fmt.Fprintln(out, heading)
	for _, step := range r.Plan {
		fmt.Fprintf(out, "  %s %s\n", step.Action, step.Resource)
		for _, change := range step.Changes {
			fmt.Fprintf(out, "      %s\n", change)
		}
	}
}

func (r *report) writeDeployment(out *strings.Builder) {
	if r.Deployment == nil {
		return
	}
	fmt.Fprintf(out, "Endpoint: %s\n", r.Deployment.Endpoint)
	if r.Deployment.DomainEndpoint != "" {
		fmt.Fprintf(out, "Domain:   %s\n", r.Deployment.DomainEndpoint)
	}
	if r.Smoke != nil {
		fmt.Fprintf(out, "Tested:   %s answers with %d tools\n", r.Smoke.Server, len(r.Smoke.Tools))
	}
}
