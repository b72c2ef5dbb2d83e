// Package explain turns the results of library(explain) into proofs and misses that people and models can read.
//
// The library interprets a goal and returns a raw proof, a term. [NewProof] turns that into a flat graph: equal parts
// are shared, chains are folded, and parts beyond the limits are cut where they matter least. [NewMisses] does the same
// for missing facts. The package depends on terms and their syntax, but on no machine and no program.
package explain

import (
	"path"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/template"
)

// The limits of an explanation if none are given.
const (
	DefaultNodes = 40
	DefaultDepth = 5
	DefaultBytes = 4 << 10
)

// Advice is the program's declarations on explaining a predicate.
type Advice = database.Advice

// Options say how large an explanation may be and how it is written. A limit of 0 stands for its default.
type Options struct {
	Nodes, Depth, Bytes int
	// Module is where the goal is called. Goals of other modules are shown with their module.
	Module string
	// Ops returns the operators of a module.
	Ops func(module string) *syntax.Ops
	// Advice returns the program's declarations on a predicate.
	Advice func(module, name string, arity int) Advice
	// Texts has the texts of the clauses, nil if they are unknown.
	Texts Texts
	// Message returns the words for a thrown error. If nil, errors are shown as terms.
	Message func(ball term.Term) string
	// Ended calls a goal again and returns where it throws, and why it does not terminate, "" for unknown. If nil,
	// nothing is known.
	Ended func(g Goal) (place, cause string)
	// Home returns the module that defines a predicate, "" for predicates of the system and of libraries, and for
	// unknown ones. If nil, goals of other modules are always shown with their module.
	Home func(module, name string, arity int) string
	// NoEnv says that goals see no environment variables.
	NoEnv bool
	// Lambdas returns a term with lambdas in place of the predicates made from them, and the local variables of these
	// lambdas. If nil, there are no lambdas.
	Lambdas func(t term.Term) (shown term.Term, own []*term.Var)
	// Origins returns the origins of asserted facts, in their order, "" for an unknown one. If nil, nothing is known.
	Origins func(goals []Goal) []string
	// Name returns the name of a file as goals see it.
	Name func(file string) string
	// Query are the variables of the query with their values.
	Query []Value
	// Late says that there was no time for the requested proof.
	Late bool
	// Rather has the misses of an expected other answer, which the proof also explains. nil: no other answer was
	// expected.
	Rather *Misses
	// Contrast says that the misses are those of Rather, so the actual answer is known.
	Contrast bool
	// Suggestion returns, in words, a suggestion for the name of an undefined predicate. If nil, there are no
	// suggestions.
	Suggestion func(module, name string, arity int) string
	// Line says that only the line of the misses is wanted.
	Line bool
	// Lacking assumes some facts and reports whether the goal then has an answer, or returns the raw misses that
	// remain. It also reports whether there was time for that. If nil, nothing is tried.
	Lacking func(facts []Goal) (holds bool, misses term.Term, tried bool)
	// Secrets are texts that no shown constant may contain.
	Secrets []string
	naming  *naming
	legend  *legend
	// undefined says that the answer depends on something that is neither true nor false.
	undefined bool
	// above is the goal of the misses that are being read. naming has the names of its variables.
	above term.Term
	// called is the goal that is shown with its values at the call, nil within other goals.
	called term.Term
	// asCode says that goals are written as Prolog has them, not in words.
	asCode bool
	// at is the place of the clause whose goals are shown. head is the instance of its head.
	at   Place
	head Goal
}

// Texts are the texts of the clauses of a program.
type Texts interface {
	// Goal returns the text of the goal of the clause at a place of which the given goal is an instance, or "". head
	// and body are instances of those of the clause. of lists for each argument the goals of the clause that share it.
	// linked says that the clause computes one of two arguments from variables of the other.
	Goal(at Place, head, goal Goal) (text string, of [][]Argument, linked bool)
	// Written is the same goal as a term, nil for none, with the names of its variables, and for each the goals of the
	// clause that have it as an argument.
	Written(at Place, head, goal Goal) (written *term.Compound, names map[*term.Var]string, of map[*term.Var][]Argument)
	// Line returns the line of the goal that Goal finds, 0 if it is unknown.
	Line(at Place, head, goal Goal) int
	// Names returns the names that the clause at a place gives to the variables in instances of its head and body.
	Names(at Place, head Goal) map[*term.Var]string
	// Named returns the names that the clause at a place gives to the variables of a goal of its body.
	Named(at Place, head, goal Goal) map[*term.Var]string
	// Source returns the source that a comment before the clause at a place names, "" for none.
	Source(at Place) string
	// Grammar reports whether a predicate is defined by grammar rules.
	Grammar(module, name string, arity int) bool
	// Instance returns the text of the clause at a place, and the values of its variables in an instance of its head
	// and body.
	Instance(at Place, head Goal) (text string, values []Value)
}

// Argument is an argument of a predicate, counted from 0. Head says that it belongs to the head of a clause. Held is
// the instance of the goal with the argument if that goal held before, else nil.
type Argument struct {
	Name      string
	Arity, At int
	Head      bool
	Held      *term.Compound
}

// Value is the name of a variable and its value.
type Value struct {
	Name  string
	Value term.Term
}

// withDefaults returns the options with every limit set.
func (o Options) withDefaults() Options {
	for _, limit := range []struct {
		value *int
		or    int
	}{{&o.Nodes, DefaultNodes}, {&o.Depth, DefaultDepth}, {&o.Bytes, DefaultBytes}} {
		if *limit.value <= 0 {
			*limit.value = limit.or
		}
	}
	if o.naming == nil {
		o.naming, o.legend = newNaming(o.Query), &legend{}
	}
	if o.Name == nil {
		o.Name = func(file string) string { return file }
	}
	if o.Advice == nil {
		o.Advice = func(string, string, int) Advice { return Advice{} }
	}
	return o
}

// withLambdas returns a raw explanation with lambdas in place of the predicates made from them.
func (o *Options) withLambdas(raw term.Term) term.Term {
	if o.Lambdas == nil {
		return raw
	}
	shown, own := o.Lambdas(raw)
	for _, v := range own {
		o.naming.own[v] = true
	}
	return shown
}

// Place is the place of a clause. File is "" for a clause that was not read from a file.
type Place struct {
	File string
	// Path is the file as it was opened.
	Path string
	Line int
	// Body is the instance of the body that was used, nil if it is unknown.
	Body term.Term
}

// noun names the thing at a place: a row of a data file or decision table, or a clause.
func (p Place) noun() string {
	switch path.Ext(strings.TrimSuffix(p.File, ".gz")) {
	case ".csv", ".tsv", ".tab", ".xlsx", ".dmn", ".json", ".jsonl", ".ndjson":
		return "row"
	}
	return "clause"
}

// String is file:line, or "".
func (p Place) String() string {
	if p.File == "" {
		return ""
	}
	if p.Line == 0 { // a table of a database
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// Goal is a goal with the module in which it is called.
type Goal struct {
	Module string
	Term   term.Term
}

// name returns the name of the predicate.
func (g Goal) name() term.Atom {
	name, _, _ := term.Indicator(g.Term)
	return name
}

// goalOf splits a goal from its module.
func goalOf(t term.Term) Goal {
	g := unqualified(t)
	if args, ok := term.Is(g.Term, "$terminal", 3); ok {
		return Goal{"user", term.New("=", args[0], args[1])}
	}
	g.Term = Untabled(g.Term)
	return g
}

func unqualified(t term.Term) Goal {
	g := Goal{Module: "user", Term: t}
	for range 100 {
		in, ok := term.Is(g.Term, ":", 2)
		if !ok {
			break
		}
		name, isAtom := in[0].(term.Atom)
		if !isAtom {
			break
		}
		g.Module, g.Term = string(name), in[1]
	}
	return g
}

// goalIn returns a goal within another one, which is called in a module.
func goalIn(t term.Term, module string) Goal {
	g := goalOf(t)
	if g.Module == "user" {
		g.Module = module
	}
	return g
}

// Untabled converts a call of the clauses of a tabled predicate to the goal of the program. It returns other goals
// unchanged.
func Untabled(goal term.Term) term.Term {
	c, ok := goal.(*term.Compound)
	if !ok {
		return goal
	}
	return &term.Compound{Functor: term.Atom(strings.TrimSuffix(string(c.Functor), database.BehindTable)), Args: c.Args}
}

// maxGoal bounds the text of a goal, in bytes. A goal longer than longGoal is shown less deeply.
const (
	maxGoal  = 300
	longGoal = 100
)

// text writes a goal, in words if the options say so.
func (o *Options) text(g Goal) string {
	if text, ok := o.grammarText(g); ok {
		return text
	}
	if text := o.wordsFor(g); text != "" && !o.asCode {
		return syntax.CutText(text, maxGoal)
	}
	if in, ok := term.Is(g.Term, "\\+", 1); ok {
		text := o.text(goalIn(in[0], g.Module))
		if _, junction := shapes.Junction(in[0]); junction && !strings.HasPrefix(text, "(") {
			text = "(" + text + ")"
		}
		return "\\+ " + text
	}
	return o.plainText(g)
}

// calledText writes a goal that is shown with its values at the call.
func (o *Options) calledText(g Goal) string {
	own := *o
	own.called = g.Term
	return own.text(g)
}

// code writes a goal in Prolog syntax.
func (o *Options) code(g Goal) string {
	own := *o
	own.asCode = true
	return own.text(g)
}

// plainText writes a goal in the form of the call.
func (o *Options) plainText(g Goal) string {
	shown := o.exact(withoutSchema(g.Term), o.advice(g).Types)
	if c, ok := shown.(*term.Compound); ok {
		shown = o.plainArguments(g.Module, c)
	}
	w := syntax.WriteOptions{Quoted: true, SpaceArgs: true, MaxBytes: maxGoal, Priority: 999, MaxDepth: 40}
	text := o.format(g.Module, shown, w)
	if len(text) > longGoal {
		w.MaxDepth = 10
		text = o.format(g.Module, shown, w)
	}
	if len(text) >= maxGoal {
		text = strings.TrimRight(syntax.CutText(text, maxGoal-3), ".") + "..."
	}
	o.legend.add(o, g)
	if home := o.home(g); home != o.Module && !plainModules[home] {
		text = home + ":" + text
	}
	return text
}

// format writes a term without secrets, with the names of its variables and the operators of a module.
func (o *Options) format(module string, t term.Term, w syntax.WriteOptions) string {
	t = o.veiled(t)
	w.NumberVars, w.Cycles, w.VarNames, w.Ops = true, true, o.naming.of(t), o.ops(module)
	return syntax.Format(t, &w)
}

// ops returns the operators of a module.
func (o *Options) ops(module string) *syntax.Ops {
	if o.Ops == nil {
		return nil
	}
	return o.Ops(module)
}

// home returns the module that a goal is shown with.
func (o *Options) home(g Goal) string {
	name, arity, ok := term.Indicator(g.Term)
	if g.Module == o.Module || o.Home == nil || !ok {
		return g.Module
	}
	return o.Home(g.Module, string(name), arity)
}

// plainModules lists modules that are not shown with their goals.
var plainModules = map[string]bool{"": true, "user": true, "system": true, "clpfd": true, "lists": true}

// source returns the source of a clause or its predicate: from a comment, else from info/2.
func (o *Options) source(at Place, g Goal) string {
	if at.File == "" {
		return ""
	}
	if o.Texts != nil {
		if source := o.Texts.Source(at); source != "" {
			return source
		}
	}
	return o.advice(g).Source
}

// advice returns the program's declarations on the predicate of a goal.
func (o *Options) advice(g Goal) Advice {
	name, arity, ok := term.Indicator(g.Term)
	if !ok {
		return Advice{}
	}
	return o.Advice(g.Module, string(name), arity)
}

// withSource returns the place of a clause in the form that a proof shows.
func withSource(at Place, source string) string {
	if source == "" {
		return at.String()
	}
	return at.String() + "; " + source
}

// withoutSchema removes the schema of the answer from a goal that asks the user.
func withoutSchema(goal term.Term) term.Term {
	if args, ok := term.Is(goal, "mcp_elicit", 3); ok {
		return term.New("mcp_elicit", args[0], term.NewVar(""), args[2])
	}
	return goal
}

// plainArguments removes the goal's own module from its arguments.
func (o *Options) plainArguments(module string, c *term.Compound) *term.Compound {
	var own []term.Term
	for i, arg := range c.Args {
		in, ok := term.Is(arg, ":", 2)
		if ok && (in[0] == term.Term(term.Atom(module)) || in[0] == term.Term(term.Atom(o.Module))) {
			if own == nil {
				own = append(own, c.Args...)
			}
			own[i] = in[1]
		}
	}
	if own == nil {
		return c
	}
	return &term.Compound{Functor: c.Functor, Args: own}
}

// says fills the template of a predicate, "" if there is none. Names of no argument stay unchanged. It writes values as
// text, and an unknown value as "some" with the name of the argument.
func (o *Options) says(g Goal, words func(Advice) string) string {
	a := o.advice(g)
	text := words(a)
	c, ok := g.Term.(*term.Compound)
	if !ok {
		return text
	}
	return syntax.CutText(template.Fill(text, func(name string) (string, bool) {
		at := template.Argument(a.Names, len(c.Args), name)
		if at < 0 {
			return "", false
		}
		if _, unbound := c.Args[at].(*term.Var); unbound {
			return "some" + argumentWord(a.Names, at), true
		}
		if at < len(a.Types) {
			return o.value(g.Module, o.exactly(c.Args[at], a.Types[at])), true
		}
		return o.value(g.Module, o.exact(c.Args[at], nil)), true
	}), maxGoal)
}

// argumentWord is the name of an argument for use after "some", or "thing".
func argumentWord(names []string, at int) string {
	if at < len(names) && len(names[at]) > 1 {
		return " " + strings.ToLower(names[at])
	}
	return "thing"
}

// holding returns the words of the templates for a goal that holds, or that does not hold below a negation.
func (o *Options) holding(g Goal) string {
	if inner := negated(g.Term); inner != nil {
		g = goalIn(inner, g.Module)
		return o.saysNot(g, g.Term)
	}
	return o.says(g, func(a Advice) string { return a.Says })
}

// saysNot returns the words for a goal without an answer, as it was called. A template that omits an argument denies
// answers for all its values, so it is not used for a call that gives the argument. A template that names an argument
// which the call leaves open is not used either: it would deny one value, or all of them, where rules may fail only
// because the argument is unbound.
func (o *Options) saysNot(g Goal, asked term.Term) string {
	text := o.says(g, func(a Advice) string { return a.SaysNot })
	c, ok := g.Term.(*term.Compound)
	if text == "" || !ok {
		return text
	}
	given := c
	if a, ok := asked.(*term.Compound); ok && a.Functor == c.Functor && len(a.Args) == len(c.Args) {
		given = a
	}
	advice := o.advice(g)
	said := map[int]bool{}
	for _, name := range template.Names(advice.SaysNot) {
		said[template.Argument(advice.Names, len(c.Args), name)] = true
	}
	for i := range c.Args {
		if _, open := given.Args[i].(*term.Var); said[i] == open {
			return ""
		}
	}
	return text
}

// value writes a term for people.
func (o *Options) value(module string, t term.Term) string {
	w := syntax.WriteOptions{SpaceArgs: true, MaxBytes: maxGoal / 3, MaxDepth: 20}
	return syntax.CutText(o.format(module, t, w), maxGoal/3)
}
