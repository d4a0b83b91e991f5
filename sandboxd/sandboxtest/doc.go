// Package sandboxtest runs a sandbox backend for tests, in the manner of
// net/http/httptest: a real one that runs real code, which can be told to
// fail in the ways that real services fail.
//
//	func TestMain(m *testing.M) {
//		sandboxd.Init()
//		os.Exit(m.Run())
//	}
//
//	func TestMyTool(t *testing.T) {
//		backend, err := sandboxtest.NewServer(nil)
//		if err != nil {
//			t.Fatal(err)
//		}
//		defer backend.Close()
//		client, err := sandboxclient.New(backend.APIKey, &sandboxclient.Options{
//			APIURL: backend.URL, SandboxURL: backend.URL,
//		})
//		…
//	}
//
// Faults are let loose with Inject:
//
//	backend.Inject(sandboxtest.Fault{
//		Method: "POST", Path: "/sandboxes", Times: 1, Do: sandboxtest.LoseAnswer(),
//	})
//
// What happened is in Requests. Time can be put forward with Advance, and a
// sandbox expires on demand with Expire.
//
// The agent is as unhelpful as the real envd: a deadline kills the process
// itself and not what it started, and the stream of a command stays open for
// as long as anything holds its pipe. A client that copes with this server
// copes with those.
//
// The server listens on 127.0.0.1. By default it runs code without isolation,
// in a directory of its own: fast and everywhere possible, and no protection,
// so only for code that the test itself brings. It does not import testing.
package sandboxtest
