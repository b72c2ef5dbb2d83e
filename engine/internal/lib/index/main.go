// Command index writes the exports of the library and their descriptions as Go source, for package lib.
package main

import (
	"fmt"
	"os"

	"github.com/mcplogic/mcplogic/engine/internal/lib"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: index FILE")
		os.Exit(2)
	}
	source, err := lib.Index()
	if err == nil {
		err = os.WriteFile(os.Args[1], source, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
