package fctest

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// function is one function of FC 3.0 with all that belongs to it.
type function struct {
	doc      document // as sent, without the code
	code     []byte   // the zip
	checksum string
	created  time.Time
	modified time.Time
	notReady int // reads that still say so
	triggers map[string]*trigger
	scaling  document
	gateway  *gateway
}

var functionMembers = []string{
	"functionName", "runtime", "handler", "code", "customRuntimeConfig", "cpu", "memorySize", "diskSize", "timeout",
	"instanceConcurrency", "environmentVariables", "sessionAffinity", "sessionAffinityConfig", "instanceIsolationMode",
	"description", "role", "internetAccess", "idleTimeout", "instanceLifecycleConfig", "logConfig", "tags", "layers",
	"disableOndemand", "disableInjectCredentials", "customDNS", "vpcConfig", "nasConfig", "ossMountConfig", "gpuConfig",
	"tracingConfig", "resourceGroupId", "customContainerConfig", "enableLongLiving", "juiceFsConfig", "polarFsConfig", "microSandboxConfig",
}

func (s *Server) createFunction(_ *http.Request, body []byte) (any, *apiError) {
	doc, e := parseDocument(body, functionMembers)
	if e != nil {
		return nil, e
	}
	code, e := s.takeCode(doc)
	if e != nil {
		return nil, e
	}
	if code == nil {
		return nil, invalid("Code is required but not provided")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.checkFunction(doc); e != nil {
		return nil, e
	}
	name := doc.text("functionName")
	if s.functions[name] != nil {
		return nil, conflict("FunctionAlreadyExists", "function '%s' already exists", name)
	}
	f := &function{doc: doc, created: time.Now(), notReady: s.options.ReadyAfter, triggers: map[string]*trigger{}}
	f.setCode(code)
	f.gateway = newGateway(s.options, name)
	f.configure()
	s.functions[name] = f
	return s.describe(f), nil
}

func (s *Server) updateFunction(r *http.Request, body []byte) (any, *apiError) {
	doc, e := parseDocument(body, functionMembers)
	if e != nil {
		return nil, e
	}
	for _, fixed := range []string{"functionName", "tags", "resourceGroupId"} {
		if doc[fixed] != nil {
			return nil, invalid("%s cannot be updated", fixed)
		}
	}
	code, e := s.takeCode(doc)
	if e != nil {
		return nil, e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e := s.function(r)
	if e != nil {
		return nil, e
	}
	merged := f.doc.merge(doc)
	if e := s.checkFunction(merged); e != nil {
		return nil, e
	}
	f.doc, f.notReady = merged, s.options.ReadyAfter
	if code != nil {
		f.setCode(code)
	}
	f.configure()
	return s.describe(f), nil
}

func (s *Server) getFunction(r *http.Request, _ []byte) (any, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e := s.function(r)
	if e != nil {
		return nil, e
	}
	answer := s.describe(f)
	f.notReady = max(0, f.notReady-1)
	return answer, nil
}

func (s *Server) listFunctions(_ *http.Request, _ []byte) (any, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []document{}
	for _, name := range sortedKeys(s.functions) {
		all = append(all, s.describe(s.functions[name]))
	}
	return map[string]any{"functions": all}, nil
}

// deleteFunction refuses while something still refers to the function.
func (s *Server) deleteFunction(r *http.Request, _ []byte) (any, *apiError) {
	s.mu.Lock()
	f, e := s.function(r)
	switch {
	case e != nil:
	case f.scaling != nil:
		e = conflict("ResidentScalingConfigExists", "function has a scaling config")
	case len(f.triggers) > 0:
		e = conflict("TriggerExists", "function has triggers")
	default:
		delete(s.functions, r.PathValue("function"))
	}
	s.mu.Unlock() // an instance that ends may take its time
	if e != nil {
		return nil, e
	}
	f.close()
	return nil, nil
}

// function finds the function that a path names. The caller holds the lock.
func (s *Server) function(r *http.Request) (*function, *apiError) {
	name := r.PathValue("function")
	if f := s.functions[name]; f != nil {
		return f, nil
	}
	return nil, notFound("FunctionNotFound", "function '%s' does not exist", name)
}

// describe is the Function that the API answers: what was sent, without the
// code, and what the service knows beside it.
func (s *Server) describe(f *function) document {
	state, update := "Active", "Successful"
	if f.notReady > 0 {
		state, update = "Pending", "InProgress"
	}
	answer := f.doc.merge(document{
		"functionArn":  fmt.Sprintf("acs:fc:%s:%s:functions/%s", s.options.Region, s.options.AccountID, f.doc.text("functionName")),
		"codeChecksum": f.checksum, "codeSize": len(f.code), "state": state, "lastUpdateStatus": update,
		"createdTime": f.created.UTC().Format(time.RFC3339), "lastModifiedTime": f.modified.UTC().Format(time.RFC3339),
	})
	return answer
}

func (f *function) setCode(code []byte) {
	f.code, f.checksum = code, crc64Decimal(code)
}

// configure hands code and configuration to the data plane, which replaces its
// instances.
func (f *function) configure() {
	f.modified = time.Now()
	f.gateway.configure(f.code, f.doc)
}

// close stops triggers and instances. The caller does not hold the lock.
func (f *function) close() {
	var stopped sync.WaitGroup
	for _, t := range f.triggers {
		stopped.Go(t.close)
	}
	stopped.Wait()
	f.gateway.close()
}
