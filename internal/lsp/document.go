package lsp

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"unicode/utf8"
)

// This file defines documents: the texts that the editor has open, and places in them.

// document is a text that is open.
type document struct {
	uri, path string
	version   int
	text      string
	lines     lineIndex
	// diagnostics are the diagnostics of the last load, moved by the changes since then. loaded is the text in the last
	// load of the folder, checked the text in the last load of any kind.
	diagnostics           []diagnostic
	loaded, checked       string
	hasLoaded, hasChecked bool
	cancel                context.CancelFunc // of the load of the text alone, or nil
	indexed               string             // a large text that is indexed
	// foreign is set if the text has syntax errors only as long as operators of other files are not known.
	foreign bool
}

func (d *document) set(text string) { d.text, d.lines = text, indexLines(text) }

// lineIndex has the bytes at which the lines of a text begin.
type lineIndex []int

func indexLines(text string) lineIndex {
	lines := lineIndex{0}
	for at := 0; ; {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return lines
		}
		at += n + 1
		lines = append(lines, at)
	}
}

// position returns the place of a byte of the text.
func (l lineIndex) position(text string, offset int) position {
	offset = min(max(offset, 0), len(text))
	line := sort.SearchInts(l, offset+1) - 1
	return position{line, unitsOf(text[l[line]:offset])}
}

func (l lineIndex) span(text string, from, to int) span {
	return span{l.position(text, from), l.position(text, to)}
}

// offset returns the byte of a place. Places outside of the text become the nearest ones.
func (l lineIndex) offset(text string, p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(l) {
		return len(text)
	}
	at, end := l[p.Line], len(text)
	if p.Line+1 < len(l) {
		end = l[p.Line+1] - 1
	}
	if end > at && text[end-1] == '\r' && p.Line+1 < len(l) {
		end--
	}
	for units := 0; at < end && units < p.Character; {
		r, size := utf8.DecodeRuneInString(text[at:end])
		units++
		if r > 0xFFFF {
			units++
		}
		if units > p.Character {
			break // in the middle of a pair
		}
		at += size
	}
	return at
}

// place returns the place of a line and a column, both from 1, the column in characters.
func (l lineIndex) place(text string, line, column int) position {
	line = min(max(line, 1), len(l))
	at, end := l[line-1], len(text)
	if line < len(l) {
		end = l[line] - 1
	}
	from := at
	for ; column > 1 && at < end; column-- {
		_, size := utf8.DecodeRuneInString(text[at:end])
		at += size
	}
	return position{line - 1, unitsOf(text[from:at])}
}

// unitsOf returns the number of UTF-16 code units of a text.
func unitsOf(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// pathOf returns the path of a file URI. Any other URI stands for itself.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	path := u.Path
	if runtime.GOOS == "windows" && len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:]
	}
	return filepath.Clean(filepath.FromSlash(path))
}

// uriOf returns the URI of a path.
func uriOf(path string) string {
	if strings.Contains(path, ":") && !filepath.IsAbs(path) {
		return path // it is one
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// isFile reports whether a path is one of a file, not the URI of a text that is nowhere.
func isFile(path string) bool { return filepath.IsAbs(path) }

// change makes the change of a notification.
func (d *document) change(c *contentChange) {
	if c.Range == nil {
		d.set(c.Text)
		d.diagnostics = nil
		return
	}
	from, to := d.lines.offset(d.text, c.Range.Start), d.lines.offset(d.text, c.Range.End)
	to = max(from, to)
	d.set(d.text[:from] + c.Text + d.text[to:])
	d.move(c)
}

// move moves the diagnostics behind a change and drops those within.
func (d *document) move(c *contentChange) {
	shift := strings.Count(c.Text, "\n") - (c.Range.End.Line - c.Range.Start.Line)
	kept := make([]diagnostic, 0, len(d.diagnostics))
	for _, one := range d.diagnostics {
		switch {
		case one.Range.Start.Line > c.Range.End.Line:
			one.Range.Start.Line += shift
			one.Range.End.Line += shift
		case one.Range.End.Line >= c.Range.Start.Line:
			continue
		}
		one.fix = nil // of another text
		kept = append(kept, one)
	}
	d.diagnostics = kept
}
