package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/reasons"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file explains why a goal has an answer, or why it has none. Nothing is recorded when a goal runs:
// library(explain) runs it again as it was asked, and its changes of the database are taken back.

// WhyOptions say what to explain and how large the explanation may be. A limit of 0 stands for its default.
type WhyOptions struct {
	// Answer is the number of the answer, from 1. 0: the first.
	Answer int
	// Node names a node that was cut in an earlier proof of the same answer, to get the proof of that node. "": the
	// proof of the goal.
	Node string
	// Depth, Nodes and Bytes bound the proof: 5 levels, 40 nodes and 4 KiB of text.
	Depth, Nodes, Bytes int
	// Limits bound the search for the explanation, apart from the run that finds the answer. A Time of 0: 2 s. A Memory
	// of 0: 256 MiB.
	Limits
	// Run has the options of the run that finds the answer. Its transaction is never committed.
	Run RunOptions
	// Values are the values of the goal's variables in the answer, in their order, if they are known. nil: the goal is
	// run to find them.
	Values []Term
	// RatherThan has the values of variables of the goal, as in [RunOptions.Bind], in an answer that was expected
	// instead. The proof says what the expected answer lacks. nil: no answer was expected.
	RatherThan map[string]any
	// At is the state of the database in which the goal was answered, or nil for the present state.
	At *Moment
	// Origins describes where asserted facts come from, in the order of the facts. "" stands for an unknown origin.
	// nil: no origin is known.
	Origins func(facts []host.Fact) []string
	// Line says that only the Line of [Misses] is wanted, and not the facts that would be enough.
	Line bool
	// Ask is called before each run of the goal: the run that finds the answer and the runs that explain it. The result
	// answers the waiting predicates of that run. nil: a goal that waits for an answer is an error.
	Ask func() reasons.Replies
}

// replies returns the replies for the next run of the goal.
func (o *WhyOptions) replies() reasons.Replies {
	if o.Ask == nil {
		return nil
	}
	return o.Ask()
}

// time and memory are the limits of a search.
func (o *WhyOptions) time() time.Duration { return cmp.Or(max(o.Time, 0), whyTime) }
func (o *WhyOptions) memory() int         { return cmp.Or(max(o.Memory, 0), whyMemory) }

// Proof explains why an answer holds.
type Proof struct {
	*explain.Proof
	// Solution has the values of the goal's variables as terms.
	Solution Solution `json:"-"`
}

// The limits of the search for an explanation when none are given.
const (
	whyTime   = 2 * time.Second
	whyMemory = 256 << 20
	// maxTried bounds the inferences of each goal that is tried in the search for misses. fewTried replaces it if the
	// first search took too long.
	maxTried, fewTried = int64(2_000_000), int64(20_000)
	// whySlack is how many more levels are searched than shown, because some levels are folded or hidden.
	whySlack = 3
	// maxDoubtful bounds the answers that are searched for a true one with the same values as the first answer, if the
	// first is undefined.
	maxDoubtful = 100
)

// Why explains why a goal, given as text, has an answer. If the goal has no answer with its floats, it is asked with
// decimals of the same digits, because answers print decimals like floats. If there is no such answer, the error is a
// *FewAnswersError, which is also ErrNoSolution. Other errors are as for [Run.Next].
func (p *Program) Why(ctx context.Context, goal string, o *WhyOptions) (*Proof, error) {
	g, err := p.whyGoal(goal, &o)
	if err != nil {
		return nil, err
	}
	proof, err := inner{p}.WhyTerm(ctx, g, o)
	var few *reasons.FewAnswersError
	if errors.As(err, &few) && few.Answers == 0 {
		exact := &source.Goal{Term: decimals(p.withDecimals(p.moduleOf(&o.Run), g.Term)), Vars: g.Vars}
		if again, _ := (inner{p}).WhyTerm(ctx, exact, o); again != nil && term.Compare(exact.Term, g.Term) != 0 {
			again.Text += "asked with decimals for floats: " + FormatTerm(exact.Term) + "\n"
			return again, nil
		}
	}
	return proof, err
}

// whyGoal reads a goal and fills in options.
func (p *Program) whyGoal(goal string, o **WhyOptions) (*source.Goal, error) {
	if *o == nil {
		*o = &WhyOptions{}
	}
	if p.zero() {
		return nil, errZeroProgram
	}
	if err := (*o).Limits.check(); err != nil {
		return nil, err
	}
	module := p.moduleOf(&(*o).Run)
	read, err := readIn(module, goal)
	if err != nil {
		return nil, err
	}
	g := newGoal(read, module)
	return &g, nil
}

// WhyTerm is Why for a goal given as a term.
func (p inner) WhyTerm(ctx context.Context, g *source.Goal, o *WhyOptions) (*Proof, error) {
	path, ok := explain.Path(cmp.Or(o.Node, "n1"))
	if !ok {
		return nil, &reasons.NoNodeError{Node: o.Node}
	}
	values, nth, undefined := o.Values, 1, false
	whole := g
	g = p.ask(ctx, g, o)
	if values == nil {
		found, equal, err := p.answer(ctx, g, o)
		if err != nil {
			return nil, err
		}
		values, nth, undefined = found.values, equal, found.undefined
	}
	s := Solution{found: true, values: values, names: namesOf(g.Vars)}
	raw, proved, late, err := p.prove(ctx, g, values, nth, path, o)
	if err != nil {
		return nil, err
	}
	if raw == nil {
		raw, proved = p.unproved(ctx, g, values, undefined, o), values
	}
	options := p.explainOptions(ctx, g, proved, o)
	options.Late = late
	if o.RatherThan != nil {
		other := *o
		if other.RatherThan, err = p.typedRather(whole, s, o); err != nil {
			return nil, err
		}
		other.Run.Bind = other.RatherThan
		options.Rather, err = p.WhyNotTerm(ctx, whole, &other)
		if err == nil && options.Rather.Line == "" {
			options.Rather, err = p.ratherHolds(ctx, whole, &other, s)
		}
		if err != nil {
			return nil, err
		}
	}
	proof := explain.NewProof(raw, options)
	if proof == nil {
		return nil, &reasons.NoNodeError{Node: o.Node}
	}
	return &Proof{proof, s}, nil
}

// typedRather returns the values of RatherThan converted to the types of the goal's predicate, for example a float to a
// decimal. If the answer has a fraction, a float is also converted to a decimal.
func (p *Program) typedRather(g *source.Goal, s Solution, o *WhyOptions) (map[string]any, error) {
	bound, err := bindings(nil, g.Vars, o.RatherThan)
	if err != nil {
		return nil, err
	}
	home, rather := p.moduleOf(&o.Run), maps.Clone(o.RatherThan)
	for i, b := range bound {
		if _, isFraction := s.values[slices.Index(g.Vars, b.Var)].(*term.Rational); isFraction {
			bound[i].Value = decimals(b.Value)
			rather[b.Var.String()] = bound[i].Value
		}
	}
	typed, err := p.typed(home, withValues(g.Term, bound))
	if err != nil {
		return nil, err
	}
	_, typed, _ = p.qualified(home, typed)
	_, asked, _ := p.qualified(home, g.Term)
	if c, ok := asked.(*term.Compound); ok {
		for _, b := range bound {
			if i := slices.Index(c.Args, Term(b.Var)); i >= 0 {
				rather[b.Var.String()] = typed.(*term.Compound).Args[i]
			}
		}
	}
	return rather, nil
}

// withValues returns a term with the values of bindings.
func withValues(t Term, bound []machine.Binding) Term {
	to := map[*term.Var]Term{}
	for _, b := range bound {
		to[b.Var] = b.Value
	}
	return term.Rename(t, to)
}

// withoutValues returns a term in which new variables replace the variables of bindings.
func withoutValues(t Term, bound []machine.Binding) (open Term, free map[*term.Var]Term) {
	free = map[*term.Var]Term{}
	for _, b := range bound {
		free[b.Var] = term.NewVar("")
	}
	return term.Rename(t, free), free
}

// ratherHolds explains the expected answer when it lacks nothing if its values are given. It is the explained answer,
// another answer of the question, or not an answer of the question because an earlier answer overrules it.
func (p *Program) ratherHolds(ctx context.Context, g *source.Goal, o *WhyOptions, s Solution) (*reasons.Misses, error) {
	question, other, explained := source.Goal{Term: g.Term}, *o, []Term{}
	other.Answer, other.Run.Bind = 1, o.RatherThan
	for i, v := range g.Vars {
		if _, ok := o.RatherThan[v.String()]; ok {
			given := term.NewVar(v.String())
			question.Vars, explained = append(question.Vars, given), append(explained, s.values[i])
			question.Term = term.New(",", question.Term, term.New("=", v, given))
		}
	}
	found, _, err := p.answer(ctx, &question, &other)
	switch {
	case errors.Is(err, ErrNoSolution):
		return p.overruled(ctx, g, &other)
	case err == nil && term.Compare(term.List(found.values...), term.List(explained...)) == 0:
		return &reasons.Misses{Line: "that is the answer"}, nil
	}
	line := "that is an answer, too"
	if module, head, err := p.qualified(p.moduleOf(&o.Run), g.Term); err == nil {
		name, arity, ok := term.Indicator(head)
		if ok && p.loaded.Advice(assertable(module, code.Functor(string(name), arity))).Single {
			line += ", and mode/2 says that there is at most one"
		}
	}
	return &reasons.Misses{Line: line}, err
}

// overruled explains why an answer that holds when its values are given is not an answer of the question.
func (p *Program) overruled(ctx context.Context, g *source.Goal, o *WhyOptions) (*reasons.Misses, error) {
	bound, err := bindings(nil, g.Vars, o.Run.Bind)
	if err != nil {
		return nil, err
	}
	var vars, values []Term
	for _, b := range bound {
		vars, values = append(vars, b.Var), append(values, b.Value)
	}
	found, _, err := p.explainGoal(ctx, nil, nil, o, o.time()/4, giveUp, "rather", p.qualify(g.Term, o),
		term.List(vars...), term.List(values...))
	if err != nil || found == nil {
		line, asked := explain.Overruled, &source.Goal{Term: withValues(g.Term, bound)}
		if p.ask(ctx, asked, o) != asked {
			line = "clauses give that, and the table keeps another answer, by its modes"
		} else if _, _, err := p.answer(ctx, g, o); err != nil {
			line = "it was not found out what that lacks"
		}
		return &reasons.Misses{Line: line}, nil
	}
	return explain.NewMisses(found, p.explainOptions(ctx, &source.Goal{Term: g.Term}, nil, o)), nil
}

// answer runs the goal to the wanted answer. nth is its number, from 1, among the answers with the same values.
func (p *Program) answer(ctx context.Context, g *source.Goal, o *WhyOptions) (s Solution, nth int, err error) {
	run := o.Run
	run.Transaction, run.Session, run.Residual, run.At = true, nil, false, o.At
	r, err := p.startTerm(g.Term, g.Vars, &run)
	if err != nil {
		return s, 0, err
	}
	defer r.Close()
	replies, earlier := o.replies(), map[string]int{}
	first := ""
	for n := 0; n < max(o.Answer, 1) || o.Answer <= 1 && s.undefined && n < maxDoubtful; n++ {
		if found, err := r.nextAsking(ctx, replies, giveUp); s.found && o.Answer <= 1 && (err != nil || !found) {
			break // no other answer proves the undefined one
		} else if err != nil {
			return s, 0, err
		} else if !found {
			return s, 0, &reasons.FewAnswersError{Answers: n}
		}
		values, names := term.List(r.Solution().values...), map[*term.Var]string{}
		for i, v := range term.Variables(values) { // answers that are variants count as the same
			names[v] = fmt.Sprintf("_%d", i)
		}
		text := syntax.Format(values, &syntax.WriteOptions{Quoted: true, IgnoreOps: true, Cycles: true,
			MaxBytes: 4 << 10, VarNames: names})
		earlier[text]++
		if !s.found || o.Answer > 1 || text == first && !r.Solution().undefined {
			s, nth = r.Solution(), earlier[text]
		}
		first = cmp.Or(first, text)
	}
	if s.values == nil {
		s.values = []Term{}
	}
	return s, nth, nil
}

// ask returns the goal that is called to find the answer. A question about an answer contains its values, but a call of
// a mode-directed table demands variables in arguments with a mode. Such values are therefore compared after the call.
func (p *Program) ask(ctx context.Context, g *source.Goal, o *WhyOptions) *source.Goal {
	module, call := p.moduleOf(&o.Run), g.Term
	if args, ok := term.Is(call, ":", 2); ok {
		name, _ := args[0].(term.Atom)
		module, call = p.db.FindModule(string(name)), args[1]
	}
	c, ok := call.(*term.Compound)
	if !ok || module == nil {
		return g
	}
	pred := module.Resolve(code.Functor(string(c.Functor), len(c.Args)))
	if pred == nil || !pred.Has(database.ModeDirected) {
		return g
	}
	args, goals := slices.Clone(c.Args), []Term{nil}
	for _, i := range p.modedArguments(ctx, pred) {
		if _, free := args[i].(*term.Var); !free {
			args[i] = term.NewVar("")
			goals = append(goals, term.New("=", args[i], c.Args[i]))
		}
	}
	goals[0] = term.New(":", term.Atom(module.Name), term.New(c.Functor, args...))
	return &source.Goal{Term: term.Conjunction(goals...), Vars: g.Vars}
}

// moded lists the arguments with a mode of a tabled predicate, from 0. The predicate's clause has them at the end of a
// term.
const moded = "functor(Head, Name, Arity), clause(Module:Head, '$tbl_moded'(_, Tuple, Keys, _)), " +
	"findall(I, ( arg(J, Tuple, V), J > Keys, arg(N, Head, W), V == W, I is N-1 ), List)"

// modedArguments returns the numbers of the arguments with a mode, from 0.
func (p *Program) modedArguments(ctx context.Context, pred *database.Pred) []int {
	var numbers struct{ List []int }
	s, err := p.Once(ctx, moded, &RunOptions{Bind: map[string]any{"Module": term.Atom(pred.Module.Name),
		"Name": term.Atom(pred.Name()), "Arity": pred.Arity()}})
	if err != nil || s.Scan(&numbers) != nil {
		return nil
	}
	return numbers.List
}

// giveUp ends a goal that waits for a missing answer.
func giveUp(_ *Run, err error) error { return err }

// throwOn makes the waiting predicate throw the error of the reply.
func throwOn(r *Run, err error) error {
	if _, ok := err.(*Exception); ok {
		return r.ResumeError(err)
	}
	return err
}

// nextAsking is Next with replies for waiting predicates. If a reply is an error, unanswered is called; it returns nil
// if the goal continues.
func (r *Run) nextAsking(ctx context.Context, replies reasons.Replies, unanswered func(*Run, error) error) (bool,
	error) {
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
// asked, and the answer is the nth that has the values. late is true if the time was too short for this. The proof then
// has only its first level, or is a proof of the goal with the values put in. raw is nil if there is no proof.
func (p *Program) prove(
	ctx context.Context, g *source.Goal, values []Term, nth int, path Term, o *WhyOptions,
) (raw Term, proved []Term, late bool, err error) {
	depth, budget := cmp.Or(max(o.Depth, 0), explain.DefaultDepth), o.time()
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
		late = late || err != nil
	}
	return nil, nil, late, nil
}

// unproved is the raw proof of an answer that was not derived again. For an undefined answer it has the goals that make
// it undefined.
func (p *Program) unproved(ctx context.Context, g *source.Goal, values []Term, undefined bool, o *WhyOptions) Term {
	goal, rests := p.qualify(instance(g.Term, g.Vars, values), o), term.Int(0)
	if undefined {
		rests = 1
		node, _, err := p.explainGoal(ctx, nil, nil, o, whyTime/2, giveUp, "unsettled", goal, term.Int(maxTried))
		if err == nil && node != nil {
			return term.New("proof", term.Nil, node, rests)
		}
	}
	return term.New("proof", term.Nil, term.New("node", term.Atom("rule"), goal, term.Nil, term.Atom("cut")),
		rests)
}

// instance returns a term with the values of variables.
func instance(t Term, vars []*term.Var, values []Term) Term {
	to := map[*term.Var]Term{}
	for i, v := range vars {
		to[v] = values[i]
	}
	return term.Rename(t, to)
}

// proveOnce is one attempt of prove. A nil proof without an error means that the goal had no such answer.
func (p *Program) proveOnce(
	ctx context.Context, g *source.Goal, values []Term, nth int, path Term, o *WhyOptions, depth int, bound bool,
	budget time.Duration,
) (Term, []Term, error) {
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
	return p.explainGoal(ctx, g.Vars, given, o, budget, giveUp, "why", p.qualify(g.Term, o), answer, term.Int(depth), path)
}

// qualify returns a goal with the module that it is called in.
func (p *Program) qualify(goal Term, o *WhyOptions) Term {
	return term.New(":", term.Atom(p.moduleOf(&o.Run).Name), goal)
}

// explainGoal runs a goal of library(explain) with one more argument. It returns the value of that argument and the
// values of some variables, or nil when the goal fails.
func (p *Program) explainGoal(ctx context.Context, vars []*term.Var, given []machine.Binding, o *WhyOptions,
	budget time.Duration, unanswered func(r *Run, err error) error, name term.Atom, args ...Term,
) (found Term, values []Term, err error) {
	if err := p.needLibrary(ctx, "explain"); err != nil {
		return nil, nil, err
	}
	facts := o.Run.Given
	facts.home = p.moduleOf(&o.Run).Name
	run := RunOptions{Transaction: true, Limits: Limits{Time: budget, Memory: o.memory(), Inferences: o.Inferences},
		At: o.At, Module: "user", Served: o.Run.Served, Given: facts}
	raw := term.NewVar("Raw")
	goal := term.New(":", term.Atom("explain"), term.New(name, append(args, raw)...))
	r, err := p.start(goal, append(slices.Clip(vars), raw), given, &run)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	if ok, err := r.nextAsking(ctx, o.replies(), unanswered); err != nil || !ok {
		return nil, nil, err
	}
	values = r.Solution().values
	return values[len(vars)], values[:len(vars)], nil
}

// explainOptions are the options of package explain for a goal. values are the values of its variables.
func (p *Program) explainOptions(ctx context.Context, g *source.Goal, values []Term, o *WhyOptions) explain.Options {
	again, ends := 3, time.Time{} // how many goals are called again, and until when
	options := builtin.ExplainOptions(p.db)
	for i, v := range g.Vars {
		options.Query = append(options.Query, explain.Value{Name: v.String(), Value: values[i]})
	}
	options.Nodes, options.Depth, options.Bytes = o.Nodes, o.Depth, o.Bytes
	options.Secrets, options.NoEnv, options.Texts = p.secrets, p.opts.Env == nil, p.clauseFiles()
	options.Module, options.Name, options.Home = p.moduleOf(&o.Run).Name, inner{p}.FileName, p.homeModule
	options.Suggestion = inner{p}.Suggestion
	if in, ok := term.Is(g.Term, ":", 2); ok {
		module, _ := term.Text(in[0])
		options.Module = cmp.Or(module, options.Module)
	}
	options.Message = func(ball term.Term) string { return p.hintedMessage(ctx, p.moduleOf(&o.Run), g.Term, ball) }
	options.Ended = func(g explain.Goal) (place, cause string) {
		if ends.IsZero() {
			ends = time.Now().Add(min(o.time()/4, time.Second))
		}
		if again--; again < 0 || time.Until(ends) <= 0 {
			return "", ""
		}
		return p.ended(ctx, g, o, time.Until(ends))
	}
	if o.Origins != nil {
		options.Origins = func(goals []explain.Goal) []string {
			heads := make([]host.Fact, len(goals))
			for i, g := range goals {
				heads[i] = host.Fact{Module: g.Module, Head: g.Term}
			}
			return o.Origins(heads)
		}
	}
	return options
}

// ended calls a goal of an explanation again to find out where it throws, or why it does not end.
func (p *Program) ended(
	ctx context.Context, g explain.Goal, o *WhyOptions, most time.Duration,
) (place, cause string) {
	run := RunOptions{Transaction: true, Limits: Limits{Time: most, Inferences: 1_000_000, Memory: o.memory()},
		At: o.At, Module: g.Module}
	r, err := p.startTerm(g.Term, nil, &run)
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

// homeModule is the module that defines a predicate. It is "" for unknown predicates and those of the system and
// libraries.
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

// WhyNot explains why a goal, given as text, has no answer. For a goal with an answer it returns misses whose Line is
// "" and no error.
func (p *Program) WhyNot(ctx context.Context, goal string, o *WhyOptions) (*reasons.Misses, error) {
	g, err := p.whyGoal(goal, &o)
	if err != nil {
		return nil, err
	}
	misses, err := inner{p}.WhyNotTerm(ctx, g, o)
	typed := &source.Goal{Term: p.withDecimals(p.moduleOf(&o.Run), g.Term), Vars: g.Vars}
	if err != nil || misses.Line == "" || term.Compare(typed.Term, g.Term) == 0 {
		return misses, err
	}
	return inner{p}.WhyNotTerm(ctx, typed, o)
}

// WhyNotTerm is WhyNot for a goal given as a term.
func (p inner) WhyNotTerm(ctx context.Context, g *source.Goal, o *WhyOptions) (*reasons.Misses, error) {
	budget, began := o.time(), time.Now()
	bound, err := bindings(nil, g.Vars, o.Run.Bind)
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
	options := p.explainOptions(ctx, g, values, o)
	ends := began.Add(budget)
	options.Line, options.Contrast = o.Line, o.contrasts()
	options.Lacking = func(facts []explain.Goal) (holds bool, misses Term, tried bool) {
		left := time.Until(ends)
		if left <= 0 {
			return false, nil, false
		}
		return p.holdsWith(ctx, facts, g, bound, o, left/2)
	}
	misses := explain.NewMisses(found, options)
	if o.RatherThan != nil && !o.contrasts() {
		other := *o
		other.Run.Bind = o.RatherThan
		rather, err := p.WhyNotTerm(ctx, g, &other)
		if err != nil {
			return nil, err
		}
		misses.Text += "for the other answer: " + cmp.Or(rather.Line, "nothing is lacking where it is given") + "\n"
	}
	return misses, nil
}

// contrasts reports whether all values of RatherThan are given to the goal.
func (o *WhyOptions) contrasts() bool {
	for name := range o.RatherThan {
		if _, ok := o.Run.Bind[name]; !ok {
			return false
		}
	}
	return o.RatherThan != nil
}

// holdsWith reports whether a goal has an answer if some facts are assumed. If not, it returns the raw misses of the
// goal with these facts. For a contrast it reports whether the expected answer is an answer of the question.
func (p *Program) holdsWith(ctx context.Context, facts []explain.Goal, g *source.Goal, bound []machine.Binding,
	o *WhyOptions, budget time.Duration,
) (holds bool, misses Term, tried bool) {
	terms := make([]Term, len(facts))
	for i, fact := range facts {
		terms[i] = term.New(":", term.Atom(fact.Module), fact.Term)
	}
	goal, asked := p.qualify(g.Term, o), g.Term
	if o.contrasts() { // rules overrule the expected answer only when its values are not given
		var free map[*term.Var]Term
		asked, free = withoutValues(g.Term, bound)
		for v, given := range free {
			asked = term.New(",", asked, term.New("=", given, v))
		}
	}
	found, _, err := p.explainGoal(ctx, g.Vars, bound, o, budget, throwOn, "assuming", term.List(terms...),
		p.qualify(asked, o), goal, term.Int(fewTried))
	return err == nil && found == term.Term(term.Atom("holds")), found, err == nil
}

// whyNot returns the raw misses of a goal, and the values of its variables. most bounds the inferences of each goal
// that is tried in the search.
func (p *Program) whyNot(ctx context.Context, g *source.Goal, bound []machine.Binding, o *WhyOptions, most int64,
	budget time.Duration,
) (Term, []Term, error) {
	if o.Inferences > 0 {
		most = min(most, o.Inferences/4)
	}
	name, args := term.Atom("why_not"), []Term{p.qualify(g.Term, o)}
	if o.contrasts() {
		open, _ := withoutValues(g.Term, bound)
		name, args = "rather_not", append(args, p.qualify(open, o))
	}
	args = append(args, term.Nil, term.Int(most))
	return p.explainGoal(ctx, g.Vars, bound, o, budget, throwOn, name, args...)
}
