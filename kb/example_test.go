package kb_test

import (
	"context"
	"fmt"
	"log"

	"github.com/mcplogic/mcplogic/kb"
)

// Open keeps files loaded. A snapshot is the knowledge base at one moment.
func ExampleOpen() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	base, err := kb.Open(ctx, []string{"../examples/factorial/my_tools.pl"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range base.Snapshot().Diagnostics {
		fmt.Println(d)
	}
	go base.Watch(ctx, func(c kb.Change) { // the files are loaded again when they change
		if c.Err != nil {
			fmt.Println("the old version goes on:", c.Diagnostics)
		}
	})
	for _, tool := range base.Snapshot().Tools {
		fmt.Println(tool.Name, "is", tool.Description)
		for _, a := range tool.Arguments {
			fmt.Println(" ", a.Mode, a.Name)
		}
	}
	// Output:
	// factorial is Computes the factorial of a non-negative integer.
	//   + N
	//   - F
}

// Load makes a snapshot and does not keep it up to date. Its program answers queries.
func ExampleLoad() {
	ctx := context.Background()
	snapshot, err := kb.Load(ctx, []string{"../examples/factorial/my_tools.pl"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	s, err := snapshot.Program.Once(ctx, "my_tools:factorial(20, F)", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Get("F"))
	// Output: 2432902008176640000
}
