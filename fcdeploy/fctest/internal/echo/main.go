// Command echo is a function for tests of the data plane: an HTTP server with
// the session behaviour of Streamable HTTP and nothing else. It answers with
// what it was started with.
package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

const header = "Mcp-Session-Id"

// Answer describes the instance that served a request.
type Answer struct {
	Instance string
	Env      map[string]string
	Header   http.Header
	Host     string
	Args     []string
	Dir      string
}

var (
	mu       sync.Mutex
	sessions = map[string]bool{}
)

func main() {
	host := "0.0.0.0"
	if os.Getenv("ECHO_LOOPBACK") != "" {
		host = "127.0.0.1"
	}
	if os.Getenv("ECHO_EXIT") != "" {
		os.Exit(3)
	}
	server := &http.Server{Addr: host + ":" + os.Getenv("FC_CUSTOM_LISTEN_PORT"), Handler: http.HandlerFunc(serve), ReadHeaderTimeout: time.Minute}
	fmt.Fprintln(os.Stderr, server.ListenAndServe())
	os.Exit(1)
}

func serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/slow" {
		time.Sleep(3 * time.Second)
	}
	if !session(w, r) {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	w.Header().Set("X-Fc-Forged", "by the function")
	dir, _ := os.Getwd() // "" in the answer says enough
	_ = json.NewEncoder(w).Encode(&Answer{
		Instance: os.Getenv("FC_INSTANCE_ID"), Env: environ(), Header: r.Header, Host: r.Host, Args: os.Args, Dir: dir,
	}) // the caller may have gone
}

// session begins one for a POST without an id, and knows only its own.
func session(w http.ResponseWriter, r *http.Request) bool {
	mu.Lock()
	defer mu.Unlock()
	id := r.Header.Get(header)
	if id == "" {
		if r.Method == http.MethodPost {
			id = rand.Text()
			sessions[id] = true
			w.Header().Set(header, id)
		}
		return true
	}
	known := sessions[id]
	if r.Method == http.MethodDelete {
		delete(sessions, id)
	}
	return known
}

func environ() map[string]string {
	env := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	return env
}
