package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/jsontext"
	"github.com/mcplogic/mcplogic/internal/knownclients"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// This file defines JSON values that keep the order of members and the digits of numbers,
// which encoding/json's maps and floats do not.

// A JSON value is nil, a bool, a json.Number, a string, a []any or an object.

// Object is a JSON object with its members in order, each name once. The zero value is the empty object.
type Object []member

type member struct {
	name  string
	value any
}

// Get returns the value of a member.
func (o Object) Get(name string) (any, bool) {
	for _, m := range o {
		if m.name == name {
			return m.value, true
		}
	}
	return nil, false
}

// With returns o with one more member. A member of that name is replaced. The value is anything that encoding/json
// can encode. As with append, o itself must not be used afterwards.
func (o Object) With(name string, value any) Object {
	for i := range o {
		if o[i].name == name {
			o[i].value = value
			return o
		}
	}
	return append(o, member{name, value})
}

// JSON is the text of o. It panics if a value has no JSON, which is a mistake of the caller.
func (o Object) JSON() json.RawMessage {
	raw, err := marshalJSON(o)
	if err != nil {
		panic(err)
	}
	return raw
}

// MarshalJSON writes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(jsontext.AppendString(out, m.name, false), ':')
		value, err := marshalJSON(m.value)
		if err != nil {
			return nil, err
		}
		out = append(out, value...)
	}
	return append(out, '}'), nil
}

// marshalJSON is json.Marshal without the escapes for HTML.
func marshalJSON(value any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte{'\n'}), nil
}

// parseJSON reads the one JSON value in raw. If an object has several members of one name, the last value counts, as
// in nearly all readers, and stands in the place of the first.
func parseJSON(raw json.RawMessage) (any, error) {
	return goValues{new(string)}.parse(raw)
}

// parseArguments returns the Go value of the arguments of a call. A duplicate name in an object is an error, because it
// is unclear which value is meant.
func parseArguments(raw json.RawMessage) (any, error) {
	values := goValues{new(string)}
	value, err := values.parse(raw)
	if err == nil && *values.twice != "" {
		err = fmt.Errorf("the name %s is there twice", strconv.Quote(spell.Shorten(*values.twice)))
	}
	return value, err
}

// goValues makes Go values of JSON. Of a name that stands twice in an object the last value counts; it is noted.
type goValues struct{ twice *string }

func (g goValues) parse(raw json.RawMessage) (any, error) {
	if err := jsontext.Check(raw); err != nil {
		return nil, err
	}
	text := bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	return jsontext.Value(&jsontext.Cursor{Text: text}, jsontext.Builder[any](g)), nil
}

// Constant implements jsontext.Builder.
func (goValues) Constant(name string) any {
	if name == "null" {
		return nil
	}
	return name == "true"
}

// Number implements jsontext.Builder.
func (goValues) Number(text string) any { return json.Number(text) }

// String implements jsontext.Builder.
func (goValues) String(text []byte) any { return string(text) }

// Array implements jsontext.Builder.
func (goValues) Array(items []any) any { return append([]any{}, items...) }

// Object implements jsontext.Builder.
func (g goValues) Object(members []jsontext.Member[any]) any {
	o, at := Object{}, map[string]int{}
	for _, m := range members {
		name := string(m.Name)
		if i, ok := at[name]; ok {
			o[i].value, *g.twice = m.Value, name
			continue
		}
		at[name] = len(o)
		o = append(o, member{name, m.Value})
	}
	return o
}

// maxDigits bounds the digits of an integer: reading them takes time quadratic in their number.
const maxDigits = 100_000

// maxExponent bounds the exponents of numbers written like 1e3 that may be integers; no double goes beyond it.
const maxExponent = 308

// integerTerm returns the integer that n is, whichever way it is written: 5, 5.0 or 5e0.
func integerTerm(n json.Number) (term.Term, bool) {
	text := n.String()
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return term.Int(i), true
	}
	if len(text) > maxDigits {
		return nil, false
	}
	if !strings.ContainsAny(text, ".eE") {
		i, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return nil, false
		}
		return term.NewInt(i), true
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); ok {
		if e, err := strconv.Atoi(exponent); err != nil || e > maxExponent || e < -maxExponent {
			return nil, false
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || !r.IsInt() {
		return nil, false
	}
	return term.NewInt(r.Num()), true
}

// floatTerm returns the double nearest to n, unless it would be infinite.
func floatTerm(n json.Number) (term.Term, bool) {
	f, err := strconv.ParseFloat(n.String(), 64)
	return term.Float(f), err == nil && !math.IsInf(f, 0)
}

// numberTerm returns an integer for a number without fraction and exponent, else a float.
func numberTerm(n json.Number) (term.Term, bool) {
	if strings.ContainsAny(n.String(), ".eE") {
		return floatTerm(n)
	}
	return integerTerm(n)
}

// appendFloat appends f so that it is read as a float again; JSON has no infinities and NaN.
func appendFloat(out []byte, f float64) ([]byte, bool) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return out, false
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if a := math.Abs(f); a >= 1e-4 && a < 1e15 || f == 0 {
		text = strconv.FormatFloat(f, 'f', -1, 64)
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return append(out, text...), true
}

// describeJSON says what a JSON value is, in the words of an error message.
func describeJSON(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return "the number " + spell.Shorten(v.String())
	case string:
		return "the string " + strconv.Quote(spell.Shorten(v))
	case []any:
		return "an array of " + spell.Count(len(v), "element")
	case Object:
		return "an object of " + spell.Count(len(v), "property")
	}
	return fmt.Sprintf("%v", value)
}

// This part defines the conversions between JSON and terms as callers see them: of one value, and of the arguments and
// results of a predicate.

// DefaultMaxResult is how many bytes of JSON a conversion makes unless a codec says otherwise.
const DefaultMaxResult = 1 << 20

// ErrTooLarge is wrapped by the errors of conversions to JSON that a limit ended. A
// cyclic term, which has no end, is reported so.
var ErrTooLarge = errors.New("the result is too large")

// Codec converts between JSON and terms. The zero value converts all but types such as term, whose JSON is Prolog
// text. Any number of goroutines may use a codec if they may call its functions.
type Codec struct {
	// Parse reads a term from Prolog text, with the operators of the knowledge base; Format
	// writes one as writeq does. nil: types that need it fail.
	Parse  func(text string) (term.Term, error)
	Format func(t term.Term) string
	// Types are the types that type/2 names.
	Types typename.Names
	// MaxResult bounds the bytes of JSON that a conversion makes; 0 means DefaultMaxResult.
	MaxResult int
}

// FromJSON converts a JSON value to a term of the type. nil is the type of anything: objects become curly terms,
// strings atoms, and true, false and null become @true, @false and @null. The error is of type Problems when the
// value does not fit.
func (c *Codec) FromJSON(raw json.RawMessage, t *Type) (term.Term, error) {
	value, err := parseJSON(raw)
	if err != nil {
		return nil, err
	}
	d := decoder{codec: c}
	x := d.decode(t.orUntyped(), value)
	return x, d.err()
}

// ToJSON converts a term of the type to JSON; nil is the type of anything.
func (c *Codec) ToJSON(x term.Term, t *Type) (json.RawMessage, error) {
	e := c.encoder()
	e.encode(t.orUntyped(), x)
	return e.result()
}

// ToJSONAs converts a term to JSON that is meant to fit a schema: true, false and null are
// JSON's own where the schema wants them, and strings elsewhere. It does not validate.
func (c *Codec) ToJSONAs(x term.Term, s *Schema) (json.RawMessage, error) {
	e := c.encoder()
	e.value(x, s.hint())
	return e.result()
}

// Structured converts a term to structured content. It is [Codec.ToJSONAs] for a schema, nil being that of anything,
// and writes integers beyond [MaxExact] as texts where the schema lets it.
func (c *Codec) Structured(x term.Term, s *Schema) (json.RawMessage, error) {
	e := c.encoder()
	e.exact = true
	h := hint{}
	if s != nil {
		h = s.hint()
	}
	e.value(x, h)
	return e.result()
}

// SchemaJSON converts a JSON Schema in curly notation to JSON.
func (c *Codec) SchemaJSON(x term.Term) (json.RawMessage, error) { return c.ToJSONAs(x, metaSchema()) }

// Compile converts a JSON Schema in curly notation and prepares it for use. nil is no schema, and then
// the result is nil too.
func (c *Codec) Compile(x term.Term) (*Schema, error) {
	if x == nil {
		return nil, nil
	}
	raw, err := c.SchemaJSON(x)
	if err != nil {
		return nil, err
	}
	return Compile(raw)
}

// Limit is how many bytes of JSON a conversion makes at most.
func (c *Codec) Limit() int {
	if c.MaxResult <= 0 {
		return DefaultMaxResult
	}
	return c.MaxResult
}

func (c *Codec) encoder() *encoder { return &encoder{codec: c, limit: c.Limit()} }

func (t *Type) orUntyped() *Type {
	if t == nil {
		return untyped
	}
	return t
}

// Param is an argument of a predicate, or a member of an object.
type Param struct {
	Name        string
	Description string
	// Type is the type of its values. nil: any JSON.
	Type     *Type
	Optional bool
	// Default is the value of an argument that is absent, nil: it has none.
	Default term.Term
	// DefaultJSON and Examples are for those who read the schema.
	DefaultJSON json.RawMessage
	Examples    []json.RawMessage
	// Closed says that Examples are all values for which there are solutions. Other values are still taken, and their
	// results say what is missing.
	Closed bool
	// Low and High are the least and the greatest number for which there are solutions, or nil for no bound. Other
	// numbers are still accepted, like other values.
	Low, High term.Term
}

// required reports whether a caller has to give the argument.
func (p *Param) required() bool {
	return !p.Optional && p.Default == nil && p.Type.orUntyped().rule.json != maybeJSON
}

// repeats reports whether the description has nothing but the name of the parameter or the values of an enum. It need
// not say that values which are all listed are names.
func (p *Param) repeats() bool {
	values, listed := map[string]bool{"or": true, "and": true}, p.Type.orUntyped().encoded
	if p.Closed && p.required() {
		values["Name"], values["name"], listed = true, true, p.Examples
	}
	for _, raw := range listed {
		values[strings.Trim(string(raw), `"`)] = true
	}
	words := strings.FieldsFunc(p.Description, func(r rune) bool { return strings.ContainsRune(" ,.", r) })
	return strings.EqualFold(strings.TrimSuffix(p.Description, "."), strings.ReplaceAll(p.Name, "_", " ")) ||
		!slices.ContainsFunc(words, func(word string) bool { return !values[word] })
}

// Params are the inputs or the outputs of a predicate, each a property of one JSON object.
type Params []Param

// Schema is the JSON Schema of the object. Arguments of other names are refused, which a list of tools need not say.
func (ps Params) Schema() json.RawMessage {
	s := ps.schema()
	if knownclients.Some(func(c *knownclients.Client) bool { return c.NoNumberEnums }) {
		textual(s)
	}
	return s.JSON()
}

// ResultSchema is that of the object that [Codec.Results] makes. Results may have other properties besides. It leaves
// out what the description and the inputs of a tool show already: examples, and the values of an output that an input
// has, too.
func (ps Params) ResultSchema(inputs Params) json.RawMessage {
	outputs := slices.Clone(ps)
	for i := range outputs {
		outputs[i].Examples = nil
	}
	s := outputs.schema()
	properties, _ := s.Get("properties")
	for i, p := range properties.(Object) {
		values := slices.Concat(ps[i].Type.orUntyped().encoded...)
		if len(values) > 0 && slices.ContainsFunc(inputs, func(in Param) bool {
			return bytes.Equal(slices.Concat(in.Type.orUntyped().encoded...), values)
		}) {
			p.value = slices.DeleteFunc(p.value.(Object), func(m member) bool { return m.name == "enum" })
			properties.(Object)[i] = p
		}
	}
	widen(s)
	return s.JSON()
}

func (ps Params) schema() Object {
	properties, required := Object{}, []string{}
	for _, p := range ps {
		schema := p.Type.orUntyped().schema()
		if p.Description != "" && !p.repeats() {
			schema = append(schema, member{"description", p.Description})
		}
		if p.DefaultJSON != nil {
			schema = append(schema, member{"default", p.DefaultJSON})
		}
		if p.Closed && p.required() {
			schema = append(schema, member{"enum", p.Examples})
		} else if _, listed := schema.Get("enum"); len(p.Examples) > 0 && !listed {
			schema = append(schema, member{"examples", p.Examples})
		}
		for name, bound := range map[string]term.Term{"minimum": p.Low, "maximum": p.High} {
			if raw, ok := numberJSON(bound, p.Type.orUntyped()); bound != nil && ok {
				schema = schema.With(name, raw)
			}
		}
		properties = append(properties, member{p.Name, schema})
		if p.required() {
			required = append(required, p.Name)
		}
	}
	schema := Object{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		schema = append(schema, member{"required", required})
	}
	return schema
}

func (ps Params) names() []string {
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = p.Name
	}
	return names
}

// Arguments converts the object of a call's arguments to a term for each of ps, nil for an optional one that is absent
// or null. No JSON at all counts as an empty object. Unquoted are the places of texts that were read as the JSON that
// they contain. The error is of type Problems when the arguments do not fit.
func (c *Codec) Arguments(raw json.RawMessage, ps Params) (values []term.Term, unquoted []string, err error) {
	value, unquoted, err := argumentsIn(raw)
	if err != nil {
		return nil, nil, err
	}
	d := decoder{codec: c, read: unquoted}
	o, ok := value.(Object)
	if !ok {
		d.mismatch("an object", value)
		return nil, nil, d.err()
	}
	values = d.members(o, ps)
	return values, d.read, d.err()
}

// argumentsIn returns the arguments of a call. Some clients send them as a text that holds the object.
func argumentsIn(raw json.RawMessage) (value any, unquoted []string, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return Object{}, nil, nil
	}
	if value, err = parseArguments(raw); err != nil {
		return nil, nil, err
	}
	if text, isText := value.(string); isText {
		if _, ok := heldJSON(text); ok {
			value, err = parseArguments(json.RawMessage(text))
			return value, []string{"the arguments"}, err
		}
	}
	return value, nil, nil
}

// Named is an argument of a call with its name.
type Named struct {
	Name  string
	Value term.Term
}

// ArgumentsBy converts the object of a call's arguments that has to fit a schema of the provider's own. It
// returns the arguments in the order of the call. Those named like one of ps are of its type, the others are
// of no type. All else is as with Arguments.
func (c *Codec) ArgumentsBy(s *Schema, raw json.RawMessage, ps Params) (list []Named, unquoted []string, err error) {
	value, unquoted, err := argumentsIn(raw)
	if err != nil {
		return nil, nil, err
	}
	value, members := s.unquote(value)
	unquoted = append(unquoted, members...)
	if err := s.validate(value); err != nil {
		return nil, nil, err
	}
	d := decoder{codec: c, read: unquoted}
	o, ok := value.(Object)
	if !ok {
		d.mismatch("an object", value)
	}
	list = make([]Named, len(o))
	for i, m := range o {
		list[i] = Named{m.name, d.member(m, ps.typeOf(m.name))}
	}
	return list, d.read, d.err()
}

// typeOf is the type of the parameter of a name; there need not be one.
func (ps Params) typeOf(name string) *Type {
	for _, p := range ps {
		if p.Name == name {
			return p.Type.orUntyped()
		}
	}
	return untyped
}

// Results converts a term for each of ps to one JSON object; nil terms of optional ones are
// left out. Integers beyond [MaxExact] are texts.
func (c *Codec) Results(values []term.Term, ps Params) (json.RawMessage, error) {
	if len(values) != len(ps) {
		return nil, fmt.Errorf("got %d results, want %d", len(values), len(ps))
	}
	e := c.encoder()
	e.exact = true
	e.raw("{")
	first := true
	for i, p := range ps {
		if values[i] == nil && p.Optional {
			continue
		}
		e.name(p.Name, first)
		first = false
		e.at.enterName(p.Name)
		e.encode(p.Type.orUntyped(), values[i])
		e.at.leave()
	}
	e.raw("}")
	return e.result()
}

func (c *Codec) parse(text string) (term.Term, error) {
	if c.Parse == nil {
		return nil, errors.New("reading Prolog text is not possible here")
	}
	return c.Parse(text)
}

func (c *Codec) show(x term.Term) string {
	const most = 1000
	if _, isCompound := x.(*term.Compound); !isCompound || c.Format == nil || !Within(x, most) {
		return Summary(x)
	}
	return spell.Shorten(c.Format(x))
}

// Summary describes a term for a message where nothing is known about operators: numbers and texts as they are,
// at most some sixty characters of them, compounds by name and arity.
func Summary(x term.Term) string {
	switch x := x.(type) {
	case nil:
		return "nothing"
	case term.Int:
		return strconv.FormatInt(int64(x), 10)
	case *term.Big:
		return spell.Shorten(x.String())
	case *term.Rational:
		return spell.Shorten(x.String())
	case term.Float:
		return strconv.FormatFloat(float64(x), 'g', -1, 64)
	case *term.Compound:
		if x.Functor == term.Dot && len(x.Args) == 2 {
			return plainList(x)
		}
		return fmt.Sprintf("a term %s/%d", spell.Shorten(string(x.Functor)), len(x.Args))
	case *term.Var:
		return "an unbound variable"
	case *term.Opaque:
		return spell.Shorten(string(x.Name()))
	}
	text, _ := term.Text(x)
	return strconv.Quote(spell.Shorten(text))
}

// plainList is a list in a message that does not show its elements.
func plainList(x term.Term) string {
	if _, ok := term.Slice(x); ok {
		return "a list"
	}
	return "a partial or cyclic list"
}
