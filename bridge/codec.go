package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the conversions between JSON and terms as callers see them: of one value, and
// of the arguments and results of a predicate.

// DefaultMaxResult is how many bytes of JSON a result may have unless a codec says otherwise.
const DefaultMaxResult = 1 << 20

// ErrResultTooLarge is wrapped by the errors of conversions to JSON that a limit ended. A
// cyclic term, which has no end, is reported so.
var ErrResultTooLarge = errors.New("the result is too large")

// Codec converts between JSON and terms. It is used by any number of goroutines when its
// functions may be.
type Codec struct {
	// Parse reads a term from Prolog text, with the operators of the knowledge base; Format
	// writes one as writeq does. Types such as term need them; without them they fail.
	Parse  func(text string) (term.Term, error)
	Format func(t term.Term) string
	// MaxResult bounds the bytes of JSON that a conversion makes; 0 means DefaultMaxResult.
	MaxResult int
}

// FromJSON converts a JSON value to a term of the type; nil is the type of anything, by which
// objects become curly terms, strings atoms, and true, false and null @true, @false and
// @null. The error is of type Problems when the value does not fit.
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

// SchemaJSON converts a JSON Schema in curly notation to JSON.
func (c *Codec) SchemaJSON(x term.Term) (json.RawMessage, error) {
	return c.ToJSONAs(x, metaSchema())
}

func (c *Codec) encoder() *encoder {
	limit := c.MaxResult
	if limit <= 0 {
		limit = DefaultMaxResult
	}
	return &encoder{codec: c, limit: limit}
}

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
	Type        *Type
	Optional    bool
	// Default is the value of an argument that is absent, nil: it has none.
	Default term.Term
	// DefaultJSON and Examples are for those who read the schema.
	DefaultJSON json.RawMessage
	Examples    []json.RawMessage
}

// required reports whether a caller has to give the argument.
func (p *Param) required() bool { return !p.Optional && p.Default == nil }

// Params are the inputs or the outputs of a predicate, each a property of one JSON object.
type Params []Param

// Schema is the JSON Schema of the object. It has no other properties.
func (ps Params) Schema() json.RawMessage { return mustMarshal(ps.schema()) }

func (ps Params) schema() object {
	properties, required := object{}, []string{}
	for _, p := range ps {
		schema := p.Type.orUntyped().schema()
		if p.Description != "" {
			schema = append(schema, member{"description", p.Description})
		}
		if p.DefaultJSON != nil {
			schema = append(schema, member{"default", p.DefaultJSON})
		}
		if len(p.Examples) > 0 {
			schema = append(schema, member{"examples", p.Examples})
		}
		properties = append(properties, member{p.Name, schema})
		if p.required() {
			required = append(required, p.Name)
		}
	}
	schema := object{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		schema = append(schema, member{"required", required})
	}
	return append(schema, member{"additionalProperties", false})
}

func (ps Params) names() []string {
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = p.Name
	}
	return names
}

// Arguments converts the object of a call's arguments to a term for each of ps, nil for an
// optional one that is absent. No JSON at all counts as an empty object. The error is of
// type Problems when the arguments do not fit.
func (c *Codec) Arguments(raw json.RawMessage, ps Params) ([]term.Term, error) {
	var value any = object{}
	if len(raw) > 0 && string(raw) != "null" {
		var err error
		if value, err = parseJSON(raw); err != nil {
			return nil, err
		}
	}
	d := decoder{codec: c}
	o, ok := value.(object)
	if !ok {
		d.mismatch("an object", value)
		return nil, d.err()
	}
	return d.members(o, ps), d.err()
}

// Results converts a term for each of ps to one JSON object; nil terms of optional ones are
// left out.
func (c *Codec) Results(values []term.Term, ps Params) (json.RawMessage, error) {
	if len(values) != len(ps) {
		return nil, fmt.Errorf("got %d results, want %d", len(values), len(ps))
	}
	e := c.encoder()
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

// parse reads Prolog text.
func (c *Codec) parse(text string) (term.Term, error) {
	if c.Parse == nil {
		return nil, errors.New("reading Prolog text is not possible here")
	}
	return c.Parse(text)
}

// show is a term in a message.
func (c *Codec) show(x term.Term) string {
	const most = 1000
	if _, isCompound := x.(*term.Compound); !isCompound || c.Format == nil || !within(x, most) {
		return plain(x)
	}
	return shorten(c.Format(x))
}

// plain is a term in a message where nothing is known about operators.
func plain(x term.Term) string {
	switch x := x.(type) {
	case nil:
		return "nothing"
	case term.Int:
		return strconv.FormatInt(int64(x), 10)
	case *term.Big:
		return shorten(x.String())
	case term.Float:
		return strconv.FormatFloat(float64(x), 'g', -1, 64)
	case *term.Compound:
		if x.Functor == term.Dot && len(x.Args) == 2 {
			return plainList(x)
		}
		return fmt.Sprintf("a term %s/%d", shorten(string(x.Functor)), len(x.Args))
	case *term.Var:
		return "an unbound variable"
	}
	text, _ := term.Text(x)
	return strconv.Quote(shorten(text))
}

// plainList is a list in a message that does not show its elements.
func plainList(x term.Term) string {
	if _, ok := term.Slice(x); ok {
		return "a list"
	}
	return "a partial or cyclic list"
}
