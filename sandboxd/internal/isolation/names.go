package isolation

import "time"

// sandboxUser is the account of a sandbox, as clients of the E2B protocol
// expect it.
const sandboxUser = "user"

// proxyAddress is where the internet proxy listens inside a sandbox. Each
// sandbox has a network of its own, so the port is never taken.
const proxyAddress = "127.0.0.1:3128"

// killTimeout bounds the end of a sandbox that the caller does not bound.
const killTimeout = 30 * time.Second
