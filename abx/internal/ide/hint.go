package ide

import (
	"fmt"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// Hint says what the user still has to do for the server to find its key, "" when
// nothing.
func (e *Entry) Hint(p *ideinstall.Plan) string {
	secret := p.Server.Secret
	if p.Server.Transport == ideinstall.TransportHTTP {
		return e.tokenHint(p)
	}
	switch {
	case !e.needsKey || secret.Stored:
		return ""
	case secret.Value == "":
		return fmt.Sprintf("no API key is known yet: `abx config set api_key` stores one for the server, or set %s and install again", secret.Variable)
	case p.SecretMode() == ideinstall.SecretNone:
		return "the file gets no key: `abx config set api_key` stores it for the server that the client starts"
	case p.SecretMode() == ideinstall.SecretEnv:
		return fmt.Sprintf("the client must have %s in its own environment", secret.Variable)
	}
	return ""
}

func (e *Entry) tokenHint(p *ideinstall.Plan) string {
	secret := p.Server.Secret
	switch {
	case secret.Value == "":
		return fmt.Sprintf("no token is known: if the server wants one, set %s and install again", secret.Variable)
	case p.SecretMode() == ideinstall.SecretNone:
		return "the entry has no token: --secret literal writes it"
	case p.SecretMode() == ideinstall.SecretEnv:
		return fmt.Sprintf("the client must have %s in its own environment", secret.Variable)
	}
	return ""
}
