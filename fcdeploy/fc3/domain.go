package fc3

import (
	"context"
	"fmt"

	fc "github.com/alibabacloud-go/fc-20230330/v4/client"
	"github.com/alibabacloud-go/tea/dara"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// CustomDomain implements [fcdeploy.DomainDriver].
func (d *Driver) CustomDomain(ctx context.Context, name string) (*fcdeploy.DomainState, error) {
	var body *fc.CustomDomain
	err := d.call(ctx, "GetCustomDomain", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		r, err := d.client.GetCustomDomainWithContext(ctx, &name, headers, options)
		if err == nil {
			body = r.Body
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if body == nil {
		return nil, fmt.Errorf("GetCustomDomain: the answer has no body")
	}
	return fromDomain(body), nil
}

// CreateDomain implements [fcdeploy.DomainDriver].
func (d *Driver) CreateDomain(ctx context.Context, s *fcdeploy.DomainState) error {
	input := &fc.CreateCustomDomainInput{DomainName: &s.Name, Protocol: &s.Protocol, RouteConfig: routes(s), CertConfig: certificate(s)}
	return d.call(ctx, "CreateCustomDomain", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		_, err := d.client.CreateCustomDomainWithContext(ctx, &fc.CreateCustomDomainRequest{Body: input}, headers, options)
		return err
	})
}

// UpdateDomain implements [fcdeploy.DomainDriver].
func (d *Driver) UpdateDomain(ctx context.Context, s *fcdeploy.DomainState) error {
	input := &fc.UpdateCustomDomainInput{Protocol: &s.Protocol, RouteConfig: routes(s), CertConfig: certificate(s)}
	return d.call(ctx, "UpdateCustomDomain", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		_, err := d.client.UpdateCustomDomainWithContext(ctx, &s.Name, &fc.UpdateCustomDomainRequest{Body: input}, headers, options)
		return err
	})
}

// DeleteDomain implements [fcdeploy.DomainDriver].
func (d *Driver) DeleteDomain(ctx context.Context, name string) error {
	return d.call(ctx, "DeleteCustomDomain", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		_, err := d.client.DeleteCustomDomainWithContext(ctx, &name, headers, options)
		return err
	})
}

func routes(s *fcdeploy.DomainState) *fc.RouteConfig {
	config := &fc.RouteConfig{Routes: []*fc.PathConfig{}}
	for _, r := range s.Routes {
		path, ok := r.Native.(*fc.PathConfig)
		if !ok {
			path = &fc.PathConfig{Path: &r.Path, FunctionName: &r.Function, Qualifier: dara.String(qualifier)}
		}
		config.Routes = append(config.Routes, path)
	}
	return config
}

func certificate(s *fcdeploy.DomainState) *fc.CertConfig {
	if s.Certificate == "" {
		return nil
	}
	return &fc.CertConfig{CertName: dara.String("abx"), Certificate: &s.Certificate, PrivateKey: dara.String(s.PrivateKey.Reveal())}
}

func fromDomain(b *fc.CustomDomain) *fcdeploy.DomainState {
	s := &fcdeploy.DomainState{Name: dara.StringValue(b.DomainName), Protocol: dara.StringValue(b.Protocol)}
	if b.CertConfig != nil {
		s.Certificate = dara.StringValue(b.CertConfig.Certificate)
	}
	if b.RouteConfig != nil {
		for _, r := range b.RouteConfig.Routes {
			s.Routes = append(s.Routes, fcdeploy.Route{Path: dara.StringValue(r.Path), Function: dara.StringValue(r.FunctionName), Native: r})
		}
	}
	return s
}
