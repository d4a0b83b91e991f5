package interpreter

import (
	"context"
	"strings"
	"sync"
)

// codeContext is one line of work in one language: its kernel, and the state
// that code left in it.
type codeContext struct {
	id   string
	lang *language
	cwd  string

	config    Config
	languages *languages

	turn chan struct{} // holds one token: who has it may execute

	mu     sync.Mutex
	kernel *kernel // nil before the first use and after an end
	count  int     // executions of this kernel
	ended  bool
}

func newCodeContext(config Config, langs *languages, id string, lang *language, cwd string) *codeContext {
	c := &codeContext{id: id, lang: lang, cwd: cwd, config: config, languages: langs, turn: make(chan struct{}, 1)}
	c.turn <- struct{}{}
	return c
}

// acquire waits for the turn to execute. Executions of one context run one
// after the other.
func (c *codeContext) acquire(ctx context.Context) error {
	select {
	case <-c.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *codeContext) release() { c.turn <- struct{}{} }

// ready returns the kernel, a fresh one if there is none or it died.
func (c *codeContext) ready(ctx context.Context) (*kernel, error) {
	if k := c.living(); k != nil {
		return k, nil
	}
	program, err := c.languages.find(c.lang)
	if err != nil {
		return nil, err
	}
	k, err := startKernel(ctx, c.config, c.lang, program.path, c.cwd)
	if err != nil {
		return nil, err
	}
	c.languages.note(program, nil)
	if !c.adopt(k) {
		k.destroy()
		return nil, &unknownContextError{c.id}
	}
	return k, nil
}

func (c *codeContext) living() *kernel {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kernel != nil && c.kernel.alive() {
		return c.kernel
	}
	return nil
}

func (c *codeContext) adopt(k *kernel) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return false
	}
	c.kernel, c.count = k, 0
	return true
}

// number returns the number of the execution that begins. Code that is blank
// does not count, as in notebooks.
func (c *codeContext) number(code string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if strings.TrimSpace(code) == "" {
		return c.count + 1
	}
	c.count++
	return c.count
}

// restart ends the kernel; the next execution has a fresh one. An execution that
// runs sees its kernel die.
func (c *codeContext) restart() {
	c.mu.Lock()
	k := c.kernel
	c.kernel = nil
	c.mu.Unlock()
	if k != nil {
		k.destroy()
	}
}

// end is restart without a next time.
func (c *codeContext) end() {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.restart()
}
