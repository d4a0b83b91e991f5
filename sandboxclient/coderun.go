package sandboxclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// maxResultLine bounds one line of an execution: a result can hold an image.
const maxResultLine = 64 << 20

// codeRun reads one execution.
type codeRun struct {
	sandbox        *Sandbox
	opts           *CodeOptions
	ctx            context.Context
	cancel         context.CancelCauseFunc
	stdout, stderr *collector
	execution      *Execution
}

func newCodeRun(ctx context.Context, s *Sandbox, opts *CodeOptions) *codeRun {
	r := &codeRun{
		sandbox: s, opts: opts, execution: &Execution{},
		stdout: newCollector(opts.MaxOutput), stderr: newCollector(opts.MaxOutput),
	}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	return r
}

// execute sends the request and reads the answer to its end.
func (r *codeRun) execute(request *api.ExecuteRequest) error {
	const op = "run code"
	body, err := json.Marshal(request)
	if err != nil {
		return invalidArgument(op, err)
	}
	var resp *http.Response
	err = r.sandbox.interpreter.call(r.ctx, false, func() error {
		var err error
		resp, err = r.sandbox.interpreterRequest(r.ctx, op, http.MethodPost, api.PathExecute, body)
		return err
	})
	if err != nil {
		return err
	}
	defer closeBody(resp)
	if err := r.read(resp.Body); err != nil {
		return r.sandbox.cut(r.ctx, op, err)
	}
	return nil
}

// read takes the lines up to the last one.
func (r *codeRun) read(body io.Reader) error {
	lines := newLineReader(body, maxResultLine)
	for {
		text, err := lines.next()
		switch {
		case errors.Is(err, errLongLine):
			r.execution.DroppedLines++
			continue
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		case len(bytes.TrimSpace(text)) == 0:
			continue
		}
		var line api.Line
		if err := json.Unmarshal(text, &line); err != nil {
			return err
		}
		if line.Type == api.LineEnd {
			return nil
		}
		r.take(&line)
	}
}

func (r *codeRun) take(line *api.Line) {
	switch line.Type {
	case api.LineExecutions:
		r.execution.ExecutionCount = line.ExecutionCount
	case api.LineStdout:
		takeText(r.stdout, line, r.opts.OnStdout)
	case api.LineStderr:
		takeText(r.stderr, line, r.opts.OnStderr)
	case api.LineError:
		r.execution.Error = &ExecutionError{Name: line.Name, Value: line.Value, Traceback: line.Traceback}
	case api.LineResult:
		result := newCodeResult(line)
		r.execution.Results = append(r.execution.Results, result)
		if r.opts.OnResult != nil {
			r.opts.OnResult(result)
		}
	}
}

func takeText(kept *collector, line *api.Line, on func(string)) {
	if line.Text == nil {
		return
	}
	_, _ = kept.Write([]byte(*line.Text))
	if on != nil {
		on(*line.Text)
	}
}

// finish completes the Execution with what was collected.
func (r *codeRun) finish() {
	r.execution.Stdout, r.execution.Stderr = r.stdout.output(), r.stderr.output()
}

// interpreterRequest sends one request to the interpreter's port.
func (s *Sandbox) interpreterRequest(ctx context.Context, op, method, path string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.interpreter.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, invalidArgument(op, err)
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := s.interpreter.Do(req)
	if err != nil {
		return nil, interpreterError(op, s.ID, err)
	}
	return resp, nil
}

func interpreterError(op, sandboxID string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return transportError(op, sandboxID, err)
	}
	named := *e
	named.Op = op
	switch {
	case named.Code == CodeNotFound:
		named.Resource = ResourceContext
	case named.Code == CodePortClosed:
		named.Message = "the sandbox has no code interpreter running: " + named.Message
	}
	return &named
}
