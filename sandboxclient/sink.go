package sandboxclient

// sink takes one output stream of a process: it removes the shell's mark,
// keeps head and tail, and hands the bytes on in chunks that do not cut UTF-8
// sequences.
type sink struct {
	mark  *markStripper
	kept  *collector
	on    func([]byte)
	carry []byte // the beginning of a UTF-8 sequence, at most 3 bytes
}

func newSink(markID string, limit int, on func([]byte)) *sink {
	s := &sink{mark: &markStripper{}, kept: newCollector(limit), on: on}
	if markID != "" {
		s.mark = newMarkStripper(markID)
	}
	return s
}

func (s *sink) write(p []byte) { s.mark.write(p, s.emit) }

// close hands on what was held back.
func (s *sink) close() {
	s.mark.flush(s.emit)
	if len(s.carry) > 0 {
		s.on(s.carry)
		s.carry = nil
	}
}

func (s *sink) emit(p []byte) {
	_, _ = s.kept.Write(p)
	if s.on == nil {
		return
	}
	if len(s.carry) > 0 {
		p = append(s.carry, p...)
		s.carry = nil
	}
	if n := incomplete(p); n > 0 {
		s.carry = append(s.carry, p[len(p)-n:]...)
		p = p[:len(p)-n]
	}
	if len(p) > 0 {
		s.on(p)
	}
}
