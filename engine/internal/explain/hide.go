package explain

import (
	"reflect"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how secret values are removed from texts.

// shortestSecret is the smallest length of a secret that is replaced as a part of a text. A shorter secret is only
// replaced as a whole constant, since it may occur in other values by chance.
const shortestSecret = 4

// Hider replaces secrets, and their quoted forms, by [ShownSecret].
type Hider struct{ replace *strings.Replacer }

// NewHider returns a Hider for some values, nil for none.
func NewHider(values []string) *Hider {
	var texts []string
	for _, value := range values {
		if len(value) >= shortestSecret {
			quoted := syntax.QuoteAtom(term.Atom(value))
			texts = append(texts, quoted, ShownSecret, strings.Trim(quoted, "'"), ShownSecret, value, ShownSecret)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return &Hider{strings.NewReplacer(texts...)}
}

// Texts replaces the values in texts.
func (h *Hider) Texts(texts ...*string) {
	for _, text := range texts {
		*text = h.replace.Replace(*text)
	}
}

// hide replaces the secrets in all texts of a proof or of misses.
func (o *Options) hide(explanation any) {
	if h := NewHider(o.Secrets); h != nil {
		h.value(reflect.ValueOf(explanation))
	}
}

// value replaces the secrets in the texts of a value that clients see.
func (h *Hider) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(h.replace.Replace(v.String()))
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			h.value(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			h.value(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			v.SetMapIndex(key, reflect.ValueOf(h.replace.Replace(v.MapIndex(key).String())))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if tag := v.Type().Field(i).Tag.Get("json"); tag != "" && !shownAnyway[tag] {
				h.value(v.Field(i))
			}
		}
	}
}

// shownAnyway lists the fields that name places and nodes, by their tags.
var shownAnyway = map[string]bool{"id": true, "by": true, "at,omitempty": true, "from,omitempty": true,
	"more,omitempty": true, "detail,omitempty": true}
