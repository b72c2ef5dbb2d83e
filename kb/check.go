package kb

import (
	"errors"
	"fmt"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// This file defines what declarations are checked with.

// codec reads and writes terms with the standard operators, which is enough to check declarations.
var codec = &schema.Codec{Parse: engine.ParseTerm, Format: engine.FormatTerm}

// checkValue finds a value that is not of a type of mode/2. A type that does not exist is reported at its declaration.
func checkValue(value, typ engine.Term) error {
	t, err := codec.ParseType(typ)
	if errors.Is(err, schema.ErrUnknownType) {
		return nil
	}
	if err == nil {
		_, err = codec.ToJSON(value, t)
	}
	return err
}

// checkSchema finds mistakes in a JSON Schema in curly notation. An input schema must be of an object.
func checkSchema(given engine.Term, input bool) error {
	s, err := codec.Compile(given)
	if err == nil && input && !s.IsObject() {
		err = errors.New("the input of a tool has to have type-object")
	}
	if err != nil {
		return err
	}
	switch name, at := s.Undescribed(); {
	case at == "#":
		return fmt.Errorf("required names %q, which properties lacks; clients drop all tools for that", name)
	case at != "":
		return fmt.Errorf("required at %s names %q, which properties lacks", at, name)
	}
	return nil
}
