package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/jsontext"
	"github.com/mcplogic/mcplogic/internal/spell"
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

// JSON is the text of o. It panics when a value is none of JSON, which is a mistake of the caller.
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
		out = append(appendString(out, m.name), ':')
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

// appendString appends text as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func appendString(out []byte, text string) []byte {
	quoted, _ := marshalJSON(text) // a string cannot fail
	return append(out, quoted...)
}

// parseJSON reads the one JSON value in raw. If an object has several members of one name, the last value counts, as
// in nearly all readers, and stands in the place of the first.
func parseJSON(raw json.RawMessage) (any, error) {
	if err := jsontext.Check(raw); err != nil {
		return nil, err
	}
	text := bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	return jsontext.Value(&jsontext.Cursor{Text: text}, jsontext.Builder[any](goValues{})), nil
}

// goValues makes Go values of JSON.
type goValues struct{}

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
func (goValues) Object(members []jsontext.Member[any]) any {
	o, at := Object{}, map[string]int{}
	for _, m := range members {
		name := string(m.Name)
		if i, ok := at[name]; ok {
			o[i].value = m.Value
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
