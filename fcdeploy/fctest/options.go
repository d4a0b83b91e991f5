package fctest

import (
	"io"
	"time"
)

// Options configure a [Server]. The zero value of a field means its default.
type Options struct {
	Addr            string // to listen on; default 127.0.0.1:0
	AccessKeyID     string // default "test-access-key-id"
	AccessKeySecret string // default "test-access-key-secret"
	SecurityToken   string // when set, requests must carry it
	AccountID       string // default "1234567890123456"
	Region          string // default "cn-hangzhou"

	ReadyAfter int // how many reads after a write still say that the function is not ready
	URLAfter   int // how many reads of a new trigger have no URL yet

	SessionClock func() time.Time // for session lifetimes; default time.Now
	Output       io.Writer        // what instances print; default io.Discard
	InstanceIdle time.Duration    // after which an idle instance is stopped; default 3 minutes
	StartTimeout time.Duration    // for an instance to listen; default 30 s (FC: 120 s)
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	setDefault(&c.Addr, "127.0.0.1:0")
	setDefault(&c.AccessKeyID, "test-access-key-id")
	setDefault(&c.AccessKeySecret, "test-access-key-secret")
	setDefault(&c.AccountID, "1234567890123456")
	setDefault(&c.Region, "cn-hangzhou")
	setDefault(&c.InstanceIdle, 3*time.Minute)
	setDefault(&c.StartTimeout, 30*time.Second)
	if c.SessionClock == nil {
		c.SessionClock = time.Now
	}
	if c.Output == nil {
		c.Output = io.Discard
	}
	return c
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
