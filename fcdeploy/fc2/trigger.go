package fc2

import (
	"context"
	"encoding/json"
	"fmt"

	fc "github.com/aliyun/fc-go-sdk"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// HTTPTriggers implements [fcdeploy.Driver].
func (d *Driver) HTTPTriggers(ctx context.Context, function string) ([]*fcdeploy.TriggerState, error) {
	var output *fc.ListTriggersOutput
	err := d.call(ctx, "ListTriggers", func() (err error) {
		output, err = d.client.ListTriggers(fc.NewListTriggersInput(function, function))
		return err
	})
	if err != nil {
		return nil, err
	}
	var all []*fcdeploy.TriggerState
	for _, t := range output.Triggers {
		if value(t.TriggerType) == fc.TRIGGER_TYPE_HTTP {
			all = append(all, &fcdeploy.TriggerState{Name: value(t.TriggerName), ID: value(t.TriggerID), Config: string(t.RawTriggerConfig), URL: d.url(function)})
		}
	}
	return all, nil
}

// CreateTrigger implements [fcdeploy.Driver].
func (d *Driver) CreateTrigger(ctx context.Context, function string, t *fcdeploy.TriggerState) error {
	config, err := httpConfig(t)
	if err != nil {
		return err
	}
	input := fc.NewCreateTriggerInput(function, function).WithTriggerName(t.Name).WithTriggerType(fc.TRIGGER_TYPE_HTTP).WithTriggerConfig(config)
	return d.call(ctx, "CreateTrigger", func() error {
		_, err := d.client.CreateTrigger(input)
		return err
	})
}

// UpdateTrigger implements [fcdeploy.Driver].
func (d *Driver) UpdateTrigger(ctx context.Context, function string, t *fcdeploy.TriggerState) error {
	config, err := httpConfig(t)
	if err != nil {
		return err
	}
	input := fc.NewUpdateTriggerInput(function, function, t.Name).WithTriggerConfig(config)
	return d.call(ctx, "UpdateTrigger", func() error {
		_, err := d.client.UpdateTrigger(input)
		return err
	})
}

// DeleteTrigger implements [fcdeploy.Driver].
func (d *Driver) DeleteTrigger(ctx context.Context, function, trigger string) error {
	return d.call(ctx, "DeleteTrigger", func() error {
		_, err := d.client.DeleteTrigger(fc.NewDeleteTriggerInput(function, function, trigger))
		return err
	})
}

// httpConfig is the part of the configuration that FC 2.0 has.
func httpConfig(t *fcdeploy.TriggerState) (*fc.HTTPTriggerConfig, error) {
	config := fc.NewHTTPTriggerConfig()
	if err := json.Unmarshal([]byte(t.Config), config); err != nil {
		return nil, fmt.Errorf("read trigger config: %w", err)
	}
	return config, nil
}
