package interpreter

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// probeLimit bounds the run that shows whether a program works.
const probeLimit = 20 * time.Second

// languages knows which languages this sandbox has. A language exists when its
// program ran; that is asked once for each program file.
type languages struct {
	config Config
	mu     sync.Mutex
	works  map[string]error // by path of the program
}

func newLanguages(config Config) *languages {
	return &languages{config: config, works: map[string]error{}}
}

// unknownLanguage is the error for a name that is no language at all.
type unknownLanguage struct{ name string }

func (e *unknownLanguage) Error() string { return fmt.Sprintf("there is no language %q", e.name) }

// missingLanguage is the error for a language whose program is not here.
type missingLanguage struct {
	lang  *language
	cause error
}

func (e *missingLanguage) Error() string {
	return fmt.Sprintf("%s needs %s (%v): %s", e.lang.name, e.lang.program, e.cause, e.lang.install)
}

func (e *missingLanguage) Unwrap() error { return e.cause }

// program returns the path of the program of lang, or *missingLanguage.
func (l *languages) program(ctx context.Context, lang *language) (string, error) {
	path, err := findProgram(lang.program, l.config.Env())
	if err != nil {
		return "", &missingLanguage{lang, err}
	}
	if err := l.probe(ctx, lang, path); err != nil {
		return "", &missingLanguage{lang, err}
	}
	return path, nil
}

func (l *languages) probe(ctx context.Context, lang *language, path string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err, known := l.works[path]; known {
		return err
	}
	err := l.run(ctx, path, lang.probe)
	if ctx.Err() == nil {
		l.works[path] = err
	}
	return err
}

func (l *languages) run(ctx context.Context, path string, options []string) error {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, options...)
	cmd.Env = l.config.Env()
	cmd.SysProcAttr = l.config.SysProcAttr
	cmd.WaitDelay = time.Second
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run %s: %w: %s", path, err, firstLine(string(output)))
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// present lists the names of the languages that work here.
func (l *languages) present(ctx context.Context) []string {
	var names []string
	for _, lang := range table {
		if _, err := l.program(ctx, lang); err == nil {
			names = append(names, lang.name)
		}
	}
	return names
}

var errNotOnPath = errors.New("not found on PATH")

// findProgram looks name up on the PATH of env, not on that of this process.
func findProgram(name string, env []string) (string, error) {
	path := defaultPath
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = value
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", errNotOnPath
}
