// Package spell helps to write messages: it finds the word that was probably meant, counts things in words, quotes
// names, and cuts long texts.
package spell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxWord is the length in runes beyond which words are ignored: the time is the product of two lengths.
const maxWord = 80

// Nearest returns the candidate that is most like word, or "" when none is near enough. A word
// that differs in case only is nearest of all; of two at the same distance the first in the order of texts wins.
// A word that is itself a candidate is its own nearest.
func Nearest(word string, candidates []string) string {
	s := Near(word)
	for _, c := range candidates {
		if c == word {
			return c
		}
		s.See(c)
	}
	return s.best
}

// Hint returns "; did you mean X?" with the nearest candidate, or "" when none is near enough.
func Hint(word string, candidates []string) string { return hint(Nearest(word, candidates)) }

func hint(best string) string {
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// Slip reports whether two words have the same letters but for one that is missing, too much, another, or exchanged
// with the next. Their first letters are the same, one has five letters or more, and neither has a digit.
func Slip(word, other string) bool {
	if max(len(word), len(other)) < 5 || word == other {
		return false
	}
	a, b := word, other
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	first := len(a) < len(word)
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	swapped := len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
	return first && (len(a) <= 1 && len(b) <= 1 || swapped) && !strings.ContainsAny(word+other, "0123456789")
}

// Search looks for the candidate that is most like a word, as [Nearest] does, among those that it is shown.
type Search struct {
	word  string
	runes []rune // of the word
	best  string
	least int // the distance of best, or one more than the limit

	// memory for distances
	other             []rune
	before, last, row []int
}

// Near returns a search that has not seen a candidate.
func Near(word string) *Search {
	return &Search{word: word, runes: []rune(word), least: limit(word) + 1}
}

// See looks at a candidate.
func (s *Search) See(c string) {
	if n := utf8.RuneCountInString(c); max(n-len(s.runes), len(s.runes)-n) > s.least || n > maxWord {
		return
	}
	d := s.distance(c, s.least+1)
	if strings.EqualFold(s.word, c) {
		d = 0
	}
	if d > 2 && s.runes[0] != s.other[0] { // three letters and the first one are too much for a slip
		return
	}
	if d < s.least || d == s.least && s.best != "" && c < s.best {
		s.best, s.least = c, d
	}
}

// Hint returns "; did you mean X?" with the nearest candidate so far, or "" when none was near enough.
func (s *Search) Hint() string { return hint(s.best) }

// limit is how many edits a word of this length may be away: one of every three letters, at
// least one, but none for single letters, which are near to every other.
func limit(word string) int {
	n := utf8.RuneCountInString(word)
	switch {
	case n < 2 || n > maxWord:
		return 0
	case n < 6:
		return 1
	}
	return n / 3
}

// distance is the number of letters to insert, delete, replace or swap with their
// neighbour to get from the word to c, or bound when it is not less.
func (s *Search) distance(c string, bound int) int {
	s.other = append(s.other[:0], []rune(c)...)
	a, b := s.runes, s.other
	s.before, s.last, s.row = sized(s.before, len(b)+1), sized(s.last, len(b)+1), sized(s.row, len(b)+1)
	before, last, row := s.before, s.last, s.row
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := min(i, last[0]+1)
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j], last[j]+1) // the row after the next may go on from the last one
		}
		if least >= bound {
			return bound
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], bound)
}

// sized returns a slice of a length, the same one if it is large enough.
func sized(list []int, n int) []int { return slices.Grow(list[:0], n)[:n] }

// Count is a number of things, such as 1 property or 2 properties.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return strconv.Itoa(n) + " " + stem + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Shorten cuts a text that is too long for a message, at a character.
func Shorten(text string) string {
	const most = 60
	runes := 0
	for i := range text {
		if runes++; runes > most {
			return text[:i] + "..."
		}
	}
	return text
}

// Listing quotes names for a message, twenty at most.
func Listing(names []string) string {
	const most = 20
	quoted := make([]string, 0, most+1)
	for i, name := range names {
		if i == most {
			quoted = append(quoted, fmt.Sprintf("%d more", len(names)-most))
			break
		}
		quoted = append(quoted, strconv.Quote(Shorten(name)))
	}
	return strings.Join(quoted, ", ")
}

// Bytes formats a number of bytes in the largest unit that divides it.
func Bytes(n int) string {
	for _, u := range []struct {
		name string
		size int
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
