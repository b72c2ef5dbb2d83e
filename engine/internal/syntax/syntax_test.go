package syntax

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// rows reads a table of testdata: lines of columns parted by ==>, without comments. Empty lines come as
// empty rows.
func rows(t *testing.T, file string) [][]string {
	text, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	var all [][]string
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "% ") {
			continue
		}
		line = strings.NewReplacer("␤", "\n", "␉", "\t").Replace(line)
		if line == "" {
			all = append(all, nil)
			continue
		}
		all = append(all, strings.Split(line, " ==> "))
	}
	return all
}

var varName = regexp.MustCompile(`\b_\d+`)

// canonical is a term with operators undone and all variables written as _.
func canonical(t term.Term) string {
	return varName.ReplaceAllString(Format(t, &WriteOptions{Quoted: true, IgnoreOps: true, BraceTerms: true}), "_")
}

func TestRead(t *testing.T) {
	for _, row := range rows(t, "read.txt") {
		t.Run(row[0], func(t *testing.T) {
			read, err := ParseTerm(row[0], nil, nil)
			require.NoError(t, err)
			require.Equal(t, row[1], canonical(read.Term))
		})
	}
}

func TestWriteq(t *testing.T) {
	for _, row := range rows(t, "write.txt") {
		t.Run(row[0], func(t *testing.T) {
			read, err := ParseTerm(row[0], nil, &Flags{Lenient: true})
			require.NoError(t, err)
			got := Format(read.Term, &WriteOptions{Quoted: true, NumberVars: true})
			require.Equal(t, varName.ReplaceAllString(row[1], "_"), varName.ReplaceAllString(got, "_"))
		})
	}
}

// TestISO runs the table in which lines of op/3 goals change the operators.
func TestISO(t *testing.T) {
	ops := StandardOps()
	for _, row := range rows(t, "iso.txt") {
		switch {
		case row == nil:
			ops = StandardOps()
		case len(row) == 1:
			defineOps(t, ops, row[0])
		default:
			t.Run(row[0], func(t *testing.T) { checkISO(t, ops, row) })
		}
	}
}

func defineOps(t *testing.T, ops *Ops, text string) {
	read, err := ParseTerm(text, nil, nil)
	require.NoError(t, err)
	goals := []term.Term{read.Term}
	for args, ok := term.Is(read.Term, ",", 2); ok; args, ok = term.Is(args[1], ",", 2) {
		goals = append(goals[:len(goals)-1], args[0], args[1])
	}
	for _, goal := range goals {
		args, ok := term.Is(goal, "op", 3)
		require.True(t, ok, text)
		typ, ok := ParseOpType(string(args[1].(term.Atom)))
		require.True(t, ok, text)
		ops.Add(int(args[0].(term.Int)), typ, args[2].(term.Atom))
	}
}

func checkISO(t *testing.T, ops *Ops, row []string) {
	read, err := ParseTerm(row[0], ops, nil)
	if row[1] == "error" {
		var syntaxError *Error
		require.ErrorAs(t, err, &syntaxError)
		return
	}
	require.NoError(t, err)
	require.Equal(t, row[1], canonical(read.Term))
	if len(row) < 3 {
		return
	}
	written := Format(read.Term, &WriteOptions{Quoted: true, NumberVars: true, Ops: ops})
	require.Equal(t, row[2], written)
}

// TestErrors reads a clause with a mistake, and what follows it.
func TestErrors(t *testing.T) {
	for _, row := range rows(t, "errors.txt") {
		t.Run(row[0], func(t *testing.T) {
			p := NewParser(NewTextInput("", row[0]+"\nnext.\n"), nil, nil)
			_, err := p.Read()
			var syntaxError *Error
			require.ErrorAs(t, err, &syntaxError)
			require.Equal(t, row[1], err.Error())
			rows := strings.Split(row[0]+"\nnext.", "\n")
			if line := int(syntaxError.Pos.Line); line <= len(rows) {
				require.Equal(t, rows[line-1], syntaxError.SourceLine)
			}
			if row[2] == "incomplete" {
				require.True(t, syntaxError.Incomplete)
				return
			}
			require.False(t, syntaxError.Incomplete)
			read, err := p.Read()
			require.NoError(t, err)
			require.Equal(t, row[2], canonical(read.Term))
		})
	}
}
