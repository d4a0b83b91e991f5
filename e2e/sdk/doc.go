// Package sdk runs the official JavaScript SDKs of E2B, unchanged, against
// sandboxd: whatever they do must work as it does with the hosted service.
//
// Two generations of them are tested, one folder each, because they create
// sandboxes by different calls: e2b 2.45.0 through v1, 2.51.0 through v2. The
// lockfiles name no download host, so that npm takes the packages from
// whatever registry the machine is set up for.
package sdk
