package ideinstall

import (
	"slices"
	"strconv"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// merger computes the operations that bring a document to hold the entry.
type merger struct {
	target *Target
	server *Server
	secret *resolvedSecret
	force  bool
}

// install gives the operations for a document. An entry that is there keeps all
// members that are not ours, and its order and comments.
func (m *merger) install(doc conf.Document) ([]conf.Op, error) {
	container := m.target.containerPath(doc.Value())
	path := append(slices.Clone(container), m.server.Name)
	sh, err := m.target.shapeFor(m.server.Transport)
	if err != nil {
		return nil, err
	}
	entry := sh.entry(m.server, m.secret)
	ops := append(conf.Fill(doc, container), m.inputOps(doc)...)
	old, ok := conf.Lookup(doc.Value(), path)
	if !ok || old == nil {
		return append(ops, conf.Op{Path: path, Value: entry}), nil
	}
	present, ok := old.(map[string]any)
	switch {
	case ok && ours(present):
		return append(ops, m.update(path, present, entry)...), nil
	case m.force:
		return append(ops, conf.Op{Path: path, Value: entry}), nil
	case !ok:
		return nil, &AmbiguousError{Key: m.server.Name, Reason: "is not an object"}
	}
	program, _ := programOf(present)
	return nil, &NotOursError{Name: m.server.Name, Command: strconv.Quote(program)}
}

// update sets the members that are ours one by one.
func (m *merger) update(path []string, present map[string]any, entry conf.Object) []conf.Op {
	ops := m.dropOther(path, present)
	sh, _ := m.target.shapeFor(m.server.Transport)
	for _, member := range entry {
		at := append(slices.Clone(path), member.Key)
		have, exists := present[member.Key]
		sub, isObject := member.Value.(conf.Object)
		_, haveObject := have.(map[string]any)
		switch {
		case exists && sh.extra.Get(member.Key) != nil:
		case member.Key == sh.envList:
			ops = append(ops, conf.Op{Path: at, Value: withVariable(stringsOf(have), m.secret.variable)})
		case isObject && haveObject:
			for _, v := range sub {
				ops = append(ops, conf.Op{Path: append(slices.Clone(at), v.Key), Value: v.Value})
			}
		default:
			ops = append(ops, conf.Op{Path: at, Value: member.Value})
		}
	}
	return ops
}

// dropOther removes what the entry must not have: the fields of the transport
// that it no longer uses, which some clients refuse to load beside the others,
// and a secret that it is to have in another way.
func (m *merger) dropOther(path []string, present map[string]any) []conf.Op {
	sh, _ := m.target.shapeFor(m.server.Transport)
	stdio, http := &m.target.stdio, m.target.http
	keys := m.staleSecret(present)
	if m.server.Transport == TransportHTTP {
		keys = append(keys, []string{"command"}, []string{"args"}, []string{"cwd"}, []string{"envFile"}, []string{stdio.env}, []string{stdio.envList})
	} else if http != nil {
		keys = append(keys, []string{http.url}, []string{http.headers}, []string{http.bearerEnv})
	}
	if sh.kind == "" && switches(present, m.server.Transport) {
		keys = append(keys, []string{"type"})
	}
	return removals(path, present, keys)
}

// switches reports whether an entry was written for the other transport.
func switches(present map[string]any, to Transport) bool {
	program, _ := programOf(present)
	return (program == "") == (to == TransportStdio)
}

// staleSecret names where the secret stands now, when it has to go from there:
// none was asked for, or the row names the variable instead of holding a value.
func (m *merger) staleSecret(present map[string]any) [][]string {
	sh, _ := m.target.shapeFor(m.server.Transport)
	mapping, key, byName := sh.env, m.secret.variable, sh.envList
	if m.server.Transport == TransportHTTP {
		mapping, key, byName = sh.headers, "Authorization", sh.bearerEnv
	}
	var keys [][]string
	if m.secret.mode == SecretNone && m.secret.explicit || m.secret.mode == SecretEnv && byName != "" {
		keys = secretKeys(present, mapping, key)
	}
	names := stringsOf(present[byName])
	if m.secret.explicit && m.secret.mode != SecretEnv && (len(names) == 0 || slices.Equal(names, []string{m.secret.variable})) {
		keys = append(keys, []string{byName})
	}
	return keys
}

// withVariable adds a name to a list of variables that may hold others.
func withVariable(names []string, variable string) []string {
	if slices.Contains(names, variable) {
		return names
	}
	return append(names, variable)
}

// secretKeys is the path of a key in a mapping, or of the mapping itself when it
// would be left empty.
func secretKeys(present map[string]any, mapping, key string) [][]string {
	values, _ := present[mapping].(map[string]any)
	if _, ok := values[key]; !ok {
		return nil
	}
	if len(values) == 1 {
		return [][]string{{mapping}}
	}
	return [][]string{{mapping, key}}
}

// removals makes operations of those keys that are present, each once. A key
// without a name is one that the client does not have.
func removals(path []string, present map[string]any, keys [][]string) []conf.Op {
	var ops []conf.Op
	for i, key := range keys {
		_, ok := conf.Lookup(present, key)
		again := slices.ContainsFunc(keys[:i], func(k []string) bool { return slices.Equal(k, key) })
		if ok && key[0] != "" && !again {
			ops = append(ops, conf.Op{Path: append(slices.Clone(path), key...)})
		}
	}
	return ops
}

// remove gives the operations that take the entry out again, none when it is
// absent.
func (m *merger) remove(doc conf.Document) ([]conf.Op, error) {
	path := append(slices.Clone(m.target.containerPath(doc.Value())), m.server.Name)
	old, ok := conf.Lookup(doc.Value(), path)
	if !ok {
		return nil, nil
	}
	present, isObject := old.(map[string]any)
	if !m.force && !isObject && old != nil {
		return nil, &AmbiguousError{Key: m.server.Name, Reason: "is not an object"}
	}
	if !m.force && isObject && !ours(present) {
		program, _ := programOf(present)
		return nil, &NotOursError{Name: m.server.Name, Command: strconv.Quote(program)}
	}
	return append([]conf.Op{{Path: path}}, m.dropInput(doc)...), nil
}
