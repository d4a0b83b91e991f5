// Package api holds the wire types of the sandbox API that client and backend
// share: the JSON bodies of the control plane, the lines of the code
// interpreter, and the names of headers, ports and paths.
//
// Source of every name: the public E2B API (OpenAPI description of the control
// plane, envd and the code interpreter) and the Alibaba Cloud FC documentation
// of its compatible service. Durations on the wire are whole seconds unless a
// field says otherwise. Unknown fields and unknown states decode without error.
package api
