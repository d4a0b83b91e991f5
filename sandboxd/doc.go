// Package sandboxd is a sandbox backend for one machine: it speaks the E2B
// protocol, so that any E2B client works with it, and runs the code of a
// sandbox here, behind Linux namespaces, in a Docker container, or, where the
// caller is a container already, as plain processes.
//
// A Server is an http.Handler with both halves of the protocol on it: the
// control plane, which makes and ends sandboxes, and the data plane, which
// carries requests to the agent inside each of them.
//
//	func main() {
//		sandboxd.Init() // the processes in a sandbox are this executable, too
//		srv, err := sandboxd.New(nil)
//		…
//		defer srv.Close()
//		client := srv.HTTPClient() // no port is opened for this one
//		go srv.Serve(listener)     // clients elsewhere find it here
//	}
//
// What is the same as on the hosted services and what is not is written in
// docs/deviations.md.
package sandboxd
