package policy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	uses       = regexp.MustCompile(`(?m)^\s*(?:- )?uses: (.*)$`)
	pinned     = regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	ownAction  = regexp.MustCompile(`^\./\.github/workflows/[\w.-]+\.yml$`)
	permission = regexp.MustCompile(`(?m)^permissions:\n  contents: read$`)
)

// A tag of an action can be moved by whoever owns it, a digest cannot; and a
// workflow without permissions gets those of the repository's settings.
func TestWorkflowsPinAndAskForLittle(t *testing.T) {
	t.Parallel()
	for path, text := range workflows(t) {
		for _, use := range uses.FindAllStringSubmatch(text, -1) {
			if !pinned.MatchString(use[1]) && !ownAction.MatchString(use[1]) {
				t.Errorf("%s uses %s: want OWNER/ACTION@<40 hex digits> # vX.Y.Z", path, use[1])
			}
		}
		if !permission.MatchString(text) {
			t.Errorf("%s: the workflow's own permissions must be `contents: read`; a job adds what it needs", path)
		}
		if strings.Contains(text, "go-version-file") {
			t.Errorf("%s: go.mod names the oldest Go that will do; build with the newest patch", path)
		}
		if strings.Contains(text, "pull_request_target") {
			t.Errorf("%s runs a stranger's change with our token", path)
		}
	}
}

func TestOnlyTheNightlyAsksForVulnerabilities(t *testing.T) {
	t.Parallel()
	for path, text := range workflows(t) {
		if strings.Contains(text, "govulncheck") != (filepath.Base(path) == "nightly.yml") {
			t.Errorf("%s: govulncheck belongs to the nightly alone, since its answer depends on the day", path)
		}
	}
}

func TestDependabotKnowsEveryModule(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, ".github/dependabot.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules(t) {
		if !strings.Contains(string(data), "directory: /"+m.Name+"\n") {
			t.Errorf("dependabot.yml has no entry for %s", m.Name)
		}
	}
}

func TestEveryTaggedModuleHasAChangelog(t *testing.T) {
	t.Parallel()
	for _, m := range modules(t) {
		if _, err := os.Stat(filepath.Join(m.Dir, "CHANGELOG.md")); m.Tagged() && err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

func workflows(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(data)
	}
	return texts
}
