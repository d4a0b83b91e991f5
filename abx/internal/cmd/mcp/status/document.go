package status

import (
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// Document is what --json prints.
type Document struct {
	Server    Server   `json:"server"`
	Transport string   `json:"transport"`
	Tools     Tools    `json:"tools"`
	APIKey    APIKey   `json:"api_key"`
	Backend   Backend  `json:"backend"`
	Clients   []Client `json:"clients"`
}

// Server is the name of the entry and the version of abx.
type Server struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Tools are those that the server offers, in its order.
type Tools struct {
	Count int      `json:"count"`
	Names []string `json:"names"`
}

// APIKey tells whether a key is known and from where, never the key.
type APIKey struct {
	Configured bool   `json:"configured"`
	Source     string `json:"source"` // flag, environment, file; "" without one
}

// Backend is where sandboxes run.
type Backend struct {
	Kind string `json:"kind"` // fc, e2b or local
	URL  string `json:"url"`  // "" for local
}

// Client is one file of one client.
type Client struct {
	ID        string   `json:"id"`
	Scope     string   `json:"scope"`
	Path      string   `json:"path"`
	State     string   `json:"state"`
	Reason    string   `json:"reason"`
	Transport string   `json:"transport"` // stdio, http; "" without an entry
	Secret    string   `json:"secret"`    // literal, env, input, none; "" without an entry
	Warnings  []string `json:"warnings"`
}

func document(f *cmdutil.Factory, o *Options, all []ideinstall.Status) (*Document, error) {
	cfg, err := f.Config()
	if err != nil {
		return nil, err
	}
	d := &Document{
		Server:    Server{Name: o.Selection.Name, Version: f.Version},
		Transport: string(ideinstall.TransportStdio),
		Tools:     serverTools(),
		APIKey:    apiKey(cfg),
		Clients:   []Client{},
	}
	if d.Backend, err = backend(cfg); err != nil {
		return nil, err
	}
	for _, s := range all {
		d.Clients = append(d.Clients, client(&s))
	}
	return d, nil
}

func serverTools() Tools {
	t := Tools{Names: []string{}}
	for _, tool := range mcpserver.Tools() {
		t.Names = append(t.Names, tool.Name)
	}
	t.Count = len(t.Names)
	return t
}

func apiKey(cfg *config.Config) APIKey {
	v := cfg.Get(config.APIKey)
	if v.Value == "" {
		return APIKey{}
	}
	return APIKey{Configured: true, Source: string(v.Origin)}
}

func backend(cfg *config.Config) (Backend, error) {
	b := Backend{Kind: cfg.Get(config.Backend).Value}
	if b.Kind == "local" {
		return b, nil
	}
	endpoint, err := cfg.Endpoint()
	if err != nil {
		return b, err
	}
	b.URL = endpoint.APIURL
	return b, nil
}

func client(s *ideinstall.Status) Client {
	c := Client{
		ID: s.Target.ID, Scope: string(s.Scope), Path: s.Path, State: string(s.State), Reason: s.Reason,
		Transport: string(s.Transport), Secret: string(s.Secret), Warnings: []string{},
	}
	c.Warnings = append(c.Warnings, s.Warnings...)
	return c
}
