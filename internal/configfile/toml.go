package configfile

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// This file sets a table of a TOML text.

// TOML is a TOML text.
type TOML []byte

// Get returns the value of a key of the table at a path.
func (t TOML) Get(path []string, key string) (any, error) {
	value, err := t.decoded()
	if err != nil {
		return nil, err
	}
	return get(value, append(slices.Clone(path), key))
}

// Set returns the text with keys of the table at a path set. The other keys stay.
func (t TOML) Set(path []string, members []Member) ([]byte, error) {
	before, err := t.decoded()
	if err != nil {
		return nil, err
	}
	header, body, _, err := t.table(path)
	if err != nil {
		return nil, err
	}
	text, newline := slices.Clone(t), lineEnd(t)
	if header == nil {
		if len(text) > 0 {
			text = append(bytes.TrimRight(text, "\r\n"), newline+newline...)
		}
		text = append(text, "["+dotted(path)+"]"+newline...)
		header = &statement{end: len(text) - len(newline)}
	}
	missing := ""
	for _, m := range members {
		if !slices.ContainsFunc(body, func(s statement) bool { return slices.Equal(s.path, []string{m.Key}) }) {
			missing += newline + m.Key + " = " + tomlValue(m.Value)
		}
	}
	for _, s := range slices.Backward(body) { // from the end, so that the offsets stay valid
		for _, m := range members {
			old, _ := get(before, append(slices.Clone(path), m.Key))
			if slices.Equal(s.path, []string{m.Key}) && !reflect.DeepEqual(old, generic(m.Value)) {
				text = splice(text, s.value, s.end, tomlValue(m.Value))
			}
		}
	}
	at := header.end + lineLength(text[header.end:])
	text = splice(text, at, at, missing)
	return text, text.lost(before, path, members)
}

// Remove returns the text without the table at a path and the tables within it, from their headers to the next one.
func (t TOML) Remove(path []string) ([]byte, error) {
	before, err := t.decoded()
	if err != nil {
		return nil, err
	}
	_, _, headers, err := t.table(path)
	if err != nil {
		return nil, err
	}
	text, end := t, len(t)
	for _, s := range slices.Backward(headers) {
		start := bytes.LastIndexByte(t[:s.end], '\n') + 1
		if isPrefix(path, s.path) {
			text = slices.Concat(text[:start], text[end:])
		}
		end = start
	}
	last := len(path) - 1
	return text, text.lost(before, path[:last], []Member{{Key: path[last]}})
}

// decoded returns the value of the text.
func (t TOML) decoded() (any, error) {
	text, err := readable(t)
	if err != nil {
		return nil, err
	}
	value := map[string]any{}
	err = toml.Unmarshal(text, &value)
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := wrong.Position()
		return nil, fmt.Errorf("not TOML: line %d, column %d: %s", line, column, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	return value, err
}

// lost returns an error if the text differs from what another had in more than members of the table at a path.
func (t TOML) lost(before any, path []string, members []Member) error {
	after, err := t.decoded()
	if err != nil {
		return fmt.Errorf("the changed text would not be TOML: %w", err)
	}
	return lost(before, after, path, members)
}

// dotted returns a path in the form of a header.
func dotted(path []string) string {
	parts := make([]string, len(path))
	for i, part := range path {
		parts[i] = part
		if !isBare(part) {
			parts[i] = tomlValue(part)
		}
	}
	return strings.Join(parts, ".")
}

// isBare reports whether a key needs no quotes.
func isBare(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	})
}

// tomlValue returns a string or a list of strings as TOML. JSON strings are TOML strings too.
func tomlValue(value any) string {
	if list, ok := value.([]string); ok {
		parts := make([]string, len(list))
		for i, part := range list {
			parts[i] = tomlValue(part)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return strings.ReplaceAll(written(value, "", ""), "\x7f", `\u007f`)
}

// statement is a header, or a key with its value.
type statement struct {
	path       []string
	value, end int // the begin of the value, and the end of it or of the keys of the header
}

// table returns the header of the table at a path and the statements in it, or nothing if there is no such table, and
// all headers. A table without a header of its own is an error, because no keys can be added to it.
func (t TOML) table(path []string) (header *statement, body, headers []statement, err error) {
	text, err := readable(t)
	if err != nil {
		return nil, nil, nil, err
	}
	var p unstable.Parser
	var current []string
	other := false
	for p.Reset(text); p.NextExpression(); {
		e := p.Expression()
		s := statement{}
		for it := e.Key(); it.Next(); {
			s.path = append(s.path, string(it.Node().Data))
			s.end = int(it.Node().Raw.Offset + it.Node().Raw.Length)
		}
		if e.Kind != unstable.KeyValue {
			current = s.path
			headers = append(headers, s)
			other = other || e.Kind == unstable.ArrayTable && isPrefix(s.path, path)
			if slices.Equal(s.path, path) {
				header = &headers[len(headers)-1]
			}
			continue
		}
		equals := s.end + bytes.IndexByte(text[s.end:], '=') + 1
		s.value = len(text) - len(bytes.TrimLeft(text[equals:], " \t"))
		s.end = int(e.Raw.Offset + e.Raw.Length)
		whole := slices.Concat(current, s.path)
		switch {
		case slices.Equal(current, path):
			body = append(body, s)
		case isPrefix(path, current): // a table within it
		case isPrefix(whole, path), isPrefix(path, whole):
			other = true
		}
	}
	if other {
		return nil, nil, nil, fmt.Errorf("%s is written in a way that cannot be changed here, other than as [%s]",
			dotted(path), dotted(path))
	}
	return header, body, headers, p.Error()
}

// isPrefix reports whether a path leads to another or to a table around it.
func isPrefix(short, long []string) bool {
	return len(short) <= len(long) && slices.Equal(short, long[:len(short)])
}
