package fc3

import (
	"context"
	"encoding/base64"
	"fmt"
	"hash/crc64"
	"math"
	"strconv"

	fc "github.com/alibabacloud-go/fc-20230330/v4/client"
	"github.com/alibabacloud-go/tea/dara"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// Function implements [fcdeploy.Driver].
func (d *Driver) Function(ctx context.Context, name string) (*fcdeploy.Function, error) {
	var body *fc.Function
	err := d.call(ctx, "GetFunction", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		r, err := d.client.GetFunctionWithContext(ctx, &name, &fc.GetFunctionRequest{}, headers, options)
		if err == nil {
			body = r.Body
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if body == nil {
		return nil, fmt.Errorf("GetFunction: the answer has no body")
	}
	return fromFunction(body), nil
}

// CreateFunction implements [fcdeploy.Driver].
func (d *Driver) CreateFunction(ctx context.Context, f *fcdeploy.Function, zip []byte) error {
	input := &fc.CreateFunctionInput{
		FunctionName: &f.Name, Description: &f.Description, Runtime: &f.Runtime, Handler: &f.Handler,
		Cpu: dara.Float32(float32(f.CPU)), MemorySize: int32p(f.MemoryMB), DiskSize: int32p(f.DiskMB), Timeout: int32p(f.TimeoutSeconds),
		InstanceConcurrency: int32p(f.InstanceConcurrency), CustomRuntimeConfig: runtimeConfig(f), EnvironmentVariables: environment(f),
		SessionAffinity: dara.String(affinity(f)), SessionAffinityConfig: optional(f.AffinityConfig), Code: code(zip),
	}
	return d.call(ctx, "CreateFunction", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		_, err := d.client.CreateFunctionWithContext(ctx, &fc.CreateFunctionRequest{Body: input}, headers, options)
		return err
	})
}

// UpdateFunction implements [fcdeploy.Driver]. Empty lists and maps are sent as
// such: FC keeps what an update does not mention.
func (d *Driver) UpdateFunction(ctx context.Context, f *fcdeploy.Function, zip []byte) error {
	input := &fc.UpdateFunctionInput{
		Description: &f.Description, Runtime: &f.Runtime, Handler: &f.Handler,
		Cpu: dara.Float32(float32(f.CPU)), MemorySize: int32p(f.MemoryMB), DiskSize: int32p(f.DiskMB), Timeout: int32p(f.TimeoutSeconds),
		InstanceConcurrency: int32p(f.InstanceConcurrency), CustomRuntimeConfig: runtimeConfig(f), EnvironmentVariables: environment(f),
		SessionAffinity: dara.String(affinity(f)), SessionAffinityConfig: optional(f.AffinityConfig), Code: code(zip),
	}
	return d.call(ctx, "UpdateFunction", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		_, err := d.client.UpdateFunctionWithContext(ctx, &f.Name, &fc.UpdateFunctionRequest{Body: input}, headers, options)
		return err
	})
}

// DeleteFunction implements [fcdeploy.Driver].
func (d *Driver) DeleteFunction(ctx context.Context, name string) error {
	return d.call(ctx, "DeleteFunction", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		_, err := d.client.DeleteFunctionWithContext(ctx, &name, headers, options)
		return err
	})
}

func runtimeConfig(f *fcdeploy.Function) *fc.CustomRuntimeConfig {
	return &fc.CustomRuntimeConfig{Port: int32p(f.Port), Command: append([]*string{}, dara.StringSlice(f.Command)...), Args: []*string{}}
}

func environment(f *fcdeploy.Function) map[string]*string {
	env := map[string]*string{}
	for name, value := range f.Environment {
		env[name] = &value
	}
	return env
}

// affinity spells NONE out: leaving it away would keep the old one.
func affinity(f *fcdeploy.Function) string {
	if f.Affinity == "" {
		return string(fcdeploy.AffinityNone)
	}
	return string(f.Affinity)
}

func code(zip []byte) *fc.InputCodeLocation {
	if zip == nil {
		return nil
	}
	checksum := strconv.FormatUint(crc64.Checksum(zip, crc64.MakeTable(crc64.ECMA)), 10)
	return &fc.InputCodeLocation{ZipFile: dara.String(base64.StdEncoding.EncodeToString(zip)), Checksum: &checksum}
}

func fromFunction(b *fc.Function) *fcdeploy.Function {
	f := &fcdeploy.Function{
		Name: dara.StringValue(b.FunctionName), ARN: dara.StringValue(b.FunctionArn), Description: dara.StringValue(b.Description),
		Runtime: dara.StringValue(b.Runtime), Handler: dara.StringValue(b.Handler),
		CPU:      math.Round(float64(dara.Float32Value(b.Cpu))*100) / 100, // a float32 on the wire
		MemoryMB: intValue(b.MemorySize), DiskMB: intValue(b.DiskSize), TimeoutSeconds: intValue(b.Timeout),
		InstanceConcurrency: intValue(b.InstanceConcurrency), Environment: map[string]string{},
		Affinity: fcdeploy.Affinity(dara.StringValue(b.SessionAffinity)), AffinityConfig: dara.StringValue(b.SessionAffinityConfig),
		Checksum: dara.StringValue(b.CodeChecksum), Status: status(b),
	}
	if f.Affinity == fcdeploy.AffinityNone {
		f.AffinityConfig = "" // FC keeps limits that no longer apply
	}
	for name, value := range b.EnvironmentVariables {
		f.Environment[name] = dara.StringValue(value)
	}
	if c := b.CustomRuntimeConfig; c != nil {
		f.Port = intValue(c.Port)
		for _, word := range append(c.Command, c.Args...) {
			f.Command = append(f.Command, dara.StringValue(word))
		}
	}
	return f
}

// status is ready when the function is neither being made nor being changed.
func status(b *fc.Function) fcdeploy.Status {
	state, update := dara.StringValue(b.State), dara.StringValue(b.LastUpdateStatus)
	switch {
	case state == "Failed":
		return fcdeploy.Status{Failed: true, Reason: dara.StringValue(b.StateReasonCode) + " " + dara.StringValue(b.StateReason)}
	case update == "Failed":
		return fcdeploy.Status{Failed: true, Reason: dara.StringValue(b.LastUpdateStatusReasonCode) + " " + dara.StringValue(b.LastUpdateStatusReason)}
	}
	return fcdeploy.Status{Ready: state != "Pending" && update != "InProgress"}
}

func int32p(n int) *int32 { return dara.Int32(int32(n)) } //nolint:gosec // checked by Spec.Validate

func intValue(p *int32) int { return int(dara.Int32Value(p)) }

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
