package bridge

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// typeCases are, for each tool of types.pl, arguments that fit and the result, and one that does not
// fit with what the model is told.
var typeCases = []struct{ tool, fits, result, wrong, told string }{
	{"t_integer", `123456789012345678901234567890`, `"123456789012345678901234567890"`, `5.5`,
		`in: expected an integer, got the number 5.5`},
	{"t_positive_integer", `1`, ``, `0`, `in: expected a positive integer, got the number 0`},
	{"t_non_negative_integer", `0`, ``, `-1`, `in: expected a non-negative integer, got the number -1`},
	{"t_negative_integer", `-1`, ``, `0`, `in: expected a negative integer, got the number 0`},
	{"t_byte", `255`, ``, `256`, `in: expected an integer from 0 to 255, got the number 256`},
	{"t_float", `0.5`, ``, `"0,5"`, `in: expected a number, got the string "0,5"`},
	{"t_number", `7`, ``, `true`, `in: expected a number, got true`},
	{"t_boolean", `false`, ``, `"no"`, `in: expected true or false, got the string "no"`},
	{"t_atom", `"a b"`, ``, `1`, `in: expected a string, got the number 1`},
	{"t_non_empty_atom", `"a"`, ``, `""`, `in: expected a string that is not empty, got the string ""`},
	{"t_string", `"Grüße"`, ``, `null`, `in: expected a string, got null`},
	{"t_chars", `"abc"`, ``, `["a"]`, `in: expected a string, got an array of 1 element`},
	{"t_codes", `"abc"`, ``, `97`, `in: expected a string, got the number 97`},
	{"t_character", `"ä"`, ``, `"ab"`, `in: expected a string of one character, got the string "ab"`},
	{"t_char", `"x"`, ``, `""`, `in: expected a string of one character, got the string ""`},
	{"t_code", `"x"`, ``, `120`, `in: expected a string of one character, got the number 120`},
	{"t_list", `[1, "a", [true, null], {"x": 1}]`, ``, `{}`, `in: expected an array, got an object of 0 properties`},
	{"t_list_of", `[1, 2]`, ``, `[1, "2x"]`, `in[1]: expected an integer, got the string "2x"`},
	{"t_non_empty_list", `["a"]`, ``, `[]`, `in: expected an array that is not empty, got an array of 0 elements`},
	{"t_list_n", `[true, false]`, ``, `[true]`, `in: expected an array of 2 elements, got an array of 1 element`},
	{"t_pair", `{"key": "a", "value": 1}`, ``, `{"key": "a"}`, `in.value: missing, expected an integer`},
	{"t_one_of", `2`, ``, `4`, `in: expected one of 1, 2, 3, got the number 4`},
	{"t_oneof", `"red"`, ``, `"reed"`, `in: expected one of "red", "green", got the string "reed", did you mean "red"?`},
	{"t_between", `0.5`, ``, `2`, `in: expected a number from 0 to 1, got the number 2`},
	{"t_types", `"a"`, ``, `[1]`, `in: expected an integer or a string, got an array of 1 element`},
	{"t_compound", `{"a": {"b": [1, false]}}`, ``, `"[1]"`,
		`in: expected an object, got the string "[1]"`},
	{"t_object", `{}`, ``, `[]`, `in: expected an object, got an array of 0 elements`},
	{"t_object_of", `{"name": "Ada"}`, ``, `{"nam": "Ada"}`,
		"in.name: missing, expected a string\nin.nam: unexpected property, did you mean \"name\"?"},
	{"t_term", `"f( X,'B' )"`, `"f(_1,'B')"`, `"f("`,
		`in: expected a string that is a Prolog term, got the string "f(": syntax error`},
	{"t_callable", `"g(1)"`, ``, `"3"`, `in: expected a string that is a callable Prolog term, got the string "3"`},
	{"t_ground", `"f(a)"`, ``, `"f(X)"`,
		`in: expected a string that is a Prolog term without variables, got the string "f(X)"`},
	{"t_nonvar", `"x"`, ``, `1`, `in: expected a string, got the number 1`},
	{"t_any", `"x"`, ``, `{}`, `in: expected a string, got an object of 0 properties`},
	{"t_email", `"ann@example.com"`, ``, `"ann"`, `in: expected an e-mail address, got the string "ann"`},
	{"t_uri", `"https://example.com/a?b=c"`, ``, `"a b"`, `in: expected a URI, got the string "a b"`},
	{"t_uuid", `"123e4567-e89b-12d3-a456-426614174000"`, ``, `"12"`, `in: expected a UUID, got the string "12"`},
	{"t_named", `[{"drug": "ibuprofen", "count": 2}]`, ``, `[{"drug": "iboprofen", "count": 2}]`,
		`in[0].drug: expected one of "ibuprofen", "paracetamol", got the string "iboprofen", did you mean "ibuprofen"?`},
	{"t_spelled", `null`, ``, `1`, `in: expected a string, got the number 1; give it in quotes`},
	{"t_matching", `"AB12"`, ``, `"ab"`, `in: expected a string that matches ^[A-Z]{2}[0-9]+$, got the string "ab"`},
}

// TestTypes sends a value of each type to a predicate and back, and one that does not fit.
func TestTypes(t *testing.T) {
	cs := connect(t, NewServer(load(t, "testdata/kb/types.pl"), nil), "2025-11-25", nil)
	list, err := cs.ListTools(context.Background(), nil)
	require.NoError(t, err)
	require.Len(t, list.Tools, len(typeCases)+1, "a case for each tool, and one for t_nested")
	for _, test := range typeCases {
		r := bridgetest.CallTool(t, cs, test.tool, `{"in": `+test.fits+`}`)
		require.False(t, r.IsError, "%s: %v", test.tool, bridgetest.TextsOf(r))
		want := test.fits
		if test.result != "" {
			want = test.result
		}
		require.Equal(t, compactJSON(t, `{"out": `+want+`}`), normalVariables(rawStructure(t, r.StructuredContent)),
			test.tool)
		r = bridgetest.CallTool(t, cs, test.tool, `{"in": `+test.wrong+`}`)
		require.True(t, r.IsError, test.tool)
		require.Contains(t, bridgetest.TextsOf(r)[0], "The arguments do not fit the tool "+test.tool+":\n"+test.told)
	}
}

// compactJSON is a JSON text as encoding/json writes it, with numbers as doubles have them.
func compactJSON(t *testing.T, text string) string {
	t.Helper()
	var x any
	require.NoError(t, json.Unmarshal([]byte(text), &x))
	return rawStructure(t, x)
}

func rawStructure(t *testing.T, x any) string {
	t.Helper()
	data, err := json.Marshal(x)
	require.NoError(t, err)
	return string(data)
}

// normalVariables gives variables the same names whatever their number.
func normalVariables(text string) string {
	const digits = "0123456789"
	at := strings.Index(text, "(_")
	if at < 0 {
		return text
	}
	rest := strings.TrimLeft(strings.TrimLeft(text[at+2:], "G"), digits)
	return text[:at] + "(_1" + rest
}

// TestNestedTypes reports all that is wrong in an object with lists of objects, each by its path.
func TestNestedTypes(t *testing.T) {
	cs := connect(t, NewServer(load(t, "testdata/kb/types.pl"), nil), "2025-11-25", nil)
	r := bridgetest.CallTool(t, cs, "t_nested", `{"order": {
		"customer": {"name": "", "mail": "x"},
		"lines": [{"item": "a", "count": 0}, {"itm": "b", "count": 1.5, "options": ["gitf"]}],
		"marks": [{"key": "a", "value": "no"}, {"kee": 1}]}}`)
	require.Equal(t, []string{strings.Join([]string{
		`The arguments do not fit the tool t_nested:`,
		`order.customer.name: expected a string that is not empty, got the string ""`,
		`order.customer.mail: expected a string that matches ^(?:.*@.*)$, got the string "x" (Where to write to)`,
		`order.lines[0].count: expected an integer from 1 to 99, got the number 0`,
		`order.lines[1].item: missing, expected a string`,
		`order.lines[1].count: expected an integer from 1 to 99, got the number 1.5`,
		`order.lines[1].options[0]: expected one of "gift", "express", got the string "gitf", did you mean "gift"?`,
		`order.lines[1].itm: unexpected property, did you mean "item"?`,
		`order.marks[0].value: expected a number or true or false, got the string "no"`,
		`order.marks[1].key: missing, expected a string`,
		`order.marks[1].value: missing, expected a number or true or false`,
		`order.marks[1].kee: unexpected property, did you mean "key"?`,
	}, "\n")}, bridgetest.TextsOf(r))
	r = bridgetest.CallTool(t, cs, "t_nested",
		`{"order": {"customer": {"name": "Ada"}, "lines": [{"item": "a", "count": 2}, {"item": "b", "count": 3}]}}`)
	require.Equal(t, []string{"total: 5"}, bridgetest.TextsOf(r))

	list, err := cs.ListTools(context.Background(), nil)
	require.NoError(t, err)
	for _, tool := range list.Tools {
		if tool.Name == "t_nested" {
			requireJSON(t, `{"type": "object", "required": ["order"], "properties": {"order": {
				"type": "object", "required": ["customer", "lines"], "additionalProperties": false, "properties": {
					"customer": {"type": "object", "description": "Who orders", "required": ["name"],
						"additionalProperties": false, "properties": {
						"name": {"type": "string", "minLength": 1, "description": "Full name"},
						"mail": {"type": "string", "pattern": "^(?:.*@.*)$", "description": "Where to write to"}}},
					"lines": {"type": "array", "minItems": 1, "items": {
						"type": "object", "required": ["item", "count"], "additionalProperties": false, "properties": {
							"item": {"type": "string"}, "count": {"type": "integer", "minimum": 1, "maximum": 99},
							"options": {"type": "array", "items": {"enum": ["gift", "express"], "type": "string"}}}}},
					"marks": {"type": "array", "items": {"type": "object", "required": ["key", "value"],
						"additionalProperties": false, "properties": {
						"key": {"type": "string"}, "value": {"anyOf": [{"type": "number"}, {"type": "boolean"}]}}}}}}}}`,
				tool.InputSchema)
		}
	}
}
