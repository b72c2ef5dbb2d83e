package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/stretchr/testify/require"
)

// This file tests the conversions between Go values and terms, and the values bound to a goal.

type point struct{ X, Y int }

type BlogPost struct {
	_      struct{} `prolog:"post"`
	Title  string
	Author string           `prolog:"by,atom"`
	Tags   []string         `prolog:",atom"`
	Votes  map[string]uint8 `prolog:"votes"`
	At     *point           `prolog:"at"`
	Hidden bool             `prolog:"-"`
	secret int              // is not exported
	Extra  map[int]*big.Int
}

type HTTPServer2 struct {
	origin
	Named switched `prolog:"named"`
	Port  uint16
}

type origin struct{ Host string }

type switched struct {
	On bool `prolog:"on,omitempty"`
}

type empty struct{}

type node struct{ Next *node }

type loop []loop

// celsius defines the term that it converts to.
type celsius float64

func (c celsius) MarshalTerm() (engine.Term, error) {
	if c < -273 {
		return nil, errCold
	}
	return term.New("celsius", term.Float(c)), nil
}

func (c *celsius) UnmarshalTerm(t engine.Term) error {
	args, ok := term.Is(t, "celsius", 1)
	if !ok {
		return errCold
	}
	return engine.Convert(args[0], (*float64)(c))
}

var errCold = errors.New("too cold")

type nothing struct{}

func (nothing) MarshalTerm() (engine.Term, error) { return nil, nil }

// TestTermOf checks the term that each kind of value converts to.
func TestTermOf(t *testing.T) {
	t.Parallel()
	seven := 7
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	var none *int
	for _, test := range []struct {
		value any
		want  string
	}{
		{nil, "null"}, {true, "true"}, {false, "false"}, {-1, "-1"}, {int8(-128), "-128"},
		{uint64(math.MaxUint64), "18446744073709551615"}, {int64(math.MinInt64), "-9223372036854775808"},
		{huge, "123456789012345678901234567890"}, {*big.NewInt(5), "5"}, {1.5, "1.5"}, {float32(0.5), "0.5"},
		{"a b", `"a b"`}, {"", `""`}, {[]byte("é"), `"é"`}, {term.Atom("a b"), "'a b'"}, {term.Int(3), "3"},
		{&seven, "7"}, {none, "null"}, {any(&seven), "7"}, {[]int{1, 2}, "[1,2]"}, {[]int(nil), "[]"},
		{[2]string{"a"}, `["a",""]`},
		{[]any{1, "x", nil, []bool{true}}, `[1,"x",null,[true]]`}, {map[string]int{"b": 2, "a": 1, "C d": 3},
			"{'C d'-3,a-1,b-2}"},
		{map[string]int(nil), "{}"}, {map[int]string{10: "x", 9: "y"}, `{9-"y",10-"x"}`},
		{map[term.Atom]any{"k": map[string]any{}}, "{k-{}}"},
		{map[netip.Addr]int{netip.MustParseAddr("::1"): 1}, "{'::1'-1}"}, {point{1, -2}, "point(1,-2)"},
		{&point{}, "point(0,0)"}, {empty{}, "empty"},
		{struct{}{}, "{}"}, {struct {
			Name string `prolog:",omitempty"`
			Age  int    `prolog:"years"`
			BigV int
		}{"", 3, 4}, "{years-3,big_v-4}"},
		{BlogPost{Title: "T", Author: "ann", Tags: []string{"x", "y z"}, Votes: map[string]uint8{"up": 1}, At: &point{1, 2},
			secret: 1,
			Extra:  map[int]*big.Int{1: nil}}, `post("T",ann,[x,'y z'],{up-1},point(1,2),{1-null})`},
		{HTTPServer2{origin{"h"}, switched{true}, 80}, `http_server2("h",switched(true),80)`},
		{time.Date(2024, 2, 29, 12, 0, 0, 5, time.UTC), `"2024-02-29T12:00:00.000000005Z"`}, {time.Second, "1000000000"},
		{celsius(20), "celsius(20.0)"}, {[]celsius{1}, "[celsius(1.0)]"}, {[]term.Term{term.Nil}, "[[]]"},
	} {
		got, err := engine.TermOf(test.value)
		require.NoError(t, err, test.want)
		require.Equal(t, test.want, engine.FormatTerm(got))
	}
}

func TestTermOfErrors(t *testing.T) {
	t.Parallel()
	ring := &node{}
	ring.Next = ring
	round := loop{nil}
	round[0] = round
	self := map[string]any{}
	self["me"] = self
	wide := []any{1}
	for range 60 {
		wide = []any{wide, wide}
	}
	nested := any(1)
	for range 20_000 {
		nested = []any{nested}
	}
	var none *term.Var
	for want, value := range map[string]any{
		"no term stands for such a value; Opaque makes one that holds it (Go type chan int)":        make(chan int),
		".F: no term stands for such a value; Opaque makes one that holds it (Go type func())":      struct{ F func() }{},
		"[1]: no term stands for such a value; Opaque makes one that holds it (Go type complex128)": []any{1, 1i},
		"[k]: no term stands for such a value; Opaque makes one that holds it (Go type chan int)": map[string]any{
			"k": make(chan int)},
		`"\xff" is not valid UTF-8 (Go type string)`:                              "\xff",
		`.Title: "a\xff" is not valid UTF-8 (Go type string)`:                     BlogPost{Title: "a\xff"},
		`[0]: "\xc0" is not valid UTF-8 (Go type []uint8)`:                        [][]byte{{0xc0}},
		"too cold (Go type engine_test.celsius)":                                  celsius(-300),
		"MarshalTerm returned nil (Go type engine_test.nothing)":                  nothing{},
		"the term is nil (Go type *term.Var)":                                     none,
		"nests too deep, or contains itself (Go type *engine_test.node)":          ring,
		"nests too deep, or contains itself (Go type engine_test.loop)":           round,
		"nests too deep, or contains itself (Go type interface {})":               nested,
		"has too many parts, or shares them so often (Go type ":                   wide,
		"nests too deep, or contains itself (Go type map[string]interface {}) me": self,
	} {
		if !deep.On() && strings.HasPrefix(want, "has too many") {
			continue // takes seconds, and half a gigabyte
		}
		_, err := engine.TermOf(value)
		var convert *engine.ConvertError
		require.ErrorAs(t, err, &convert, want)
		require.Nil(t, convert.Term)
		if strings.Contains(want, "contains itself") || strings.Contains(want, "too many") {
			require.Contains(t, convert.Error(), strings.TrimSuffix(strings.SplitN(want, " (", 2)[0], " me"))
			continue
		}
		require.EqualError(t, err, want)
	}
	_, err := engine.TermOf(celsius(-300))
	require.ErrorIs(t, err, errCold)
}

// TestConvertTo stores terms in values of all kinds and checks the results.
func TestConvertTo(t *testing.T) {
	t.Parallel()
	type named string
	for _, test := range []struct {
		term string
		dest any
		want string
	}{
		{"true", new(bool), "true"}, {"@(false)", new(bool), "false"}, {"-128", new(int8), "-128"},
		{"18446744073709551615", new(uint64), "18446744073709551615"}, {"3", new(float32), "3"}, {"0.1", new(float64), "0.1"},
		{"a", new(string), "a"}, {`"a"`, new(named), "a"}, {`"é"`, new([]byte), "[195 169]"}, {"[1,2]", new([]byte), "[1 2]"},
		{"[]", new([]byte), "[]"}, {"[[1],[]]", new([][]int), "[[1] []]"}, {"null", new([]int), "[]"},
		{"[1,2]", new([2]int), "[1 2]"}, {"{a-1,b-2}", new(map[string]int), "map[a:1 b:2]"},
		{"[a-1,b=2,c:3]", new(map[string]int), "map[a:1 b:2 c:3]"}, {"{}", new(map[string]int), "map[]"},
		{"null", new(map[string]int), "map[]"}, {"{1-x}", new(map[int]string), "map[1:x]"},
		{"point(1,2)", new(point), "{1 2}"}, {"{x-1,y-2,z-3}", new(point), "{1 2}"}, {"[y-2,x-1]", new(point), "{1 2}"},
		{"null", new(*point), "<nil>"}, {"empty", new(empty), "{}"},
		{`"2024-02-29T12:00:00Z"`, new(time.Time), "2024-02-29 12:00:00 +0000 UTC"},
		{"0.5", new(time.Time), "1970-01-01 00:00:00.5 +0000 UTC"},
		{"86400", new(time.Time), "1970-01-02 00:00:00 +0000 UTC"}, {"'::1'", new(netip.Addr), "::1"},
		{"celsius(3)", new(celsius), "3"},
		{"123456789012345678901234567890", new(big.Int), "{false [14083847773837265618 6692605942]}"},
		{"a", new(term.Atom), "a"}, {"1", new(term.Int), "1"}, {"{}", new(switched), "{false}"},
		{"{on- @(true)}", new(switched), "{true}"},
		{`http_server2(h,switched(true),80)`, new(HTTPServer2), "{{h} {true} 80}"}, {"1", new(any), "1"},
		{"null", new(any), "<nil>"}, {`[a,"s",1.5,true,f(x)|[]]`, new(any), ""},
		{"{a-1,b-{c-[]}}", new(any), "map[a:1 b:map[c:[]]]"}, {"[a|b]", new(any), ""}, {"{a}", new(any), ""},
		{"{a-1,a-2}", new(any), ""}, {"12345678901234567890", new(any), "12345678901234567890"},
	} {
		parsed, err := engine.ParseTerm(test.term)
		require.NoError(t, err)
		require.NoError(t, engine.Convert(parsed, test.dest), test.term)
		if test.want != "" {
			require.Equal(t, test.want, strings.TrimPrefix(fmt.Sprint(reflect.ValueOf(test.dest).Elem()), "&"), test.term)
		}
		if free, ok := test.dest.(*any); ok { // the value in any converts back to the same term
			back, err := engine.TermOf(*free)
			require.NoError(t, err)
			require.Equal(t, engine.FormatTerm(parsed), engine.FormatTerm(back))
		}
	}
}

func TestConvertErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		term string
		dest any
		want string
	}{
		{"a", new(int), "got a, want integer (Go type int)"}, {"1.0", new(int), "got 1.0, want integer (Go type int)"},
		{"300", new(int8), "300 is out of range (Go type int8)"}, {"-1", new(uint), "-1 is out of range (Go type uint)"},
		{"123456789012345678901234567890", new(int64), "123456789012345678901234567890 is out of range (Go type int64)"},
		{"9007199254740993", new(float64), "9007199254740993 is not exact as a float (Go type float64)"},
		{"16777217", new(float32), "16777217 is not exact as a float (Go type float32)"},
		{"1.0e300", new(float32), "1.0e+300 is out of range (Go type float32)"},
		{"f(x)", new(string), "got f(x), want text (Go type string)"},
		{"X", new(string), "got an unbound variable, want text (Go type string)"},
		{"yes", new(bool), "got yes, want bool (Go type bool)"},
		{"[1,a]", new([]int), "[1]: got a, want integer (Go type int)"}, {"[1|_]", new([]int), ""},
		{"[1]", new([2]int), "[1] has 1 items, want 2 (Go type [2]int)"},
		{"[a-x]", new(map[string]int), "[a]: got x, want integer (Go type int)"},
		{"[a-1,a-2]", new(map[string]int), "a is a key twice (Go type map[string]int)"},
		{"[[]-1]", new(map[any]int), "[[]]: [] cannot be a key (Go type interface {})"},
		{"f", new(map[string]int), "got f, want pairs (Go type map[string]int)"},
		{"point(1)", new(point), "got point(1), want point/2 (Go type engine_test.point)"},
		{"point(1,b)", new(point), ".Y: got b, want integer (Go type int)"},
		{"{x-1}", new(point), ".Y: {x-1} has no y (Go type engine_test.point)"},
		{"f", new(chan int), "no term stands for such a value (Go type chan int)"},
		{"f", new(error), "want any, engine.Term or a type that is no interface (Go type error)"},
		{"f", new(term.Int), "got f, want integer (Go type term.Int)"},
		{"f", new(celsius), "too cold (Go type engine_test.celsius)"},
		{"f(x)", new(time.Time), "got f(x), want text (Go type time.Time)"},
		{"[" + strings.Repeat("abcdefghij,", 20) + "a]", new(int),
			"got [abcdefghij,abcdefghij,abcdefghij,abcdefghij,abcdefghij,abcd..., want integer (Go type int)"},
	} {
		parsed, err := engine.ParseTerm(test.term)
		require.NoError(t, err)
		err = engine.Convert(parsed, test.dest)
		var convert *engine.ConvertError
		require.ErrorAs(t, err, &convert, test.term)
		if test.want != "" {
			require.EqualError(t, err, test.want)
		}
	}
	require.EqualError(t, engine.Convert(term.Nil, 1), "want a pointer to store a term in (Go type int)")
	require.EqualError(t, engine.Convert(term.Nil, nil), "want a pointer to store a term in")
	require.EqualError(t, engine.Convert(term.Nil, (*int)(nil)), "want a pointer to store a term in (Go type *int)")
}

// TestConvertCycles checks that conversions to any type end for cyclic terms, and for terms whose shared parts would
// exceed memory when written out.
func TestConvertCycles(t *testing.T) {
	t.Parallel()
	prog := engine.New(nil)
	for _, goal := range []string{"X = [X]", "X = [a|X]", "X = {a-X}", "X = {a-1, X}", "X = node(X)", "X = {a-1, b-X}"} {
		s, err := prog.Once(t.Context(), goal, nil)
		require.NoError(t, err)
		for _, dest := range []any{new(any), new(loop), new(map[string]any), new(node), new([]any), new(map[any]any)} {
			err := engine.Convert(s.Get("X"), dest)
			_, stays := dest.(*any)
			if !stays || goal == "X = [X]" {
				require.Error(t, err, goal)
			}
		}
	}
	if !deep.On() {
		return // takes seconds, and half a gigabyte
	}
	s, err := prog.Once(t.Context(), "length(L, 60), foldl([X, A, [A, A]]>>(X = x), L, [], X)", nil)
	require.NoError(t, err)
	require.ErrorContains(t, engine.Convert(s.Get("X"), new(any)), "too many parts")
}

// TestScan matches variables with fields and keys.
func TestScan(t *testing.T) {
	t.Parallel()
	s, err := engine.New(nil).Once(t.Context(), "Name = ann, Age = 7, Point = {x-1, y-2}, Free = _", nil)
	require.NoError(t, err)
	var row struct {
		Name     string
		Years    int `prolog:"Age"`
		Point    point
		Maybe    string `prolog:",omitempty"`
		Out      string `prolog:"-"`
		own      int
		switched `prolog:"-"`
	}
	require.NoError(t, s.Scan(&row))
	row.own++
	require.Equal(t, "{ann 7 {1 2}   1 {false}}", fmt.Sprint(row))
	var missing struct{ Nam string }
	require.EqualError(t, s.Scan(&missing), ".Nam: the goal has no variable Nam, did you mean Name?")
	var wrong struct{ Name int }
	require.EqualError(t, s.Scan(&wrong), ".Name: got ann, want integer (Go type int)")
	all := map[string]any{"kept": 1}
	require.NoError(t, s.Scan(all))
	require.Equal(t, int64(7), all["Age"])
	require.Equal(t, 1, all["kept"])
	var terms map[string]engine.Term
	require.NoError(t, s.Scan(&terms))
	require.Equal(t, []string{"ann", "7", "{x-1,y-2}"}, []string{engine.FormatTerm(terms["Name"]),
		engine.FormatTerm(terms["Age"]), engine.FormatTerm(terms["Point"])})
	require.ErrorContains(t, s.Scan(map[string]string{}), "[Age]: got 7, want text")
	for _, dest := range []any{nil, 1, row, new(int), map[int]string{}, (*point)(nil), map[string]any(nil)} {
		require.ErrorContains(t, s.Scan(dest), "want a pointer to a struct, or a map")
	}
}

// TestBind gives variables values that are never read as text.
func TestBind(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl",
		"parent(ann, bob). parent(bob, cid). says(ann, \"x'), halt, foo('\").", nil)
	require.NoError(t, err)
	shared := term.NewVar("")
	for _, test := range []struct {
		goal string
		bind map[string]any
		want string
	}{
		{"parent(P, C)", map[string]any{"P": term.Atom("ann")}, "P = ann, C = bob"},
		{"says(Who, Text)", map[string]any{"Text": "x'), halt, foo('"}, `Who = ann, Text = "x'), halt, foo('"`},
		{"atom(X)", map[string]any{"X": "text"}, ""},
		{"string(X)", map[string]any{"X": "text"}, `X = "text"`},
		{"member(X-Y, L)", map[string]any{"L": []any{1, term.New("-", term.Int(2), term.Int(3))}},
			"X = 2, Y = 3, L = [1,2-3]"},
		{"G", map[string]any{"G": term.New("=", term.Int(1), term.Int(1))}, "G = 1=1"},
		{"call(G)", map[string]any{"G": "true"}, "type_error"},
		{"X = 1, var(Y), Z = Y", map[string]any{"Y": term.NewVar("")}, "X = 1"},
		{"X = 1", map[string]any{"X": 2}, ""},
		{"A = 1, B == 1", map[string]any{"A": shared, "B": shared}, "A = 1, B = 1"},
		{"P = point(X, _)", map[string]any{"P": point{3, 4}}, "P = point(3,4), X = 3"},
		{"findall(X, member(X, L), R)", map[string]any{"L": []int{}}, "L = [], R = []"},
	} {
		s, err := prog.Once(t.Context(), test.goal, &engine.RunOptions{Bind: test.bind})
		switch test.want {
		case "":
			require.ErrorIs(t, err, engine.ErrNoSolution, test.goal)
		case "type_error":
			require.ErrorContains(t, err, "callable", test.goal)
		default:
			require.NoError(t, err, test.goal)
			require.Equal(t, test.want, boundOnly(s), test.goal)
		}
	}
}

func TestBindErrors(t *testing.T) {
	t.Parallel()
	prog := engine.New(nil)
	for want, bind := range map[string]map[string]any{
		"bind Nmae: the goal has no such variable, did you mean Name?":                                {"Nmae": 1},
		"bind _: the goal has no such variable":                                                       {"_": 1},
		"bind Name: no term stands for such a value; Opaque makes one that holds it (Go type func())": {"Name": func() {}},
	} {
		_, err := prog.Once(t.Context(), "X = Name, _ = X", &engine.RunOptions{Bind: bind})
		require.EqualError(t, err, want)
		_, err = prog.Start("X = Name, _ = X", &engine.RunOptions{Residual: true, Bind: bind})
		require.EqualError(t, err, want)
	}
	for _, err := range prog.Query(context.Background(), "true", &engine.RunOptions{Bind: map[string]any{"X": 1}}) {
		require.EqualError(t, err, "bind X: the goal has no such variable")
	}
}

// TestBindResidual checks that variables are bound before suspended goals are collected.
func TestBindResidual(t *testing.T) {
	t.Parallel()
	prog := engine.New(nil)
	run, err := prog.Start("freeze(Y, true), Z = f(X)",
		&engine.RunOptions{Residual: true, Bind: map[string]any{"X": term.Atom("a")}})
	require.NoError(t, err)
	defer run.Close()
	state, err := run.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, engine.Answer, state)
	require.Equal(t, "Z = f(a),\nX = a,\nfreeze(Y, true)", engine.Inner(prog).FormatAnswer(run.Solution()))
}

// TestGoalBeyondMemory checks that goals, values and results of Go that are too large cause an exception, not a panic.
func TestGoalBeyondMemory(t *testing.T) {
	t.Parallel()
	prog := engine.New(nil)
	o := &engine.RunOptions{Limits: engine.Limits{Memory: 1 << 20}, Bind: map[string]any{"L": make([]int, 1<<18)}}
	_, err := prog.Once(t.Context(), "length(L, N)", o)
	var ex *engine.Exception
	require.ErrorAs(t, err, &ex)
	require.Equal(t, "memory", ex.Limit())
	huge := engine.New(&engine.Options{Predicates: []engine.Predicate{
		engine.Func("huge", func() []bool { return make([]bool, 20_000_000) })}})
	_, err = huge.Once(t.Context(), "huge(L)", &engine.RunOptions{Limits: engine.Limits{Memory: 16 << 20}})
	ex = nil
	require.ErrorAs(t, err, &ex)
	require.Equal(t, "memory", ex.Limit())
	s, err := prog.Once(t.Context(), "X = 1", nil) // the machine can run the next goal
	require.NoError(t, err)
	require.Equal(t, "X = 1", s.String())
}
