package fctest

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

func (s *Server) createFunction2(r *http.Request, body []byte) (any, *apiError) {
	v, e := s.service(r)
	if e != nil {
		return nil, e
	}
	f := &function2{doc: document{}, triggers: map[string]document{}}
	if e := s.apply2(f, body); e != nil {
		return nil, e
	}
	name := f.doc.text("functionName")
	switch {
	case v.functions[name] != nil:
		return nil, conflict("FunctionAlreadyExists", "function '%s' already exists", name)
	case f.checksum == "":
		return nil, invalid("code is required but not provided")
	}
	v.functions[name] = f
	return f.describe(), nil
}

// apply2 merges a request into a function and checks the result.
func (s *Server) apply2(f *function2, body []byte) *apiError {
	doc, e := parseDocument(body, function2Members)
	if e != nil {
		return e
	}
	code, e := s.takeCode(doc)
	if e != nil {
		return e
	}
	merged := f.doc.merge(doc)
	var w wanted
	if e := merged.decode(&w); e != nil {
		return e
	}
	switch {
	case !functionName.MatchString(w.FunctionName) || w.Handler == "":
		return invalid("functionName or handler is missing or not valid")
	case !slices.Contains(runtimes2, w.Runtime):
		return invalid("runtime %q is not emulated", w.Runtime)
	case w.MemorySize == nil || *w.MemorySize < 128 || *w.MemorySize%64 != 0:
		return invalid("memorySize is not valid")
	}
	for _, check := range []func(*wanted) *apiError{checkTimes, checkEnvironment} {
		if e := check(&w); e != nil {
			return e
		}
	}
	f.doc = merged
	if code != nil {
		f.checksum = crc64Decimal(code)
	}
	return nil
}

func (f *function2) describe() document {
	return f.doc.merge(document{"codeChecksum": f.checksum, "functionId": "emulated"})
}

func (s *Server) getFunction2(r *http.Request, _ []byte) (any, *apiError) {
	f, _, e := s.function2(r)
	if e != nil {
		return nil, e
	}
	return f.describe(), nil
}

func (s *Server) updateFunction2(r *http.Request, body []byte) (any, *apiError) {
	f, _, e := s.function2(r)
	if e != nil {
		return nil, e
	}
	if e := s.apply2(f, body); e != nil {
		return nil, e
	}
	return f.describe(), nil
}

func (s *Server) deleteFunction2(r *http.Request, _ []byte) (any, *apiError) {
	f, v, e := s.function2(r)
	switch {
	case e != nil:
		return nil, e
	case len(f.triggers) > 0:
		return nil, conflict("FunctionNotEmpty", "function has triggers")
	}
	delete(v.functions, r.PathValue("function"))
	return nil, nil
}

func (s *Server) listTriggers2(r *http.Request, _ []byte) (any, *apiError) {
	f, _, e := s.function2(r)
	if e != nil {
		return nil, e
	}
	all := []document{}
	for _, name := range sortedKeys(f.triggers) {
		all = append(all, f.triggers[name])
	}
	return map[string]any{"triggers": all}, nil
}

func (s *Server) createTrigger2(r *http.Request, body []byte) (any, *apiError) {
	f, _, e := s.function2(r)
	if e != nil {
		return nil, e
	}
	doc, e := parseDocument(body, triggerMembers)
	if e != nil {
		return nil, e
	}
	if len(f.triggers) > 0 {
		return nil, conflict("TriggerAlreadyExists", "function has an HTTP trigger already")
	}
	return f.setTrigger(doc.text("triggerName"), doc)
}

func (s *Server) updateTrigger2(r *http.Request, body []byte) (any, *apiError) {
	f, _, e := s.function2(r)
	if e != nil {
		return nil, e
	}
	old := f.triggers[r.PathValue("trigger")]
	if old == nil {
		return nil, notFound("TriggerNotFound", "trigger '%s' does not exist", r.PathValue("trigger"))
	}
	doc, e := parseDocument(body, triggerMembers)
	if e != nil {
		return nil, e
	}
	return f.setTrigger(r.PathValue("trigger"), old.merge(doc))
}

// setTrigger checks and keeps a trigger; its config is an object here, not a
// string as in 3.0.
func (f *function2) setTrigger(name string, doc document) (any, *apiError) {
	text, err := json.Marshal(doc["triggerConfig"])
	if err != nil {
		return nil, invalid("triggerConfig: %v", err)
	}
	if _, e := checkTrigger(doc.merge(document{"triggerConfig": string(text)})); e != nil {
		return nil, e
	}
	doc = doc.merge(document{"triggerID": newID(), "lastModifiedTime": time.Now().UTC().Format(time.RFC3339)})
	f.triggers[name] = doc
	return doc, nil
}

func (s *Server) deleteTrigger2(r *http.Request, _ []byte) (any, *apiError) {
	f, _, e := s.function2(r)
	if e != nil {
		return nil, e
	}
	name := r.PathValue("trigger")
	if f.triggers[name] == nil {
		return nil, notFound("TriggerNotFound", "trigger '%s' does not exist", name)
	}
	delete(f.triggers, name)
	return nil, nil
}
