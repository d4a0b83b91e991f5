package mcpserver

import (
	"context"
	"errors"
	"sync"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// kernels are the interpreter contexts of one sandbox, one for each language,
// so that calls of a language share their variables and nobody else's.
type kernels struct {
	mu     sync.Mutex
	byName map[string]*kernel
	none   bool            // the template has no interpreter
	lost   map[string]bool // languages whose restart no result has told of
}

// kernel is what code of one language runs in. ready guards the rest.
type kernel struct {
	ready sync.Mutex
	made  bool
	id    string // "": the backend refuses contexts, its default one is used
}

// errNoInterpreter says that the template runs no interpreter.
var errNoInterpreter = errors.New("no interpreter in this template")

func (k *kernels) of(language string) (*kernel, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.none {
		return nil, errNoInterpreter
	}
	if k.byName == nil {
		k.byName = map[string]*kernel{}
	}
	if k.byName[language] == nil {
		k.byName[language] = &kernel{}
	}
	return k.byName[language], nil
}

func (k *kernels) setNone() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.none = true
}

// setLost remembers a restart that its own call could not tell of, because the
// client dropped that call.
func (k *kernels) setLost(language string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.lost == nil {
		k.lost = map[string]bool{}
	}
	k.lost[language] = true
}

// takeLost says once whether there was such a restart.
func (k *kernels) takeLost(language string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	lost := k.lost[language]
	delete(k.lost, language)
	return lost
}

// forget drops the context of a language, which is made anew when needed.
func (k *kernels) forget(language string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.byName, language)
}

// prepare makes the context of a language, in the directory of the image, and
// gives the options that run code in it.
func (b *Box) prepare(ctx context.Context, language string) (*sandboxclient.CodeOptions, error) {
	k, err := b.kernels.of(language)
	if err != nil {
		return nil, err
	}
	k.ready.Lock()
	defer k.ready.Unlock()
	if !k.made {
		if err := b.makeContext(ctx, k, language); err != nil {
			return nil, err
		}
		k.made = true
	}
	if k.id == "" { // refused, or shared
		return &sandboxclient.CodeOptions{Language: language}, nil
	}
	return &sandboxclient.CodeOptions{ContextID: k.id}, nil
}

func (b *Box) makeContext(ctx context.Context, k *kernel, language string) error {
	if b.sharedKernels {
		return nil
	}
	made, err := b.CreateContext(ctx, &sandboxclient.ContextOptions{Language: language, Cwd: b.files.directory(ctx)})
	switch {
	case err == nil:
		k.id = made.ID
		return nil
	case sandboxclient.IsPortClosed(err):
		b.kernels.setNone()
		return errNoInterpreter
	case contextsRefused(err):
		return nil
	case sandboxclient.CodeOf(err) == sandboxclient.CodeInternal, sandboxclient.CodeOf(err) == sandboxclient.CodeInvalidArgument:
		return b.languageUnavailable(ctx, language, err)
	}
	return err
}

// contextsRefused tells whether the backend runs code but offers no contexts.
func contextsRefused(err error) bool {
	switch sandboxclient.CodeOf(err) {
	case sandboxclient.CodeUnsupported, sandboxclient.CodePermissionDenied, sandboxclient.CodeNotFound:
		return !isGone(err)
	}
	return false
}

// kernelDeaths are the names of errors that tell of the end of a kernel.
var kernelDeaths = map[string]bool{
	"ContextRestarting": true, "ExecutionAborted": true,
	"WebSocketError": true, "UnexpectedEndOfExecution": true,
}
