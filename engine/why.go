package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines why a goal has an answer, and why it has none. Nothing is recorded when a goal runs:
// library(explain) runs it again, with the variables bound to the answer, and its changes of the database are taken
// back.

// WhyOptions say what is to be explained and how large the explanation may be. A limit of 0 stands for its default.
type WhyOptions struct {
	// Answer is the number of the answer, from 1. 0: the first.
	Answer int
	// Node is the name of a node that was cut in an earlier proof of the same answer; its proof is wanted. "": that of
	// the goal.
	Node string
	// Depth, Nodes and Bytes bound the proof: 5 levels, 40 nodes and 4 KiB of text.
	Depth, Nodes, Bytes int
	// Time bounds the search for the explanation, apart from the run that finds the answer. 0: 2 s.
	Time time.Duration
	// Memory bounds what the search takes. 0: 256 MiB.
	Memory int
	// Inferences bounds the calls of the search. 0: no limit.
	Inferences int64
	// Run are the options of the run that finds the answer. Its transaction is never committed.
	Run RunOptions
	// Values are the values of the goal's variables in the answer, in their order, if they are known. nil: the goal is
	// run to find them.
	Values []Term
	// At is the state of the database in which the goal was answered, nil for the present one.
	At *Moment
	// Origins says where asserted facts come from, in words and in their order; "" for one of which that is not known.
	// nil: nothing is known.
	Origins func(facts []Fact) []string
	// Ask is called before each run of the goal, the one that finds the answer and those that explain it. What it
	// returns answers the predicates that wait in that run. nil: a goal that asks is an error.
	Ask func() Replies
}

// Replies answers a predicate that waits; name and args are as [Run.Waiting] returns them.
type Replies func(name string, args []Term) (Term, error)

// replies are those for the next run of the goal.
func (o *WhyOptions) replies() Replies {
	if o.Ask == nil {
		return nil
	}
	return o.Ask()
}

// Proof says why an answer holds: a graph of nodes, the first one for the goal.
type Proof struct {
	// Answer are the values of the goal's variables.
	Answer any `json:"answer,omitempty"`
	// Solution is the same as terms.
	Solution Solution `json:"-"`
	// Text is the proof in lines.
	Text string `json:"text"`
	// Nodes are the facts of the proof, each before what it follows from.
	Nodes []ProofNode `json:"nodes"`
	// Truncated says which limits have cut the proof. nil: none.
	Truncated *Truncation `json:"truncated,omitempty"`
	// More is the node to go on from, see [WhyOptions.Node], or "".
	More string `json:"more,omitempty"`
	// Of says of which facts the proof is when these are not those that the call saw, or are not those of now. "":
	// both. It is for who explains calls; Why leaves it empty.
	Of string `json:"of,omitempty"`
}

// Clauses are the texts of the clauses that the proof shows, by their places.
func (p *Proof) Clauses() map[string]string {
	texts := map[string]string{}
	for _, n := range p.Nodes {
		if n.Clause != "" {
			texts[n.At] = n.Clause
		}
	}
	return texts
}

// ProofNode is one fact of a proof.
type ProofNode struct {
	ID   string `json:"id"`
	Goal string `json:"goal"`
	// Says is what the template of the predicate makes of the goal.
	Says string `json:"says,omitempty"`
	// By is rule, fact, asserted, builtin, constraint, absent, aggregate, table, asked, assumed or sql. It is missed for a
	// clause of a goal that is absent; then Goal is the one that the clause lacks, and Note says so in words.
	By string `json:"by"`
	// At is the place of the clause, file:line, or the table of a row, as in crm.customers.
	At string `json:"at,omitempty"`
	// With are the values of the clause's variables, by their names in the file, if that can be read, or those of a row
	// by the names of its columns.
	With map[string]string `json:"with,omitempty"`
	// Source is where the clause comes from, such as an article of a law: what a comment `%! source:` before it says, or
	// the key source of info/2. "": nobody says.
	Source string `json:"source,omitempty"`
	// From are the nodes that it follows from.
	From []string `json:"from,omitempty"`
	// Via are goals in between that were folded into this node.
	Via []string `json:"via,omitempty"`
	// Note says how many solutions there were, what was thrown, or why something is absent.
	Note string `json:"note,omitempty"`
	// Clause is the text of the clause, "" when its file cannot be read.
	Clause string `json:"-"`
	// Cut is true when some of what it follows from is not shown.
	Cut bool `json:"cut,omitempty"`
}

// Truncation says what is missing of a proof.
type Truncation struct {
	// Omitted is how many nodes are known and not shown, at least.
	Omitted int  `json:"omitted,omitempty"`
	Nodes   bool `json:"nodes,omitempty"`
	Depth   bool `json:"depth,omitempty"`
	Text    bool `json:"text,omitempty"`
	Time    bool `json:"time,omitempty"`
}

// Misses says why a goal has no answer.
type Misses struct {
	// Line is the nearest miss in one line.
	Line string `json:"line"`
	// Text are the misses in lines.
	Text string `json:"text"`
	// Misses are the nearest ones, the nearest first, More is how many other clauses have failed.
	Misses []Miss `json:"misses"`
	More   int    `json:"more,omitempty"`
	// Instead are values of arguments for which there are solutions, where somebody has looked for them.
	Instead []Instead `json:"instead,omitempty"`
	// Enough are the smallest sets of missing facts with which the goal that was asked would hold: it was tried with each
	// of them. They are not looked for where something else is missing. NoneEnough says that none of up to three was
	// found.
	Enough     [][]string `json:"enough,omitempty"`
	NoneEnough bool       `json:"none_enough,omitempty"`
	// Of is as in Proof.
	Of string `json:"of,omitempty"`

	program *Program
	found   []*explain.Miss
}

// Instead are the values of one argument for which a goal has solutions.
type Instead struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Clauses are the texts of the clauses that the misses name, by their places. They are read when it is called.
func (m *Misses) Clauses() map[string]string {
	texts, files := map[string]string{}, m.program.clauseFiles()
	for list := slices.Clone(m.found); len(list) > 0; list = list[1:] {
		miss := list[0]
		if _, text := files.Clause(miss.At, miss.Module); text != "" {
			texts[miss.At.String()] = text
		}
		list = append(list, miss.Because...)
	}
	return texts
}

// Miss is one reason why a goal has no answer.
type Miss struct {
	// Kind is clause for a clause one of whose goals fails, body for a conjunction, and else says what is the matter:
	// false, near, nofact, nohead, norow, empty, unknown, holds, counterexample, error, asks, recovery, answered, circle,
	// cut or limit.
	Kind string `json:"kind"`
	Goal string `json:"goal"`
	// Says is what the template says_not of the predicate makes of the goal.
	Says string `json:"says,omitempty"`
	At   string `json:"at,omitempty"`
	// Source is where the clause comes from, as in ProofNode.
	Source string `json:"source,omitempty"`
	// Held are goals of the clause that hold together, without those that only bind variables or write. HeldCount is how
	// many hold, Total how many there are.
	Held      []string `json:"held,omitempty"`
	HeldCount int      `json:"held_count,omitempty"`
	Total     int      `json:"total,omitempty"`
	// Failed is the first goal that does not hold with them.
	Failed string `json:"failed,omitempty"`
	// Behind are the goals of the clause behind the one that failed, and what they would have come to.
	Behind []Condition `json:"behind,omitempty"`
	// Others is how many other instances of that goal have failed too, OtherFailed are some of them.
	Others      int      `json:"others,omitempty"`
	OtherFailed []string `json:"other_failed,omitempty"`
	// Unended says that a limit came before the end of these.
	Unended bool `json:"unended,omitempty"`
	// Near are facts that differ in one argument.
	Near []string `json:"near,omitempty"`
	// Known are values that facts, or results, have where the goal has the one in Note, KnownCount is how many such
	// values there are.
	Known      []string `json:"known,omitempty"`
	KnownCount int      `json:"known_count,omitempty"`
	Note       string   `json:"note,omitempty"`
	// Written is the failed goal as the clause has it, with the names of its variables.
	Written string `json:"written,omitempty"`
	// Turns says with which values of a variable of the clause a comparison would hold, as in "A from 18 on".
	Turns string `json:"turns,omitempty"`
	// Proof says in lines why a goal holds that must not.
	Proof string `json:"proof,omitempty"`
	// Because are the misses of the goal that failed, More is how many others it has.
	Because []Miss `json:"because,omitempty"`
	More    int    `json:"more,omitempty"`
}

// Condition is a goal of a clause behind the one that failed.
type Condition struct {
	Goal string `json:"goal"`
	// Verdict is "would hold" with those before it that would, "failed", "asks the user", or "depends on" with the
	// variables that the goals before it did not find.
	Verdict string `json:"verdict"`
}

// The limits of the search for an explanation when none are given.
const (
	whyTime   = 2 * time.Second
	whyMemory = 256 << 20
	// maxTried bounds the inferences of each goal that is tried in the search for misses, fewTried when that has taken
	// too long.
	maxTried, fewTried = int64(2_000_000), int64(20_000)
	// whySlack is how many levels more are looked at than shown, for those that are folded or hidden.
	whySlack = 3
)

// Why says why a goal, given as text, has an answer. The error is a *FewAnswersError, which is ErrNoSolution too, when
// it has no such answer, and else as for [Run.Next].
func (p *Program) Why(ctx context.Context, goal string, o *WhyOptions) (*Proof, error) {
	g, err := p.whyGoal(goal, &o)
	if err != nil {
		return nil, err
	}
	return p.WhyTerm(ctx, g, o)
}

// whyGoal reads a goal and fills in options.
func (p *Program) whyGoal(goal string, o **WhyOptions) (*Goal, error) {
	if *o == nil {
		*o = &WhyOptions{}
	}
	module := p.moduleOf(&(*o).Run)
	read, err := readIn(module, goal)
	if err != nil {
		return nil, err
	}
	return newGoal(read, module), nil
}

// WhyTerm is Why for a goal given as a term.
func (p *Program) WhyTerm(ctx context.Context, g *Goal, o *WhyOptions) (*Proof, error) {
	path, ok := explain.Path(cmp.Or(o.Node, "n1"))
	if !ok {
		return nil, &NoNodeError{o.Node}
	}
	values, nth := slices.Clip(o.Values), 1
	a := p.ask(ctx, g, o)
	if values == nil {
		found, equal, err := p.answer(ctx, a.compared, o)
		if err != nil {
			return nil, err
		}
		values, nth = found, equal
	} else {
		for _, given := range a.given {
			values = append(values, instance(given, g.Vars, o.Values))
		}
	}
	s := Solution{values: values[:len(g.Vars)]}
	for _, v := range g.Vars {
		s.names = append(s.names, v.String())
	}
	g = a.goal
	raw, proved, late, err := p.prove(ctx, g, values, nth, path, o)
	if err != nil {
		return nil, err
	}
	made := explain.NewProof(raw, p.explainOptions(ctx, g, proved, o))
	if made == nil {
		return nil, &NoNodeError{o.Node}
	}
	proof := p.newProof(made, late)
	proof.Solution = s
	if answer := p.answerTexts(Solution{names: s.names, values: proved}, made); len(answer) > 0 {
		proof.Answer = answer
	}
	hideIn(explain.NewHider(p.secrets), proof)
	return proof, nil
}

// FewAnswersError is the error of asking for an answer that a goal does not have. It is [ErrNoSolution].
type FewAnswersError struct {
	// Answers is how many answers the goal has.
	Answers int
}

// Error says how many answers there are.
func (e *FewAnswersError) Error() string {
	switch e.Answers {
	case 0:
		return ErrNoSolution.Error()
	case 1:
		return "there is only one answer"
	}
	return fmt.Sprintf("there are only %d answers", e.Answers)
}

// Is reports whether the error is ErrNoSolution.
func (e *FewAnswersError) Is(err error) bool { return err == ErrNoSolution }

// NoNodeError is the error of asking for a node that a proof does not have.
type NoNodeError struct{ Node string }

// Error names the node.
func (e *NoNodeError) Error() string {
	return "the proof has no node " + e.Node + "; its name must come from a proof of the same answer"
}

// answerTexts are the values of an answer, as writeq text with the names of variables that its proof has.
func (p *Program) answerTexts(s Solution, proof *explain.Proof) map[string]string {
	w := &syntax.WriteOptions{Quoted: true, NumberVars: true, Ops: p.db.User().Ops, Cycles: true, MaxBytes: 1 << 10}
	texts := map[string]string{}
	for i, name := range s.names {
		var shown term.Term
		shown, w.VarNames = proof.Shown(s.values[i])
		text := syntax.CutText(syntax.Format(shown, w), 1<<10)
		if _, unbound := s.values[i].(*term.Var); name[0] != '_' && (!unbound || text != name && text != "_") {
			texts[name] = text
		}
	}
	return texts
}

// answer runs the goal to the answer that is asked for. It returns the values of its variables, and which of the
// answers with these values it is, from 1.
func (p *Program) answer(ctx context.Context, g *Goal, o *WhyOptions) (values []Term, nth int, err error) {
	run := o.Run
	run.Transaction, run.Session, run.Residual, run.At = true, nil, false, o.At
	r, err := p.StartTerm(g.Term, g.Vars, &run)
	if err != nil {
		return nil, 0, err
	}
	defer r.Close()
	replies, earlier := o.replies(), map[string]int{}
	for n := 0; n < max(o.Answer, 1); n++ {
		if found, err := r.nextAsking(ctx, replies, giveUp); err != nil {
			return nil, 0, err
		} else if !found {
			return nil, 0, &FewAnswersError{n}
		}
		text := syntax.Format(term.List(r.Solution().values...), &syntax.WriteOptions{Quoted: true, IgnoreOps: true,
			Cycles: true, MaxBytes: 4 << 10})
		earlier[text]++
		nth = earlier[text]
	}
	values = r.Solution().values
	if values == nil {
		values = []Term{}
	}
	return values, nth, nil
}

// asked is a goal that is explained. Where it calls a mode-directed table with values for arguments with a mode, goal
// has variables instead, the last of its own, as such a call demands: whoever asks why writes the answer. compared is
// the goal that finds the answers, with the values.
type asked struct {
	goal, compared *Goal
	given          []Term // the values of these variables
}

// ask returns how a goal is called.
func (p *Program) ask(ctx context.Context, g *Goal, o *WhyOptions) asked {
	a := asked{goal: g, compared: g}
	module, call := p.moduleOf(&o.Run), g.Term
	if args, ok := term.Is(call, ":", 2); ok {
		name, _ := args[0].(term.Atom)
		module, call = p.db.FindModule(string(name)), args[1]
	}
	c, ok := call.(*term.Compound)
	if !ok || module == nil {
		return a
	}
	pred := module.Resolve(code.Functor(string(c.Functor), len(c.Args)))
	if pred == nil || !pred.Has(database.ModeDirected) {
		return a
	}
	args, vars := slices.Clone(c.Args), slices.Clip(g.Vars)
	compared := []Term(nil)
	for _, i := range p.modedArguments(ctx, pred) {
		if _, free := args[i].(*term.Var); !free {
			v := term.NewVar("")
			args[i], vars, a.given = v, append(vars, v), append(a.given, args[i])
			compared = append(compared, term.New("=", v, c.Args[i]))
		}
	}
	call = term.New(":", term.Atom(module.Name), term.New(c.Functor, args...))
	a.goal, a.compared = &Goal{call, vars}, &Goal{term.Conjunction(append([]Term{call}, compared...)...), vars}
	return a
}

// modedArguments returns the numbers of the arguments with a mode, from 0. The clause of a tabled predicate has them
// last in a term.
func (p *Program) modedArguments(ctx context.Context, pred *database.Pred) (numbers []int) {
	head := make([]Term, pred.Arity())
	for i := range head {
		head[i] = term.NewVar("")
	}
	tuple, width, found := term.NewVar(""), term.NewVar(""), term.NewVar("")
	clause := term.New("clause", term.New(":", term.Atom(pred.Module.Name), term.New(term.Atom(pred.Name()), head...)),
		term.New("$tbl_moded", term.NewVar(""), tuple, width, term.NewVar("")))
	list := term.New("=", found, term.New("-", term.List(head...), term.New("-", tuple, width)))
	r, err := p.StartTerm(term.New(",", clause, list), []*term.Var{found}, nil)
	if err != nil {
		return nil
	}
	defer r.Close()
	if state, err := r.Next(ctx); err != nil || state != Answer {
		return nil
	}
	pair, _ := term.Is(r.Solution().values[0], "-", 2)
	own, _ := term.Slice(pair[0])
	both, _ := term.Is(pair[1], "-", 2)
	keys := int(both[1].(term.Int))
	for _, value := range both[0].(*term.Compound).Args[keys:] {
		numbers = append(numbers, slices.Index(own, value))
	}
	return numbers
}

// giveUp ends a goal that waits for what nobody answers.
func giveUp(_ *Run, err error) error { return err }

// throwOn makes the predicate that waits throw the error of the reply instead.
func throwOn(r *Run, err error) error {
	if _, ok := err.(*Exception); ok {
		return r.ResumeError(err)
	}
	return err
}

// nextAsking is Next with the predicates that wait answered; unanswered is called for those whose reply is an error,
// and returns nil if the goal goes on all the same.
func (r *Run) nextAsking(ctx context.Context, replies Replies, unanswered func(*Run, error) error) (bool, error) {
	for {
		state, err := r.Next(ctx)
		if err != nil || state != Waiting {
			return state == Answer, err
		}
		if replies == nil {
			return false, r.waitingError()
		}
		answer, err := replies(r.Waiting())
		if err == nil {
			r.Resume(answer)
		} else if err := unanswered(r, err); err != nil {
			return false, err
		}
	}
}

// prove returns the raw proof of an answer, and the values of the goal's variables in it. The goal is called as it was
// asked, and the answer is the nth that has the values. late is true when the time was not enough for that: then the
// proof is of its first level only, or of the goal with the answer put in.
func (p *Program) prove(
	ctx context.Context, g *Goal, values []Term, nth int, path Term, o *WhyOptions,
) (raw Term, proved []Term, late bool, err error) {
	depth := o.Depth
	if depth <= 0 {
		depth = explain.DefaultDepth
	}
	budget := o.Time
	if budget <= 0 {
		budget = whyTime
	}
	for _, try := range []struct {
		depth int
		bound bool
		share int // percent of the time
	}{{depth + whySlack, false, 65}, {0, false, 15}, {depth + whySlack, true, 15}, {0, true, 5}} {
		raw, proved, err = p.proveOnce(ctx, g, values, nth, path, o, try.depth, try.bound,
			budget*time.Duration(try.share)/100)
		var limit *Exception
		if raw != nil || err != nil && !errors.As(err, &limit) {
			return raw, proved, late, err
		}
		late = true
	}
	return p.unproved(g, values), values, true, nil
}

// unproved is the raw proof of an answer that could not be derived again within the limits.
func (p *Program) unproved(g *Goal, values []Term) Term {
	goal := term.New(":", term.Atom("user"), instance(g.Term, g.Vars, values))
	return term.New("proof", term.Nil, term.New("node", term.Atom("rule"), goal, term.Nil, term.Atom("cut")))
}

// instance returns a term with the values of variables.
func instance(t Term, vars []*term.Var, values []Term) Term {
	to := map[*term.Var]Term{}
	for i, v := range vars {
		to[v] = values[i]
	}
	return term.Rename(t, to)
}

// proveOnce is one attempt at it. A raw proof of nil without an error means that the goal had no such answer.
func (p *Program) proveOnce(
	ctx context.Context, g *Goal, values []Term, nth int, path Term, o *WhyOptions, depth int, bound bool,
	budget time.Duration,
) (Term, []Term, error) {
	raw := term.NewVar("Raw")
	goal := term.New(":", term.Atom(p.moduleOf(&o.Run).Name), g.Term)
	var given []machine.Binding
	if bound {
		for i, v := range g.Vars {
			given = append(given, machine.Binding{Var: v, Value: values[i]})
		}
	}
	variables := make([]Term, len(g.Vars))
	for i, v := range g.Vars {
		variables[i] = v
	}
	answer := term.New("answer", term.Int(nth), term.List(variables...), term.List(values...))
	why := term.New(":", term.Atom("explain"), term.New("why", goal, answer, term.Int(depth), path, raw))
	return p.explainGoal(ctx, why, append(g.Vars[:len(g.Vars):len(g.Vars)], raw), given, o, budget, giveUp)
}

// explainGoal runs a goal of library(explain) and returns the value of its last variable, nil when the goal fails, and
// those of the others.
func (p *Program) explainGoal(ctx context.Context, goal Term, vars []*term.Var, given []machine.Binding,
	o *WhyOptions, budget time.Duration, unanswered func(r *Run, err error) error,
) (last Term, others []Term, err error) {
	if err := p.needLibrary(ctx, "explain"); err != nil {
		return nil, nil, err
	}
	run := RunOptions{Transaction: true, Time: budget, Memory: o.Memory, Inferences: o.Inferences,
		At: o.At, Module: "user", Served: o.Run.Served}
	if run.Memory <= 0 {
		run.Memory = whyMemory
	}
	r, err := p.start(goal, vars, given, &run)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	found, err := r.nextAsking(ctx, o.replies(), unanswered)
	if err != nil || !found {
		return nil, nil, err
	}
	values := r.Solution().values
	return values[len(vars)-1], values[:len(vars)-1], nil
}

// explainOptions are the options of package explain for a goal.
// values are the values of its variables.
func (p *Program) explainOptions(ctx context.Context, g *Goal, values []Term, o *WhyOptions) explain.Options {
	query := map[*term.Var]string{}
	for i, v := range g.Vars {
		if of, unbound := values[i].(*term.Var); unbound && query[of] == "" {
			query[of] = v.String()
		}
	}
	texts := p.clauseFiles()
	again := 3 // how many goals are called again, each for a tenth of a second
	ended := func(g explain.Goal) (place, cause string) {
		if again--; again < 0 {
			return "", ""
		}
		return p.ended(ctx, g, o)
	}
	var origins func(goals []explain.Goal) []string
	if o.Origins != nil {
		origins = func(goals []explain.Goal) []string {
			heads := make([]Fact, len(goals))
			for i, g := range goals {
				heads[i] = Fact{Module: g.Module, Head: g.Term}
			}
			return o.Origins(heads)
		}
	}
	return explain.Options{Secrets: p.secrets, Query: query, Values: values, Origins: origins, Nodes: o.Nodes,
		Depth: o.Depth, Bytes: o.Bytes, Module: goalModule(g, p.moduleOf(&o.Run).Name), Name: p.FileName,
		NoEnv:   p.opts.Env == nil,
		Message: func(ball term.Term) string { return p.hintedMessage(ctx, ball) },
		Ops: func(module string) *syntax.Ops {
			if m := p.db.FindModule(module); m != nil {
				return m.Ops
			}
			return p.db.User().Ops
		},
		Advice: p.advice, Lambdas: p.loaded.Lambdas,
		Ended: ended, Written: texts.Goal, Source: texts.Source, Names: texts.Names, Grammar: texts.Grammar(),
		Home: p.homeModule,
	}
}

// ended calls a goal of an explanation again to learn where it throws, or why it has no end.
func (p *Program) ended(ctx context.Context, g explain.Goal, o *WhyOptions) (place, cause string) {
	run := RunOptions{Transaction: true, Time: 100 * time.Millisecond, Inferences: 1_000_000, Memory: o.Memory,
		At: o.At, Module: g.Module}
	if run.Memory <= 0 {
		run.Memory = whyMemory
	}
	r, err := p.StartTerm(g.Term, nil, &run)
	if err != nil {
		return "", ""
	}
	defer r.Close()
	_, err = r.nextAsking(ctx, o.replies(), throwOn)
	var thrown *Exception
	if !errors.As(err, &thrown) {
		return "", ""
	}
	_, cause, _ = strings.Cut(thrown.Message, "Likely cause: ")
	cause, _, _ = strings.Cut(cause, ". ")
	for _, f := range thrown.Trace {
		if f.File != "" {
			return f.Position.String(), strings.TrimSuffix(cause, ".")
		}
	}
	return "", strings.TrimSuffix(cause, ".")
}

// homeModule is the module that defines a predicate, "" for one of the system or of a library, and for an unknown one.
func (p *Program) homeModule(module, name string, arity int) string {
	m := p.db.FindModule(module)
	if m == nil {
		return module
	}
	pred := m.Resolve(code.Functor(name, arity))
	if pred == nil || pred.Module.Library || pred.Builtin >= 0 || pred.Module == p.db.System() {
		return ""
	}
	return pred.Module.Name
}

// advice is what the program says about explaining a predicate.
func (p *Program) advice(module, name string, arity int) explain.Advice {
	m := p.db.FindModule(module)
	if m == nil {
		return explain.Advice{}
	}
	pred := m.Resolve(code.Functor(name, arity))
	if pred == nil {
		return explain.Advice{}
	}
	return p.loaded.Advice(pred)
}

// newProof is a proof of package explain as a value of this one.
func (p *Program) newProof(made *explain.Proof, late bool) *Proof {
	proof := &Proof{Text: made.Text + made.Legend, More: made.More}
	clauses := p.clauseFiles()
	for _, n := range made.Nodes {
		proof.Nodes = append(proof.Nodes, proofNode(n, clauses))
	}
	if made.ByNodes || made.ByDepth || made.ByBytes || late {
		proof.Truncated = &Truncation{Omitted: made.Omitted, Nodes: made.ByNodes, Depth: made.ByDepth, Text: made.ByBytes,
			Time: late}
	}
	return proof
}

// proofNode is a node of package explain as a value of this one.
func proofNode(n *explain.Node, clauses *clausetext.Files) ProofNode {
	note := cmp.Or(n.Note, n.Origin)
	if n.Missing != "" {
		note = n.Missing
	}
	shown := ProofNode{ID: n.ID, Goal: n.Text, Says: n.Says, By: n.By, At: n.At.String(), Source: n.Source, From: n.From,
		Via: n.Via, Note: note, Cut: n.Cut, With: n.Columns}
	if n.Columns != nil {
		return shown
	}
	if read, text := clauses.Clause(n.At, n.Module); read != nil {
		shown.Clause = text
		shown.With = clauses.Values(n, read)
	}
	return shown
}

// WhyNot says why a goal, given as text, has no answer. It returns no misses for a goal that has one.
func (p *Program) WhyNot(ctx context.Context, goal string, o *WhyOptions) (*Misses, error) {
	g, err := p.whyGoal(goal, &o)
	if err != nil {
		return nil, err
	}
	return p.WhyNotTerm(ctx, g, o)
}

// WhyNotTerm is WhyNot for a goal given as a term.
func (p *Program) WhyNotTerm(ctx context.Context, g *Goal, o *WhyOptions) (*Misses, error) {
	budget := o.Time
	if budget <= 0 {
		budget = whyTime
	}
	began := time.Now()
	bound, err := bindings(g.Vars, &o.Run)
	if err != nil {
		return nil, err
	}
	found, values, err := p.whyNot(ctx, g, bound, o, maxTried, budget*3/4)
	if exception := (*Exception)(nil); errors.As(err, &exception) && exception.Limit() != "" {
		found, values, err = p.whyNot(ctx, g, bound, o, fewTried, budget/4)
	}
	if err != nil {
		return nil, err
	}
	misses, more, columns := explain.NewMisses(found, p.explainOptions(ctx, g, values, o))
	m := &Misses{Misses: p.misses(misses), More: more, program: p, found: misses}
	p.findEnough(ctx, g, bound, m, o, budget-time.Since(began))
	m.Text = explain.MissText(misses, more) + m.enoughText() + columns
	if len(misses) > 0 {
		m.Line = misses[0].Line()
	}
	hideInMisses(explain.NewHider(p.secrets), m)
	return m, nil
}

// maxSets bounds how many sets of facts are tried, maxEnough how many of those that are enough are named.
const (
	maxSets   = 24
	maxEnough = 3
)

// findEnough tries the sets of facts that the misses lack, the smallest ones first: each is assumed, and the goal is
// asked again.
func (p *Program) findEnough(ctx context.Context, g *Goal, bound []machine.Binding, m *Misses, o *WhyOptions,
	left time.Duration,
) {
	var sets [][]explain.Goal
	for _, miss := range m.found {
		if miss.Kind == "clause" || miss.Kind == "body" { // of others the goal itself would be enough
			sets = append(sets, miss.Lacking()...)
		}
	}
	slices.SortStableFunc(sets, func(x, y []explain.Goal) int { return len(x) - len(y) })
	sets = sets[:min(len(sets), maxSets)]
	ends := time.Now().Add(left)
	for i, set := range sets {
		if len(m.Enough) > 0 && len(set) > len(m.Enough[0]) || len(m.Enough) == maxEnough {
			return
		}
		if time.Until(ends) <= 0 || !p.holdsWith(ctx, set, g, bound, o, time.Until(ends)/2) {
			m.NoneEnough = len(m.Enough) == 0 && i == len(sets)-1
			continue
		}
		var texts []string
		for _, fact := range set {
			texts = append(texts, p.factText(fact))
		}
		if !slices.ContainsFunc(m.Enough, func(old []string) bool { return slices.Equal(old, texts) }) {
			m.Enough = append(m.Enough, texts)
		}
	}
}

// holdsWith reports whether a goal has an answer if some facts are assumed.
func (p *Program) holdsWith(ctx context.Context, facts []explain.Goal, g *Goal, bound []machine.Binding, o *WhyOptions,
	budget time.Duration,
) bool {
	terms := make([]Term, len(facts))
	for i, fact := range facts {
		terms[i] = term.New(":", term.Atom(fact.Module), fact.Term)
	}
	goal := term.New(":", term.Atom(p.moduleOf(&o.Run).Name), g.Term)
	held := term.NewVar("Held")
	try := term.New(",", term.New("assuming", term.List(terms...), goal), term.New("=", held, term.Atom("true")))
	last, _, err := p.explainGoal(ctx, term.New(":", term.Atom("explain"), try),
		append(g.Vars[:len(g.Vars):len(g.Vars)], held), bound, o, budget, throwOn)
	return err == nil && last != nil
}

// factText is a fact as the program would have it.
func (p *Program) factText(fact explain.Goal) string {
	ops := p.db.User().Ops
	if m := p.db.FindModule(fact.Module); m != nil {
		ops = m.Ops
	}
	return syntax.Format(fact.Term, &syntax.WriteOptions{Quoted: true, NumberVars: true, SpaceArgs: true, Ops: ops,
		MaxBytes: 1 << 10})
}

// enoughText says which facts would be enough, in lines.
func (m *Misses) enoughText() string {
	var b strings.Builder
	for _, set := range m.Enough {
		b.WriteString("enough  " + strings.Join(set, " and ") + "\n")
	}
	if m.NoneEnough {
		b.WriteString("no set of up to three missing facts was found that would be enough\n")
	}
	return b.String()
}

// goalModule is the module that a goal is called in.
func goalModule(g *Goal, module string) string {
	if in, ok := term.Is(g.Term, ":", 2); ok {
		if name, isAtom := in[0].(term.Atom); isAtom {
			return string(name)
		}
	}
	return module
}

// whyNot returns the raw misses of a goal, and the values of its variables. most bounds the inferences of each goal
// that is tried in the search.
func (p *Program) whyNot(ctx context.Context, g *Goal, bound []machine.Binding, o *WhyOptions, most int64,
	budget time.Duration,
) (Term, []Term, error) {
	raw := term.NewVar("Raw")
	goal := term.New(":", term.Atom(p.moduleOf(&o.Run).Name), g.Term)
	if o.Inferences > 0 {
		most = min(most, o.Inferences/4)
	}
	why := term.New(":", term.Atom("explain"), term.New("why_not", goal, term.Int(most), raw))
	return p.explainGoal(ctx, why, append(g.Vars[:len(g.Vars):len(g.Vars)], raw), bound, o, budget, throwOn)
}

// misses are those of package explain as values of this one.
func (p *Program) misses(list []*explain.Miss) []Miss {
	misses := make([]Miss, 0, len(list))
	for _, m := range list {
		if m.Kind == "unknown" {
			name, arity, _ := term.Indicator(m.Goal.Term)
			if in := p.db.FindModule(m.Module); in != nil {
				m.Note = p.loaded.Suggestion(in, string(name), arity)
			}
		}
		misses = append(misses, Miss{Kind: m.Kind, Goal: m.Text, Says: m.Says, At: m.At.String(), Source: m.Source,
			Held: m.Held, HeldCount: m.HeldCount, Total: m.Total, Failed: m.Failed, Others: m.Others, OtherFailed: m.OtherFailed,
			Unended: m.Unended,
			Behind:  conditions(m.Behind), Near: m.Near, Known: m.Known, KnownCount: m.KnownCount, Note: m.Note,
			Written: m.Written, Turns: m.Turns, Proof: m.Proof, Because: p.misses(m.Because), More: m.More})
	}
	return misses
}

// conditions are those of package explain as values of this one.
func conditions(list []explain.Condition) (shown []Condition) {
	for _, c := range list {
		shown = append(shown, Condition(c))
	}
	return shown
}

// hideIn leaves secret values out of a proof. A nil hider knows none.
func hideIn(h *explain.Hider, p *Proof) {
	if h == nil {
		return
	}
	h.Texts(&p.Text)
	if answer, ok := p.Answer.(map[string]string); ok {
		h.Values(answer)
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		h.Texts(&n.Goal, &n.Says, &n.Note)
		n.Via = slices.Clone(n.Via)
		h.List(n.Via)
		h.Values(n.With)
	}
}

// hideInMisses leaves them out of misses.
func hideInMisses(h *explain.Hider, m *Misses) {
	if h == nil {
		return
	}
	h.Texts(&m.Line, &m.Text)
	for _, set := range m.Enough {
		h.List(set)
	}
	hideInEach(h, m.Misses)
}

// hideInEach leaves them out of each miss, and of those behind it.
func hideInEach(h *explain.Hider, list []Miss) {
	for i := range list {
		m := &list[i]
		h.Texts(&m.Goal, &m.Says, &m.Failed, &m.Note, &m.Written, &m.Turns, &m.Proof)
		for _, texts := range []*[]string{&m.Held, &m.OtherFailed, &m.Near, &m.Known} {
			*texts = slices.Clone(*texts)
			h.List(*texts)
		}
		for j := range m.Behind {
			h.Texts(&m.Behind[j].Goal)
		}
		hideInEach(h, m.Because)
	}
}
