// Package fcdeploy puts the MCP server of agent-sandbox on Alibaba Cloud
// Function Compute (FC): as a directory that other tooling can deploy, or by
// itself, through FC's own API.
//
// The steps are separate, and each can be used alone:
//
//   - [Spec] says what is wanted; [Spec.Validate] knows FC's limits, so that a
//     mistake is an error here and not halfway through a deployment.
//   - [WriteArtifact] writes the deployable directory: the Linux binary under
//     the name FC starts (bootstrap), code.zip, config.yaml, s.yaml for
//     Serverless Devs, a README, a RAM policy. Same input, same bytes.
//   - [MakePlan] compares the wanted state with what a [Driver] reports and
//     lists the calls that lead there; [Apply] makes them, waits until the
//     function is ready and returns the [Deployment]; [Undeploy] removes what is
//     ours, in the order the service needs.
//   - [Smoke] speaks MCP to the endpoint.
//
// Two drivers exist: package fc3 for FC 3.0 (session affinity, custom domains,
// scaling) and package fc2 for accounts that still have FC 2.0 services. Package
// fctest is an emulator of both APIs and of FC's data plane.
//
// Nothing here was run against the live service; docs/deploy-fc.md lists what
// that leaves open.
package fcdeploy
