package mcpserver

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/mcpserver/internal/transcript"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// runCodeOutput is the structured result of run_code.
type runCodeOutput struct {
	Stdout      string       `json:"stdout"`
	Stderr      string       `json:"stderr"`
	ExitCode    int          `json:"exit_code"`
	OutputFiles []outputFile `json:"output_files"`
	Result      string       `json:"result"`
	SandboxID   string       `json:"sandbox_id"`
	Stateful    bool         `json:"stateful"`
	TimedOut    bool         `json:"timed_out"`
	Truncated   bool         `json:"truncated"`
	StdoutBytes int64        `json:"stdout_bytes"`
	StderrBytes int64        `json:"stderr_bytes"`
	FullOutput  string       `json:"full_output"`
	noted
}

type outputFile struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Size int64  `json:"size"`
}

const defaultCodeTimeout = 30 * time.Second

// timeoutExit is the exit code of what was stopped at its timeout.
const timeoutExit = 124

func runCode(ctx context.Context, s *Session, in *Arguments) (*Result, error) {
	timeout, err := in.Seconds("timeout", defaultCodeTimeout)
	if err != nil {
		return nil, err
	}
	language := in.StringOr("language", "python")
	if language == "shell" {
		language = "bash" // the interpreter's name for it
	}
	run := &codeRun{language: language, code: in.String("code"), timeout: timeout, capture: newCapture(ctx, s, in)}
	defer run.Close()
	return s.Sandboxes.Do(ctx, in.String("sandbox_id"), timeout, func(box *Box) (*Result, error) {
		s.Sandboxes.survey(box)
		return run.on(ctx, box)
	})
}

// codeRun is one call of run_code.
type codeRun struct {
	language, code string
	timeout        time.Duration
	*capture
}

// on runs the code in the interpreter, or as a program where there is none.
func (r *codeRun) on(ctx context.Context, box *Box) (*Result, error) {
	opts, err := box.prepare(ctx, r.language)
	if err == nil {
		var res *Result
		if res, err = r.interpret(ctx, box, opts); !errors.Is(err, errNoInterpreter) {
			return res, err
		}
	}
	if errors.Is(err, errNoInterpreter) {
		return r.script(ctx, box)
	}
	return nil, err
}

func (r *codeRun) interpret(ctx context.Context, box *Box, opts *sandboxclient.CodeOptions) (*Result, error) {
	box.files.ready(ctx)
	opts.Timeout, opts.MaxOutput = r.timeout, r.kept()
	opts.OnStdout, opts.OnStderr = r.onText, r.onText
	ran, err := box.RunCode(ctx, r.code, opts)
	switch {
	case sandboxclient.IsPortClosed(err):
		box.kernels.setNone()
		return nil, errNoInterpreter
	case sandboxclient.IsNotFound(err) && !isGone(err):
		box.kernels.forget(r.language)
		return nil, toolErrorf(CodeKernelDied, "The interpreter was restarted and its variables are lost; nothing was run. Call again.")
	case err != nil && ran != nil:
		if ran.Restarted {
			box.kernels.setLost(r.language)
		}
		return nil, r.broken(err, ran.Stdout, ran.Stderr)
	case err != nil:
		return nil, err
	}
	if ran.Error != nil && kernelDeaths[ran.Error.Name] && !ran.TimedOut {
		return nil, r.broken(toolErrorf(CodeKernelDied, "The %s process ended in the middle of the run (exit, crash or out of memory); its variables are lost. The next call starts a new one.", r.language), ran.Stdout, ran.Stderr)
	}
	return r.result(ctx, box, ran), nil
}

func (r *codeRun) result(ctx context.Context, box *Box, ran *sandboxclient.Execution) *Result {
	out := &runCodeOutput{SandboxID: box.Handle, Stateful: true, TimedOut: ran.TimedOut}
	res := &Result{Structured: out}
	if box.kernels.takeLost(r.language) {
		res.Notes = append(res.Notes, "The interpreter was restarted when an earlier call was cancelled: variables from before are lost.")
	}
	pictures := newGallery(res)
	stdout, stderr := ran.Stdout, ran.Stderr
	for _, value := range ran.Results {
		hasPicture := pictures.addResult(ctx, box, value)
		r.describe(value)
		switch {
		case value.IsMain:
			out.Result = r.shorten(out, value.Text)
		case !hasPicture && value.Text != "":
			stdout = r.withText(stdout, value.Text)
		}
	}
	var uncaught string
	if out.ExitCode, uncaught = exitOf(ran); uncaught != "" {
		stderr = r.withText(stderr, uncaught)
	}
	out.StdoutBytes, out.StderrBytes = ran.Stdout.Total, ran.Stderr.Total
	if ran.TimedOut {
		out.ExitCode = timeoutExit
		r.timedOut(res, ran.Restarted)
	}
	r.fill(ctx, box, res, stdout, stderr)
	pictures.addFiles(ctx, box, out.OutputFiles)
	return res
}

// fill sets the fields that interpreter and program runs share.
func (r *codeRun) fill(ctx context.Context, box *Box, res *Result, stdout, stderr sandboxclient.Output) {
	out := res.Structured.(*runCodeOutput)
	shown := r.shown(ctx, box, stdout, stderr)
	out.Stdout, out.Stderr, out.FullOutput = shown.stdout, shown.stderr, shown.fullOutput
	out.Truncated = out.Truncated || shown.truncated
	files, err := box.files.look(ctx, box)
	if err != nil {
		r.notef("The files of the run could not be listed: %v.", err)
	}
	if total := len(files); total > maxOutputFiles {
		files = files[:maxOutputFiles]
		r.notef("The run made or changed %d files; the first %d are named.", total, maxOutputFiles)
	}
	out.OutputFiles = files
	res.Notes = append(res.Notes, r.notes...)
}

// shorten fits the value of the last expression into the limit.
func (r *codeRun) shorten(out *runCodeOutput, value string) string {
	text := transcript.Render(transcript.Raw{Head: []byte(value)}, transcript.Options{Max: r.limit, Raw: true})
	out.Truncated = out.Truncated || text.LeftOut > 0
	return text.String
}

// describe names the representations of a value that are not sent.
func (r *codeRun) describe(value *sandboxclient.CodeResult) {
	var left []string
	for _, format := range value.Formats() {
		switch format {
		case "text", "png", "jpeg", "svg":
		default:
			left = append(left, format)
		}
	}
	if len(left) > 0 {
		r.notef("A displayed value also has the form %s, which is not sent.", strings.Join(left, ", "))
	}
}

func (r *codeRun) timedOut(res *Result, restarted bool) {
	res.Failure = toolErrorf(CodeTimeout, "The code was still running after %s and was stopped; the interpreter was restarted, so variables of this language are lost. Its output until then is in the result. Pass a larger timeout for long work.", r.timeout)
	if !restarted {
		res.Failure.Message = strings.Replace(res.Failure.Message, "the interpreter was restarted", "the interpreter could not be restarted and may still be busy", 1)
	}
	res.Notes = append(res.Notes, res.Failure.Message)
}

// script runs the code as a program of its own.
func (r *codeRun) script(ctx context.Context, box *Box) (*Result, error) {
	box.files.ready(ctx)
	ran, err := box.runScript(ctx, r.language, r.code, r.timeout, r.capture)
	if err != nil {
		return nil, err
	}
	out := &runCodeOutput{
		SandboxID: box.Handle, ExitCode: ran.ExitCode, TimedOut: ran.TimedOut,
		StdoutBytes: ran.Stdout.Total, StderrBytes: ran.Stderr.Total,
	}
	res := &Result{Structured: out}
	r.notef("%s", scriptNote)
	if ran.TimedOut {
		res.Failure = toolErrorf(CodeTimeout, "The code was still running after %s and was killed. Its output until then is in the result. Pass a larger timeout for long work.", r.timeout)
		r.notef("%s", res.Failure.Message)
	}
	r.fill(ctx, box, res, ran.Stdout, ran.Stderr)
	newGallery(res).addFiles(ctx, box, out.OutputFiles)
	return res, nil
}

// exitOf gives the exit code of an execution, and what an uncaught exception
// adds to stderr.
func exitOf(ran *sandboxclient.Execution) (code int, uncaught string) {
	switch e := ran.Error; {
	case e == nil || ran.TimedOut:
		return 0, ""
	case e.Name == "SystemExit":
		return systemExit(e.Value)
	case e.Traceback == "":
		return 1, e.Error()
	default:
		return 1, e.Traceback
	}
}

// systemExit reads Python's sys.exit: a number is the code, nothing is 0, and
// anything else is printed and 1.
func systemExit(value string) (code int, uncaught string) {
	if value == "" || value == "None" {
		return 0, ""
	}
	if n, err := strconv.Atoi(value); err == nil {
		return n & 0xff, ""
	}
	return 1, value
}

// withText puts text on a line of its own at the end of a stream.
func (r *codeRun) withText(o sandboxclient.Output, text string) sandboxclient.Output {
	last := o.Tail
	if len(last) == 0 {
		last = o.Head
	}
	if len(last) > 0 && last[len(last)-1] != '\n' {
		text = "\n" + text
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, _ = r.all.Write([]byte(text))
	return sandboxclient.Output{Head: o.Head, Tail: slices.Concat(o.Tail, []byte(text)), Total: o.Total + int64(len(text))}
}
