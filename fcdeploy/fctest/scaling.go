package fctest

import "net/http"

var scalingMembers = []string{"minInstances", "residentPoolId", "scheduledPolicies", "horizontalScalingPolicies",
	"enableMixMode", "enableOnDemandScaling", "requestDispatchPolicy"}

func (s *Server) getScaling(r *http.Request, _ []byte) (any, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e := s.function(r)
	if e != nil {
		return nil, e
	}
	return f.describeScaling(), nil
}

func (s *Server) putScaling(r *http.Request, body []byte) (any, *apiError) {
	doc, e := parseDocument(body, scalingMembers)
	if e != nil {
		return nil, e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e := s.function(r)
	if e != nil {
		return nil, e
	}
	least, ok := doc["minInstances"].(float64)
	if !ok || least < 0 {
		return nil, invalid("minInstances is missing or negative")
	}
	f.scaling = doc
	f.gateway.setMinInstances(int(least))
	return f.describeScaling(), nil
}

func (s *Server) deleteScaling(r *http.Request, _ []byte) (any, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e := s.function(r)
	if e != nil {
		return nil, e
	}
	f.scaling = nil
	f.gateway.setMinInstances(0)
	return nil, nil
}

// describeScaling answers zeros for a function that has no scaling config.
func (f *function) describeScaling() document {
	running := len(f.gateway.instances())
	answer := document{"minInstances": 0, "targetInstances": 0, "currentInstances": running}
	return answer.merge(f.scaling)
}
