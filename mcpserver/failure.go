package mcpserver

import "github.com/agentsandbox/agent-sandbox/sandboxclient"

// isGone tells whether a sandbox does not exist any more. A path or a context
// that does not exist is something else.
func isGone(err error) bool { return sandboxclient.IsSandboxGone(err) }

// isUnreachable tells whether nothing of the sandbox answered.
func isUnreachable(err error) bool { return sandboxclient.IsUnavailable(err) }

// isBusy tells whether the sandbox was just changing its state.
func isBusy(err error) bool { return sandboxclient.CodeOf(err) == sandboxclient.CodeConflict }

// isMissingPath tells whether a path does not exist in a sandbox that does.
func isMissingPath(err error) bool { return sandboxclient.IsNotFound(err) && !isGone(err) }
