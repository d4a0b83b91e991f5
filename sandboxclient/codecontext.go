package sandboxclient

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// CodeContext is a kernel with variables of its own.
type CodeContext = api.CodeContext

// ContextOptions configure CreateContext; nil means the defaults.
type ContextOptions struct {
	Language string // "" is python
	Cwd      string // "" is the interpreter's, /home/user
}

// restartTime bounds the restart of a context that a run left busy.
const restartTime = 20 * time.Second

// CreateContext makes a context. A working directory that does not exist is
// not an error of the backend.
func (i *Interpreter) CreateContext(ctx context.Context, opts *ContextOptions) (*CodeContext, error) {
	body := &api.NewCodeContext{Language: "python"}
	if opts != nil {
		body.Cwd = opts.Cwd
		if opts.Language != "" {
			body.Language = opts.Language
		}
	}
	made := new(CodeContext)
	if err := i.contexts(ctx, "create context", http.MethodPost, "", false, body, made); err != nil {
		return nil, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.own[made.ID] = true
	return made, nil
}

// ListContexts lists the contexts of the sandbox, the default ones too.
func (i *Interpreter) ListContexts(ctx context.Context) ([]CodeContext, error) {
	var list []CodeContext
	err := i.contexts(ctx, "list contexts", http.MethodGet, "", true, nil, &list)
	return list, err
}

// RestartContext stops what a context runs and clears its variables; its id
// stays. An unknown id is CodeNotFound.
func (i *Interpreter) RestartContext(ctx context.Context, id string) error {
	return i.contexts(ctx, "restart context", http.MethodPost, "/"+url.PathEscape(id)+"/restart", true, nil, nil)
}

// DeleteContext ends a context. An unknown id is CodeNotFound.
func (i *Interpreter) DeleteContext(ctx context.Context, id string) error {
	err := i.contexts(ctx, "delete context", http.MethodDelete, "/"+url.PathEscape(id), false, nil, nil)
	if err == nil {
		i.mu.Lock()
		defer i.mu.Unlock()
		delete(i.own, id)
	}
	return err
}

func (i *Interpreter) contexts(ctx context.Context, op, method, suffix string, idempotent bool, body, answer any) error {
	ctx, cancel := i.sandbox.client.withDefaultDeadline(ctx, 0)
	defer cancel()
	var content []byte
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return invalidArgument(op, err)
		}
	}
	return i.sandbox.interpreter.call(ctx, idempotent, func() error {
		resp, err := i.sandbox.interpreterRequest(ctx, op, method, api.PathContexts+suffix, content)
		if err != nil {
			return err
		}
		defer closeBody(resp)
		if answer == nil {
			return nil
		}
		if err := decodeAnswer(resp.Body, answer); err != nil {
			return &Error{Op: op, Code: CodeOutcomeUnknown, Status: resp.StatusCode, SandboxID: i.sandbox.ID, Err: err}
		}
		return nil
	})
}

// free restarts the context that an abandoned run may keep busy. The default
// context of a language is told from those made here; when others made some
// too, it is not known which one is meant, and none is touched.
func (i *Interpreter) free(ctx context.Context, request *api.ExecuteRequest) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restartTime)
	defer cancel()
	id := request.ContextID
	if id == "" {
		id = i.defaultContext(ctx, request.Language)
	}
	return id != "" && i.RestartContext(ctx, id) == nil
}

// languageNames are the short names that the interpreter takes.
var languageNames = map[string]string{"js": "javascript", "ts": "typescript"}

func languageName(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if long, ok := languageNames[s]; ok {
		return long
	}
	return s
}

func (i *Interpreter) defaultContext(ctx context.Context, language string) string {
	list, err := i.ListContexts(ctx)
	if err != nil {
		return ""
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	found := ""
	for _, c := range list {
		if i.own[c.ID] || languageName(c.Language) != languageName(language) {
			continue
		}
		if found != "" {
			return ""
		}
		found = c.ID
	}
	return found
}
