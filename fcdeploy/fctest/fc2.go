package fctest

import (
	"net/http"
)

// service is a service of FC 2.0 with its functions. Only the management API is
// emulated: the functions of FC 2.0 do not run.
type service struct {
	doc       document
	functions map[string]*function2
}

type function2 struct {
	doc      document
	checksum string
	triggers map[string]document
}

const prefix2 = "/2016-08-15"

var (
	serviceMembers   = []string{"serviceName", "description", "role", "logConfig", "vpcConfig", "internetAccess", "nasConfig", "tracingConfig"}
	function2Members = []string{"functionName", "description", "runtime", "handler", "initializer", "timeout", "initializationTimeout",
		"memorySize", "instanceConcurrency", "code", "environmentVariables", "customContainerConfig", "caPort", "instanceType", "layers"}
	runtimes2 = []string{"custom", "custom.debian10"}
)

type handler2 func(*http.Request, []byte) (any, *apiError)

func (s *Server) addRoutes2(mux *http.ServeMux) {
	const function, trigger = "/services/{service}/functions", "/services/{service}/functions/{function}/triggers"
	for _, r := range []struct {
		action, method, path string
		handle               handler2
	}{
		{"CreateService", "POST", "/services", s.createService},
		{"GetService", "GET", "/services/{service}", s.getService},
		{"DeleteService", "DELETE", "/services/{service}", s.deleteService},
		{"ListFunctions", "GET", function, s.listFunctions2},
		{"CreateFunction", "POST", function, s.createFunction2},
		{"GetFunction", "GET", function + "/{function}", s.getFunction2},
		{"UpdateFunction", "PUT", function + "/{function}", s.updateFunction2},
		{"DeleteFunction", "DELETE", function + "/{function}", s.deleteFunction2},
		{"ListTriggers", "GET", trigger, s.listTriggers2},
		{"CreateTrigger", "POST", trigger, s.createTrigger2},
		{"UpdateTrigger", "PUT", trigger + "/{trigger}", s.updateTrigger2},
		{"DeleteTrigger", "DELETE", trigger + "/{trigger}", s.deleteTrigger2},
	} {
		mux.HandleFunc(r.method+" "+prefix2+r.path, s.action(r.action, s.verify2, s.locked(r.handle)))
	}
}

func (s *Server) verify2(r *http.Request, body []byte, action string) *apiError {
	return generation2(s.verifyFC2(r, body, action))
}

func (s *Server) locked(handle handler2) handler2 {
	return func(r *http.Request, body []byte) (any, *apiError) {
		s.mu.Lock()
		defer s.mu.Unlock()
		answer, e := handle(r, body)
		return answer, generation2(e)
	}
}

func generation2(e *apiError) *apiError {
	if e != nil {
		e.generation2 = true
	}
	return e
}

func (s *Server) service(r *http.Request) (*service, *apiError) {
	if v := s.services[r.PathValue("service")]; v != nil {
		return v, nil
	}
	return nil, notFound("ServiceNotFound", "service '%s' does not exist", r.PathValue("service"))
}

func (s *Server) function2(r *http.Request) (*function2, *service, *apiError) {
	v, e := s.service(r)
	if e != nil {
		return nil, nil, e
	}
	if f := v.functions[r.PathValue("function")]; f != nil {
		return f, v, nil
	}
	return nil, nil, notFound("FunctionNotFound", "function '%s' does not exist", r.PathValue("function"))
}

func (s *Server) createService(_ *http.Request, body []byte) (any, *apiError) {
	doc, e := parseDocument(body, serviceMembers)
	if e != nil {
		return nil, e
	}
	name := doc.text("serviceName")
	switch {
	case !functionName.MatchString(name):
		return nil, invalid("serviceName %q is not valid", name)
	case s.services[name] != nil:
		return nil, conflict("ServiceAlreadyExists", "service '%s' already exists", name)
	}
	s.services[name] = &service{doc: doc, functions: map[string]*function2{}}
	return doc, nil
}

func (s *Server) getService(r *http.Request, _ []byte) (any, *apiError) {
	v, e := s.service(r)
	if e != nil {
		return nil, e
	}
	return v.doc, nil
}

func (s *Server) deleteService(r *http.Request, _ []byte) (any, *apiError) {
	v, e := s.service(r)
	if e != nil {
		return nil, e
	}
	if len(v.functions) > 0 {
		return nil, conflict("ServiceNotEmpty", "service '%s' has functions", r.PathValue("service"))
	}
	delete(s.services, r.PathValue("service"))
	return nil, nil
}

func (s *Server) listFunctions2(r *http.Request, _ []byte) (any, *apiError) {
	v, e := s.service(r)
	if e != nil {
		return nil, e
	}
	all := []document{}
	for _, name := range sortedKeys(v.functions) {
		all = append(all, v.functions[name].describe())
	}
	return map[string]any{"functions": all}, nil
}
