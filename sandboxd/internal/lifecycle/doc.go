// Package lifecycle keeps the sandboxes of one server: it starts them, ends
// them when their time is up, pauses and resumes them, and knows at any moment
// which ones live. It speaks no HTTP and starts no process itself: a Machine,
// supplied by the caller, is what runs.
//
// A sandbox is running, paused or ended, and passes through short states
// between these. Sandbox.changing is taken for as long as a pause, a resume or
// a kill lasts, so that one happens at a time; Sandbox.mu guards the fields and
// is never held across a call to the Machine.
package lifecycle
