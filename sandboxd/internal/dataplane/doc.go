// Package dataplane carries requests for a sandbox to its agent: to envd, to
// the code interpreter, and to whatever a program in the sandbox listens with.
//
// One port serves all sandboxes. Which sandbox and which of its ports is meant
// stands in the left label of the host name, <port>-<id>.<domain>, or, where
// the host is an address, localhost or sandbox.<domain>, in the headers
// E2b-Sandbox-Id and E2b-Sandbox-Port.
package dataplane
