package lint

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// world knows some predicates of the system by name.
type world struct{}

func (world) Resolve(module, name string, arity int) flow.Key {
	return flow.Key{Module: module, Name: name, Arity: arity}
}

func (w world) Library(k flow.Key) bool { return w.Meta(k) != "" }

func (world) Meta(k flow.Key) string {
	return map[string]string{"findall/3": "?0-", "forall/2": "00"}[k.String()]
}

func (world) Data(func(Data)) {}

func (world) Memory() *flow.Memory { return nil }

func (world) Function(string, int) bool { return true }

func (world) Open(flow.Key, int) bool { return false }

// program reads the clauses of a text.
func program(t *testing.T, text string) (list []Clause) {
	p := syntax.NewParser(syntax.NewTextInput("a.pl", text), nil, nil)
	p.Positions = true
	for {
		read, err := p.Read()
		if errors.Is(err, io.EOF) {
			return list
		}
		require.NoError(t, err, text)
		list = append(list, Clause{File: "a.pl", Module: "user", Read: read})
	}
}

// TestCheck lists for each text the codes and lines of its findings, and none if the text may be intended.
func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		"total(X, Y) :- Y = X + 1, Y > 3.":                                                                "unevaluated 1",
		"total(X, Y) :- Y is X + 1, Y > 3.":                                                               "",
		"path(X, Z) :- path(X, Y), edge(Y, Z).\npath(X, Y) :- edge(X, Y).\nedge(a, b).":                   "left_recursion 1",
		":- table path/2.\npath(X, Z) :- path(X, Y), edge(Y, Z).\npath(X, Y) :- edge(X, Y).\nedge(a, b).": "",
		"path(X, Z) :- edge(X, Y), path(Y, Z).\npath(X, Y) :- edge(X, Y).\nedge(a, b).":                   "",
		"free(X) :- \\+ taken(X).\ntaken(a).":                                                             "",
		"free(X) :- \\+ taken(Y), room(X, Y).\ntaken(a).\nroom(a, b).":                                    "negation 1",
	} {
		var found []string
		for _, f := range Check(program(t, text), nil, world{}) {
			require.Equal(t, "a.pl", f.File)
			require.NotEmpty(t, f.Message)
			require.Positive(t, f.At.Line)
			found = append(found, fmt.Sprint(f.Code, " ", f.At.Line))
		}
		require.Equal(t, want, strings.Join(found, ", "), text)
	}
}
