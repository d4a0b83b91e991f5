package fctest

import (
	"net/http"
	"regexp"
	"time"
)

var (
	domainName    = regexp.MustCompile(`^([a-z0-9A-Z][-a-z0-9A-Z]{0,62}\.)+[a-zA-Z]{2,}$`)
	domainMembers = []string{"domainName", "protocol", "routeConfig", "certConfig", "tlsConfig", "authConfig", "corsConfig", "wafConfig", "isE2B"}
)

// domainDocument is what the emulator reads of a custom domain.
type domainDocument struct {
	DomainName  string `json:"domainName"`
	Protocol    string `json:"protocol"`
	RouteConfig struct {
		Routes []struct {
			Path         string `json:"path"`
			FunctionName string `json:"functionName"`
		} `json:"routes"`
	} `json:"routeConfig"`
	CertConfig *struct {
		Certificate string `json:"certificate"`
		PrivateKey  string `json:"privateKey"`
	} `json:"certConfig"`
}

func (s *Server) createDomain(_ *http.Request, body []byte) (any, *apiError) {
	doc, e := parseDocument(body, domainMembers)
	if e != nil {
		return nil, e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := doc.text("domainName")
	if s.domains[name] != nil {
		return nil, conflict("DomainNameAlreadyExists", "domain name '%s' already exists", name)
	}
	if e := s.checkDomain(doc); e != nil {
		return nil, e
	}
	if s.cnames[name] != s.CNAMETarget() {
		return nil, &apiError{status: http.StatusBadRequest, code: "DomainNameNotResolved",
			message: "domain name '" + name + "' has not been resolved to your FC endpoint, the expected endpoint is '" + s.CNAMETarget() + "'"}
	}
	doc["createdTime"] = time.Now().UTC().Format(time.RFC3339)
	s.domains[name] = doc
	return s.describeDomain(doc), nil
}

// checkDomain is called with the lock held.
func (s *Server) checkDomain(doc document) *apiError {
	var d domainDocument
	if e := doc.decode(&d); e != nil {
		return e
	}
	switch {
	case !domainName.MatchString(d.DomainName):
		return invalid("domainName %q is not valid", d.DomainName)
	case d.Protocol != "HTTP" && d.Protocol != "HTTPS" && d.Protocol != "HTTP,HTTPS":
		return invalid("protocol %q is not valid", d.Protocol)
	case d.Protocol != "HTTP" && d.CertConfig == nil:
		return invalid("HTTPS needs certConfig")
	}
	for _, route := range d.RouteConfig.Routes {
		if s.functions[route.FunctionName] == nil {
			return notFound("FunctionNotFound", "function '%s' of route %s does not exist", route.FunctionName, route.Path)
		}
	}
	return nil
}

func (s *Server) getDomain(r *http.Request, _ []byte) (any, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	doc, e := s.domain(r)
	if e != nil {
		return nil, e
	}
	return s.describeDomain(doc), nil
}

// updateDomain replaces whole members: a route that is not sent again is gone.
func (s *Server) updateDomain(r *http.Request, body []byte) (any, *apiError) {
	update, e := parseDocument(body, domainMembers)
	if e != nil {
		return nil, e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	doc, e := s.domain(r)
	if e != nil {
		return nil, e
	}
	merged := doc.merge(update)
	if e := s.checkDomain(merged); e != nil {
		return nil, e
	}
	s.domains[r.PathValue("domain")] = merged
	return s.describeDomain(merged), nil
}

func (s *Server) deleteDomain(r *http.Request, _ []byte) (any, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, e := s.domain(r); e != nil {
		return nil, e
	}
	delete(s.domains, r.PathValue("domain"))
	return nil, nil
}

func (s *Server) domain(r *http.Request) (document, *apiError) {
	if doc := s.domains[r.PathValue("domain")]; doc != nil {
		return doc, nil
	}
	return nil, notFound("DomainNameNotFound", "domain name '%s' does not exist", r.PathValue("domain"))
}

// describeDomain shows the certificate without its private key.
func (s *Server) describeDomain(doc document) document {
	answer := doc.merge(document{"accountId": s.options.AccountID})
	if cert, ok := doc["certConfig"].(map[string]any); ok {
		answer["certConfig"] = document(cert).merge(document{"privateKey": ""})
	}
	return answer
}
