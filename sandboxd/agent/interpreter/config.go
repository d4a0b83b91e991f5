package interpreter

import (
	"log/slog"
	"os"
	"syscall"
	"time"
)

// Config says in which surroundings kernels run. The zero value is usable: the
// default directory is the working directory of the process and the environment
// has nothing but PATH, HOME and LANG.
type Config struct {
	// Cwd is the directory of contexts that name none.
	Cwd string

	// Env returns the environment of a new kernel as NAME=value, asked at each
	// start. Languages are looked up on its PATH; without one, on
	// /usr/local/bin:/usr/bin:/bin and the sbin directories.
	Env func() []string

	// SysProcAttr are further attributes of kernel processes, such as the user
	// to run as. Each kernel leads a process group of its own whatever it says.
	SysProcAttr *syscall.SysProcAttr

	// Without names languages that are unknown here, whatever is installed.
	Without []string

	// Keepalive is the silence after which a keepalive line is sent; 0 means 5 s,
	// as on the hosted service.
	Keepalive time.Duration

	// Yield is how long an abandoned execution may take to end after an
	// interrupt before its kernel is killed; 0 means 2 s.
	Yield time.Duration

	// Logger receives what no client hears of; nil drops it.
	Logger *slog.Logger
}

const defaultPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

func (c Config) withDefaults() Config {
	if c.Cwd == "" {
		c.Cwd, _ = os.Getwd()
	}
	if c.Env == nil {
		home := c.Cwd
		c.Env = func() []string { return []string{"PATH=" + defaultPath, "HOME=" + home, "LANG=C.UTF-8"} }
	}
	if c.Keepalive == 0 {
		c.Keepalive = 5 * time.Second
	}
	if c.Yield == 0 {
		c.Yield = 2 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}
