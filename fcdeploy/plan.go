package fcdeploy

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Action is what a step does to its resource.
type Action string

// The actions.
const (
	ActionCreate Action = "create"
	ActionUpdate Action = "update"
	ActionDelete Action = "delete"
)

// Step is one mutating call that leads to the wanted state.
type Step struct {
	Action   Action   `json:"action"`
	Resource string   `json:"resource"`
	Changes  []Change `json:"changes,omitempty"`

	run func(context.Context) error
}

// Plan is the way from what FC has to what a [Spec] wants. No steps: nothing is
// to be done.
type Plan struct {
	Steps []*Step `json:"steps"`

	driver Driver
	spec   Spec
	code   *Code
	opts   PlanOptions
	made   bool // the custom domain is ours
}

// PlanOptions adjust [MakePlan], [Apply] and [Undeploy]; nil means none.
type PlanOptions struct {
	Adopt   bool              // take over a function that we did not make
	Known   *Deployment       // of the last run, if any
	Poll    time.Duration     // between looks at a function that is not ready; default 2 s
	Timeout time.Duration     // for it to become ready; default 3 min
	Report  func(text string) // progress, one line each; nil: silent
}

func (o *PlanOptions) withDefaults() PlanOptions {
	var c PlanOptions
	if o != nil {
		c = *o
	}
	setDefault(&c.Poll, 2*time.Second)
	setDefault(&c.Timeout, 3*time.Minute)
	if c.Known == nil {
		c.Known = &Deployment{}
	}
	if c.Report == nil {
		c.Report = func(string) {}
	}
	return c
}

// MakePlan reads the state of FC and lists the steps from there to spec. It
// changes nothing. Spec and secrets are checked before the first call.
func MakePlan(ctx context.Context, driver Driver, spec Spec, code *Code, opts *PlanOptions) (*Plan, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if err := spec.CheckAuth(); err != nil {
		return nil, err
	}
	p := &Plan{driver: driver, spec: spec.WithDefaults(), code: code, opts: opts.withDefaults()}
	p.made = p.opts.Known.DomainCreated
	for _, look := range []func(context.Context) error{p.planFunction, p.planTrigger, p.planScaling, p.planDomain} {
		if err := look(ctx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Plan) add(action Action, resource string, changes []Change, run func(context.Context) error) {
	p.Steps = append(p.Steps, &Step{Action: action, Resource: resource, Changes: changes, run: run})
}

func (p *Plan) planFunction(ctx context.Context) error {
	have, err := p.driver.Function(ctx, p.spec.Name)
	if IsNotFound(err) {
		p.add(ActionCreate, "function "+p.spec.Name, nil, p.createFunction)
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at function: %w", err)
	}
	return p.planUpdate(have)
}

// planUpdate adds an update of a function that exists, if one is needed.
func (p *Plan) planUpdate(have *Function) error {
	if err := p.checkOwner(have); err != nil {
		return err
	}
	want := p.spec.function(p.code)
	changes, zip := diffFunction(have, want), p.code.Zip
	if p.sameCode(have) {
		zip = nil
	} else {
		changes = append(changes, Change{Field: "code", Old: have.Checksum, New: want.Checksum})
	}
	if len(changes) > 0 {
		p.add(ActionUpdate, "function "+p.spec.Name, changes, func(ctx context.Context) error {
			return p.driver.UpdateFunction(ctx, want, zip)
		})
	}
	return nil
}

// sameCode compares by FC's checksum. A newer compressor makes another zip of
// the same files, which is no reason to upload them again.
func (p *Plan) sameCode(have *Function) bool {
	known := p.opts.Known
	return have.Checksum == p.code.CRC64 || (have.Checksum != "" && have.Checksum == known.Checksum && known.Content == p.code.Content)
}

func (p *Plan) checkOwner(have *Function) error {
	if p.opts.Adopt || strings.Contains(have.Description, managedMark) {
		return nil
	}
	return &NotOursError{Resource: "function " + have.Name, Why: "its description lacks " + managedMark,
		Fix: "choose another --name, or take it over with --adopt"}
}

// createFunction falls back to an update when the function has appeared since
// the plan was made: by a race, or by a create whose answer was lost.
func (p *Plan) createFunction(ctx context.Context) error {
	err := p.driver.CreateFunction(ctx, p.spec.function(p.code), p.code.Zip)
	if !IsConflict(err) {
		return err
	}
	have, err := p.driver.Function(ctx, p.spec.Name)
	if err != nil {
		return err
	}
	update := &Plan{driver: p.driver, spec: p.spec, code: p.code, opts: p.opts}
	if err := update.planUpdate(have); err != nil {
		return err
	}
	return update.runSteps(ctx)
}

func (p *Plan) planTrigger(ctx context.Context) error {
	have, err := p.driver.HTTPTriggers(ctx, p.spec.Name)
	if err != nil && !IsNotFound(err) {
		return fmt.Errorf("look at triggers: %w", err)
	}
	want := p.spec.trigger()
	if len(have) == 0 {
		p.add(ActionCreate, "trigger "+want.Name, nil, p.createTrigger)
		return nil
	}
	p.planTriggerUpdate(have[0])
	return nil
}

// planTriggerUpdate uses the trigger that is there, whatever its name: FC allows
// one HTTP trigger per version.
func (p *Plan) planTriggerUpdate(have *TriggerState) {
	want := p.spec.trigger()
	want.Name = have.Name
	if sameTriggerConfig(have.Config, want.Config) {
		return
	}
	p.add(ActionUpdate, "trigger "+want.Name, []Change{{Field: "config", Old: have.Config, New: want.Config}}, func(ctx context.Context) error {
		return p.driver.UpdateTrigger(ctx, p.spec.Name, want)
	})
}

func (p *Plan) createTrigger(ctx context.Context) error {
	err := p.driver.CreateTrigger(ctx, p.spec.Name, p.spec.trigger())
	if !IsConflict(err) {
		return err
	}
	have, errRead := p.driver.HTTPTriggers(ctx, p.spec.Name)
	if errRead != nil || len(have) == 0 {
		return err
	}
	update := &Plan{driver: p.driver, spec: p.spec, opts: p.opts}
	update.planTriggerUpdate(have[0])
	return update.runSteps(ctx)
}

func (p *Plan) planScaling(ctx context.Context) error {
	driver, ok := p.driver.(ScalingDriver)
	if !ok {
		if p.spec.MinInstances > 0 {
			return &FieldError{Field: "min-instances", Problem: "is supported with FC 3.0 only", Fix: "leave it out"}
		}
		return nil
	}
	have, err := driver.MinInstances(ctx, p.spec.Name)
	if err != nil && !IsNotFound(err) {
		return fmt.Errorf("look at scaling: %w", err)
	}
	want := p.spec.MinInstances
	if have == want {
		return nil
	}
	action := ActionUpdate
	if want == 0 {
		action = ActionDelete
	}
	p.add(action, "scaling rule of "+p.spec.Name, []Change{{Field: "minimum instances", Old: fmt.Sprint(have), New: fmt.Sprint(want)}},
		func(ctx context.Context) error { return driver.SetMinInstances(ctx, p.spec.Name, want) })
	return nil
}
