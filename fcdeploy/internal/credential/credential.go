// Package credential finds the Alibaba Cloud credentials of the user in the
// vendor's order: environment, OIDC, the aliyun CLI's profile, the credentials
// file, a credentials URI. The metadata service of ECS is asked only on
// request: anywhere else the question goes to a stranger's address.
package credential

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/aliyun/credentials-go/credentials/providers"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// Provider is a source of credentials that works.
type Provider struct {
	providers.CredentialsProvider
	first *providers.Credentials
}

// Find returns the first source that has credentials.
func Find(metadata bool) (*Provider, error) {
	var tried []error
	for _, build := range sources(metadata) {
		provider, err := build()
		if err != nil {
			tried = append(tried, err)
			continue
		}
		credentials, err := provider.GetCredentials()
		if err == nil && credentials != nil {
			return &Provider{CredentialsProvider: provider, first: credentials}, nil
		}
		tried = append(tried, err)
	}
	return nil, &fcdeploy.CredentialsError{Tried: tried}
}

type source func() (providers.CredentialsProvider, error)

func sources(metadata bool) []source {
	all := []source{
		func() (providers.CredentialsProvider, error) {
			return known(providers.NewEnvironmentVariableCredentialsProviderBuilder().Build())
		},
		func() (providers.CredentialsProvider, error) {
			return known(providers.NewOIDCCredentialsProviderBuilder().Build())
		},
		func() (providers.CredentialsProvider, error) {
			return known(providers.NewCLIProfileCredentialsProviderBuilder().Build())
		},
		func() (providers.CredentialsProvider, error) {
			return known(providers.NewProfileCredentialsProviderBuilder().Build())
		},
		credentialsURI,
	}
	if metadata {
		all = append(all, func() (providers.CredentialsProvider, error) {
			return known(providers.NewECSRAMRoleCredentialsProviderBuilder().Build())
		})
	}
	return all
}

func credentialsURI() (providers.CredentialsProvider, error) {
	if os.Getenv("ALIBABA_CLOUD_CREDENTIALS_URI") == "" {
		return nil, errors.New("ALIBABA_CLOUD_CREDENTIALS_URI is not set")
	}
	return known(providers.NewURLCredentialsProviderBuilder().Build())
}

// known keeps a nil pointer from becoming a provider that is not nil.
func known[P providers.CredentialsProvider](provider P, err error) (providers.CredentialsProvider, error) {
	if err != nil {
		return nil, err
	}
	return provider, nil
}

// String names the source and the key, most of it masked.
func (p *Provider) String() string {
	name := p.first.ProviderName
	if name == "" {
		name = p.GetProviderName()
	}
	return fmt.Sprintf("%s (%s)", name, mask(p.first.AccessKeyId))
}

func mask(id string) string {
	const shown = 4
	if len(id) <= 2*shown {
		return strings.Repeat("*", len(id))
	}
	return id[:shown] + strings.Repeat("*", len(id)-shown)
}
