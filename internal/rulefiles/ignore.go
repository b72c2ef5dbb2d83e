package rulefiles

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file defines the comments that silence warnings.

// IgnoreMark is what each such comment holds. It is looked for before anything slower is.
const IgnoreMark = "mcplogic: ignore("

// ignoreComment is such a comment and its codes.
var ignoreComment = lazyregexp.New(`%.*mcplogic: ignore\(([^)]*)\)`)

// Silenced reports whether a comment silences a warning, given the text of its file.
func Silenced(text string, d source.Diagnostic) bool {
	return d.Severity == source.SeverityWarning && SilencedIn(strings.Split(text, "\n"), d)
}

// SilencedIn reports whether a comment silences a diagnostic, given the lines of its file.
func SilencedIn(lines []string, d source.Diagnostic) bool {
	if d.Line == 0 || d.Line > len(lines) {
		return false
	}
	if slices.Contains(Ignored(lines[d.Line-1]), d.Code) {
		return true
	}
	for i := d.Line - 2; i >= 0; i-- {
		text, comment, _ := strings.Cut(lines[i], "%")
		if strings.HasSuffix(strings.TrimSpace(text), ".") {
			return false // of the clause before
		}
		if comment != "" && slices.Contains(Ignored(lines[i]), d.Code) {
			return true
		}
	}
	return false
}

// Ignored returns the codes that a comment of a line silences.
func Ignored(line string) []string {
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
