package policy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	codeBlock = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	heading   = regexp.MustCompile(`(?m)^#+ `)
	codeSpan  = regexp.MustCompile("`[^`\n]+`")
	pageLink  = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)
)

// A translation says the same as its original as far as a program can tell: the
// same headings by level, the same commands and configurations, the same tables.
func TestTranslationsAreInStep(t *testing.T) {
	t.Parallel()
	for _, original := range []string{"README.md", "docs/mcp-integration.md"} {
		translation := strings.TrimSuffix(original, ".md") + ".zh-CN.md"
		want, got := page(t, original), page(t, translation)
		if a, b := levels(want), levels(got); !slices.Equal(a, b) {
			t.Errorf("%s has headings %q, %s has %q", original, a, translation, b)
		}
		if a, b := blocks(want), blocks(got); !slices.Equal(a, b) {
			t.Errorf("%s and %s differ in a block of code:\n%q\n%q", original, translation, a, b)
		}
		if a, b := strings.Count(want, "\n|"), strings.Count(got, "\n|"); a != b {
			t.Errorf("%s has %d rows of tables, %s has %d", original, a, translation, b)
		}
		for _, span := range codeSpan.FindAllString(codeBlock.ReplaceAllString(want, ""), -1) {
			if !strings.Contains(got, span) {
				t.Errorf("%s does not mention %s", translation, span)
			}
		}
	}
}

func levels(text string) []string {
	return heading.FindAllString(codeBlock.ReplaceAllString(text, ""), -1)
}

// blocks are those with a language; a picture without one has words in it.
func blocks(text string) []string {
	var all []string
	for _, b := range codeBlock.FindAllStringSubmatch(text, -1) {
		if b[1] != "" {
			all = append(all, b[2])
		}
	}
	return all
}

func TestLinksOfPagesLeadSomewhere(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"*.md", "*/*.md", "docs/*/*.md"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text := codeSpan.ReplaceAllString(codeBlock.ReplaceAllString(string(data), ""), "")
			for _, link := range pageLink.FindAllStringSubmatch(text, -1) {
				if strings.Contains(link[1], ":") {
					continue
				}
				if _, err := os.Stat(filepath.Join(filepath.Dir(path), link[1])); err != nil {
					t.Errorf("%s links to %s, which is not there", path, link[1])
				}
			}
		}
	}
}

func page(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
