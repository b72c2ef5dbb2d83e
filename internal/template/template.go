// Package template fills texts in which names in braces stand for values, such as an author's words for a goal.
package template

import (
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

var field = lazyregexp.New(`\{[^{}]*\}`)

// Fill puts values in the place of names in braces. A name without a value stays, in its braces.
func Fill(text string, value func(name string) (text string, ok bool)) string {
	return field().ReplaceAllStringFunc(text, func(braced string) string {
		if text, ok := value(braced[1 : len(braced)-1]); ok {
			return text
		}
		return braced
	})
}

// Names returns the names in braces, in order.
func Names(text string) []string {
	list := field().FindAllString(text, -1)
	for i, braced := range list {
		list[i] = braced[1 : len(braced)-1]
	}
	return list
}

// Argument returns which of arity arguments a name stands for, from 0: the one of that name, in any case, or of that
// number, from 1. It returns -1 if there is no such argument. names may be empty.
func Argument(names []string, arity int, name string) int {
	for i, known := range names {
		if strings.EqualFold(known, name) {
			return i
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= arity {
		return n - 1
	}
	return -1
}
