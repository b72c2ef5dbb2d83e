package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/jsontext"
	"github.com/mcplogic/mcplogic/internal/nesting"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines how terms become JSON, type by type in the order of the table of rules. Shared parts are written
// as often as they occur, so the conversion of a cyclic term ends at the limit. Recursion is as deep as types and
// JSON nest, which is bounded.

// encoder is one conversion to JSON. It stops at the first error.
type encoder struct {
	codec *Codec
	limit int
	out   []byte
	at    path
	err   error
	// exact says that integers which programs read as rounded floats are written as texts, see [MaxExact].
	exact bool
	// missing says that what did not fit was a missing value.
	missing bool
}

func (e *encoder) result() (json.RawMessage, error) {
	switch {
	case e.err != nil && e.missing:
		return nil, fmt.Errorf("%w; the type maybe(T) takes missing values%w", e.err, errMissing)
	case e.err != nil:
		return nil, e.err
	}
	return e.out, nil
}

func (e *encoder) encode(t *Type, x term.Term) {
	if e.err != nil {
		return
	}
	if _, ok := x.(*term.Var); ok || x == nil {
		e.fail("unbound, expected %s: the goal gave it no value", t.want())
		return
	}
	t.rule.encode(e, t, x)
	e.missing = e.err != nil && (e.missing || x == term.Term(null))
}

// null is what a value is that is missing in a row of a file or a database.
const null = term.Atom("null")

// errMissing is wrapped by the errors of values that are missing where their type does not say that they may be. It has
// no text.
var errMissing = errors.New("")

// IsMissing reports whether a conversion to JSON ended because a value is missing.
func IsMissing(err error) bool { return errors.Is(err, errMissing) }

// MaxExact is the largest integer up to which programs that read JSON numbers as floats keep all integers.
const MaxExact = 1<<53 - 1

// isInexact reports whether x is an integer beyond that.
func isInexact(x term.Term) bool {
	switch x := x.(type) {
	case term.Int:
		return x > MaxExact || x < -MaxExact
	case *term.Big:
		return true
	}
	return false
}

// fail ends the conversion with a problem at the present place.
func (e *encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = Problems{{e.at.String(), fmt.Sprintf(format, args...)}}
	}
}

// mismatch ends the conversion because x is not of type t.
func (e *encoder) mismatch(t *Type, x term.Term) {
	e.fail("expected %s, got %s%s", t.want(), e.codec.show(x), otherType(t, x))
}

// otherType says what to declare for a compound term that was to be an object or a string.
func otherType(t *Type, x term.Term) string {
	if c, ok := x.(*term.Compound); !ok || c.Functor == "." || c.Functor == term.Curly {
		return ""
	}
	switch t.rule.json {
	case "object":
		return "; an object is written {key-value, ...}, and the type term takes any term as text"
	case "string":
		return "; the type term takes any term as text"
	}
	return ""
}

// fitting reports whether x fits the restriction of t, or ends the conversion.
func (e *encoder) fitting(t *Type, x term.Term) bool {
	if t.rule.fits != nil && !t.rule.fits(t, x) {
		e.mismatch(t, x)
		return false
	}
	return true
}

func (e *encoder) raw(text string) { e.grow(append(e.out, text...)) }

// grow replaces the output by a longer one, unless it is too long.
func (e *encoder) grow(out []byte) {
	if len(out) > e.limit {
		e.overflow()
		return
	}
	e.out = out
}

func (e *encoder) overflow() {
	if e.err == nil {
		e.err = fmt.Errorf("%w: more than %d bytes", ErrTooLarge, e.limit)
	}
}

func (e *encoder) text(text string) {
	if len(text) > e.limit {
		e.overflow()
		return
	}
	e.grow(jsontext.AppendString(e.out, text, false))
}

// name appends the name of a member.
func (e *encoder) name(name string, first bool) {
	if !first {
		e.raw(",")
	}
	e.text(name)
	e.raw(":")
}

// number appends a number. ok is false if x is not a number.
func (e *encoder) number(x term.Term) (ok bool) {
	if e.exact && isInexact(x) {
		start := len(e.out)
		e.exact = false
		e.number(x)
		e.exact = true
		if digits := string(e.out[start:]); e.err == nil {
			e.out = e.out[:start]
			e.text(digits)
		}
		return true
	}
	switch x := x.(type) {
	case term.Int:
		e.grow(strconv.AppendInt(e.out, int64(x), 10))
	case *term.Big:
		if n := x.Int(); n.BitLen()/4 > e.limit { // a digit takes less than four bits
			e.overflow()
		} else {
			e.raw(n.String())
		}
	case term.Float:
		out, finite := appendFloat(e.out, float64(x))
		if !finite {
			e.fail("expected a number that JSON has, got %s", Summary(x))
		}
		e.grow(out)
	default:
		return false
	}
	return true
}

// numberJSON is a number of a type as JSON.
func numberJSON(x term.Term, t *Type) (raw json.RawMessage, ok bool) {
	e := (&Codec{}).encoder()
	if t.exact.Name == "decimal" {
		encodeExact(e, t, x)
		return e.out, e.err == nil
	}
	ok = e.number(x)
	return e.out, ok && e.err == nil
}

func encodeInteger(e *encoder, t *Type, x term.Term) {
	switch x.(type) {
	case term.Int, *term.Big:
		if e.fitting(t, x) {
			e.number(x)
		}
	default:
		e.mismatch(t, x)
	}
}

// encodeFloat writes integers as numbers of any size: who declares floats has them rounded.
func encodeFloat(e *encoder, t *Type, x term.Term) {
	exact := e.exact
	e.exact = false
	encodeNumber(e, t, x)
	e.exact = exact
}

func encodeMaybe(e *encoder, t *Type, x term.Term) {
	if args, ok := term.Is(x, "@", 1); ok && args[0] == term.Term(null) || x == term.Term(null) {
		e.raw("null")
		return
	}
	e.encode(t.elem, x)
}

func encodeNumber(e *encoder, t *Type, x term.Term) {
	if !e.number(x) {
		e.mismatch(t, x)
	}
}

func encodeBoolean(e *encoder, t *Type, x term.Term) {
	if args, ok := term.Is(x, "@", 1); ok {
		x = args[0]
	}
	if x != term.True && x != term.False {
		e.mismatch(t, x)
		return
	}
	e.raw(string(x.(term.Atom)))
}

func encodeText(e *encoder, t *Type, x term.Term) {
	text, ok := term.Text(x)
	if !ok {
		e.mismatch(t, x)
	} else if e.fitting(t, term.Atom(text)) {
		e.text(text)
	}
}

// encodeChars writes a list of characters or codes, or a text, as a string.
func encodeChars(e *encoder, t *Type, x term.Term) {
	if text, ok := term.Text(x); ok && x != term.Nil {
		e.text(text)
		return
	}
	items, ok := term.Slice(x)
	if !ok {
		e.mismatch(t, x)
		return
	}
	var b strings.Builder
	for _, item := range items {
		r, ok := characterOf(item)
		if !ok {
			e.mismatch(t, x)
			return
		}
		b.WriteRune(r)
	}
	e.text(b.String())
}

// characterOf returns the character that a one-character text or a code is.
func characterOf(x term.Term) (rune, bool) {
	if code, ok := x.(term.Int); ok {
		return rune(code), code >= 0 && code <= utf8.MaxRune
	}
	text, ok := term.Text(x)
	r, size := utf8.DecodeRuneInString(text)
	return r, ok && size > 0 && size == len(text)
}

func encodeCharacter(e *encoder, t *Type, x term.Term) {
	r, ok := characterOf(x)
	if !ok {
		e.mismatch(t, x)
		return
	}
	e.text(string(r))
}

func encodeList(e *encoder, t *Type, x term.Term) {
	items, ok := term.Slice(x)
	if !ok || t.count >= 0 && len(items) != t.count {
		e.mismatch(t, x)
		return
	}
	if e.fitting(t, x) {
		e.array(items, func(item term.Term, _ int) { e.encode(t.elem, item) })
	}
}

// array writes the items with the function.
func (e *encoder) array(items []term.Term, write func(item term.Term, i int)) {
	e.raw("[")
	for i, item := range items {
		if e.err != nil {
			return
		}
		if i > 0 {
			e.raw(",")
		}
		e.at.enterIndex(i)
		write(item, i)
		e.at.leave()
	}
	e.raw("]")
}

func encodePair(e *encoder, t *Type, x term.Term) {
	pair, ok := term.Is(x, "-", 2)
	if !ok {
		e.mismatch(t, x)
		return
	}
	e.raw(`{"key":`)
	e.encode(t.elem, pair[0])
	e.raw(`,"value":`)
	e.encode(t.value, pair[1])
	e.raw("}")
}

func encodeOneOf(e *encoder, t *Type, x term.Term) {
	for i, one := range t.values {
		if sameText(x, one) || compareValues(x, one) == 0 {
			if !e.exact || !isInexact(one) || !e.number(one) {
				e.raw(string(t.encoded[i]))
			}
			return
		}
	}
	e.mismatch(t, x)
}

func encodeBetween(e *encoder, t *Type, x term.Term) {
	if !t.within(x) {
		e.mismatch(t, x)
		return
	}
	e.encode(t.elem, x)
}

// encodeTypes writes x as the first of the types that it is of.
func encodeTypes(e *encoder, t *Type, x term.Term) {
	for _, one := range t.alternatives {
		try := *e
		if try.encode(one, x); try.err == nil {
			*e = try
			return
		}
		if _, ok := try.err.(Problems); !ok {
			e.err = try.err
			return
		}
	}
	e.mismatch(t, x)
}

func encodeObject(e *encoder, t *Type, x term.Term) {
	if !IsObject(x) {
		e.mismatch(t, x)
		return
	}
	e.value(x, hint{})
}

func encodeFields(e *encoder, t *Type, x term.Term) {
	if !IsObject(x) {
		e.mismatch(t, x)
		return
	}
	names := t.fields.names()
	written := e.object(t.withoutMissing(x), func(name string, value term.Term) {
		if i := slices.Index(names, name); i >= 0 {
			e.encode(t.fields[i].Type, value)
		} else {
			e.fail("not declared, the properties are %s", spell.Listing(names))
		}
	})
	for _, field := range t.fields {
		if !field.Optional && !written[field.Name] {
			e.at.enterName(field.Name)
			e.fail("missing, expected %s", field.Type.want())
		}
	}
}

// withoutMissing returns an object without the members that are null and may be left out.
func (t *Type) withoutMissing(x term.Term) term.Term {
	pairs, ok := memberPairs(x)
	kept := slices.DeleteFunc(slices.Clone(pairs), func(pair term.Term) bool {
		name, value, _ := splitPair(pair)
		i := slices.Index(t.fields.names(), name)
		return i >= 0 && t.fields[i].Optional && value == term.Term(null)
	})
	if !ok || len(kept) == len(pairs) {
		return x
	}
	return term.Curlies(kept...)
}

// IsObject reports whether x stands for a JSON object: {...}, {}, a dict or json(List).
func IsObject(x term.Term) bool {
	if x == term.Curly {
		return true
	}
	if _, ok := term.Is(x, term.Curly, 1); ok {
		return true
	}
	if c, ok := x.(*term.Compound); ok && c.IsDict() {
		return true
	}
	args, ok := term.Is(x, "json", 1)
	if !ok {
		return false
	}
	_, ok = term.Slice(args[0])
	return ok
}

// object writes {...}, {}, a dict or json(List), its members with the function, and returns the names it met.
func (e *encoder) object(x term.Term, write func(name string, value term.Term)) map[string]bool {
	names := map[string]bool{}
	pairs, ok := memberPairs(x)
	e.raw("{")
	for _, pair := range pairs {
		if e.err != nil {
			break
		}
		name, value, ok := splitPair(pair)
		switch {
		case !ok:
			e.fail("expected Name-Value, got %s", e.codec.show(pair))
		case names[name]:
			e.fail("the name %s is there twice", strconv.Quote(spell.Shorten(name)))
		}
		e.name(name, len(names) == 0)
		names[name] = true
		e.at.enterName(name)
		write(name, value)
		e.at.leave()
	}
	if !ok && e.err == nil {
		e.err = ErrTooLarge
	}
	e.raw("}")
	return names
}

// memberPairs returns the members of an object. ok is false for a cyclic term, some of whose members come again.
func memberPairs(x term.Term) (pairs []term.Term, ok bool) {
	if args, ok := term.Is(x, "json", 1); ok {
		return term.Slice(args[0])
	}
	_, members, ok := term.DictOf(x)
	if !ok {
		return term.CurlyItems(x)
	}
	for _, p := range members {
		if n, ok := p.Key.(term.Int); ok {
			p.Key = term.Atom(strconv.FormatInt(int64(n), 10))
		}
		pairs = append(pairs, term.New("-", p.Key, p.Value))
	}
	return pairs, true
}

// splitPair takes apart k-v, k:v or k=v.
func splitPair(pair term.Term) (name string, value term.Term, ok bool) {
	c, isCompound := pair.(*term.Compound)
	if !isCompound || len(c.Args) != 2 || c.Functor != "-" && c.Functor != ":" && c.Functor != "=" {
		return "", nil, false
	}
	if n, isInt := c.Args[0].(term.Int); isInt {
		return strconv.FormatInt(int64(n), 10), c.Args[1], true
	}
	name, ok = term.Text(c.Args[0])
	return name, c.Args[1], ok
}

func encodeProlog(e *encoder, _ *Type, x term.Term) { e.prolog(x) }

// prolog writes a term as a string of Prolog text.
func (e *encoder) prolog(x term.Term) {
	switch {
	case e.codec.Format == nil:
		e.fail("writing Prolog text is not possible here")
	case !Within(x, e.limit): // a node takes a byte at least
		e.overflow()
	default:
		e.text(e.codec.Format(x))
	}
}

func encodeGround(e *encoder, t *Type, x term.Term) {
	if Within(x, e.limit) && !isGround(x) {
		e.mismatch(t, x)
		return
	}
	e.prolog(x)
}

func encodeAny(e *encoder, _ *Type, x term.Term) {
	if text, ok := term.Text(x); ok {
		e.text(text)
		return
	}
	e.prolog(x)
}

func encodeUntyped(e *encoder, _ *Type, x term.Term) { e.value(x, hint{}) }

// value writes a term that has no declared type. Terms that stand for JSON are written as that, all others as Prolog
// text. The hint says where true, false and null are not strings.
func (e *encoder) value(x term.Term, h hint) {
	if e.err != nil {
		return
	}
	if len(e.at) > nesting.Max {
		e.fail("nested deeper than %d levels, or cyclic", nesting.Max)
		return
	}
	if literal, ok := jsonLiteral(x, h); ok {
		e.raw(literal)
		return
	}
	if text, ok := term.Text(x); ok && x != term.Nil && x != term.Curly {
		e.text(text)
		return
	}
	if _, ok := x.(*term.Var); ok || x == nil {
		e.fail("unbound: the goal gave it no value")
	} else if items, ok := term.Slice(x); ok {
		e.array(items, func(item term.Term, i int) { e.value(item, h.item(i)) })
	} else if IsObject(x) {
		e.object(x, func(name string, value term.Term) { e.value(value, h.member(x, name)) })
	} else if !e.numberAs(x, h) {
		e.prolog(x)
	}
}

// numberAs is number for a place where a schema may want numbers only.
func (e *encoder) numberAs(x term.Term, h hint) (ok bool) {
	exact := e.exact
	e.exact = exact && h.takesText()
	ok = e.number(x)
	e.exact = exact
	return ok
}

// jsonLiteral returns true, false or null when x is @true and so on, or the bare atom where the hint wants it.
func jsonLiteral(x term.Term, h hint) (literal string, ok bool) {
	bare, isAtom := x.(term.Atom)
	if args, isAt := term.Is(x, "@", 1); isAt {
		bare, isAtom = args[0].(term.Atom)
	} else {
		isAtom = isAtom && h.wants(bare)
	}
	return string(bare), isAtom && (bare == "true" || bare == "false" || bare == "null")
}

// Within reports whether x has at most limit nodes, counted as often as they are written. It ends for cyclic terms.
func Within(x term.Term, limit int) bool {
	for range term.Parts(x) {
		if limit--; limit < 0 {
			return false
		}
	}
	return true
}

// isGround reports whether x has no variables. The caller knows that x ends.
func isGround(x term.Term) bool {
	for part := range term.Parts(x) {
		if _, isVar := part.(*term.Var); isVar {
			return false
		}
	}
	return true
}
