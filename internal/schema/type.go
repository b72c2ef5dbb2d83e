package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/jsontext"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines the types of mode declarations: what each is in JSON Schema, and the table
// of the conversions in decode.go and encode.go.

// Type is a type of a mode declaration, such as list(integer). It is immutable.
type Type struct {
	rule *rule
	// elem is the type of list elements, of a pair's key, or that one_of and between restrict.
	elem *Type
	// value is the type of a pair's value.
	value *Type
	// alternatives are the types of types/1.
	alternatives []*Type
	// fields are the members of object/1.
	fields Params
	// values are the values of one_of and oneof; encoded has them as JSON.
	values  []term.Term
	encoded []json.RawMessage
	// low and high are the bounds of between.
	low, high term.Term
	// count is the length of list(T, N).
	count int
	// pattern is that of matching/1.
	pattern *regexp.Regexp
	// exact is the type of decimals, dates and the like.
	exact values.Type
}

// rule is what a type constructor means.
type rule struct {
	args []argument
	// json is the type in JSON Schema, keywords what it says further.
	json     string
	keywords func(t *Type) Object
	// want names what fits, for messages; wants does so where it depends on the arguments.
	want  string
	wants func(t *Type) string
	// decode converts from JSON and returns nil when it has reported a problem; encode converts to JSON.
	decode func(d *decoder, t *Type, value any) term.Term
	encode func(e *encoder, t *Type, x term.Term)
	// fits restricts integers, want saying to what.
	fits func(t *Type, x term.Term) bool
}

// argument is what an argument of a type constructor is.
type argument int

const (
	elemArg argument = iota
	valueArg
	typesArg
	fieldsArg
	valuesArg
	lowArg
	highArg
	countArg
	patternArg
)

// typeRules is the table of types by name and arity, in the order of the specification. It is
// filled by init because its functions lead back to it through nested types.
var typeRules map[string]*rule

// dictValue is the type of what stands in a dict, which init makes too.
var dictValue *Type

func init() {
	integer := rule{json: "integer", want: "an integer", decode: decodeInteger, encode: encodeInteger}
	text := rule{json: "string", want: "a string", decode: decodeAtom, encode: encodeText}
	one := rule{json: "string", want: "a string of one character", keywords: lengthOne, decode: decodeCharacter,
		encode: encodeCharacter}
	list := rule{json: "array", want: "an array", keywords: listKeywords, decode: decodeList, encode: encodeList}
	prolog := rule{json: "string", want: "a string that is a Prolog term", decode: decodeProlog, encode: encodeProlog}
	curly := rule{json: "object", want: "an object", decode: decodeObject, encode: encodeObject}
	decimal := *exactRule("")
	decimal.json, decimal.keywords = "number", func(*Type) Object { return Object{{"type", decimalJSON("number")}} }
	dictValue = &Type{rule: &rule{want: "a value", decode: decodeDictValue, encode: encodeUntyped}, count: -1}
	typeRules = map[string]*rule{
		"integer/0":              &integer,
		"positive_integer/0":     boundedRule(integer, "a positive integer", 1, nil),
		"non_negative_integer/0": boundedRule(integer, "a non-negative integer", 0, nil),
		"negative_integer/0":     boundedRule(integer, "a negative integer", nil, -1),
		"byte/0":                 boundedRule(integer, "an integer from 0 to 255", 0, 255),
		"float/0":                {json: "number", want: "a number", decode: decodeFloat, encode: encodeFloat},
		"number/0":               {json: "number", want: "a number", decode: decodeNumber, encode: encodeNumber},
		"rational/0": {want: `a number or a string such as "1/3"`, keywords: rationalKeywords,
			decode: decodeRational, encode: encodeRational},
		"decimal/0":        &decimal,
		"decimal/1":        &decimal,
		"decimal/2":        &decimal,
		"date/0":           exactRule("date"),
		"time/0":           exactRule("time"),
		"datetime/0":       exactRule("date-time"),
		"duration/0":       exactRule("duration"),
		"boolean/0":        {json: "boolean", want: "true or false", decode: decodeBoolean, encode: encodeBoolean},
		"atom/0":           &text,
		"non_empty_atom/0": nonEmpty(text, "a string that is not empty", "minLength", term.Atom("")),
		"email/0":          formatted(text, "an e-mail address", "email", emailText),
		"uri/0":            formatted(text, "a URI", "uri", uriText),
		"uuid/0":           formatted(text, "a UUID", "uuid", uuidText),
		"string/0":         {json: "string", want: "a string", decode: decodeString, encode: encodeText},
		"chars/0":          {json: "string", want: "a string", decode: decodeChars, encode: encodeChars},
		"codes/0":          {json: "string", want: "a string", decode: decodeCodes, encode: encodeChars},
		"character/0":      &one,
		"char/0":           &one,
		"code/0": {json: "string", want: one.want, keywords: lengthOne, decode: decodeCode,
			encode: encodeCharacter},
		"list/0":           &list,
		"list/1":           withArgs(list, elemArg),
		"non_empty_list/0": nonEmpty(list, "an array that is not empty", "minItems", term.Nil),
		"non_empty_list/1": withArgs(*nonEmpty(list, "an array that is not empty", "minItems", term.Nil), elemArg),
		"list/2": {args: []argument{elemArg, countArg}, json: "array", wants: wantCounted,
			keywords: listKeywords, decode: decodeList, encode: encodeList},
		"pair/2": {args: []argument{elemArg, valueArg}, json: "object",
			want: `an object with the properties "key" and "value"`, keywords: pairKeywords, decode: decodePair,
			encode: encodePair},
		"one_of/2": {args: []argument{elemArg, valuesArg}, wants: wantOneOf, keywords: enumKeywords,
			decode: decodeOneOf, encode: encodeOneOf},
		"oneof/1": {args: []argument{valuesArg}, wants: wantOneOf, keywords: enumKeywords,
			decode: decodeOneOf, encode: encodeOneOf},
		"between/3": {args: []argument{elemArg, lowArg, highArg}, wants: wantBetween,
			keywords: betweenKeywords, decode: decodeBetween, encode: encodeBetween},
		"matching/1": {args: []argument{patternArg}, json: "string", wants: wantMatching,
			keywords: patternKeywords, decode: decodeAtom, encode: encodeText, fits: matchesPattern},
		"maybe/1": {args: []argument{elemArg}, json: maybeJSON, wants: wantMaybe, keywords: maybeKeywords,
			decode: decodeMaybe, encode: encodeMaybe},
		"types/1": {args: []argument{typesArg}, wants: wantTypes, keywords: typesKeywords,
			decode: decodeTypes, encode: encodeTypes},
		"compound/0": &curly,
		"object/0":   &curly,
		"dict/0":     {json: "object", want: "an object", decode: decodeDict, encode: encodeObject},
		"object/1": {args: []argument{fieldsArg}, json: "object", wants: wantFields, keywords: fieldKeywords,
			decode: decodeFields, encode: encodeFields},
		"term/0": &prolog,
		"callable/0": {json: "string", want: "a string that is a callable Prolog term", decode: decodeCallable,
			encode: encodeProlog},
		"ground/0": {json: "string", want: "a string that is a Prolog term without variables",
			decode: decodeGround, encode: encodeGround},
		"nonvar/0": {json: "string", want: "a string", decode: decodeAtom, encode: encodeAny},
		"any/0":    {json: "string", want: "a string", decode: decodeAtom, encode: encodeAny},
	}
}

// untyped is the type of elements and members that nothing is declared about.
var untyped = &Type{rule: &rule{want: "a value", decode: decodeUntyped, encode: encodeUntyped}, count: -1}

// IsProlog reports whether the JSON of a type is Prolog text, as that of term is. nil is no such type.
func (t *Type) IsProlog() bool {
	return t.isOneOf("term/0", "callable/0", "ground/0")
}

func (t *Type) isOneOf(names ...string) bool {
	return t != nil && slices.ContainsFunc(names, func(name string) bool { return t.rule == typeRules[name] })
}

// Nameless reports whether values of the type contain objects whose member names the type does not say.
func (t *Type) Nameless() bool {
	return t != nil && (t.rule.json == "object" && t.rule.keywords == nil || t.elem.Nameless() || t.value.Nameless() ||
		slices.ContainsFunc(t.alternatives, (*Type).Nameless) ||
		slices.ContainsFunc(t.fields, func(p Param) bool { return p.Type.Nameless() }))
}

// IsText reports whether the JSON of a type is any string.
func (t *Type) IsText() bool {
	return t.isOneOf("atom/0", "non_empty_atom/0", "string/0", "any/0", "nonvar/0")
}

// boundedRule restricts integers to those from low to high, nil being no bound.
func boundedRule(r rule, want string, low, high any) *rule {
	r.want = want
	r.keywords = func(*Type) Object {
		var o Object
		if low != nil {
			o = append(o, member{"minimum", low})
		}
		if high != nil {
			o = append(o, member{"maximum", high})
		}
		return o
	}
	r.fits = func(_ *Type, x term.Term) bool {
		return (low == nil || compareValues(x, term.Int(low.(int))) >= 0) &&
			(high == nil || compareValues(x, term.Int(high.(int))) <= 0)
	}
	return &r
}

// nonEmpty asks for at least one character or element; the keyword says so.
func nonEmpty(r rule, want, keyword string, empty term.Term) *rule {
	further := r.keywords
	r.want = want
	r.keywords = func(t *Type) Object {
		var o Object
		if further != nil {
			o = further(t)
		}
		return append(o, member{keyword, 1})
	}
	r.fits = func(_ *Type, x term.Term) bool { return x != empty }
	return &r
}

// The formats of texts, as far as a text shows that it is of one.
var (
	emailText = lazyregexp.New(`^[^@\s]+@[^@\s.]+(\.[^@\s.]+)*$`)
	uriText   = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^` + "`" + `]*$`)
	uuidText  = lazyregexp.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
)

// formatted adds a format of JSON Schema to a rule for texts.
func formatted(r rule, want, format string, pattern func() *regexp.Regexp) *rule {
	r.want = want
	r.keywords = func(*Type) Object { return Object{{"format", format}} }
	r.fits = func(_ *Type, x term.Term) bool {
		text, ok := term.Text(x)
		return ok && pattern().MatchString(text)
	}
	return &r
}

// exactRule is the rule of a type of package values whose texts have a format of JSON Schema.
func exactRule(format string) *rule {
	r := &rule{json: "string", wants: func(t *Type) string { return t.exact.Want() }, decode: decodeExact,
		encode: encodeExact, keywords: func(*Type) Object { return Object{{"format", format}} }}
	if laxPatterns[lax(format)] != "" {
		r.keywords = func(*Type) Object { return Object{{"format", lax(format)}} }
	}
	return r
}

func withArgs(r rule, args ...argument) *rule {
	r.args = args
	return &r
}

func lengthOne(*Type) Object { return Object{{"minLength", 1}, {"maxLength", 1}} }

func listKeywords(t *Type) Object {
	var o Object
	if t.elem != untyped {
		o = append(o, member{"items", t.elem.schema()})
	}
	if t.count >= 0 {
		o = append(o, member{"minItems", t.count}, member{"maxItems", t.count})
	}
	return o
}

func pairKeywords(t *Type) Object {
	return Object{
		{"properties", Object{{"key", t.elem.schema()}, {"value", t.value.schema()}}},
		{"required", []string{"key", "value"}},
		{"additionalProperties", false},
	}
}

func enumKeywords(t *Type) Object { return Object{{"enum", t.encoded}} }

func patternKeywords(t *Type) Object { return Object{{"pattern", t.pattern.String()}} }

func matchesPattern(t *Type, x term.Term) bool {
	text, ok := term.Text(x)
	return ok && t.pattern.MatchString(text)
}

func betweenKeywords(t *Type) Object {
	low, isNumber := numberJSON(t.low, t.elem)
	if !isNumber {
		return nil
	}
	high, _ := numberJSON(t.high, t.elem)
	return Object{{"minimum", low}, {"maximum", high}}
}

// maybeJSON stands for the type of a value that may be missing, which has no single name in JSON Schema.
const maybeJSON = "maybe"

func maybeKeywords(t *Type) Object {
	return Object{{"anyOf", []Object{t.elem.schema(), {{"type", "null"}}}}}
}

func wantMaybe(t *Type) string { return t.elem.want() + " or null" }

func typesKeywords(t *Type) Object {
	all := make([]Object, len(t.alternatives))
	for i, one := range t.alternatives {
		all[i] = one.schema()
	}
	return Object{{"anyOf", all}}
}

func fieldKeywords(t *Type) Object {
	return append(t.fields.schema()[1:], member{"additionalProperties", false})
}

func wantCounted(t *Type) string { return "an array of " + spell.Count(t.count, "element") }

func wantOneOf(t *Type) string {
	texts := make([]string, len(t.encoded))
	for i, value := range t.encoded {
		texts[i] = spell.Shorten(string(value))
	}
	return "one of " + strings.Join(texts, ", ")
}

func wantFields(t *Type) string {
	var required, optional []string
	for _, field := range t.fields {
		if field.Optional {
			optional = append(optional, field.Name)
		} else {
			required = append(required, field.Name)
		}
	}
	text := ""
	switch len(required) {
	case 0:
	case 1:
		text = " with the property " + spell.Listing(required)
	default:
		text = " with the properties " + spell.Listing(required)
	}
	switch {
	case len(optional) > 0 && text == "":
		text = " that may have " + spell.Listing(optional)
	case len(optional) > 0:
		text += " that may also have " + spell.Listing(optional)
	case text == "":
		text = " without properties"
	}
	return "an object" + text
}

func wantMatching(t *Type) string { return "a string that matches " + t.pattern.String() }

func wantBetween(t *Type) string {
	return fmt.Sprintf("%s from %s to %s", t.elem.want(), t.elem.Text(t.low), t.elem.Text(t.high))
}

func wantTypes(t *Type) string {
	texts := make([]string, len(t.alternatives))
	for i, one := range t.alternatives {
		texts[i] = one.want()
	}
	return strings.Join(slices.Compact(texts), " or ")
}

// want names what fits t, such as "an integer".
func (t *Type) want() string {
	if t.rule.wants != nil {
		return t.rule.wants(t)
	}
	return t.rule.want
}

// Schema is the JSON Schema of t.
func (t *Type) Schema() json.RawMessage { return t.schema().JSON() }

// schema recurses as deep as the type, which maxTypeDepth bounds.
func (t *Type) schema() Object {
	o := Object{}
	switch {
	case t.rule.json == maybeJSON:
	case t.rule == typeRules["float/0"]:
		o = append(o, member{"type", t.rule.json})
	case t.rule.json != "":
		o = append(o, member{"type", declared(t.rule.json)})
	case t.elem != nil:
		o = append(o, t.elem.schema()...)
	case t.values != nil:
		o = append(o, commonType(t.values)...)
	}
	if t.rule.keywords != nil {
		for _, m := range t.rule.keywords(t) {
			o = o.With(m.name, m.value)
		}
	}
	return o
}

// declared is the JSON Schema type of a value that is what its type says. Those of integers and numbers are widened
// where large integers are texts.
type declared string

// decimalJSON is the type of decimals. A decimal of many digits is a text, whatever its bounds.
type decimalJSON string

// lax is a format that not all texts of results have: times may have no zone, and durations may be negative. The
// schemas of results have a pattern instead.
type lax string

var laxPatterns = map[lax]string{
	"time":     `^[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}(:[0-9]{2})?)?$`,
	"duration": `^-?P(-?[0-9]+[YMD])*(T(-?[0-9]+([.][0-9]+)?[HMS])+)?$`,
}

// widen makes the schema of values that are written exactly: an integer beyond [MaxExact] is a text. It recurses as
// deep as the schema.
func widen(schema Object) {
	inexact := false
	bounds := 0
	for i, m := range schema {
		switch value := m.value.(type) {
		case Object:
			widen(value)
		case []Object:
			for _, one := range value {
				widen(one)
			}
		case []json.RawMessage:
			schema[i].value, inexact = exactTexts(value)
		case decimalJSON:
			schema[i].value = []string{string(value), "string"}
		case lax:
			schema[i] = member{"pattern", laxPatterns[value]}
		}
		if m.name == "minimum" || m.name == "maximum" {
			raw, _ := marshalJSON(m.value) // the bounds of types have JSON
			if n, ok := integerTerm(json.Number(raw)); !ok || !isInexact(n) {
				bounds++
			}
		}
	}
	typ, _ := schema.Get("type")
	_, closed := schema.Get("enum")
	if typ, ok := typ.(declared); ok && (typ == "integer" || typ == "number") && (inexact || !closed && bounds < 2) {
		schema.With("type", []string{string(typ), "string"})
	}
}

// textual makes texts of the values of an enum that are numbers: some clients refuse all tools for an enum of numbers.
// In a call such a text counts as its number. It recurses as deep as the schema.
func textual(schema Object) {
	typ, _ := schema.Get("type")
	_, closed := schema.Get("enum")
	numbers := closed &&
		slices.Contains([]any{nil, declared("integer"), declared("number"), decimalJSON("number")}, typ)
	for i, m := range schema {
		switch value := m.value.(type) {
		case Object:
			textual(value)
		case []Object:
			for _, one := range value {
				textual(one)
			}
		case json.RawMessage: // the default
			if numbers {
				schema[i].value = digitText(value)
			}
		case []json.RawMessage:
			if numbers {
				texts := make([]json.RawMessage, len(value))
				for k := range value {
					texts[k] = digitText(value[k])
				}
				schema[i].value = texts
			}
		}
	}
	if numbers {
		schema.With("type", "string")
	}
}

// digitText returns the JSON of a number as a text.
func digitText(raw json.RawMessage) json.RawMessage {
	if raw[0] == '"' {
		return raw
	}
	return jsontext.AppendString(nil, string(raw), false)
}

// exactTexts returns values with the integers beyond [MaxExact] as texts, and whether there are any.
func exactTexts(values []json.RawMessage) (list []json.RawMessage, some bool) {
	for _, raw := range values {
		if n, ok := integerTerm(json.Number(raw)); ok && isInexact(n) {
			raw, some = jsontext.AppendString(nil, string(raw), false), true
		}
		list = append(list, raw)
	}
	return list, some
}

// commonType is the JSON Schema type of values when they share one.
func commonType(values []term.Term) Object {
	types := map[string]bool{}
	for _, value := range values {
		switch value.(type) {
		case term.Int, *term.Big:
			types["integer"] = true
		case term.Float:
			types["number"] = true
		default:
			types["string"] = true
		}
	}
	if types["number"] {
		delete(types, "integer")
	}
	if names := slices.Collect(maps.Keys(types)); len(names) == 1 {
		return Object{{"type", declared(names[0])}}
	}
	return nil
}

// maxTypeDepth and maxTypeParts bound a type.
const (
	maxTypeDepth = 50
	maxTypeParts = 10_000
)

var (
	errTooDeep = fmt.Errorf("a type is nested deeper than %d levels", maxTypeDepth)
	errTooWide = fmt.Errorf("a type has more than %d parts", maxTypeParts)
)

// typeParser reads a type. left is how many parts it may still read.
type typeParser struct {
	*Codec
	left int
}

// ParseType returns the type that a term of a mode declaration names. A variable is a type too: nothing is known about
// the value.
func (c *Codec) ParseType(t term.Term) (*Type, error) {
	return (&typeParser{c, maxTypeParts}).parseType(t, maxTypeDepth)
}

// IsTypeName reports whether mode/2 has a type of a name.
func IsTypeName(name string) bool { return arities(name) != "" }

func (c *typeParser) parseType(t term.Term, depth int) (*Type, error) {
	if depth == 0 {
		return nil, errTooDeep
	}
	if c.left--; c.left < 0 {
		return nil, errTooWide
	}
	if _, ok := t.(*term.Var); ok {
		return untyped, nil
	}
	t, err := c.Types.Resolve(t)
	if err != nil {
		return nil, err
	}
	name, arity, ok := term.Indicator(t)
	if !ok {
		return nil, fmt.Errorf("unknown type %s, want an atom or compound", Summary(t))
	}
	r := typeRules[string(name)+"/"+strconv.Itoa(arity)]
	if r == nil {
		return nil, c.unknownType(t, name, arity)
	}
	typ := &Type{rule: r, count: -1}
	if typ.exact, ok = values.Of(t); !ok && name == "decimal" {
		return nil, fmt.Errorf("got %s, want decimal(N) with 0 to %d places, or decimal(N, half_even)", Summary(t),
			values.MaxPlaces)
	}
	if r.json == "array" {
		typ.elem = untyped
	}
	for i, arg := range r.args {
		err := c.parseArgument(typ, arg, t.(*term.Compound).Args[i], depth-1)
		if err == errTooDeep || err == errTooWide {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("type %s/%d: %w", name, arity, err)
		}
	}
	return typ, c.finish(typ)
}

func (c *Codec) unknownType(t term.Term, name term.Atom, arity int) error {
	if has := arities(string(name)); has != "" {
		return fmt.Errorf("unknown type %s/%d, %s has %s%s", name, arity, name, has, c.Types.Advice(string(name)))
	}
	return fmt.Errorf("unknown type %s%s", engine.FormatTerm(t), c.Types.Advice(string(name)))
}

// arities says how many arguments the types of this name take. It is "" for an unknown name.
func arities(name string) string {
	var all []string
	for n := range 4 {
		if typeRules[name+"/"+strconv.Itoa(n)] != nil {
			all = append(all, strconv.Itoa(n))
		}
	}
	switch {
	case len(all) == 0:
		return ""
	case len(all) == 1 && all[0] == "1":
		return "1 argument"
	}
	return strings.Join(all, " or ") + " arguments"
}

// parseArgument sets the part of typ that an argument gives.
func (c *typeParser) parseArgument(typ *Type, arg argument, x term.Term, depth int) (err error) {
	switch arg {
	case elemArg:
		typ.elem, err = c.parseType(x, depth)
	case valueArg:
		typ.value, err = c.parseType(x, depth)
	case typesArg:
		err = eachItem(x, "types", func(item term.Term) error {
			one, err := c.parseType(item, depth)
			typ.alternatives = append(typ.alternatives, one)
			return err
		})
	case fieldsArg:
		err = c.parseFields(typ, x, depth)
	case valuesArg:
		err = eachItem(x, "values", func(item term.Term) error {
			typ.values = append(typ.values, item)
			return nil
		})
	case patternArg:
		text, ok := term.Text(x)
		if !ok {
			return fmt.Errorf("the pattern is %s, want a text", Summary(x))
		}
		if typ.pattern, err = regexp.Compile(text); err != nil {
			return fmt.Errorf("the pattern: %w", err)
		}
		if !strings.HasPrefix(text, "^") || !strings.HasSuffix(text, "$") || strings.ContainsAny(text, `|\`) {
			typ.pattern, err = regexp.Compile("^(?:" + text + ")$")
		}
	case lowArg:
		typ.low = x
	case highArg:
		typ.high = x
	case countArg:
		n, ok := x.(term.Int)
		if typ.count = int(n); !ok || n < 0 || n > maxCount {
			err = fmt.Errorf("the length is %s, want an integer from 0 to %d", Summary(x), maxCount)
		}
	}
	return err
}

// maxCount bounds the lengths of list(T, N), which JSON Schema readers keep in 32 bits.
const maxCount = 1<<31 - 1

// eachItem calls f with the items of a list that is not empty.
func eachItem(list term.Term, of string, f func(item term.Term) error) error {
	items, ok := term.Slice(list)
	if !ok || len(items) == 0 {
		return fmt.Errorf("got %s, want a list of %s", Summary(list), of)
	}
	for _, item := range items {
		if err := f(item); err != nil {
			return err
		}
	}
	return nil
}

// parseFields reads the [Name-Type, Name-Type-Description, ...] of object/1.
func (c *typeParser) parseFields(typ *Type, list term.Term, depth int) error {
	if list == term.Nil {
		return nil
	}
	return eachItem(list, "Name-Type pairs", func(item term.Term) error {
		pair, ok := term.Is(item, "-", 2)
		if !ok {
			return fmt.Errorf("got %s, want Name-Type", Summary(item))
		}
		var description string
		if inner, ok := term.Is(pair[0], "-", 2); ok {
			if description, ok = term.Text(pair[1]); !ok {
				return fmt.Errorf("got the description %s, want a text", Summary(pair[1]))
			}
			pair = inner
		}
		name, ok := term.Text(pair[0])
		if !ok {
			return fmt.Errorf("got the name %s, want an atom or string", Summary(pair[0]))
		}
		if slices.Contains(typ.fields.names(), name) {
			return fmt.Errorf("the name %s is there twice", name)
		}
		field := Param{Name: name, Description: description}
		if maybe, ok := term.Is(pair[1], "maybe", 1); ok {
			field.Optional, pair = true, []term.Term{pair[0], maybe[0]}
		}
		var err error
		field.Type, err = c.parseType(pair[1], depth)
		typ.fields = append(typ.fields, field)
		return err
	})
}

// finish checks and prepares what depends on several arguments.
func (c *typeParser) finish(t *Type) error {
	if t.low != nil {
		return c.checkBounds(t)
	}
	base := cmp.Or(t.elem, untyped)
	for _, value := range t.values {
		if _, isText := term.Text(value); t.elem == nil && !isText && !isNumberTerm(value) {
			return fmt.Errorf("got the value %s, want an atom, string or number", Summary(value))
		}
		raw, err := c.ToJSON(value, base)
		if err != nil {
			return fmt.Errorf("the value %s: %w", Summary(value), err)
		}
		t.encoded = append(t.encoded, raw)
	}
	return nil
}

// checkBounds wants the bounds of between to be of the type they bound, and in order.
func (c *typeParser) checkBounds(t *Type) error {
	for _, bound := range []term.Term{t.low, t.high} {
		if isNumberTerm(bound) && (t.elem.rule.json == "integer" || t.elem.rule.json == "number") {
			continue
		}
		if _, err := c.ToJSON(bound, t.elem); err != nil {
			return fmt.Errorf("the bound %s: %w", Summary(bound), err)
		}
	}
	if compareValues(t.low, t.high) > 0 {
		return fmt.Errorf("the bounds %s and %s are in the wrong order", Summary(t.low), Summary(t.high))
	}
	return nil
}

func isNumberTerm(x term.Term) bool {
	switch x.(type) {
	case term.Int, *term.Big, term.Float:
		return true
	}
	return false
}

// compareValues orders numbers by value, 1 and 1.0 being the same, and all else by the standard order.
func compareValues(a, b term.Term) int {
	if f, ok := a.(term.Float); ok {
		a = exactInteger(f)
	}
	if f, ok := b.(term.Float); ok {
		b = exactInteger(f)
	}
	return term.Compare(a, b)
}

// exactInteger returns the integer that f is, or f when it has a fraction or is no finite number.
func exactInteger(f term.Float) term.Term {
	v := float64(f)
	if v != math.Trunc(v) || math.IsInf(v, 0) {
		return f
	}
	i, _ := big.NewFloat(v).Int(nil)
	return term.NewInt(i)
}

// Reserved are the arguments of a tool with the option assume that are not its predicate's.
var Reserved = []string{"assume", "without", "now", "as_of"}
