// Package localtls serves TLS beside plain text on one port, with
// certificates of its own making. Some clients of the E2B protocol insist on
// https for a sandbox's ports, wherever the sandbox is; they are told to trust
// the authority that this package makes up when the server starts.
package localtls
