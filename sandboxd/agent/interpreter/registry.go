package interpreter

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
)

// unknownContextError is the error for an id that no context has.
type unknownContextError struct{ id string }

func (e *unknownContextError) Error() string { return fmt.Sprintf("Context %s not found", e.id) }

// registry holds the contexts of a server in the order of their making. Each
// language has a default context, which exists from its first use on; those of
// the listed languages are listed from the start.
type registry struct {
	config    Config
	languages *languages

	mu       sync.Mutex
	contexts []*codeContext
	defaults map[string]*codeContext // by language
	closed   bool
}

func newRegistry(config Config, langs *languages) *registry {
	return &registry{config: config, languages: langs, defaults: map[string]*codeContext{}}
}

// get returns the context with that id.
func (r *registry) get(id string) (*codeContext, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.contexts {
		if c.id == id {
			return c, nil
		}
	}
	return nil, &unknownContextError{id}
}

// forLanguage returns the default context of a language.
func (r *registry) forLanguage(lang *language) (*codeContext, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.defaults[lang.name]; ok {
		return c, nil
	}
	c, err := r.add(lang, r.config.Cwd)
	if err == nil {
		r.defaults[lang.name] = c
	}
	return c, err
}

// create makes a context and starts its kernel, so that a language that does
// not work is told here and not at the first execution.
func (r *registry) create(ctx context.Context, lang *language, cwd string) (*codeContext, error) {
	r.mu.Lock()
	c, err := r.add(lang, cwd)
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if _, err := c.ready(ctx); err != nil {
		_ = r.remove(c.id)
		return nil, err
	}
	return c, nil
}

// add wants r.mu held.
func (r *registry) add(lang *language, cwd string) (*codeContext, error) {
	if r.closed {
		return nil, fmt.Errorf("the interpreter is closed")
	}
	c := newCodeContext(r.config, r.languages, newID(), lang, cwd)
	r.contexts = append(r.contexts, c)
	return c, nil
}

// remove ends a context.
func (r *registry) remove(id string) error {
	c, err := r.take(id)
	if err != nil {
		return err
	}
	c.end()
	return nil
}

func (r *registry) take(id string) (*codeContext, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, c := range r.contexts {
		if c.id != id {
			continue
		}
		r.contexts = append(r.contexts[:i:i], r.contexts[i+1:]...)
		if r.defaults[c.lang.name] == c {
			delete(r.defaults, c.lang.name)
		}
		return c, nil
	}
	return nil, &unknownContextError{id}
}

// list returns all contexts. The default ones of python and javascript stand
// first when these languages work here, as on the hosted service.
func (r *registry) list(ctx context.Context) []*codeContext {
	var first []*codeContext
	for _, name := range []string{"python", "javascript"} {
		lang, _ := lookup(name)
		if r.languages.check(ctx, lang) != nil {
			continue
		}
		if c, err := r.forLanguage(lang); err == nil {
			first = append(first, c)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.contexts {
		if !slices.Contains(first, c) {
			first = append(first, c)
		}
	}
	return first
}

// close ends every context and waits for that.
func (r *registry) close() {
	r.mu.Lock()
	contexts := r.contexts
	r.contexts, r.closed = nil, true
	clear(r.defaults)
	r.mu.Unlock()
	var ends sync.WaitGroup
	for _, c := range contexts {
		ends.Go(c.end)
	}
	ends.Wait()
}

// newID returns a random UUID, version 4.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
