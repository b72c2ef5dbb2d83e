package configfile

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// This file defines how new members look like those around them.

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
