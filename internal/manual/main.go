// Command manual writes the page of the built-in predicates to a file.
package main

import (
	"fmt"
	"os"

	"github.com/mcplogic/mcplogic/engine"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manual FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], []byte(engine.Manual()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
