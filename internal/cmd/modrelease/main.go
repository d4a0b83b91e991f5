// Command modrelease keeps the modules of this repository releasable: it runs
// go commands outside the workspace, against a module proxy made from the
// working tree, so that siblings resolve as they will once they are tagged, and
// it cuts the releases. What changes more than a scratch directory is shown
// first and done with -write only.
package main

import (
	"context"
	"fmt"
	"os"
)

const usage = `usage:
  modrelease proxy DIR                       write a file module proxy of the tree to DIR
  modrelease env DIR                         the same, and print the environment that uses it
  modrelease tidy [MODULE ...]               go mod tidy, outside the workspace
  modrelease get MODULE PKG@V ...            go get (exact versions) in MODULE, outside the workspace
  modrelease verify                          check what a release needs of every module
  modrelease isolate [-test] [MODULE ...]    tidy, build and vet each module alone, in a copy
  modrelease changed COMMIT                  the modules that a change touches, as JSON
  modrelease prepare [-write] MODULE@V ...   write versions, requirements, go.sum and changelogs
  modrelease tag [-write]                    tag what versions.txt names and no tag has yet
`

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "modrelease:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	tree, err := open(".")
	if err != nil {
		return err
	}
	var verb, option string
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	if len(args) > 0 && (args[0] == "-write" || args[0] == "-test") {
		option, args = args[0], args[1:]
	}
	switch {
	case verb == "proxy" && len(args) == 1:
		return tree.writeProxy(args[0])
	case verb == "env" && len(args) == 1:
		return tree.printEnv(ctx, args[0])
	case verb == "tidy":
		return tree.tidy(ctx, args)
	case verb == "get" && len(args) >= 2:
		return tree.get(ctx, args[0], args[1:])
	case verb == "verify" && len(args) == 0:
		return tree.verify()
	case verb == "isolate" && option != "-write":
		return tree.isolate(ctx, args, option == "-test")
	case verb == "changed" && len(args) == 1:
		return tree.changed(ctx, args[0])
	case verb == "prepare" && len(args) >= 1 && option != "-test":
		return tree.prepare(ctx, args, option == "-write")
	case verb == "tag" && len(args) == 0 && option != "-test":
		return tree.tag(ctx, option == "-write")
	}
	fmt.Fprint(os.Stderr, usage)
	return fmt.Errorf("unknown arguments %q", os.Args[1:])
}
