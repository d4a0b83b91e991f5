package agent

import "net/http"

// corsAge is how long a browser may remember a preflight, in seconds.
const corsAge = "7200"

// exposed are the answer headers that a script of another origin may read.
const exposed = "Content-Encoding, Content-Range, Content-Disposition, Accept-Ranges, " +
	"Connect-Content-Encoding, Connect-Accept-Encoding, X-Envd-Version"

// cors lets web pages of every origin call the sandbox, as envd does: the
// token protects it, not the origin.
func cors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Add("Vary", "Origin")
		if r.Header.Get("Origin") == "" {
			next.ServeHTTP(w, r)
			return
		}
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Access-Control-Expose-Headers", exposed)
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			next.ServeHTTP(w, r)
			return
		}
		header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
		header.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
		header.Set("Access-Control-Max-Age", corsAge)
		w.WriteHeader(http.StatusNoContent)
	})
}
