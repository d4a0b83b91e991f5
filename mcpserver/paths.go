package mcpserver

import "strings"

// path gives a required path argument. It must be absolute: what a relative one
// starts from differs between commands, code and files.
func (a *Arguments) path(name string) (string, error) {
	path, err := a.text(name)
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(path, "/") {
		return "", invalidArgument("%s must be an absolute path, for example /app/data.csv; got %s.", name, quote(path))
	}
	return path, nil
}

// optionalPath gives a path argument, or "" when it was left out.
func (a *Arguments) optionalPath(name string) (string, error) {
	if _, ok := a.values[name]; !ok {
		return "", nil
	}
	return a.path(name)
}

// text gives a string that no NUL byte ends early on its way.
func (a *Arguments) text(name string) (string, error) {
	text := a.String(name)
	if strings.ContainsRune(text, 0) {
		return "", invalidArgument("%s must not hold a NUL character.", name)
	}
	return text, nil
}
