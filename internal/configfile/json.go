package configfile

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// This file sets an entry of a JSON text. It lays out new members like those around them. Comments and commas after
// last members are allowed, because editors allow them in their settings.

// JSON is a JSON text, perhaps with comments. An empty one stands for an empty object.
type JSON []byte

// Get returns the value of a member of the object at a path.
func (t JSON) Get(path []string, key string) (any, error) {
	_, root, err := t.parse()
	if err != nil {
		return nil, err
	}
	return get(decoded(root), append(slices.Clone(path), key))
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
	_, root, err := t.parse()
	if err != nil {
		return nil, err
	}
	last := len(path) - 1
	value := &root
	for _, step := range path[:last] {
		if value, _ = member(value, step); value == nil {
			return t, nil
		}
	}
	found, i := member(value, path[last])
	if found == nil {
		return t, nil
	}
	members := value.Value.(*hujson.Object).Members
	comma, closed := commaAfter(members, i)
	from, to := members[i].Name.StartOffset, found.EndOffset
	if closed {
		to = comma + 1
	}
	if lineLength(bytes.TrimLeft(t[to:], " \t")) == 0 { // the line ends here, and the one before may
		before := bytes.TrimRight(t[:from], " \t")
		from = len(bytes.TrimSuffix(bytes.TrimSuffix(before, []byte("\n")), []byte("\r")))
	}
	removed := JSON(splice(t, from, to, ""))
	if i > 0 && !closed {
		comma, _ = commaAfter(members, i-1)
		removed = splice(removed, comma, comma+1, "")
	}
	if err := t.lost(removed, path[:last], []Member{{Key: path[last]}}); err != nil {
		return nil, err
	}
	return removed.Remove(path) // a key may be there twice
}

// parse returns the text, with an empty object if it has none, and its value.
func (t JSON) parse() (JSON, hujson.Value, error) {
	text, err := readable(t)
	if err != nil {
		return nil, hujson.Value{}, err
	}
	root, err := hujson.Parse(text)
	if err == nil {
		return t, root, nil
	}
	line := "\n" // the text may be a comment
	if len(bytes.TrimSpace(text)) == 0 || bytes.HasSuffix(text, []byte("\n")) {
		line = ""
	}
	const object = "{}\n"
	if root, err := hujson.Parse(slices.Concat(text, []byte(line+object))); err == nil {
		return slices.Concat(t, JSON(line+object)), root, nil
	}
	return nil, root, fmt.Errorf("not JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
}

func decoded(v hujson.Value) any {
	v = v.Clone()
	v.Standardize()
	return decode(v.Pack())
}

// lost returns an error if a changed text differs in more than members of the object at a path.
func (t JSON) lost(changed JSON, path []string, members []Member) error {
	var values [2]any
	for i, text := range []JSON{t, changed} {
		_, root, err := text.parse()
		if err != nil {
			return fmt.Errorf("the changed text would not be JSON: %w", err)
		}
		values[i] = decoded(root)
	}
	return lost(values[0], values[1], path, members)
}

// member returns the member of an object with a key, and its index. Of several it returns the last, which counts for
// most programs.
func member(v *hujson.Value, key string) (*hujson.Value, int) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, 0
	}
	for i, m := range slices.Backward(object.Members) {
		if m.Name.Value.(hujson.Literal).String() == key {
			return &object.Members[i].Value, i
		}
	}
	return nil, 0
}

// commaAfter returns the offset of the comma after a member. ok is false if there is none.
func commaAfter(members []hujson.ObjectMember, i int) (int, bool) {
	v := members[i].Value
	return v.EndOffset + len(v.AfterExtra), i < len(members)-1 || v.AfterExtra != nil
}

func (t JSON) set(path []string, value any) (JSON, error) {
	t, root, err := t.parse()
	if err != nil {
		return nil, err
	}
	at := &root
	for i, key := range path {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return nil, notObject(path[:i])
		}
		found, _ := member(at, key)
		if found == nil {
			for _, key := range slices.Backward(path[i+1:]) {
				value = map[string]any{key: value}
			}
			return t.insert(t.style(root), at, object.Members, key, value), nil
		}
		at = found
	}
	if reflect.DeepEqual(decoded(*at), generic(value)) {
		return t, nil
	}
	return splice(t, at.StartOffset, at.EndOffset, t.style(root).write(value, t.indentation(at.StartOffset))), nil
}

// style is the layout of a JSON text.
type style struct {
	unit    string // of indentation
	newline string
}

// style returns the layout of a text: the indentation of the first member, and its kind of line end.
func (t JSON) style(root hujson.Value) style {
	s := style{unit: "  ", newline: lineEnd(t)}
	if object, ok := root.Value.(*hujson.Object); ok && len(object.Members) > 0 {
		if unit := t.indentation(object.Members[0].Name.StartOffset); unit != "" {
			s.unit = unit
		}
	}
	return s
}

// indentation returns the blanks at the beginning of the line of a place.
func (t JSON) indentation(at int) string {
	line := t[bytes.LastIndexByte(t[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// write returns the JSON of a value that begins in a line with some indentation.
func (s style) write(value any, indentation string) string {
	return strings.ReplaceAll(written(value, indentation, s.unit), "\n", s.newline)
}

// insert adds a member to an object, after all others.
func (t JSON) insert(s style, object *hujson.Value, members []hujson.ObjectMember, key string, value any) JSON {
	outer := t.indentation(object.StartOffset)
	name := s.write(key, "") + ": "
	if len(members) == 0 {
		inside := strings.TrimRight(string(t[object.StartOffset+1:object.EndOffset-1]), " \t\r\n")
		text := inside + s.newline + outer + s.unit + name + s.write(value, outer+s.unit) + s.newline + outer
		return splice(t, object.StartOffset+1, object.EndOffset-1, text)
	}
	first, last := members[0].Name.StartOffset, members[len(members)-1].Value.EndOffset
	if !bytes.Contains(t[object.StartOffset:first], []byte("\n")) { // all in one line
		return splice(t, last, last, ", "+name+s.write(value, outer))
	}
	inner := t.indentation(first)
	text := s.newline + inner + name + s.write(value, inner)
	if comma, ok := commaAfter(members, len(members)-1); ok {
		at := t.endOfLine(comma + 1)
		return splice(t, at, at, text+",")
	}
	at := t.endOfLine(last)
	return splice(splice(t, at, at, text), last, last, ",")
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
