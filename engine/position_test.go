package engine_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/stretchr/testify/require"
)

func TestPositionString(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file         string
		line, column int
		want         string
	}{
		{"a.pl", 3, 5, "a.pl:3:5"},
		{"a.pl", 3, 0, "a.pl:3"},
		{"a.pl", 0, 0, "a.pl"},
		{"", 3, 5, "3:5"},
		{"", 0, 0, ""},
	} {
		at := source.Position{File: test.file, Place: source.Place{Line: test.line, Column: test.column}}
		require.Equal(t, test.want, at.String())
		require.Equal(t, test.want, fmt.Sprint(at))
	}
}

func TestFrameString(t *testing.T) {
	t.Parallel()
	at := source.Position{File: "a.pl", Place: source.Place{Line: 3}}
	require.Equal(t, "a.pl:3: p/1", fmt.Sprint(source.Frame{Predicate: "p/1", Position: at}))
	require.Equal(t, "p/1", fmt.Sprint(source.Frame{Predicate: "p/1"}))
}

// TestStringOfPlaced checks that types with an embedded position print more than the position.
func TestStringOfPlaced(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "a.pl", ":- mode(p(+integer), one).\np(1).\n", nil)
	require.NoError(t, err)
	info, ok := engine.Inner(prog).Predicate("user", "p", 1)
	require.True(t, ok)
	require.Equal(t, "a.pl:2: user:p/1", fmt.Sprint(info))
	require.Equal(t, "a.pl:2: a fact", fmt.Sprint(inspect.Clause{Position: info.Position, Fact: true}))
	require.Equal(t, "a rule", fmt.Sprint(inspect.Clause{}))
	require.Equal(t, "a.pl:1:1: mode(p(+integer),one)", fmt.Sprint(prog.Declarations()[0]))
}

// TestDiagnosticJSON checks the documented form of `check --json`: file, line and column are members of the same object
// as the rest.
func TestDiagnosticJSON(t *testing.T) {
	t.Parallel()
	d := source.Diagnostic{Severity: source.SeverityWarning, Code: "singleton", Message: "X occurs once", Source: "p(X)."}
	d.File, d.Line, d.Column, d.Offset = "a.pl", 3, 5, 40
	text, err := json.Marshal(d)
	require.NoError(t, err)
	require.Equal(t,
		`{"file":"a.pl","line":3,"column":5,"severity":"warning","code":"singleton","message":"X occurs once"}`,
		string(text))
	var back source.Diagnostic
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, d.Line, back.Line)
}
