package lib

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/packs"
)

// This file reads the texts of the library for the index: the exports of each, which arguments are goals, and the
// descriptions of the predicates. The engine itself needs only the index.

// headerReader reads the header, the directives and the comments of one text.
type headerReader struct {
	parser  *syntax.Parser
	ops     *syntax.Ops
	flags   syntax.Flags
	read    *syntax.Read // the current clause
	library library
	metas   map[Indicator]string
	source  func(name string) (string, bool) // of other libraries, for their operators
}

// readLibrary reads the text of a library. An error names the place of the mistake.
func readLibrary(name, text string, source func(name string) (string, bool)) (library, error) {
	r := &headerReader{
		ops: syntax.NewOps(syntax.StandardOps()), flags: syntax.Flags{Lenient: true},
		library: library{name: name}, metas: map[Indicator]string{}, source: source,
	}
	r.parser = syntax.NewParser(syntax.NewTextInput(fileOf(name), text), r.ops, &r.flags)
	r.parser.Positions = true
	if err := r.header(); err != nil {
		return library{}, err
	}
	for {
		if err := r.next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return library{}, err
		}
		if err := r.directive(); err != nil {
			return library{}, err
		}
	}
	r.describe(Comments(text))
	return r.library, nil
}

// fileOf returns the path of a library's text, for messages.
func fileOf(name string) string {
	if _, err := fs.Stat(packs.Files, name+".pl"); err == nil {
		return "packs/" + name + ".pl"
	}
	return "engine/internal/lib/" + name + ".pl"
}

// next reads a clause. The error at the end of the text is io.EOF.
func (r *headerReader) next() (err error) {
	r.read, err = r.parser.Read()
	return err
}

// argument returns an argument of the clause's directive with its layout.
func (r *headerReader) argument(i int) (term.Term, *syntax.Layout) {
	goal := r.read.Term.(*term.Compound).Args[0].(*term.Compound)
	return goal.Args[i], r.read.Layout.Args[0].Args[i]
}

// fail returns an error about a place in the text.
func (r *headerReader) fail(at syntax.Place, format string, args ...any) error {
	return fmt.Errorf("%s: %s", syntax.Position{File: r.read.Pos.File, Place: at}, fmt.Sprintf(format, args...))
}

const headerForm = "a library begins with :- module(Name, [Predicate/Arity, ...])"

// header reads the module header, which is the first clause.
func (r *headerReader) header() error {
	if err := r.next(); errors.Is(err, io.EOF) {
		return fmt.Errorf("%s:1:1: %s", fileOf(r.library.name), headerForm)
	} else if err != nil {
		return err
	}
	at := r.read.Pos.Place
	goal, isDirective := term.Is(r.read.Term, ":-", 1)
	if !isDirective {
		return r.fail(at, headerForm)
	}
	if _, ok := term.Is(goal[0], "module", 2); !ok {
		return r.fail(at, headerForm)
	}
	exports, layout := r.argument(1)
	for cell, ok := exports.(*term.Compound); ok && len(cell.Args) == 2; cell, ok = exports.(*term.Compound) {
		if err := r.export(cell.Args[0], layout.Args[0].Pos); err != nil {
			return err
		}
		exports, layout = cell.Args[1], layout.Args[1]
	}
	if exports != term.Term(term.Nil) {
		return r.fail(layout.Pos, "the exports must be a list")
	}
	if len(r.library.exports) == 0 {
		return r.fail(at, "the library exports no predicate; write them in the second argument of module/2")
	}
	return nil
}

// export reads an element of the list of exports: Name/Arity, Name//Arity or an operator.
func (r *headerReader) export(t term.Term, at syntax.Place) error {
	if args, ok := term.Is(t, "op", 3); ok {
		return r.operator(args, at, true)
	}
	indicator, ok := indicatorOf(t)
	if !ok {
		return r.fail(at, "got %s, want Name/Arity, Name//Arity or op(Priority, Type, Name)", show(t, r.ops))
	}
	r.library.exports = append(r.library.exports, export{Indicator: indicator, line: at.Line})
	return nil
}

// indicatorOf returns the indicator of Name/Arity or Name//Arity.
func indicatorOf(t term.Term) (Indicator, bool) {
	name, arity, _, ok := shapes.NameArity(t)
	return Indicator{string(name), arity}, ok
}

func show(t term.Term, ops *syntax.Ops) string {
	return syntax.Format(t, &syntax.WriteOptions{Quoted: true, Ops: ops})
}

// operator defines an operator, or a list of operators, for the rest of the text.
func (r *headerReader) operator(args []term.Term, at syntax.Place, public bool) error {
	priority, isInt := args[0].(term.Int)
	name, isAtom := args[1].(term.Atom)
	typ, known := syntax.ParseOpType(string(name))
	for _, t := range syntax.OpNames(args[2]) {
		op, ok := t.(term.Atom)
		if !ok || !isInt || !isAtom || !known || priority < 0 || priority > 1200 {
			return r.fail(at, "no operator: op(%s, %s, %s)", show(args[0], r.ops), show(args[1], r.ops), show(t, r.ops))
		}
		r.ops.Add(int(priority), typ, op)
		if public {
			r.library.operators = append(r.library.operators, string(op))
		}
	}
	return nil
}

// directive applies the directives that change how the rest is read, and notes which arguments are goals.
func (r *headerReader) directive() error {
	body, ok := term.Is(r.read.Term, ":-", 1)
	if !ok {
		return nil
	}
	at := r.read.Pos.Place
	goals, _ := term.Conjuncts(body[0])
	for _, goal := range goals {
		c, _ := goal.(*term.Compound)
		switch {
		case c == nil:
		case c.Functor == "op" && len(c.Args) == 3:
			if err := r.operator(c.Args, at, false); err != nil {
				return err
			}
		case c.Functor == "meta_predicate" && len(c.Args) == 1:
			if err := r.metaPredicates(c.Args[0], at); err != nil {
				return err
			}
		case c.Functor == "set_prolog_flag" && len(c.Args) == 2:
			r.flag(c.Args[0], c.Args[1])
		case c.Functor == "use_module" || c.Functor == "reexport":
			r.importOperators(c.Args[0])
		}
	}
	return nil
}

// metaPredicates notes the specifications p(0, ?), ... of meta_predicate/1.
func (r *headerReader) metaPredicates(t term.Term, at syntax.Place) error {
	specs, _ := term.Conjuncts(t)
	for _, spec := range specs {
		c, ok := spec.(*term.Compound)
		if !ok {
			return r.fail(at, "got %s in meta_predicate/1, want a head such as p(0, ?)", show(spec, r.ops))
		}
		marks := make([]byte, len(c.Args))
		for i, arg := range c.Args {
			marks[i] = show(arg, r.ops)[0]
		}
		r.metas[Indicator{string(c.Functor), len(c.Args)}] = string(marks)
	}
	return nil
}

// flag sets a flag that changes how the rest is read.
func (r *headerReader) flag(name, value term.Term) {
	quotes := map[term.Term]syntax.Quotes{
		term.Atom("codes"): syntax.Codes, term.Atom("chars"): syntax.Chars, term.Atom("atom"): syntax.Atom,
		term.Atom("string"): syntax.String,
	}
	switch name {
	case term.Atom("double_quotes"):
		r.flags.DoubleQuotes = quotes[value]
	case term.Atom("back_quotes"):
		r.flags.BackQuotes = quotes[value]
	}
}

// importOperators defines the operators that library(Name) exports.
func (r *headerReader) importOperators(file term.Term) {
	args, ok := term.Is(file, "library", 1)
	if !ok {
		return
	}
	name := strings.ReplaceAll(show(args[0], r.ops), "'", "")
	text, ok := r.source(Canonical(name))
	if !ok {
		return
	}
	other := headerReader{ops: r.ops, library: library{name: name}, metas: map[Indicator]string{}, source: r.source}
	other.parser = syntax.NewParser(syntax.NewTextInput(fileOf(name), text), r.ops, &r.flags)
	other.parser.Positions = true
	_ = other.header() // its mistakes are reported when it is read for its own entry
}

// describe joins each export with its meta_predicate specification and its description.
func (r *headerReader) describe(comments []Doc) {
	for i := range r.library.exports {
		e := &r.library.exports[i]
		e.meta = r.metas[e.Indicator]
		if d, ok := find(comments, e.Indicator); ok {
			e.modes, e.doc, e.nonterminal = d.Modes, d.Text, d.Nonterminal
		}
	}
}

// Index returns the text of index.go. The error names the place of each mistake in the texts.
func Index() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated by engine/internal/lib/index from the texts of the library. DO NOT EDIT.\n\n")
	b.WriteString("package lib\n\nvar index = []library{\n")
	var failures []error
	for _, name := range append(Names(), System()...) {
		text, ok := Source(name)
		if !ok {
			failures = append(failures, fmt.Errorf("%s: the text is missing", fileOf(name)))
			continue
		}
		l, err := readLibrary(name, text, Source)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		l.write(&b)
	}
	b.WriteString("}\n")
	if len(failures) > 0 {
		return nil, errors.Join(failures...)
	}
	return format.Source(b.Bytes())
}

// write writes a library as an element of a composite literal.
func (l *library) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "{name: %q, ", l.name)
	if len(l.operators) > 0 {
		b.WriteString("operators: []string{")
		for i, op := range l.operators {
			if i%10 == 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(b, "%q,", op)
		}
		b.WriteString("\n}, ")
	}
	b.WriteString("exports: []export{\n")
	for _, e := range l.exports {
		fmt.Fprintf(b, "{Indicator: Indicator{%q, %d}, line: %d, nonterminal: %t, meta: %q,\nmodes: %q,\ndoc: %q},\n",
			e.Name, e.Arity, e.line, e.nonterminal, e.meta, e.modes, e.doc)
	}
	b.WriteString("}},\n")
}
