// Package lint finds mistakes in programs that load and run but give wrong answers or none: "=" where "is" is meant,
// left recursion without a table, negation and arithmetic before a variable has a value, recursion that a table makes
// slow or wrong. It reads only the text. [Check] is its entry.
//
// A finding must be right: code that may be intended is not reported.
package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// Clause is a term of a text, a clause or a directive, with its layout.
type Clause struct {
	File, Module string
	Read         *syntax.Read
	// Changed is the hook that has replaced the term, "" if none has.
	Changed string
	// Label is the label of a rule of library(law), "" for other clauses. Denies says that the rule is for \+ of its
	// head.
	Label  term.Atom
	Denies bool
}

// Finding is one mistake.
type Finding struct {
	File string
	At   syntax.Place
	// Note says that this is no mistake, but that the check was incomplete here.
	Note bool
	// Code is one of package codes.
	Code, Message string
	// Insert is a line to be inserted before line Line, if it is not "".
	Insert string
	Line   int
	// Replace is a word between two columns of a line that With should replace, if it is not "".
	Replace, With string
	To            syntax.Place
}

type key = flow.Key

func keyOf(module, name string, arity int) key { return key{Module: module, Name: name, Arity: arity} }

// predicate is what the text says about a predicate.
type predicate struct {
	number  int // in the order of the text
	clauses []*clause
	// denying are the rules for \+ of the predicate.
	denying []*clause
	// modes are the arguments of its directives mode/2.
	modes [][]term.Term
	// eitherText marks the arguments that mode/2 declares as text. A call has strings there, but clauses may also be
	// written for atoms.
	eitherText []bool
	// proofs are the determinism words of its directives mode/2: how many answers there are.
	proofs []term.Term
	// table has the modes of its directive table/1, nil for an index. tabled says that there is one.
	table  []term.Term
	tabled bool
	// circles says that a left-recursive clause has been reported.
	circles bool
	// numbers marks the arguments in which some clause has a number.
	numbers []bool
	// more has the argument types of facts that clauses leaves out, nil if there are none.
	more   []flow.Type
	left   int  // the number of such facts
	hooked bool // a hook has replaced one of them
	// described are the names and descriptions of the arguments in info/2.
	described []term.Term
	// defaults says that info/2 gives a default for arguments that a call leaves out.
	defaults bool
	// mayLack marks the arguments that calls may leave out and that no clause tests. It is nil until it is computed.
	mayLack []bool
}

// clause is a clause with a name. args are the arguments of its head, with their layouts.
type clause struct {
	key   key
	file  string
	line  int
	args  []term.Term
	goals goal // the body
	// grammar says that it comes from a grammar rule. apart says that its goals belong to another module than its head.
	grammar, apart bool
	read           *syntax.Read
	changed        string    // see Clause.Changed
	label          term.Atom // see Clause.Label
	every          []goal    // see everyGoal
	sequence       []goal    // see conjuncts
}

func (cl *clause) isFact() bool { return cl.goals.Term == term.Term(term.True) }

// conjuncts returns the goals of the body one by one.
func (cl *clause) conjuncts() []goal {
	if cl.sequence == nil {
		cl.sequence = slices.Clip(cl.goals.Conjuncts())
	}
	return cl.sequence
}

// checker holds the program and what was found.
type checker struct {
	predicates map[key]*predicate
	order      []*predicate
	// symbolic are the modules that compute with unevaluated expressions: a head or a body decomposes some.
	symbolic map[string]bool
	found    []Finding
	world    World
	flow     *flow.Result // nil if it is unknown
	// typeNames has the types named by type/2, by module.
	typeNames map[string]typename.Names
	// mentioned counts the terms in bodies and directives, by name.
	mentioned map[term.Atom]int
	// offered are the predicates named by tools/1.
	offered map[key]bool
	// published says that tools/1 or mode/2 tell what is called from outside.
	published bool
	// dynamic are the predicates declared by directives dynamic/1.
	dynamic map[key]bool
	// data has the predicates whose facts are outside of the text.
	data map[key]Data
	// written caches the names in columns of facts.
	written map[column]writing
	// timed are the labels of rules with limited validity.
	timed map[term.Atom]bool
	// sites are the calls of the predicates.
	sites map[key][]site
	// callings has the ways in which predicates are called.
	callings map[chain][]*calling
	// before caches the results of typesBefore without knowledge about variables.
	before map[*clause]map[*syntax.Layout][]flow.Type
	// carriers are the accumulator variables of lambda expressions.
	carriers map[*term.Var]bool
	sums     *sums
	// noted are the reasons that have been given for incomplete checks.
	noted map[string]bool
}

// World answers the questions of the checks about the loaded program.
type World interface {
	flow.World
	// Function reports whether an arithmetic function exists.
	Function(name string, arity int) bool
	// Open reports whether a predicate may have clauses beyond the given number of the text.
	Open(k flow.Key, clauses int) bool
	// Data calls f for each predicate whose facts are outside of the text.
	Data(f func(Data))
	// Memory returns the inferred types of the last program, nil if they are not kept.
	Memory() *flow.Memory
}

// Data describes the facts of a data file, of a table of a database, or of a decision table.
type Data struct {
	flow.Key
	// Columns are the types of the columns. Classes are the types that other rows may also have.
	Columns, Classes []flow.Type
	// Needs are the arguments, from 0, that a call must give because rows test them.
	Needs []int
	// Listed says for each argument whether rows accept only the values of Columns.
	Listed []bool
}

// Check returns the mistakes in a program, which is given by its terms in the order of the text and the facts outside
// of the text.
func Check(program []Clause, facts map[flow.Key]*Facts, world World) []Finding {
	c := &checker{world: world, predicates: map[key]*predicate{}, symbolic: map[string]bool{},
		carriers: map[*term.Var]bool{}, typeNames: map[string]typename.Names{}, mentioned: map[term.Atom]int{},
		noted: map[string]bool{}, offered: map[key]bool{}, dynamic: map[key]bool{}, timed: map[term.Atom]bool{},
		data: map[key]Data{}, written: map[column]writing{}, callings: map[chain][]*calling{},
		before: map[*clause]map[*syntax.Layout][]flow.Type{}}
	c.sums = &sums{checker: c, told: map[*syntax.Layout]bool{}}
	for _, one := range program {
		c.names(one)
	}
	for _, one := range program {
		c.add(one)
	}
	c.sums.constrains = slices.ContainsFunc(slices.Collect(maps.Keys(c.mentioned)), constrain)
	for k, f := range facts {
		if f.types != nil {
			p := c.predicate(k)
			p.more, p.left, p.hooked = f.types, f.count-MaxFacts, f.Changed
		}
	}
	for _, p := range c.order {
		for _, cl := range p.clauses {
			if _, apart := c.equations(cl); apart {
				c.symbolic[cl.key.Module] = true
			}
			c.carried(cl)
		}
	}
	c.findSites()
	c.world.Data(func(d Data) {
		if p := c.predicates[d.Key]; p == nil || len(p.clauses) == 0 {
			c.data[d.Key] = d
		}
	})
	for _, p := range c.order {
		for _, cl := range p.clauses {
			if cl.changed != "" {
				continue
			}
			c.heads(p, cl)
			if !cl.isFact() {
				c.clause(p, cl)
			}
		}
	}
	c.unasked()
	c.types()
	return c.found
}

// clause searches a clause for all mistakes.
func (c *checker) clause(p *predicate, cl *clause) {
	if !cl.apart {
		c.leftRecursion(p, cl)
		c.rightRecursion(p, cl)
		c.monotone(p, cl)
	}
	c.bindings(p, cl)
	c.unevaluated(p, cl)
	c.constants(p, cl)
	c.calculated(cl)
	c.forms(cl)
}

func (c *checker) report(cl *clause, layout *syntax.Layout, code, format string, args ...any) *Finding {
	message := fmt.Sprintf(format, args...)
	c.found = append(c.found, Finding{File: cl.file, At: placeOf(cl, layout), Code: code, Message: message})
	return &c.found[len(c.found)-1]
}

// placeOf returns the place of a term of a clause, or of the clause if layout is nil.
func placeOf(cl *clause, layout *syntax.Layout) syntax.Place {
	if layout == nil || layout.Pos.Line == 0 {
		return syntax.Place{Line: cl.read.Pos.Line, Column: cl.read.Pos.Column}
	}
	return syntax.Place{Line: layout.Pos.Line, Column: layout.Pos.Column}
}

// unchecked notes at a clause which check was skipped, once for each reason.
func (c *checker) unchecked(cl *clause, reason, what string) {
	if !c.noted[reason] {
		c.noted[reason] = true
		c.report(cl, nil, "unchecked", "%s; not looked for were %s", reason, what).Note = true
	}
}

// predicate returns the record of a predicate.
func (c *checker) predicate(k key) *predicate {
	p := c.predicates[k]
	if p == nil {
		p = &predicate{number: len(c.order), numbers: make([]bool, k.Arity), eitherText: make([]bool, k.Arity)}
		c.predicates[k], c.order = p, append(c.order, p)
	}
	return p
}

// offering lists the predicates whose facts name the predicates that clients can call.
var offering = map[term.Atom]bool{"tools": true, "prompts": true, "resources": true}

// add records a term of the text.
func (c *checker) add(one Clause) {
	if args, ok := term.Is(one.Read.Term, ":-", 1); ok {
		c.directive(one.Module, args[0])
		c.mentionOf(args[0])
		visit(args[0], func(t term.Term) {
			if name, arity, _ := term.Indicator(t); name == "valid" && arity > 1 {
				label, _ := t.(*term.Compound).Args[0].(term.Atom)
				c.timed[label] = true
			}
		})
		return
	}
	cl := &clause{file: one.File, line: one.Read.Pos.Line, goals: goal{Term: term.True}, read: one.Read,
		changed: one.Changed, label: one.Label}
	head := one.Read.Term
	if args, ok := term.Is(head, ":-", 2); ok {
		head, cl.goals = args[0], goal{Term: args[1], Layout: one.Read.Layout.Arg(1)}
	} else if grammarHead, goals, ok := translate(one.Read); ok {
		head, cl.goals, cl.grammar = grammarHead, goals, true
	}
	module := one.Module
	if args, ok := term.Is(head, ":", 2); ok {
		name, _ := args[0].(term.Atom)
		module, head = string(name), args[1]
	}
	cl.apart = module != one.Module
	name, arity, ok := term.Indicator(head)
	if !ok || name == "-->" || name == "=>" || name == "?-" {
		return
	}
	cl.key = keyOf(module, string(name), arity)
	if compound, ok := head.(*term.Compound); ok {
		cl.args = compound.Args
	}
	if arity == 1 && offering[name] {
		c.mention(head)
		c.offers(module, head)
	}
	p := c.predicate(cl.key)
	c.published = c.published || cl.key.Name == "tools" && arity == 1
	c.mention(cl.goals.Term)
	if one.Denies {
		p.denying = append(p.denying, cl)
		return
	}
	p.clauses = append(p.clauses, cl)
	for i, arg := range cl.args {
		p.numbers[i] = p.numbers[i] || isNumber(arg)
		if hasExpression(arg, 0) {
			c.symbolic[module] = true
		}
	}
}

// offers records the predicates of tools.
func (c *checker) offers(module string, head term.Term) {
	visit(head, func(t term.Term) {
		tool, ok := t.(*term.Compound)
		if !ok || tool.Functor != "tool" || len(tool.Args) < 3 {
			return
		}
		functor, _ := tool.Args[1].(term.Atom)
		if arity, ok := tool.Args[2].(term.Int); ok && 0 < arity && arity < 100 {
			c.offered[keyOf(module, string(functor), int(arity))] = true
		}
	})
}

// names records a directive type/2.
func (c *checker) names(one Clause) {
	if args, ok := term.Is(one.Read.Term, ":-", 1); ok {
		if args, ok := term.Is(args[0], "type", 2); ok {
			if c.typeNames[one.Module] == nil {
				c.typeNames[one.Module] = typename.Names{}
			}
			c.typeNames[one.Module].Add(args)
		}
	}
}

// named returns an argument of mode/2, with the definition in place of a type that type/2 names.
func (c *checker) named(module string, t term.Term) term.Term {
	mode, ok := t.(*term.Compound)
	if !ok || len(mode.Args) != 1 {
		return t
	}
	own, err := c.typeNames[module].Resolve(mode.Args[0])
	if err == nil {
		own, err = c.typeNames["user"].Resolve(own)
	}
	if err != nil {
		return t
	}
	return term.New(mode.Functor, own)
}

// directive records the directives table/1 and mode/2.
func (c *checker) directive(module string, t term.Term) {
	if args, ok := term.Is(t, "mode", 2); ok {
		if name, arity, ok := term.Indicator(args[0]); ok && arity > 0 {
			p := c.predicate(keyOf(module, string(name), arity))
			c.published = true
			var types []term.Term
			for i, arg := range args[0].(*term.Compound).Args {
				types = append(types, c.named(module, arg))
				if mode, ok := arg.(*term.Compound); ok && len(mode.Args) == 1 && mode.Args[0] == term.Term(term.Atom("text")) {
					p.eitherText[i] = true
				}
			}
			p.modes, p.proofs = append(p.modes, types), append(p.proofs, args[1])
		}
		return
	}
	if args, ok := term.Is(t, "table", 1); ok {
		c.table(module, args[0])
	}
	c.changing(module, t)
	if args, ok := term.Is(t, "info", 2); ok {
		if name, arity, _, ok := shapes.NameArity(args[0]); ok && 0 < arity && arity < 100 {
			p := c.predicate(keyOf(module, string(name), arity))
			visit(args[1], func(t term.Term) {
				p.defaults = p.defaults || t == term.Term(term.Atom("defaults"))
				if args, ok := term.Is(t, "is", 2); ok && args[0] == term.Term(term.Atom("arguments")) {
					p.described, _ = term.Slice(args[1])
				}
			})
		}
	}
}

// mentionOf counts the names in a directive. Directives that describe a predicate call only their examples.
func (c *checker) mentionOf(directive term.Term) {
	switch name, arity, _ := term.Indicator(directive); {
	case arity == 2 && (name == "mode" || name == "type"):
	case arity == 2 && name == "info":
		items, _ := term.Slice(directive.(*term.Compound).Args[1])
		for _, item := range items {
			if args, ok := term.Is(item, "is", 2); ok && args[0] == term.Term(term.Atom("examples")) {
				c.mention(args[1])
			}
		}
	default:
		c.mention(directive)
	}
}

// mention counts the names in a term.
func (c *checker) mention(t term.Term) {
	visit(t, func(t term.Term) {
		if name, _, ok := term.Indicator(t); ok {
			c.mentioned[name]++
		}
	})
}

// table records a specification of table/1.
func (c *checker) table(module string, spec term.Term) {
	for _, wrapper := range []term.Atom{",", "as", ":"} {
		args, ok := term.Is(spec, wrapper, 2)
		switch {
		case !ok:
			continue
		case wrapper == ",":
			c.table(module, args[0])
			c.table(module, args[1])
		case wrapper == "as":
			c.table(module, args[0])
		default:
			name, _ := args[0].(term.Atom)
			c.table(string(name), args[1])
		}
		return
	}
	if list, ok := term.Slice(spec); ok {
		for _, one := range list {
			c.table(module, one)
		}
		return
	}
	if name, arity, _, ok := shapes.NameArity(spec); ok {
		if arity < 100 {
			c.predicate(keyOf(module, string(name), arity)).tabled = true
		}
		return
	}
	if name, arity, ok := term.Indicator(spec); ok {
		p := c.predicate(keyOf(module, string(name), arity))
		p.tabled = true
		if compound, ok := spec.(*term.Compound); ok {
			p.table = compound.Args
		}
	}
}

// direction returns the indicator on which all directives mode/2 agree for an argument, or "".
func (p *predicate) direction(i int) term.Atom {
	common := term.Atom("")
	for _, args := range p.modes {
		indicator, _, _ := term.Indicator(args[i])
		if common != "" && indicator != common {
			return ""
		}
		common = indicator
	}
	return common
}

// isOutput reports whether the caller gives no value for an argument.
func (p *predicate) isOutput(i int) bool { d := p.direction(i); return d == "-" || d == "--" }

// isInput reports whether the caller gives a value for an argument.
func (p *predicate) isInput(i int) bool { d := p.direction(i); return d == "+" || d == "++" }

// numberTypes are the types of mode/2 whose values are numbers.
var numberTypes = []term.Atom{"integer", "number", "float", "non_negative_integer", "positive_integer",
	"negative_integer", "byte", "between", "rational", "decimal"}

// isDeclaredNumber reports whether there are directives mode/2 and all of them declare an argument as a number.
func (p *predicate) isDeclaredNumber(i int) bool {
	return len(p.modes) > 0 &&
		!slices.ContainsFunc(p.modes, func(args []term.Term) bool { return !isNumberMode(args[i]) })
}

// isNumberMode reports whether an argument of mode/2 has the type of a number.
func isNumberMode(arg term.Term) bool {
	mode, ok := arg.(*term.Compound)
	if !ok || len(mode.Args) != 1 {
		return false
	}
	name, _, ok := term.Indicator(mode.Args[0])
	return ok && slices.Contains(numberTypes, name)
}

// isNumeric reports whether an argument is declared as a number, or is a number in some clause.
func (p *predicate) isNumeric(i int) bool {
	return p.numbers[i] || slices.ContainsFunc(p.modes, func(args []term.Term) bool { return isNumberMode(args[i]) })
}

// goal is a goal of a clause.
type goal = body.Part

// apartGoals lists the predicates whose goals usually have local variables. Other goals export their bindings.
var apartGoals = map[term.Atom]bool{"\\+": true, "not": true, "tnot": true, "findall": true, "findnsols": true,
	"forall": true, "foreach": true, "aggregate_all": true, "aggregate": true, "bagof": true, "setof": true}

// delayed lists the predicates whose goals run later.
var delayed = map[term.Atom]bool{"freeze": true, "when": true, "undo": true}

// inner returns the goals that a goal of a clause calls, and whether it exports their bindings.
func (c *checker) inner(cl *clause, g goal) (goals []goal, lasts bool) {
	name, arity, ok := term.Indicator(g.Term)
	if !ok || arity == 0 || delayed[name] {
		return nil, false
	}
	called := c.world.Resolve(cmp.Or(g.Module, cl.key.Module), string(name), arity)
	for _, one := range g.Arguments(c.world.Meta(called)) {
		if one.Extra == 0 && !one.Grammar {
			goals = append(goals, one)
		}
	}
	return goals, len(goals) > 0 && !apartGoals[name]
}

// call returns the arguments of a goal if it calls a predicate.
func call(k key, g goal) ([]term.Term, bool) {
	g, _ = g.Plain()
	if g.Module != "" && g.Module != k.Module {
		return nil, false
	}
	return term.Is(g.Term, term.Atom(k.Name), k.Arity)
}

// calls counts the calls of a predicate anywhere in a body.
func calls(t term.Term, k key) (n int) {
	visit(t, func(t term.Term) {
		if name, arity, ok := term.Indicator(t); ok && string(name) == k.Name && arity == k.Arity {
			n++
		}
	})
	return n
}

// maxVisited bounds the examined subterms of a term.
const maxVisited = 100_000

// visit calls f for a term and its subterms, and returns their number.
func visit(t term.Term, f func(term.Term)) (n int) {
	stack := make([]term.Term, 1, 16)
	for stack[0] = t; len(stack) > 0 && n < maxVisited; n++ {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		f(t)
		if c, ok := t.(*term.Compound); ok {
			stack = append(stack, c.Args...)
		}
	}
	return n
}

// variables adds the variables of a term to a set, and returns the number of examined subterms.
func variables(t term.Term, set map[*term.Var]bool) int {
	return visit(t, func(t term.Term) {
		if v, ok := t.(*term.Var); ok {
			set[v] = true
		}
	})
}

// has reports whether a term contains a variable.
func has(t term.Term, v *term.Var) (found bool) {
	visit(t, func(t term.Term) { found = found || t == term.Term(v) })
	return found
}

func isVar(t term.Term) bool { _, ok := t.(*term.Var); return ok }

func isNumber(t term.Term) bool {
	switch t.(type) {
	case term.Int, term.Float, *term.Big, *term.Rational:
		return true
	}
	return false
}

// nameOf returns the name of a variable in its clause, or _.
func (cl *clause) nameOf(v *term.Var) string {
	for _, info := range cl.read.Vars {
		if info.Var == v {
			return info.Name
		}
	}
	return "_"
}

// This part translates grammar rules to clauses. New variables pass the text on; the effect of terminals does not
// matter here.

// translate translates a grammar rule to a clause. ok is false if the rule cannot be translated.
func translate(read *syntax.Read) (head term.Term, goals goal, ok bool) {
	args, ok := term.Is(read.Term, "-->", 2)
	if !ok {
		return nil, goal{}, false
	}
	from, to := term.NewVar(""), term.NewVar("")
	head, ok = withTexts(args[0], from, to)
	if !ok {
		return nil, goal{}, false
	}
	goals.Term, goals.Layout = grammarBody(args[1], read.Layout.Arg(1), from, to, 0)
	return head, goals, true
}

// withTexts adds the arguments for the text before and after to a nonterminal.
func withTexts(t term.Term, from, to *term.Var) (term.Term, bool) {
	name, _, ok := term.Indicator(t)
	if !ok || name == "," || name == "|" {
		return nil, false
	}
	var args []term.Term
	if c, isCompound := t.(*term.Compound); isCompound {
		args = c.Args
	}
	return term.New(name, append(args[:len(args):len(args)], from, to)...), true
}

// maxNested bounds the nesting of the body of a grammar rule.
const maxNested = 1000

// grammarBody translates the body of a grammar rule and gives it a matching layout.
func grammarBody(t term.Term, layout *syntax.Layout, from, to *term.Var, depth int) (term.Term, *syntax.Layout) {
	c, isCompound := t.(*term.Compound)
	_, isText := t.(term.String)
	switch {
	case depth > maxNested, isText, t == term.Term(term.Nil), t == term.Term(term.Atom("!")), isVar(t):
		return consume(from, to), layout
	case isCompound && len(c.Args) == 2 && (c.Functor == "," || c.Functor == "->" || c.Functor == "*->"):
		between := term.NewVar("")
		left, leftLayout := grammarBody(c.Args[0], layout.Arg(0), from, between, depth+1)
		right, rightLayout := grammarBody(c.Args[1], layout.Arg(1), between, to, depth+1)
		return term.New(c.Functor, left, right), around(layout, leftLayout, rightLayout)
	case isCompound && len(c.Args) == 2 && (c.Functor == ";" || c.Functor == "|"):
		left, leftLayout := grammarBody(c.Args[0], layout.Arg(0), from, to, depth+1)
		right, rightLayout := grammarBody(c.Args[1], layout.Arg(1), from, to, depth+1)
		return term.New(";", left, right), around(layout, leftLayout, rightLayout)
	case isCompound && c.Functor == "{}" && len(c.Args) == 1:
		return c.Args[0], layout.Arg(0)
	case isCompound && c.Functor == "\\+" && len(c.Args) == 1:
		inner, innerLayout := grammarBody(c.Args[0], layout.Arg(0), from, term.NewVar(""), depth+1)
		return term.New("\\+", inner), around(layout, innerLayout)
	case isCompound && c.Functor == term.Dot || isCompound && c.Functor == "call":
		return term.New("phrase", t, from, to), around(layout, layout)
	}
	called, ok := withTexts(t, from, to)
	if !ok {
		return consume(from, to), layout
	}
	return called, layout
}

// consume is a goal that reads text without any variable of the rule.
func consume(from, to *term.Var) term.Term { return term.New("phrase", term.Nil, from, to) }

// around returns a layout at the place of another one.
func around(layout *syntax.Layout, args ...*syntax.Layout) *syntax.Layout {
	if layout == nil {
		return nil
	}
	return &syntax.Layout{Pos: layout.Pos, Args: args}
}
