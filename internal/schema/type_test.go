package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// Short names for building terms.
var (
	f       = term.New
	list    = term.List
	integer = term.Atom("integer")
	atom    = term.Atom("atom")
)

func pair(k, v term.Term) term.Term      { return f("-", k, v) }
func braces(ps ...term.Term) term.Term   { return term.Curlies(ps...) }
func a(text string) term.Term            { return term.Atom(text) }
func at(literal string) term.Term        { return f("@", term.Atom(literal)) }
func oneOf(values ...string) term.Term   { return f("oneof", atoms(values...)) }
func anyOf(types ...term.Term) term.Term { return f("types", list(types...)) }

func rat(n, d int64) term.Term { return term.NewRational(big.NewRat(n, d)) }

func atoms(values ...string) term.Term {
	items := make([]term.Term, len(values))
	for i, value := range values {
		items[i] = a(value)
	}
	return list(items...)
}

func bigInt(digits string) term.Term {
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		panic(digits)
	}
	return term.NewInt(n)
}

// prologTexts is all the Prolog that the tests read and write.
var prologTexts = map[string]term.Term{
	"foo(X)":   f("foo", term.NewVar("X")),
	"foo(1)":   f("foo", term.Int(1)),
	"p(a,b)":   f("p", a("a"), a("b")),
	"7":        term.Int(7),
	"'Hello'":  a("Hello"),
	"[a|b]":    term.PartialList(a("b"), a("a")),
	"a-b":      pair(a("a"), a("b")),
	"{a,b}":    braces(a("a"), a("b")),
	"\"text\"": term.String("text"),
}

var codec = &Codec{
	Parse: func(text string) (term.Term, error) {
		if x, ok := prologTexts[text]; ok {
			return x, nil
		}
		return nil, errors.New("syntax error: operator expected")
	},
	Format: func(x term.Term) string {
		for text, known := range prologTexts {
			if term.Equal(x, known) {
				return text
			}
		}
		return fmt.Sprint(x)
	},
}

func typeOf(t *testing.T, x term.Term) *Type {
	t.Helper()
	typ, err := codec.ParseType(x)
	require.NoError(t, err)
	return typ
}

var point = f("object", list(pair(a("x"), integer), pair(a("label"), f("maybe", atom))))

func TestSchema(t *testing.T) {
	for _, test := range []struct {
		typ  term.Term
		want string
	}{
		{integer, `{"type":"integer"}`},
		{a("positive_integer"), `{"type":"integer","minimum":1}`},
		{a("non_negative_integer"), `{"type":"integer","minimum":0}`},
		{a("nonneg"), `{"type":"integer","minimum":0}`},
		{a("negative_integer"), `{"type":"integer","maximum":-1}`},
		{a("byte"), `{"type":"integer","minimum":0,"maximum":255}`},
		{a("float"), `{"type":"number"}`},
		{a("number"), `{"type":"number"}`},
		{a("boolean"), `{"type":"boolean"}`},
		{a("bool"), `{"type":"boolean"}`},
		{a("positive"), `{"type":"integer","minimum":1}`},
		{term.List(a("int")), `{"type":"array","items":{"type":"integer"}}`},
		{f("optional", a("str")), `{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		{f("enum", atoms("x")), `{"type":"string","enum":["x"]}`},
		{f("oneof", integer, list(term.Int(1))), `{"type":"integer","enum":[1]}`},
		{f("one_of", atoms("x")), `{"type":"string","enum":["x"]}`},
		{a("email"), `{"type":"string","format":"email"}`},
		{a("url"), `{"type":"string","format":"uri"}`},
		{a("uuid"), `{"type":"string","format":"uuid"}`},
		{f("regex", a("[0-9]{4}|x")), `{"type":"string","pattern":"^(?:[0-9]{4}|x)$"}`},
		{f("matching", a("^[a-z]+$")), `{"type":"string","pattern":"^[a-z]+$"}`},
		{f("matching", a(`^a\$`)), `{"type":"string","pattern":"^(?:^a\\$)$"}`},
		{atom, `{"type":"string"}`},
		{a("non_empty_atom"), `{"type":"string","minLength":1}`},
		{a("string"), `{"type":"string"}`},
		{a("chars"), `{"type":"string"}`},
		{a("codes"), `{"type":"string"}`},
		{a("character"), `{"type":"string","minLength":1,"maxLength":1}`},
		{a("char"), `{"type":"string","minLength":1,"maxLength":1}`},
		{a("code"), `{"type":"string","minLength":1,"maxLength":1}`},
		{a("list"), `{"type":"array"}`},
		{f("list", integer), `{"type":"array","items":{"type":"integer"}}`},
		{a("non_empty_list"), `{"type":"array","minItems":1}`},
		{f("non_empty_list", atom), `{"type":"array","items":{"type":"string"},"minItems":1}`},
		{f("list", atom, term.Int(2)), `{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":2}`},
		{f("list", f("list", integer)), `{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`},
		{f("list", term.NewVar("T")), `{"type":"array"}`},
		{term.NewVar("T"), `{}`},
		{f("pair", atom, integer), `{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"integer"}},` +
			`"required":["key","value"],"additionalProperties":false}`},
		{f("one_of", atom, atoms("red", "green")), `{"type":"string","enum":["red","green"]}`},
		{f("one_of", integer, list(term.Int(1), bigInt("99999999999999999999"))),
			`{"type":"integer","enum":[1,99999999999999999999]}`},
		{f("one_of", f("list", integer), list(list(), list(term.Int(1)))),
			`{"type":"array","items":{"type":"integer"},"enum":[[],[1]]}`},
		{oneOf("red", "<b>"), `{"type":"string","enum":["red","<b>"]}`},
		{f("oneof", list(term.Int(1), term.Float(2.5))), `{"type":"number","enum":[1,2.5]}`},
		{f("oneof", list(term.Int(1), a("x"), term.String("y"))), `{"enum":[1,"x","y"]}`},
		{f("between", integer, term.Int(1), term.Int(10)), `{"type":"integer","minimum":1,"maximum":10}`},
		{f("between", a("float"), term.Float(0), term.Float(0.5)), `{"type":"number","minimum":0.0,"maximum":0.5}`},
		{f("between", a("byte"), term.Int(1), term.Int(10)), `{"type":"integer","minimum":1,"maximum":10}`},
		{f("between", a("char"), a("a"), a("z")), `{"type":"string","minLength":1,"maxLength":1}`},
		{anyOf(integer, atom), `{"anyOf":[{"type":"integer"},{"type":"string"}]}`},
		{a("compound"), `{"type":"object"}`},
		{a("object"), `{"type":"object"}`},
		{f("object", list()), `{"type":"object","properties":{},"additionalProperties":false}`},
		{point, `{"type":"object","properties":{"x":{"type":"integer"},"label":{"type":"string"}},"required":["x"],` +
			`"additionalProperties":false}`},
		{a("term"), `{"type":"string"}`},
		{a("callable"), `{"type":"string"}`},
		{a("ground"), `{"type":"string"}`},
		{a("nonvar"), `{"type":"string"}`},
		{a("any"), `{"type":"string"}`},
	} {
		schema := typeOf(t, test.typ).Schema()
		require.Equal(t, test.want, string(schema))
		_, err := Compile(schema)
		require.NoError(t, err)
	}
}

func TestParseTypeErrors(t *testing.T) {
	deep := term.Term(integer)
	for range 100 {
		deep = f("list", deep)
	}
	wide := term.Term(integer)
	for range 20 {
		wide = f("pair", wide, wide)
	}
	for _, test := range []struct {
		typ  term.Term
		want string
	}{
		{a("intger"), "unknown type intger; did you mean integer? The types integer, positive_integer, " +
			"non_negative_integer, negative_integer, byte: JSON is integer, with bounds; the predicate gets"},
		{a("Integer"), "did you mean integer?"},
		{a("uuuid"), "did you mean uuid?"},
		{wide, "a type has more than 10000 parts"},
		{a("gizmo"), "unknown type gizmo; the types are integer, positive_integer, "},
		{f("//", a("a"), a("b")), "unknown type a//b"},
		{f("list", a("atm")), "type list/1: unknown type atm; did you mean atom?"},
		{f("integer", integer), "unknown type integer/1, integer has 0 arguments"},
		{a("pair"), "pair has 2 arguments"},
		{f("list", integer, integer, integer), "list has 0 or 1 or 2 arguments; the types list, list(T), "},
		{f("oneof", integer, integer, integer), "oneof has 1 argument"},
		{term.Int(3), "unknown type 3, want an atom or compound"},
		{f("list", integer, a("x")), `the length is "x", want an integer from 0`},
		{f("list", integer, term.Int(-1)), "the length is -1"},
		{f("types", list()), "want a list of types"},
		{f("types", integer), "want a list of types"},
		{f("oneof", list(f("g", a("x")))), "got the value a term g/1, want an atom, string or number"},
		{f("one_of", integer, atoms("x")), `the value "x": expected an integer, got "x"`},
		{f("between", integer, a("x"), term.Int(1)), `the bound "x": expected an integer`},
		{f("between", integer, term.Int(2), term.Int(1)), "the bounds 2 and 1 are in the wrong order"},
		{f("object", a("x")), "want a list of Name-Type pairs"},
		{f("object", list(a("x"))), `got "x", want Name-Type`},
		{f("object", list(pair(term.Int(1), integer))), "got the name 1, want an atom or string"},
		{f("object", list(pair(a("x"), integer), pair(a("x"), integer))), "the name x is there twice"},
		{deep, "nested deeper than 50 levels"},
	} {
		_, err := codec.ParseType(test.typ)
		require.ErrorContains(t, err, test.want)
	}
}

func TestFromJSON(t *testing.T) {
	huge := strings.Repeat("9", 1000)
	for _, test := range []struct {
		typ  term.Term
		json string
		want term.Term
	}{
		{integer, `42`, term.Int(42)},
		{integer, `-9223372036854775808`, term.Int(-9223372036854775808)},
		{integer, huge, bigInt(huge)},
		{integer, `5.0`, term.Int(5)},
		{integer, `1e3`, term.Int(1000)},
		{integer, `1e23`, bigInt("100000000000000000000000")},
		{a("byte"), `255`, term.Int(255)},
		{a("float"), `5`, term.Float(5)},
		{a("float"), `1e-400`, term.Float(0)},
		{a("number"), `5`, term.Int(5)},
		{a("number"), `5.0`, term.Float(5)},
		{a("number"), huge, bigInt(huge)},
		{a("boolean"), `true`, term.True},
		{atom, `"a b"`, a("a b")},
		{atom, `""`, a("")},
		{a("non_empty_atom"), `"[]"`, a("[]")},
		{a("string"), `"a\u0000b"`, term.String("a\x00b")},
		{a("chars"), `"hé"`, atoms("h", "é")},
		{a("codes"), `"hé"`, list(term.Int('h'), term.Int('é'))},
		{a("chars"), `""`, term.Nil},
		{a("char"), `"é"`, a("é")},
		{a("code"), `"é"`, term.Int('é')},
		{a("list"), `[1,"a",null,[true],{"k":1.5}]`,
			list(term.Int(1), a("a"), at("null"), list(at("true")), braces(pair(a("k"), term.Float(1.5))))},
		{f("list", integer), `[]`, term.Nil},
		{f("list", atom, term.Int(2)), `["x","y"]`, atoms("x", "y")},
		{f("pair", atom, integer), `{"value":1,"key":"x"}`, pair(a("x"), term.Int(1))},
		{f("one_of", atom, atoms("red", "green")), `"red"`, a("red")},
		{f("one_of", a("number"), list(term.Int(1), term.Int(2))), `2.0`, term.Int(2)},
		{f("oneof", list(term.String("s"), term.Int(1))), `"s"`, term.String("s")},
		{f("oneof", list(term.String("s"), term.Int(1))), `1`, term.Int(1)},
		{f("between", a("number"), term.Int(1), term.Int(2)), `1.0`, term.Float(1)},
		{f("between", a("number"), term.Int(1), term.Int(2)), `2.0`, term.Float(2)},
		{f("between", a("char"), a("a"), a("f")), `"c"`, a("c")},
		{anyOf(integer, atom), `"x"`, a("x")},
		{anyOf(integer, atom), `7`, term.Int(7)},
		{anyOf(integer, a("float")), `7.5`, term.Float(7.5)},
		{a("object"), `{"b":1,"a":{"c":[]}}`, braces(pair(a("b"), term.Int(1)),
			pair(a("a"), braces(pair(a("c"), term.Nil))))},
		{a("compound"), `{}`, term.Curly},
		{a("object"), `{"a":1,"b":2,"a":3}`, braces(pair(a("a"), term.Int(3)), pair(a("b"), term.Int(2)))},
		{point, `{"label":"p","x":1}`, braces(pair(a("x"), term.Int(1)), pair(a("label"), a("p")))},
		{point, `{"x":1}`, braces(pair(a("x"), term.Int(1)))},
		{f("object", list()), `{}`, term.Curly},
		{a("term"), `"foo(1)"`, f("foo", term.Int(1))},
		{a("callable"), `"p(a,b)"`, f("p", a("a"), a("b"))},
		{a("ground"), `"foo(1)"`, f("foo", term.Int(1))},
		{a("any"), `"foo(1)"`, a("foo(1)")},
		{a("nonvar"), `"x"`, a("x")},
		{term.NewVar("T"), `"x"`, a("x")},
		{a("decimal"), `0.1`, rat(1, 10)},
		{f("decimal", term.Int(2)), `0.125`, rat(1, 8)},
		{a("decimal"), `"123456789012345.67"`, rat(12345678901234567, 100)},
		{a("decimal"), `5.00`, term.Int(5)},
		{a("decimal"), `1e2`, term.Int(100)},
		{a("date"), `"2024-02-29"`, f("date", term.Int(2024), term.Int(2), term.Int(29))},
		{a("time"), `"14:30:00"`, f("time", term.Int(14), term.Int(30), term.Int(0))},
		{a("datetime"), `"2024-03-01T01:00:00+02:00"`,
			f("datetime", term.Int(2024), term.Int(2), term.Int(29), term.Int(23), term.Int(0), term.Int(0))},
		{a("duration"), `"PT90M"`, f("duration", term.Int(5400), term.Int(0))},
		{f("one_of", a("decimal"), list(rat(1, 10), rat(1, 5))), `"0.2"`, rat(1, 5)},
		{f("between", a("decimal"), term.Int(0), rat(1, 2)), `0.50`, rat(1, 2)},
	} {
		got, err := codec.FromJSON(json.RawMessage(test.json), typeOf(t, test.typ))
		require.NoError(t, err, test.json)
		require.True(t, term.Equal(test.want, got), "%s: got %v, want %v", test.json, got, test.want)
	}
}

func TestFromJSONProblems(t *testing.T) {
	for _, test := range []struct {
		typ  term.Term
		json string
		want []string
	}{
		{a("decimal"), `"0,1"`, []string{`expected a decimal number, got the string "0,1"`}},
		{a("date"), `"2023-02-29"`, []string{
			`expected a date such as 2026-01-31, got the string "2023-02-29": February 2023 has no day 29`}},
		{a("time"), `"25:00"`, []string{
			`expected a time such as 14:30:00, got the string "25:00": there is no hour 25`}},
		{a("date"), `20240101`, []string{`expected a date such as 2026-01-31, got the number 20240101`}},
		{f("between", a("decimal"), term.Int(0), rat(1, 2)), `0.51`,
			[]string{`expected a decimal number from 0 to 0.5, got the number 0.51`}},
		{integer, `"five"`, []string{`expected an integer, got the string "five"`}},
		{integer, `5.5`, []string{`expected an integer, got the number 5.5`}},
		{integer, `1e400`, []string{`expected an integer, got the number 1e400`}},
		{integer, `1e-999999999999999`, []string{`expected an integer, got the number 1e-999999999999999`}},
		{integer, strings.Repeat("9", maxDigits+1), []string{`expected an integer of at most 100000 digits, got 100001`}},
		{integer, `null`, []string{`expected an integer, got null`}},
		{integer, `true`, []string{`expected an integer, got true`}},
		{a("positive_integer"), `0`, []string{`expected a positive integer, got the number 0`}},
		{a("byte"), `256`, []string{`expected an integer from 0 to 255, got the number 256`}},
		{a("float"), `1e999`, []string{`the number 1e999 is out of range`}},
		{a("number"), `"one"`, []string{`expected a number, got the string "one"`}},
		{a("number"), `"\"1\""`, []string{`expected a number, got the string "\"1\""`}},
		{a("boolean"), `"yes"`, []string{`expected true or false, got the string "yes"`}},
		{f("list", integer), `"[1,\"x\"]"`, []string{`[1]: expected an integer, got the string "x"`}},
		{f("between", integer, term.Int(1), term.Int(10)), `"11"`,
			[]string{`expected an integer from 1 to 10, got the string "11"`}},
		{atom, `5`, []string{`expected a string, got the number 5; give it in quotes`}},
		{a("non_empty_atom"), `""`, []string{`expected a string that is not empty, got the string ""`}},
		{a("char"), `"ab"`, []string{`expected a string of one character, got the string "ab"`}},
		{a("code"), `""`, []string{`expected a string of one character, got the string ""`}},
		{f("list", integer), `{"a":1}`,
			[]string{`expected an array, got an object of 1 property; write the elements between [ and ]`}},
		{f("list", integer), `[1,"x",2,[]]`, []string{
			`[1]: expected an integer, got the string "x"`, `[3]: expected an integer, got an array of 0 elements`}},
		{f("non_empty_list", integer), `[]`, []string{`expected an array that is not empty, got an array of 0 elements`}},
		{f("list", integer, term.Int(2)), `[1]`, []string{`expected an array of 2 elements, got an array of 1 element`}},
		{f("pair", atom, integer), `{"key":1,"valu":2}`, []string{
			`key: expected a string, got the number 1; give it in quotes`, `value: missing, expected an integer`,
			`valu: unexpected property, did you mean "value"?`}},
		{oneOf("red", "green"), `"gren"`,
			[]string{`expected one of "red", "green", got the string "gren", did you mean "green"?`}},
		{oneOf("red", "green"), `7`, []string{`expected one of "red", "green", got the number 7`}},
		{f("between", integer, term.Int(1), term.Int(10)), `11`,
			[]string{`expected an integer from 1 to 10, got the number 11`}},
		{anyOf(integer, atom), `null`, []string{`expected an integer or a string, got null`}},
		{anyOf(integer), `null`, []string{`expected an integer, got null`}},
		{a("object"), `[]`, []string{`expected an object, got an array of 0 elements`}},
		{f("list", point), `[{"x":"1."},{"y":2},3]`, []string{
			`[0].x: expected an integer, got the string "1."`,
			`[1].x: missing, expected an integer`,
			`[1].y: unexpected property, the properties are "x", "label"`,
			`[2]: expected an object with the property "x" that may also have "label", got the number 3`}},
		{f("object", list()), `{"a":1}`, []string{`a: unexpected property, there should be none`}},
		{f("object", list(pair(a("odd name"), integer))), `{"odd name":null}`,
			[]string{`["odd name"]: expected an integer, got null`}},
		{a("term"), `"foo("`, []string{`expected a string that is a Prolog term, got the string "foo(": syntax error: ` +
			`operator expected`}},
		{a("callable"), `"7"`, []string{`expected a string that is a callable Prolog term, got the string "7"`}},
		{a("ground"), `"foo(X)"`, []string{`expected a string that is a Prolog term without variables, got the string ` +
			`"foo(X)"`}},
		{a("any"), `5`, []string{`expected a string, got the number 5; give it in quotes`}},
		{a("list"), `[[1e999]]`, []string{`[0][0]: the number 1e999 is out of range`}},
	} {
		_, err := codec.FromJSON(json.RawMessage(test.json), typeOf(t, test.typ))
		var problems Problems
		require.ErrorAs(t, err, &problems, test.json)
		require.Equal(t, strings.Join(test.want, "\n"), err.Error())
	}
}

func TestProblemsAreCapped(t *testing.T) {
	_, err := codec.FromJSON(json.RawMessage("["+strings.Repeat(`"x",`, 99)+`"x"]`), typeOf(t, f("list", integer)))
	var problems Problems
	require.ErrorAs(t, err, &problems)
	require.Len(t, problems, maxProblems+1)
	require.Equal(t, "and 80 more problems", problems[maxProblems].Text)
}

func TestFromJSONMalformed(t *testing.T) {
	for input, want := range map[string]string{
		"":                             "not JSON: unexpected EOF",
		"[1":                           "not JSON",
		"{":                            "not JSON",
		`{"a"`:                         "not JSON",
		`{1:2}`:                        "not JSON",
		"1 2":                          "something follows the value",
		"nul":                          "not JSON",
		strings.Repeat("[", 1_000_000): "nested deeper than 1000 levels",
	} {
		_, err := codec.FromJSON(json.RawMessage(input), nil)
		require.ErrorContains(t, err, want, "%.20s", input)
	}
}

func TestToJSON(t *testing.T) {
	dict := f("json", list(f("=", a("k"), term.Int(1))))
	for _, test := range []struct {
		typ  term.Term
		x    term.Term
		want string
	}{
		{integer, term.Int(-5), `-5`},
		{integer, bigInt("123456789012345678901234567890"), `123456789012345678901234567890`},
		{a("float"), term.Float(5), `5.0`},
		{a("float"), term.Float(0.1), `0.1`},
		{a("float"), term.Float(1e300), `1e+300`},
		{a("float"), term.Float(1e-7), `1e-07`},
		{a("number"), term.Int(5), `5`},
		{a("boolean"), term.True, `true`},
		{a("boolean"), at("false"), `false`},
		{atom, a("<a & \"b\">\u2028"), "\"<a & \\\"b\\\">\\u2028\""},
		{atom, term.String("x"), `"x"`},
		{atom, a("\xff"), `"\ufffd"`},
		{a("string"), a("x"), `"x"`},
		{a("chars"), atoms("h", "é"), `"hé"`},
		{a("codes"), list(term.Int('h')), `"h"`},
		{a("codes"), term.Nil, `""`},
		{a("chars"), term.String("x"), `"x"`},
		{a("char"), a("é"), `"é"`},
		{a("code"), term.Int('é'), `"é"`},
		{a("list"), list(term.Int(1), a("true"), list(), at("null"), term.Curly, f("p", a("a"), a("b")),
			pair(a("a"), a("b")), term.PartialList(a("b"), a("a"))),
			`[1,"true",[],null,{},"p(a,b)","a-b","[a|b]"]`},
		{f("list", integer), list(term.Int(1), term.Int(2)), `[1,2]`},
		{f("pair", atom, integer), pair(a("x"), term.Int(1)), `{"key":"x","value":1}`},
		{oneOf("red"), term.String("red"), `"red"`},
		{f("between", integer, term.Int(1), term.Int(2)), term.Int(2), `2`},
		{anyOf(integer, atom), a("x"), `"x"`},
		{anyOf(f("list", integer), f("list", atom)), list(term.Int(1)), `[1]`},
		{anyOf(f("list", integer), f("list", atom)), list(a("x")), `["x"]`},
		{a("object"), braces(pair(a("b"), term.Int(1)), f(":", a("a"), a("x")), f("=", term.String("c"), list())),
			`{"b":1,"a":"x","c":[]}`},
		{a("object"), dict, `{"k":1}`},
		{a("object"), term.Curly, `{}`},
		{a("object"), braces(pair(term.Int(1), at("true"))), `{"1":true}`},
		{point, braces(pair(a("label"), a("p")), pair(a("x"), term.Int(1))), `{"label":"p","x":1}`},
		{a("term"), f("foo", term.Int(1)), `"foo(1)"`},
		{a("ground"), f("foo", term.Int(1)), `"foo(1)"`},
		{a("any"), a("plain"), `"plain"`},
		{a("any"), term.Int(7), `"7"`},
		{a("any"), braces(a("a"), a("b")), `"{a,b}"`},
		{a("nonvar"), a("Hello"), `"Hello"`},
		{a("term"), a("Hello"), `"'Hello'"`},
	} {
		got, err := codec.ToJSON(test.x, typeOf(t, test.typ))
		require.NoError(t, err, test.want)
		require.Equal(t, test.want, string(got))
		require.True(t, json.Valid(got))
	}
}

func TestToJSONProblems(t *testing.T) {
	v := term.NewVar("X")
	cyclic := &term.Compound{Functor: "s", Args: []term.Term{nil}}
	cyclic.Args[0] = cyclic
	endless := &term.Compound{Functor: ".", Args: []term.Term{a("x"), nil}}
	endless.Args[1] = endless
	commas := &term.Compound{Functor: ",", Args: []term.Term{pair(a("k"), a("v")), nil}}
	commas.Args[1] = commas
	inward := &term.Compound{Functor: ".", Args: []term.Term{nil, term.Nil}}
	inward.Args[0] = inward
	nested := &term.Compound{Functor: "{}", Args: []term.Term{nil}}
	nested.Args[0] = pair(a("k"), nested)
	for _, test := range []struct {
		typ  term.Term
		x    term.Term
		want string
	}{
		{integer, v, "unbound, expected an integer: the goal gave it no value"},
		{a("term"), v, "unbound"},
		{f("list", integer), list(term.Int(1), v), "[1]: unbound, expected an integer"},
		{f("list", integer), term.PartialList(v, term.Int(1)), "expected an array, got"},
		{a("list"), list(v), "[0]: unbound"},
		{a("object"), braces(pair(a("k"), v)), "k: unbound"},
		{integer, a("five"), `expected an integer, got "five"`},
		{integer, term.Float(5), "expected an integer, got 5"},
		{integer, term.NewRational(big.NewRat(1, 3)), "expected an integer, got 1r3"},
		{a("positive_integer"), term.Int(-5), "expected a positive integer, got -5"},
		{a("float"), term.Float(inf()), "expected a number that JSON has, got +Inf"},
		{a("float"), a("pi"), `expected a number, got "pi"`},
		{a("boolean"), a("yes"), `expected true or false, got "yes"`},
		{atom, f("foo", term.Int(1)), "expected a string, got foo(1); the type term takes any term as text"},
		{a("object"), f("day", term.Int(1)),
			"; an object is written {key-value, ...}, and the type term takes any term as text"},
		{a("non_empty_atom"), a(""), "expected a string that is not empty"},
		{a("chars"), list(a("ab")), "expected a string, got"},
		{a("char"), a("ab"), `expected a string of one character, got "ab"`},
		{a("code"), term.Int(-1), "expected a string of one character, got -1"},
		{f("list", integer, term.Int(2)), list(term.Int(1)), "expected an array of 2 elements"},
		{f("pair", atom, integer), a("x"), "expected an object with"},
		{oneOf("red"), a("blue"), `expected one of "red", got "blue"`},
		{f("between", integer, term.Int(1), term.Int(2)), term.Int(3), "expected an integer from 1 to 2, got 3"},
		{anyOf(integer, a("boolean")), a("x"), `expected an integer or true or false, got "x"`},
		{a("object"), a("x"), `expected an object, got "x"`},
		{a("object"), braces(a("k")), `expected Name-Value, got "k"`},
		{a("object"), braces(pair(f("p", a("a"), a("b")), a("v"))), "expected Name-Value"},
		{a("object"), braces(pair(a("k"), a("v")), pair(a("k"), a("w"))), `the name "k" is there twice`},
		{point, braces(pair(a("x"), a("one"))), `x: expected an integer, got "one"`},
		{point, braces(pair(a("label"), a("one"))), "x: missing, expected an integer"},
		{point, braces(pair(a("x"), term.Int(1)), pair(a("z"), term.Int(1))),
			`z: not declared, the properties are "x", "label"`},
		{a("ground"), f("foo", term.NewVar("X")), "expected a string that is a Prolog term without variables"},
		{a("term"), cyclic, "the result is too large"},
		{a("ground"), cyclic, "the result is too large"},
		{a("any"), cyclic, "the result is too large"},
		{a("list"), list(cyclic), "the result is too large"},
		{a("list"), endless, "expected an array, got"},
		{f("list", a("list")), list(endless), "[0]: expected an array"},
		{a("list"), list(endless), "the result is too large"},
		{a("object"), f("{}", commas), `the name "k" is there twice`},
		{a("list"), inward, "nested deeper than 1000 levels, or cyclic"},
		{a("object"), nested, "nested deeper than 1000 levels, or cyclic"},
		{a("string"), term.String(strings.Repeat("x", DefaultMaxResult)), "the result is too large: more than 1048576 bytes"},
		{integer, term.NewInt(new(big.Int).Lsh(big.NewInt(1), 1<<24)), "the result is too large"},
		{f("list", a("string")), list(term.String(strings.Repeat("x", 600_000)), term.String(strings.Repeat("x", 600_000))),
			"the result is too large"},
		{anyOf(a("string"), a("any")), term.String(strings.Repeat("x", DefaultMaxResult)), "the result is too large"},
	} {
		_, err := codec.ToJSON(test.x, typeOf(t, test.typ))
		require.ErrorContains(t, err, test.want)
		require.Equal(t, strings.Contains(test.want, "too large"), errors.Is(err, ErrTooLarge), test.want)
	}
}

func inf() float64 {
	f, _ := new(big.Float).SetInf(false).Float64()
	return f
}

// A term of 2^60 nodes that shares all but 60 of them must not be walked.
func TestSharedTermsEnd(t *testing.T) {
	shared := a("x")
	for range 60 {
		shared = f("p", shared, shared)
	}
	_, err := codec.ToJSON(shared, typeOf(t, a("term")))
	require.ErrorIs(t, err, ErrTooLarge)
	lists := term.Term(list())
	for range 60 {
		lists = list(lists, lists)
	}
	_, err = codec.ToJSON(lists, nil)
	require.ErrorIs(t, err, ErrTooLarge)
}

func TestCodecWithoutProlog(t *testing.T) {
	bare := &Codec{}
	typ := typeOf(t, a("term"))
	_, err := bare.FromJSON(json.RawMessage(`"x"`), typ)
	require.ErrorContains(t, err, "reading Prolog text is not possible")
	_, err = bare.ToJSON(f("p", a("x")), typ)
	require.ErrorContains(t, err, "writing Prolog text is not possible")
}

func factorial(t *testing.T) Params {
	return Params{
		{Name: "N", Description: "The number.", Type: typeOf(t, a("non_negative_integer"))},
		{Name: "Style", Type: typeOf(t, oneOf("short", "long")), Optional: true},
	}
}

func TestParams(t *testing.T) {
	params := factorial(t)
	require.Equal(t, `{"type":"object","properties":{"N":{"type":"integer","minimum":0,"description":"The number."},`+
		`"Style":{"type":"string","enum":["short","long"]}},"required":["N"]}`,
		string(params.Schema()))
	require.Equal(t, `{"type":"object","properties":{}}`, string(Params{}.Schema()))
	for _, test := range []struct {
		json string
		want []term.Term
	}{
		{`{"N":3}`, []term.Term{term.Int(3), nil}},
		{`{"Style":"long","N":3}`, []term.Term{term.Int(3), a("long")}},
	} {
		got, _, err := codec.Arguments(json.RawMessage(test.json), params)
		require.NoError(t, err)
		require.Equal(t, test.want, got)
	}
	for _, none := range []string{"", "null", "{}"} {
		got, _, err := codec.Arguments(json.RawMessage(none), Params{})
		require.NoError(t, err)
		require.Empty(t, got)
	}
	for input, want := range map[string]string{
		"": "N: missing, expected a non-negative integer",
		`{"n":3}`: "N: missing, expected a non-negative integer\n" +
			`n: unexpected property, did you mean "N"?`,
		`{"N":-1,"Style":"longg","more":1}`: "N: expected a non-negative integer, got the number -1\n" +
			"Style: expected one of \"short\", \"long\", got the string \"longg\", did you mean \"long\"?\n" +
			"more: unexpected property, the properties are \"N\", \"Style\"",
		`[3]`: "expected an object, got an array of 1 element",
		`"N"`: `expected an object, got the string "N"`,
		`{`:   "not JSON: unexpected EOF",
	} {
		_, _, err := codec.Arguments(json.RawMessage(input), params)
		require.EqualError(t, err, want)
	}
}

func TestResults(t *testing.T) {
	params := Params{{Name: "F", Type: typeOf(t, integer)}, {Name: "How", Type: typeOf(t, atom), Optional: true}}
	got, err := codec.Results([]term.Term{term.Int(6), a("fast")}, params)
	require.NoError(t, err)
	require.Equal(t, `{"F":6,"How":"fast"}`, string(got))
	got, err = codec.Results([]term.Term{term.Int(6), nil}, params)
	require.NoError(t, err)
	require.Equal(t, `{"F":6}`, string(got))
	_, err = codec.Results([]term.Term{term.NewVar("F"), nil}, params)
	require.EqualError(t, err, "F: unbound, expected an integer: the goal gave it no value")
	_, err = codec.Results(nil, params)
	require.Error(t, err)
}

// Untyped JSON comes out as it went in.
func TestUntypedRoundTrip(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `"true"`, `0`, `-1.5`, `1e+300`, `12345678901234567890123`, `""`, `"[]"`, `"{}"`, `"é\u0000\n"`,
		`[]`, `{}`, `[[],{},[null]]`, `{"z":1,"a":{"b":[1,2.5,"x"]},"":false}`,
	} {
		x, err := codec.FromJSON(json.RawMessage(text), nil)
		require.NoError(t, err)
		back, err := codec.ToJSON(x, nil)
		require.NoError(t, err)
		if text == `"[]"` {
			text = `[]` // '[]' is the empty list, as in ISO Prolog
		} else if text == `"{}"` {
			text = `{}`
		}
		require.Equal(t, text, string(back))
	}
}

func FuzzFromJSON(f *testing.F) {
	types := []term.Term{nil, term.Atom("integer"), term.Atom("number"),
		anyOf(point, term.New("list", term.Atom("list"))), term.Atom("object"), term.New("list", point)}
	for _, seed := range []string{`1e5`, `{"x":1,"label":"é"}`, `[[1],{"a":null}]`, `[{"x":0}]`, "\"\\ud800\"",
		`1E-2147483649`, `{"a":1,"a":[]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, x := range types {
			var typ *Type
			if x != nil {
				typ = typeOf(t, x)
			}
			got, err := codec.FromJSON(raw, typ)
			if err != nil {
				continue
			}
			back, err := codec.ToJSON(got, typ)
			require.NoError(t, err)
			require.True(t, json.Valid(back))
		}
	})
}

// TestUnquoted reads texts that hold the JSON which a type wants, as some clients send them, exactly.
func TestUnquoted(t *testing.T) {
	point := f("object", list(pair(a("x"), integer)))
	for _, test := range []struct {
		typ  term.Term
		json string
		want string
	}{
		{integer, `"1915883588174806058"`, "1915883588174806058"},
		{integer, `"-9007199254740993"`, "-9007199254740993"},
		{integer, `" 5 "`, "5"},
		{a("number"), `"5"`, "5"},
		{a("number"), `"0.5"`, "0.5"},
		{a("float"), `"5"`, "5"},
		{a("boolean"), `"true"`, "true"},
		{a("boolean"), `"False"`, "false"},
		{f("list", integer), `"[1, \"2\"]"`, "[1 2]"},
		{f("list", integer), `["1", 2]`, "[1 2]"},
		{point, `"{\"x\": \"3\"}"`, "{x-3}"},
		{f("between", integer, term.Int(1), term.Int(10)), `"10"`, "10"},
		{f("one_of", integer, list(term.Int(1), term.Int(2))), `"2"`, "2"},
		{anyOf(integer, atom), `"5"`, "'5'"},
		{anyOf(f("list", integer), f("list", atom)), `["5"]`, "['5']"},
		{anyOf(integer, a("boolean")), `"5"`, "5"},
		{atom, `"5"`, "'5'"},
		{a("string"), `"[1]"`, `"[1]"`},
		{a("any"), `"5"`, "'5'"},
	} {
		got, err := codec.FromJSON(json.RawMessage(test.json), typeOf(t, test.typ))
		require.NoError(t, err, test.json)
		require.Equal(t, test.want, plainTerm(got), test.json)
	}
}

// TestUnquotedArguments reads the object of the arguments from a text that holds it, and nothing else.
func TestUnquotedArguments(t *testing.T) {
	params := Params{{Name: "n", Type: typeOf(t, integer)}}
	own, err := Compile(json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`))
	require.NoError(t, err)
	for given, want := range map[string]string{`"{\"n\": 9007199254740993}"`: "the arguments",
		`"{\"n\": \"9007199254740993\"}"`: "the arguments n", `{"n": 9007199254740993}`: "",
		`"[9007199254740993]"`: "expected an object", `"n"`: "expected an object", `"\"{}\""`: "expected an object",
		`"{\"n\": 1, \"n\": 2}"`: "twice"} {
		values, places, err := codec.Arguments(json.RawMessage(given), params)
		list, ownPlaces, ownErr := codec.ArgumentsBy(own, json.RawMessage(given), params)
		if strings.HasPrefix(want, "expected") || want == "twice" {
			require.ErrorContains(t, err, want, given)
			require.ErrorContains(t, ownErr, want, given)
			continue
		}
		require.NoError(t, err, given)
		require.NoError(t, ownErr, given)
		require.Equal(t, term.Int(9007199254740993), values[0], given)
		require.Equal(t, term.Int(9007199254740993), list[0].Value, given)
		require.Equal(t, want, strings.Join(places, " "), given)
		require.Equal(t, want, strings.Join(ownPlaces, " "), given)
	}
}

// plainTerm writes the terms of TestUnquoted.
func plainTerm(x term.Term) string {
	items, isList := term.Slice(x)
	switch x := x.(type) {
	case term.String:
		return strconv.Quote(string(x))
	case term.Atom:
		if x != "true" && x != "false" && x != term.Nil {
			return "'" + string(x) + "'"
		}
	case *term.Compound:
		if isList {
			var texts []string
			for _, item := range items {
				texts = append(texts, plainTerm(item))
			}
			return "[" + strings.Join(texts, " ") + "]"
		}
		return "{x-" + plainTerm(x.Args[0].(*term.Compound).Args[1]) + "}"
	}
	return fmt.Sprint(x)
}

// TestExact writes integers that programs in JavaScript read as others as texts, wherever a number may stand, and says
// so in the schema.
func TestExact(t *testing.T) {
	const far = "1915883588174806058"
	big, beyond := term.Int(1915883588174806058), term.NewInt(new(big.Int).Lsh(big.NewInt(1), 80))
	either := `"type":["integer","string"]`
	for _, test := range []struct {
		typ          term.Term
		value        term.Term
		json, schema string
	}{
		{integer, big, `"` + far + `"`, either},
		{integer, -big, `"-` + far + `"`, either},
		{integer, term.Int(MaxExact), "9007199254740991", either},
		{integer, term.Int(-MaxExact - 1), `"-9007199254740992"`, either},
		{integer, beyond, `"1208925819614629174706176"`, either},
		{a("positive_integer"), big, `"` + far + `"`, either},
		{a("byte"), term.Int(3), "3", `"type":"integer"`},
		{a("number"), big, `"` + far + `"`, `"type":["number","string"]`},
		{a("float"), big, far, `"type":"number"`},
		{f("list", integer), list(big, term.Int(1)), `["` + far + `",1]`, `"items":{` + either},
		{f("object", list(pair(a("n"), f("list", integer)))), braces(pair(a("n"), list(big))), `{"n":["` + far + `"]}`,
			`"items":{` + either},
		{a("object"), braces(pair(a("n"), big)), `{"n":"` + far + `"}`, `"type":"object"`},
		{f("pair", integer, atom), pair(big, a("x")), `{"key":"` + far + `","value":"x"}`, `"key":{` + either},
		{f("between", integer, term.Int(0), term.Int(9)), term.Int(3), "3", `"type":"integer"`},
		{f("between", integer, term.Int(0), beyond), big, `"` + far + `"`, either},
		{f("one_of", integer, list(big, term.Int(1))), big, `"` + far + `"`, either + `,"enum":["` + far + `",1]`},
		{f("maybe", integer), big, `"` + far + `"`, either},
		{f("maybe", integer), a("null"), "null", `{"type":"null"}`},
		{anyOf(integer, atom), big, `"` + far + `"`, either},
	} {
		params := Params{{Name: "x", Type: typeOf(t, test.typ)}}
		raw, err := codec.Results([]term.Term{test.value}, params)
		require.NoError(t, err)
		require.Equal(t, `{"x":`+test.json+`}`, string(raw))
		schema := params.ResultSchema(nil)
		require.Contains(t, string(schema), test.schema)
		require.NoError(t, compile(t, string(schema)).Validate(raw))
		require.NotContains(t, string(params.Schema()), `"integer","string"`)
		back, _, err := codec.Arguments(raw, params)
		require.NoError(t, err)
		_, several := term.Is(test.typ, "types", 1)
		exact := !several && test.typ != a("float") && test.typ != a("object")
		require.True(t, !exact || term.Compare(back[0], test.value) == 0, "%v", test.typ)
	}
	raw, err := codec.Structured(braces(pair(a("a"), big), pair(a("b"), big)),
		compile(t, `{"type":"object","properties":{"a":{"type":"integer"}}}`))
	require.NoError(t, err)
	require.Equal(t, `{"a":`+far+`,"b":"`+far+`"}`, string(raw), "the schema of a file has the last word")
}

// TestMissing converts values that are not there.
func TestMissing(t *testing.T) {
	maybe := Params{{Name: "age", Type: typeOf(t, f("maybe", integer))}}
	require.JSONEq(t, `{"type":"object","properties":{"age":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}`,
		string(maybe.Schema()))
	for _, given := range []string{`{}`, `{"age":null}`, `{"age":"null"}`} {
		got, _, err := codec.Arguments(json.RawMessage(given), maybe)
		require.NoError(t, err)
		require.Equal(t, []term.Term{a("null")}, got)
	}
	_, _, err := codec.Arguments(json.RawMessage(`{"age":"old"}`), maybe)
	require.EqualError(t, err, `age: expected an integer, got the string "old"`)
	_, err = codec.Results([]term.Term{a("null")}, Params{{Name: "age", Type: typeOf(t, integer)}})
	require.EqualError(t, err, `age: expected an integer, got "null"; the type maybe(T) takes missing values`)
	require.True(t, IsMissing(err))
	_, err = codec.Results([]term.Term{list(a("null"))}, Params{{Name: "age", Type: typeOf(t, f("list", integer))}})
	require.True(t, IsMissing(err))
	_, err = codec.Results([]term.Term{a("x")}, Params{{Name: "age", Type: typeOf(t, integer)}})
	require.False(t, IsMissing(err))
	fields := f("object", list(pair(a("x"), f("maybe", integer)), pair(a("y"), integer)))
	optional := Params{{Name: "o", Type: typeOf(t, fields)}}
	raw, err := codec.Results([]term.Term{braces(pair(a("x"), a("null")), pair(a("y"), term.Int(1)))}, optional)
	require.NoError(t, err)
	require.Equal(t, `{"o":{"y":1}}`, string(raw))
	raw, err = codec.Results([]term.Term{a("null")}, Params{{Name: "age", Type: typeOf(t, anyOf(integer, atom))}})
	require.NoError(t, err)
	require.Equal(t, `{"age":"null"}`, string(raw))
}

// An enum of numbers is one of texts for clients; such a text counts as its number, and nothing is told of that.
func TestNumberEnums(t *testing.T) {
	for _, typ := range []term.Term{f("one_of", integer, list(term.Int(1), term.Int(2))),
		f("oneof", list(term.Int(1), term.Int(2)))} {
		params := Params{{Name: "x", Type: typeOf(t, typ), Default: term.Int(1), DefaultJSON: json.RawMessage("1")}}
		require.JSONEq(t, `{"type":"object","properties":{"x":{"type":"string","enum":["1","2"],"default":"1"}}}`,
			string(params.Schema()))
		for _, given := range []string{`2`, `"2"`} {
			values, told, err := codec.Arguments(json.RawMessage(`{"x":`+given+`}`), params)
			require.NoError(t, err)
			require.Empty(t, told)
			require.Equal(t, []term.Term{term.Int(2)}, values)
		}
		_, _, err := codec.Arguments(json.RawMessage(`{"x":"3"}`), params)
		require.ErrorContains(t, err, "x: expected one of 1, 2")
	}
}

// Decimals are rounded to the places of their type. Those of more digits than a float keeps are texts in results, and
// the schema of results says so.
func TestExactResults(t *testing.T) {
	t.Parallel()
	half := f("decimal", term.Int(2), a("half_even"))
	ps := Params{{Name: "v"}}
	for _, test := range []struct {
		typ, value term.Term
		want       string
	}{
		{a("decimal"), rat(3, 10), `0.3`},
		{f("decimal", term.Int(2)), rat(3, 10), `0.30`},
		{f("decimal", term.Int(2)), rat(1, 8), `0.13`},
		{f("decimal", term.Int(2)), rat(-1, 8), `-0.13`},
		{half, rat(1, 8), `0.12`},
		{f("decimal", term.Int(2)), rat(1, 3), `0.33`},
		{f("decimal", term.Int(0)), rat(5, 2), `3`},
		{f("decimal", term.Int(2)), term.Float(2.675), `2.68`},
		{a("decimal"), rat(123456789012345, 1000), `123456789012.345`},
		{a("decimal"), rat(1234567890123456, 1000), `"1234567890123.456"`},
		{a("decimal"), bigInt("1000000000000000"), `"1000000000000000"`},
		{f("decimal", term.Int(20)), term.Int(0), `0.00000000000000000000`},
		{a("date"), f("date", term.Int(2024), term.Int(2), term.Int(29)), `"2024-02-29"`},
		{a("duration"), f("duration", term.Int(-86400), term.Int(0)), `"-P1D"`},
		{f("list", a("date")), list(f("date", term.Int(1), term.Int(1), term.Int(1))), `["0001-01-01"]`},
	} {
		ps[0].Type = typeOf(t, test.typ)
		raw, err := codec.Results([]term.Term{test.value}, ps)
		require.NoError(t, err)
		require.Equal(t, `{"v":`+test.want+`}`, string(raw))
		s, err := Compile(ps.ResultSchema(nil))
		require.NoError(t, err)
		require.NoError(t, s.Validate(raw), "%s", raw)
	}
	for _, test := range []struct {
		typ, value term.Term
		want       string
	}{
		{a("decimal"), rat(1, 3),
			"v: expected a decimal number, got 1r3, whose digits do not end; decimal(N) rounds to N places"},
		{a("decimal"), a("x"), `v: expected a decimal number, got "x"`},
		{a("date"), f("date", term.Int(2023), term.Int(2), term.Int(29)),
			"v: expected a date such as 2026-01-31, got"},
	} {
		ps[0].Type = typeOf(t, test.typ)
		_, err := codec.Results([]term.Term{test.value}, ps)
		require.ErrorContains(t, err, test.want)
	}
	_, err := codec.ParseType(f("decimal", term.Int(-1)))
	require.ErrorContains(t, err, "want decimal(N)")
}

// Inputs have the formats of JSON Schema. Results of times and durations have texts that these lack, and forms do not
// know them.
func TestExactSchemas(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string][3]string{
		"decimal": {`{"type":"number"}`, `{"type":["number","string"]}`, `{"type":"number"}`},
		"date": {`{"type":"string","format":"date"}`, `{"type":"string","format":"date"}`,
			`{"type":"string","format":"date"}`},
		"datetime": {`{"type":"string","format":"date-time"}`, `{"type":"string","format":"date-time"}`,
			`{"type":"string","format":"date-time"}`},
		"time": {`{"type":"string","format":"time"}`,
			`{"type":"string","pattern":"^[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}(:[0-9]{2})?)?$"}`,
			`{"type":"string","description":"A time such as 14:30:00."}`},
		"duration": {`{"type":"string","format":"duration"}`,
			`{"type":"string","pattern":"^-?P(-?[0-9]+[YMD])*(T(-?[0-9]+([.][0-9]+)?[HMS])+)?$"}`,
			`{"type":"string","description":"A duration such as P1Y2M, P3D or PT4H30M."}`},
	} {
		ps := Params{{Name: "v", Type: typeOf(t, a(typ))}}
		form, _ := ps[0].Type.Form("v")
		for i, raw := range []json.RawMessage{ps.Schema(), ps.ResultSchema(nil), form} {
			require.Equal(t, `{"type":"object","properties":{"v":`+want[i]+`},"required":["v"]}`, string(raw))
		}
	}
	bounded := Params{{Name: "v", Type: typeOf(t, f("between", a("decimal"), term.Int(0), rat(1, 2)))}}
	require.Contains(t, string(bounded.ResultSchema(nil)), `{"type":["number","string"],"minimum":0,"maximum":0.5}`)
}
