package auth

import (
	"errors"
	"fmt"
	"net/http"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

// Users puts the user of an RPC into its context: the Basic user name, else
// the sandbox's default. An unknown name is an RPC error in the protocol of
// the request: a status for unary calls, the end frame for streams.
func Users(store *settings.Store, users *account.Table, next http.Handler) http.Handler {
	errs := connect.NewErrorWriter()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, ok := r.BasicAuth()
		if !ok || name == "" {
			name = store.Get().User
		}
		u, err := users.Lookup(name)
		if err != nil {
			refuse(errs, w, r, name, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(account.NewContext(r.Context(), u)))
	})
}

func refuse(errs *connect.ErrorWriter, w http.ResponseWriter, r *http.Request, name string, cause error) {
	var unknown *account.UnknownError
	err := connect.NewError(connect.CodeInternal, cause)
	if errors.As(cause, &unknown) {
		err = connect.NewError(connect.CodeUnauthenticated, fmt.Errorf("invalid username: '%s'", name))
	}
	if errs.IsSupported(r) {
		_ = errs.Write(w, r, err) // the client may be gone
		return
	}
	http.Error(w, err.Message(), http.StatusUnauthorized)
}
