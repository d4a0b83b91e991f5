// Package fctest emulates Alibaba Cloud Function Compute well enough to deploy
// an HTTP server to it: the management APIs of FC 3.0 (2023-03-30) and, without
// a data plane, of FC 2.0 (2016-08-15), and for 3.0 a data plane that unpacks
// the code, starts it with FC's environment and routes sessions.
//
// It is written from the API's documentation and the models of its SDKs, and it
// verifies signatures itself, so that it does not share a mistake with the code
// that it tests. It was not compared with the live service. Where the
// documentation is silent it is strict: an unknown member is an error, and a
// server that listens on 127.0.0.1 only is not reachable, as on FC.
//
// The data plane runs programs built for linux/amd64 and is available there
// only; elsewhere a request to a trigger is answered 501.
package fctest
