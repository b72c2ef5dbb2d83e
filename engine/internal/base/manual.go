package base

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the documentation of the predicates that every program has. help/1 shows it, and docs/builtins.md
// is generated from it.

// Documented describes a predicate of the system or of a library.
type Documented struct {
	Name  string
	Arity int
	// Modes are the arguments, as in "+List, -Length".
	Modes string
	// Text is one sentence.
	Text string
	// Nonterminal is set for name//N. Its Arity is N+2.
	Nonterminal bool
}

// Indicator returns name/arity, or name//arity for a nonterminal.
func (d *Documented) Indicator() string {
	if d.Nonterminal {
		return fmt.Sprintf("%s//%d", quoted(d.Name), d.Arity-2)
	}
	return fmt.Sprintf("%s/%d", quoted(d.Name), d.Arity)
}

// Head returns the predicate with its modes.
func (d *Documented) Head() string {
	head := quoted(d.Name)
	if d.Modes != "" {
		head += "(" + d.Modes + ")"
	}
	if d.Nonterminal {
		head += "//"
	}
	return head
}

func quoted(name string) string { return syntax.FormatTerm(term.Atom(name)) }

// DocumentedChapter is a group of predicates: a part of the system or a library.
type DocumentedChapter struct {
	// Title is the heading. For a library it is library(Name).
	Title      string
	Predicates []Documented
}

// Documentation returns the predicates of the system and its libraries, by chapter.
func Documentation() []DocumentedChapter {
	documented.once.Do(func() { documented.chapters = document() })
	return documented.chapters
}

var documented struct {
	once     sync.Once
	chapters []DocumentedChapter
}

func document() []DocumentedChapter {
	chapters := []DocumentedChapter{controlChapter()}
	for _, c := range builtin.Chapters() {
		chapters = append(chapters, DocumentedChapter{c.Title, tableDocs(c.Table)})
	}
	chapters = append(chapters, DocumentedChapter{"The program", tableDocs(programTable())},
		DocumentedChapter{Title: "Tabling"})
	for _, name := range lib.System() {
		addSystemDocs(chapters, name)
	}
	for _, name := range lib.Names() {
		if docs := libraryDocs(name); len(docs) > 0 {
			chapters = append(chapters, DocumentedChapter{"library(" + name + ")", docs})
		}
	}
	for _, c := range chapters {
		slices.SortStableFunc(c.Predicates, func(a, b Documented) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Arity, b.Arity))
		})
	}
	return chapters
}

// systemChapters maps system files to the chapters of their predicates.
var systemChapters = map[string]string{
	"system/bags": "Control", "system/core": "The program", "system/coroutines": "Attributed variables",
	"system/continuations": "Control", "system/dcg": "Reading and writing terms", "system/listing": "The program",
	"system/messages": "The system",
	"system/output":   "Reading and writing terms", "system/tabling": "Tabling",
	"system/transactions": "The database",
}

// addSystemDocs adds the predicates of a system file to their chapter.
func addSystemDocs(chapters []DocumentedChapter, name string) {
	title := cmp.Or(systemChapters[name], "The system")
	for i := range chapters {
		if chapters[i].Title == title {
			chapters[i].Predicates = append(chapters[i].Predicates, libraryDocs(name)...)
		}
	}
}

// tableDocs describes predicates written in Go, except those that only the library calls.
func tableDocs(table []machine.Builtin) []Documented {
	var list []Documented
	for _, b := range table {
		if b.Doc != "" && b.Name[0] != '$' {
			list = append(list, Documented{Name: b.Name, Arity: b.Arity, Modes: b.Modes, Text: b.Doc})
		}
	}
	return list
}

// libraryDocs describes what a library exports.
func libraryDocs(name string) []Documented {
	var list []Documented
	for _, d := range lib.Docs(name) {
		if d.Name[0] == '$' {
			continue
		}
		list = append(list, Documented{d.Name, d.Arity, d.Modes, d.Text, d.Nonterminal})
	}
	return list
}

// controlDocs describes the control constructs, which the compiler or the machine implements.
const controlDocs = `
% true: succeeds.
% fail, false: fails.
% repeat: succeeds, again and again.
% !: cuts: takes away the choices made since the predicate was called.
% ,(:A, :B): A and B.
% ;(:A, :B): A or B.
% ->(:If, :Then): Then, if If succeeds; with ; an else part may follow.
% *->(:If, :Then): Then for each solution of If; with ; an else part, if there is none, may follow.
% \+(:Goal): Goal has no solution.
% not(:Goal): Goal has no solution.
% :(+Module, :Goal): calls Goal in a module.
% once(:Goal): the first solution of Goal.
% ignore(:Goal): the first solution of Goal; succeeds in any case.
% forall(:Condition, :Action): Action succeeds for all solutions of Condition.
% apply(:Goal, +Arguments): calls Goal with the elements of a list added to it.
% findall(?Template, :Goal, -List): List are the values of Template for all solutions of Goal.
% findall(?Template, :Goal, -List, ?Tail): the same, ending in Tail.
% catch_with_backtrace(:Goal, ?Catcher, :Recovery): catch/3.
% setup_call_cleanup(:Setup, :Goal, :Cleanup): calls Setup once, then Goal, then Cleanup however Goal ends.
% call_cleanup(:Goal, :Cleanup): calls Goal, then Cleanup however Goal ends.
% \=(?X, ?Y): X and Y do not unify.
`

// controlChapter describes control constructs and the predicates that the machine runs itself.
func controlChapter() DocumentedChapter {
	c := DocumentedChapter{Title: "Control"}
	for _, d := range lib.Comments(controlDocs) {
		c.Predicates = append(c.Predicates, Documented{d.Name, d.Arity, d.Modes, d.Text, d.Nonterminal})
	}
	c.Predicates = append(c.Predicates, tableDocs(machine.Controls())...)
	return c
}

// help runs '$help'(Name, Arity, List). List has the documentation of the predicate. Arity may be unbound. A
// nonterminal is found by either arity.
func help(m *machine.Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	arity := m.Deref(a[1])
	has := func(n int) bool { return stacks.IsVar(arity) || arity == code.MakeInt(int64(n)) }
	var entries []helpEntry
	if p, ok := m.Program().Loader.(*load.Program); ok {
		entries = ownHelp(p, name, has)
	}
	for _, c := range Documentation() {
		for _, d := range c.Predicates {
			if d.Name == name && has(d.Arity) {
				entries = append(entries, helpEntry{d.Head(), d.Text, c.Title})
			}
		}
	}
	return m.Unify(a[2], entryList(m, entries)), nil
}

// entryList is a list of doc(Head, Text, Title). Predicates that differ in their arity only may share an entry.
func entryList(m *machine.Machine, entries []helpEntry) cell {
	var list []cell
	for _, e := range slices.Compact(entries) {
		list = append(list, m.NewStruct("doc", m.NewString(e.head), m.NewString(e.text), m.NewString(e.title)))
	}
	return m.List(list, code.ANil)
}

// apropos runs '$apropos'(Text, List). List has the documentation of the predicates in whose heads or texts Text
// occurs, in either case.
func apropos(m *machine.Machine, a []cell) (bool, error) {
	if stacks.IsVar(m.Deref(a[0])) {
		return false, m.InstantiationError()
	}
	text, ok := m.AtomicText(a[0])
	if !ok {
		return false, m.TypeError("text", a[0])
	}
	text = strings.ToLower(text)
	var entries []helpEntry
	for _, c := range Documentation() {
		for _, d := range c.Predicates {
			if head := d.Head(); strings.Contains(strings.ToLower(head+"\n"+d.Text), text) {
				entries = append(entries, helpEntry{head, d.Text, c.Title})
			}
		}
	}
	return m.Unify(a[1], entryList(m, entries)), nil
}

// helpNear runs '$help_near'(Name, Near). Near is the documented name that is nearest to Name.
func helpNear(m *machine.Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	var names []string
	for _, c := range Documentation() {
		for _, d := range c.Predicates {
			names = append(names, d.Name)
		}
	}
	near := spell.Nearest(name, names)
	return near != "" && m.Unify(a[1], m.NewAtom(near)), nil
}

// Manual returns docs/builtins.md: all predicates, by chapter.
func Manual() string {
	var b strings.Builder
	b.WriteString("# Built-in predicates\n\nMade by `go generate` from the tables and comments in the source; " +
		"`help(Name)` shows the same. " +
		"Arguments: `+` is an input, `-`\nan output, `?` either, `:` a goal or something else that belongs to a module, " +
		"`@` is not bound, `!` is changed.\n" +
		"Predicates of a library are there without `use_module`, but for grammar rules and operators.\n\n")
	for _, c := range Documentation() {
		if len(c.Predicates) > 0 {
			fmt.Fprintf(&b, "- [%s](#%s)\n", c.Title, anchor(c.Title))
		}
	}
	for _, c := range Documentation() {
		if len(c.Predicates) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| predicate | |\n| --- | --- |\n", c.Title)
		for _, d := range c.Predicates {
			fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(d.Head(), "|", "\\|"), strings.ReplaceAll(d.Text, "|", "\\|"))
		}
	}
	return b.String()
}

// librariesBegin and librariesEnd are the lines around the list of libraries in docs/programs.md.
const (
	librariesBegin = "<!-- libraries: go generate ./engine -->\n"
	librariesEnd   = "<!-- end of libraries -->\n"
)

// WithLibraries returns the text of docs/programs.md with the list of libraries that there are. ok is false if it has
// no place for the list.
func WithLibraries(page string) (text string, ok bool) {
	before, rest, ok1 := strings.Cut(page, librariesBegin)
	_, after, ok2 := strings.Cut(rest, librariesEnd)
	return before + librariesBegin + libraryList() + librariesEnd + after, ok1 && ok2
}

// libraryList lists the libraries, a line for each letter that their names begin with.
func libraryList() string {
	var b strings.Builder
	letter := byte(0)
	for _, name := range lib.Names() {
		switch {
		case name[0] != letter && letter == 0:
			b.WriteString("- ")
		case name[0] != letter:
			b.WriteString("\n- ")
		default:
			b.WriteString(", ")
		}
		letter = name[0]
		b.WriteString(name)
	}
	return b.String() + "\n"
}

// decisionsBegin and decisionsEnd are the lines around the decisions in docs/differences.md.
const (
	decisionsBegin = "<!-- decisions: go generate ./engine -->\n"
	decisionsEnd   = "<!-- end of decisions -->\n"
)

// WithDecisions returns the text of docs/differences.md with the libraries and predicates of SWI-Prolog that are left
// out. ok is false if it has no place for them.
func WithDecisions(page string) (text string, ok bool) {
	before, rest, ok1 := strings.Cut(page, decisionsBegin)
	_, after, ok2 := strings.Cut(rest, decisionsEnd)
	libraries, predicates := lib.Decisions()
	return before + decisionsBegin + decisionTable("libraries", libraries) + "\n" +
		decisionTable("predicates", predicates) + decisionsEnd + after, ok1 && ok2
}

// decisionTable is a table of names and reasons.
func decisionTable(title string, decisions []lib.Decision) string {
	var b strings.Builder
	b.WriteString("| " + title + " | why not, and what instead |\n| --- | --- |\n")
	for _, d := range decisions {
		b.WriteString("| `" + strings.Join(d.Names, "` `") + "` | " + d.Reason + " |\n")
	}
	return b.String()
}

// anchor returns the name of a heading in a link.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '_' || r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, strings.ToLower(title))
}

// This part defines the entries of help/1 for predicates that a program describes with the directives info/2 and
// mode/2.

// helpEntry is the entry of a predicate in help/1: its head, a sentence, and the title of its chapter.
type helpEntry struct{ head, text, title string }

// ownHelp returns the entries of predicates of a name that info/2 describes. has chooses their arities.
func ownHelp(p *load.Program, name string, has func(arity int) bool) []helpEntry {
	var list []helpEntry
	for _, d := range p.Declarations() {
		args, ok := term.Is(d.Term, "info", 2)
		if !ok {
			continue
		}
		of, n, ok := load.Indicator(args[0])
		if !ok || of != name || !has(n) {
			continue
		}
		items, _ := term.Slice(args[1])
		text, names := infoTexts(items)
		list = append(list, helpEntry{ownHead(of, names, modesOf(p, d.Module, of, n)), text, d.Module})
	}
	return list
}

// infoTexts returns the comment and the names of the arguments among the items of info/2.
func infoTexts(items []term.Term) (comment string, names []string) {
	for _, item := range items {
		pair, ok := term.Is(item, "is", 2)
		if !ok {
			continue
		}
		values, _ := term.Slice(pair[1])
		switch pair[0] {
		case term.Term(term.Atom("comment")):
			comment, _ = term.Text(pair[1])
		case term.Term(term.Atom("argnames")):
			for _, value := range values {
				names = append(names, syntax.FormatText(value))
			}
		case term.Term(term.Atom("arguments")):
			for _, value := range values {
				if args, ok := term.Is(value, "-", 2); ok {
					names = append(names, syntax.FormatText(args[0]))
				}
			}
		}
	}
	return comment, names
}

// modesOf returns the argument modes of the first mode/2 of a predicate, such as "+", or "" where there are none.
func modesOf(p *load.Program, module, name string, arity int) []string {
	modes := make([]string, arity)
	for _, d := range p.Declarations() {
		args, ok := term.Is(d.Term, "mode", 2)
		if !ok || d.Module != module {
			continue
		}
		template, ok := args[0].(*term.Compound)
		if !ok || string(template.Functor) != name || len(template.Args) != arity {
			continue
		}
		for i, arg := range template.Args {
			if c, ok := arg.(*term.Compound); ok && len(c.Args) == 1 {
				modes[i] = string(c.Functor)
			}
		}
		break
	}
	return modes
}

// ownHead is a head with modes and names. An argument without a name is _.
func ownHead(name string, names, modes []string) string {
	if len(modes) == 0 {
		return quoted(name)
	}
	args := make([]string, len(modes))
	for i, mode := range modes {
		args[i] = mode + "_"
		if i < len(names) {
			args[i] = mode + names[i]
		}
	}
	return quoted(name) + "(" + strings.Join(args, ", ") + ")"
}
