package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines how JSON becomes terms, type by type in the order of the table of rules.
// Each function returns nil when it has reported a problem. They recurse as deep as the
// type and the value are nested, which maxTypeDepth and nesting.Max bound.

// decoder is one conversion from JSON.
type decoder struct {
	survey
	codec *Codec
	// asGiven says that a text is never read as the JSON that it holds.
	asGiven bool
	// read are the places of the texts that were.
	read []string
}

// decode converts a value. Some clients put JSON that is no text into quotes, whatever the schema says, and their model
// cannot mend that: a text that does not fit, but is JSON that does, counts as that JSON.
func (d *decoder) decode(t *Type, value any) term.Term {
	text, isText := value.(string)
	before := d.count()
	x := t.rule.decode(d, t, value)
	if !isText || d.asGiven || d.count() == before {
		return x
	}
	held, ok := heldJSON(text)
	if !ok {
		return x
	}
	given := d.survey
	given.found = slices.Clone(given.found)
	d.rewind(before)
	x = t.rule.decode(d, t, held)
	_, isArray := held.([]any)
	_, isObject := held.(Object)
	switch {
	case d.count() == before && t.values != nil: // the schema has texts for numbers
	case d.count() == before:
		d.read = append(d.read, d.at.String())
	case !isArray && !isObject || d.found[len(d.found)-1].Path == d.at.String():
		d.survey = given
	}
	return x
}

// unfit reports a value that is not of type t, and returns nil.
func (d *decoder) unfit(t *Type, value any) term.Term {
	d.mismatch(t.want(), value)
	return nil
}

// fitting returns x if it fits the restriction of t, and else reports value.
func (d *decoder) fitting(t *Type, x term.Term, value any) term.Term {
	if t.rule.fits != nil && !t.rule.fits(t, x) {
		return d.unfit(t, value)
	}
	return x
}

func decodeInteger(d *decoder, t *Type, value any) term.Term {
	n, isNumber := value.(json.Number)
	if len(n) > maxDigits {
		d.report("expected %s of at most %d digits, got %d", t.want(), maxDigits, len(n))
		return nil
	}
	if x, ok := integerTerm(n); isNumber && ok {
		return d.fitting(t, x, value)
	}
	return d.unfit(t, value)
}

func decodeFloat(d *decoder, t *Type, value any) term.Term { return d.number(t, value, floatTerm) }

func decodeNumber(d *decoder, t *Type, value any) term.Term { return d.number(t, value, numberTerm) }

func (d *decoder) number(t *Type, value any, convert func(json.Number) (term.Term, bool)) term.Term {
	n, ok := value.(json.Number)
	if !ok {
		return d.unfit(t, value)
	}
	x, ok := convert(n)
	if !ok {
		d.report("the number %s is out of range", spell.Shorten(n.String()))
		return nil
	}
	return x
}

func decodeBoolean(d *decoder, t *Type, value any) term.Term {
	b, ok := value.(bool)
	if !ok {
		return d.unfit(t, value)
	}
	return term.Atom(strconv.FormatBool(b))
}

// text returns the string that value is, ok being false when it has reported that it is not.
func (d *decoder) text(t *Type, value any) (text string, ok bool) {
	if text, ok = value.(string); !ok {
		d.mismatch(t.want(), value)
	}
	return text, ok
}

func decodeAtom(d *decoder, t *Type, value any) term.Term {
	text, ok := d.text(t, value)
	if !ok {
		return nil
	}
	return d.fitting(t, term.Atom(text), value)
}

func decodeString(d *decoder, t *Type, value any) term.Term {
	text, ok := d.text(t, value)
	if !ok {
		return nil
	}
	return term.String(text)
}

func decodeChars(d *decoder, t *Type, value any) term.Term {
	return d.letters(t, value, func(r rune) term.Term { return term.Atom(string(r)) })
}

func decodeCodes(d *decoder, t *Type, value any) term.Term {
	return d.letters(t, value, func(r rune) term.Term { return term.Int(r) })
}

func (d *decoder) letters(t *Type, value any, letter func(rune) term.Term) term.Term {
	text, ok := d.text(t, value)
	if !ok {
		return nil
	}
	items := make([]term.Term, 0, len(text))
	for _, r := range text {
		items = append(items, letter(r))
	}
	return term.List(items...)
}

func decodeCharacter(d *decoder, t *Type, value any) term.Term {
	text, ok := d.text(t, value)
	if !ok {
		return nil
	}
	if utf8.RuneCountInString(text) != 1 {
		return d.unfit(t, value)
	}
	return term.Atom(text)
}

func decodeCode(d *decoder, t *Type, value any) term.Term {
	char, ok := decodeCharacter(d, t, value).(term.Atom)
	if !ok {
		return nil
	}
	r, _ := utf8.DecodeRuneInString(string(char))
	return term.Int(r)
}

func decodeList(d *decoder, t *Type, value any) term.Term {
	array, ok := value.([]any)
	if !ok || t.count >= 0 && len(array) != t.count {
		return d.unfit(t, value)
	}
	before := d.count()
	items := make([]term.Term, len(array))
	for i, one := range array {
		d.at.enterIndex(i)
		items[i] = d.decode(t.elem, one)
		d.at.leave()
	}
	if d.count() > before {
		return nil
	}
	return d.fitting(t, term.List(items...), value)
}

func decodePair(d *decoder, t *Type, value any) term.Term {
	o, ok := value.(Object)
	if !ok {
		return d.unfit(t, value)
	}
	pair := d.members(o, Params{{Name: "key", Type: t.elem}, {Name: "value", Type: t.value}})
	if slices.Contains(pair, nil) {
		return nil
	}
	return term.New("-", pair...)
}

// members converts the members that params declare, nil standing for absent ones and for
// those that do not fit, and reports what is missing or not declared.
func (d *decoder) members(o Object, params Params) []term.Term {
	values := make([]term.Term, len(params))
	for i, p := range params {
		value, ok := o.Get(p.Name)
		switch {
		case ok && value == nil && !p.required():
			values[i] = d.nullMember(p)
		case ok:
			before := d.count()
			values[i] = d.member(member{p.Name, value}, p.Type.orUntyped())
			if d.count() > before {
				d.sayForm(p)
			}
		case p.Default != nil:
			values[i] = p.Default
		case p.Type.orUntyped().rule.json == maybeJSON && !p.Optional:
			values[i] = null
		case !p.Optional:
			d.missing(p.Name, p.wanted())
		}
	}
	names := params.names()
	for _, m := range o {
		if !slices.Contains(names, m.name) {
			d.unexpected(m.name, names, params.placeOf(m, o))
		}
	}
	return values
}

// sayForm adds to the problem of a text that does not match a pattern what is said of it: few read patterns well.
func (d *decoder) sayForm(p Param) {
	if p.Type.orUntyped().pattern == nil || d.omitted > 0 {
		return
	}
	last := &d.found[len(d.found)-1]
	switch {
	case len(p.Examples) > 0:
		last.Text += ", such as " + spell.Shorten(string(p.Examples[0]))
	case p.Description != "":
		last.Text += " (" + spell.Shorten(p.Description) + ")"
	}
}

// placeOf says where a member of an object that nothing declares may belong, or "".
func (ps Params) placeOf(m member, o Object) string {
	inner, _ := m.value.(Object)
	for _, p := range ps {
		if _, given := o.Get(p.Name); given {
			continue
		}
		if _, within := inner.Get(p.Name); within {
			return "give its members without it"
		}
		if slices.Contains(p.Type.orUntyped().fields.names(), m.name) {
			return "it belongs into " + strconv.Quote(p.Name)
		}
	}
	return ""
}

// nullMember converts null for a member that may be left out. Models write it for that, so that a type which has no
// null takes it as left out.
func (d *decoder) nullMember(p Param) term.Term {
	before := d.count()
	x := d.member(member{p.Name, nil}, p.Type.orUntyped())
	if d.count() > before {
		d.rewind(before)
		return p.Default
	}
	return x
}

// member converts the value of a member.
func (d *decoder) member(m member, t *Type) term.Term {
	d.at.enterName(m.name)
	defer d.at.leave()
	return d.decode(t, m.value)
}

// wanted says what the value of a property has to be, with an example if there is one.
func (p *Param) wanted() string {
	if len(p.Examples) == 0 {
		return p.Type.orUntyped().want()
	}
	return p.Type.orUntyped().want() + ", such as " + spell.Shorten(string(p.Examples[0]))
}

// decodeOneOf returns the value as it was declared.
func decodeOneOf(d *decoder, t *Type, value any) term.Term {
	base := cmp.Or(t.elem, untyped)
	before, read := d.count(), len(d.read)
	x := d.decode(base, value)
	d.rewind(before)
	if x != nil {
		for _, one := range t.values {
			if sameText(x, one) || compareValues(x, one) == 0 {
				d.read = d.read[:read]
				return one
			}
		}
	}
	d.notOneOf(t, value)
	return nil
}

// sameText reports whether a and b are an atom or string of the same text.
func sameText(a, b term.Term) bool {
	textA, okA := term.Text(a)
	textB, okB := term.Text(b)
	return okA && okB && textA == textB
}

func (d *decoder) notOneOf(t *Type, value any) {
	text, _ := value.(string)
	var words []string
	for _, one := range t.values {
		if word, ok := term.Text(one); ok {
			words = append(words, word)
		}
	}
	if near := nearest(text, words); near != "" {
		d.report("expected %s, got %s, did you mean %q?", t.want(), describeJSON(value), near)
		return
	}
	d.mismatch(t.want(), value)
}

func decodeBetween(d *decoder, t *Type, value any) term.Term {
	before := d.count()
	x := d.decode(t.elem, value)
	if x != nil && t.within(x) {
		return x
	}
	d.rewind(before) // the bounds are worth knowing too
	return d.unfit(t, value)
}

// within reports whether x lies between the bounds of t.
func (t *Type) within(x term.Term) bool {
	return compareValues(x, t.low) >= 0 && compareValues(x, t.high) <= 0
}

func decodeMaybe(d *decoder, t *Type, value any) term.Term {
	if value == nil {
		return null
	}
	return d.decode(t.elem, value)
}

func decodeTypes(d *decoder, t *Type, value any) term.Term {
	before, asGiven := d.count(), d.asGiven
	defer func() { d.asGiven = asGiven }()
	for _, d.asGiven = range []bool{true, asGiven} { // a text that fits as it is stays one
		for _, one := range t.alternatives {
			d.rewind(before)
			x := d.decode(one, value)
			if d.count() == before {
				return x
			}
		}
	}
	if len(t.alternatives) > 1 {
		d.rewind(before)
		d.mismatch(t.want(), value)
	}
	return nil
}

func decodeObject(d *decoder, t *Type, value any) term.Term {
	if _, ok := value.(Object); !ok {
		return d.unfit(t, value)
	}
	return decodeUntyped(d, untyped, value)
}

func decodeDict(d *decoder, t *Type, value any) term.Term {
	o, ok := value.(Object)
	if !ok {
		return d.unfit(t, value)
	}
	var pairs []term.Pair
	for _, m := range o {
		pairs = append(pairs, term.Pair{Key: dictKey(m.name), Value: d.member(m, dictValue)})
	}
	dict, duplicate := term.NewDict(term.NewVar("_"), pairs)
	if duplicate != nil {
		d.report("the name %s is there twice", strconv.Quote(spell.Shorten(Summary(duplicate))))
		return nil
	}
	return dict
}

// dictKey returns the key for a name: the integer that it is the text of, or else an atom.
func dictKey(name string) term.Term {
	const most = 1 << 60
	if n, err := strconv.ParseInt(name, 10, 64); err == nil && -most <= n && n < most && strconv.FormatInt(n, 10) == name {
		return term.Int(n)
	}
	return term.Atom(name)
}

// decodeDictValue returns a value in a dict as library(http/json) does: texts are strings, objects are dicts.
func decodeDictValue(d *decoder, t *Type, value any) term.Term {
	switch v := value.(type) {
	case nil:
		return term.Atom("null")
	case bool:
		return term.Atom(strconv.FormatBool(v))
	case json.Number:
		return d.number(t, v, numberTerm)
	case string:
		return term.String(v)
	case []any:
		return decodeList(d, &Type{rule: t.rule, elem: t, count: -1}, v)
	}
	return decodeDict(d, t, value)
}

func decodeFields(d *decoder, t *Type, value any) term.Term {
	o, ok := value.(Object)
	if !ok {
		return d.unfit(t, value)
	}
	before := d.count()
	values := d.members(o, t.fields)
	if d.count() > before {
		return nil
	}
	var pairs []term.Term
	for i, field := range t.fields {
		if values[i] != nil {
			pairs = append(pairs, term.New("-", term.Atom(field.Name), values[i]))
		}
	}
	return term.Curlies(pairs...)
}

func decodeProlog(d *decoder, t *Type, value any) term.Term {
	text, ok := d.text(t, value)
	if !ok {
		return nil
	}
	x, err := d.codec.parse(text)
	if err != nil {
		d.report("expected %s, got %s: %s", t.want(), describeJSON(value), err)
		return nil
	}
	return x
}

func decodeCallable(d *decoder, t *Type, value any) term.Term {
	x := decodeProlog(d, t, value)
	if _, _, ok := term.Indicator(x); x != nil && !ok {
		return d.unfit(t, value)
	}
	return x
}

func decodeGround(d *decoder, t *Type, value any) term.Term {
	x := decodeProlog(d, t, value)
	if x != nil && !isGround(x) {
		return d.unfit(t, value)
	}
	return x
}

func decodeUntyped(d *decoder, t *Type, value any) term.Term {
	switch v := value.(type) {
	case nil:
		return term.New("@", term.Atom("null"))
	case bool:
		return term.New("@", term.Atom(strconv.FormatBool(v)))
	case json.Number:
		return d.number(t, v, numberTerm)
	case string:
		return term.Atom(v)
	case []any:
		return decodeList(d, &Type{rule: t.rule, elem: t, count: -1}, v)
	}
	var pairs []term.Term
	for _, m := range value.(Object) { // there is no other JSON value
		pairs = append(pairs, term.New("-", term.Atom(m.name), d.member(m, t)))
	}
	return term.Curlies(pairs...)
}
