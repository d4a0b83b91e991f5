package fctest

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

// maxBody is above a package of 100 MB in base64.
const maxBody = 140 << 20

// route is one action of FC 3.0. SDKs name the action in a header as well.
type route struct {
	action, pattern string
	handle          func(*Server, *http.Request, []byte) (any, *apiError)
}

const prefix3 = "/2023-03-30"

var routes3 = []route{
	{"CreateFunction", "POST /functions", (*Server).createFunction},
	{"ListFunctions", "GET /functions", (*Server).listFunctions},
	{"GetFunction", "GET /functions/{function}", (*Server).getFunction},
	{"UpdateFunction", "PUT /functions/{function}", (*Server).updateFunction},
	{"DeleteFunction", "DELETE /functions/{function}", (*Server).deleteFunction},
	{"CreateTrigger", "POST /functions/{function}/triggers", (*Server).createTrigger},
	{"ListTriggers", "GET /functions/{function}/triggers", (*Server).listTriggers},
	{"GetTrigger", "GET /functions/{function}/triggers/{trigger}", (*Server).getTrigger},
	{"UpdateTrigger", "PUT /functions/{function}/triggers/{trigger}", (*Server).updateTrigger},
	{"DeleteTrigger", "DELETE /functions/{function}/triggers/{trigger}", (*Server).deleteTrigger},
	{"GetScalingConfig", "GET /functions/{function}/scaling-config", (*Server).getScaling},
	{"PutScalingConfig", "PUT /functions/{function}/scaling-config", (*Server).putScaling},
	{"DeleteScalingConfig", "DELETE /functions/{function}/scaling-config", (*Server).deleteScaling},
	{"CreateCustomDomain", "POST /custom-domains", (*Server).createDomain},
	{"GetCustomDomain", "GET /custom-domains/{domain}", (*Server).getDomain},
	{"UpdateCustomDomain", "PUT /custom-domains/{domain}", (*Server).updateDomain},
	{"DeleteCustomDomain", "DELETE /custom-domains/{domain}", (*Server).deleteDomain},
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range routes3 {
		method, path, _ := strings.Cut(r.pattern, " ")
		mux.HandleFunc(method+" "+prefix3+path, s.action(r.action, s.verifyACS3, func(req *http.Request, body []byte) (any, *apiError) {
			return r.handle(s, req, body)
		}))
	}
	s.addRoutes2(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		notFound("InvalidAction.NotFound", "no such method and path").write(w)
	})
	return mux
}

// action runs one call: record, verify, fault, handle, answer. A nil answer is
// an empty body.
func (s *Server) action(name string, verify func(*http.Request, []byte, string) *apiError,
	handle func(*http.Request, []byte) (any, *apiError),
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			invalid("Bad data in request body").write(w)
			return
		}
		s.log.add(name, r, body)
		if e := verify(r, body, name); e != nil {
			e.write(w)
			return
		}
		fault := s.faults.take(name)
		if fault != nil && !fault.Executed {
			fault.write(w)
			return
		}
		answer, e := handle(r, bytes.TrimSpace(body))
		switch {
		case fault != nil:
			fault.write(w)
		case e != nil:
			e.write(w)
		default:
			writeJSON(w, http.StatusOK, answer)
		}
	}
}
