package schema

import (
	_ "embed" // for the text
	"sync"
)

// This file defines the schema of schemas, as far as it tells where true, false and null are not strings.

var metaSchema = sync.OnceValue(func() *Schema {
	s, err := Compile(metaSchemaJSON)
	if err != nil {
		panic(err) // the text is ours
	}
	s.meta = true
	return s
})

//go:embed metaschema.json
var metaSchemaJSON []byte
