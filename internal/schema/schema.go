package schema

import (
	_ "embed" // for the text
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines schemas that a knowledge base gives as JSON Schema: checked when they are loaded, compiled once,
// and used to validate values and to guide conversions. It also defines the schema of schemas, as far as it tells where
// true, false and null are not strings.

// Schema is a compiled JSON Schema. It may be shared by goroutines.
type Schema struct {
	raw      json.RawMessage
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved
	// nodes are the schemas within the root by JSON pointer, and by anchor.
	nodes map[string]*jsonschema.Schema
	// meta is set for the schema of schemas, whose default and enum follow its type.
	meta bool
}

// AnyObject is the schema of all objects, as the SDK takes it without decoding it.
var AnyObject any = &jsonschema.Schema{Type: "object"}

// Compile checks a JSON Schema and prepares it for use. Its error says which part is wrong.
func Compile(raw json.RawMessage) (*Schema, error) {
	value, err := parseJSON(raw)
	if err != nil {
		return nil, err
	}
	if err := checkKeywords(value); err != nil {
		return nil, err
	}
	s := &Schema{raw: raw, root: &jsonschema.Schema{}, nodes: map[string]*jsonschema.Schema{}}
	if err := json.Unmarshal(raw, s.root); err != nil {
		return nil, fmt.Errorf("not a JSON Schema: %w", err)
	}
	s.index("#", s.root)
	if err := s.checkLoops(); err != nil {
		return nil, err
	}
	if s.resolved, err = s.root.Resolve(nil); err != nil {
		return nil, fmt.Errorf("not a JSON Schema: %w", err)
	}
	return s, nil
}

// JSON is the schema as it was given.
func (s *Schema) JSON() json.RawMessage { return s.raw }

// IsObject reports whether the schema says that values are objects, as the schema of a tool has to.
func (s *Schema) IsObject() bool { return s.root.Type == "object" }

// Properties returns the names of the properties at the top, sorted.
func (s *Schema) Properties() []string { return slices.Sorted(maps.Keys(s.root.Properties)) }

// Undescribed names a required property that the schema does not describe, and the JSON pointer of the schema that
// requires it. name is "" if there is no such property. At the top, clients want each property in properties itself.
func (s *Schema) Undescribed() (name, at string) {
	if name := s.undescribed([]*jsonschema.Schema{s.root}); name != "" {
		return name, "#"
	}
	within := map[*jsonschema.Schema]bool{}
	for _, node := range s.nodes {
		for _, one := range s.inPlace(node) {
			within[one] = true
		}
	}
	for _, at := range slices.Sorted(maps.Keys(s.nodes)) {
		all := s.hintAt(s.nodes[at]).nodes
		hasProperties := func(n *jsonschema.Schema) bool { return n.Properties != nil }
		if within[s.nodes[at]] || !slices.ContainsFunc(all, hasProperties) {
			continue
		}
		if name := s.undescribed(all); name != "" {
			return name, at
		}
	}
	return "", ""
}

// undescribed names a property that one of the schemas of a value requires and none describes.
func (s *Schema) undescribed(all []*jsonschema.Schema) string {
	for _, node := range all {
		for _, name := range node.Required {
			describes := func(n *jsonschema.Schema) bool {
				open := n != s.root && n.AdditionalProperties != nil && n.AdditionalProperties.Not == nil
				return n.Properties[name] != nil || n.PatternProperties != nil || open || n.Not == node
			}
			if !slices.ContainsFunc(all, describes) {
				return name
			}
		}
	}
	return ""
}

// WithDefaults returns an object with the defaults of those properties at the top that it lacks, and
// other values as they are. A property that is null and cannot be counts as left out.
func (s *Schema) WithDefaults(raw json.RawMessage) json.RawMessage {
	value, err := parseJSON(raw)
	o, ok := value.(Object)
	if err != nil || !ok {
		return raw
	}
	o = slices.DeleteFunc(o, func(m member) bool {
		h := s.hintAt(s.root.Properties[m.name])
		restricts := func(n *jsonschema.Schema) bool {
			return n.Type != "" || n.Types != nil || n.Enum != nil || n.Const != nil
		}
		return m.value == nil && slices.ContainsFunc(h.nodes, restricts) && !h.wants("null")
	})
	for _, name := range s.Properties() {
		if fallback := s.root.Properties[name].Default; fallback != nil {
			if _, given := o.Get(name); !given {
				o = o.With(name, fallback)
			}
		}
	}
	return o.JSON()
}

// Validate reports whether a JSON value fits. The error is of type Problems when it does not.
func (s *Schema) Validate(raw json.RawMessage) error {
	value, err := parseJSON(raw)
	if err != nil {
		return err
	}
	return s.validate(value)
}

func (s *Schema) validate(value any) error {
	verdict := s.resolved.Validate(forSchema(value))
	if verdict == nil {
		return nil
	}
	x := explainer{schema: s}
	x.explain(s.root, value)
	if err := x.err(); err != nil {
		return err
	}
	return Problems{{Text: rootCause(verdict)}}
}

// rootCause is the innermost message of a validation error, which names the keyword.
func rootCause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return spell.Shorten(err.Error())
		}
		err = inner
	}
}

// forSchema converts a value to what the validator understands. The validator knows only floats, so an integer beyond
// their range becomes the largest float.
func forSchema(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n
		}
		f, _ := strconv.ParseFloat(v.String(), 64) // infinite when out of range
		return max(-math.MaxFloat64, min(f, math.MaxFloat64))
	case []any:
		all := make([]any, len(v))
		for i, one := range v {
			all[i] = forSchema(one)
		}
		return all
	case Object:
		all := make(map[string]any, len(v))
		for _, m := range v {
			all[m.name] = forSchema(m.value)
		}
		return all
	}
	return value
}

// subschemas goes through the schemas directly within s, each with its JSON pointer from s.
func subschemas(s *jsonschema.Schema) iter.Seq2[string, *jsonschema.Schema] {
	return func(yield func(string, *jsonschema.Schema) bool) {
		for keyword, one := range map[string]*jsonschema.Schema{
			"items": s.Items, "additionalItems": s.AdditionalItems, "contains": s.Contains,
			"unevaluatedItems": s.UnevaluatedItems, "additionalProperties": s.AdditionalProperties,
			"propertyNames": s.PropertyNames, "unevaluatedProperties": s.UnevaluatedProperties,
			"not": s.Not, "if": s.If, "then": s.Then, "else": s.Else, "contentSchema": s.ContentSchema,
		} {
			if one != nil && !yield("/"+keyword, one) {
				return
			}
		}
		for keyword, all := range map[string][]*jsonschema.Schema{
			"prefixItems": s.PrefixItems, "items": s.ItemsArray, "allOf": s.AllOf, "anyOf": s.AnyOf, "oneOf": s.OneOf,
		} {
			for i, one := range all {
				if !yield("/"+keyword+"/"+strconv.Itoa(i), one) {
					return
				}
			}
		}
		for keyword, all := range map[string]map[string]*jsonschema.Schema{
			"$defs": s.Defs, "definitions": s.Definitions, "properties": s.Properties,
			"patternProperties": s.PatternProperties, "dependentSchemas": s.DependentSchemas,
			"dependencies": s.DependencySchemas,
		} {
			for name, one := range all {
				if !yield("/"+keyword+"/"+escapePointer(name), one) {
					return
				}
			}
		}
	}
}

func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// index notes where the schemas are. It recurses as deep as the JSON nests.
func (s *Schema) index(pointer string, node *jsonschema.Schema) {
	if node == nil {
		return
	}
	s.nodes[pointer] = node
	for _, anchor := range []string{node.Anchor, node.DynamicAnchor} {
		if anchor != "" {
			s.nodes["#"+anchor] = node
		}
	}
	for below, one := range subschemas(node) {
		s.index(pointer+below, one)
	}
}

// target returns the schema within s that a reference leads to, nil when it leads elsewhere.
func (s *Schema) target(ref string) *jsonschema.Schema {
	if node := s.nodes[ref]; node != nil {
		return node
	}
	decoded, err := url.PathUnescape(ref)
	if err != nil {
		return nil
	}
	return s.nodes[decoded]
}

// inPlace returns the schemas that apply to the same value as node does.
func (s *Schema) inPlace(node *jsonschema.Schema) []*jsonschema.Schema {
	all := slices.Concat(node.AllOf, node.AnyOf, node.OneOf,
		[]*jsonschema.Schema{node.Not, node.If, node.Then, node.Else})
	all = slices.AppendSeq(all, maps.Values(node.DependentSchemas))
	all = slices.AppendSeq(all, maps.Values(node.DependencySchemas))
	for _, ref := range []string{node.Ref, node.DynamicRef} {
		if ref != "" {
			all = append(all, s.target(ref))
		}
	}
	return slices.DeleteFunc(all, func(one *jsonschema.Schema) bool { return one == nil })
}

// checkLoops finds schemas that refer to themselves without looking at a part of the value. On those the validator
// would not end.
func (s *Schema) checkLoops() error {
	const entered, left = 1, 2
	state := map[*jsonschema.Schema]int{}
	var visit func(node *jsonschema.Schema) error // as deep as there are schemas
	visit = func(node *jsonschema.Schema) error {
		switch state[node] {
		case entered:
			return fmt.Errorf("not a JSON Schema: the reference %q leads back to itself", node.Ref+node.DynamicRef)
		case left:
			return nil
		}
		state[node] = entered
		for _, one := range s.inPlace(node) {
			if err := visit(one); err != nil {
				return err
			}
		}
		state[node] = left
		return nil
	}
	for _, pointer := range slices.Sorted(maps.Keys(s.nodes)) {
		if err := visit(s.nodes[pointer]); err != nil {
			return err
		}
	}
	return nil
}

var schemaTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// checkKeywords finds mistakes that the validator lets pass: types that do not exist.
func checkKeywords(value any) error {
	switch v := value.(type) {
	case bool:
		return nil
	case Object:
		return eachSchema(v, "", checkType)
	}
	return fmt.Errorf("not a JSON Schema: expected an object, got %s", describeJSON(value))
}

// schemaMaps and schemaLists are the keywords whose values hold schemas by name and by
// number; schemaValues are those whose value is one.
var (
	schemaMaps   = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemaLists  = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	schemaValues = []string{"items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else",
		"unevaluatedItems", "unevaluatedProperties", "additionalItems"}
)

// eachSchema calls check with all objects that are schemas. It recurses as deep as the JSON nests.
func eachSchema(schema Object, at string, check func(schema Object, at string) error) error {
	if err := check(schema, at); err != nil {
		return err
	}
	for _, m := range schema {
		below := at + "/" + escapePointer(m.name)
		switch v := m.value.(type) {
		case Object:
			if slices.Contains(schemaValues, m.name) {
				if err := eachSchema(v, below, check); err != nil {
					return err
				}
			}
			if slices.Contains(schemaMaps, m.name) {
				for _, inner := range v {
					if err := eachPart(inner.value, below+"/"+escapePointer(inner.name), check); err != nil {
						return err
					}
				}
			}
		case []any:
			if slices.Contains(schemaLists, m.name) {
				for i, inner := range v {
					if err := eachPart(inner, below+"/"+strconv.Itoa(i), check); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// eachPart continues with a value in the place of a schema. The value has to be a schema.
func eachPart(value any, at string, check func(schema Object, at string) error) error {
	switch v := value.(type) {
	case Object:
		return eachSchema(v, at, check)
	case bool:
		return nil
	}
	return fmt.Errorf("not a JSON Schema: %s: expected a schema, got %s", at, describeJSON(value))
}

func checkType(schema Object, at string) error {
	value, ok := schema.Get("type")
	if !ok {
		return nil
	}
	names, isList := value.([]any)
	if !isList {
		names = []any{value}
	}
	for _, one := range names {
		name, isString := one.(string)
		if isString && slices.Contains(schemaTypes, name) {
			continue
		}
		advice := "want one of " + spell.Listing(schemaTypes)
		if near := spell.Nearest(name, schemaTypes); near != "" {
			advice = "did you mean " + strconv.Quote(near) + "?"
		}
		return fmt.Errorf("not a JSON Schema: %s/type: %s, %s", at, describeJSON(one), advice)
	}
	return nil
}

// hint is what a schema says about the place of a value: the nodes that apply to it.
type hint struct {
	schema *Schema
	nodes  []*jsonschema.Schema
}

func (s *Schema) hint() hint { return s.hintAt(s.root) }

// hintAt collects all nodes that apply where one does.
func (s *Schema) hintAt(nodes ...*jsonschema.Schema) hint {
	h := hint{schema: s}
	for len(nodes) > 0 {
		node := nodes[0]
		nodes = nodes[1:]
		if node != nil && !slices.Contains(h.nodes, node) {
			h.nodes = append(h.nodes, node)
			nodes = append(nodes, s.inPlace(node)...)
		}
	}
	return h
}

// member is the hint for a member of the object x.
func (h hint) member(x term.Term, name string) hint {
	if h.schema == nil || h.schema.meta && isStringSchema(x) && followsType(name) {
		return hint{}
	}
	var below []*jsonschema.Schema
	for _, node := range h.nodes {
		if property, ok := node.Properties[name]; ok {
			below = append(below, property)
		} else {
			below = append(below, node.AdditionalProperties)
		}
	}
	return h.schema.hintAt(below...)
}

// item is the hint for an element of an array.
func (h hint) item(i int) hint {
	if h.schema == nil {
		return h
	}
	var below []*jsonschema.Schema
	for _, node := range h.nodes {
		if i < len(node.PrefixItems) {
			below = append(below, node.PrefixItems[i])
		} else {
			below = append(below, node.Items)
		}
	}
	return h.schema.hintAt(below...)
}

// wants reports whether the bare atom true, false or null is a JSON literal here.
func (h hint) wants(bare term.Atom) bool {
	typ, literal := "boolean", any(bare == term.True)
	if bare == "null" {
		typ, literal = "null", nil
	}
	for _, node := range h.nodes {
		if node.Type == typ || slices.Contains(node.Types, typ) {
			return true
		}
		if slices.Contains(node.Enum, literal) || node.Const != nil && *node.Const == literal {
			return true
		}
	}
	return false
}

// heldJSON returns the JSON that a text is, if that is something else than a text. Languages that begin true with a
// large letter are understood.
func heldJSON(text string) (value any, ok bool) {
	if lower := strings.ToLower(text); lower == "true" || lower == "false" {
		text = lower
	}
	value, err := parseJSON(json.RawMessage(text))
	_, isText := value.(string)
	return value, err == nil && !isText
}

// Unquote returns a value in which texts are the JSON that they hold wherever the schema wants such JSON and no text,
// with the places of these texts. See decoder.decode for who sends them.
func (s *Schema) Unquote(raw json.RawMessage) (unquoted json.RawMessage, places []string) {
	value, err := parseJSON(raw)
	if err != nil {
		return raw, nil
	}
	value, places = s.unquote(value)
	if len(places) > 0 {
		raw, _ = marshalJSON(value) // it came from JSON
	}
	return raw, places
}

func (s *Schema) unquote(value any) (unquoted any, places []string) {
	u := unquoter{}
	return u.value(s.hint(), value), u.places
}

// unquoter is one walk of Unquote. It recurses as deep as the value.
type unquoter struct {
	at     path
	places []string
}

func (u *unquoter) value(h hint, value any) any {
	switch v := value.(type) {
	case string:
		if held, ok := heldJSON(v); ok && h.takes(held, v) {
			u.places = append(u.places, u.at.String())
			return u.value(h, held)
		}
	case []any:
		for i := range v {
			u.at.enterIndex(i)
			v[i] = u.value(h.item(i), v[i])
			u.at.leave()
		}
	case Object:
		for i, m := range v {
			u.at.enterName(m.name)
			v[i].value = u.value(h.member(nil, m.name), m.value)
			u.at.leave()
		}
	}
	return value
}

// takesText reports whether a text may stand in the place of the hint, as far as the types there say.
func (h hint) takesText() bool {
	for _, node := range h.nodes {
		if node.Type != "" && node.Type != "string" || node.Types != nil && !slices.Contains(node.Types, "string") {
			return false
		}
	}
	return true
}

// takes reports whether a value is wanted in the place of the hint, and the text that holds it is not.
func (h hint) takes(held any, text string) (ok bool) {
	for _, node := range h.nodes {
		for _, typ := range append([]string{node.Type}, node.Types...) {
			if typ == "string" {
				return false
			}
			ok = ok || hasType(held, typ)
		}
		for _, one := range node.Enum {
			if one == any(text) {
				return false
			}
			ok = ok || jsonschema.Equal(one, forSchema(held))
		}
	}
	return ok
}

// followsType reports whether the values of a keyword are of the type beside it.
func followsType(keyword string) bool {
	return slices.Contains([]string{"default", "const", "enum", "examples"}, keyword)
}

// isStringSchema reports whether a schema in curly notation says type-string.
func isStringSchema(x term.Term) bool {
	pairs, _ := memberPairs(x)
	for _, pair := range pairs {
		if name, value, ok := splitPair(pair); ok && name == "type" {
			return sameText(value, term.Atom("string"))
		}
	}
	return false
}

var metaSchema = sync.OnceValue(func() *Schema {
	s, err := Compile(metaSchemaJSON)
	if err != nil {
		panic(err) // the text is ours
	}
	s.meta = true
	return s
})

//go:embed metaschema.json
var metaSchemaJSON []byte
