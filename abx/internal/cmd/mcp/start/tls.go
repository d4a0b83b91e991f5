package start

import (
	"crypto/tls"
	"fmt"
	"sync/atomic"
)

// certificate is the server's own, which may be replaced while it serves.
type certificate struct {
	current atomic.Pointer[tls.Certificate]
}

// read reads certificate and key, which must belong together.
func (c *certificate) read(certFile, keyFile string) error {
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return fmt.Errorf("TLS certificate: %w", err)
	}
	c.current.Store(&pair)
	return nil
}

func (c *certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.current.Load(), nil
		},
	}
}
