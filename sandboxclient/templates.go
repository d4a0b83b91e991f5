package sandboxclient

import (
	"context"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// Templates lists the templates of the account.
func (c *Client) Templates(ctx context.Context) ([]api.Template, error) {
	var list []api.Template
	err := c.do(ctx, &controlCall{
		op: "list templates", method: http.MethodGet, path: api.PathTemplates, answer: &list, idempotent: true,
	})
	return list, err
}
