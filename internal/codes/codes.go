// Package codes holds the codes of all diagnostics and error results, with their explanations. A code is stable:
// programs, comments that silence it and links to its explanation use it.
//
// Each code has a section in codes.md: the cause, an example, the fix and the corrected example. [Page] makes
// docs/diagnostics.md from it.
package codes

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Code is one kind of problem.
type Code struct {
	// Name is the code in diagnostics and results.
	Name string
	// Cause says in one or two sentences what the mistake is.
	Cause string
	// Example is a text that has the problem, or what it looks like to a client. If it has several files, each begins
	// with a line "-- name --".
	Example string
	// Fix says how to mend the mistake.
	Fix string
	// Mended is the corrected example, or "".
	Mended string
	// Shown says that the example only shows the problem, because a text alone does not cause it. Its language in
	// codes.md is not prolog.
	Shown bool
}

//go:embed codes.md
var text string

// chapters holds the beginning of the text and its two chapters.
func chapters() []string { return strings.Split(text, "\n## ") }

// Loading returns the codes of diagnostics, and Results those of error results. The slices must not be changed.
var (
	Loading = sync.OnceValue(func() []Code { return codesOf(chapters()[1]) })
	Results = sync.OnceValue(func() []Code { return codesOf(chapters()[2]) })
)

// codesOf reads the codes of a chapter.
func codesOf(chapter string) (list []Code) {
	for _, section := range strings.Split(chapter, "\n### ")[1:] {
		c := Code{}
		c.Name, section, _ = strings.Cut(section, "\n\n")
		c.Cause, section, _ = strings.Cut(section, "\n\n```")
		language, section, _ := strings.Cut(section, "\n")
		c.Example, section, _ = strings.Cut(section, "\n```\n\n")
		c.Fix, c.Mended, _ = strings.Cut(strings.TrimSpace(section), "\n\n```prolog\n")
		c.Mended, c.Shown = strings.TrimSuffix(c.Mended, "\n```"), language != "prolog"
		list = append(list, c)
	}
	return list
}

// Find returns the code of a name. ok is false if there is none.
func Find(name string) (c Code, ok bool) {
	for _, table := range [][]Code{Loading(), Results()} {
		if i := slices.IndexFunc(table, func(c Code) bool { return c.Name == name }); i >= 0 {
			return table[i], true
		}
	}
	return Code{}, false
}

// LoadingNames returns the names of the codes of diagnostics.
func LoadingNames() []string {
	names := make([]string, len(Loading()))
	for i, c := range Loading() {
		names[i] = c.Name
	}
	return names
}

// Page returns the page of all codes. Each chapter begins with a list of its codes. If a name is in an earlier
// chapter too, its link has a number, as web pages of repositories number equal headings.
func Page() string {
	parts := chapters()
	page, headings := "<!-- Made by go generate ./engine of internal/codes; do not edit. -->\n"+parts[0], map[string]int{}
	for i, table := range [][]Code{Loading(), Results()} {
		var links []string
		for _, c := range table {
			anchor := c.Name
			if n := headings[c.Name]; n > 0 {
				anchor = fmt.Sprint(anchor, "-", n)
			}
			headings[c.Name]++
			links = append(links, fmt.Sprintf("[`%s`](#%s)", c.Name, anchor))
		}
		title, sections, _ := strings.Cut(parts[i+1], "\n")
		page += "\n## " + title + "\n\n" + strings.Join(links, " ·\n") + "\n" + sections
	}
	return page
}
