package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines what is wrong with a value, in words that let a model mend its call.

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
