// Package system is the rest of envd's plain HTTP endpoints: what the control
// plane sets, and what the sandbox says about itself.
package system

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/auth"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

// maxInit bounds the body of /init.
const maxInit = 1 << 20

// initRequest is the part of the body of /init that means something here. The
// clock of the machine is never set, and there is no microVM to talk to.
type initRequest struct {
	EnvVars        map[string]string `json:"envVars"`
	AccessToken    string            `json:"accessToken"`
	DefaultUser    string            `json:"defaultUser"`
	DefaultWorkdir string            `json:"defaultWorkdir"`
}

var errToken = errors.New("access token validation failed")

// Init takes the settings of the control plane. A token, once set, must be
// repeated (envd contract: POST /init).
func Init(store *settings.Store, version string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Envd-Version", version)
		req, err := readInit(r.Body)
		if err != nil {
			plain(w, http.StatusBadRequest, err.Error())
			return
		}
		if err := store.Update(req.apply); err != nil {
			plain(w, http.StatusUnauthorized, err.Error())
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNoContent)
	}
}

// readInit allows an empty body, which changes nothing.
func readInit(body io.Reader) (*initRequest, error) {
	req := &initRequest{}
	err := json.NewDecoder(io.LimitReader(body, maxInit)).Decode(req)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New("body must be a JSON object: " + err.Error())
	}
	return req, nil
}

func (req *initRequest) apply(v *settings.Values) error {
	if v.Token != "" && !auth.Same(req.AccessToken, v.Token) {
		return errToken
	}
	set(&v.Token, req.AccessToken)
	set(&v.User, req.DefaultUser)
	set(&v.Workdir, req.DefaultWorkdir)
	if v.Envs == nil {
		v.Envs = map[string]string{}
	}
	maps.Copy(v.Envs, req.EnvVars)
	return nil
}

func set(to *string, value string) {
	if value != "" {
		*to = value
	}
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // the client may be gone
}
