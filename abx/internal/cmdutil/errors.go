package cmdutil

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// Exit codes of abx.
const (
	ExitOK      = 0
	ExitFailure = 1
	ExitUsage   = 2
	ExitAuth    = 4 // the API key or token is missing or was refused
)

// ErrSilent ends a command with ExitFailure when all that there is to say has
// been printed.
var ErrSilent = errors.New("silent")

// FlagError is a mistake in how the command was called.
type FlagError struct{ err error }

// Error implements error.
func (e *FlagError) Error() string { return e.err.Error() }

// Unwrap gives the cause.
func (e *FlagError) Unwrap() error { return e.err }

// FlagErrorf makes a FlagError.
func FlagErrorf(format string, args ...any) error { return &FlagError{fmt.Errorf(format, args...)} }

// AuthError means that the credential is missing or was refused.
type AuthError struct{ err error }

// Error implements error.
func (e *AuthError) Error() string { return e.err.Error() }

// Unwrap gives the cause.
func (e *AuthError) Unwrap() error { return e.err }

// AuthErrorf makes an AuthError.
func AuthErrorf(format string, args ...any) error { return &AuthError{fmt.Errorf(format, args...)} }

// ExitError ends abx with a code of the command's own choice, such as the exit
// code of a remote command. Nothing is printed for it.
type ExitError struct{ Status int }

// Error implements error.
func (e *ExitError) Error() string { return fmt.Sprintf("exit status %d", e.Status) }

// HintError adds one line that says what to do.
type HintError struct {
	Err  error
	Hint string
}

// Error implements error.
func (e *HintError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *HintError) Unwrap() error { return e.Err }

// WithHint adds to err what the user can do about it.
func WithHint(err error, hint string) error { return &HintError{Err: err, Hint: hint} }

// Args turns a cobra validator's complaint into a FlagError.
func Args(validate cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := validate(cmd, args); err != nil {
			return &FlagError{err}
		}
		return nil
	}
}
