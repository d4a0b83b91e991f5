package fcdeploy

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Names in an artifact directory.
const (
	bootstrapName  = "bootstrap"
	codeName       = "code.zip"
	manifestName   = "config.yaml"
	serverlessName = "s.yaml"
	readmeName     = "README.md"
	exampleName    = ".env.example"
	policyName     = "ram-policy.json"
	appName        = "app.py"
	requireName    = "requirements.txt"
	tokenName      = ".env"
	recordName     = "deployment.json"
)

var ourNames = []string{bootstrapName, codeName, manifestName, serverlessName, readmeName, exampleName,
	policyName, appName, requireName, tokenName, recordName}

// ForeignFilesError refuses a directory that holds what we did not write.
type ForeignFilesError struct {
	Dir   string
	Names []string
}

// Error implements error.
func (e *ForeignFilesError) Error() string {
	return fmt.Sprintf("output-dir: %s holds other files (%s); choose an empty or new directory", e.Dir, strings.Join(e.Names, ", "))
}

// CheckOutputDir accepts a directory that does not exist, is empty, or holds an
// artifact of ours and nothing else. It changes nothing.
func CheckOutputDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read output directory: %w", err)
	}
	foreign := foreignNames(entries)
	if len(foreign) == 0 && len(entries) > 0 && !isArtifact(dir, entries) {
		foreign = entryNames(entries)
	}
	if len(foreign) > 0 {
		return &ForeignFilesError{Dir: dir, Names: foreign}
	}
	return nil
}

func foreignNames(entries []fs.DirEntry) []string {
	var names []string
	for _, entry := range entries {
		if !slices.Contains(ourNames, entry.Name()) || !entry.Type().IsRegular() {
			names = append(names, entry.Name())
		}
	}
	return names
}

func entryNames(entries []fs.DirEntry) []string {
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names
}

// isArtifact looks for our header: a directory with a config.yaml or README.md
// of someone else's has our names but not our words. A token file alone is what
// an interrupted first run leaves.
func isArtifact(dir string, entries []fs.DirEntry) bool {
	if len(entries) == 1 && entries[0].Name() == tokenName {
		return true
	}
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	return err == nil && bytes.HasPrefix(text, []byte(manifestHeader))
}

// writeFile replaces path in one step; the mode is there before the content.
func writeFile(path string, data []byte, mode fs.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	defer func() { _ = os.Remove(temp.Name()) }() // gone already after the rename
	_, errWrite := temp.Write(data)
	err = errors.Join(os.Chmod(temp.Name(), mode), errWrite, temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	return nil
}
