package api

import "time"

// Error is the body of every control-plane error.
type Error struct {
	Code      int32  `json:"code"`
	Message   string `json:"message"`
	ErrorCode string `json:"error_code,omitempty"`
}

// ProxyError is the body with which the data-plane proxy answers in place of
// a sandbox. Port is set only when the sandbox runs and the port is closed.
type ProxyError struct {
	SandboxID string `json:"sandboxId,omitempty"`
	Message   string `json:"message"`
	Port      int    `json:"port,omitempty"`
	Code      int32  `json:"code"`
}

// TimeoutRequest is the body of POST /sandboxes/{id}/timeout and of connect.
type TimeoutRequest struct {
	Timeout int32 `json:"timeout"` // seconds
}

// PauseRequest is the optional body of POST /sandboxes/{id}/pause.
type PauseRequest struct {
	Memory *bool `json:"memory,omitempty"`
}

// ResumeRequest is the optional body of POST /sandboxes/{id}/resume.
type ResumeRequest struct {
	Timeout   int32 `json:"timeout,omitempty"` // seconds
	AutoPause bool  `json:"autoPause,omitempty"`
}

// RefreshRequest is the body of POST /sandboxes/{id}/refreshes.
type RefreshRequest struct {
	Duration int32 `json:"duration"` // seconds, 0 to 3600
}

// SandboxMetric is one sample of a sandbox's use. Memory and disk are bytes.
type SandboxMetric struct {
	Timestamp     time.Time `json:"timestamp"`
	TimestampUnix int64     `json:"timestampUnix"`
	CPUCount      int32     `json:"cpuCount"`
	CPUUsedPct    float64   `json:"cpuUsedPct"`
	MemUsed       int64     `json:"memUsed"`
	MemTotal      int64     `json:"memTotal"`
	MemCache      int64     `json:"memCache"`
	DiskUsed      int64     `json:"diskUsed"`
	DiskTotal     int64     `json:"diskTotal"`
}

// SandboxMetrics is the answer to GET /sandboxes/metrics.
type SandboxMetrics struct {
	Sandboxes map[string]SandboxMetric `json:"sandboxes"`
}

// LogEntry is one log record of a sandbox.
type LogEntry struct {
	Timestamp time.Time         `json:"timestamp"`
	Level     string            `json:"level"`
	Message   string            `json:"message"`
	Fields    map[string]string `json:"fields,omitempty"`
}

// Logs is the answer to GET /v2/sandboxes/{id}/logs.
type Logs struct {
	Logs []LogEntry `json:"logs"`
}

// LogLine is one record of the older GET /sandboxes/{id}/logs.
type LogLine struct {
	Timestamp time.Time `json:"timestamp"`
	Line      string    `json:"line"`
}

// LegacyLogs is the answer to GET /sandboxes/{id}/logs.
type LegacyLogs struct {
	Logs       []LogLine  `json:"logs"`
	LogEntries []LogEntry `json:"logEntries"`
}

// Template is one element of the answer to GET /templates.
type Template struct {
	TemplateID  string    `json:"templateID"`
	BuildID     string    `json:"buildID,omitempty"`
	BuildStatus string    `json:"buildStatus,omitempty"`
	CPUCount    int32     `json:"cpuCount,omitempty"`
	MemoryMB    int32     `json:"memoryMB,omitempty"`
	DiskSizeMB  int32     `json:"diskSizeMB,omitempty"`
	Public      bool      `json:"public"`
	Aliases     []string  `json:"aliases,omitempty"`
	Names       []string  `json:"names,omitempty"`
	EnvdVersion string    `json:"envdVersion,omitempty"`
	CreatedAt   time.Time `json:"createdAt,omitzero"`
	UpdatedAt   time.Time `json:"updatedAt,omitzero"`
}
