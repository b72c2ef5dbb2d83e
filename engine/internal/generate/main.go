// Command generate writes the files that are made of the engine: the page of the built-in
// predicates, and the image of the built-in program.
package main

import (
	"fmt"
	"os"

	"github.com/mcplogic/mcplogic/engine/internal/base"
)

func main() {
	args := os.Args[1:]
	text := func() []byte { return []byte(base.Manual()) }
	if len(args) > 0 && args[0] == "-image" {
		args, text = args[1:], base.Image
	}
	if len(args) != 1 {
		fmt.Fprintln(os.Stderr, "usage: generate [-image] FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(args[0], text(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
