package lib

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file reads the documentation of predicates from the comments of the library.
//
// A predicate is described by a comment that begins with its head, or heads, and a colon:
//
//	% nth0(?Index, ?List, ?Element): Element is the element of List at Index, from 0.
//	% white//, blank//: white space on the line; any white space.
//	% maplist(:Goal, ?List, ...): Goal is true of the elements of the lists.
//
// The arguments have their modes. Three dots stand for any number of further arguments, and // for a nonterminal. The
// first sentence is the description.

// Doc is the documentation of a predicate.
type Doc struct {
	Name  string
	Arity int
	// Modes are the arguments, as in "+List, -Length".
	Modes string
	// Text is one sentence.
	Text string
	// Nonterminal is set for name//N. Arity counts its two hidden arguments.
	Nonterminal bool
	// open is set for heads with three dots, which stand for any number of further arguments.
	open bool
}

// Docs returns the documentation of the exports of a library, in the order of its header.
func Docs(name string) []Doc {
	l := libraryNamed(name)
	if l == nil {
		return nil
	}
	var list []Doc
	for i := range l.exports {
		if e := &l.exports[i]; e.doc != "" {
			list = append(list, Doc{Name: e.Name, Arity: e.Arity, Modes: e.modes, Text: e.doc, Nonterminal: e.nonterminal})
		}
	}
	return list
}

// find returns the description of a predicate, with its arity.
func find(described []Doc, wanted Indicator) (Doc, bool) {
	for _, d := range described {
		if d.Name != wanted.Name || d.Arity != wanted.Arity && !(d.open && d.Arity < wanted.Arity) {
			continue
		}
		d.Arity = wanted.Arity
		return d, true
	}
	return Doc{}, false
}

// Comments returns the descriptions in the comments of a text.
func Comments(text string) []Doc {
	var list []Doc
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "% ") || i > 0 && strings.HasPrefix(lines[i-1], "%") && !startsDoc(lines[i-1], line) {
			continue
		}
		heads, sentence, ok := splitDoc(line[2:], lines[i+1:])
		if !ok {
			continue
		}
		for _, head := range heads {
			d := parseHead(head)
			d.Text = sentence
			list = append(list, d)
		}
	}
	return list
}

// headPattern matches a head and the separator behind it. The name is plain, quoted or symbolic, with arguments or
// without.
var headPattern = lazyregexp.New(`^((?:[a-z]\w*|'[^']+'|[^\s\w(),'%]+)(?:\([^()]*\))?(?://)?)(, |: )`)

// sentenceEnd matches the end of a sentence before another one. The names . and .. of files end none.
var sentenceEnd = lazyregexp.New(`[^ .]\. `)

// startsDoc reports whether a line within a comment begins another description. It has the form of heads with a colon,
// and the line before it does not end within a sentence.
func startsDoc(before, line string) bool {
	_, _, ok := nextHeads(line[2:])
	return ok && (strings.HasSuffix(before, ".") || strings.HasSuffix(before, ":"))
}

// nextHead splits a line into its first head, the separator behind it, and the rest.
func nextHead(line string) (head, rest string, ok bool) {
	m := headPattern().FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[1], line[len(m[1]):], true
}

// nextHeads splits a line into its heads and the text behind their colon.
func nextHeads(line string) (heads []string, text string, ok bool) {
	for {
		head, rest, ok := nextHead(line)
		if !ok {
			return nil, "", false
		}
		heads = append(heads, head)
		if text, isText := strings.CutPrefix(rest, ": "); isText {
			return heads, text, true
		}
		line = strings.TrimPrefix(rest, ", ")
	}
}

// splitDoc splits a comment into its heads and its first sentence. more holds the lines after its first.
func splitDoc(line string, more []string) (heads []string, sentence string, ok bool) {
	before := line
	if heads, line, ok = nextHeads(line); !ok {
		return nil, "", false
	}
	for _, next := range more {
		if !strings.HasPrefix(next, "% ") || startsDoc(before, next) {
			break
		}
		line, before = line+next[1:], next
	}
	if end := sentenceEnd().FindStringIndex(line); end != nil {
		line = line[:end[1]-1]
	}
	return heads, strings.TrimSuffix(line, ".") + ".", true
}

// parseHead reads name(Modes) or name(Modes)//.
func parseHead(head string) Doc {
	var d Doc
	head, d.Nonterminal = strings.CutSuffix(head, "//")
	name, args, _ := strings.Cut(head, "(")
	if name == "" {
		name = head
	}
	d.Name = strings.Trim(name, "'")
	d.Modes = strings.TrimSuffix(args, ")")
	if d.Modes != "" {
		d.Arity = strings.Count(d.Modes, ", ") + 1
	}
	if strings.HasSuffix(d.Modes, "...") {
		d.open = true
		d.Arity -= 2 // the dots count as an argument and may stand for none
	}
	if d.Nonterminal {
		d.Arity += 2
	}
	return d
}

// This part defines the libraries and predicates of SWI-Prolog's manual that are left out on purpose. leftout.txt has
// two parts: libraries and predicates. A decision is a line with the reason, and then lines with the names.

//go:embed leftout.txt
var decisions string

// Decision is a reason for leaving out some libraries or predicates. Reason also says what to use instead.
type Decision struct {
	// Names holds libraries or predicates. A folder of libraries ends with /. A predicate is name/arity.
	Names  []string
	Reason string
}

// Decisions returns the decisions about libraries and about predicates, for the manual.
func Decisions() (libraries, predicates []Decision) { return decided() }

var decided = sync.OnceValues(func() (libraries, predicates []Decision) {
	first, second, _ := strings.Cut(decisions, "\n\nPredicates")
	return decisionsOf(first), decisionsOf(second)
})

// decisionsOf reads the decisions of a part.
func decisionsOf(part string) (list []Decision) {
	for _, one := range strings.Split(part, "\n\n")[1:] {
		reason, what, _ := strings.Cut(strings.TrimSpace(one), "\n")
		list = append(list, Decision{strings.Fields(what), reason})
	}
	return list
}

// Absent returns the reason why a library is left out, "" if there is no decision about it. The first decision
// counts.
func Absent(name string) string {
	libraries, _ := Decisions()
	for _, d := range libraries {
		for _, known := range d.Names {
			if known == name || strings.HasSuffix(known, "/") && strings.HasPrefix(name, known) {
				return d.Reason
			}
		}
	}
	return ""
}

// LeftOutOps returns the operators of a library that is left out. With them a text that uses the library can be read.
func LeftOutOps(name string) []syntax.Op {
	rdfMeta := syntax.Op{Priority: 1150, Type: syntax.FX, Name: "rdf_meta"}
	switch name {
	case "xpath":
		return []syntax.Op{
			{Priority: 400, Type: syntax.FX, Name: "//"},
			{Priority: 400, Type: syntax.FX, Name: "/"},
			{Priority: 200, Type: syntax.FY, Name: "@"},
		}
	case "semweb/rdf11":
		return []syntax.Op{
			{Priority: 110, Type: syntax.XFX, Name: "@"},
			{Priority: 650, Type: syntax.XFX, Name: "^^"},
			rdfMeta,
		}
	case "semweb/rdf_db", "semweb/rdf_prefixes":
		return []syntax.Op{rdfMeta}
	}
	return nil
}

// leftOut maps names of predicates to reasons.
var leftOut = sync.OnceValue(func() map[string]string {
	_, predicates := Decisions()
	return byName(predicates)
})

// byName maps names to what was decided about them.
func byName(list []Decision) map[string]string {
	reasons := map[string]string{}
	for _, d := range list {
		for _, name := range d.Names {
			reasons[name] = d.Reason
		}
	}
	return reasons
}

// instead.txt has what to write here, and in lines behind it the predicates of other languages that it stands for.
//
//go:embed instead.txt
var equivalents string

var instead = sync.OnceValue(func() map[string]string { return byName(decisionsOf(equivalents)) })

// Instead returns what to write here for a predicate or function of other languages, "" for other names.
func Instead(name string, arity int) string { return instead()[name+"/"+strconv.Itoa(arity)] }

// LeftOut returns the reason why a predicate is left out, "" if there is no decision about it. The name of a hook of
// a module includes the module, as in prolog:help_hook.
func LeftOut(name string, arity int) string { return leftOut()[name+"/"+strconv.Itoa(arity)] }

// AllLeftOut returns the predicates that are left out, sorted.
func AllLeftOut() []string { return slices.Sorted(maps.Keys(leftOut())) }
