package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the page of mcplogic test --coverage=html.

// pages are the templates of the pages that commands write.
var pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(pagesText)) })

//go:embed pages.html
var pagesText string

// coveredLine is what the page shows of one line of a text.
type coveredLine struct {
	Number int
	Class  string // s for a clause that succeeded, e for one that was entered only, n for one that was not; "" for others
	Count  string // how often the clause that begins here was entered
	// Missed is the end of the text of the line from the first branch on that was never taken.
	Text, Missed string
	// missed is the column of that branch, 0 if there is none.
	missed int
}

// coverShare is how many of some clauses or branches were reached.
type coverShare struct{ N, Of int }

// Percent is the share as a percentage.
func (s coverShare) Percent() string { return fmt.Sprintf("%.1f", coveredShare(s.N, s.Of)) }

// page writes one HTML page without scripts and without files beside it, so that a CI system can keep it as an
// artifact: a table of the files, then the text of each with its clauses coloured. A row has the id FILE:LINE, so that
// a link can point at a line. The text is read again from the disk: a file that has changed since the load has colours
// in the wrong places.
func (c *coverage) page(out io.Writer, files []*coveredFile) error {
	type shownFile struct {
		File, Unread string
		Shares       []coverShare
		Lines        []coveredLine
	}
	var list []shownFile
	for _, f := range files {
		shown := shownFile{File: f.File, Shares: []coverShare{{f.reached, len(f.Clauses)}, {f.taken, f.branches}}}
		if text, ok := openSource(f.File); ok {
			shown.Lines = f.listing(text)
		} else {
			shown.Unread = "The file cannot be read; it has " + spell.Count(len(f.Clauses), "clause") + "."
		}
		list = append(list, shown)
	}
	return pages().ExecuteTemplate(out, "coverage", list)
}

// listing returns the lines of the text of the file.
func (f *coveredFile) listing(text string) (list []coveredLine) {
	lines := f.lines(text)
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		at := lines[i+1]
		at.Number, at.Text = i+1, line
		if at.missed > 0 {
			before := byteOffset(line, at.missed-1)
			at.Text, at.Missed = line[:before], line[before:]
		}
		list = append(list, at)
	}
	return list
}

// lines returns what is known of the lines of the text, by their numbers from 1. A clause colours all its lines. Where
// two clauses share a line the one that was reached less counts.
func (f *coveredFile) lines(text string) map[int]coveredLine {
	// The points of coverage have only the first line of a clause. Its last line comes from reading the text again.
	ends := map[int]int{} // the last lines of clauses, by the first
	for _, c := range source.Read(f.File, text, &source.Options{Open: openSource}).Clauses {
		ends[c.At.Line] = max(ends[c.At.Line], c.At.Line+strings.Count(text[c.Start:c.End], "\n"))
	}
	lines := map[int]coveredLine{}
	for i := range f.Clauses {
		one := &f.Clauses[i]
		class := "s"
		if one.Entered == 0 {
			class = "n"
		} else if !one.held() {
			class = "e"
		}
		for n := one.Line; n <= max(ends[one.Line], one.Line); n++ {
			at := lines[n]
			if at.Class == "" || at.Class == "s" || class == "n" {
				at.Class = class
			}
			// Clauses that begin on one line show their counts side by side.
			if n == one.Line {
				at.Count = strings.TrimPrefix(at.Count+", "+fmt.Sprint(one.Entered), ", ")
			}
			lines[n] = at
		}
		// Branches of a clause that was never entered are not marked: the clause is.
		for _, b := range one.Branches {
			if at := lines[b.Line]; b.Taken == 0 && one.Entered > 0 && (at.missed == 0 || b.Column < at.missed) {
				at.missed = b.Column
				lines[b.Line] = at
			}
		}
	}
	return lines
}

// byteOffset returns where the character with the given number begins, or the length of a line that has fewer.
func byteOffset(line string, character int) int {
	at := 0
	for ; character > 0 && at < len(line); character-- {
		_, width := utf8.DecodeRuneInString(line[at:])
		at += width
	}
	return at
}
