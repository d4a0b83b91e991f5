package fc3

import (
	"context"

	fc "github.com/alibabacloud-go/fc-20230330/v4/client"
	"github.com/alibabacloud-go/tea/dara"
)

// MinInstances implements [fcdeploy.ScalingDriver].
func (d *Driver) MinInstances(ctx context.Context, function string) (int, error) {
	n := 0
	err := d.call(ctx, "GetScalingConfig", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		r, err := d.client.GetScalingConfigWithContext(ctx, &function, &fc.GetScalingConfigRequest{Qualifier: dara.String(qualifier)}, headers, options)
		if err == nil && r.Body != nil {
			n = int(dara.Int64Value(r.Body.MinInstances))
		}
		return err
	})
	return n, err
}

// SetMinInstances implements [fcdeploy.ScalingDriver].
func (d *Driver) SetMinInstances(ctx context.Context, function string, n int) error {
	if n == 0 {
		return d.call(ctx, "DeleteScalingConfig", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
			_, err := d.client.DeleteScalingConfigWithContext(ctx, &function, &fc.DeleteScalingConfigRequest{Qualifier: dara.String(qualifier)}, headers, options)
			return err
		})
	}
	return d.call(ctx, "PutScalingConfig", func(ctx context.Context, headers map[string]*string, options *dara.RuntimeOptions) error {
		input := &fc.PutScalingConfigInput{MinInstances: dara.Int64(int64(n))}
		_, err := d.client.PutScalingConfigWithContext(ctx, &function, &fc.PutScalingConfigRequest{Body: input, Qualifier: dara.String(qualifier)}, headers, options)
		return err
	})
}
