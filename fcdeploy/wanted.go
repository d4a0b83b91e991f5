package fcdeploy

// runtime2 is the newest custom runtime that FC 2.0 has.
const runtime2 = "custom.debian10"

// function is the function that s asks for.
func (s *Spec) function(code *Code) *Function {
	f := &Function{
		Name: s.Name, Description: Description, Runtime: s.Runtime, Handler: s.Handler,
		CPU: s.CPU, MemoryMB: s.MemoryMB, DiskMB: s.DiskMB, TimeoutSeconds: s.timeoutSeconds(),
		InstanceConcurrency: s.InstanceConcurrency, Port: s.Port, Command: s.Command(),
		Environment: s.Environment(), Affinity: s.Affinity, AffinityConfig: s.affinityJSON(), Checksum: code.CRC64,
	}
	if s.FCAPI == API2 {
		f.Runtime, f.CPU, f.DiskMB, f.Affinity, f.Command = runtime2, 0, 0, "", nil
	}
	return f
}

func (s *Spec) trigger() *TriggerState {
	return &TriggerState{Name: s.Trigger.Name, Config: s.Trigger.configJSON()}
}
