package cli

import (
	"encoding/json"
	"io"
	"iter"
	"maps"
	"slices"
)

// This file defines what the commands do with JSON.

// PrintJSON prints a value as one line of JSON. < and & stay as they are, as the output is no part of a web page.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// SortedKeys returns the keys of a map in order, so that output is the same each time.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Unquoted is a JSON value as people write it.
func Unquoted(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// DecodeInto turns a value that was decoded from JSON into another shape. The SDK gives schemas as any, so the way to
// a struct leads through the text.
func DecodeInto(from, to any) error {
	raw, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}

// Gather returns the items of a list. One without items is not nil, so that JSON shows it as [].
func Gather[T any](items iter.Seq2[T, error]) ([]T, error) {
	list := []T{}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, nil
}
