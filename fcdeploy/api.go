package fcdeploy

// API is a generation of the FC management API.
type API string

// The generations. Only 3.0 has session affinity, custom routing without a
// trigger and scaling rules; 2.0 keeps functions in services.
const (
	API3 API = "3.0"
	API2 API = "2.0"
)

func (a API) defaultAffinity() Affinity {
	if a == API2 {
		return AffinityNone
	}
	return AffinityMCPStreamable
}
