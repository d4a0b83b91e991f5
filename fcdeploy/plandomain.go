package fcdeploy

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

const domainPath = "/*"

func (p *Plan) planDomain(ctx context.Context) error {
	if p.spec.Domain == nil {
		return nil
	}
	driver, ok := p.driver.(DomainDriver)
	if !ok {
		return &FieldError{Field: "custom-domain", Problem: "is supported with FC 3.0 only", Fix: "leave it out"}
	}
	have, err := driver.CustomDomain(ctx, p.spec.Domain.Name)
	if IsNotFound(err) {
		p.add(ActionCreate, "domain "+p.spec.Domain.Name, nil, p.createDomain(driver))
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at domain: %w", err)
	}
	return p.planRoute(driver, have)
}

func (p *Plan) createDomain(driver DomainDriver) func(context.Context) error {
	return func(ctx context.Context) error {
		err := driver.CreateDomain(ctx, &DomainState{
			Name: p.spec.Domain.Name, Protocol: p.spec.Domain.Protocol(), Routes: []Route{{Path: domainPath, Function: p.spec.Name}},
			Certificate: string(p.spec.Domain.Certificate), PrivateKey: p.spec.Domain.PrivateKey,
		})
		if err != nil {
			return fmt.Errorf("%w; %s must be a CNAME to <account id>.%s.fc.aliyuncs.com", err, p.spec.Domain.Name, p.spec.Region)
		}
		p.made = true
		return nil
	}
}

// planRoute adds our route to a domain that exists. An update replaces all
// routes, so the others are sent again as they were.
func (p *Plan) planRoute(driver DomainDriver, have *DomainState) error {
	want := &DomainState{Name: have.Name, Protocol: have.Protocol, Routes: slices.Clone(have.Routes)}
	var changes []Change
	switch at := slices.IndexFunc(have.Routes, func(r Route) bool { return r.Path == domainPath }); {
	case at < 0:
		want.Routes = append(want.Routes, Route{Path: domainPath, Function: p.spec.Name})
		changes = append(changes, Change{Field: "route " + domainPath, New: p.spec.Name})
	case have.Routes[at].Function != p.spec.Name:
		return &NotOursError{Resource: "route " + domainPath + " of " + have.Name, Why: "it leads to function " + have.Routes[at].Function,
			Fix: "choose another --custom-domain, or remove that route"}
	}
	if cert := string(p.spec.Domain.Certificate); cert != "" && strings.TrimSpace(cert) != strings.TrimSpace(have.Certificate) {
		want.Certificate, want.PrivateKey = cert, p.spec.Domain.PrivateKey
		changes = append(changes, Change{Field: "certificate", Old: present(have.Certificate), New: "another one"})
		if want.Protocol == "HTTP" {
			want.Protocol = "HTTP,HTTPS" // whoever uses HTTP still can
			changes = append(changes, Change{Field: "protocol", Old: have.Protocol, New: want.Protocol})
		}
	}
	if len(changes) > 0 {
		p.add(ActionUpdate, "domain "+have.Name, changes, func(ctx context.Context) error { return driver.UpdateDomain(ctx, want) })
	}
	return nil
}

func present(text string) string {
	if text == "" {
		return ""
	}
	return "set"
}
