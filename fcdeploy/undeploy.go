package fcdeploy

import (
	"context"
	"fmt"
	"slices"
)

// PlanUndeploy lists the steps that remove a deployment: the route of the custom
// domain (the domain itself when we made it and nothing else uses it), the
// trigger, the scaling rule, the function. What is not there needs no step.
func PlanUndeploy(ctx context.Context, driver Driver, d *Deployment, opts *PlanOptions) (*Plan, error) {
	p := &Plan{driver: driver, spec: Spec{Name: d.Name, Region: d.Region, FCAPI: driver.API()}.WithDefaults(), opts: opts.withDefaults()}
	if err := p.planUnroute(ctx, d); err != nil {
		return nil, err
	}
	f, err := driver.Function(ctx, d.Name)
	if IsNotFound(err) {
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look at function: %w", err)
	}
	if err := p.checkOwner(f); err != nil {
		return nil, err
	}
	return p, p.planRemoval(ctx)
}

// Undeploy makes the calls of a plan of [PlanUndeploy].
func Undeploy(ctx context.Context, p *Plan) error {
	for _, step := range p.Steps {
		p.opts.Report(string(step.Action) + " " + step.Resource)
		if err := step.run(ctx); err != nil && !IsNotFound(err) {
			return fmt.Errorf("%s %s: %w", step.Action, step.Resource, err)
		}
	}
	return nil
}

func (p *Plan) planRemoval(ctx context.Context) error {
	triggers, err := p.driver.HTTPTriggers(ctx, p.spec.Name)
	if err != nil && !IsNotFound(err) {
		return fmt.Errorf("look at triggers: %w", err)
	}
	for _, t := range triggers {
		p.add(ActionDelete, "trigger "+t.Name, nil, func(ctx context.Context) error {
			return p.driver.DeleteTrigger(ctx, p.spec.Name, t.Name)
		})
	}
	p.spec.MinInstances = 0
	if err := p.planScaling(ctx); err != nil {
		return err
	}
	p.add(ActionDelete, "function "+p.spec.Name, nil, func(ctx context.Context) error {
		return p.driver.DeleteFunction(ctx, p.spec.Name)
	})
	return nil
}

func (p *Plan) planUnroute(ctx context.Context, d *Deployment) error {
	driver, ok := p.driver.(DomainDriver)
	if !ok || d.Domain == "" {
		return nil
	}
	have, err := driver.CustomDomain(ctx, d.Domain)
	if IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at domain: %w", err)
	}
	rest := slices.DeleteFunc(slices.Clone(have.Routes), func(r Route) bool { return r.Function == d.Name })
	switch {
	case len(rest) == 0 && d.DomainCreated:
		p.add(ActionDelete, "domain "+d.Domain, nil, func(ctx context.Context) error { return driver.DeleteDomain(ctx, d.Domain) })
	case len(rest) < len(have.Routes):
		p.add(ActionUpdate, "domain "+d.Domain, []Change{{Field: "routes", Old: d.Name}}, func(ctx context.Context) error {
			return driver.UpdateDomain(ctx, &DomainState{Name: have.Name, Protocol: have.Protocol, Routes: rest})
		})
	}
	return nil
}
