package texts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/terms"
)

// This file defines the reading of JSON (RFC 8259): the part in Go of library(json).

// JSON has the predicates that read JSON.
var JSON = []machine.Builtin{
	{Name: "$read_json", Arity: 4, Func: stream.From(readJSON), Modes: "+stream, +settings, +end, -term",
		Doc: "Term is the next JSON value of a stream. What follows it is left there."},
	{Name: "$json_text", Arity: 4, Func: jsonText, Modes: "+string, +settings, +end, -term",
		Doc: "Term is the JSON value that a string holds and nothing else."},
}

// jsonReader reads one value. It keeps open arrays and objects on its own stack, so their depth is bounded only by
// memory. Its memory counts as memory of the run.
type jsonReader struct {
	m    *machine.Machine
	s    *stream.Stream
	next rune // the next character, which has not been read
	read int  // characters that have been read

	form, strings     string      // as the options form(F) and string(S) say
	tagKey            cell        // the key whose value is the tag of a dict
	tag               cell        // the tag of the other dicts
	null, true, false cell        // the terms for the constants
	items             []cell      // the elements and members of open groups, from the outermost
	open              []jsonGroup // from the outermost
	text              []byte      // of the string or number
	high              rune        // the last character that was an escape
	highEnd           int         // where it ends in the text
	held              [3]int      // bytes that count as memory: of items, open and text
}

// jsonGroup is an array or an object that is open.
type jsonGroup struct {
	first  int  // the index of its first item
	object bool // or an array
	key    cell // of the member whose value comes next
}

// readJSON is $read_json/4.
func readJSON(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	if err := s.NeedText(m, "input"); err != nil {
		return false, err
	}
	return readJSONFrom(m, s, a, false)
}

// jsonText is $json_text/4.
func jsonText(m *machine.Machine, a []cell) (bool, error) {
	text, err := Any(m, a[0], "text")
	if err != nil {
		return false, err
	}
	if err := m.Hold(len(text)); err != nil {
		return false, err
	}
	defer func() { _ = m.Hold(-len(text)) }()
	s := &stream.Stream{Mode: stream.ModeRead, EOFAction: stream.EOFCode, In: syntax.NewTextInput("", text)}
	return readJSONFrom(m, s, a[1:], true)
}

// readJSONFrom reads a value. a holds the settings, the value for the end of the input as a list of at most one term,
// and the term. Nothing may follow the value of a whole text.
func readJSONFrom(m *machine.Machine, s *stream.Stream, a []cell, whole bool) (bool, error) {
	r := &jsonReader{m: m, s: s}
	defer func() { _ = m.Hold(-r.held[0] - r.held[1] - r.held[2]) }()
	if err := r.configure(m.Deref(a[0])); err != nil {
		return false, err
	}
	if err := r.skipLayout(); err != nil {
		return false, err
	}
	if end := m.Deref(a[1]); r.next == stream.EndOfInput && end.Tag() == code.Lst {
		return m.Unify(a[2], m.Arg(end, 0)), nil
	}
	t, err := r.value()
	if err != nil {
		return false, err
	}
	if whole {
		if err := r.skipLayout(); err != nil {
			return false, err
		}
		if r.next != stream.EndOfInput {
			return false, r.illegal("illegal_json")
		}
	}
	return m.Unify(a[2], t), nil
}

// The functors of the settings and of their form.
var (
	fnJSONSettings = code.Functor("settings", 5)
	fnJSONDict     = code.Functor("dict", 2)
)

// configure takes the settings from settings(Form, String, Null, True, False). Form is an atom or dict(TagKey, Tag).
// The library passes only such settings. A program that calls these predicates itself may pass others.
func (r *jsonReader) configure(settings cell) error {
	m := r.m
	has := func(c, functor cell) bool { return stacks.IsCompound(c) && m.Functor(c) == functor }
	arg := func(c cell, i int) cell { return m.Deref(m.Arg(c, i)) }
	if !has(settings, fnJSONSettings) {
		return m.TypeError("json_settings", settings)
	}
	form, kind := arg(settings, 0), arg(settings, 1)
	if kind.Tag() != code.Atom {
		return m.TypeError("atom", kind)
	}
	switch {
	case form.Tag() == code.Atom:
		r.form = stacks.AtomText(form)
	case has(form, fnJSONDict):
		r.form, r.tagKey, r.tag = "dict", arg(form, 0), arg(form, 1)
	default:
		return m.TypeError("json_form", form)
	}
	r.strings = stacks.AtomText(kind)
	r.null, r.true, r.false = arg(settings, 2), arg(settings, 3), arg(settings, 4)
	return nil
}

// illegal is the exception for a text that is no JSON.
func (r *jsonReader) illegal(what string) error { return r.fault(r.m.NewAtom(what)) }

func (r *jsonReader) fault(what cell) error {
	formal := r.m.NewStruct("syntax_error", r.m.NewStruct("json", what))
	return r.m.Throw(r.m.NewStruct("error", formal, r.m.NewVar()))
}

// peek returns the next character without reading it.
func (r *jsonReader) peek() (err error) {
	r.next, err = r.s.PeekChar(r.m)
	return err
}

// skip reads the next character and peeks at the one after it. It charges for every eight characters.
func (r *jsonReader) skip() error {
	if r.read++; r.read&7 == 0 {
		if err := r.m.Charge(1); err != nil {
			return err
		}
	}
	if _, err := r.s.ReadChar(r.m); err != nil {
		return err
	}
	return r.peek()
}

// skipLayout skips layout characters.
func (r *jsonReader) skipLayout() error {
	err := r.peek()
	for err == nil && (r.next == ' ' || r.next == '\n' || r.next == '\t' || r.next == '\r') {
		err = r.skip()
	}
	return err
}

// pass reads the next character and skips layout after it.
func (r *jsonReader) pass() error {
	if err := r.skip(); err != nil {
		return err
	}
	return r.skipLayout()
}

// value reads the value that begins with the next character.
func (r *jsonReader) value() (cell, error) {
	for {
		t, whole, err := r.begin()
		for err == nil && whole {
			if len(r.open) == 0 {
				return t, nil
			}
			t, whole, err = r.add(t)
		}
		if err != nil {
			return 0, err
		}
	}
}

// begin reads a value, or its beginning if it is an array or an object with items.
func (r *jsonReader) begin() (t cell, whole bool, err error) {
	switch c := r.next; {
	case c == '[' || c == '{':
		return r.opened(c == '{')
	case c == '"':
		err = r.quoted()
		return r.textTerm(), true, err
	case c == '-' || isDigit(c):
		t, err = r.number()
	case c == 't':
		t, err = r.constant("true", r.true)
	case c == 'f':
		t, err = r.constant("false", r.false)
	case c == 'n':
		t, err = r.constant("null", r.null)
	case c == stream.EndOfInput:
		err = r.illegal("unexpected_end_of_file")
	default:
		err = r.illegal("illegal_json")
	}
	return t, true, err
}

// opened reads an opening bracket, and the key of the first member of an object. An empty array or object is complete.
func (r *jsonReader) opened(object bool) (t cell, whole bool, err error) {
	g := jsonGroup{first: len(r.items), object: object}
	if err := r.pass(); err != nil {
		return 0, false, err
	}
	if r.next == g.closing() {
		t, err := r.closed(g)
		return t, true, err
	}
	if r.open, err = machine.Grow(r.m, r.open, 1, &r.held[1]); err != nil {
		return 0, false, err
	}
	r.open = append(r.open, g)
	return 0, false, r.readKey()
}

// closing returns the bracket that ends a group.
func (g jsonGroup) closing() rune {
	if g.object {
		return '}'
	}
	return ']'
}

// readKey reads the key of a member of the innermost group if that is an object, up to its value.
func (r *jsonReader) readKey() error {
	g := &r.open[len(r.open)-1]
	if !g.object {
		return nil
	}
	if r.next != '"' {
		return r.illegal("illegal_json")
	}
	if err := r.quoted(); err != nil {
		return err
	}
	g.key = r.m.NewAtom(string(r.text))
	if err := r.skipLayout(); err != nil {
		return err
	}
	if r.next != ':' {
		return r.illegal("illegal_json")
	}
	return r.pass()
}

// add makes a value an item of the innermost group, and reads up to the next value or the end of the group. A completed
// group is the next value.
func (r *jsonReader) add(item cell) (t cell, whole bool, err error) {
	g := r.open[len(r.open)-1]
	if g.object {
		functor := code.FMinus
		if r.form == "classic" {
			functor = code.FEqual
		}
		item = r.m.NewCompound(functor, []cell{g.key, item})
	}
	if r.items, err = machine.Grow(r.m, r.items, 1, &r.held[0]); err != nil {
		return 0, false, err
	}
	r.items = append(r.items, item)
	if err := r.skipLayout(); err != nil {
		return 0, false, err
	}
	switch {
	case r.next == ',':
		if err := r.pass(); err != nil {
			return 0, false, err
		}
		return 0, false, r.readKey()
	case r.next == g.closing():
		r.open = r.open[:len(r.open)-1]
		t, err := r.closed(g)
		return t, true, err
	case g.object:
		return 0, false, r.illegal("illegal_object")
	}
	return 0, false, r.illegal("illegal_array")
}

// closed reads the closing bracket of a group and returns its term.
func (r *jsonReader) closed(g jsonGroup) (cell, error) {
	items := r.items[g.first:]
	r.items = r.items[:g.first]
	if err := r.skip(); err != nil {
		return 0, err
	}
	switch {
	case g.object && r.form == "curly":
		return r.curly(items), nil
	case g.object && r.form == "dict":
		return r.dict(items)
	}
	list := r.m.List(items, code.ANil)
	if g.object {
		return r.m.NewStruct("json", list), nil
	}
	return list, nil
}

// curly returns {Member, ...}.
func (r *jsonReader) curly(members []cell) cell {
	if len(members) == 0 {
		return r.m.NewAtom("{}")
	}
	last := len(members) - 1
	t := members[last]
	for i := last - 1; i >= 0; i-- {
		t = r.m.NewCompound(code.FComma, []cell{members[i], t})
	}
	return r.m.NewStruct("{}", t)
}

// dict returns a dict. A member with the key for tags becomes the tag if its value is a string.
func (r *jsonReader) dict(members []cell) (cell, error) {
	tag := r.tag
	if stacks.IsVar(tag) {
		tag = r.m.NewVar()
	}
	for i, member := range members {
		if r.tagKey == code.AEmpty || r.m.Deref(r.m.Arg(member, 0)) != r.tagKey {
			continue
		}
		if value := r.m.Deref(r.m.Arg(member, 1)); r.m.IsString(value) {
			tag = r.m.NewAtom(r.m.StringValue(value))
			members = slices.Delete(members, i, i+1)
			break
		}
	}
	dict := r.m.NewVar()
	_, err := terms.MakeDict(r.m, []cell{tag, r.m.List(members, code.ANil), dict})
	return r.m.Deref(dict), err
}

// textTerm returns the text that has been read, as the option string(S) says.
func (r *jsonReader) textTerm() cell {
	text := string(r.text)
	switch r.strings {
	case "string":
		return r.m.NewString(text)
	case "codes":
		return r.m.NewCodes(text, code.ANil)
	case "chars":
		return r.m.NewChars(text, code.ANil)
	}
	return r.m.NewAtom(text)
}

// constant reads a word.
func (r *jsonReader) constant(word string, t cell) (cell, error) {
	for _, c := range word {
		if r.next != c {
			return 0, r.fault(r.m.NewStruct("json_expected", r.m.NewAtom(word)))
		}
		if err := r.skip(); err != nil {
			return 0, err
		}
	}
	return t, nil
}

// number reads a number and brings it to Prolog's syntax, where a float has a fraction.
func (r *jsonReader) number() (cell, error) {
	r.text = r.text[:0]
	if r.next == '-' {
		if err := r.take(); err != nil {
			return 0, err
		}
	}
	begins := len(r.text)
	if err := r.digits(); err != nil {
		return 0, err
	}
	if r.text[begins] == '0' && len(r.text) > begins+1 {
		return 0, r.illegal("illegal_number")
	}
	if r.next == '.' {
		if err := r.take(); err != nil {
			return 0, err
		}
		if err := r.digits(); err != nil {
			return 0, err
		}
	} else if r.next == 'e' || r.next == 'E' {
		r.text = append(r.text, ".0"...)
	}
	if r.next == 'e' || r.next == 'E' {
		if err := r.take(); err != nil {
			return 0, err
		}
		if r.next == '-' || r.next == '+' {
			if err := r.take(); err != nil {
				return 0, err
			}
		}
		if err := r.digits(); err != nil {
			return 0, err
		}
	}
	t, ok := ParseNumber(r.m, string(r.text))
	if !ok {
		return 0, r.m.SyntaxError("illegal_number")
	}
	return t, nil
}

// take reads the next character into the text.
func (r *jsonReader) take() (err error) {
	if r.text, err = machine.Grow(r.m, r.text, utf8.UTFMax, &r.held[2]); err != nil {
		return err
	}
	r.text = utf8.AppendRune(r.text, r.next)
	return r.skip()
}

// digits reads at least one digit into the text.
func (r *jsonReader) digits() error {
	if !isDigit(r.next) {
		return r.illegal("illegal_number")
	}
	for isDigit(r.next) {
		if err := r.take(); err != nil {
			return err
		}
	}
	return nil
}

func isDigit(c rune) bool { return c >= '0' && c <= '9' }

// quoted reads a string into the text.
func (r *jsonReader) quoted() error {
	r.text, r.high = r.text[:0], 0
	if err := r.skip(); err != nil {
		return err
	}
	for r.next != '"' {
		var err error
		switch r.next {
		case stream.EndOfInput:
			return r.illegal("eof_in_string")
		case '\\':
			err = r.escape()
		default:
			err = r.take()
		}
		if err != nil {
			return err
		}
	}
	return r.skip()
}

// escaped has pairs of a character after a backslash and the character it stands for.
const escaped = `""\\//` + "b\bf\fn\nr\rt\t"

// escape reads a backslash and what it escapes.
func (r *jsonReader) escape() error {
	if err := r.skip(); err != nil {
		return err
	}
	switch r.next {
	case stream.EndOfInput:
		return r.illegal("eof_in_string")
	case 'u':
		return r.unicodeEscape()
	}
	for i := 0; i < len(escaped); i += 2 {
		if r.next == rune(escaped[i]) {
			r.text = append(r.text, escaped[i+1])
			return r.skip()
		}
	}
	return r.illegal("illegal_string_escape")
}

// unicodeEscape reads a character as the letter u and its number. Two surrogates make a character. A single surrogate
// reads as U+FFFD.
func (r *jsonReader) unicodeEscape() error {
	var c rune
	for range 4 {
		if err := r.skip(); err != nil {
			return err
		}
		digit := strings.IndexRune(hexDigits, unicode.ToLower(r.next))
		if digit < 0 {
			return r.illegal("illegal_string_escape")
		}
		c = c<<4 | rune(digit)
	}
	if both := utf16.DecodeRune(r.high, c); both != utf8.RuneError && r.highEnd == len(r.text) {
		r.text = utf8.AppendRune(r.text[:r.highEnd-utf8.RuneLen(utf8.RuneError)], both)
		return r.skip()
	}
	r.text = utf8.AppendRune(r.text, c)
	r.high, r.highEnd = c, len(r.text)
	return r.skip()
}

const hexDigits = "0123456789abcdef"
