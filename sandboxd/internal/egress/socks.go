package egress

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
)

// Values of RFC 1928.
const (
	socksVersion        = 5
	socksNoAuth         = 0
	socksNoneAcceptable = 0xff
	socksConnect        = 1
	socksIPv4           = 1
	socksName           = 3
	socksIPv6           = 4
)

// Replies of RFC 1928.
const (
	replySucceeded      = 0
	replyFailed         = 1
	replyNotAllowed     = 2
	replyHostUnreach    = 4
	replyNoSuchCommand  = 7
	replyNoSuchAddrType = 8
)

// socksError is a failure with the reply that tells the client.
type socksError struct {
	reply byte
	err   error
}

func (e *socksError) Error() string { return e.err.Error() }
func (e *socksError) Unwrap() error { return e.err }

func (p *Proxy) serveSOCKS(conn *bufferedConn) {
	out, err := p.negotiate(p.ctx, conn)
	if err != nil {
		if failed, ok := errors.AsType[*socksError](err); ok {
			socksReply(conn, failed.reply) //nolint:errcheck // the connection ends anyway
		}
		conn.Close()
		return
	}
	if err := socksReply(conn, replySucceeded); err != nil {
		conn.Close()
		out.Close()
		return
	}
	p.pipe(conn, out)
}

func (p *Proxy) negotiate(ctx context.Context, conn io.ReadWriter) (net.Conn, error) {
	if err := socksGreet(conn); err != nil {
		return nil, err
	}
	host, port, err := socksRequest(conn)
	if err != nil {
		return nil, err
	}
	out, err := p.dial(ctx, host, port)
	switch {
	case errors.Is(err, ErrRefused):
		return nil, &socksError{replyNotAllowed, err}
	case err != nil:
		return nil, &socksError{replyHostUnreach, err}
	}
	return out, nil
}

// socksGreet agrees on no authentication: the listener is reachable from the
// sandbox alone.
func socksGreet(conn io.ReadWriter) error {
	var head [2]byte
	if _, err := io.ReadFull(conn, head[:]); err != nil {
		return err
	}
	methods := make([]byte, head[1])
	if _, err := io.ReadFull(conn, methods); err != nil {
		return err
	}
	for _, m := range methods {
		if m == socksNoAuth {
			_, err := conn.Write([]byte{socksVersion, socksNoAuth})
			return err
		}
	}
	conn.Write([]byte{socksVersion, socksNoneAcceptable}) //nolint:errcheck // the connection ends anyway
	return errors.New("client wants authentication")
}

// socksRequest reads what to connect to.
func socksRequest(r io.Reader) (host, port string, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return "", "", err
	}
	if head[0] != socksVersion {
		return "", "", &socksError{replyFailed, fmt.Errorf("SOCKS version %d", head[0])}
	}
	if head[1] != socksConnect {
		return "", "", &socksError{replyNoSuchCommand, fmt.Errorf("SOCKS command %d", head[1])}
	}
	if host, err = socksHost(r, head[3]); err != nil {
		return "", "", err
	}
	var number [2]byte
	if _, err := io.ReadFull(r, number[:]); err != nil {
		return "", "", err
	}
	return host, strconv.Itoa(int(binary.BigEndian.Uint16(number[:]))), nil
}

func socksHost(r io.Reader, kind byte) (string, error) {
	size := 0
	switch kind {
	case socksIPv4:
		size = 4
	case socksIPv6:
		size = 16
	case socksName:
		var length [1]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return "", err
		}
		size = int(length[0])
	default:
		return "", &socksError{replyNoSuchAddrType, fmt.Errorf("SOCKS address type %d", kind)}
	}
	host := make([]byte, size)
	if _, err := io.ReadFull(r, host); err != nil {
		return "", err
	}
	if kind == socksName {
		return string(host), nil
	}
	addr, _ := netip.AddrFromSlice(host)
	return addr.String(), nil
}

// socksReply answers a request; the bound address means nothing to clients.
func socksReply(w io.Writer, code byte) error {
	_, err := w.Write([]byte{socksVersion, code, 0, socksIPv4, 0, 0, 0, 0, 0, 0})
	return err
}
