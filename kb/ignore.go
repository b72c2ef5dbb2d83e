package kb

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/codes"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the comments that silence warnings: % mcplogic: ignore(Code, ...).

// ignoreMark is what each such comment holds. It is looked for before anything slower is.
const ignoreMark = "mcplogic: ignore("

// ignoreComment is such a comment and its codes.
var ignoreComment = lazyregexp.New(`%.*mcplogic: ignore\(([^)]*)\)`)

// ignored reports whether a comment silences a warning. It counts for the clause that it stands in or before.
func (l *loading) ignored(d source.Diagnostic) bool {
	if d.Severity == source.SeverityError || d.Line == 0 || !l.ignores(d.File) {
		return false
	}
	return silenced(l.lines(d.File), d)
}

// Silenced reports whether a comment silences a warning, given the text of its file.
func Silenced(text string, d source.Diagnostic) bool {
	return d.Severity == source.SeverityWarning && silenced(strings.Split(text, "\n"), d)
}

func silenced(lines []string, d source.Diagnostic) bool {
	if d.Line == 0 || d.Line > len(lines) {
		return false
	}
	if slices.Contains(ignoredIn(lines[d.Line-1]), d.Code) {
		return true
	}
	for i := d.Line - 2; i >= 0; i-- {
		text, comment, _ := strings.Cut(lines[i], "%")
		if strings.HasSuffix(strings.TrimSpace(text), ".") {
			return false // of the clause before
		}
		if comment != "" && slices.Contains(ignoredIn(lines[i]), d.Code) {
			return true
		}
	}
	return false
}

// ignores reports whether a file has comments that silence warnings.
func (l *loading) ignores(file string) bool {
	found, known := l.silences[file]
	if !known {
		text, ok := l.text(file)
		found = ok && strings.Contains(text, ignoreMark)
		if l.silences == nil {
			l.silences = map[string]bool{}
		}
		l.silences[file] = found
	}
	return found
}

// ignoredIn returns the codes that a comment of a line silences.
func ignoredIn(line string) []string {
	found := ignoreComment().FindStringSubmatch(line)
	if found == nil {
		return nil
	}
	names := strings.Split(found[1], ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}

// checkIgnores warns of codes in such comments that there are not.
func (l *loading) checkIgnores() {
	for _, s := range l.sources {
		if s.Open != nil || !strings.Contains(s.Text, ignoreMark) {
			continue
		}
		for i, line := range l.lines(s.Name) {
			for _, name := range ignoredIn(line) {
				l.checkIgnore(s.Name, i+1, line, name)
			}
		}
	}
}

// checkIgnore warns of a code in a comment on a line if there is no such code.
func (l *loading) checkIgnore(file string, line int, text, name string) {
	known := codes.LoadingNames()
	if slices.Contains(known, name) {
		return
	}
	hint := ""
	near := spell.Nearest(name, known)
	if near != "" {
		hint = "; did you mean " + near + "?"
	}
	column := len([]rune(text[:strings.Index(text, name)])) + 1
	at := source.Position{File: file, Place: source.Place{Line: line, Column: column}}
	l.warn(at, "ignore", "there is no code %s%s", name, hint)
	if near != "" {
		l.fix(name, near)
	}
}
