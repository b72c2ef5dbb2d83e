package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

func compile(t *testing.T, schema string) *Schema {
	t.Helper()
	s, err := Compile(json.RawMessage(schema))
	require.NoError(t, err)
	return s
}

const birdSchema = `{
	"type": "object",
	"properties": {
		"name": {"type": "string", "minLength": 2, "pattern": "^[a-z]+$"},
		"legs": {"type": "integer", "minimum": 0, "maximum": 2},
		"size": {"enum": ["small", "large", 3]},
		"wings": {"const": 2},
		"eggs": {"type": "array", "items": {"$ref": "#/$defs/egg"}, "minItems": 1, "maxItems": 3},
		"id": {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 3}]},
		"at": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "items": false},
		"weight": {"type": ["number", "null"], "exclusiveMinimum": 0, "exclusiveMaximum": 20},
		"notes": {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 2},
		"tags": {"type": "array", "uniqueItems": true},
		"mate": {"$ref": "#"}
	},
	"required": ["name"],
	"additionalProperties": false,
	"$defs": {"egg": {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}}
}`

func TestValidate(t *testing.T) {
	s := compile(t, birdSchema)
	require.True(t, s.IsObject())
	require.Equal(t, birdSchema, string(s.JSON()))
	require.Contains(t, s.Properties(), "eggs")
	for _, test := range []struct {
		json string
		want string
	}{
		{`{"name":"owl"}`, ""},
		{`{"name":"owl","legs":2.0,"size":3.0,"wings":2,"eggs":[{"age":1}],"id":"abc","at":[1,2.5],"weight":null,` +
			`"notes":{"a":"b"},"tags":[1,2],"mate":{"name":"owl"}}`, ""},
		{`{}`, "name: missing, expected a string"},
		{`[]`, "expected an object, got an array of 0 elements"},
		{`{"name":5,"legs":"two"}`,
			"name: expected a string, got the number 5; give it in quotes\nlegs: expected an integer, got the string \"two\""},
		{`{"name":"o"}`, `name: expected a string of at least 2 characters, got the string "o"`},
		{`{"name":"Owl"}`, `name: expected a string that matches ^[a-z]+$, got the string "Owl"`},
		{`{"name":"owl","legs":3}`, "legs: expected a number of at most 2, got the number 3"},
		{`{"name":"owl","legs":-1}`, "legs: expected a number of at least 0, got the number -1"},
		{`{"name":"owl","legs":1.5}`, "legs: expected an integer, got the number 1.5"},
		{`{"name":"owl","legs":123456789012345678901234567890}`,
			"legs: expected a number of at most 2, got the number 123456789012345678901234567890"},
		{`{"name":"owl","legs":1e999}`, "legs: expected an integer, got the number 1e999"},
		{`{"name":"owl","size":"smal"}`,
			`size: expected one of "small", "large", 3, got the string "smal", did you mean "small"?`},
		{`{"name":"owl","wings":3}`, "wings: expected 2, got the number 3"},
		{`{"name":"owl","eggs":[]}`, "eggs: expected an array of at least 1 element, got an array of 0 elements"},
		{`{"name":"owl","eggs":[{"age":1},{"age":"x"},{}]}`,
			"eggs[1].age: expected an integer, got the string \"x\"\neggs[2].age: missing, expected an integer"},
		{`{"name":"owl","id":null}`, "id: expected an integer or a string, got null"},
		{`{"name":"owl","id":"abcd"}`, `id: expected a string of at most 3 characters, got the string "abcd"`},
		{`{"name":"owl","at":[1,"2",3]}`,
			"at[1]: expected a number, got the string \"2\"\n" +
				"at[2]: nothing is allowed here, got the number 3"},
		{`{"name":"owl","weight":"x"}`, `weight: expected a number or null, got the string "x"`},
		{`{"name":"owl","weight":0}`, "weight: expected a number greater than 0, got the number 0"},
		{`{"name":"owl","weight":20}`, "weight: expected a number less than 20, got the number 20"},
		{`{"name":"owl","notes":{"a":1}}`, "notes.a: expected a string, got the number 1"},
		{`{"name":"owl","notes":{"a":"","b":"","c":""}}`,
			"notes: expected an object of at most 2 properties, got an object of 3 properties"},
		{`{"name":"owl","leg":2}`, `leg: unexpected property, did you mean "legs"?`},
		{`{"name":"owl","mate":{"name":"owl","mate":{}}}`, "mate.mate.name: missing, expected a string"},
		{`{"name":"owl","tags":[1,1]}`, "uniqueItems"}, // in the validator's words
		{`{"name":"owl"`, "not JSON"},
	} {
		err := s.Validate(json.RawMessage(test.json))
		if test.want == "" {
			require.NoError(t, err, test.json)
			continue
		}
		require.ErrorContains(t, err, test.want, test.json)
	}
}

func TestValidateCombinations(t *testing.T) {
	for _, test := range []struct{ schema, json, want string }{
		{`{"allOf":[{"required":["a"]},{"properties":{"a":{"type":"integer"}}}]}`, `{"a":"x"}`,
			`a: expected an integer, got the string "x"`},
		{`{"oneOf":[{"type":"object","required":["a"]},{"type":"object","required":["b"]}]}`, `{}`,
			"fits none of the 2 alternatives of the schema"},
		{`{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1,"b":2}`, "oneOf"},
		{`{"not":{"type":"string"}}`, `"x"`, "not"},
		{`{"if":{"type":"string"},"then":{"minLength":3}}`, `"x"`, "minLength"},
		{`false`, `1`, "nothing is allowed here"},
		{`{"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false}`, `{"y":1,"x1":"a"}`,
			"y: unexpected property, there should be none\nx1: expected an integer"},
		{`{"$ref":"#/$defs/a%20b","$defs":{"a b":{"type":"string"}}}`, `1`, "expected a string, got the number 1"},
		{`{"$ref":"#here","$defs":{"x":{"$anchor":"here","type":"string"}}}`, `1`, "expected a string, got the number 1"},
	} {
		err := compile(t, test.schema).Validate(json.RawMessage(test.json))
		require.ErrorContains(t, err, test.want, test.schema)
		require.ErrorAs(t, err, &Problems{})
	}
}

func TestCompileSchemaErrors(t *testing.T) {
	for schema, want := range map[string]string{
		`5`:                       "expected an object, got the number 5",
		`{`:                       "not JSON",
		`{"type":"strng"}`:        `/type: the string "strng", did you mean "string"?`,
		`{"type":5}`:              "/type: the number 5, want one of",
		`{"type":["string","x"]}`: `/type: the string "x"`,
		`{"properties":{"a":{"items":{"type":"int"}}}}`: `/properties/a/items/type: the string "int", `,
		`{"properties":{"a":"integer"}}`:                `/properties/a: expected a schema, got the string "integer"`,
		`{"anyOf":[{"type":"any"}]}`:                    `/anyOf/0/type: the string "any"`,
		`{"pattern":"("}`:                               "not a JSON Schema",
		`{"minLength":"x"}`:                             "not a JSON Schema",
		`{"$ref":"#/nowhere"}`:                          "not a JSON Schema",
		`{"$ref":"https://example.com/x"}`:              "not a JSON Schema",
		`{"$ref":"#"}`:                                  `the reference "#" leads back to itself`,
		`{"anyOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"allOf":[{"$ref":"#"}]}}}`:  "leads back to itself",
		`{"$defs":{"a":{"$anchor":"x","not":{"$ref":"#x"}}}}`:                      "leads back to itself",
		strings.Repeat(`{"not":`, 100_000) + "true" + strings.Repeat("}", 100_000): "nested deeper",
	} {
		_, err := Compile(json.RawMessage(schema))
		require.ErrorContains(t, err, want, "%.60s", schema)
	}
}

// Schemas as knowledge bases write them, with bare atoms in the places of literals.
func TestSchemaJSON(t *testing.T) {
	typ := func(name string, more ...term.Term) term.Term {
		return braces(append([]term.Term{pair(a("type"), a(name))}, more...)...)
	}
	for _, test := range []struct {
		x    term.Term
		want string
	}{
		{typ("object", pair(a("properties"), braces(pair(a("name"), typ("string")))), pair(a("required"), atoms("name"))),
			`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`},
		{typ("object", pair(a("additionalProperties"), a("false"))), `{"type":"object","additionalProperties":false}`},
		{typ("object", pair(a("additionalProperties"), at("false"))), `{"type":"object","additionalProperties":false}`},
		{typ("boolean", pair(a("default"), a("true"))), `{"type":"boolean","default":true}`},
		{typ("string", pair(a("default"), a("true"))), `{"type":"string","default":"true"}`},
		{typ("string", pair(a("enum"), atoms("true", "false"))), `{"type":"string","enum":["true","false"]}`},
		{braces(pair(a("enum"), list(a("null"), term.Int(1)))), `{"enum":[null,1]}`},
		{typ("string", pair(a("title"), a("true"))), `{"type":"string","title":"true"}`},
		{typ("object", pair(a("properties"), braces(pair(a("default"), typ("boolean", pair(a("default"), a("false"))))))),
			`{"type":"object","properties":{"default":{"type":"boolean","default":false}}}`},
		{typ("array", pair(a("items"), typ("array", pair(a("uniqueItems"), a("true"))))),
			`{"type":"array","items":{"type":"array","uniqueItems":true}}`},
		{typ("array", pair(a("prefixItems"), list(typ("null"), a("true"))), pair(a("items"), a("false"))),
			`{"type":"array","prefixItems":[{"type":"null"},true],"items":false}`},
		{f("json", list(f("=", a("type"), term.String("object")))), `{"type":"object"}`},
		{a("true"), `true`},
		{term.Curly, `{}`},
	} {
		got, err := codec.SchemaJSON(test.x)
		require.NoError(t, err)
		require.Equal(t, test.want, string(got))
	}
	_, err := codec.SchemaJSON(typ("object", pair(a("default"), term.NewVar("X"))))
	require.ErrorContains(t, err, "default: unbound")
}

func TestToJSONAs(t *testing.T) {
	s := compile(t, `{"type":"object","properties":{
		"ok":{"type":"boolean"}, "word":{"type":"string"}, "maybe":{"type":["string","null"]},
		"all":{"type":"array","items":{"$ref":"#/$defs/flag"}}, "two":{"prefixItems":[{},{"type":"boolean"}]},
		"any":{"anyOf":[{"type":"integer"},{"const":false}]}, "e":{"enum":[true,"x"]}},
		"additionalProperties":{"type":"boolean"}, "$defs":{"flag":{"type":"boolean"}}}`)
	x := braces(
		pair(a("ok"), a("true")), pair(a("word"), a("true")), pair(a("maybe"), a("null")),
		pair(a("all"), list(a("true"), at("false"))), pair(a("two"), list(a("true"), a("true"))),
		pair(a("any"), a("false")), pair(a("e"), a("true")), pair(a("other"), a("false")),
	)
	got, err := codec.ToJSONAs(x, s)
	require.NoError(t, err)
	require.Equal(t, `{"ok":true,"word":"true","maybe":null,"all":[true,false],"two":["true",true],"any":false,"e":true,`+
		`"other":false}`, string(got))
	require.NoError(t, s.Validate(got))
}

func BenchmarkValidate(b *testing.B) {
	s, err := Compile(json.RawMessage(birdSchema))
	require.NoError(b, err)
	raw := json.RawMessage(`{"name":"owl","legs":2,"size":"small","id":"abc"}`)
	for b.Loop() {
		if err := s.Validate(raw); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkArguments(b *testing.B) {
	typ, err := codec.ParseType(term.Atom("integer"))
	require.NoError(b, err)
	params := Params{{Name: "N", Type: typ}, {Name: "M", Type: typ}}
	for b.Loop() {
		if _, _, err := codec.Arguments(json.RawMessage(`{"N":12,"M":123456}`), params); err != nil {
			b.Fatal(err)
		}
	}
}

// TestUndescribed finds required properties that nothing describes, and no others.
func TestUndescribed(t *testing.T) {
	const x = `"properties": {"x": {}}`
	for _, test := range []struct{ schema, name, at string }{
		{`{"type": "object", "properties": {"a": {}}, "required": ["a", "b"]}`, "b", "#"},
		{`{"properties": {"p": {` + x + `, "required": ["y"], "additionalProperties": false}}}`, "y", "#/properties/p"},
		{`{"properties": {"p": {"items": {` + x + `, "required": ["y"]}}}}`, "y", "#/properties/p/items"},
		{`{"properties": {"p": {"$ref": "#/$defs/d"}}, "$defs": {"d": {` + x + `, "required": ["y"]}}}`, "y",
			"#/properties/p"},
		{`{"$ref": "#/$defs/d", "$defs": {"d": {` + x + `, "required": ["y"]}}}`, "y", "#"},
		{`{"properties": {"p": {"allOf": [{` + x + `}, {"required": ["x"]}]}}}`, "", ""},
		{`{"properties": {"p": {` + x + `, "anyOf": [{"required": ["x"]}, {"required": ["y"]}]}}}`, "y", "#/properties/p"},
		{`{"properties": {"p": {` + x + `, "not": {"required": ["y"]}}}}`, "", ""},
		{`{"properties": {"p": {` + x + `, "required": ["y"], "additionalProperties": {}}}}`, "", ""},
		{`{"properties": {"p": {"patternProperties": {"^y": {}}, "properties": {}, "required": ["y"]}}}`, "", ""},
		{`{"properties": {"p": {"type": "object", "required": ["y"]}}}`, "", ""},
		{`{"properties": {"a": {}}, "patternProperties": {"b": {}}, "required": ["b"]}`, "", ""},
	} {
		name, at := compile(t, test.schema).Undescribed()
		require.Equal(t, test.name+test.at, name+at, test.schema)
	}
}

// TestNullLeftOut takes null for a property of a form as left out where it cannot be null.
func TestNullLeftOut(t *testing.T) {
	s := compile(t, `{"type": "object", "properties": {"n": {"type": "integer"}, "d": {"type": "integer", "default": 7},
		"u": {}, "m": {"type": ["string", "null"]}, "e": {"enum": ["a"]}, "f": {"enum": ["a", null]},
		"r": {"$ref": "#/$defs/r"}, "o": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
		"$defs": {"r": {"type": "boolean"}}}`)
	got := s.WithDefaults(json.RawMessage(
		`{"n": null, "d": null, "u": null, "m": null, "e": null, "f": null, "r": null, "o": null, "other": null}`))
	require.JSONEq(t, `{"d": 7, "u": null, "m": null, "f": null, "o": null, "other": null}`, string(got))
}

// TestArgumentsBy reads arguments by a schema of the provider's own, and by types where names agree.
func TestArgumentsBy(t *testing.T) {
	s := compile(t, `{"type": "object", "properties": {"n": {"type": "integer"}, "at": {"type": "object"}}}`)
	fields := f("object", list(pair(a("x"), integer)))
	typ, err := codec.ParseType(fields)
	require.NoError(t, err)
	params := Params{{Name: "at", Type: typ}}

	got, _, err := codec.ArgumentsBy(s, json.RawMessage(`{"n": 1, "at": {"x": 2}}`), params)
	require.NoError(t, err)
	require.Equal(t, []Named{{"n", term.Int(1)}, {"at", braces(pair(a("x"), term.Int(2)))}}, got)

	got, _, err = codec.ArgumentsBy(s, nil, params)
	require.NoError(t, err)
	require.Empty(t, got)

	_, _, err = codec.ArgumentsBy(s, json.RawMessage(`{"n": 1.5}`), params)
	require.EqualError(t, err, "n: expected an integer, got the number 1.5")
	_, _, err = codec.ArgumentsBy(s, json.RawMessage(`{"at": {"x": "two"}}`), params)
	require.EqualError(t, err, `at.x: expected an integer, got the string "two"`)
	for _, twice := range []string{`{"n": 1, "n": 1}`, `{"n": 1, "at": {"n": 1, "x": 2, "n": 3}}`} {
		_, _, err = codec.ArgumentsBy(s, json.RawMessage(twice), params)
		require.EqualError(t, err, `the name "n" is there twice`)
		_, _, err = codec.Arguments(json.RawMessage(twice), params)
		require.EqualError(t, err, `the name "n" is there twice`)
	}
	quoted := json.RawMessage(`{"n": "12345678901234567890", "at": "{\"x\":\"2\"}"}`)
	got, unquoted, err := codec.ArgumentsBy(s, quoted, params)
	require.NoError(t, err)
	require.Equal(t, "12345678901234567890", plainTerm(got[0].Value))
	require.Equal(t, "{x-2}", plainTerm(got[1].Value))
	require.Equal(t, []string{"n", "at", "at.x"}, unquoted)
}

// TestValidateForm holds texts against the formats of forms.
func TestValidateForm(t *testing.T) {
	for _, test := range []struct{ format, good, bad, want string }{
		{"email", "ann@example.org", "Ann <ann@example.org>", "an email address"},
		{"uri", "https://example.org/a?b=c", "example.org/a", "a URI"},
		{"date", "2024-02-29", "2023-02-29", "a date such as 2026-01-31"},
		{"date-time", "2024-02-29T12:00:00+01:00", "2024-02-29", "a date and time such as 2026-01-31T12:00:00Z"},
		{"unheard-of", "anything", "", ""},
	} {
		s, err := Compile(json.RawMessage(`{"type": "object", "properties": {"x": {"type": "string", "format": "` +
			test.format + `"}}}`))
		require.NoError(t, err)
		require.NoError(t, s.ValidateForm(Object{}.With("x", test.good).JSON()))
		if test.want != "" {
			bad := Object{}.With("x", test.bad).JSON()
			require.NoError(t, s.Validate(bad), "to JSON Schema it is a note")
			require.EqualError(t, s.ValidateForm(bad), `x: expected `+test.want+`, got the string "`+test.bad+`"`)
		}
		require.Error(t, s.ValidateForm(json.RawMessage(`[]`)))
	}
}
