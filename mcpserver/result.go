package mcpserver

import "fmt"

// Result is what a handler gives to the shaper.
type Result struct {
	// Structured is the tool's output structure. Its Notes are set by the shaper.
	Structured structured
	Images     []Image
	Notes      []string
	// Texts are further text blocks: SVG pictures.
	Texts []string
	// Failure marks a complete result that is an error too: a timeout.
	Failure *ToolError
}

func (r *Result) notef(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// structured is a pointer to an output structure of a tool.
type structured interface{ setNotes(notes []string) }

// noted is the part that all output structures share.
type noted struct {
	Notes []string `json:"notes,omitempty"`
}

func (n *noted) setNotes(notes []string) { n.Notes = notes }

// Image is a picture to show beside the structured result.
type Image struct {
	MIMEType string
	Data     []byte
}
