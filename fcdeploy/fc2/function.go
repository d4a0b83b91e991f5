package fc2

import (
	"context"
	"encoding/base64"
	"strings"

	fc "github.com/aliyun/fc-go-sdk"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

const serviceDescription = "functions of agent-sandbox (managed-by=abx)"

// Function implements [fcdeploy.Driver].
func (d *Driver) Function(ctx context.Context, name string) (*fcdeploy.Function, error) {
	var output *fc.GetFunctionOutput
	err := d.call(ctx, "GetFunction", func() (err error) {
		output, err = d.client.GetFunction(fc.NewGetFunctionInput(name, name))
		return err
	})
	if fcdeploy.IsNotFound(err) {
		if foreign := d.checkService(ctx, name); foreign != nil {
			return nil, foreign
		}
	}
	if err != nil {
		return nil, err
	}
	return fromFunction(output), nil
}

// checkService refuses a service that somebody else made. One that does not
// exist is fine.
func (d *Driver) checkService(ctx context.Context, name string) error {
	var output *fc.GetServiceOutput
	err := d.call(ctx, "GetService", func() (err error) {
		output, err = d.client.GetService(fc.NewGetServiceInput(name))
		return err
	})
	switch {
	case fcdeploy.IsNotFound(err):
		return nil
	case err != nil:
		return err
	case value(output.Description) != serviceDescription:
		return &fcdeploy.NotOursError{Resource: "service " + name, Why: "its description is another", Fix: "choose another --name"}
	}
	return nil
}

// CreateFunction implements [fcdeploy.Driver]. It makes the service as well.
func (d *Driver) CreateFunction(ctx context.Context, f *fcdeploy.Function, zip []byte) error {
	err := d.call(ctx, "CreateService", func() error {
		_, err := d.client.CreateService(fc.NewCreateServiceInput().WithServiceName(f.Name).WithDescription(serviceDescription))
		return err
	})
	if err != nil && !fcdeploy.IsConflict(err) {
		return err
	}
	input := fc.NewCreateFunctionInput(f.Name).WithFunctionName(f.Name).WithDescription(f.Description).WithRuntime(f.Runtime).
		WithHandler(f.Handler).WithMemorySize(int32of(f.MemoryMB)).WithTimeout(int32of(f.TimeoutSeconds)).
		WithInstanceConcurrency(int32of(f.InstanceConcurrency)).WithCAPort(int32of(f.Port)).
		WithEnvironmentVariables(f.Environment).WithCode(code(zip))
	return d.call(ctx, "CreateFunction", func() error {
		_, err := d.client.CreateFunction(input)
		return err
	})
}

// UpdateFunction implements [fcdeploy.Driver].
func (d *Driver) UpdateFunction(ctx context.Context, f *fcdeploy.Function, zip []byte) error {
	input := fc.NewUpdateFunctionInput(f.Name, f.Name).WithDescription(f.Description).WithRuntime(f.Runtime).
		WithHandler(f.Handler).WithMemorySize(int32of(f.MemoryMB)).WithTimeout(int32of(f.TimeoutSeconds)).
		WithInstanceConcurrency(int32of(f.InstanceConcurrency)).WithCAPort(int32of(f.Port)).WithEnvironmentVariables(f.Environment)
	if zip != nil {
		input = input.WithCode(code(zip))
	}
	return d.call(ctx, "UpdateFunction", func() error {
		_, err := d.client.UpdateFunction(input)
		return err
	})
}

// DeleteFunction implements [fcdeploy.Driver]. The service goes with its last
// function, when we made it.
func (d *Driver) DeleteFunction(ctx context.Context, name string) error {
	err := d.call(ctx, "DeleteFunction", func() error {
		_, err := d.client.DeleteFunction(fc.NewDeleteFunctionInput(name, name))
		return err
	})
	if err != nil && !fcdeploy.IsNotFound(err) {
		return err
	}
	if d.checkService(ctx, name) != nil {
		return err
	}
	gone := d.call(ctx, "DeleteService", func() error {
		_, err := d.client.DeleteService(fc.NewDeleteServiceInput(name))
		return err
	})
	if gone != nil && !fcdeploy.IsNotFound(gone) && !fcdeploy.IsConflict(gone) { // a conflict: others use it
		return gone
	}
	return err
}

func code(zip []byte) *fc.Code {
	encoded := base64.StdEncoding.EncodeToString(zip)
	return &fc.Code{ZipFile: &encoded}
}

func fromFunction(o *fc.GetFunctionOutput) *fcdeploy.Function {
	return &fcdeploy.Function{
		Name: value(o.FunctionName), Description: value(o.Description), Runtime: value(o.Runtime), Handler: value(o.Handler),
		MemoryMB: int(value(o.MemorySize)), TimeoutSeconds: int(value(o.Timeout)), InstanceConcurrency: int(value(o.InstanceConcurrency)),
		Port: int(value(o.CAPort)), Environment: o.EnvironmentVariables, Checksum: value(o.CodeChecksum),
		Status: fcdeploy.Status{Ready: true}, // FC 2.0 has no states
	}
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func int32of(n int) int32 { return int32(n) } //nolint:gosec // checked by Spec.Validate

// url is the address of a function's HTTP trigger. The SDK does not read the
// trigger's own host name.
func (d *Driver) url(name string) string {
	return strings.TrimSuffix(d.client.Config.Endpoint, "/") + "/" + apiVersion + "/proxy/" + name + "/" + name + "/"
}
