package ideinstall

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// inputOps adds the question for the secret to VS Code's "inputs", once.
func (m *merger) inputOps(doc conf.Document) []conf.Op {
	if m.secret.mode != SecretInput || inputIndex(doc) >= 0 {
		return nil
	}
	path := []string{"inputs"}
	return []conf.Op{{Path: append(path, "-"), Value: m.secret.input()}}
}

// dropInput removes our question when no other server refers to it.
func (m *merger) dropInput(doc conf.Document) []conf.Op {
	i := inputIndex(doc)
	if !m.target.secrets.inputs || i < 0 {
		return nil
	}
	servers, _ := conf.Lookup(doc.Value(), m.target.containerPath(doc.Value()))
	all, _ := servers.(map[string]any)
	for name, entry := range all {
		if name != m.server.Name && strings.Contains(fmt.Sprint(entry), "${input:"+inputID+"}") {
			return nil
		}
	}
	return []conf.Op{{Path: []string{"inputs", strconv.Itoa(i)}}}
}

// inputIndex is the place of our question in the list, -1 when it is not there.
func inputIndex(doc conf.Document) int {
	v, _ := conf.Lookup(doc.Value(), []string{"inputs"})
	list, _ := v.([]any)
	for i, item := range list {
		if question, ok := item.(map[string]any); ok && question["id"] == inputID {
			return i
		}
	}
	return -1
}
