package texts

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines the regular expressions of library(pcre). They use Go's package regexp, which takes linear time in
// the text for every pattern and has no backreferences and no lookaround.

var regexTable = []machine.Builtin{
	{Name: "$regex_groups", Arity: 3, Func: regexGroups, Modes: "+pattern, +flags, -names",
		Doc: "The names of the groups of a pattern, none for those without. A pattern that is wrong is a syntax error."},
	{Name: "$regex_match", Arity: 5, Func: regexMatch, Modes: "+pattern, +flags, +text, +start, -match",
		Doc: "The first match from a character on: a list with group(Start, Length, String) or none for each group."},
	{Name: "$regex_matches", Arity: 6, Func: regexMatches, Modes: "+pattern, +flags, +text, +start, -matches, -rest",
		Doc: "All matches that do not overlap, each behind the text that precedes it, and the text behind the last."},
}

// regexCache holds compiled patterns by their source. All runs of the process share it; compiled patterns never change.
// A full cache is emptied, which is simpler than tracking use: patterns in use come back soon.
var regexCache struct {
	sync.Mutex
	patterns map[string]*regex
	bytes    int // of the patterns
}

// regex is a compiled pattern.
type regex struct {
	*regexp.Regexp
	size int // the number of its instructions; a character of the text may cost a step for each
	// further returns a second form of the pattern, which is compiled when it is first needed. It finds, as group 1,
	// the first match after the first character of a text. So a search can begin in the middle of a text: package
	// regexp has no such search on a reader, and \b and ^ must see the preceding character.
	further func() (*regexp.Regexp, error)
}

// Bounds of patterns and of the work between two polls.
const (
	maxRegexes    = 256
	maxRegexBytes = 1 << 16 // a compiled pattern takes some fifty times its text, or a hundred with its second form
	maxCacheBytes = 1 << 17 // of all patterns
	// maxRegexSteps bounds a match that is not polled, to some tenths of a second. A step is one instruction at one
	// character.
	maxRegexSteps = 1 << 24
	// maxTogether is the longest text in which package regexp finds all matches at once: it lists them before the first
	// one is seen, and each takes some hundred bytes.
	maxTogether = 1 << 16
)

// regexArg returns the pattern that two arguments give: a text, and an atom of flags. i, m, s and U mean what they mean
// in package regexp; x allows layout and comments, A anchors the pattern at the start. The pattern is compiled under
// the lock, so that two runs do not both compile it.
func regexArg(m *machine.Machine, pattern, flags cell) (*regex, error) {
	text, err := Any(m, pattern, "text")
	if err != nil {
		return nil, err
	}
	letters, err := m.AtomArg(flags)
	if err != nil {
		return nil, err
	}
	if len(text) > maxRegexBytes {
		return nil, m.RepresentationError("regex")
	}
	source := regexSource(text, letters)
	regexCache.Lock()
	defer regexCache.Unlock()
	if known := regexCache.patterns[source]; known != nil {
		return known, nil
	}
	if err := m.Charge(1 + len(text)); err != nil {
		return nil, err
	}
	compiled, err := compileRegex(source)
	if err != nil {
		return nil, m.SyntaxError(regexComplaint(err))
	}
	regexCache.bytes += len(source)
	if regexCache.patterns == nil || len(regexCache.patterns) >= maxRegexes || regexCache.bytes > maxCacheBytes {
		regexCache.patterns, regexCache.bytes = make(map[string]*regex, maxRegexes), len(source)
	}
	regexCache.patterns[source] = compiled
	return compiled, nil
}

// compileRegex compiles a pattern with its flags. It is compiled a second time only to count its instructions, which
// package regexp does not tell.
func compileRegex(source string) (*regex, error) {
	compiled, err := regexp.Compile(source)
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	further := sync.OnceValues(func() (*regexp.Regexp, error) {
		return regexp.Compile(`\A(?s:.)(?s:.*?)(` + tree.String() + `)`)
	})
	return &regex{compiled, len(program.Inst), further}, nil
}

// regexComplaint returns the message for a wrong pattern: the fault, and the faulty part.
func regexComplaint(err error) string {
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		return string(wrong.Code) + ": " + wrong.Expr
	}
	return err.Error()
}

// regexSource returns a pattern in the syntax of package regexp: x and A are done by hand, other flags stand in front
// as a group (?...).
func regexSource(pattern, flags string) string {
	letters := ""
	for _, letter := range flags {
		switch letter {
		case 'x':
			pattern = withoutLayout(pattern)
		case 'A':
			pattern = `\A(?:` + pattern + ")"
		default:
			letters += string(letter)
		}
	}
	if letters == "" {
		return pattern
	}
	return "(?" + letters + ")" + pattern
}

// withoutLayout removes blanks and comments from an extended pattern. Those in a class or behind a backslash stay.
func withoutLayout(pattern string) string {
	var b strings.Builder
	inClass, comment := false, false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case comment:
			comment = c != '\n'
			continue
		case c == '\\' && i+1 < len(pattern):
			b.WriteByte(c)
			i++
			c = pattern[i]
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case c == '#':
			comment = true
			continue
		case strings.IndexByte(" \t\r\n\v\f", c) >= 0:
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// regexGroups is $regex_groups/3. Group 0, the whole match, is not in the list.
func regexGroups(m *machine.Machine, a []cell) (bool, error) {
	re, err := regexArg(m, a[0], a[1])
	if err != nil {
		return false, err
	}
	names := re.SubexpNames()
	cells := make([]cell, len(names)-1)
	for i, name := range names[1:] {
		if name == "" {
			name = "none"
		}
		cells[i] = m.NewAtom(name)
	}
	return m.Unify(a[2], m.List(cells, code.ANil)), nil
}

// regexSubject is a text that a pattern is searched in. Go counts bytes and Prolog characters.
type regexSubject struct {
	re    *regex
	text  string
	start int // the start of the search, in bytes
	// byteAt and charAt are the last place that was converted, in bytes and characters. Matches come in order, so counting
	// goes on from there and takes linear time for all of them.
	byteAt, charAt int
}

// regexSubjectOf reads the arguments of $regex_match/5 and $regex_matches/6.
func regexSubjectOf(m *machine.Machine, a []cell) (*regexSubject, error) {
	re, err := regexArg(m, a[0], a[1])
	if err != nil {
		return nil, err
	}
	text, err := Any(m, a[2], "text")
	if err != nil {
		return nil, err
	}
	chars, err := m.IntArg(a[3])
	if err != nil {
		return nil, err
	}
	if err := m.Charge(1 + len(text)/8); err != nil {
		return nil, err
	}
	s := &regexSubject{re: re, text: text}
	for range chars {
		if s.start >= len(text) {
			return nil, m.DomainError("offset", a[3])
		}
		_, size := utf8.DecodeRuneInString(text[s.start:])
		s.start += size
	}
	s.byteAt, s.charAt = s.start, chars
	return s, nil
}

// charIndex returns the number of characters in front of a byte. A group may begin before the last converted place.
func (s *regexSubject) charIndex(byteIndex int) int {
	if byteIndex < s.byteAt {
		return s.charAt - utf8.RuneCountInString(s.text[byteIndex:s.byteAt])
	}
	s.charAt += utf8.RuneCountInString(s.text[s.byteAt:byteIndex])
	s.byteAt = byteIndex
	return s.charAt
}

// match returns the term of a match: a list with an element for each group. at are pairs of places, as package regexp
// returns them, in bytes from the start; -1 stands for a group that took no part.
func (s *regexSubject) match(m *machine.Machine, at []int) cell {
	groups := make([]cell, len(at)/2)
	for i := range groups {
		if at[2*i] < 0 {
			groups[i] = m.NewAtom("none")
			continue
		}
		from, to := s.start+at[2*i], s.start+at[2*i+1]
		text := s.text[from:to]
		groups[i] = m.NewStruct("group", code.MakeInt(int64(s.charIndex(from))),
			code.MakeInt(int64(utf8.RuneCountInString(text))), m.NewString(text))
	}
	return m.List(groups, code.ANil)
}

// polledText is a text as a reader that polls the limits of the run at each character. A match on a reader is the only
// one that can be interrupted: the poll ends it by a panic.
type polledText struct {
	rest string
	poll func()
}

// ReadRune is that of io.RuneReader.
func (p *polledText) ReadRune() (rune, int, error) {
	if p.rest == "" {
		return 0, 0, io.EOF
	}
	p.poll()
	r, size := utf8.DecodeRuneInString(p.rest)
	p.rest = p.rest[size:]
	return r, size, nil
}

// isLong reports whether a search in a text may take longer than maxRegexSteps, and has to be polled. A search on a
// reader is slower, so short searches are not polled.
func (re *regex) isLong(text string) bool { return len(text) > maxRegexSteps/re.size }

// poller returns the function that a search calls for each character. A poll unit is as long as a call, in which some
// 32 instructions of a pattern are run.
func (re *regex) poller(m *machine.Machine) func() { return func() { m.Poll(1 + re.size/32) } }

// find returns the places of the first match that begins at the byte from or behind it, in bytes of the text; nil if
// there is none. From the middle of a text the second form of the pattern is searched, from the character before on.
func (re *regex) find(text string, from int, poll func()) ([]int, error) {
	if from == 0 {
		return re.FindReaderSubmatchIndex(&polledText{text, poll}), nil
	}
	further, err := re.further()
	if err != nil {
		return nil, fmt.Errorf("regular expression: %w", err)
	}
	_, size := utf8.DecodeLastRuneInString(text[:from])
	from -= size
	found := further.FindReaderSubmatchIndex(&polledText{text[from:], poll})
	if found == nil {
		return nil, nil
	}
	found = found[2:]
	for i := range found {
		if found[i] >= 0 {
			found[i] += from
		}
	}
	return found, nil
}

// findAll calls f with the places of each match, from left to right and not overlapping. An empty match right behind a
// match does not count, as in FindAll of package regexp.
func (re *regex) findAll(text string, poll func(), f func(at []int) error) error {
	last := -1
	for from := 0; from <= len(text); {
		at, err := re.find(text, from, poll)
		if at == nil {
			return err
		}
		if at[1] > from || at[0] != last {
			if err := f(at); err != nil {
				return err
			}
		}
		last = at[1]
		if at[1] > from {
			from = at[1]
			continue
		}
		_, size := utf8.DecodeRuneInString(text[from:])
		from += max(1, size)
	}
	return nil
}

// regexMatch is $regex_match/5.
func regexMatch(m *machine.Machine, a []cell) (bool, error) {
	s, err := regexSubjectOf(m, a)
	if err != nil {
		return false, err
	}
	text := s.text[s.start:]
	var at []int
	if s.re.isLong(text) {
		at, err = s.re.find(text, 0, s.re.poller(m))
	} else {
		at = s.re.FindStringSubmatchIndex(text)
	}
	if err != nil {
		return false, err
	}
	return at != nil && m.Unify(a[4], s.match(m, at)), nil
}

// regexMatches is $regex_matches/6.
func regexMatches(m *machine.Machine, a []cell) (bool, error) {
	s, err := regexSubjectOf(m, a)
	if err != nil {
		return false, err
	}
	var matches []cell
	text, end := s.text[s.start:], 0
	collect := func(at []int) error {
		before := m.NewString(text[end:at[0]])
		matches, end = append(matches, m.NewStruct("-", before, s.match(m, at))), at[1]
		return m.Charge(len(at))
	}
	if s.re.isLong(text) || len(text) > maxTogether {
		err = s.re.findAll(text, s.re.poller(m), collect)
	} else {
		for _, at := range s.re.FindAllStringSubmatchIndex(text, -1) {
			if err = collect(at); err != nil {
				break
			}
		}
	}
	if err != nil {
		return false, err
	}
	return m.Unify(a[4], m.List(matches, code.ANil)) && m.Unify(a[5], m.NewString(text[end:])), nil
}
