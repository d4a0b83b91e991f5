package ideinstall

import (
	"bytes"
	"slices"

	"github.com/aymanbagabas/go-udiff"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// Diff is the unified diff of the change with all secrets masked, those of other
// servers in its context too. It is empty when nothing changes.
func (c *Change) Diff() string {
	if c.Action == ActionNone {
		return ""
	}
	from, to := c.Path, c.Path
	before, after := string(bytes.TrimPrefix(c.file.Bytes, []byte("\xef\xbb\xbf"))), string(c.after)
	if !c.file.Exists {
		from = "/dev/null"
	}
	if c.delete {
		to, after = "/dev/null", ""
	}
	return c.masker().text(udiff.Unified(from, to, before, after))
}

// masker knows the secrets of the file before and after the change.
func (c *Change) masker() *masker {
	m := &masker{}
	m.add(c.plan.Server.Secret.Value)
	m.learn(c.result)
	format := c.plan.Target.format
	base, _ := conf.Normalize(format, c.file.Bytes)
	if doc, err := format.Parse(base); err == nil {
		m.learn(doc.Value())
	}
	return m
}

// Snippet is the entry as a file of its own, for pasting, with the secret
// masked. It touches nothing.
func Snippet(t *Target, server *Server, opts *Options) (string, error) {
	p := newPlan(&Env{}, t, server, opts)
	if err := server.Validate(); err != nil {
		return "", err
	}
	sh, err := t.shapeFor(server.Transport)
	if err != nil {
		return "", err
	}
	secret, err := t.secrets.resolve(t, p.Scope, p.opts.Secret, server)
	if err != nil {
		return "", err
	}
	if secret.mode == SecretLiteral {
		secret.text = masked
	}
	ops := []conf.Op{{Path: append(slices.Clone(t.keyPath), server.Name), Value: sh.entry(server, secret)}}
	if secret.mode == SecretInput {
		ops = append(ops, conf.Op{Path: []string{"inputs", "-"}, Value: secret.input()})
	}
	result, err := conf.Apply(t.format, nil, ops)
	if err != nil {
		return "", err
	}
	return string(result.Bytes), nil
}
