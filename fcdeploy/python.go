package fcdeploy

import _ "embed"

// The python flavor keeps the file names that Python deployments expect. The
// server itself stays the Go binary: FC's Python runtimes take one request at a
// time in an instance and have no session affinity for MCP.

//go:embed templates/app.py
var pythonApp []byte

//go:embed templates/requirements.txt
var pythonRequirements []byte
