package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// This file compares answers.

// mostDifferences bounds the reported differences.
const mostDifferences = 20

// Differences returns texts about the parts in which two answers differ. Numbers are the same if their values are,
// whatever the digits. The members of an object have no order; the items of a list have one.
func Differences(expected, got json.RawMessage) (list []string) {
	if bytes.Equal(expected, got) {
		return nil
	}
	list = differ("", decode(expected), decode(got))
	if more := len(list) - mostDifferences; more > 0 {
		list = append(list[:mostDifferences], fmt.Sprintf("and %d more", more))
	}
	return list
}

// decode reads JSON with all digits of its numbers. It returns nil for an empty text.
func decode(raw json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	_ = d.Decode(&v) // the text is ours, or was read already
	return v
}

// differ compares the parts at a path.
func differ(path string, expected, got any) (list []string) {
	if keyOf(expected) == keyOf(got) {
		return nil
	}
	label := func(words string) string {
		if path == "" {
			return words
		}
		return path + ": " + words
	}
	want, isObject := expected.(map[string]any)
	is, both := got.(map[string]any)
	if isObject && both {
		names := maps.Clone(want)
		maps.Copy(names, is)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			below := strings.TrimPrefix(path+"."+name, ".")
			a, has := want[name]
			b, hasNow := is[name]
			switch {
			case !hasNow:
				list = append(list, fmt.Sprintf("%s: expected %s, and is not there", below, textOf(a)))
			case !has:
				list = append(list, fmt.Sprintf("%s: %s is not expected", below, textOf(b)))
			default:
				list = append(list, differ(below, a, b)...)
			}
		}
		return list
	}
	wanted, isList := expected.([]any)
	found, both := got.([]any)
	if !isList || !both {
		return []string{label(fmt.Sprintf("expected %s, is %s", textOf(expected), textOf(got)))}
	}
	if len(wanted) == 1 && len(found) == 1 {
		return differ(path, wanted[0], found[0])
	}
	missing, surplus := apart(wanted, found), apart(found, wanted)
	for _, one := range missing {
		list = append(list, label("missing "+textOf(one)))
	}
	for _, one := range surplus {
		list = append(list, label("not expected "+textOf(one)))
	}
	if len(list) == 0 {
		list = append(list, label("the same in another order"))
	}
	return list
}

// apart returns the items of a list that another list lacks, as often as it lacks them.
func apart(list, other []any) (rest []any) {
	left := map[string]int{}
	for _, one := range other {
		left[keyOf(one)]++
	}
	for _, one := range list {
		key := keyOf(one)
		if left[key]--; left[key] < 0 {
			rest = append(rest, one)
		}
	}
	return rest
}

// keyOf returns a text that is the same for equal values.
func keyOf(v any) string {
	var b strings.Builder
	writeKey(&b, v)
	return b.String()
}

// writeKey writes numbers by their values. Those with an exponent are the same only if their texts are, because their
// values may be too large to compute.
func writeKey(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		b.WriteByte('{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fmt.Fprintf(b, "%q:", name)
			writeKey(b, v[name])
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for _, one := range v {
			writeKey(b, one)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case json.Number:
		text := string(v)
		if !strings.ContainsAny(text, "eE") {
			if x, ok := new(big.Rat).SetString(text); ok {
				text = x.RatString()
			}
		}
		b.WriteString(text)
	case string:
		fmt.Fprintf(b, "%q", v)
	default:
		fmt.Fprint(b, v) // true, false or null
	}
}

// textOf returns the text of a value, cut if it is long.
func textOf(v any) string {
	const most = 200
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // was JSON
	runes := []rune(strings.TrimSpace(b.String()))
	if len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return string(runes)
}
