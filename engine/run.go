package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/engine/debug"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines running goals.

// Limits bound the resources of a goal. A goal that exceeds one ends with an *[Exception] that [Exception.Limit] names.
// A limit below zero is an error of the run.
type Limits struct {
	// Time is the longest running time, not counting suspension. 0: no limit, unless the option that holds the Limits
	// says otherwise.
	Time time.Duration
	// Inferences is the largest number of calls. 0: no limit.
	Inferences int64
	// Memory is the most that the terms and stacks of the goal may take, in bytes. 0: 1 GiB, unless the option that
	// holds the Limits says otherwise.
	Memory int
}

// RunOptions say how a goal runs. The zero value and nil mean 1 GiB of memory and no other limits, no input, and
// dropped output.
type RunOptions struct {
	// Module is the module that the goal is called in; "" stands for user.
	Module string
	// Bind gives variables of the goal their initial values.
	Bind Args
	Limits
	// Transaction makes the run's changes of the database a transaction, to be ended by Commit. Otherwise each change
	// is visible to everyone at once.
	Transaction bool
	// Served says that the goal runs for a client: to read user_input is a permission error, and a text of one character
	// in arithmetic is a type error.
	Served bool
	// Restricted runs the goal as a restricted rule, see [Options].
	Restricted bool
	// Input is the input of the goal. Output and Error get its output. If Input has a method ReadContext(ctx, p), it is
	// called in place of Read and should end with ctx. Otherwise a goroutine calls Read. When a limit ends the goal
	// during a Read, the goal does not wait for it, and the data of that Read is lost to the next run.
	Input         io.Reader
	Output, Error io.Writer
	// Terminal says that Input and Output are a terminal.
	Terminal bool
	// Session is the state shared with earlier and later runs. nil: nothing is shared.
	Session *Session
	// Residual adds to answers the suspended goals of their variables (dif/2, freeze/2, constraints ...). FormatAnswer
	// shows them.
	Residual bool
	// TraceValues adds the values of variables to the frames of uncaught exceptions, see [source.Frame].
	TraceValues bool
	// At is the [Moment] whose state of the database the run sees. It was kept by another run of the same program and
	// has not been released. nil: the run sees the present state. A run at a moment is a transaction that is never
	// committed.
	At *Moment
	// By says for whom the goal runs, such as the name of a user. It is passed to a [host.Journal].
	By string
	Given
	// Debugger traces the goal: the goal is interpreted, and stops where the debugger says. nil: the goal is not
	// traced.
	Debugger *debug.Debugger
	// Profile gets samples of where the goal spends its time. nil: no samples are taken, which costs nothing.
	Profile *inspect.Profile

	stress stacks.StressMode // moves or collects whatever it can, for tests
	eager  bool              // translates to native code at once, for tests
}

// Given has values that a run uses in place of the clock, the time zone, random seeds and stored facts, so that it can
// be repeated.
type Given struct {
	// Now is the time that goals see during the whole run. The zero time: goals see the clock.
	Now time.Time
	// Zone is the time zone of local times, such as days of today/1. nil: the zone of the clock.
	Zone *time.Location
	// Seed is the seed of the random numbers of goals. "": a random seed.
	Seed string
	// Assume are additional facts that only the run sees: terms, or Go values that [TermOf] converts. Their predicates
	// have to be dynamic or undefined; a name that the program does not mention is not an error. Without are facts that
	// the run does not see; a variable in them matches any value. A run with either of them is a transaction that is
	// never committed.
	Assume, Without []any
	// Stored are the facts, in their order, that persistent predicates have in the run instead of their present facts.
	// nil: they have their present facts. Assume and Without apply after that.
	Stored []host.Fact

	home string // the module of facts without a module; "" for the run's
}

// check returns an error for a limit below zero.
func (l Limits) check() error {
	if l.Time < 0 || l.Inferences < 0 || l.Memory < 0 {
		return fmt.Errorf("a limit is below zero: %+v", l)
	}
	return nil
}

// scratch reports whether a run is never committed.
func (o *RunOptions) scratch() bool { return o.supposes() || o.At != nil }

// supposes reports whether the run is given facts.
func (g *Given) supposes() bool { return len(g.Assume)+len(g.Without) > 0 || g.Stored != nil }

// noRunOptions are used in place of nil options.
var noRunOptions RunOptions

// Run is a goal that is being run. One goroutine at a time may use it; only Cancel may be called from any goroutine. A
// run must be closed. If it is not, the garbage collection of the run ends it, with a warning to [slog.Default].
type Run struct {
	p        *Program
	closing  sync.Mutex       // held by Cancel, and by Close when it releases m
	m        *machine.Machine // nil when the run is closed
	goal     Term
	module   *database.Module // the module that the goal is called in
	io       *builtin.IO
	vars     []*term.Var
	names    []string // the names of vars, made with the first answer that is read
	unread   bool     // nobody reads the answers
	state    State
	found    Solution         // the answer
	residual bool             // the last value of an answer is the list of residual goals
	session  *Session         // the session of the options, or one for this run only
	host     *machine.Machine // the machine of the session's run that waits for this one, or nil
	failed   bool             // the run ended with an error
	panicked *Panic           // the panic that ended the run
	lost     error            // an error of Resume or of facts that were given, which Next returns
	by       string           // see RunOptions.By
	calls    int64            // see Inferences; set by Close
	scratch  bool             // it is never committed, see RunOptions.scratch
	ended    bool             // Commit has ended its transaction
	unclosed runtime.Cleanup  // ends a run from Start that is never closed
}

// State is the state of a run after [Run.Next].
type State int

// Answer: Next has found an answer. NoMore: there are no more answers. Waiting: a predicate waits for [Run.Resume].
const (
	Answer State = iota + 1
	NoMore
	Waiting
)

// states has the state of a run for each state of its machine.
var states = [...]State{machine.True: Answer, machine.False: NoMore, machine.Suspended: Waiting}

// String is the name of the constant: "Answer", "NoMore" or "Waiting". Other values are written as State(n).
func (s State) String() string {
	switch s {
	case Answer:
		return "Answer"
	case NoMore:
		return "NoMore"
	case Waiting:
		return "Waiting"
	}
	return fmt.Sprintf("State(%d)", int(s))
}

// moduleOf returns the module in which a run starts.
func (p *Program) moduleOf(o *RunOptions) *database.Module {
	if o == nil {
		return p.db.User()
	}
	return p.module(o.Module)
}

// StartTerm prepares to run a goal given as a term; answers have the values of vars. o.Bind refers to vars by their
// names.
func (p inner) StartTerm(goal Term, vars []*term.Var, o *RunOptions) (*Run, error) {
	r, err := p.startTerm(goal, vars, o)
	return guarded(r, err, goal)
}

// abandoned has the parts of a run that outlive it if it is never closed.
type abandoned struct {
	m    *machine.Machine
	io   *builtin.IO // nil: it belongs to a session, which continues to use the machine
	goal Term
}

// guarded makes the garbage collection of an open run end it.
func guarded(r *Run, err error, goal Term) (*Run, error) {
	if err != nil {
		return nil, err
	}
	left := abandoned{r.m, nil, goal}
	if r.session.once {
		left.io = r.io
	}
	r.unclosed = runtime.AddCleanup(r, endAbandoned, left)
	return r, nil
}

// endAbandoned ends an abandoned run, on a goroutine of its own: it calls Go code of predicates.
func endAbandoned(left abandoned) {
	go func() {
		slog.Warn("a run was not closed", "goal", syntax.CutText(inspect.FormatText(left.goal), maxShownGoal))
		if left.io != nil {
			discard(left.m)
			_ = left.io.Close()
		}
	}()
}

// startTerm is StartTerm for runs that the engine itself closes.
func (p *Program) startTerm(goal Term, vars []*term.Var, o *RunOptions) (*Run, error) {
	if o == nil {
		o = &noRunOptions
	}
	return p.startBound(goal, vars, o.Bind, o)
}

// startBound is startTerm with values of variables that replace those of the options.
func (p *Program) startBound(goal Term, vars []*term.Var, args Args, o *RunOptions) (*Run, error) {
	var few [4]machine.Binding
	bound, err := bindings(few[:0], vars, args)
	if err != nil {
		return nil, err
	}
	p.noteQuery()
	if o.Session != nil {
		goal = o.Session.fill(goal)
	}
	residual := o.Residual && body.Bad(goal) == nil // otherwise the error is about the goal as it was written
	if goal, err = p.tracedGoal(goal, o); err != nil {
		return nil, err
	}
	if residual {
		goal, vars = withResidual(goal, vars)
	}
	r, err := p.start(goal, vars, bound, o)
	if err == nil && residual {
		r.residual = true
	}
	return r, err
}

// withResidual returns a goal and variables whose values are copies of the answers of a goal, followed by a list of the
// suspended goals.
func withResidual(goal Term, vars []*term.Var) (Term, []*term.Var) {
	var given, copied []Term
	var copies []*term.Var
	for _, v := range vars {
		c := term.NewVar(v.Name)
		given, copied, copies = append(given, v), append(copied, c), append(copies, c)
	}
	waiting := term.NewVar("")
	copying := term.New("$answer_goals", term.List(given...), term.List(copied...), waiting)
	return term.New(",", goal, copying), append(copies, waiting)
}

// start prepares a machine for a goal, with values for some variables. The goal may be internal to the program.
func (p *Program) start(goal Term, vars []*term.Var, bound []machine.Binding, o *RunOptions) (*Run, error) {
	at, err := o.At.of(p)
	if err == nil {
		err = o.Limits.check()
	}
	if err != nil {
		return nil, err
	}
	m := p.machine()
	own, kept := m.IO.(*builtin.IO)
	if !kept {
		own = &builtin.IO{}
	}
	r := &Run{p: p, m: m, goal: goal, vars: vars, module: p.moduleOf(o), session: o.Session, by: o.By}
	opts := p.ioOptions(o)
	if o.Session == nil {
		r.session = p.left.copyTo(&Session{}, own, opts)
	} else {
		r.session.enter(p, opts)
	}
	r.io = r.session.io
	m.IO = r.io
	if r.io.HasFlags() {
		if unknown, ok := r.io.Flag("unknown").(term.Atom); ok {
			m.Unknown.Value = string(unknown)
		}
		m.UnderflowError = r.io.Flag("float_underflow") == term.Term(term.Atom("error"))
	}
	m.Served = o.Served
	r.scratch = o.scratch()
	if o.supposes() || !o.Now.IsZero() || o.Zone != nil || o.Seed != "" {
		m.Given = &machine.Given{Time: o.Now, Zone: o.Zone, Seed: o.Seed}
	}
	if r.scratch && !o.Transaction {
		own := *o
		own.Transaction = true
		o = &own
	}
	if p.opts.Journal != nil && !o.Transaction {
		m.Commit = func(tx *database.Tx) error { return p.committed(m, tx, o.By) }
	}
	q := machine.Query{Goal: goal, Vars: vars, Module: r.module, Direct: !o.Transaction,
		At: at, Globals: p.globals,
		Limits: stacks.Limits(o.Limits),
		Left:   r.session.left, Host: r.session.host,
		Native: p.opts.Native, Eager: o.eager, Stress: o.stress, TableMemory: p.opts.TableMemory, Values: o.TraceValues}
	r.host, r.session.host, r.session.left = r.session.host, m, nil
	err = r.within(context.Background(), func() { m.Start(q, bound...) })
	if o.Restricted {
		m.RestrictRun()
	}
	if o.Profile != nil {
		machine.Profile(m, o.Profile)
	}
	if s := r.session; err == nil && len(s.globals) > 0 {
		if err = r.within(context.Background(), func() { s.begin(r) }); err != nil {
			s.globals = nil // they leave no room for a goal
		}
	}
	if err != nil {
		err = r.wrap(context.Background(), err)
		r.failed = true
		r.Close()
		return nil, err
	}
	if o.supposes() {
		if err := r.suppose(&o.Given); err != nil {
			r.lost, r.state, r.failed = fmt.Errorf("%w: %w", ErrGiven, err), NoMore, true
		}
	}
	return r, nil
}

// suppose adds the facts of Assume to the run, and removes those of Without.
func (r *Run) suppose(g *Given) error {
	home := r.module
	if g.home != "" {
		home = r.p.db.Module(g.home)
	}
	if g.Stored != nil {
		r.p.changes.Restage(r.m.Tx(), g.Stored)
	}
	stored, _ := r.m.Tx().Changes()
	for i, fact := range g.Without {
		t, err := clauseOf(fact)
		if err == nil {
			t, err = r.p.typed(home, t)
		}
		if err == nil {
			err = plainStatic(r.remove(home, t))
		}
		if err != nil {
			return fmt.Errorf("without, fact %d: %w", i+1, err)
		}
	}
	for i, fact := range g.Assume {
		t, err := clauseOf(fact)
		if err == nil {
			t, err = r.p.typed(home, t)
		}
		if err == nil {
			err = plainStatic(r.p.assert(r.m.Tx(), nil, term.New(":", term.Atom(home.Name), t)))
		}
		if err != nil {
			return fmt.Errorf("assume, fact %d: %w", i+1, err)
		}
	}
	var taken *commit.KeyTakenError
	if len(g.Assume) == 0 {
		return nil // no facts are added that may repeat a key
	}
	if err := r.p.changes.Check(r.m.Tx()); errors.As(err, &taken) {
		return fmt.Errorf("another fact has the key of one of them: %w", r.p.told(err))
	}
	added, _ := r.m.Tx().Changes()
	r.m.Given.Facts = make(map[*database.Clause]bool, len(added))
	for _, c := range added[len(stored):] {
		r.m.Given.Facts[c] = true
	}
	return nil
}

// typed converts the arguments of a fact to the types of mode/2 or facts/3: a float such as 0.10 to a decimal, and a
// text to the value that it denotes. null and variables stay. Any other value that is not of the type is an error.
func (p *Program) typed(home *database.Module, fact Term) (Term, error) {
	module, head, err := p.qualified(home, fact)
	c, ok := head.(*term.Compound)
	if err != nil || !ok {
		return fact, nil
	}
	types := p.loaded.Advice(assertable(module, code.Functor(string(c.Functor), len(c.Args)))).Types
	if types == nil {
		return fact, nil
	}
	own := &term.Compound{Functor: c.Functor, Args: slices.Clone(c.Args)}
	for i, typ := range types {
		if exact, ok := values.Of(typ); ok {
			if own.Args[i], ok = exact.Read(c.Args[i]); !ok {
				return nil, fmt.Errorf("%s: got %s as argument %d, want %s", inspect.ShowTerm(c), inspect.ShowTerm(c.Args[i]), i+1,
					exact.Want())
			}
		}
	}
	return term.New(":", term.Atom(module.Name), own), nil
}

// withDecimals replaces floats in a goal by decimals if mode/2 or facts/3 declare the argument as a decimal. Answers
// print decimals like floats, so callers copy them as floats.
func (p *Program) withDecimals(home *database.Module, goal Term) Term {
	module, head, err := p.qualified(home, goal)
	c, ok := head.(*term.Compound)
	if err != nil || !ok {
		return goal
	}
	types := p.loaded.Advice(assertable(module, code.Functor(string(c.Functor), len(c.Args)))).Types
	args := slices.Clone(c.Args)
	for i, typ := range types {
		exact, ok := values.Of(typ)
		if _, isFloat := args[i].(term.Float); ok && isFloat {
			args[i], _ = exact.Read(args[i])
		}
	}
	typed := term.New(c.Functor, args...)
	if head == goal {
		return typed
	}
	return term.New(":", term.Atom(module.Name), typed)
}

// decimals replaces the floats of a term by decimals with the same digits. Whole numbers stay floats.
func decimals(t Term) Term {
	return term.Replace(t, func(part Term) (Term, bool) {
		if _, isFloat := part.(term.Float); !isFloat {
			return nil, false
		}
		exact, _ := values.Type{Name: "decimal", Places: -1}.Round(part)
		_, isFraction := exact.(*term.Rational)
		return exact, isFraction
	})
}

// TextsFor returns a note for each argument of a goal that is a text although mode/2 wants a date or the like. The note
// shows the value to write.
func (p inner) TextsFor(home string, goal Term) (notes []string) {
	module := p.db.FindModule(home)
	if module == nil {
		return nil
	}
	module, head, err := p.qualified(module, goal)
	c, ok := head.(*term.Compound)
	if err != nil || !ok {
		return nil
	}
	for i, typ := range p.loaded.Advice(assertable(module, code.Functor(string(c.Functor), len(c.Args)))).Types {
		exact, ok := values.Of(typ)
		if _, isText := term.Text(c.Args[i]); !ok || !isText {
			continue
		}
		if value, ok := exact.Read(c.Args[i]); ok && term.Compare(value, c.Args[i]) != 0 {
			notes = append(notes, fmt.Sprintf("argument %d of %s/%d is text, and mode/2 wants %s: write %s", i+1, c.Functor,
				len(c.Args), exact.Want(), inspect.ShowTerm(value)))
		}
	}
	return notes
}

// plainStatic rewords the error about a static predicate: it names the declaration that is missing.
func plainStatic(err error) error {
	var e *Exception
	if !errors.As(err, &e) {
		return err
	}
	args, ok := term.Is(e.Formal(), "permission_error", 3)
	if !ok || args[1] != Term(term.Atom("static_procedure")) {
		return err
	}
	pi := inspect.ShowTerm(args[2])
	return fmt.Errorf("%s is static, and its facts cannot differ between calls; add :- dynamic %s", pi, pi)
}

// remove removes the facts that are instances of a term. It is an error if there are none.
func (r *Run) remove(home *database.Module, t Term) error {
	module, head, err := r.p.qualified(home, t)
	if err != nil {
		return err
	}
	name, arity, ok := term.Indicator(head)
	if !ok {
		return r.p.thrown(callableError(head))
	}
	pred := assertable(module, code.Functor(string(name), arity))
	if err := r.p.claim(r.m.Tx(), pred); err != nil {
		return err
	}
	found := false
	for _, c := range pred.Clauses() {
		if c.IsFact() && r.m.Tx().Sees(c, r.m.Tx().Now()) && shapes.Subsumes(head, stacks.ExportHead(c), 0) {
			found = r.m.Tx().Erase(c) || found
		}
	}
	if !found {
		return fmt.Errorf("there is no fact %s", r.p.showFact(pred, head))
	}
	return nil
}

// ioOptions returns the streams and files that a run may use.
func (p *Program) ioOptions(o *RunOptions) *builtin.IOOptions {
	flags := p.loaded.Flags()
	if o.Input == nil && o.Output == nil && o.Error == nil && !o.Terminal && o.Debugger == nil && flags == p.runIO.Flags {
		return &p.runIO
	}
	opts := p.runIO
	opts.Input, opts.Output, opts.Error, opts.Terminal = o.Input, o.Output, o.Error, o.Terminal
	opts.Flags, opts.Debugger = flags, p.newTracer(o.Debugger)
	return &opts
}

// commonIO returns the streams and files that all runs may use.
func (p *Program) commonIO() builtin.IOOptions {
	opts := builtin.IOOptions{OpenWrite: p.opts.OpenWrite, Changer: p.opts.Changer, FileName: inner{p}.FileName,
		ClauseText: p.clauseText, Args: p.opts.Args, Env: p.opts.Env, Now: p.opts.Now, Databases: p.opts.Databases}
	if p.opts.Files != nil {
		opts.FS = p.opts.Files
	}
	if p.opts.RestrictedFiles != nil {
		opts.RestrictedFS = p.opts.RestrictedFiles
	}
	return opts
}

// errNoContext is the error of a nil context.
var errNoContext = errors.New("the context is nil")

// Next runs to the next answer, to the end, or to a predicate that waits. Predicates written in Go see ctx, and its
// values, as [Call.Context]. The error is an *Exception when the goal throws, *Halt when it halts, *Aborted when ctx or
// Cancel ended it, *Panic when Go code panicked. After NoMore or an error the run is over.
func (r *Run) Next(ctx context.Context) (state State, err error) {
	defer r.recovered(&err)
	if err = r.lost; err != nil {
		r.lost = nil
		return NoMore, err
	}
	if ctx == nil {
		return NoMore, errNoContext
	}
	if r.m == nil {
		return NoMore, errClosed
	}
	switch {
	case r.state == Waiting:
		return NoMore, errors.New("the run waits: Resume it first")
	case r.state == NoMore:
		return NoMore, nil
	case r.state == Answer && r.m.Deterministic():
		err = r.Cut(ctx)
		r.state = NoMore
		return NoMore, err
	case r.state == Answer:
		r.m.Redo()
	}
	r.state, r.failed, state = NoMore, true, NoMore
	status, err := r.m.Run(r.inSession(ctx))
	r.io.Flush()
	if err != nil {
		if r.session.once { // the message may ask the databases too, and a handle may have a single connection
			r.io.EndTables()
		}
		return NoMore, r.wrap(ctx, err)
	}
	if what := machine.Undecided(r.m, status); what != "" {
		return NoMore, fmt.Errorf("%w: %s", ErrUndecided, what)
	}
	if status == machine.True {
		if err := r.m.Within(ctx, func() { r.found = r.solution() }); err != nil {
			return NoMore, r.wrap(ctx, err)
		}
		if !r.session.once {
			r.session.answer(r.found)
		}
	}
	r.failed = false
	r.state = states[status]
	return r.state, nil
}

// sessionContext is a context that knows the session of the run.
type sessionContext struct {
	context.Context
	session *Session
}

// Value returns the session for its key.
func (c *sessionContext) Value(key any) any {
	if key == (sessionKey{}) {
		return c.session
	}
	return c.Context.Value(key)
}

// inSession returns a context with the session of the run. Predicates in Go may have kept the context of an earlier
// Next.
func (r *Run) inSession(ctx context.Context) context.Context {
	if s := r.session; s.once && s.first.Context == nil {
		s.first = sessionContext{ctx, s}
		return &s.first
	}
	return &sessionContext{ctx, r.session}
}

// Cut drops the answers that may follow after an answer, and runs the pending cleanup goals of setup_call_cleanup/3, as
// once/1 does. Its errors are those of Next. A caller that does not take all answers should call Cut before Commit or
// Close, which drop the answers without reporting errors of cleanup goals.
func (r *Run) Cut(ctx context.Context) (err error) {
	if r.m == nil || r.state != Answer {
		return nil
	}
	defer r.recovered(&err)
	if err = r.m.Cut(ctx); err != nil {
		r.state, r.failed = NoMore, true
		err = r.wrap(ctx, err)
	}
	r.io.Flush()
	return err
}

// Done reports whether, after an answer, no other answer can follow.
func (r *Run) Done() bool { return r.m == nil || r.state != Answer || r.m.Deterministic() }

// Solution returns the last answer that Next has found, even after the end of the run. Before the first answer it is
// the zero Solution. Later calls of Next do not change it.
func (r *Run) Solution() Solution { return r.found }

// Undefined reports, after [NoMore], whether it is undefined that there are no more answers.
func (r *Run) Undefined() bool { return r.m != nil && machine.Unsure(r.m) }

// solution takes the answer out of the machine.
func (r *Run) solution() Solution {
	s := Solution{found: true, undefined: machine.Undefined(r.m)}
	machine.UndefinedChange(r.m) // the answer is refused even when another one follows
	if r.unread {
		return s
	}
	if r.names == nil {
		r.names = namesOf(r.vars)
	}
	s.names, s.values = r.names, stacks.ExportAll(&r.m.Terms, r.m.Answer())
	if last := len(s.values) - 1; r.residual {
		s.residual, _ = term.Slice(s.values[last])
		s.names, s.values = s.names[:last], s.values[:last]
	}
	return s
}

// Waiting returns, after Next has returned [Waiting], the name and arguments of the waiting predicate. The last
// argument is for the answer.
func (r *Run) Waiting() (name string, args []Term) {
	if r.m == nil || r.state != Waiting {
		return "", nil
	}
	waits, cells := r.m.Suspension()
	return waits.Name, stacks.ExportAll(&r.m.Terms, cells)
}

// Resume gives the waiting predicate its answer, to be unified with its last argument. The next call of Next continues
// the run. See [Run.LeaveUnanswered] for a missing answer.
func (r *Run) Resume(answer Term) {
	if r.lost = r.notWaiting(); r.lost != nil {
		return
	}
	r.state = 0
	err := r.within(context.Background(), func() { r.m.Resume(answer) })
	if err != nil && r.panicked == nil {
		err = r.throw(err)
	}
	r.lost = err
}

// notWaiting returns an error if the run does not wait for an answer.
func (r *Run) notWaiting() error {
	if r.m == nil || r.state != Waiting {
		return errors.New("the run does not wait for an answer")
	}
	return nil
}

// LeaveUnanswered is called before Resume or ResumeError if a question was not answered. If the goal then fails, the
// failure decides nothing, and Next returns [ErrUndecided]. This holds wherever in the goal the question was asked. A
// goal that still finds an answer has handled the missing one.
func (r *Run) LeaveUnanswered(question, why string) {
	if r.m == nil {
		return
	}
	machine.LeaveUnanswered(r.m, question, fmt.Sprintf("the question %q was not answered: %s", question, why))
}

// ResumeError makes the waiting predicate throw as if it had returned the error; see [Predicate]. It returns an error
// if no goal catches the exception; the run is then over.
func (r *Run) ResumeError(err error) (result error) {
	defer r.recovered(&result)
	if result = r.notWaiting(); result != nil {
		return result
	}
	r.state = 0
	return r.throw(throwable(r.m, err))
}

// throw makes the waiting predicate throw an error of the machine.
func (r *Run) throw(err error) (result error) {
	defer r.recovered(&result)
	if err = r.m.ResumeError(err); err != nil {
		r.state = NoMore
		return r.wrap(context.Background(), err)
	}
	return nil
}

// Cancel stops the run, from any goroutine. Next then returns *Aborted with this reason. Cancel does nothing to a
// closed run.
func (r *Run) Cancel(reason string) {
	r.closing.Lock()
	defer r.closing.Unlock()
	if r.m != nil {
		r.m.Cancel(reason)
	}
}

// Effort says which predicates the run has called most, how often and how deep, and what is likely to be wrong if it
// does not end. It must not be called during Next. For a closed run it returns "".
func (r *Run) Effort() string {
	if r.m == nil {
		return ""
	}
	return machine.EffortOf(r.m).Text(inner{r.p}.FileName)
}

// Whereabouts names the last built-in predicate that the run has called and the clause that it is in, for a log. Any
// goroutine may call it while Next runs. The result is a guess unless the run is stuck.
func (r *Run) Whereabouts() string {
	r.closing.Lock()
	defer r.closing.Unlock()
	if r.m == nil {
		return ""
	}
	text, in := r.m.Whereabouts()
	text = cmp.Or(text, "no built-in yet")
	if in.Clause != nil {
		text += " in " + in.Clause.Pred.Indicator()
	}
	if in.File != "" {
		text += " at " + in.Position.String()
	}
	return text
}

// Commit makes the changes of a transaction visible and durable, or returns an error and makes none: [ErrConflict], an
// error with [host.ErrNotStored] in its chain, or an *[Exception] if another fact has the key of a new one, or if a
// change depends on an undefined answer; see [Solution.Undefined]. It does nothing for a run without a transaction. A
// second Commit of a transaction is an error, even if the first one failed.
func (r *Run) Commit() error {
	switch {
	case r.panicked != nil:
		return r.panicked
	case r.m == nil:
		return errClosed
	case r.scratch:
		return errScratch
	case r.ended:
		return errors.New("the transaction of the run has ended: Commit was called before")
	}
	if err := r.undefinedChange(); err != nil {
		return err
	}
	r.m.PinChanges()
	r.ended = !r.m.Tx().Direct()
	return r.p.commit(r.m.Tx(), r.by)
}

// undefinedChange is the exception of a change that depends on an undefined answer, or nil.
func (r *Run) undefinedChange() error {
	p := machine.UndefinedChange(r.m)
	if p == nil || !r.Changed() {
		return nil
	}
	pi := term.New("/", term.Atom(p.Name()), term.Int(p.Arity()))
	return r.p.thrown(throwFormal(term.New("permission_error", term.Atom("commit"), term.Atom("undefined"), pi)))
}

// CheckCommit returns the error that a commit of the run's changes would have now. The run continues.
func (p inner) CheckCommit(r *Run) error {
	if err := r.undefinedChange(); err != nil {
		return err
	}
	return p.told(p.changes.Check(r.m.Tx()))
}

// commit ends a transaction, as the documentation of [Run.Commit] says.
func (p *Program) commit(tx *database.Tx, by string) error { return p.told(p.changes.Commit(tx, by)) }

// told returns the error of a commit in the form that callers get.
func (p *Program) told(err error) error {
	if err == nil {
		return nil
	}
	if taken := (*commit.KeyTakenError)(nil); errors.As(err, &taken) {
		return p.thrown(throwFormal(taken.Formal))
	}
	return err
}

// committed is commit for a goal of a direct run. Its error is ErrConflict or an error that the machine can throw.
func (p *Program) committed(m *machine.Machine, tx *database.Tx, by string) error {
	err := p.commit(tx, by)
	if err == ErrConflict {
		return err
	}
	return throwable(m, err)
}

// Changed reports whether the run has changes of the database to commit.
func (r *Run) Changed() bool { return r.m != nil && r.m.Tx().Changed() }

// Inferences returns the number of calls made so far. It may also be called after Close.
func (r *Run) Inferences() int64 {
	if r.m == nil {
		return r.calls
	}
	return r.m.Inferences()
}

// Close ends the run and takes back uncommitted changes. It may be called again.
func (r *Run) Close() {
	if r.m == nil {
		return
	}
	r.unclosed.Stop()
	r.session.end(r)
	if r.m.Loading && (r.session.once || r.session == &r.p.left) { // flags that directives set belong to the program
		r.p.loaded.SetFlags(r.io.FlagSet())
	}
	m := r.m
	r.closing.Lock()
	r.m, r.calls = nil, m.Inferences()
	r.closing.Unlock()
	if r.panicked != nil {
		discard(m)
		return
	}
	if m.IO, m.Commit, m.Loading = nil, nil, false; r.session.once && r.host == nil {
		*r.io = builtin.IO{}
		m.IO = r.io // the session keeps it for the next run
	}
	m.Reset()
	r.p.release(m)
}

// waitingError is the error of a waiting run that nothing will resume.
func (r *Run) waitingError() error {
	name, _ := r.Waiting()
	return fmt.Errorf("%s waits for an answer that nobody here can give; use Start", name)
}

// solve is the [load.Solve] of the program. It runs a goal and returns the values of vars in its first answer, or nil.
func (p *Program) solve(
	ctx context.Context, goal term.Term, vars []*term.Var, module *database.Module, restrict bool,
) (found []term.Term, restricted bool, err error) {
	r, err := p.start(goal, vars, nil, &RunOptions{Module: module.Name, Session: p.loadSession(ctx),
		Input: p.opts.Input, Output: p.opts.Output, Error: p.opts.Error, Limits: p.opts.Directives,
		Restricted: restrict})
	if err != nil {
		return nil, false, err
	}
	defer func() {
		restricted = r.m.WasRestricted()
		p.notePlaces(r)
		r.Close()
	}()
	r.m.Loading, r.m.Commit = true, nil
	state, err := r.Next(ctx)
	if err != nil {
		return nil, false, loaderError(err)
	}
	found = r.Solution().values
	if err := r.within(ctx, func() {
		r.m.Undo()
		p.loaded.SetGlobals(r.globals())
	}); err != nil {
		return nil, false, err
	}
	if state != Answer {
		return nil, false, nil
	}
	if found == nil {
		found = []term.Term{}
	}
	if err := r.Cut(ctx); err != nil {
		return nil, false, loaderError(err)
	}
	return found, false, r.Commit()
}

// loaderError returns an error as the loader wants it.
func loaderError(err error) error {
	var ex *Exception
	if errors.As(err, &ex) {
		return &load.Thrown{Message: ex.Message, Limit: ex.Limit()}
	}
	return err
}

// needLibrary loads a library, unless the program has it.
func (p *Program) needLibrary(ctx context.Context, name string) error {
	p.noteQuery()
	if p.db.FindModule(name) != nil {
		return nil
	}
	load := term.New("use_module", term.New("library", term.Atom(name)), term.Nil)
	r, err := p.start(load, nil, nil, &RunOptions{})
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = r.Next(ctx)
	return err
}

// bindings appends the given values of variables to bound.
func bindings(bound []machine.Binding, vars []*term.Var, args Args) ([]machine.Binding, error) {
	for i := 0; i < len(vars) && len(args) > 0; i++ {
		v := vars[i]
		name := v.String()
		given, ok := args[name]
		if !ok || slices.ContainsFunc(bound, func(b machine.Binding) bool { return b.Var.String() == name }) {
			continue
		}
		value, err := convert.Term(given)
		if err != nil {
			return nil, fmt.Errorf("bind %s: %w", name, err)
		}
		bound = append(bound, machine.Binding{Var: v, Value: value})
	}
	if len(bound) < len(args) {
		return nil, unknownBinding(vars, args)
	}
	return bound, nil
}

func namesOf(vars []*term.Var) []string {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = v.String()
	}
	return names
}

// unknownBinding is the error for the first given name that is not the name of a variable.
func unknownBinding(vars []*term.Var, args Args) error {
	names := namesOf(vars)
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("bind %s: the goal has no such variable%s", name, convert.DidYouMean(name, names))
		}
	}
	return nil
}

// Moment is the state of the database that a run has seen. It is kept for later runs that explain the answers.
// Goroutines may share it.
type Moment struct {
	p      *Program
	moment *database.Moment
	gen    uint64
}

// Keep keeps the state of the database that the run sees, without the run's own changes, until Release. Until then,
// retracted facts stay in memory. Keep returns nil for a closed run.
func (r *Run) Keep() *Moment {
	if r.m == nil {
		return nil
	}
	moment, gen := r.m.Keep()
	return &Moment{r.p, moment, gen}
}

// Release ends the keeping of the state. No run may use the moment any more. Release does nothing for nil.
func (m *Moment) Release() {
	if m != nil {
		m.moment.Release()
	}
}

// Changed reports whether the database of the program has changed since the moment.
func (m *Moment) Changed() bool { return m != nil && m.p != nil && m.p.db.Generation() != m.gen }

// of returns the moment for a run of p.
func (m *Moment) of(p *Program) (*database.Moment, error) {
	if m == nil {
		return nil, nil
	}
	if m.p != p || !m.moment.Kept() {
		return nil, errors.New("the moment is released, or is one of another program")
	}
	return m.moment, nil
}
