package interpreter

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed drivers
var drivers embed.FS

// language says how kernels of one language are started.
type language struct {
	name    string
	aliases []string
	program string   // looked up on the PATH of the sandbox
	options []string // start the driver, whose text is on descriptor 6
	driver  []string // files of the drivers directory, joined
	probe   []string // options with which the program shows that it works
	install string   // how to get the program

	// translate turns the code of a cell into what the kernel runs; nil leaves
	// it alone. A *translationError is the code's own fault.
	translate func(code string) (string, error)
}

var table = []*language{
	{
		name: "python", program: "python3",
		options: []string{"-c", pythonStart},
		driver:  []string{"python_charts.py", "python_display.py", "python_source.py", "python_process.py", "python.py"},
		probe:   []string{"-c", ""},
		install: "install Python 3.8 or newer, on Debian the package python3",
	},
	onNode("javascript", "js"),
	typescript(),
	{
		name: "r", program: "Rscript",
		options: []string{"--vanilla", "-e", rStart},
		driver:  []string{"r.R"},
		probe:   []string{"--vanilla", "-e", "0"},
		install: "install R 4.0 or newer, on Debian the package r-base-core",
	},
	{
		name: "bash", program: "bash",
		options: []string{"--noprofile", "--norc", "-c", bashStart, "bash", "ready"},
		driver:  []string{"bash.sh"},
		probe:   []string{"-c", ":"},
		install: "install bash 4.4 or newer, on Debian the package bash",
	},
}

const (
	pythonStart = `import os; exec(compile(os.fdopen(6, encoding="utf-8").read(), "<driver>", "exec"), {"__name__": "driver"})`

	// The driver is a function of require and of an import() that has a loader.
	nodeStart = `require("vm").runInThisContext("(function (require, load) {" + require("fs").readFileSync(6, "utf8") + "\n})", ` +
		`{filename: "driver.js"})(require, (name) => import(name))`

	rStart = `text <- file("/dev/fd/6", encoding = "UTF-8"); driver <- parse(text, keep.source = FALSE); close(text); ` +
		`rm(text); eval(driver, new.env())`

	// bash keeps this text for the driver to start again, and runs the cells: in
	// the first line of the program, from which it then counts theirs.
	bashStart = `__kernel_start=$BASH_EXECUTION_STRING; IFS= read -r -d "" -u 6 __kernel_text; eval "$__kernel_text"; ` +
		`while :; do __kernel_turn; eval "$__kernel_code"; { __kernel_ended $? $-; } 2>/dev/null; done`
)

func onNode(name string, aliases ...string) *language {
	return &language{
		name: name, aliases: aliases, program: "node",
		options: []string{"-e", nodeStart},
		driver:  []string{"javascript_imports.js", "javascript_display.js", "javascript.js"},
		probe:   []string{"-e", ""},
		install: "install Node.js 18 or newer, on Debian the package nodejs",
	}
}

func typescript() *language {
	lang := onNode("typescript", "ts")
	lang.translate = transpile
	return lang
}

// lookup finds a language by the name that a client gave: blanks around it and
// case do not matter.
func lookup(name string) (*language, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, lang := range table {
		if lang.name == name || slices.Contains(lang.aliases, name) {
			return lang, true
		}
	}
	return nil, false
}

// driverText returns the program that a kernel of the language runs.
func (l *language) driverText() ([]byte, error) {
	var text []byte
	for _, name := range l.driver {
		part, err := drivers.ReadFile("drivers/" + name)
		if err != nil {
			return nil, fmt.Errorf("read embedded driver: %w", err)
		}
		text = append(text, part...)
	}
	return text, nil
}
