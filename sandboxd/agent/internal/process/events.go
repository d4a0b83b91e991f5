package process

import (
	"os"
	"os/exec"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

type event = process.ProcessEvent

func startEvent(pid uint32) *event {
	return &event{Event: &process.ProcessEvent_Start{Start: &process.ProcessEvent_StartEvent{Pid: pid}}}
}

func keepaliveEvent() *event {
	return &event{Event: &process.ProcessEvent_Keepalive{Keepalive: &process.ProcessEvent_KeepAlive{}}}
}

func dataEvent(d *process.ProcessEvent_DataEvent) *event {
	return &event{Event: &process.ProcessEvent_Data{Data: d}}
}

func stdoutEvent(b []byte) *event {
	return dataEvent(&process.ProcessEvent_DataEvent{Output: &process.ProcessEvent_DataEvent_Stdout{Stdout: b}})
}

func stderrEvent(b []byte) *event {
	return dataEvent(&process.ProcessEvent_DataEvent{Output: &process.ProcessEvent_DataEvent_Stderr{Stderr: b}})
}

func ptyEvent(b []byte) *event {
	return dataEvent(&process.ProcessEvent_DataEvent{Output: &process.ProcessEvent_DataEvent_Pty{Pty: b}})
}

// endEvent tells how a process ended. ExitCode is -1 and Exited false when a
// signal did it; Error is set whenever the status is not a plain zero
// (envd contract: end event).
func endEvent(state *os.ProcessState) *event {
	end := &process.ProcessEvent_EndEvent{
		ExitCode: int32(state.ExitCode()),
		Exited:   state.Exited(),
		Status:   state.String(),
	}
	if !state.Success() {
		text := (&exec.ExitError{ProcessState: state}).Error()
		end.Error = &text
	}
	return &event{Event: &process.ProcessEvent_End{End: end}}
}
