package fctest

// Instance is a running copy of a function, as [Server.Instances] sees it.
type Instance struct {
	ID       string // also FC_INSTANCE_ID in its environment
	Sessions int    // bound to it
}

// Instances lists the instances of a function, oldest first.
func (s *Server) Instances(function string) []Instance {
	s.mu.Lock()
	f := s.functions[function]
	s.mu.Unlock()
	if f == nil {
		return nil
	}
	g := f.gateway
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []Instance
	for _, i := range g.running {
		all = append(all, Instance{ID: i.id, Sessions: g.boundTo(i)})
	}
	return all
}

// StopInstance ends one instance, as FC does when it recycles it. It waits.
func (s *Server) StopInstance(function, id string) {
	s.mu.Lock()
	f := s.functions[function]
	s.mu.Unlock()
	if f == nil {
		return
	}
	for _, i := range f.gateway.instances() {
		if i.id == id {
			f.gateway.drop(i)
			<-i.ended
		}
	}
}
