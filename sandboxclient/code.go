package sandboxclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// Interpreter runs code in the stateful interpreter of a sandbox. A template
// without one answers CodePortClosed.
type Interpreter struct {
	sandbox *Sandbox
	mu      sync.Mutex
	own     map[string]bool // ids of the contexts made here
}

func newInterpreter(s *Sandbox) *Interpreter {
	return &Interpreter{sandbox: s, own: map[string]bool{}}
}

// CodeOptions configure Run; nil runs Python in its default context.
type CodeOptions struct {
	// Language is "python", "javascript", "typescript", "bash" or what else
	// the template offers; "" is python. It selects the language's default
	// context, so leave it empty when ContextID is set.
	Language string
	// ContextID selects a context of CreateContext.
	ContextID string
	// Envs are set for this run. The interpreter writes them into the code
	// unescaped, so values with quotes, backslashes, '$' or control
	// characters are refused: set such ones in the code.
	Envs map[string]string
	// Timeout ends the run by restarting its context; 0: only ctx limits it.
	// The backend has no limit of its own.
	Timeout time.Duration
	// OnStdout, OnStderr and OnResult are called as things come, one at a
	// time.
	OnStdout, OnStderr func(string)
	OnResult           func(*CodeResult)
	// MaxOutput is how many bytes of stdout, and of stderr, are kept, see
	// [RunOptions].
	MaxOutput int
}

// Run runs code and waits for its end. Variables live on for the next run in
// the same context; runs in one context wait for each other. An exception is
// an Execution with Error set, not an error.
//
// When Timeout or ctx ends the run, its context is restarted, because an
// abandoned loop would block every later run there; what came so far is
// returned, with a nil error after a Timeout. A stream that breaks off is
// CodeOutcomeUnknown or CodeSandboxGone beside the Execution so far.
func (i *Interpreter) Run(ctx context.Context, code string, opts *CodeOptions) (*Execution, error) {
	const op = "run code"
	if opts == nil {
		opts = &CodeOptions{}
	}
	request, err := opts.wire(code)
	if err != nil {
		return nil, invalidArgument(op, err)
	}
	if ctx.Err() != nil {
		return nil, contextError(op, i.sandbox.ID, ctx)
	}
	run := newCodeRun(ctx, i.sandbox, opts)
	if opts.Timeout > 0 {
		timer := time.AfterFunc(opts.Timeout, func() { run.cancel(errCodeTimeout) })
		defer timer.Stop()
	}
	err = run.execute(request)
	run.finish()
	switch cause := context.Cause(run.ctx); {
	case err == nil, cause == nil:
		return run.execution, err
	case errors.Is(cause, errCodeTimeout):
		run.execution.TimedOut, err = true, nil
	default:
		err = transportError(op, i.sandbox.ID, cause)
	}
	run.execution.Restarted = i.free(ctx, request)
	return run.execution, err
}

var errCodeTimeout = errors.New("the code's time is up")

func (o *CodeOptions) wire(code string) (*api.ExecuteRequest, error) {
	if o.Language != "" && o.ContextID != "" {
		return nil, errors.New("options Language and ContextID exclude each other: a context has its language")
	}
	if o.Timeout < 0 {
		return nil, fmt.Errorf("timeout %v is negative; 0 means none", o.Timeout)
	}
	if err := checkCodeEnvs(o.Envs); err != nil {
		return nil, err
	}
	request := &api.ExecuteRequest{Code: code, ContextID: o.ContextID, Language: o.Language, EnvVars: o.Envs}
	if o.ContextID == "" && o.Language == "" {
		request.Language = "python" // neither can hang after a restart
	}
	return request, nil
}

func checkCodeEnvs(envs map[string]string) error {
	if err := checkEnvs(envs); err != nil {
		return err
	}
	for name, value := range envs {
		if strings.ContainsFunc(name+value, func(r rune) bool { return r < ' ' || strings.ContainsRune("'\"\\$`", r) }) {
			return fmt.Errorf("envs %q holds a quote, a backslash, '$' or a control character, which the interpreter would put unescaped into the code: set it in the code", name)
		}
	}
	return nil
}
