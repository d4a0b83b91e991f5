package agent

// Profile is the kind of backend that the agent stands for. It decides which
// envd version is reported and which newer features are refused.
type Profile string

const (
	// ProfileE2B is envd 0.6.13 with every feature. The zero value means this.
	ProfileE2B Profile = "e2b"
	// ProfileFC is envd 0.5.2: uploads are multipart only, there is no file
	// metadata, no compose, and an exit is not retained.
	ProfileFC Profile = "fc"
)

// EnvdVersion is the version that this profile reports, for example "0.6.13".
func (p Profile) EnvdVersion() string {
	if p == ProfileFC {
		return "0.5.2"
	}
	return "0.6.13"
}

// modern tells whether the features that came after envd 0.5.2 are there.
func (p Profile) modern() bool { return p != ProfileFC }

// without names the languages that the backend's interpreter lacks.
func (p Profile) without() []string {
	if p == ProfileFC {
		return []string{"r"}
	}
	return nil
}
