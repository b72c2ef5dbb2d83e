package facts

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how facts and changes are written as text.

// maxFact is the longest text of a fact in a store. The writer of terms cuts what is much longer.
const maxFact = 8 << 20

// Edit is a step of a change: one fact comes or goes.
type Edit struct {
	// Sign is '+' for a fact behind the others, '^' for one before the others, '-' for one that is removed.
	Sign byte
	// Nth tells the fact that is removed from equal ones: this many stand before it.
	Nth int
	// Fact is the text of the fact.
	Fact string
}

// Edits returns the steps of a change. First come the steps that remove facts, in the order of Removed, then the steps
// that add facts.
func Edits(c host.FactChange) ([]Edit, error) {
	list := make([]Edit, 0, len(c.Removed)+len(c.Added))
	for i, f := range slices.Concat(c.Removed, c.Added) {
		text, err := FactText(f)
		if err != nil {
			return nil, err
		}
		switch {
		case i < len(c.Removed):
			list = append(list, Edit{'-', f.Nth, text})
		case f.Front:
			list = append(list, Edit{'^', 0, text})
		default:
			list = append(list, Edit{'+', 0, text})
		}
	}
	return list, nil
}

// String returns the line of a step.
func (e Edit) String() string {
	if e.Nth > 0 {
		return fmt.Sprintf("~%d %s", e.Nth, e.Fact)
	}
	return string(e.Sign) + e.Fact
}

// ParseEdit reads the line of a step.
func ParseEdit(line string) (Edit, error) {
	if line != "" {
		switch sign, text := line[0], line[1:]; sign {
		case '+', '^', '-':
			return Edit{sign, 0, text}, nil
		case '~':
			number, text, ok := strings.Cut(text, " ")
			if n, err := strconv.Atoi(number); ok && err == nil && n > 0 {
				return Edit{'-', n, text}, nil
			}
		}
	}
	return Edit{}, fmt.Errorf("%q is not a change", line)
}

// changeText returns the record of a change: a line with the time, for whom and by which writer, and a line for each
// step.
func changeText(by, writer string, now time.Time, edits []Edit) string {
	head := term.New("commit", term.Atom(now.UTC().Format(time.RFC3339Nano)), term.Atom(by), term.Atom(writer))
	var b strings.Builder
	b.WriteString(engine.FormatTerm(head) + ".\n")
	for _, e := range edits {
		b.WriteString(e.String() + "\n")
	}
	return b.String()
}

// Change is what a record says.
type Change struct {
	Number uint64
	Edits  []Edit
	head   string
}

// Origin returns when the change was made, as in RFC 3339, and for whom. Both are "" if the record does not say it.
func (c Change) Origin() (when, by string) {
	if t, err := engine.ParseTerm(c.head); err == nil {
		if c, ok := t.(*term.Compound); ok && c.Functor == "commit" && len(c.Args) > 1 {
			return inspect.FormatText(c.Args[0]), inspect.FormatText(c.Args[1])
		}
	}
	return "", ""
}

func parseChange(r Record) (Change, error) {
	head, _, _ := strings.Cut(r.Text, "\n")
	edits, err := parseEdits(r.Text)
	return Change{r.Number, edits, head}, err
}

func parseEdits(text string) (list []Edit, err error) {
	_, rest, _ := strings.Cut(text, "\n")
	for line := range strings.Lines(rest) {
		e, err := ParseEdit(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// FactText returns a fact as text that Prolog reads back with the standard operators. Facts are the same if their texts
// are: variables are named in their order.
func FactText(f host.Fact) (string, error) {
	text, err := TermText(term.New(":", term.Atom(f.Module), f.Head))
	if err != nil {
		return "", fmt.Errorf("a fact of %s %w", f.Indicator(), err)
	}
	return text, nil
}

// TermText returns a term as such a text. The error says what the term has or is.
func TermText(t term.Term) (string, error) {
	tooLong := fmt.Errorf("is longer than %d bytes", maxFact)
	size := 0
	for sub := range term.Parts(t) {
		if _, ok := term.Is(sub, "$VAR", 1); ok { // it would be read back as a variable
			return "", errors.New("holds '$VAR'(N), which cannot be stored")
		}
		if _, ok := sub.(*term.Opaque); ok {
			return "", errors.New("holds a Go value, which cannot be stored")
		}
		if size += leastText(sub); size > maxFact {
			return "", tooLong
		}
	}
	vars := map[*term.Var]term.Term{}
	for i, v := range term.Variables(t) {
		vars[v] = term.New("$VAR", term.Int(i))
	}
	text := engine.FormatTerm(term.Rename(t, vars)) + "."
	if len(text) > maxFact {
		return "", tooLong
	}
	return text, nil
}

// leastText is how many bytes a part has at least in the text of a term, beside its arguments. So the text of a term
// that shares its parts, which may be longer than any memory, is not made to find that out.
func leastText(sub term.Term) int {
	const bitsOfDigit = 4 // less than that, in truth
	switch t := sub.(type) {
	case term.Atom:
		if t != term.Nil {
			return max(len(t), 1)
		}
	case term.String:
		return len(t) + len(`""`)
	case term.Int:
		var digits [20]byte
		return len(strconv.AppendInt(digits[:0], int64(t), 10))
	case *term.Big:
		return t.Int().BitLen() / bitsOfDigit
	case *term.Compound:
		return max(len(t.Functor), 1)
	}
	return 1
}

// ParseFact reads the text of a fact.
func ParseFact(text string) (host.Fact, error) {
	t, err := engine.ParseTerm(text)
	if err != nil {
		return host.Fact{}, err
	}
	args, ok := term.Is(t, ":", 2)
	if !ok {
		return host.Fact{}, errors.New("not a fact: " + text)
	}
	module, ok := args[0].(term.Atom)
	if _, _, callable := term.Indicator(args[1]); !ok || !callable {
		return host.Fact{}, errors.New("not a fact: " + text)
	}
	return host.Fact{Module: string(module), Head: args[1]}, nil
}

// Parts passes on facts as texts in lines, many at a time: the parts of a snapshot.
func Parts(first []string, others iter.Seq[host.Fact], put func(part string) error) error {
	const most = 1 << 18
	var b strings.Builder
	add := func(text string) error {
		b.WriteString(text + "\n")
		if b.Len() < most {
			return nil
		}
		defer b.Reset()
		return put(b.String())
	}
	for _, text := range first {
		if err := add(text); err != nil {
			return err
		}
	}
	for f := range others {
		text, err := FactText(f)
		if err == nil {
			err = add(text)
		}
		if err != nil {
			return err
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return put(b.String())
}

// State is a sequence of facts, as texts, and who wrote the changes that lead to it. It finds a fact without looking at
// the others. The zero value is empty.
type State struct {
	writers     writers
	taken       time.Time          // when the snapshot was taken that the state begins with
	places      map[string][]int64 // the places of equal facts, ascending
	facts       map[int64]string   // by place
	first, last int64
}

// Apply makes a step of a change.
func (s *State) Apply(e Edit) error {
	if s.facts == nil {
		s.places, s.facts = map[string][]int64{}, map[int64]string{}
	}
	places := s.places[e.Fact]
	switch {
	case e.Sign == '+':
		s.last++
		s.facts[s.last], s.places[e.Fact] = e.Fact, append(places, s.last)
	case e.Sign == '^':
		s.first--
		s.facts[s.first], s.places[e.Fact] = e.Fact, slices.Insert(places, 0, s.first)
	case e.Nth >= len(places):
		return fmt.Errorf("it removes %s, which is not there", e.Fact)
	default:
		delete(s.facts, places[e.Nth])
		if s.places[e.Fact] = slices.Delete(places, e.Nth, e.Nth+1); len(places) == 1 {
			delete(s.places, e.Fact)
		}
	}
	return nil
}

// Add adds a fact behind the others.
func (s *State) Add(fact string) { _ = s.Apply(Edit{Sign: '+', Fact: fact}) }

// addLines adds the facts of a part of a snapshot.
func (s *State) addLines(text string) error {
	for line := range strings.Lines(text) {
		if names, ok := strings.CutPrefix(line, writersSign); ok {
			if err := s.addWriters(names); err != nil {
				return err
			}
			continue
		}
		s.Add(strings.TrimSuffix(line, "\n"))
	}
	return nil
}

// wrote returns the writers, to be added to.
func (s *State) wrote() writers {
	if s.writers == nil {
		s.writers = writers{}
	}
	return s.writers
}

// record makes the change of a record.
func (s *State) record(r Record) error {
	s.wrote()[writerOf(r.Text)] = r.Number
	edits, err := parseEdits(r.Text)
	for _, e := range edits {
		if err == nil {
			err = s.Apply(e)
		}
	}
	return err
}

// All iterates over the facts in their order.
func (s *State) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, place := range slices.Sorted(maps.Keys(s.facts)) {
			if !yield(s.facts[place]) {
				return
			}
		}
	}
}
