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

// This file defines how a table of a TOML text is set. Only the statements are told apart, and values are skipped: a
// text that TOML refuses for other reasons stays as wrong as it was.

// TOML is a TOML text.
type TOML []byte

// Get returns the value of a key of the table at a path if it is a string that JSON could hold too, else nil.
func (t TOML) Get(path []string, key string) (any, error) {
	list, err := t.statements()
	if err != nil {
		return nil, err
	}
	_, body, err := table(list, path)
	if err != nil {
		return nil, err
	}
	for _, s := range body {
		if slices.Equal(s.key, []string{key}) {
			text := string(t[s.value:s.end])
			if literal, ok := strings.CutPrefix(text, "'"); ok {
				return strings.TrimSuffix(literal, "'"), nil
			}
			return decode([]byte(text)), nil
		}
	}
	return nil, nil
}

// Set returns the text with keys of the table at a path set. The other keys stay.
func (t TOML) Set(path []string, members []Member) ([]byte, error) {
	list, err := t.statements()
	if err != nil {
		return nil, err
	}
	header, body, err := table(list, path)
	if err != nil {
		return nil, err
	}
	newline := "\n"
	if bytes.Contains(t, []byte("\r\n")) {
		newline = "\r\n"
	}
	if header == nil {
		text := slices.Clone(t)
		if len(text) > 0 {
			text = append(bytes.TrimRight(text, "\r\n"), newline+newline...)
		}
		text = append(text, "["+dotted(path)+"]"+newline...)
		for _, m := range members {
			text = append(text, m.Key+" = "+tomlValue(m.Value)+newline...)
		}
		return text, nil
	}
	text, missing := t, ""
	for _, m := range members {
		if !slices.ContainsFunc(body, func(s statement) bool { return slices.Equal(s.key, []string{m.Key}) }) {
			missing += newline + m.Key + " = " + tomlValue(m.Value)
		}
	}
	for _, s := range slices.Backward(body) { // from the end, so that places stay what they are
		for _, m := range members {
			if slices.Equal(s.key, []string{m.Key}) && !reflect.DeepEqual(decode(t[s.value:s.end]), generic(m.Value)) {
				text = slices.Concat(text[:s.value], TOML(tomlValue(m.Value)), text[s.end:])
			}
		}
	}
	at := header.end + lineLength(t[header.end:])
	return slices.Concat(text[:at], TOML(missing), text[at:]), nil
}

// Remove returns the text without the table at a path and the tables within it, from their headers to the next one.
func (t TOML) Remove(path []string) ([]byte, error) {
	list, err := t.statements()
	if err == nil {
		_, _, err = table(list, path)
	}
	if err != nil {
		return nil, err
	}
	text := t
	end := len(t)
	for i := range slices.Backward(list) {
		if list[i].key != nil {
			continue
		}
		start := bytes.LastIndexByte(t[:list[i].end], '\n') + 1
		if isPrefix(path, list[i].table) {
			text = slices.Concat(text[:start], text[end:])
		}
		end = start
	}
	return text, nil
}

// dotted is a path as it stands in a header.
func dotted(path []string) string {
	parts := make([]string, len(path))
	for i, part := range path {
		parts[i] = part
		if part == "" || strings.ContainsFunc(part, func(r rune) bool { return r > 127 || !isBare(byte(r)) }) {
			parts[i] = tomlValue(part)
		}
	}
	return strings.Join(parts, ".")
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
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // a string has JSON
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

// statement is a header or a key with its value.
type statement struct {
	table      []string // of a header
	list       bool     // the header is of an array of tables
	key        []string // else
	value, end int      // where the value begins, and the end of it or of the header
}

// table returns the header of the table at a path and the statements in it, or nothing if there is no such table.
// Tables that are written in other ways than with a header of their own are errors, because they cannot be added to.
func table(list []statement, path []string) (*statement, []statement, error) {
	var header *statement
	var body []statement
	var current []string
	other := fmt.Errorf("%s is written in a way that cannot be changed here, other than as [%s]", dotted(path),
		dotted(path))
	for i, s := range list {
		if s.key == nil {
			current = s.table
			switch {
			case s.list && isPrefix(s.table, path):
				return nil, nil, other
			case slices.Equal(s.table, path):
				header = &list[i]
			}
			continue
		}
		switch {
		case slices.Equal(current, path):
			body = append(body, s)
		case isPrefix(path, current): // a table within it
		case isPrefix(slices.Concat(current, s.key), path), isPrefix(path, slices.Concat(current, s.key)):
			return nil, nil, other
		}
	}
	return header, body, nil
}

// isPrefix reports whether a path leads to another or to a table around it.
func isPrefix(short, long []string) bool {
	return len(short) <= len(long) && slices.Equal(short, long[:len(short)])
}

// tomlParser tells the statements of a text apart.
type tomlParser struct {
	text []byte
	pos  int
}

// statements returns the headers and keys of a text.
func (t TOML) statements() ([]statement, error) {
	if !utf8.Valid(t) {
		return nil, errors.New("the file is not UTF-8")
	}
	p := &tomlParser{text: t}
	if bytes.HasPrefix(t, bom) {
		p.pos = len(bom)
	}
	var list []statement
	for {
		p.skip(" \t\r\n")
		switch {
		case p.pos == len(p.text):
			return list, nil
		case p.text[p.pos] == '#':
			p.pos += lineLength(p.text[p.pos:])
			continue
		}
		s, err := p.statement()
		if err != nil {
			return nil, fmt.Errorf("not TOML: line %d: %w", 1+bytes.Count(t[:p.pos], []byte("\n")), err)
		}
		list = append(list, s)
	}
}

// skip skips bytes of a set.
func (p *tomlParser) skip(set string) {
	for p.pos < len(p.text) && strings.IndexByte(set, p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// take skips a text if it stands at the current place.
func (p *tomlParser) take(text string) bool {
	if !bytes.HasPrefix(p.text[p.pos:], []byte(text)) {
		return false
	}
	p.pos += len(text)
	return true
}

// statement reads a header, or a key and its value, to the end of the line.
func (p *tomlParser) statement() (s statement, err error) {
	if p.take("[") {
		s.list = p.take("[")
		if s.table, err = p.path(); err != nil {
			return s, err
		}
		if !p.take("]") || s.list && !p.take("]") {
			return s, errors.New("expected ] after the name of a table")
		}
	} else {
		if s.key, err = p.path(); err != nil {
			return s, err
		}
		if !p.take("=") {
			return s, errors.New("expected = after a key")
		}
		p.skip(" \t")
		s.value = p.pos
		if err := p.value(); err != nil {
			return s, err
		}
	}
	s.end = p.pos
	p.skip(" \t\r")
	if p.pos < len(p.text) && p.text[p.pos] != '#' && p.text[p.pos] != '\n' {
		return s, errors.New("expected the end of the line")
	}
	return s, nil
}

// isBare reports whether a key may hold a byte without quotes.
func isBare(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// path reads keys with dots between.
func (p *tomlParser) path() ([]string, error) {
	var path []string
	for {
		p.skip(" \t")
		start := p.pos
		if p.pos < len(p.text) && (p.text[p.pos] == '"' || p.text[p.pos] == '\'') {
			if err := p.quoted(); err != nil {
				return nil, err
			}
			part := string(p.text[start+1 : p.pos-1])
			if s, ok := decode(p.text[start:p.pos]).(string); ok && p.text[start] == '"' {
				part = s
			}
			path = append(path, part)
		} else {
			for p.pos < len(p.text) && isBare(p.text[p.pos]) {
				p.pos++
			}
			if p.pos == start {
				return nil, errors.New("expected a key")
			}
			path = append(path, string(p.text[start:p.pos]))
		}
		p.skip(" \t")
		if !p.take(".") {
			return path, nil
		}
	}
}

// quoted skips a string of any of the four kinds.
func (p *tomlParser) quoted() error {
	quote := p.text[p.pos : p.pos+1]
	long := bytes.HasPrefix(p.text[p.pos:], bytes.Repeat(quote, 3))
	if long {
		quote = bytes.Repeat(quote, 3)
	}
	p.pos += len(quote)
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case bytes.HasPrefix(p.text[p.pos:], quote):
			p.pos += len(quote)
			for n := 0; long && n < 2 && p.take(string(quote[:1])); n++ { // up to two quotes belong to the string
			}
			return nil
		case c == '\n' && !long:
			return errors.New("a string does not end")
		case c == '\\' && quote[0] == '"' && p.pos+1 < len(p.text):
			p.pos++
		}
		p.pos++
	}
	return errors.New("a string does not end")
}

// value skips a value: to the end of the line, or to the bracket that ends it, a later line perhaps.
func (p *tomlParser) value() error {
	start, end, depth := p.pos, p.pos, 0
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"' || c == '\'':
			if err := p.quoted(); err != nil {
				return err
			}
			end = p.pos
			continue
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == '#' && depth > 0:
			p.pos += lineLength(p.text[p.pos:])
			continue
		case depth == 0 && (c == '#' || c == '\n'):
			p.pos = end
			if end == start {
				return errors.New("expected a value")
			}
			return nil
		}
		if strings.IndexByte(" \t\r\n", p.text[p.pos]) < 0 {
			end = p.pos + 1
		}
		p.pos++
	}
	p.pos = end
	switch {
	case depth != 0:
		return errors.New("a bracket is not closed")
	case end == start:
		return errors.New("expected a value")
	}
	return nil
}
