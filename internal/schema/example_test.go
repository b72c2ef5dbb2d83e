package schema_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// A codec compiles the types of mode/2 and converts by them.
func ExampleCodec() {
	codec := &schema.Codec{Parse: engine.ParseTerm, Format: engine.FormatTerm}
	declared, err := engine.ParseTerm("list(integer)")
	if err != nil {
		log.Fatal(err)
	}
	typ, err := codec.ParseType(declared)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", typ.Schema())
	x, err := codec.FromJSON(json.RawMessage(`[1, 2]`), typ)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(engine.FormatTerm(x))
	_, err = codec.FromJSON(json.RawMessage(`[1,"two"]`), typ)
	fmt.Println(err)
	// Output:
	// {"type":"array","items":{"type":"integer"}}
	// [1,2]
	// [1]: expected an integer, got the string "two"
}
