package fcdeploy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Apply makes the calls of a plan, waits until the function is ready and has an
// address, and returns what is deployed then. Applying the plan of an unchanged
// spec makes no mutating call.
func Apply(ctx context.Context, p *Plan) (*Deployment, error) {
	if err := p.runSteps(ctx); err != nil {
		return nil, err
	}
	p.opts.Report("waiting for function " + p.spec.Name)
	f, err := p.awaitReady(ctx)
	if err != nil {
		return nil, err
	}
	t, err := p.awaitURL(ctx)
	if err != nil {
		return nil, err
	}
	return p.deployment(f, t), nil
}

func (p *Plan) runSteps(ctx context.Context) error {
	for _, step := range p.Steps {
		p.opts.Report(string(step.Action) + " " + step.Resource)
		if err := step.run(ctx); err != nil {
			return fmt.Errorf("%s %s: %w", step.Action, step.Resource, err)
		}
		if strings.HasPrefix(step.Resource, "function ") {
			if _, err := p.awaitReady(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

var errNotYet = errors.New("not yet")

// poll calls look until it answers something else than errNotYet.
func (p *Plan) poll(ctx context.Context, what string, look func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, p.opts.Timeout, fmt.Errorf("%s: not ready after %v", what, p.opts.Timeout))
	defer cancel()
	ticker := time.NewTicker(p.opts.Poll)
	defer ticker.Stop()
	for {
		switch err := look(ctx); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !errors.Is(err, errNotYet):
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

func (p *Plan) awaitReady(ctx context.Context) (f *Function, err error) {
	err = p.poll(ctx, "function "+p.spec.Name, func(ctx context.Context) error {
		if f, err = p.driver.Function(ctx, p.spec.Name); err != nil {
			return fmt.Errorf("look at function: %w", err)
		}
		switch {
		case f.Status.Failed:
			return fmt.Errorf("function %s failed: %s", p.spec.Name, f.Status.Reason)
		case !f.Status.Ready:
			return errNotYet
		}
		return nil
	})
	return f, err
}

func (p *Plan) awaitURL(ctx context.Context) (t *TriggerState, err error) {
	err = p.poll(ctx, "address of trigger "+p.spec.Trigger.Name, func(ctx context.Context) error {
		all, err := p.driver.HTTPTriggers(ctx, p.spec.Name)
		switch {
		case err != nil:
			return fmt.Errorf("look at triggers: %w", err)
		case len(all) == 0 || all[0].URL == "":
			return errNotYet
		}
		t = all[0]
		return nil
	})
	return t, err
}

func (p *Plan) deployment(f *Function, t *TriggerState) *Deployment {
	d := &Deployment{
		Name: p.spec.Name, Region: p.spec.Region, API: p.spec.FCAPI, ARN: f.ARN,
		Trigger: t.Name, TriggerID: t.ID, Endpoint: endpoint(t.URL), Affinity: p.spec.Affinity,
		Checksum: f.Checksum, Content: p.code.Content, MinInstances: p.spec.MinInstances,
	}
	if p.spec.Domain != nil {
		d.Domain, d.DomainCreated = p.spec.Domain.Name, p.made
		d.DomainEndpoint = strings.ToLower(p.spec.Domain.Protocol()) + "://" + p.spec.Domain.Name + MCPPath
	}
	return d
}

// MCPPath is where the server speaks MCP.
const MCPPath = "/mcp"

func endpoint(base string) string { return strings.TrimSuffix(base, "/") + MCPPath }
