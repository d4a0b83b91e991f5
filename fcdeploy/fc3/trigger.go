package fc3

import (
	"context"

	fc "github.com/alibabacloud-go/fc-20230330/v4/client"
	"github.com/alibabacloud-go/tea/dara"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

const httpTrigger = "http"

// HTTPTriggers implements [fcdeploy.Driver]. Only those of the version that is
// deployed count.
func (d *Driver) HTTPTriggers(ctx context.Context, function string) ([]*fcdeploy.TriggerState, error) {
	var all []*fcdeploy.TriggerState
	request := &fc.ListTriggersRequest{}
	for {
		var page *fc.ListTriggersOutput
		err := d.call(ctx, "ListTriggers", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
			r, err := d.client.ListTriggersWithContext(ctx, &function, request, headers, options)
			if err == nil {
				page = r.Body
			}
			return err
		})
		if err != nil || page == nil {
			return nil, err
		}
		for _, t := range page.Triggers {
			if dara.StringValue(t.TriggerType) == httpTrigger && (t.Qualifier == nil || *t.Qualifier == qualifier) {
				all = append(all, fromTrigger(t))
			}
		}
		if dara.StringValue(page.NextToken) == "" {
			return all, nil
		}
		request.NextToken = page.NextToken
	}
}

// CreateTrigger implements [fcdeploy.Driver].
func (d *Driver) CreateTrigger(ctx context.Context, function string, t *fcdeploy.TriggerState) error {
	input := &fc.CreateTriggerInput{TriggerName: &t.Name, TriggerType: dara.String(httpTrigger), TriggerConfig: &t.Config, Qualifier: dara.String(qualifier)}
	return d.call(ctx, "CreateTrigger", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		_, err := d.client.CreateTriggerWithContext(ctx, &function, &fc.CreateTriggerRequest{Body: input}, headers, options)
		return err
	})
}

// UpdateTrigger implements [fcdeploy.Driver].
func (d *Driver) UpdateTrigger(ctx context.Context, function string, t *fcdeploy.TriggerState) error {
	return d.call(ctx, "UpdateTrigger", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		request := &fc.UpdateTriggerRequest{Body: &fc.UpdateTriggerInput{TriggerConfig: &t.Config}}
		_, err := d.client.UpdateTriggerWithContext(ctx, &function, &t.Name, request, headers, options)
		return err
	})
}

// DeleteTrigger implements [fcdeploy.Driver].
func (d *Driver) DeleteTrigger(ctx context.Context, function, trigger string) error {
	return d.call(ctx, "DeleteTrigger", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		_, err := d.client.DeleteTriggerWithContext(ctx, &function, &trigger, headers, options)
		return err
	})
}

func fromTrigger(t *fc.Trigger) *fcdeploy.TriggerState {
	state := &fcdeploy.TriggerState{Name: dara.StringValue(t.TriggerName), ID: dara.StringValue(t.TriggerId), Config: dara.StringValue(t.TriggerConfig)}
	if t.HttpTrigger != nil {
		state.URL = dara.StringValue(t.HttpTrigger.UrlInternet)
	}
	return state
}
