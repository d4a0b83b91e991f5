// Command modrelease keeps the modules of this repository releasable: it runs
// go commands outside the workspace, against a module proxy made from the
// working tree, so that siblings resolve as they will once they are tagged.
package main

import (
	"context"
	"fmt"
	"os"
)

const usage = `usage:
  modrelease proxy DIR             write a file module proxy of the tree to DIR
  modrelease tidy [MODULE ...]     go mod tidy, outside the workspace
  modrelease get MODULE PKG@V ...  go get (exact versions) in MODULE, outside the workspace
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
	switch {
	case len(args) == 2 && args[0] == "proxy":
		return tree.writeProxy(args[1])
	case len(args) >= 1 && args[0] == "tidy":
		return tree.tidy(ctx, args[1:])
	case len(args) >= 3 && args[0] == "get":
		return tree.get(ctx, args[1], args[2:])
	}
	fmt.Fprint(os.Stderr, usage)
	return fmt.Errorf("unknown arguments %q", args)
}
