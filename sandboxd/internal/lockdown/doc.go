// Package lockdown takes away what a process of a sandbox must not have:
// capabilities, resources beyond its limits, and system calls that lead out.
//
// All of it applies to the calling thread and what that thread starts or
// becomes, so the thread must be locked and must end in an exec.
package lockdown

//go:generate go run ./filtergen
