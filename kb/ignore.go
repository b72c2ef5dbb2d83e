package kb

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/codes"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the comments that silence warnings: % mcplogic: ignore(Code, ...).

// ignored reports whether a comment silences a warning. A comment applies to the clause that it stands in or before.
func (l *loading) ignored(d source.Diagnostic) bool {
	if d.Severity == source.SeverityError || d.Line == 0 || !l.ignores(d.File) {
		return false
	}
	return rulefiles.SilencedIn(l.lines(d.File), d)
}

// ignores reports whether a file has comments that silence warnings.
func (l *loading) ignores(file string) bool {
	found, known := l.silences[file]
	if !known {
		text, ok := l.text(file)
		found = ok && strings.Contains(text, rulefiles.IgnoreMark)
		if l.silences == nil {
			l.silences = map[string]bool{}
		}
		l.silences[file] = found
	}
	return found
}

// checkIgnores warns of unknown codes in such comments.
func (l *loading) checkIgnores() {
	for _, s := range l.sources {
		if s.Open != nil || !strings.Contains(s.Text, rulefiles.IgnoreMark) {
			continue
		}
		for i, line := range l.lines(s.Name) {
			for _, name := range rulefiles.Ignored(line) {
				l.checkIgnore(s.Name, i+1, line, name)
			}
		}
	}
}

// checkIgnore warns of a code in a comment on a line if the code is unknown.
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
