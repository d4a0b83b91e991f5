package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// File is a configuration file: flat TOML, one line a setting.
type File struct {
	path    string
	text    string
	values  map[Key]string
	missing error // why there is no place for the file
}

// Open reads a configuration file. A missing one is empty. An unknown key, a
// table or a value that is not a string is an error, and so is a file that
// holds the API key and can be read by others.
func Open(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &File{path: path, values: map[Key]string{}}, nil
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("read configuration: %w; pass --config FILE, or set HOME to a directory of yours", err)
	}
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	f := &File{path: path, text: string(data)}
	if f.values, err = decode(f.text); err != nil {
		return nil, fmt.Errorf("configuration file %s: %w", path, err)
	}
	if _, ok := f.values[APIKey]; ok {
		return f, f.checkPrivate()
	}
	return f, nil
}

// Missing is the empty file of a user who has no directory for one. Reading it
// finds nothing; writing it gives why.
func Missing(why error) *File {
	return &File{values: map[Key]string{}, missing: why}
}

// Path is where the file is, or would be; "" when there is no place for it.
func (f *File) Path() string { return f.path }

// Get is the value of k in the file. A nil file has none.
func (f *File) Get(k Key) (string, bool) {
	if f == nil {
		return "", false
	}
	v, ok := f.values[k]
	return v, ok
}

// Set writes a value; comments and the order of lines stay as they are.
func (f *File) Set(k Key, value string) error {
	if err := k.Validate(value); err != nil {
		return err
	}
	want := maps.Clone(f.values)
	want[k] = value
	return f.save(replaceLine(f.text, k, string(k)+" = "+strconv.Quote(value)), want)
}

// Unset removes a value and says whether there was one.
func (f *File) Unset(k Key) (bool, error) {
	if _, ok := f.values[k]; !ok {
		return false, f.missing
	}
	want := maps.Clone(f.values)
	delete(want, k)
	return true, f.save(replaceLine(f.text, k, ""), want)
}

// save refuses a text that does not decode to exactly the wanted values, which
// is how a value spread over several lines is kept from being torn.
func (f *File) save(text string, want map[Key]string) error {
	if f.missing != nil {
		return f.missing
	}
	got, err := decode(text)
	if err != nil || !maps.Equal(got, want) {
		return fmt.Errorf("cannot change %s line by line: edit it by hand", f.path)
	}
	if err := writePrivate(f.path, text); err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	f.text, f.values = text, want
	return nil
}

func (f *File) checkPrivate() error {
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("configuration file %s holds an API key and can be read by others: run `chmod 600 %s`", f.path, f.path)
	}
	return nil
}

func decode(text string) (map[Key]string, error) {
	raw := map[string]any{}
	if err := toml.Unmarshal([]byte(text), &raw); err != nil {
		return nil, err
	}
	values := map[Key]string{}
	for name, v := range raw {
		k, err := ParseKey(name)
		if err != nil {
			return nil, err
		}
		s, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("%s: want a string in quotes", name)
		}
		values[k] = s
	}
	return values, nil
}

// replaceLine puts line in the place of k's assignment, or at the end. An empty
// line removes the assignment.
func replaceLine(text string, k Key, line string) string {
	if line != "" {
		line += "\n"
	}
	assignment := regexp.MustCompile(`(?m)^[ \t]*"?` + regexp.QuoteMeta(string(k)) + `"?[ \t]*=.*(\n|\z)`)
	if at := assignment.FindStringIndex(text); at != nil {
		return text[:at[0]] + line + text[at[1]:]
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + line
}

// writePrivate replaces the file in one step, readable by its owner only.
func writePrivate(path, text string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // keep a link that the user made
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".config-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.WriteString(text)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
