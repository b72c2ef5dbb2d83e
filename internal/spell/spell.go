// Package spell words messages: it finds the word somebody probably meant, counts things in words, quotes names, and
// cuts what is too long.
package spell

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxWord is the length in runes beyond which no word is looked at: nobody misspells those,
// and the time is the product of two lengths.
const maxWord = 80

// Nearest returns the candidate that is most like word, or "" when none is near enough. A word
// that differs in case only is nearest of all; of two at the same distance the first wins.
// A word that is itself a candidate is its own nearest.
func Nearest(word string, candidates []string) string {
	best, least := "", limit(word)+1
	for _, c := range candidates {
		if c == word {
			return c
		}
		d := distance(word, c, least)
		if strings.EqualFold(word, c) {
			d = 0
		}
		if d < least {
			best, least = c, d
		}
	}
	return best
}

// Hint returns "; did you mean X?" with the nearest candidate, or "" when none is near enough.
func Hint(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

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
// neighbour to get from a to b, or bound when it is not less.
func distance(a, b string, bound int) int {
	s, t := []rune(a), []rune(b)
	if max(len(s)-len(t), len(t)-len(s)) >= bound || len(t) > maxWord {
		return bound
	}
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(t)], bound)
}

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
