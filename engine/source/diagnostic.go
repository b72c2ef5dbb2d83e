package source

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the texts to load, the diagnostics of loads, and the places of both.

// Severity says whether a diagnostic makes the load fail.
type Severity string

// An error makes the load fail; a warning does not. A note says what was not analyzed.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityNote    Severity = "note"
)

// Diagnostic is one problem found while loading. Its column counts characters from 1. If the column is unknown, it is 0
// and no source line is shown.
type Diagnostic struct {
	Position
	Severity Severity `json:"severity"`
	// Code names the kind of problem, such as "syntax" or "singleton". docs/diagnostics.md explains each.
	Code    string `json:"code"`
	Message string `json:"message"`
	// Fix is a change of the text that solves the problem, or nil if none is known.
	Fix *Fix `json:"fix,omitempty"`
	// Source is the line of the text, for display.
	Source string `json:"-"`
}

// Fix is a change of a text. Text replaces the characters from Line and Column up to, but not including, EndLine and
// EndColumn. Lines and columns count from 1, columns in characters.
type Fix struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Text      string `json:"text"`
}

// ReplaceWord is the fix that replaces the word at a place. It returns nil if line, the source line, does not have the
// word there.
func ReplaceWord(at Place, line, word, other string) *Fix {
	runes := []rune(line)
	if at.Column < 1 || at.Column > len(runes) || !strings.HasPrefix(string(runes[at.Column-1:]), word) {
		return nil
	}
	return &Fix{at.Line, at.Column, at.Line, at.Column + utf8.RuneCountInString(word), other}
}

// InsertLine is the fix that inserts a line before another. text has no newline.
func InsertLine(before int, text string) *Fix { return &Fix{before, 1, before, 1, text + "\n"} }

// String is file:line:column: severity: message [code], followed by the source line and a caret when they are known.
func (d Diagnostic) String() string {
	var b strings.Builder
	if at := d.Position.String(); at != "" {
		b.WriteString(at + ": ")
	}
	fmt.Fprintf(&b, "%s: %s", d.Severity, d.Message)
	if d.Code != "" {
		fmt.Fprintf(&b, " [%s]", d.Code)
	}
	if d.Source != "" && d.Column > 0 && d.Column <= len(d.Source)+1 {
		line, column := clipLine(d.Source, d.Column)
		fmt.Fprintf(&b, "\n    %s\n    %s^", strings.Map(visible, line), strings.Repeat(" ", column-1))
	}
	return b.String()
}

// visible is the displayed form of a character: it fills one column and is not a control character.
func visible(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case r < ' ':
		return '\u2400' + r // the symbol for the control character
	case unicode.IsControl(r):
		return unicode.ReplacementChar
	}
	return r
}

// maxShownLine bounds the displayed characters of a line.
const maxShownLine = 200

// clipLine cuts a long line around a column, and returns the column in the rest.
func clipLine(line string, column int) (string, int) {
	if len(line) <= maxShownLine {
		return line, column
	}
	const dots = "..."
	from := max(column-maxShownLine/2, 0)
	var b strings.Builder
	n := 0
	for _, r := range line {
		if n == from+maxShownLine {
			b.WriteString(dots)
			break
		}
		if n >= from {
			b.WriteRune(r)
		}
		n++
	}
	if from == 0 {
		return b.String(), column
	}
	return dots + b.String(), column - from + len(dots)
}

// Diagnostics is a list of problems. As an error it is the error of a failed load.
type Diagnostics []Diagnostic

// Error returns the first error, or the first warning if there is no error, and the numbers of further errors and
// warnings. For an empty list it returns "no errors and no warnings".
func (l Diagnostics) Error() string {
	if len(l) == 0 {
		return "no errors and no warnings"
	}
	first, errs := l[0], l.Errors()
	errors, warnings := len(errs), len(l)-len(errs)
	if errors > 0 {
		first, errors = errs[0], errors-1
	} else {
		warnings--
	}
	var more []string
	if errors > 0 {
		more = append(more, spell.Count(errors, "error"))
	}
	if warnings > 0 {
		more = append(more, spell.Count(warnings, "warning"))
	}
	if len(more) == 0 {
		return first.String()
	}
	return fmt.Sprintf("%s\n(and %s more)", first, strings.Join(more, " and "))
}

// Errors returns the diagnostics that make a load fail.
func (l Diagnostics) Errors() Diagnostics {
	var list Diagnostics
	for _, d := range l {
		if d.Severity == SeverityError {
			list = append(list, d)
		}
	}
	return list
}

// First returns n diagnostics and the number of the others. It prefers errors to warnings. If the list has at most n
// diagnostics, First returns the list itself.
func (l Diagnostics) First(n int) (first Diagnostics, more int) {
	if len(l) <= n {
		return l, 0
	}
	first = l.Errors()
	for _, d := range l {
		if len(first) >= n {
			break
		}
		if d.Severity != SeverityError {
			first = append(first, d)
		}
	}
	return first[:n], len(l) - n
}

// Sorted returns a copy ordered by file and place, without repetitions.
func (l Diagnostics) Sorted() Diagnostics {
	list := slices.Clone(l)
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.CompactFunc(list, func(a, b Diagnostic) bool {
		a.Fix, b.Fix = nil, nil
		return a == b
	})
}

// Err returns the list as an error if it holds an error, and otherwise nil.
func (l Diagnostics) Err() error {
	if len(l.Errors()) == 0 {
		return nil
	}
	return l.Errors().Sorted()
}

// SyntaxDiagnostic is a syntax error as a diagnostic.
func SyntaxDiagnostic(file string, syn *Error) Diagnostic {
	return Diagnostic{Position: syntax.At(file, syn.Pos.Line, syn.Pos.Column), Severity: SeverityError,
		Code: "syntax", Message: SyntaxMessage(syn), Source: syn.SourceLine}
}

// SyntaxMessage is the message of a syntax error. It names the library of an unknown operator.
func SyntaxMessage(syn *Error) string {
	for _, name := range syn.Names {
		if library := lib.OperatorLibrary(name); library != "" {
			return fmt.Sprintf("%s; %s is an operator of library(%s), which :- use_module(library(%s)) loads",
				syn.Msg, name, library, library)
		}
	}
	return syn.Msg
}

// File is the text of one file.
type File struct {
	// Name is shown in diagnostics. Relative file names in the text start from its folder.
	Name string
	Text string
	// Restricted makes the text restricted even without the mark.
	Restricted bool
	// Open, if it is not nil, opens the text in place of Text, so that the text is not held in memory as a whole. It is
	// called once, and again for lines that diagnostics show.
	Open func() (io.ReadCloser, error)
}

// Declaration is a directive that describes a predicate, such as mode/2.
type Declaration struct {
	Position
	Name   string
	Term   term.Term
	Module string
	// Layout has the places of the parts of Term. It is nil if Term differs from the written term.
	Layout *Layout
}

// String is the position, if known, and the directive.
func (d Declaration) String() string { return d.Before(syntax.FormatTerm(d.Term)) }

// Frame is a clause that was active when an exception was thrown.
type Frame struct {
	// Predicate is name/arity.
	Predicate string
	// Position is the position of the goal in the clause, without the column.
	Position
	// Goal is the call of the predicate as text, followed by values of the clause's variables. Values that the clause
	// no longer needs are unknown. Goal is "" if nothing is known, and without [engine.RunOptions.TraceValues].
	Goal string
}

// String is the position, if known, and the goal or else the predicate.
func (f Frame) String() string { return f.Before(cmp.Or(f.Goal, f.Predicate)) }

// RestrictedMark begins a line of a text whose rules and goals are restricted. The line is within the first MarkedBytes
// bytes of the text.
const (
	RestrictedMark = "% mcplogic: restricted"
	MarkedBytes    = 1 << 16
)

// IsRestricted reports whether a text has the mark of restricted texts.
func IsRestricted(text string) bool {
	text = text[:min(len(text), MarkedBytes)]
	return strings.HasPrefix(strings.TrimPrefix(text, "\uFEFF"), RestrictedMark) ||
		strings.Contains(text, "\n"+RestrictedMark) || strings.Contains(text, "\r"+RestrictedMark)
}
