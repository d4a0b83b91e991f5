package interpreter

import (
	"embed"
	"strings"
)

//go:embed drivers
var drivers embed.FS

// language says how kernels of one language are started.
type language struct {
	name    string
	aliases []string
	program string   // looked up on the PATH of the sandbox
	options []string // start the driver, which is read from descriptor 6
	driver  []string // files of the drivers directory, joined
	probe   []string // options with which the program shows that it works
	install string   // how to get the program
}

var table = []*language{
	{
		name: "python", program: "python3",
		options: []string{"-c", `import os; exec(compile(os.fdopen(6, encoding="utf-8").read(), "<driver>", "exec"), {"__name__": "driver"})`},
		driver:  []string{"python_display.py", "python.py"},
		probe:   []string{"-c", ""},
		install: "install Python 3.8 or newer, on Debian the package python3",
	},
}

// lookup finds a language by the name that a client gave: blanks around it and
// case do not matter.
func lookup(name string) (*language, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, lang := range table {
		if lang.name == name {
			return lang, true
		}
		for _, alias := range lang.aliases {
			if alias == name {
				return lang, true
			}
		}
	}
	return nil, false
}

func (l *language) driverText() []byte {
	var text []byte
	for _, name := range l.driver {
		part, err := drivers.ReadFile("drivers/" + name)
		if err != nil {
			panic("embedded driver: " + err.Error())
		}
		text = append(text, part...)
	}
	return text
}
