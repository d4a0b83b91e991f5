package interpreter

import (
	"errors"
	"os"
)

// childPipes are the ends that a kernel process inherits.
type childPipes struct {
	stdout, stderr, requests, events, acks, driver *os.File
}

// pipes are the ends of the server.
type pipes struct {
	stdout, stderr, requests, events, acks, driver *os.File

	// exit tells the reader that the process has ended: other processes may
	// hold the pipes open, so their end is no sign of it.
	exitRead, exitWrite *os.File
}

func makePipes() (child *childPipes, parent *pipes, err error) {
	child, parent = &childPipes{}, &pipes{}
	ends := []struct{ read, write **os.File }{
		{&parent.stdout, &child.stdout},
		{&parent.stderr, &child.stderr},
		{&child.requests, &parent.requests},
		{&parent.events, &child.events},
		{&child.acks, &parent.acks},
		{&child.driver, &parent.driver},
		{&parent.exitRead, &parent.exitWrite},
	}
	for _, end := range ends {
		if *end.read, *end.write, err = os.Pipe(); err != nil {
			return nil, nil, errors.Join(err, child.close(), parent.close())
		}
	}
	return child, parent, nil
}

func (p *childPipes) close() error {
	return closeAll(p.stdout, p.stderr, p.requests, p.events, p.acks, p.driver)
}

func (p *pipes) close() error {
	return closeAll(p.stdout, p.stderr, p.requests, p.events, p.acks, p.driver, p.exitRead, p.exitWrite)
}

// wake has the reader see that the process has ended.
func (p *pipes) wake() { _ = p.exitWrite.Close() }

func closeAll(files ...*os.File) error {
	var all error
	for _, file := range files {
		if file == nil {
			continue
		}
		if err := file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			all = errors.Join(all, err)
		}
	}
	return all
}
