package api

// Ports of the services inside every sandbox.
const (
	EnvdPort        = 49983
	InterpreterPort = 49999
)

// Header names.
const (
	HeaderAPIKey       = "X-API-Key"                // control plane: the account's key
	HeaderAccessToken  = "X-Access-Token"           // data plane: the token of a secure sandbox
	HeaderTrafficToken = "E2b-Traffic-Access-Token" //nolint:gosec // a header's name
	HeaderSandboxID    = "E2b-Sandbox-Id"           // data plane: routing when the host does not say it
	HeaderSandboxPort  = "E2b-Sandbox-Port"
	HeaderNextToken    = "X-Next-Token" //nolint:gosec // a header's name; absent on the last page
	HeaderTotalRunning = "X-Total-Running"
	HeaderRetryAfter   = "Retry-After" // whole seconds

	HeaderKeepalive      = "Keepalive-Ping-Interval" // seconds
	HeaderConnectTimeout = "Connect-Timeout-Ms"      // milliseconds; never 0
	HeaderMetadataPrefix = "X-Metadata-"             // file metadata, envd 0.6.2 and newer
)

// Paths of the control plane. Those of one sandbox begin with PathSandboxes,
// a slash and the escaped id.
const (
	PathSandboxes      = "/sandboxes"
	PathSandboxesV2    = "/v2/sandboxes"
	PathSandboxMetrics = "/sandboxes/metrics"
	PathTemplates      = "/templates"
	SuffixTimeout      = "/timeout"
	SuffixConnect      = "/connect"
	SuffixPause        = "/pause"
	SuffixResume       = "/resume"
	SuffixRefreshes    = "/refreshes"
	SuffixMetrics      = "/metrics"
	SuffixLogs         = "/logs"
	SuffixNetwork      = "/network"
)

// Paths of envd (EnvdPort) beside its two RPC services.
const (
	PathHealth  = "/health"
	PathFiles   = "/files"
	PathEnvs    = "/envs"
	PathMetrics = "/metrics"
)

// Paths of the code interpreter (InterpreterPort).
const (
	PathExecute  = "/execute"
	PathContexts = "/contexts"
)

// LegacyClientID is the clientID of every answer.
const LegacyClientID = "6532622b"
