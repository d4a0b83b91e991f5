// Package sandboxclient drives sandboxes of any backend that speaks the E2B
// protocol: the hosted E2B service, Alibaba Cloud FC Agent Sandbox, or one on
// this machine. It depends on the standard library, connect and protobuf alone.
//
// A [Client] makes, finds and ends sandboxes. A [Sandbox] runs commands
// ([Commands]), moves files ([Files]) and runs code in a stateful interpreter
// ([Interpreter]).
//
// # Options
//
// Every call takes a pointer to a struct of options as its last argument; nil
// means the defaults, which the struct documents. Durations are rounded up to
// the unit of the wire: whole seconds for the life of a sandbox.
//
// # Environment
//
// [New] reads no environment. [NewFromEnv] reads, for a prefix such as E2B:
//
//	<prefix>_API_KEY      the account's key, required
//	<prefix>_API_URL      Options.APIURL, default https://api.<domain>
//	<prefix>_DOMAIN       Options.Domain, default the API's host without "api."
//	<prefix>_SANDBOX_URL  Options.SandboxURL, default a host for each sandbox
//
// A field of Options that is set wins over its variable.
//
// # Three clocks
//
// The life of a sandbox (CreateOptions.Timeout, SetTimeout) runs in the
// backend. The time of a command or of code (RunOptions.Timeout,
// CodeOptions.Timeout) runs here and ends what it limits, with everything that
// it started; it is a result, not an error. The time of one request is ctx, or
// Options.RequestTimeout where ctx has no deadline. None is ever taken for
// another.
//
// # Errors
//
// Every failure is an [Error] with a [Code]; decide on the code. A command
// that exits with another code than 0, and code that raises an exception, are
// results.
//
// # What is sent again
//
// A call that was surely not carried out (the connection was refused, or a 429
// that names a time) is sent again, whatever it is. After a 502, 503 or 504, or
// a lost answer, only a call is repeated that may be carried out twice. The
// first calls to a new sandbox, which a gateway may answer before it routes to
// it, are repeated once its health check succeeds; no check stands in front of
// them. Creating a sandbox and starting a command are never repeated in doubt.
//
// # Secrets
//
// The key goes to the control plane alone, the token of a sandbox to its own
// host alone. Redirects to another host, or from https to http, are refused.
// Neither is logged or part of an error.
package sandboxclient
