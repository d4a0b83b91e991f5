package fctest

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// trigger is an HTTP trigger and its address.
type trigger struct {
	doc     document
	config  httpConfig
	id      string
	created time.Time
	noURL   int // reads that do not show the address yet
	door    *door
}

// httpConfig is the JSON in a trigger's triggerConfig string.
type httpConfig struct {
	AuthType           string   `json:"authType"`
	Methods            []string `json:"methods"`
	DisableURLInternet bool     `json:"disableURLInternet"`
}

var (
	triggerMembers = []string{"triggerName", "triggerType", "triggerConfig", "qualifier", "description", "invocationRole", "sourceArn"}
	httpMethods    = []string{"GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS"}
)

func (s *Server) createTrigger(r *http.Request, body []byte) (any, *apiError) {
	doc, e := parseDocument(body, triggerMembers)
	if e != nil {
		return nil, e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e := s.function(r)
	if e != nil {
		return nil, e
	}
	config, e := checkTrigger(doc)
	if e != nil {
		return nil, e
	}
	name := doc.text("triggerName")
	if f.triggers[name] != nil {
		return nil, conflict("TriggerAlreadyExists", "trigger '%s' already exists", name)
	}
	if len(f.triggers) > 0 {
		return nil, conflict("TriggerAlreadyExists", "version LATEST has an HTTP trigger already")
	}
	t := &trigger{doc: doc, config: *config, id: newID(), created: time.Now(), noURL: s.options.URLAfter}
	if t.door, e = openDoor(f.gateway, *config); e != nil {
		return nil, e
	}
	f.triggers[name] = t
	return t.describe(), nil
}

func checkTrigger(doc document) (*httpConfig, *apiError) {
	config := &httpConfig{AuthType: "function"}
	switch {
	case !triggerName.MatchString(doc.text("triggerName")):
		return nil, invalid("triggerName %q is not valid", doc.text("triggerName"))
	case doc.text("triggerType") != "http":
		return nil, invalid("triggerType %q is not emulated", doc.text("triggerType"))
	case doc.text("qualifier") != "" && doc.text("qualifier") != "LATEST":
		return nil, invalid("qualifier %q is not emulated", doc.text("qualifier"))
	case json.Unmarshal([]byte(doc.text("triggerConfig")), config) != nil:
		return nil, invalid("triggerConfig is not JSON in a string")
	case !slices.Contains([]string{"anonymous", "function", "jwt"}, config.AuthType):
		return nil, invalid("authType %q is not valid", config.AuthType)
	case len(config.Methods) == 0:
		return nil, invalid("methods is empty")
	}
	for _, method := range config.Methods {
		if !slices.Contains(httpMethods, method) {
			return nil, invalid("method %q is not valid", method)
		}
	}
	return config, nil
}

func (s *Server) updateTrigger(r *http.Request, body []byte) (any, *apiError) {
	doc, e := parseDocument(body, triggerMembers)
	if e != nil {
		return nil, e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t, _, e := s.trigger(r)
	if e != nil {
		return nil, e
	}
	if doc["triggerName"] != nil || doc["triggerType"] != nil {
		return nil, invalid("name and type of a trigger cannot be updated")
	}
	merged := t.doc.merge(doc)
	config, e := checkTrigger(merged)
	if e != nil {
		return nil, e
	}
	t.doc, t.config = merged, *config
	t.door.configure(*config)
	return t.describe(), nil
}

func (s *Server) getTrigger(r *http.Request, _ []byte) (any, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, _, e := s.trigger(r)
	if e != nil {
		return nil, e
	}
	return t.describe(), nil
}

func (s *Server) listTriggers(r *http.Request, _ []byte) (any, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e := s.function(r)
	if e != nil {
		return nil, e
	}
	all := []document{}
	for _, name := range sortedKeys(f.triggers) {
		all = append(all, f.triggers[name].describe())
	}
	return map[string]any{"triggers": all}, nil
}

func (s *Server) deleteTrigger(r *http.Request, _ []byte) (any, *apiError) {
	s.mu.Lock()
	t, f, e := s.trigger(r)
	if e == nil {
		delete(f.triggers, r.PathValue("trigger"))
	}
	s.mu.Unlock() // open streams end with the trigger
	if e != nil {
		return nil, e
	}
	t.close()
	return nil, nil
}

// trigger finds the trigger that a path names. The caller holds the lock.
func (s *Server) trigger(r *http.Request) (*trigger, *function, *apiError) {
	f, e := s.function(r)
	if e != nil {
		return nil, nil, e
	}
	if t := f.triggers[r.PathValue("trigger")]; t != nil {
		return t, f, nil
	}
	return nil, nil, notFound("TriggerNotFound", "trigger '%s' does not exist", r.PathValue("trigger"))
}

func (t *trigger) describe() document {
	answer := t.doc.merge(document{"triggerId": t.id, "qualifier": "LATEST", "createdTime": t.created.UTC().Format(time.RFC3339), "status": ""})
	if t.noURL > 0 {
		t.noURL--
		return answer
	}
	answer["httpTrigger"] = map[string]string{"urlInternet": t.door.url, "urlIntranet": t.door.url}
	return answer
}

func (t *trigger) close() { t.door.close() }
