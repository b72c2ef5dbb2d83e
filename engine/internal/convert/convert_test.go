package convert

import (
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

type address struct {
	Street string
	Number int
}

// TestTermAndBack converts values to terms, and these to values of the same types.
func TestTermAndBack(t *testing.T) {
	large, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	for _, test := range []struct {
		value any
		want  string
	}{
		{1, "1"}, {int8(-128), "-128"}, {uint64(1<<64 - 1), "18446744073709551615"}, {2.5, "2.5"}, {true, "true"},
		{large, "123456789012345678901234567890"}, {[]int{1, 2}, "[1,2]"}, {[2]bool{true, false}, "[true,false]"},
		{address{"Elm", 3}, "address('Elm',3)"}, {[]address{}, "[]"},
	} {
		made, err := Term(test.value)
		require.NoError(t, err, test.want)
		back := reflect.New(reflect.TypeOf(test.value))
		require.NoError(t, Value(made, back.Interface()), test.want)
		require.Equal(t, test.value, back.Elem().Interface(), test.want)
		if _, isText := test.value.(address); !isText {
			require.Equal(t, test.want, syntax.FormatTerm(made))
		}
	}
}

// TestMisfits checks the paths to parts that cannot be converted.
func TestMisfits(t *testing.T) {
	var small int8
	require.Error(t, Value(term.Int(128), &small))
	require.NoError(t, Value(term.Int(-128), &small))
	var list []int
	require.ErrorContains(t, Value(term.List(term.Int(1), term.Atom("a")), &list), "[1]")
	require.Error(t, Value(term.NewVar("X"), &list))
	var pair [2]int
	require.Error(t, Value(term.List(term.Int(1)), &pair))
	_, err := Term(make(chan int))
	require.Error(t, err)
}

// TestEndless checks that conversions of values that contain themselves end.
func TestEndless(t *testing.T) {
	loop := []any{nil}
	loop[0] = loop
	_, err := Term(loop)
	require.ErrorContains(t, err, "contains itself")
}

func TestTypeName(t *testing.T) {
	for value, want := range map[any]string{1: "integer", 1.5: "number", true: "boolean", "": "text",
		time.Time{}: "text"} {
		require.Equal(t, want, TypeName(reflect.TypeOf(value)), want)
	}
	require.Equal(t, "list", TypeName(reflect.TypeFor[[]int]()))
	require.Equal(t, "integer", TypeName(reflect.TypeFor[*big.Int]()))
	require.Equal(t, "rational", TypeName(reflect.TypeFor[big.Rat]()))
}
