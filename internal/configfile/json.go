// Package configfile changes configuration files that belong to other programs: one entry of a JSON or TOML text,
// with all the rest, comments included, as it was.
package configfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file defines how an entry of a JSON text is set. It also defines how new members look like those around them.
// Comments and commas after last members are allowed, because editors allow them in their settings.

// maxDepth is how deep objects and arrays may lie in each other. The parser recurses into them.
const maxDepth = 1000

// Member is a key and a value that an entry shall have.
type Member struct {
	Key   string
	Value any
}

// Text is a configuration text that can be changed.
type Text interface {
	// Get returns the value of a member of an entry, nil if there is none.
	Get(path []string, key string) (any, error)
	// Set returns the text with members of an entry set. Other members of the entry stay.
	Set(path []string, members []Member) ([]byte, error)
	// Remove returns the text without an entry.
	Remove(path []string) ([]byte, error)
}

// JSON is a JSON text, perhaps with comments. An empty one stands for an empty object.
type JSON []byte

// Get returns the value of a member of the object at a path.
func (t JSON) Get(path []string, key string) (any, error) {
	root, _, err := parseJSON(t)
	if err != nil {
		return nil, err
	}
	if root.kind == 0 {
		return nil, nil
	}
	n := root
	for i, step := range append(slices.Clone(path), key) {
		if n.kind != '{' {
			return nil, notObject(path[:i])
		}
		m := n.member(step)
		if m == nil {
			return nil, nil
		}
		n = m.value
	}
	return n.decoded(t), nil
}

// Set returns the text with members of the object at a path set.
func (t JSON) Set(path []string, members []Member) ([]byte, error) {
	text := t
	for _, m := range members {
		changed, err := text.set(append(slices.Clone(path), m.Key), m.Value)
		if err != nil {
			return nil, err
		}
		text = changed
	}
	return text, t.lost(text, path, members)
}

// Remove returns the text without the member at a path.
func (t JSON) Remove(path []string) ([]byte, error) {
	root, _, err := parseJSON(t)
	if err != nil {
		return nil, err
	}
	last := len(path) - 1
	n := root
	for _, step := range path[:last] {
		m := n.member(step)
		if m == nil {
			return t, nil
		}
		n = m.value
	}
	i := slices.IndexFunc(n.members, func(m member) bool { return m.key == path[last] })
	if i < 0 {
		return t, nil
	}
	from, to := n.members[i].start, n.members[i].value.end
	if comma := n.members[i].comma; comma >= 0 {
		to = comma + 1
	}
	if lineLength(bytes.TrimLeft(t[to:], " \t")) == 0 { // the line ends here, and the one before may
		before := bytes.TrimRight(t[:from], " \t")
		from = len(bytes.TrimSuffix(bytes.TrimSuffix(before, []byte("\n")), []byte("\r")))
	}
	removed := splice(t, from, to, "")
	if i > 0 && n.members[i].comma < 0 {
		removed = splice(removed, n.members[i-1].comma, n.members[i-1].comma+1, "")
	}
	if err := t.lost(removed, path[:last], []Member{{Key: path[last]}}); err != nil {
		return nil, err
	}
	return removed.Remove(path) // a key may stand there twice
}

// bom is the mark that some editors of Windows write before a text.
var bom = []byte("\ufeff")

// set sets one member.
func (t JSON) set(path []string, value any) (JSON, error) {
	root, _, err := parseJSON(t)
	if err != nil {
		return nil, err
	}
	if root.kind == 0 {
		if t = slices.Clone(t); len(t) > 0 && !bytes.HasSuffix(t, []byte("\n")) && !bytes.Equal(t, bom) {
			t = append(t, '\n') // the text may be a comment
		}
		t = append(t, "{}\n"...)
		root = &node{kind: '{', start: len(t) - 3, end: len(t) - 1}
	}
	n := root
	for i, key := range path {
		if n.kind != '{' {
			return nil, notObject(path[:i])
		}
		m := n.member(key)
		if m == nil {
			return t.insert(root, n, path[i], nested(path[i+1:], value)), nil
		}
		n = m.value
	}
	if reflect.DeepEqual(n.decoded(t), generic(value)) {
		return t, nil
	}
	return splice(t, n.start, n.end, t.style(root).write(value, t.indentation(n.start))), nil
}

// notObject is the error of a path that leads to something else than an object.
func notObject(path []string) error {
	if len(path) == 0 {
		return errors.New("the file holds no JSON object")
	}
	return fmt.Errorf("%s is not an object", strings.Join(path, "."))
}

// nested puts a value into objects, one for each key.
func nested(path []string, value any) any {
	for _, key := range slices.Backward(path) {
		value = map[string]any{key: value}
	}
	return value
}

// generic is a value as it is when it has been decoded from JSON.
func generic(value any) any {
	data, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return decode(data)
}

// decode returns the value of standard JSON, with numbers as they are written.
func decode(data []byte) any {
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// lost returns an error if a changed text differs in more than members of the object at a path. It guards users
// against faults of this package.
func (t JSON) lost(changed JSON, path []string, members []Member) error {
	var values [2]any
	for i, text := range []JSON{t, changed} {
		root, _, err := parseJSON(text)
		if err != nil {
			return fmt.Errorf("the changed text would not be JSON: %w", err)
		}
		value := root.decoded(text)
		for _, m := range members {
			value = without(value, append(slices.Clone(path), m.Key))
		}
		values[i] = value
	}
	if !reflect.DeepEqual(values[0], values[1]) {
		return errors.New("the change would alter other entries")
	}
	return nil
}

// without returns a value without the member at a path, and without objects that are empty then.
func without(value any, path []string) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	if len(path) > 1 {
		if inner := without(object[path[0]], path[1:]); inner != nil {
			object[path[0]] = inner
			return object
		}
	}
	delete(object, path[0])
	if len(object) == 0 {
		return nil
	}
	return object
}

// node is a value of a JSON text.
type node struct {
	kind       byte // the first byte: one of { [ " or of a number or word; 0: there is no value
	start, end int
	members    []member
}

// member is a key and its value in an object.
type member struct {
	key   string
	start int
	value *node
	comma int // where the comma after it stands, or -1
}

// member returns the member of a key. Of several the last counts, as for most programs.
func (n *node) member(key string) *member {
	for i := range slices.Backward(n.members) {
		if n.members[i].key == key {
			return &n.members[i]
		}
	}
	return nil
}

// decoded is the Go value of a node.
func (n *node) decoded(t JSON) any {
	if n.kind == 0 {
		return nil
	}
	_, plain, err := parseJSON(t)
	if err != nil {
		return nil
	}
	return decode(plain[n.start:n.end])
}

// parser reads JSON with comments.
type parser struct {
	text  []byte
	pos   int
	plain []byte // a copy in which comments and superfluous commas are blank
}

// parseJSON returns the value of a text, and the text as standard JSON, in which everything stands where it stood.
func parseJSON(text []byte) (*node, []byte, error) {
	p := &parser{text: text, plain: slices.Clone(text)}
	if !utf8.Valid(text) {
		return nil, nil, errors.New("the file is not UTF-8")
	}
	if bytes.HasPrefix(text, bom) {
		p.blank(0, len(bom))
		p.pos = len(bom)
	}
	root := &node{}
	err := p.space()
	if err == nil && p.pos < len(text) {
		root, err = p.value(0)
	}
	if err == nil {
		err = p.space()
	}
	if err == nil && p.pos < len(text) {
		err = p.fail("the end of the file")
	}
	return root, p.plain, err
}

// fail says what was expected and what is there, with its place.
func (p *parser) fail(want string) error {
	line := 1 + bytes.Count(p.text[:p.pos], []byte("\n"))
	column := 1 + utf8.RuneCount(p.text[bytes.LastIndexByte(p.text[:p.pos], '\n')+1:p.pos])
	got := "the end of the file"
	if p.pos < len(p.text) {
		r, _ := utf8.DecodeRune(p.text[p.pos:])
		got = fmt.Sprintf("%q", r)
	}
	return fmt.Errorf("not JSON: line %d, column %d: expected %s, got %s", line, column, want, got)
}

// blank makes a part of the plain text blank.
func (p *parser) blank(from, to int) {
	for i := from; i < to; i++ {
		if p.plain[i] != '\n' {
			p.plain[i] = ' '
		}
	}
}

// at reports whether a text stands at the current place.
func (p *parser) at(text string) bool { return bytes.HasPrefix(p.text[p.pos:], []byte(text)) }

// space skips blanks and comments.
func (p *parser) space() error {
	for p.pos < len(p.text) {
		start := p.pos
		switch {
		case bytes.IndexByte([]byte(" \t\r\n"), p.text[p.pos]) >= 0:
			p.pos++
		case p.at("//"):
			p.pos += lineLength(p.text[p.pos:])
			p.blank(start, p.pos)
		case p.at("/*"):
			n := bytes.Index(p.text[p.pos+2:], []byte("*/"))
			if n < 0 {
				p.pos = len(p.text)
				return p.fail("the end of a comment")
			}
			p.pos += n + 4
			p.blank(start, p.pos)
		default:
			return nil
		}
	}
	return nil
}

// lineLength is the length of the first line of a text without its end.
func lineLength(text []byte) int {
	if n := bytes.IndexAny(text, "\r\n"); n >= 0 {
		return n
	}
	return len(text)
}

// value reads a value.
func (p *parser) value(depth int) (*node, error) {
	if p.pos == len(p.text) {
		return nil, p.fail("a value")
	}
	n := &node{kind: p.text[p.pos], start: p.pos}
	var err error
	switch {
	case depth == maxDepth:
		return nil, fmt.Errorf("the file nests more than %d deep", maxDepth)
	case n.kind == '{':
		err = p.elements('}', func() error { return p.member(n, depth) }, func(at int) {
			n.members[len(n.members)-1].comma = at
		})
	case n.kind == '[':
		err = p.elements(']', func() error { _, err := p.value(depth + 1); return err }, func(int) {})
	case n.kind == '"':
		_, err = p.str()
	default:
		for p.pos < len(p.text) && isWord(p.text[p.pos]) {
			p.pos++
		}
		if !json.Valid(p.text[n.start:p.pos]) {
			p.pos = n.start
			err = p.fail("a value")
		}
	}
	n.end = p.pos
	return n, err
}

// isWord reports whether a byte may be part of a number, true, false or null.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'E'
}

// elements reads what stands between brackets, with commas between and perhaps after. comma is told where each is.
func (p *parser) elements(closing byte, element func() error, comma func(at int)) error {
	p.pos++
	last := -1 // the comma before
	for first := true; ; first = false {
		if err := p.space(); err != nil {
			return err
		}
		if p.pos < len(p.text) && p.text[p.pos] == closing {
			if last >= 0 {
				p.blank(last, last+1)
			}
			p.pos++
			return nil
		}
		if !first && last < 0 {
			return p.fail(fmt.Sprintf("a comma or %c", closing))
		}
		if err := element(); err != nil {
			return err
		}
		if err := p.space(); err != nil {
			return err
		}
		last = -1
		if p.at(",") {
			last = p.pos
			comma(p.pos)
			p.pos++
		}
	}
}

// member reads a member of an object.
func (p *parser) member(n *node, depth int) error {
	m := member{start: p.pos, comma: -1}
	if !p.at(`"`) {
		return p.fail("a key in quotes")
	}
	var err error
	if m.key, err = p.str(); err != nil {
		return err
	}
	if err = p.space(); err != nil {
		return err
	}
	if !p.at(":") {
		return p.fail("a colon")
	}
	p.pos++
	if err = p.space(); err != nil {
		return err
	}
	m.value, err = p.value(depth + 1)
	n.members = append(n.members, m)
	return err
}

// str reads a string.
func (p *parser) str() (string, error) {
	start := p.pos
	for p.pos++; p.pos < len(p.text) && p.text[p.pos] != '"' && p.text[p.pos] != '\n'; p.pos++ {
		if p.text[p.pos] == '\\' && p.pos+1 < len(p.text) {
			p.pos++
		}
	}
	var s string
	if !p.at(`"`) {
		return "", p.fail("the end of a string")
	}
	p.pos++
	if json.Unmarshal(p.text[start:p.pos], &s) != nil {
		p.pos = start
		return "", p.fail("a string that is JSON")
	}
	return s, nil
}

// style is how a JSON text is laid out.
type style struct {
	unit    string // of indentation
	newline string
}

// style returns the layout of a text: the indentation of the first member, and its kind of line end.
func (t JSON) style(root *node) style {
	s := style{unit: "  ", newline: "\n"}
	if bytes.Contains(t, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	if len(root.members) > 0 {
		if unit := t.indentation(root.members[0].start); unit != "" {
			s.unit = unit
		}
	}
	return s
}

// indentation is the blank beginning of the line of a place.
func (t JSON) indentation(at int) string {
	line := t[bytes.LastIndexByte(t[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// write returns the JSON of a value that begins in a line with some indentation.
func (s style) write(value any, indentation string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(indentation, s.unit)
	_ = e.Encode(value) // strings, lists and objects of them have JSON
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", s.newline)
}

// splice replaces a part of a text.
func splice(t JSON, from, to int, with string) JSON {
	return slices.Concat(t[:from], JSON(with), t[to:])
}

// insert adds a member to an object, after all others.
func (t JSON) insert(root, object *node, key string, value any) JSON {
	s := t.style(root)
	outer := t.indentation(object.start)
	name := s.write(key, "") + ": "
	if len(object.members) == 0 {
		inside := strings.TrimRight(string(t[object.start+1:object.end-1]), " \t\r\n")
		text := inside + s.newline + outer + s.unit + name + s.write(value, outer+s.unit) + s.newline + outer
		return splice(t, object.start+1, object.end-1, text)
	}
	first, last := object.members[0], object.members[len(object.members)-1]
	if !bytes.Contains(t[object.start:first.start], []byte("\n")) { // all in one line
		return splice(t, last.value.end, last.value.end, ", "+name+s.write(value, outer))
	}
	inner := t.indentation(first.start)
	text := s.newline + inner + name + s.write(value, inner)
	if last.comma >= 0 {
		at := t.endOfLine(last.comma + 1)
		return splice(t, at, at, text+",")
	}
	at := t.endOfLine(last.value.end)
	return splice(splice(t, at, at, text), last.value.end, last.value.end, ",")
}

// endOfLine returns the end of the comments that follow a place in its line, or the place itself if other things
// follow.
func (t JSON) endOfLine(at int) int {
	rest := t[at:]
	rest = rest[:lineLength(rest)]
	trimmed := bytes.TrimLeft(rest, " \t")
	closed := bytes.HasPrefix(trimmed, []byte("/*")) && bytes.HasSuffix(trimmed, []byte("*/")) &&
		bytes.Count(trimmed, []byte("*/")) == 1
	if closed || bytes.HasPrefix(trimmed, []byte("//")) {
		return at + len(bytes.TrimRight(rest, " \t"))
	}
	return at
}
