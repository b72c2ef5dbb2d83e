package source

import (
	"path"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the directives that change how the rest of a text is read.

// Operators are the operators of a program. One goroutine may use them.
type Operators struct{ ops *syntax.Ops }

// NewOperators returns the standard operators and those of declarations.
func NewOperators() *Operators {
	ops := syntax.NewOps(syntax.StandardOps())
	ops.ReadIndicators()
	return &Operators{ops}
}

// maxDepth bounds how deep files that name each other are followed.
const maxDepth = 16

// obey carries out a directive as far as it changes how the text is read.
func (r *reader) obey(t term.Term) {
	args, ok := term.Is(t, ":-", 1)
	if !ok {
		r.begun = true
		return
	}
	goals, _ := term.Conjuncts(args[0])
	for _, goal := range goals {
		r.goal(goal)
	}
}

// goal carries out one goal of a directive.
func (r *reader) goal(t term.Term) {
	c, ok := t.(*term.Compound)
	if !ok {
		return
	}
	defer func() {
		r.begun = r.begun || c.Functor != "encoding" && c.Functor != "expects_dialect" && c.Functor != "include"
	}()
	switch name, n := string(c.Functor), len(c.Args); {
	case name == "op" && n == 3:
		addOperators(r.ops, c.Args)
	case name == "module" && n == 2:
		r.header(c.Args)
	case name == "set_prolog_flag" && n == 2:
		r.flag(c.Args)
	case n >= 1 && (name == "use_module" || name == "ensure_loaded" || name == "reexport" || name == "include" ||
		name == "consult"):
		r.imports(r.text.Name, c.Args[0])
	}
}

// header makes the rest of the text the text of a module, if the module directive is the first term. Elsewhere the
// directive is a mistake, and only its operators take effect.
func (r *reader) header(args []term.Term) {
	name, ok := args[0].(term.Atom)
	if !ok {
		name = term.Atom(strings.TrimSuffix(path.Base(r.text.Name), path.Ext(r.text.Name)))
	}
	if !r.begun {
		r.text.Module = string(name)
	}
	r.ops = syntax.NewOps(r.ops)
	exported(args[1], r.ops)
	r.parse()
}

// exported adds the operators of a list of exports.
func exported(list term.Term, ops *syntax.Ops) {
	items, _ := term.Slice(list)
	for _, item := range items {
		if args, ok := term.Is(item, "op", 3); ok {
			addOperators(ops, args)
		}
	}
}

// addOperators does what op/3 does, as far as it makes sense.
func addOperators(ops *syntax.Ops, args []term.Term) {
	priority, isInt := args[0].(term.Int)
	name, _ := args[1].(term.Atom)
	typ, known := syntax.ParseOpType(string(name))
	if !isInt || !known || priority < 0 || priority > 1200 {
		return
	}
	for _, n := range syntax.OpNames(args[2]) {
		if parts, ok := term.Is(n, ":", 2); ok {
			n = parts[1]
		}
		if op, ok := n.(term.Atom); ok && op != "," {
			ops.Add(int(priority), typ, op)
		}
	}
}

func (r *reader) flag(args []term.Term) {
	name, _ := args[0].(term.Atom)
	value, _ := args[1].(term.Atom)
	switch name {
	case "iso":
		r.flags.Lenient = value != term.True
	case "rational_syntax":
		r.flags.NaturalRationals = value == term.Atom("natural")
	case "var_prefix":
		r.flags.VarPrefix = value == term.True
	}
}

// imports adds the operators of the files that a directive names.
func (r *reader) imports(from string, spec term.Term) {
	specs, isList := term.Slice(spec)
	if !isList {
		specs = []term.Term{spec}
	}
	for _, one := range specs {
		r.importOne(from, one)
	}
}

func (r *reader) importOne(from string, spec term.Term) {
	text, name, ok := r.find(from, spec)
	if !ok || r.seen[name] || r.depth >= maxDepth {
		return
	}
	r.seen[name] = true
	r.depth++
	defer func() { r.depth-- }()
	in := &reader{o: r.o, text: &Text{Name: name, Text: text, Module: "user"}, in: syntax.NewTextInput(name, text),
		ops: r.ops, flags: syntax.Flags{Lenient: true}, seen: r.seen, depth: r.depth}
	in.parser = syntax.NewParser(in.in, in.ops, &in.flags)
	in.readHead()
}

// readHead reads the directives at the beginning of a file that another file names. In a module only the header counts.
func (r *reader) readHead() {
	for {
		read, err := r.parser.Read()
		if err != nil {
			return
		}
		args, ok := term.Is(read.Term, ":-", 1)
		if !ok {
			return
		}
		if header, ok := term.Is(args[0], "module", 2); ok {
			exported(header[1], r.ops)
			return
		}
		r.obey(read.Term)
	}
}

// find returns the text and the name of the file that a directive names.
func (r *reader) find(from string, spec term.Term) (text, name string, ok bool) {
	if args, isLibrary := term.Is(spec, "library", 1); isLibrary {
		name = pathOf(args[0])
		text, ok = lib.Source(name)
		return text, "library " + name, ok
	}
	name = pathOf(spec)
	if name == "" || r.o.Open == nil {
		return "", "", false
	}
	if !path.IsAbs(name) {
		name = path.Join(path.Dir(from), name)
	}
	for _, file := range []string{name + ".pl", name} {
		if text, ok = r.o.Open(file); ok {
			return text, file, true
		}
	}
	return "", "", false
}

// pathOf returns the path that an atom, a string or a term such as dcg/basics stands for, or "".
func pathOf(t term.Term) string {
	var parts []string
	for len(parts) < maxDepth {
		args, ok := term.Is(t, "/", 2)
		if !ok {
			first, _ := term.Text(t)
			return path.Join(append([]string{first}, parts...)...)
		}
		last, _ := term.Text(args[1])
		parts = append([]string{last}, parts...)
		t = args[0]
	}
	return ""
}
