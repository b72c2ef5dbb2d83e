package schema

import (
	"encoding/json"
	"sync"
)

// This file defines the schema of schemas, as far as it tells where true, false and null are
// not strings.

var metaSchema = sync.OnceValue(func() *Schema {
	s, err := Compile(json.RawMessage(metaSchemaJSON))
	if err != nil {
		panic(err) // the text below is wrong
	}
	s.meta = true
	return s
})

const metaSchemaJSON = `{
	"type": ["object", "boolean"],
	"$defs": {
		"byName": {"type": "object", "additionalProperties": {"$ref": "#"}},
		"list": {"type": "array", "items": {"$ref": "#"}},
		"literal": {"type": ["boolean", "null", "string", "number", "array", "object"]},
		"literals": {"type": "array", "items": {"$ref": "#/$defs/literal"}}
	},
	"properties": {
		"properties": {"$ref": "#/$defs/byName"},
		"patternProperties": {"$ref": "#/$defs/byName"},
		"$defs": {"$ref": "#/$defs/byName"},
		"definitions": {"$ref": "#/$defs/byName"},
		"dependentSchemas": {"$ref": "#/$defs/byName"},
		"additionalProperties": {"$ref": "#"},
		"unevaluatedProperties": {"$ref": "#"},
		"unevaluatedItems": {"$ref": "#"},
		"additionalItems": {"$ref": "#"},
		"propertyNames": {"$ref": "#"},
		"contains": {"$ref": "#"},
		"items": {"$ref": "#"},
		"not": {"$ref": "#"},
		"if": {"$ref": "#"},
		"then": {"$ref": "#"},
		"else": {"$ref": "#"},
		"allOf": {"$ref": "#/$defs/list"},
		"anyOf": {"$ref": "#/$defs/list"},
		"oneOf": {"$ref": "#/$defs/list"},
		"prefixItems": {"$ref": "#/$defs/list"},
		"uniqueItems": {"type": "boolean"},
		"deprecated": {"type": "boolean"},
		"readOnly": {"type": "boolean"},
		"writeOnly": {"type": "boolean"},
		"default": {"$ref": "#/$defs/literal"},
		"const": {"$ref": "#/$defs/literal"},
		"enum": {"$ref": "#/$defs/literals"},
		"examples": {"$ref": "#/$defs/literals"}
	}
}`
