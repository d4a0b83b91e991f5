// Package keepalive knows how often a stream must show that it lives.
package keepalive

import (
	"context"
	"strconv"
	"time"

	"connectrpc.com/connect"
)

const (
	// header asks for an interval, in whole seconds.
	header = "Keepalive-Ping-Interval"
	// standard is the interval of a client that does not ask.
	standard = 90 * time.Second
)

// Interval is how long the stream of this call may be silent.
func Interval(ctx context.Context) time.Duration {
	info, ok := connect.CallInfoForHandlerContext(ctx)
	if !ok {
		return standard
	}
	seconds, err := strconv.Atoi(info.RequestHeader().Get(header))
	if err != nil || seconds <= 0 {
		return standard
	}
	return time.Duration(seconds) * time.Second
}
