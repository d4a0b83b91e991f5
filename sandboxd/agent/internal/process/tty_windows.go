package process

import (
	"errors"
	"os"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

func setSize(*os.File, *process.PTY_Size) error { return errors.ErrUnsupported }

func pollable(f *os.File) (*os.File, error) { return f, nil }
