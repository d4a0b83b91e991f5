package jsonc_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// generator writes random JSON with or without comments, in many styles.
type generator struct {
	*rand.Rand
	comments, trailing, lines bool
	newline                   string
}

func newGenerator(seed uint64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), newline: "\n"}
	g.comments, g.trailing, g.lines = g.IntN(4) > 0, g.IntN(3) == 0, g.IntN(3) > 0
	if g.IntN(3) == 0 {
		g.newline = "\r\n"
	}
	return g
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// trivia is what may stand between any two tokens.
func (g *generator) trivia() string {
	if !g.comments || g.IntN(4) > 0 {
		return g.pick("", "", " ", "  ", "\t")
	}
	return g.pick("/* c */", "/**/ ", " // x"+g.newline, "/* a"+g.newline+" b, } */", "// \"q\": {"+g.newline, " /*/ */ ")
}

func (g *generator) document() string {
	text := g.trivia() + g.object(0, true) + g.trivia() + g.pick("", g.newline)
	if g.IntN(7) == 0 {
		text = "\xef\xbb\xbf" + text
	}
	return text
}

func (g *generator) scalar() string {
	return g.pick("null", "true", "1", "-1.0", "1E+2", "12345678901234567890123", `""`, `"a\/b"`, `"中"`, `"\ud800"`,
		`"https://x // y"`, `"{\"k\": /* */ 1}"`, `"\\"`, "[]", "{}")
}

func (g *generator) value(depth int) string {
	switch n := g.IntN(6); {
	case depth > 3 || n < 3:
		return g.scalar()
	case n == 3:
		return g.array(depth)
	}
	return g.object(depth, false)
}

func (g *generator) array(depth int) string {
	items := make([]string, g.IntN(4))
	for i := range items {
		items[i] = g.value(depth + 1)
	}
	return g.list("[", items, "]", depth)
}

func (g *generator) object(depth int, root bool) string {
	var items []string
	for i := range g.IntN(4) {
		items = append(items, fmt.Sprintf(`"k%d"%s:%s%s`, i, g.trivia(), g.trivia(), g.value(depth+1)))
	}
	if root && g.IntN(3) > 0 {
		servers := `"mcpServers"` + g.trivia() + ":" + g.pick("", " ") + g.servers()
		items = append(items, servers)
		g.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	}
	return g.list("{", items, "}", depth)
}

func (g *generator) servers() string {
	var items []string
	for i := range g.IntN(3) {
		items = append(items, fmt.Sprintf(`"s%d":%s%s`, i, g.trivia(), g.object(2, false)))
	}
	if g.IntN(3) == 0 {
		items = append(items, `"agent-sandbox": {"command": "abx", "x": [1, 2], "env": {"A": "b"}}`)
		g.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	}
	if g.IntN(12) == 0 {
		return "null"
	}
	return g.list("{", items, "}", 1)
}

func (g *generator) list(open string, items []string, closing string, depth int) string {
	sep, end := "", ""
	if g.lines && g.IntN(8) > 0 {
		unit := g.pick("  ", "\t", "    ")
		sep = g.newline + strings.Repeat(unit, depth+1)
		end = g.newline + strings.Repeat(unit, depth)
	}
	var b strings.Builder
	b.WriteString(open)
	for i, item := range items {
		b.WriteString(g.trivia() + sep + item + g.trivia())
		if i < len(items)-1 || g.trailing && g.IntN(2) == 0 {
			b.WriteString(",")
		}
	}
	b.WriteString(g.trivia() + end + closing)
	return b.String()
}

// A run of the same property over 200,000 seeds is what the fixed number here is
// a sample of.
func TestRandomDocuments(t *testing.T) {
	t.Parallel()
	seeds := uint64(4000)
	if testing.Short() {
		seeds = 500
	}
	for seed := range seeds {
		checkEdits(t, []byte(newGenerator(seed).document()))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
