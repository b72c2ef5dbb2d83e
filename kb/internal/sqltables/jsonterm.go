package sqltables

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how JSON becomes terms: as in facts of JSON files, strings are atoms and objects curly terms.

// jsonTerm returns a JSON text as a term, or as an atom if it is none.
func jsonTerm(text string) term.Term {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := jsonValue(d)
	if err != nil {
		return term.Atom(text)
	}
	return v
}

func jsonValue(d *json.Decoder) (term.Term, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '[' {
			items, err := jsonItems(d, jsonValue)
			return term.List(items...), err
		}
		members, err := jsonItems(d, jsonMember)
		return term.Curlies(members...), err
	case json.Number:
		return numericTerm(token.String()), nil
	case string:
		return term.Atom(token), nil
	case bool:
		if token {
			return term.True, nil
		}
		return term.False, nil
	}
	return null, nil
}

// jsonItems reads what stands between brackets.
func jsonItems(d *json.Decoder, item func(*json.Decoder) (term.Term, error)) (items []term.Term, err error) {
	for d.More() {
		v, err := item(d)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	if _, err = d.Token(); err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return items, err
}

func jsonMember(d *json.Decoder) (term.Term, error) {
	name, err := d.Token()
	if err != nil {
		return nil, err
	}
	v, err := jsonValue(d)
	if err != nil {
		return nil, err
	}
	return term.New("-", term.Atom(name.(string)), v), nil
}
