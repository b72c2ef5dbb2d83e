// Package configfile changes configuration files of other programs. It changes one entry of a JSON or TOML text and
// keeps all the rest, comments included.
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

// Member is a key and its value in an entry.
type Member struct {
	Key   string
	Value any
}

// Text is a configuration text that can be changed.
type Text interface {
	// Get returns the value of a member of an entry, or nil if the member is missing.
	Get(path []string, key string) (any, error)
	// Set returns the text with members of an entry set. Other members of the entry stay.
	Set(path []string, members []Member) ([]byte, error)
	// Remove returns the text without an entry.
	Remove(path []string) ([]byte, error)
}

// bom is the byte order mark that some editors of Windows write before a text.
const bom = "\ufeff"

// maxBrackets bounds the opening brackets of a text. The parsers of both formats recurse into them, with less than 1
// KiB of stack for each.
const maxBrackets = 500_000

// readable returns a copy of a text for a parser, with blanks in place of the mark before it.
func readable(text []byte) ([]byte, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the file is not UTF-8")
	}
	if n := bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{")); n > maxBrackets {
		return nil, fmt.Errorf("the file has %d brackets, more than %d", n, maxBrackets)
	}
	text = slices.Clone(text)
	if bytes.HasPrefix(text, []byte(bom)) {
		copy(text, "   ")
	}
	return text, nil
}

// get returns the value at a path of objects, or nil if a member is missing.
func get(value any, path []string) (any, error) {
	for i, step := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, notObject(path[:i])
		}
		if value, ok = object[step]; !ok {
			return nil, nil
		}
	}
	return value, nil
}

// notObject returns the error for a path that does not lead to an object.
func notObject(path []string) error {
	if len(path) == 0 {
		return errors.New("the file holds no JSON object")
	}
	return fmt.Errorf("%s is not an object", strings.Join(path, "."))
}

// lost returns an error if two texts, decoded, differ in more than members of the object at a path. It protects users
// from bugs in this package.
func lost(before, after any, path []string, members []Member) error {
	for _, m := range members {
		full := append(slices.Clone(path), m.Key)
		before, after = without(before, full), without(after, full)
	}
	if !reflect.DeepEqual(before, after) {
		return errors.New("the change would alter other entries")
	}
	return nil
}

// without returns a value without the member at a path, and without objects that have become empty.
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

// generic returns a value in the form that decoding gives.
func generic(value any) any {
	return decode([]byte(written(value, "", "")))
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

// written returns the JSON of a value that begins in a line with some indentation. It is on one line if unit is
// empty.
func written(value any, indentation, unit string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(indentation, unit)
	_ = e.Encode(value) // strings, lists and objects of them have JSON
	return strings.TrimSuffix(b.String(), "\n")
}

func lineEnd(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// lineLength returns the length of the first line of a text without its end.
func lineLength(text []byte) int {
	if n := bytes.IndexAny(text, "\r\n"); n >= 0 {
		return n
	}
	return len(text)
}

func splice(text []byte, from, to int, with string) []byte {
	return slices.Concat(text[:from], []byte(with), text[to:])
}
