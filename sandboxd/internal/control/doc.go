// Package control is the HTTP control plane of sandboxd: it makes, finds,
// prolongs, pauses and ends sandboxes in the words of the E2B API, over a
// lifecycle.Manager that does the work.
//
// routes.go lists every call. Each handler returns an error instead of writing
// one, and respond.go turns it into a status and the API's error body.
package control
