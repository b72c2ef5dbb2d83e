package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/mcplogic/mcplogic/internal/nesting"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines why a value does not fit a JSON Schema. It also defines what is wrong with a value, in words that
// let a model mend its call. Whether it fits is for the validator to say. The validator's error is of no use to a
// model: it is one only, and names keywords instead of properties.

// explainer walks a value that does not fit along its schema.
type explainer struct {
	survey
	schema *Schema
	// depth bounds references that lead deeper and deeper into themselves.
	depth int
}

// explain reports what is wrong with value, as far as the keywords known here tell.
func (x *explainer) explain(s *jsonschema.Schema, value any) {
	if s == nil || x.depth > nesting.Max {
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	if isFalse(s) {
		x.report("nothing is allowed here, got %s", describeJSON(value))
		return
	}
	if !x.fitsType(s, value) || !x.fitsEnum(s, value) {
		return
	}
	switch v := value.(type) {
	case json.Number:
		x.number(s, v)
	case string:
		x.text(s, v)
	case []any:
		x.array(s, v)
	case Object:
		x.object(s, v)
	}
	if s.Ref != "" {
		x.explain(x.schema.target(s.Ref), value)
	}
	for _, one := range s.AllOf {
		x.explain(one, value)
	}
	x.alternatives(slices.Concat(s.AnyOf, s.OneOf), value)
}

// isFalse reports whether s is the schema that nothing fits.
func isFalse(s *jsonschema.Schema) bool {
	data, err := json.Marshal(s)
	return err == nil && string(data) == "false"
}

// fitsType reports whether value has a type that s allows.
func (x *explainer) fitsType(s *jsonschema.Schema, value any) bool {
	types := s.Types
	if s.Type != "" {
		types = []string{s.Type}
	}
	if len(types) == 0 || slices.ContainsFunc(types, func(name string) bool { return hasType(value, name) }) {
		return true
	}
	names := make([]string, len(types))
	for i, name := range types {
		names[i] = withArticle(name)
	}
	x.mismatch(strings.Join(names, " or "), value)
	return false
}

func withArticle(typ string) string {
	switch typ {
	case "null":
		return typ
	case "boolean":
		return "true or false"
	case "array", "integer", "object":
		return "an " + typ
	}
	return "a " + typ
}

func hasType(value any, typ string) bool {
	switch v := value.(type) {
	case nil:
		return typ == "null"
	case bool:
		return typ == "boolean"
	case string:
		return typ == "string"
	case []any:
		return typ == "array"
	case Object:
		return typ == "object"
	case json.Number:
		if typ == "integer" {
			_, ok := integerTerm(v)
			return ok
		}
		return typ == "number"
	}
	return false
}

// fitsEnum reports whether value is one that enum and const allow.
func (x *explainer) fitsEnum(s *jsonschema.Schema, value any) bool {
	allowed := s.Enum
	if s.Const != nil {
		allowed = []any{*s.Const}
	}
	plain := forSchema(value)
	same := func(one any) bool { return jsonschema.Equal(one, plain) }
	if allowed == nil || slices.ContainsFunc(allowed, same) {
		return true
	}
	var words []string
	for _, one := range allowed {
		if word, ok := one.(string); ok {
			words = append(words, word)
		}
	}
	want := allowedText(allowed)
	text, _ := value.(string)
	if near := nearest(text, words); near != "" {
		x.report("expected %s, got %s, did you mean %s?", want, describeJSON(value), strconv.Quote(near))
	} else {
		x.mismatch(want, value)
	}
	return false
}

// allowedText names the values that are allowed.
func allowedText(allowed []any) string {
	var texts []string
	for _, one := range allowed {
		raw, _ := marshalJSON(one) // it came from JSON
		texts = append(texts, spell.Shorten(string(raw)))
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "one of " + strings.Join(texts, ", ")
}

func (x *explainer) number(s *jsonschema.Schema, n json.Number) {
	f, _, err := big.ParseFloat(n.String(), 10, 128, big.ToNearestEven)
	if err != nil {
		return
	}
	check := func(bound *float64, wrong func(d int) bool, want string) {
		if bound != nil && wrong(f.Cmp(big.NewFloat(*bound))) {
			x.mismatch(want+" "+strconv.FormatFloat(*bound, 'g', -1, 64), n)
		}
	}
	check(s.Minimum, func(d int) bool { return d < 0 }, "a number of at least")
	check(s.Maximum, func(d int) bool { return d > 0 }, "a number of at most")
	check(s.ExclusiveMinimum, func(d int) bool { return d <= 0 }, "a number greater than")
	check(s.ExclusiveMaximum, func(d int) bool { return d >= 0 }, "a number less than")
}

func (x *explainer) text(s *jsonschema.Schema, text string) {
	x.size(utf8.RuneCountInString(text), s.MinLength, s.MaxLength, "a string", "character", text)
	if s.Pattern != "" {
		if re, err := regexp.Compile(s.Pattern); err == nil && !re.MatchString(text) {
			x.mismatch("a string that matches "+s.Pattern, text)
		}
	}
}

// size reports a number of things that is not between the bounds.
func (x *explainer) size(n int, least, most *int, what, part string, value any) {
	if least != nil && n < *least {
		x.mismatch(fmt.Sprintf("%s of at least %s", what, spell.Count(*least, part)), value)
	}
	if most != nil && n > *most {
		x.mismatch(fmt.Sprintf("%s of at most %s", what, spell.Count(*most, part)), value)
	}
}

func (x *explainer) array(s *jsonschema.Schema, items []any) {
	x.size(len(items), s.MinItems, s.MaxItems, "an array", "element", items)
	for i, item := range items {
		schema := s.Items
		if i < len(s.PrefixItems) {
			schema = s.PrefixItems[i]
		}
		x.at.enterIndex(i)
		x.explain(schema, item)
		x.at.leave()
	}
}

func (x *explainer) object(s *jsonschema.Schema, o Object) {
	x.size(len(o), s.MinProperties, s.MaxProperties, "an object", "property", o)
	for _, name := range s.Required {
		if _, ok := o.Get(name); !ok {
			x.missing(name, wantOf(s.Properties[name]))
		}
	}
	for _, m := range o {
		x.member(s, m)
	}
}

// member explains a member by the schemas that apply to it.
func (x *explainer) member(s *jsonschema.Schema, m member) {
	schemas := []*jsonschema.Schema{}
	if one := s.Properties[m.name]; one != nil {
		schemas = append(schemas, one)
	}
	for pattern, one := range s.PatternProperties {
		if re, err := regexp.Compile(pattern); err == nil && re.MatchString(m.name) {
			schemas = append(schemas, one)
		}
	}
	if len(schemas) == 0 && s.AdditionalProperties != nil {
		if isFalse(s.AdditionalProperties) {
			x.unexpected(m.name, slices.Sorted(maps.Keys(s.Properties)), "")
			return
		}
		schemas = append(schemas, s.AdditionalProperties)
	}
	x.at.enterName(m.name)
	defer x.at.leave()
	for _, one := range schemas {
		x.explain(one, m.value)
	}
}

// wantOf names what a schema wants, as far as its values or its type tell, with an example if it has one.
func wantOf(s *jsonschema.Schema) string {
	switch {
	case s == nil:
		return "a value"
	case len(s.Enum) > 0:
		return allowedText(s.Enum)
	}
	want := "a value"
	if s.Type != "" {
		want = withArticle(s.Type)
	}
	if len(s.Examples) > 0 {
		raw, _ := marshalJSON(s.Examples[0]) // it came from JSON
		want += ", such as " + spell.Shorten(string(raw))
	}
	return want
}

// alternatives explains why none of several schemas fits. If exactly one of them wants the type that the value has, it
// explains that one; otherwise it names all types.
func (x *explainer) alternatives(all []*jsonschema.Schema, value any) {
	if len(all) == 0 {
		return
	}
	var near []*jsonschema.Schema
	var wants []string
	before := x.count()
	for _, one := range all {
		x.explain(one, value)
		fits := x.count() == before
		x.rewind(before)
		if fits {
			return
		}
		if one.Type == "" || hasType(value, one.Type) {
			near = append(near, one)
		}
		wants = append(wants, wantOf(one))
	}
	switch {
	case len(near) == 1:
		x.explain(near[0], value)
	case len(near) == 0:
		x.mismatch(strings.Join(slices.Compact(wants), " or "), value)
	default:
		x.report("fits none of the %d alternatives of the schema, got %s", len(all), describeJSON(value))
	}
}

// Problem is one thing wrong with a value.
type Problem struct {
	// Path leads to the part that is wrong, such as points[2].x; it is "" for the whole.
	Path string
	// Text says what was expected there and what was found.
	Text string
}

// Problems is the error of a value that does not fit: everything that is wrong with it.
type Problems []Problem

// Error is a line a problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.String()
	}
	return strings.Join(lines, "\n")
}

// String is the path and the text.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Text
	}
	return p.Path + ": " + p.Text
}

// maxProblems bounds the problems of one value that are reported.
const maxProblems = 20

// path is where a conversion is: member names and element numbers from the outside in.
type path []step

type step struct {
	name  string
	index int // when name is not set
	named bool
}

// String is the path as programs write it: points[2].x, or ["odd name"].
func (p path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case !s.named:
			fmt.Fprintf(&b, "[%d]", s.index)
		case !isIdentifier(s.name):
			fmt.Fprintf(&b, "[%q]", spell.Shorten(s.name))
		case i > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// isIdentifier reports whether a name can stand after a dot: letters, digits, _, $ and -, the first being
// no digit and no dash.
func isIdentifier(name string) bool {
	for i, r := range name {
		switch {
		case unicode.IsLetter(r), r == '_', r == '$':
		case i > 0 && (unicode.IsNumber(r) || r == '-'):
		default:
			return false
		}
	}
	return name != ""
}

func (p *path) enterName(name string) { *p = append(*p, step{name: name, named: true}) }
func (p *path) enterIndex(i int)      { *p = append(*p, step{index: i}) }
func (p *path) leave()                { *p = (*p)[:len(*p)-1] }

// survey collects problems while a value is walked.
type survey struct {
	at    path
	found Problems
	// omitted counts the problems beyond maxProblems.
	omitted int
}

// report adds a problem at the present place.
func (s *survey) report(format string, args ...any) {
	if len(s.found) >= maxProblems {
		s.omitted++
		return
	}
	s.found = append(s.found, Problem{s.at.String(), fmt.Sprintf(format, args...)})
}

// mismatch reports that want, such as "an integer", was expected instead of got.
func (s *survey) mismatch(want string, got any) {
	s.report("expected %s, got %s%s", want, describeJSON(got), formHint(want, got))
}

// formHint is a hint for models that give the right value in another form: without quotes, without or within an array.
func formHint(want string, got any) string {
	wantsArray, wantsObject := strings.HasPrefix(want, "an array"), strings.HasPrefix(want, "an object")
	switch got := got.(type) {
	case json.Number:
		if strings.HasPrefix(want, "a string") {
			return "; give it in quotes"
		}
	case []any:
		if len(got) == 1 && !wantsArray && !wantsObject {
			return "; give the element itself"
		}
	}
	if _, isArray := got.([]any); wantsArray && !isArray && got != nil {
		return "; write the elements between [ and ]"
	}
	return ""
}

// nearest is the word that is meant by a text: one that is like it, or the only one that begins with it.
func nearest(text string, words []string) string {
	near := spell.Nearest(text, words)
	const least = 3
	if near != "" || len(text) < least {
		return near
	}
	for _, word := range words {
		if len(word) > len(text) && strings.EqualFold(word[:len(text)], text) {
			if near != "" {
				return ""
			}
			near = word
		}
	}
	return near
}

// unexpected reports a member that nothing declares, with what may have been meant. place says where it belongs, or is
// "".
func (s *survey) unexpected(name string, known []string, place string) {
	s.at.enterName(name)
	defer s.at.leave()
	switch near := spell.Nearest(name, known); {
	case place != "":
		s.report("unexpected property; %s", place)
	case near != "":
		s.report("unexpected property, did you mean %s?", strconv.Quote(near))
	case len(known) == 0:
		s.report("unexpected property, there should be none")
	default:
		s.report("unexpected property, the properties are %s", spell.Listing(known))
	}
}

// missing reports a required member that is not there.
func (s *survey) missing(name, want string) {
	s.at.enterName(name)
	defer s.at.leave()
	s.report("missing, expected %s", want)
}

// err is the problems found, or nil.
func (s *survey) err() error {
	if len(s.found) == 0 {
		return nil
	}
	if s.omitted > 0 {
		return append(slices.Clone(s.found), Problem{Text: "and " + spell.Count(s.omitted, "more problem")})
	}
	return s.found
}

// count and rewind let an alternative be tried and forgotten.
func (s *survey) count() int { return len(s.found) + s.omitted }

func (s *survey) rewind(count int) {
	s.omitted = max(0, count-maxProblems)
	s.found = s.found[:min(count, maxProblems)]
}
