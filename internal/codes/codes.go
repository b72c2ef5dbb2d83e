// Package codes has the codes of all diagnostics and of all error results, with what each means. A code is stable:
// programs, comments that silence it and the page of its explanation go by it.
//
// [Loading] and [Results] are the two tables. docs/diagnostics.md is made of them, by [Page].
package codes

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// Code is one kind of problem.
type Code struct {
	// Name is what diagnostics and results show.
	Name string
	// Cause says in a sentence or two what is wrong.
	Cause string
	// Example is a text that has the problem, or what it looks like to a client. If it has several files, each begins
	// with a line "-- name --".
	Example string
	// Fix says what to do.
	Fix string
	// Mended is the example as it should be, or "".
	Mended string
	// Shown says that the example only shows the problem: it takes more than a text to have it.
	Shown bool
}

// Find returns the code of a name. ok is false if there is none.
func Find(name string) (c Code, ok bool) {
	for _, table := range [][]Code{Loading, Results} {
		if i := slices.IndexFunc(table, func(c Code) bool { return c.Name == name }); i >= 0 {
			return table[i], true
		}
	}
	return Code{}, false
}

// LoadingNames returns the names of the codes of diagnostics.
func LoadingNames() []string {
	names := make([]string, len(Loading))
	for i, c := range Loading {
		names[i] = c.Name
	}
	return names
}

// head is the beginning of the page.
//
//go:embed head.md
var head string

// Page returns the page of all codes.
func Page() string {
	var b strings.Builder
	b.WriteString(head)
	headings := map[string]int{}
	chapter(&b, "When files are loaded", Loading, headings)
	chapter(&b, "When a client calls", Results, headings)
	return b.String()
}

// chapter writes the codes of a table in the order of their names, with a list of them in front. A name that a chapter
// before has too is linked by its number, as pages of repositories count headings.
func chapter(b *strings.Builder, title string, table []Code, headings map[string]int) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	list := slices.SortedFunc(slices.Values(table), func(a, b Code) int { return strings.Compare(a.Name, b.Name) })
	for i, c := range list {
		if i > 0 {
			b.WriteString(" ·\n")
		}
		anchor := c.Name
		if n := headings[c.Name]; n > 0 {
			anchor = fmt.Sprint(anchor, "-", n)
		}
		headings[c.Name]++
		fmt.Fprintf(b, "[`%s`](#%s)", c.Name, anchor)
	}
	b.WriteString("\n")
	for _, c := range list {
		language := "prolog"
		if c.Shown {
			language = ""
		}
		fmt.Fprintf(b, "\n### %s\n\n%s\n\n```%s\n%s\n```\n\n%s\n", c.Name, c.Cause, language,
			strings.Trim(c.Example, "\n"), c.Fix)
		if c.Mended != "" {
			fmt.Fprintf(b, "\n```prolog\n%s\n```\n", strings.Trim(c.Mended, "\n"))
		}
	}
}
