package contract

import (
	"fmt"
	"slices"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

var lifeCases = []one{
	{"create, get, kill", createGetKill},
	{"unknown template", unknownTemplate},
	{"unknown sandbox", unknownSandbox},
	{"wrong timeout", wrongTimeout},
	{"environment of create", createEnvironment},
	{"metadata and pages", metadataAndPages},
	{"set timeout", setTimeout},
	{"end of life", endOfLife},
	{"connect never shortens", connectNeverShortens},
	{"pause and resume", pauseAndResume},
	{"two sandboxes share nothing", sharesNothing},
	{"token", tokenIsWanted},
}

func createGetKill(r *run) {
	sandbox := r.create(&sandboxclient.CreateOptions{Metadata: map[string]string{"purpose": "contract"}})
	info, err := r.Client.Get(r.ctx, sandbox.ID)
	r.check("get", err)
	if info.State != api.StateRunning || info.Metadata["purpose"] != "contract" || info.TemplateID == "" {
		r.Errorf("get answered %+v", info.ListedSandbox)
	}
	if left := time.Until(info.EndAt); left < life-time.Minute || left > life+time.Minute {
		r.Errorf("ends in %s, want about %s", left, life)
	}
	running, err := sandbox.Running(r.ctx)
	if err != nil || !running {
		r.Errorf("running is %t, %v", running, err)
	}
	r.check("kill", sandbox.Kill(r.ctx))
	r.wantCode("second kill", sandbox.Kill(r.ctx), sandboxclient.CodeNotFound)
	_, err = r.Client.Get(r.ctx, sandbox.ID)
	r.wantCode("get after kill", err, sandboxclient.CodeNotFound)
	running, err = sandbox.Running(r.ctx)
	if err != nil || running {
		r.Errorf("running after kill is %t, %v", running, err)
	}
	_, err = sandbox.Commands.Run(r.ctx, "true", nil)
	if !sandboxclient.IsSandboxGone(err) {
		r.Errorf("run after kill: %v, want the code of a sandbox that is gone", err)
	}
}

func unknownTemplate(r *run) {
	_, err := r.Client.Create(r.ctx, &sandboxclient.CreateOptions{Template: "no-such-template-anywhere"})
	r.wantCode("create", err, sandboxclient.CodeNotFound)
}

func unknownSandbox(r *run) {
	const id = "inosuchsandboxatall00"
	_, connectErr := r.Client.Connect(r.ctx, id, nil)
	_, getErr := r.Client.Get(r.ctx, id)
	for what, err := range map[string]error{
		"connect": connectErr, "get": getErr,
		"kill":        r.Client.Kill(r.ctx, id),
		"set timeout": r.Client.SetTimeout(r.ctx, id, time.Minute),
	} {
		r.wantCode(what, err, sandboxclient.CodeNotFound)
	}
}

func wrongTimeout(r *run) {
	_, err := r.Client.Create(r.ctx, &sandboxclient.CreateOptions{Timeout: 10000 * time.Hour})
	r.wantCode("create for 10000 hours", err, sandboxclient.CodeInvalidArgument)
}

func createEnvironment(r *run) {
	sandbox := r.create(&sandboxclient.CreateOptions{
		Envs: map[string]string{"GREETING": "hello 'world' $HOME", "EMPTY": ""},
	})
	if got, want := r.sh(sandbox, `printf '%s|%s|' "$GREETING" "${EMPTY-unset}"`), "hello 'world' $HOME||"; got != want {
		r.Errorf("environment is %q, want %q", got, want)
	}
}

func metadataAndPages(r *run) {
	odd := "a&b=c d/é+%41"
	mark := fmt.Sprint(time.Now().UnixNano())
	var ids []string
	for n := range 3 {
		ids = append(ids, r.create(&sandboxclient.CreateOptions{
			Metadata: map[string]string{"contract": mark, "odd": odd, "n": fmt.Sprint(n)},
		}).ID)
	}
	list := func(opts *sandboxclient.ListOptions) (found []string) {
		for info, err := range r.Client.List(r.ctx, opts) {
			r.check("list", err)
			found = append(found, info.SandboxID)
		}
		return found
	}
	mine := map[string]string{"contract": mark, "odd": odd}
	if got := list(&sandboxclient.ListOptions{Metadata: mine, PageSize: 1, OldestFirst: true}); !slices.Equal(got, ids) {
		r.Errorf("listed %q, want %q", got, ids)
	}
	newest := slices.Clone(ids)
	slices.Reverse(newest)
	if got := list(&sandboxclient.ListOptions{Metadata: mine}); !slices.Equal(got, newest) {
		r.Errorf("newest first listed %q, want %q", got, newest)
	}
	second := map[string]string{"contract": mark, "n": "1"}
	if got := list(&sandboxclient.ListOptions{Metadata: second}); !slices.Equal(got, ids[1:2]) {
		r.Errorf("the second listed %q, want %q", got, ids[1:2])
	}
}

func setTimeout(r *run) {
	sandbox := r.create(nil)
	r.check("set timeout", sandbox.SetTimeout(r.ctx, 2*life))
	info, err := sandbox.Info(r.ctx)
	r.check("info", err)
	if left := time.Until(info.EndAt); left < life+time.Minute {
		r.Errorf("ends in %s, want about %s", left, 2*life)
	}
}

func endOfLife(r *run) {
	sandbox := r.create(&sandboxclient.CreateOptions{Timeout: 2 * time.Second})
	// A command is under way when the end comes: it must not hang.
	_, err := sandbox.Commands.Run(r.ctx, "sleep 600", nil)
	if !sandboxclient.IsSandboxGone(err) {
		r.Errorf("a command over the end of life: %v, want the code of a sandbox that is gone", err)
	}
	r.eventually("the sandbox to be forgotten", func() bool {
		_, err := sandbox.Info(r.ctx)
		return sandboxclient.IsNotFound(err)
	})
}

func connectNeverShortens(r *run) {
	sandbox := r.create(nil)
	other, err := r.Client.Connect(r.ctx, sandbox.ID, &sandboxclient.ConnectOptions{Timeout: 5 * time.Second})
	r.check("connect", err)
	info, err := other.Info(r.ctx)
	r.check("info", err)
	if left := time.Until(info.EndAt); left < life-time.Minute {
		r.Errorf("ends in %s after a connect, want about %s", left, life)
	}
	r.sh(sandbox, "echo shared > from-one")
	if got := r.sh(other, "cat from-one"); got != "shared\n" {
		r.Errorf("the second connection read %q", got)
	}
}

func pauseAndResume(r *run) {
	sandbox := r.create(nil)
	r.sh(sandbox, "echo kept > kept")
	process, err := sandbox.Commands.Start(r.ctx, "sleep 600", nil)
	r.check("start", err)
	r.check("pause", sandbox.Pause(r.ctx, nil))
	running, err := sandbox.Running(r.ctx)
	if err != nil || running {
		r.Errorf("running while paused is %t, %v", running, err)
	}
	info, err := sandbox.Info(r.ctx)
	r.check("info", err)
	if info.State != api.StatePaused {
		r.Errorf("state is %s, want paused", info.State)
	}
	again, err := r.Client.Connect(r.ctx, sandbox.ID, nil)
	r.check("connect", err)
	if got := r.sh(again, fmt.Sprintf("cat kept; kill -0 %d && echo alive", process.PID())); got != "kept\nalive\n" {
		r.Errorf("after the resume: %q", got)
	}
}

func sharesNothing(r *run) {
	first, second := r.create(nil), r.create(nil)
	r.sh(first, "echo mine > private; sleep 600 >/dev/null 2>&1 &")
	if got := r.sh(second, "ls -A private 2>/dev/null | wc -l"); got != "0\n" {
		r.Errorf("the second sandbox sees %q", got)
	}
	processes, err := second.Commands.List(r.ctx)
	r.check("list", err)
	if len(processes) != 0 {
		r.Errorf("the second sandbox lists %d processes", len(processes))
	}
}

func tokenIsWanted(r *run) {
	secure := r.create(nil)
	if secure.AccessToken() == "" {
		r.Error("a sandbox is not secure by default")
	}
	open := r.create(&sandboxclient.CreateOptions{Insecure: true})
	if got := r.sh(open, "echo open"); open.AccessToken() != "" || got != "open\n" {
		r.Errorf("an insecure sandbox has token %t and answered %q", open.AccessToken() != "", got)
	}
}
