package interpreter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// probeLimit bounds the run that shows whether a program works.
const probeLimit = 20 * time.Second

// languages knows which languages this sandbox has. A language exists when its
// program ran, as a kernel or to be asked; that is found out once for each
// program file.
type languages struct {
	config Config
	mu     sync.Mutex
	works  map[programFile]error
}

// programFile is one state of a file: a replaced one is asked anew.
type programFile struct {
	path     string
	modified time.Time
}

func newLanguages(config Config) *languages {
	return &languages{config: config, works: map[programFile]error{}}
}

// unknownLanguageError is the error for a name that is no language at all.
type unknownLanguageError struct{ name string }

func (e *unknownLanguageError) Error() string { return fmt.Sprintf("there is no language %q", e.name) }

// missingLanguageError is the error for a language whose program is not here.
type missingLanguageError struct {
	lang  *language
	cause error
}

func (e *missingLanguageError) Error() string {
	return fmt.Sprintf("%s needs %s (%v): %s", e.lang.name, e.lang.program, e.cause, e.lang.install)
}

func (e *missingLanguageError) Unwrap() error { return e.cause }

// lookup is the package's lookup among the languages that are known here.
func (l *languages) lookup(name string) (*language, bool) {
	lang, ok := lookup(name)
	if !ok || slices.Contains(l.config.Without, lang.name) {
		return nil, false
	}
	return lang, true
}

// find returns the program of lang without running it, or *missingLanguageError.
func (l *languages) find(lang *language) (programFile, error) {
	file, err := findProgram(lang.program, l.config.Env())
	if err == nil {
		err, _ = l.known(file)
	}
	if err != nil {
		return programFile{}, &missingLanguageError{lang, err}
	}
	return file, nil
}

// check finds out whether lang works here; it runs the program if need be.
func (l *languages) check(ctx context.Context, lang *language) error {
	file, err := l.find(lang)
	if err != nil {
		return err
	}
	if _, known := l.known(file); known {
		return nil
	}
	if err = l.run(ctx, file.path, lang.probe); err == nil || ctx.Err() == nil {
		l.note(file, err)
	}
	return err
}

func (l *languages) known(file programFile) (err error, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err, known = l.works[file]
	return err, known
}

// note keeps that the program worked (nil) or why it did not.
func (l *languages) note(file programFile, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.works[file] = err
}

func (l *languages) run(ctx context.Context, path string, options []string) error {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, options...)
	cmd.Env = l.config.Env()
	cmd.SysProcAttr = l.config.SysProcAttr
	cmd.WaitDelay = time.Second
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := proctree.StartPlain(cmd.Start)
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		return fmt.Errorf("run %s: %w: %s", path, err, firstLine(output.String()))
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
		if _, known := l.lookup(lang.name); known && l.check(ctx, lang) == nil {
			names = append(names, lang.name)
		}
	}
	return names
}

var errNotOnPath = errors.New("not found on PATH")

// findProgram looks name up on the PATH of env, not on that of this process.
func findProgram(name string, env []string) (programFile, error) {
	path := defaultPath
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = value
		}
	}
	for _, dir := range filepath.SplitList(path) {
		found, err := exec.LookPath(filepath.Join(dir, name))
		if err != nil || !filepath.IsAbs(dir) {
			continue
		}
		if info, err := os.Stat(found); err == nil {
			return programFile{found, info.ModTime()}, nil
		}
	}
	return programFile{}, errNotOnPath
}
