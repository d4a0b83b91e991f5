package mcpserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

const (
	spoolMemory = 256 << 10 // bytes kept in memory, the rest goes to a file
	spoolMost   = 64 << 20  // bytes kept at all
)

// spool keeps the whole output of a run, in the order it came, until it is
// known whether anybody needs it. Close it.
type spool struct {
	mu     sync.Mutex
	memory bytes.Buffer
	file   *os.File
	size   int64
	cut    bool // there was more than spoolMost
	err    error
}

// Write takes in output. It never fails: a spool that cannot keep something
// says so when it is read.
func (s *spool) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := p
	if room := spoolMost - s.size; int64(len(kept)) > room {
		kept, s.cut = kept[:room], true
	}
	s.size += int64(len(kept))
	if s.err == nil {
		s.err = s.keep(kept)
	}
	return len(p), nil
}

func (s *spool) keep(p []byte) error {
	if s.file == nil && s.memory.Len()+len(p) <= spoolMemory {
		_, err := s.memory.Write(p)
		return err
	}
	if s.file == nil {
		if err := s.spill(); err != nil {
			return err
		}
	}
	_, err := s.file.Write(p)
	return err
}

// spill moves what is in memory to a temporary file.
func (s *spool) spill() error {
	file, err := os.CreateTemp("", "abx-output-*")
	if err != nil {
		return fmt.Errorf("keep output: %w", err)
	}
	s.file = file
	_, err = s.memory.WriteTo(file)
	return err
}

// reader gives all that was kept, from its beginning.
func (s *spool) reader() (io.ReadSeeker, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil || s.file == nil {
		return bytes.NewReader(s.memory.Bytes()), s.err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

// Close removes the temporary file.
func (s *spool) Close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
