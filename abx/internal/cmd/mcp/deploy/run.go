package deploy

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

const abxPackage = "github.com/agentsandbox/agent-sandbox/abx"

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	spec, err := o.prepare(f)
	if err != nil {
		return err
	}
	r := &report{f: f, spec: spec}
	binary, err := o.findBinary(ctx, f)
	if err != nil {
		return err
	}
	if r.TokenFile, err = o.generateToken(spec); err != nil {
		return err
	}
	if o.Plan || o.Apply {
		err = o.deploy(ctx, r, binary)
	} else {
		_, err = o.write(r, binary)
	}
	return errors.Join(err, r.print())
}

// prepare checks everything that can be checked before a file is written or a
// call is made.
func (o *Options) prepare(f *cmdutil.Factory) (*fcdeploy.Spec, error) {
	spec, err := o.spec(f)
	if err != nil {
		return nil, err
	}
	if err := o.FC.Check(spec.Region); err != nil {
		return nil, err
	}
	if (o.Plan || o.Apply) && !o.GenerateToken {
		if err := spec.CheckAuth(); err != nil {
			return nil, err
		}
	}
	return spec, fcdeploy.CheckOutputDir(o.OutputDir)
}

func (o *Options) findBinary(ctx context.Context, f *cmdutil.Factory) (*fcdeploy.Binary, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	return (&fcdeploy.BinarySource{Path: o.Binary, Self: self, Dir: o.Source, Package: abxPackage, Version: f.Version}).Find(ctx)
}

func (o *Options) write(r *report, binary *fcdeploy.Binary) (*fcdeploy.Code, error) {
	artifact, err := fcdeploy.WriteArtifact(o.OutputDir, *r.spec, binary.Data)
	if err != nil {
		return nil, err
	}
	r.Artifact = &artifactReport{Dir: artifact.Dir, Files: artifact.Files, Checksum: artifact.Code.CRC64, Binary: binary.Origin}
	return artifact.Code, nil
}

// deploy plans, and applies the plan when asked to. A plan writes no artifact.
func (o *Options) deploy(ctx context.Context, r *report, binary *fcdeploy.Binary) error {
	driver, err := o.FC.Driver(r.spec.Region, r.f.Version)
	if err != nil {
		return err
	}
	known, err := fcdeploy.LoadDeployment(o.OutputDir)
	if err != nil {
		return err
	}
	code, err := o.code(r, binary)
	if err != nil {
		return err
	}
	r.progress("using credentials of " + driver.Identity())
	plan, err := fcdeploy.MakePlan(ctx, driver, *r.spec, code, &fcdeploy.PlanOptions{Adopt: o.Adopt, Known: known, Report: r.progress})
	if err != nil {
		return err
	}
	r.Plan = plan.Steps
	r.planned = true
	if o.Plan {
		return nil
	}
	return o.apply(ctx, r, plan)
}

func (o *Options) code(r *report, binary *fcdeploy.Binary) (*fcdeploy.Code, error) {
	if o.Plan {
		return fcdeploy.PackCode(fcdeploy.Flavor(o.Flavor), binary.Data)
	}
	return o.write(r, binary)
}

func (o *Options) apply(ctx context.Context, r *report, plan *fcdeploy.Plan) error {
	deployment, err := fcdeploy.Apply(ctx, plan)
	if err != nil {
		return err
	}
	r.Deployment = deployment
	if err := deployment.Save(o.OutputDir); err != nil {
		return err
	}
	if o.NoSmoke {
		return nil
	}
	r.progress("testing " + deployment.Endpoint)
	r.Smoke, err = fcdeploy.Smoke(ctx, deployment.Endpoint, r.spec.Server.AuthToken, nil)
	if err != nil {
		return fmt.Errorf("it is deployed, but the test of its endpoint failed: %w", err)
	}
	return nil
}
