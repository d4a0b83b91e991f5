package config

import (
	"errors"
	"net/url"
	"strings"
)

// Endpoint is where the backend is.
type Endpoint struct {
	APIURL     string
	Domain     string
	SandboxURL string // "" means that sandboxes are reached by their own host name
}

// ErrIncomplete means that a base URL was given from which no domain follows.
var ErrIncomplete = errors.New("base_url alone does not tell the domain of the sandboxes: set domain or sandbox_url too")

// Endpoint derives what was not given: the API is at api.<domain>, and a base
// URL whose host begins with "api." names the domain. With a sandbox URL a base
// URL alone is complete. Without either, the backend kind and region decide.
func (c *Config) Endpoint() (*Endpoint, error) {
	e := &Endpoint{
		APIURL:     c.Get(BaseURL).Value,
		Domain:     c.Get(Domain).Value,
		SandboxURL: c.Get(SandboxURL).Value,
	}
	switch {
	case e.APIURL == "" && e.Domain == "":
		e.Domain = c.defaultDomain()
		e.APIURL = "https://api." + e.Domain
	case e.APIURL == "":
		e.APIURL = "https://api." + e.Domain
	case e.Domain == "":
		e.Domain = domainOf(e.APIURL)
		if e.Domain == "" && e.SandboxURL == "" {
			return nil, ErrIncomplete
		}
	}
	return e, nil
}

func (c *Config) defaultDomain() string {
	if c.Get(Backend).Value == "e2b" {
		return "e2b.app"
	}
	return c.Get(Region).Value + ".e2b.fc.aliyuncs.com"
}

func domainOf(apiURL string) string {
	u, err := url.Parse(apiURL)
	if err != nil {
		return ""
	}
	domain, ok := strings.CutPrefix(u.Host, "api.")
	if !ok {
		return ""
	}
	return domain
}
