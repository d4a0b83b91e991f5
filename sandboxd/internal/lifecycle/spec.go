package lifecycle

import "time"

// Spec is what a caller asks of a new sandbox. It does not change afterwards,
// except for Network, which Sandbox.SetNetwork replaces.
type Spec struct {
	Template     string
	Timeout      time.Duration     // life from now on; more than zero
	AutoPause    bool              // pause at the end of life instead of kill
	AutoResume   bool              // resume when traffic for it arrives
	Metadata     map[string]string // the caller's, to find it again
	Envs         map[string]string // environment of everything that runs in it
	AccessToken  string            // wanted by the agent; "" = open
	TrafficToken string            // wanted by the proxy on ports other than envd's; "" = open
	Network      Network
}

// Network says what a sandbox may reach, and how its ports are reached.
type Network struct {
	// Internet is nil when the caller left it to the server.
	Internet *bool
	// AllowOut and DenyOut are addresses, networks and host names; an entry
	// of AllowOut wins over DenyOut.
	AllowOut, DenyOut []string
	// MaskRequestHost replaces the Host header of requests to its ports;
	// "${PORT}" in it stands for the port.
	MaskRequestHost string
}
