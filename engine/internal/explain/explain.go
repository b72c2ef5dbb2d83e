// Package explain makes proofs and misses that people and models can read of what library(explain) finds.
//
// The library interprets a goal and returns a raw proof, a term. [NewProof] turns that into a flat graph: equal parts
// are shared, chains are folded, and what is beyond the limits is cut where it matters least. [NewMisses] does the same
// for what was missing. The package knows terms and how they are written, but no machine and no program.
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

// The limits of an explanation when none are given.
const (
	DefaultNodes = 40
	DefaultDepth = 5
	DefaultBytes = 4 << 10
)

// Advice is what a program says about explaining a predicate.
type Advice = database.Advice

// Options say how large an explanation may be and how it is written. A limit of 0 stands for its default.
type Options struct {
	Nodes, Depth, Bytes int
	// Module is where the goal is called. Goals of other modules are shown with their module.
	Module string
	// Ops returns the operators of a module.
	Ops func(module string) *syntax.Ops
	// Advice returns what the program says about a predicate.
	Advice func(module, name string, arity int) Advice
	// Texts has the texts of the clauses. nil: they are not known.
	Texts Texts
	// Message returns the words for an error that was thrown. nil: errors are shown as terms.
	Message func(ball term.Term) string
	// Ended calls a goal again and returns where it throws, and why it has no end, "" for what is not known. nil: nothing
	// is known.
	Ended func(g Goal) (place, cause string)
	// Home returns the module that defines a predicate, "" for predicates of the system and of libraries, and for
	// unknown ones. nil: goals of other modules are shown with their module, whatever they call.
	Home func(module, name string, arity int) string
	// NoEnv says that goals see no environment variables.
	NoEnv bool
	// Lambdas returns a term with lambdas in the place of the predicates that they have become, and the variables in them
	// that are their own. nil: there are none.
	Lambdas func(t term.Term) (shown term.Term, own []*term.Var)
	// Origins says of asserted facts where they come from, in their order, "" for one of which that is not known. nil:
	// nothing is known.
	Origins func(goals []Goal) []string
	// Name returns the name by which goals know a file.
	Name func(file string) string
	// Query are the variables of the query with their values.
	Query []Value
	// Late says that the time was not enough for the proof that was asked for.
	Late bool
	// Rather is what another answer lacks that was expected, for a proof that is to say that too. nil: none was.
	Rather *Misses
	// Contrast says that misses are for Rather: the answer that there is instead is known.
	Contrast bool
	// Suggestion returns in words what may be meant by the name of a predicate that is not defined. nil: nothing is
	// known.
	Suggestion func(module, name string, arity int) string
	// Line says that of misses only the line is wanted.
	Line bool
	// Lacking reports whether the goal has an answer when some facts are assumed, or the raw misses that it has then, and
	// whether there was time to try that. nil: nothing is tried.
	Lacking func(facts []Goal) (holds bool, misses term.Term, tried bool)
	// Secrets are texts that no constant may show.
	Secrets []string
	naming  *naming
	legend  *legend
	// undefined says that the answer rests on something that is neither true nor false.
	undefined bool
	// above is the goal that the misses are about which are read, with the names of its variables in naming.
	above term.Term
	// called is the goal that is shown with the values that it was called with, nil within others.
	called term.Term
	// asCode says that goals are written as Prolog has them, and not in words.
	asCode bool
	// at is where the clause stands in which goals are shown, head the instance of its head.
	at   Place
	head Goal
}

// Texts are the texts of the clauses of a program.
type Texts interface {
	// Goal returns a goal as the clause at a place has it written, of which the goal given is an instance in that of the
	// clause's head and body, or "". of are the goals of the clause that each of its arguments is one of, too. linked
	// says that the clause computes one of two arguments from what the other one is made of.
	Goal(at Place, head, goal Goal) (text string, of [][]Argument, linked bool)
	// Written is the same goal as a term, nil for none, with the names of its variables, and the goals of the clause that
	// each of them is an argument of.
	Written(at Place, head, goal Goal) (written *term.Compound, names map[*term.Var]string, of map[*term.Var][]Argument)
	// Line is the line of a goal as the clause at a place has it written, as Goal finds it, 0 where that is not known.
	Line(at Place, head, goal Goal) int
	// Names returns the names that the clause at a place, with an instance of its body, has for the variables of an
	// instance of its head and of that.
	Names(at Place, head Goal) map[*term.Var]string
	// Named returns the names that the clause at a place has for the variables of a goal of its body.
	Named(at Place, head, goal Goal) map[*term.Var]string
	// Source returns what a comment before the clause at a place names as its source, "" for none.
	Source(at Place) string
	// Grammar reports whether a predicate is made of grammar rules.
	Grammar(module, name string, arity int) bool
	// Instance returns the text of the clause at a place, and the values that its variables have in an instance of its
	// head, and of its body, which stands at the place.
	Instance(at Place, head Goal) (text string, values []Value)
}

// Argument is one of a predicate, counted from 0. Head says that it is one of the head of a clause. Held is the
// instance of the goal that has it if that held before the goal that is asked about, else nil.
type Argument struct {
	Name      string
	Arity, At int
	Head      bool
	Held      *term.Compound
}

// Value is a variable, by its name, with its value.
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

// withLambdas is a raw explanation with lambdas in the place of the predicates that they have become.
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

// Place is where a clause stands; File is "" for one that was not read.
type Place struct {
	File string
	// Path is the file as it was opened.
	Path string
	Line int
	// Body is the instance of the body that was used, nil when it is not known.
	Body term.Term
}

// noun says what stands at a place: a row of a data file or decision table, or a clause.
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

// Goal is a goal with the module that it is called in.
type Goal struct {
	Module string
	Term   term.Term
}

// name is that of the predicate.
func (g Goal) name() term.Atom {
	name, _, _ := term.Indicator(g.Term)
	return name
}

// goalOf takes the module off a goal.
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

// goalIn is a goal within another one, which is called in a module.
func goalIn(t term.Term, module string) Goal {
	g := goalOf(t)
	if g.Module == "user" {
		g.Module = module
	}
	return g
}

// Untabled returns a goal of the program for one that calls the clauses of a tabled predicate, and any other as it is.
func Untabled(goal term.Term) term.Term {
	c, ok := goal.(*term.Compound)
	if !ok {
		return goal
	}
	return &term.Compound{Functor: term.Atom(strings.TrimSuffix(string(c.Functor), database.BehindTable)), Args: c.Args}
}

// maxGoal bounds the text of a goal, in bytes. One that is longer than longGoal is shown less deep.
const (
	maxGoal  = 300
	longGoal = 100
)

// text writes a goal, in words where the options say so.
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

// calledText writes a goal that was called with the values that it is shown with.
func (o *Options) calledText(g Goal) string {
	own := *o
	own.called = g.Term
	return own.text(g)
}

// code writes a goal as Prolog has it.
func (o *Options) code(g Goal) string {
	own := *o
	own.asCode = true
	return own.text(g)
}

// plainText writes a goal as it is called.
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

// ops are the operators of a module.
func (o *Options) ops(module string) *syntax.Ops {
	if o.Ops == nil {
		return nil
	}
	return o.Ops(module)
}

// home is the module that a goal is shown with.
func (o *Options) home(g Goal) string {
	name, arity, ok := term.Indicator(g.Term)
	if g.Module == o.Module || o.Home == nil || !ok {
		return g.Module
	}
	return o.Home(g.Module, string(name), arity)
}

// plainModules are modules whose goals are shown without their name.
var plainModules = map[string]bool{"": true, "user": true, "system": true, "clpfd": true, "lists": true}

// source is where a clause or its predicate comes from: what a comment says, else what info/2 does.
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

// advice is what the program says about the predicate of a goal.
func (o *Options) advice(g Goal) Advice {
	name, arity, ok := term.Indicator(g.Term)
	if !ok {
		return Advice{}
	}
	return o.Advice(g.Module, string(name), arity)
}

// withSource is the place of a clause as a proof shows it.
func withSource(at Place, source string) string {
	if source == "" {
		return at.String()
	}
	return at.String() + "; " + source
}

// withoutSchema leaves out of a goal that asks the user what the answer has to look like.
func withoutSchema(goal term.Term) term.Term {
	if args, ok := term.Is(goal, "mcp_elicit", 3); ok {
		return term.New("mcp_elicit", args[0], term.NewVar(""), args[2])
	}
	return goal
}

// plainArguments takes the module of the goal itself off its arguments.
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

// says fills the template of a predicate, "" when it has none. A name that no argument has stays. A value is written as
// text, and one that is not known as some one of the argument's name.
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

// argumentWord is the name of an argument behind "some", "thing" for one without a name.
func argumentWord(names []string, at int) string {
	if at < len(names) && len(names[at]) > 1 {
		return " " + strings.ToLower(names[at])
	}
	return "thing"
}

// holding is what templates make of a goal that holds, or of one that does not below a negation.
func (o *Options) holding(g Goal) string {
	if inner := negated(g.Term); inner != nil {
		g = goalIn(inner, g.Module)
		return o.saysNot(g, g.Term)
	}
	return o.says(g, func(a Advice) string { return a.Says })
}

// saysNot are the words for a goal without an answer, as it was asked. A template that leaves out an argument says that
// there is no answer whatever that is, so there are none for a question that gives the argument. A template that names
// an argument without a value would speak for all values, and rules may fail only since it has none.
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
		_, open := c.Args[i].(*term.Var)
		if _, free := given.Args[i].(*term.Var); said[i] && open || !said[i] && !free {
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
