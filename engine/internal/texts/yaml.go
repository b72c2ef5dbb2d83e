package texts

import (
	"errors"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/yamltext"
)

// This file defines what library(yaml) does in Go.

var yamlTable = []machine.Builtin{
	{Name: "$yaml_term", Arity: 2, Func: yamlTerm, Modes: "+text, -term", Doc: "The term of a document."},
	{Name: "$yaml_text", Arity: 2, Func: yamlText, Modes: "+term, -string", Doc: "The text of a document."},
}

// yamlTerm is $yaml_term/2. The memory of the parser is checked before it runs. It makes at most one node for each
// character that can begin or separate values, of about yamlNodeBytes bytes.
func yamlTerm(m *machine.Machine, a []cell) (bool, error) {
	const yamlNodeBytes = 400
	text, err := Any(m, a[0], "text")
	if err != nil {
		return false, err
	}
	nodes := 1
	for _, mark := range []string{",", ":", "\n", "[", "{"} {
		nodes += strings.Count(text, mark)
	}
	if err := machine.Fits(m, nodes*yamlNodeBytes+len(text)); err != nil {
		return false, err
	}
	t, err := yamltext.Read(text, m.Meter())
	if err != nil {
		return false, yamlError(m, err)
	}
	return m.Unify(a[1], m.Import(t)), nil
}

// yamlText is $yaml_text/2.
func yamlText(m *machine.Machine, a []cell) (bool, error) {
	text, err := yamltext.Write(m.Export(a[0]), func(bytes int) error { return machine.Fits(m, bytes) })
	if err != nil {
		return false, yamlError(m, err)
	}
	return m.Unify(a[1], m.NewString(text)), nil
}

// yamlError returns the exception for an error of package yamltext, and any other error as it is.
func yamlError(m *machine.Machine, err error) error {
	if fault := (*yamltext.Error)(nil); errors.As(err, &fault) {
		return m.Throw(m.NewStruct("error", m.Import(fault.Formal), m.NewVar()))
	}
	return err
}
