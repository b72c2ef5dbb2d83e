package facts

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// State is a sequence of facts, as texts, and who wrote the changes that lead to it. It finds a fact without looking at
// the others. The zero value is empty.
type State struct {
	writers     writers
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
			if err := s.wrote().add(names); err != nil {
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
