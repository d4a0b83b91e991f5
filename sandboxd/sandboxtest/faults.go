package sandboxtest

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Fault spoils requests. Fields that say which requests are meant (Method,
// Path, Match) all have to fit, and those left empty always do. What happens
// to them stands in Do.
type Fault struct {
	Method string
	// Path is a prefix of the path of the URL, "/sandboxes" or
	// "/process.Process/Start".
	Path string
	// Match looks at the whole request.
	Match func(r *http.Request) bool
	// Skip lets so many fitting requests pass first.
	Skip int
	// Times is how many requests are spoilt, 0 = all.
	Times int
	// Do is what happens to the request: Status, Reset, CutFrames and so on.
	Do Effect
}

// Injected is a fault that is in force.
type Injected struct {
	faults *faults
	fault  Fault
	seen   int
	hits   int
}

// Inject lets a fault loose. Faults are tried in the order of injection, and
// the first one that fits a request is the one that spoils it.
func (s *Server) Inject(f Fault) *Injected { return s.faults.add(f) }

// Hits is how many requests the fault has spoilt.
func (i *Injected) Hits() int {
	i.faults.mu.Lock()
	defer i.faults.mu.Unlock()
	return i.hits
}

// Remove takes the fault back.
func (i *Injected) Remove() {
	i.faults.mu.Lock()
	defer i.faults.mu.Unlock()
	i.faults.list = slices.DeleteFunc(i.faults.list, func(other *Injected) bool { return other == i })
}

// Unused lists the faults that no request has met, by "method path": a test
// that asks for none of them does not test what it seems to.
func (s *Server) Unused() []string {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	var unused []string
	for _, i := range s.faults.list {
		if i.hits == 0 {
			unused = append(unused, strings.TrimSpace(i.fault.Method+" "+i.fault.Path))
		}
	}
	return unused
}

// faults are those in force.
type faults struct {
	mu   sync.Mutex
	list []*Injected
}

func (f *faults) add(fault Fault) *Injected {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := &Injected{faults: f, fault: fault}
	f.list = append(f.list, i)
	return i
}

// Clear takes every fault back.
func (f *faults) Clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = nil
}

func (f *faults) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fault := f.pick(r); fault != nil {
			fault.Do(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// pick finds the fault that spoils the request, if one does.
func (f *faults) pick(r *http.Request) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, i := range f.list {
		if i.takes(r) {
			return &i.fault
		}
	}
	return nil
}

func (i *Injected) takes(r *http.Request) bool {
	if !i.fault.fits(r) || i.fault.Times > 0 && i.hits >= i.fault.Times {
		return false
	}
	i.seen++
	if i.seen <= i.fault.Skip {
		return false
	}
	i.hits++
	return true
}

func (f *Fault) fits(r *http.Request) bool {
	return (f.Method == "" || f.Method == r.Method) &&
		strings.HasPrefix(r.URL.Path, f.Path) &&
		(f.Match == nil || f.Match(r))
}
