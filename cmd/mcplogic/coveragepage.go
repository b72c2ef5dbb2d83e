package main

import (
	_ "embed" // for the style sheet
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the page of mcplogic test --coverage=html.

// coveredLine is what the page shows of one line of a text.
type coveredLine struct {
	class string // s for a clause that succeeded, e for one that was entered only, n for one that was not; "" for others
	count string // how often the clause that begins here was entered
	// missed is the column of the first branch on the line that was never taken, 0 if there is none.
	missed int
}

// page writes one HTML page without scripts and without files beside it, so that a CI system can keep it as an
// artifact: a table of the files, then the text of each with its clauses coloured. The text is read again from the
// disk: a file that has changed since the load has colours in the wrong places.
func (c *coverage) page(out io.Writer, files []*coveredFile) {
	fmt.Fprintf(out, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Coverage</title>\n"+
		"<meta name=\"viewport\" content=\"width=device-width\">\n<style>%s</style>\n<h1>Coverage</h1>\n"+
		"<p>Clauses that <span class=\"s\">succeeded</span>, were <span class=\"e\">entered only</span>, were "+
		"<span class=\"n\">never entered</span>; branches that were <u>never taken</u>.</p>\n"+
		"<table>\n<tr><th>file<th>clauses<th><th>branches<th></tr>\n", coverageStyle)
	for i, f := range files {
		fmt.Fprintf(out, "<tr><td><a href=\"#f%d\">%s</a><td>%d of %d<td>%s<td>%d of %d<td>%s</tr>\n", i,
			html.EscapeString(f.File), f.reached, len(f.Clauses), meter(f.reached, len(f.Clauses)),
			f.taken, f.branches, meter(f.taken, f.branches))
	}
	fmt.Fprintln(out, "</table>")
	for i, f := range files {
		fmt.Fprintf(out, "<h2 id=\"f%d\">%s</h2>\n", i, html.EscapeString(f.File))
		text, ok := openSource(f.File)
		if !ok {
			fmt.Fprintf(out, "<p>The file cannot be read; it has %s.</p>\n", spell.Count(len(f.Clauses), "clause"))
			continue
		}
		f.listing(out, text)
	}
	fmt.Fprintln(out, "</html>")
}

// meter shows a share as a bar with its percentage, "" for a file that has none of it.
func meter(n, of int) string {
	if of == 0 {
		return ""
	}
	share := coveredShare(n, of)
	return fmt.Sprintf("<meter min=\"0\" max=\"100\" value=\"%.1f\"></meter> %.1f %%", share, share)
}

// listing writes the text of the file with line numbers and counts. A row has the id FILE:LINE, so that a link can
// point at a line. From the first branch on that was never taken the rest of a line is underlined.
func (f *coveredFile) listing(out io.Writer, text string) {
	lines := f.lines(text)
	fmt.Fprintln(out, "<table class=\"t\">")
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		at := lines[i+1]
		code := html.EscapeString(line)
		if at.missed > 0 {
			before := byteOffset(line, at.missed-1)
			code = html.EscapeString(line[:before]) + "<u title=\"never taken\">" + html.EscapeString(line[before:]) + "</u>"
		}
		fmt.Fprintf(out, "<tr id=\"%s:%d\"><td>%[2]d<td>%s<td class=\"%s\"><pre>%s</pre></tr>\n",
			html.EscapeString(f.File), i+1, at.count, at.class, code)
	}
	fmt.Fprintln(out, "</table>")
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
			if at.class == "" || at.class == "s" || class == "n" {
				at.class = class
			}
			// Clauses that begin on one line show their counts side by side.
			if n == one.Line {
				at.count = strings.TrimPrefix(at.count+", "+fmt.Sprint(one.Entered), ", ")
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

// coverageStyle is the style sheet of the page: .s, .e and .n are the classes of coveredLine, .t is the table of a
// text.
//
//go:embed coverage.css
var coverageStyle string
