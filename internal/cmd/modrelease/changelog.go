package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
)

// unreleased is the heading under which changes gather until a release.
const unreleased = "## Unreleased"

var releaseHeading = regexp.MustCompile(`(?m)^## v\d+\.\d+\.\d+`)

func changelogPath(m *modgraph.Module) string { return filepath.Join(m.Dir, "CHANGELOG.md") }

func readChangelog(m *modgraph.Module) (string, error) {
	data, err := os.ReadFile(changelogPath(m))
	if err != nil {
		return "", err
	}
	text := string(data)
	if !strings.Contains(text, unreleased+"\n") && !releaseHeading.MatchString(text) {
		return "", fmt.Errorf("CHANGELOG.md has neither %q nor a release", unreleased)
	}
	return text, nil
}

// releaseNotes puts the version over what was unreleased and opens an empty
// section for what comes next. Without changes there is nothing to release.
func releaseNotes(text, version, date string) (string, error) {
	head, rest, found := strings.Cut(text, unreleased+"\n")
	notes := rest
	if next := releaseHeading.FindStringIndex(rest); next != nil {
		notes = rest[:next[0]]
	}
	if !found || strings.TrimSpace(notes) == "" {
		return "", fmt.Errorf("CHANGELOG.md has nothing under %q", unreleased)
	}
	return head + unreleased + "\n\n## " + version + " - " + date + "\n" + rest, nil
}

func hasRelease(text, version string) bool {
	return strings.Contains(text, "\n## "+version+" ")
}
