// Package tunnel carries many connections, in both directions, over one
// stream of bytes, such as the standard input and output of a process in a
// container: HTTP/2 with one request for each connection.
package tunnel

import (
	"net"
	"net/http"
	"time"
)

// Paths of the two kinds of connection.
const (
	pathIn  = "/in"  // from the host to a listener inside
	pathOut = "/out" // from inside to a listener on the host
)

// host is what requests are addressed to; nobody looks it up.
const host = "http://sandbox"

// Buffers that let one connection run at full speed and bound them all.
const (
	streamBuffer     = 1 << 20
	connectionBuffer = 16 << 20
	maxStreams       = 10000
)

func protocols() *http.Protocols {
	var p http.Protocols
	p.SetUnencryptedHTTP2(true)
	return &p
}

func settings() *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxConcurrentStreams:          maxStreams,
		MaxReceiveBufferPerStream:     streamBuffer,
		MaxReceiveBufferPerConnection: connectionBuffer,
	}
}

// address is the address of both ends of a tunnelled connection.
type address struct{}

func (address) Network() string { return "tunnel" }
func (address) String() string  { return "tunnel" }

// noDeadlines is for streams that cannot be given any.
type noDeadlines struct{}

func (noDeadlines) SetDeadline(time.Time) error      { return nil }
func (noDeadlines) SetReadDeadline(time.Time) error  { return nil }
func (noDeadlines) SetWriteDeadline(time.Time) error { return nil }
func (noDeadlines) LocalAddr() net.Addr              { return address{} }
func (noDeadlines) RemoteAddr() net.Addr             { return address{} }
