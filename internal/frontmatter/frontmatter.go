// Package frontmatter reads the head of a Markdown file, between two lines of three hyphens: the part of YAML that such
// heads use. That is scalars, quoted or not, block scalars, and lists and mappings of scalars, one level deep.
package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Member is a key and its value: a string, bool, float64, nil, []any or map[string]any.
type Member struct {
	Key   string
	Value any
}

// errNone is the error of a text without a head.
var errNone = errors.New("it does not begin with a head between two lines of ---")

// Parse reads the head of a text. What is more of YAML than the package knows is an error.
func Parse(text []byte) ([]Member, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	if strings.TrimRight(lines[0], " \t") != "---" {
		return nil, errNone
	}
	for i, line := range lines[1:] {
		if strings.TrimRight(line, " \t") == "---" {
			return parse(lines[1 : i+1])
		}
	}
	return nil, errNone
}

// parse reads the lines of a head.
func parse(lines []string) (members []Member, err error) {
	for len(lines) > 0 {
		line := lines[0]
		lines = lines[1:]
		if isBlank(line) {
			continue
		}
		key, rest, ok := strings.Cut(line, ":")
		if !ok || line[0] == ' ' || line[0] == '-' || rest != "" && rest[0] != ' ' {
			return nil, fmt.Errorf("its head has the line %q, which is no key with a value", line)
		}
		n := 0
		for n < len(lines) && (isBlank(lines[n]) || lines[n][0] == ' ' || lines[n][0] == '-') {
			n++
		}
		m := Member{Key: strings.TrimSpace(key)}
		if m.Value, err = value(strings.TrimSpace(rest), lines[:n]); err != nil {
			return nil, fmt.Errorf("its head, %s: %w", m.Key, err)
		}
		members, lines = append(members, m), lines[n:]
	}
	return members, nil
}

func isBlank(line string) bool {
	trimmed := strings.TrimSpace(line)
	return trimmed == "" || trimmed[0] == '#'
}

// value reads a value that begins behind its key and may go on in lines of their own.
func value(first string, lines []string) (any, error) {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	switch {
	case strings.HasPrefix(first, "|") || strings.HasPrefix(first, ">"):
		return block(first, lines)
	case len(lines) == 0 || first != "":
		if len(lines) > 0 {
			return nil, errors.New("text that goes on in the next line has to be in quotes or behind > or |")
		}
		return scalar(first)
	}
	return nested(lines)
}

// nested reads a list or a mapping.
func nested(lines []string) (any, error) {
	list, mapping := []any{}, map[string]any{}
	for _, line := range lines {
		if isBlank(line) {
			continue
		}
		line = strings.TrimSpace(line)
		item, isItem := strings.CutPrefix(line, "- ")
		key, rest, isMember := strings.Cut(line, ":")
		switch {
		case isItem:
			x, err := scalar(strings.TrimSpace(item))
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		case isMember:
			x, err := scalar(strings.TrimSpace(rest))
			if err != nil {
				return nil, err
			}
			mapping[strings.Trim(strings.TrimSpace(key), `"'`)] = x
		default:
			return nil, fmt.Errorf("got %q, want an item or a key with a value", line)
		}
	}
	if len(list) > 0 && len(mapping) > 0 {
		return nil, errors.New("it has items and keys")
	}
	if len(list) > 0 {
		return list, nil
	}
	return mapping, nil
}

// block reads a block scalar: behind | its lines stay, behind > they are joined.
func block(first string, lines []string) (any, error) {
	indent := -1
	for i, line := range lines {
		trimmed := strings.TrimLeft(line, " ")
		if trimmed == "" {
			lines[i] = ""
			continue
		}
		if indent < 0 {
			indent = len(line) - len(trimmed)
		}
		if len(line)-len(trimmed) < indent {
			return nil, errors.New("the lines of a block begin at different columns")
		}
		lines[i] = line[indent:]
	}
	text := strings.Join(lines, "\n")
	if first[0] == '>' {
		text = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, "\n\n", "\x00"), "\n", " "), "\x00", "\n")
	}
	switch first[1:] {
	case "-":
	case "":
		text += "\n"
	default:
		return nil, fmt.Errorf("got %s, want >, >-, | or |-", first)
	}
	return text, nil
}

// scalar reads a value on one line.
func scalar(text string) (any, error) {
	switch {
	case text == "" || text == "~" || text == "null":
		return nil, nil
	case text == "true" || text == "false":
		return text == "true", nil
	case text[0] == '"':
		var s string
		if json.Unmarshal([]byte(text), &s) != nil {
			return nil, fmt.Errorf("got %s, want a text in double quotes on one line", text)
		}
		return s, nil
	case text[0] == '\'':
		inner, ok := strings.CutSuffix(text[1:], "'")
		if !ok || strings.Contains(strings.ReplaceAll(inner, "''", ""), "'") {
			return nil, fmt.Errorf("got %s, want a text in quotes on one line", text)
		}
		return strings.ReplaceAll(inner, "''", "'"), nil
	case text[0] == '[' && strings.HasSuffix(text, "]"):
		list := []any{}
		for item := range strings.SplitSeq(text[1:len(text)-1], ",") {
			if item = strings.TrimSpace(item); item != "" {
				x, err := scalar(item)
				if err != nil {
					return nil, err
				}
				list = append(list, x)
			}
		}
		return list, nil
	case strings.ContainsRune("{[&*!|>%@`", rune(text[0])):
		return nil, fmt.Errorf("got %s; put the text in quotes", text)
	}
	if before, _, comment := strings.Cut(text, " #"); comment {
		text = strings.TrimSpace(before)
	}
	if strings.Contains(text, ": ") {
		return nil, fmt.Errorf("got %s; put a text with a colon in quotes", text)
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && strings.Trim(text, "0123456789.+-eE") == "" {
		return n, nil
	}
	return text, nil
}
