// Package sandboxclient drives sandboxes of any backend that speaks the E2B
// protocol: the hosted E2B service, Alibaba Cloud FC Agent Sandbox, or a local
// one. It makes and ends sandboxes (Client), runs commands (Commands), moves
// files (Files) and runs code in a stateful interpreter (Interpreter).
package sandboxclient
