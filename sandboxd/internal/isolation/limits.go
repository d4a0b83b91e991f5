package isolation

// Defaults of Limits.
const (
	defaultProcesses = 512
	defaultStorage   = 1 << 30
	defaultOpenFiles = 4096
)

func (l Limits) withDefaults() Limits {
	if l.Processes == 0 {
		l.Processes = defaultProcesses
	}
	if l.Storage == 0 {
		l.Storage = defaultStorage
	}
	if l.FileSize == 0 {
		l.FileSize = l.Storage
	}
	if l.OpenFiles == 0 {
		l.OpenFiles = defaultOpenFiles
	}
	return l
}
