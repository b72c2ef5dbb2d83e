package engine

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/passes"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file supports interactive prompts: it reads goals from a text that is still being written, keeps the state that
// consecutive goals share, and completes words.

// ReadGoal reads the first goal of a text, up to its full stop, and returns it with the rest of the text. It returns
// io.EOF for a text without a goal, ErrIncomplete for a text that ends within one, and [source.Diagnostics] for a
// syntax error, together with the text after the goal. name is the name of the text in diagnostics.
func (p inner) ReadGoal(name, text string) (g *source.Goal, rest string, err error) {
	user := p.db.User()
	in := syntax.NewTextInput(name, text)
	parser := syntax.NewParser(in, user.Ops, &user.Flags)
	read, err := parser.Read()
	if err != nil && (err == io.EOF || !parser.Ended()) {
		if err != io.EOF {
			err = source.ErrIncomplete
		}
		return nil, text, err
	}
	rest = text[in.Bytes():]
	var syn *syntax.Error
	switch {
	case errors.As(err, &syn):
		return nil, rest, source.Diagnostics{source.SyntaxDiagnostic(name, syn)}
	case err != nil:
		return nil, rest, err
	}
	goal := newGoal(read, user)
	return &goal, rest, nil
}

// newGoal returns a goal with its variables.
func newGoal(read *syntax.Read, module *database.Module) source.Goal {
	g := source.Goal{Term: passes.DictGoal(read, module, read.Term)}
	for _, v := range read.Vars {
		g.Vars = append(g.Vars, v.Var)
	}
	return g
}

// Session is the state that consecutive goals share besides the program: flags, the working directory, global
// variables, streams, engines, tries, queues, counters, random numbers, and the values of the last answer, which goals
// name as $X. The zero value begins with the state that the load of the first goal's program has left. When a goal of
// another program follows, the state of that program's load replaces it, except for flags, global variables, the
// working directory and random numbers. One run at a time may use a session; see [RunOptions]. Close ends it.
type Session struct {
	of      *Program // the program whose load left the state; nil: none yet
	io      *builtin.IO
	left    *machine.Handover // the state that the last run left, or nil
	host    *machine.Machine  // the machine of the current run
	globals map[string]Term
	values  map[string]Term
	once    bool           // the session ends with its first run
	first   sessionContext // the context of the first Next of that run
}

// sessionKey is the key of the session in the context of a run. Goals of texts that the run loads belong to the same
// session.
type sessionKey struct{}

// loadSession returns the session of a goal that loading runs: the session of the run that loads the text, or else the
// session of the load. A library that is loaded later without a run has no session.
func (p *Program) loadSession(ctx context.Context) *Session {
	if s, ok := ctx.Value(sessionKey{}).(*Session); ok {
		return s
	}
	if p.queried.Load() {
		return nil
	}
	return &p.left
}

// enter prepares the session for a run. For directives, and for goals of texts that another run loads, the session
// stays as it is.
func (s *Session) enter(p *Program, o *builtin.IOOptions) {
	switch {
	case s.host != nil || s == &p.left && s.io != nil:
	case s == &p.left:
		s.io = builtin.NewIO(o)
	case s.of == p:
		s.io.Renew(o)
	default:
		before := *s
		taken := p.takeOpen()
		if taken.io == nil {
			taken = *p.left.copyTo(&Session{}, &builtin.IO{}, o)
		}
		s.of, s.io, s.left = p, taken.io, taken.left
		s.io.Renew(o)
		if before.io != nil {
			s.io.TakeSettings(before.io)
			s.left = s.left.Seeded(before.left)
			before.Close()
		}
	}
}

// takeOpen returns the state that the load has left, with its streams and engines, to the first caller, and a zero
// Session to all others.
func (p *Program) takeOpen() Session {
	p.openMu.Lock()
	defer p.openMu.Unlock()
	taken := p.open
	p.open = Session{}
	return taken
}

// copyTo makes c a session for one run. It begins with a copy of the state that a load has left, without streams and
// engines. x is an unused IO.
func (s *Session) copyTo(c *Session, x *builtin.IO, o *builtin.IOOptions) *Session {
	x.Begin(o)
	if s.io != nil {
		x.TakeCopy(s.io)
	}
	c.once, c.io = true, x
	if s.left != nil {
		c.left = s.left.Copy()
	}
	return c
}

// Load adds the clauses of texts to a program that has not been queried yet and makes it ready for queries. It reads
// all texts and returns their errors together, as [source.Diagnostics]. For a program that has been queried the error
// is [ErrQueried]. Load may be called several times, from one goroutine. When ctx ends, or a goal exceeds a limit, the
// load ends with an error at its present place.
func (p *Program) Load(ctx context.Context, sources ...source.File) error {
	if ctx == nil {
		return errNoContext
	}
	if p.zero() {
		return errZeroProgram
	}
	if p.queried.Load() {
		return ErrQueried
	}
	if open := p.takeOpen(); open.io != nil {
		p.left = open
	}
	err := p.loaded.Load(ctx, sources...)
	p.endLoad()
	return err
}

// endLoad makes the state that directives have left the initial state of later runs. Its streams and engines are kept
// for the first session, or are closed with a warning at the place where they were made.
func (p *Program) endLoad() {
	p.runIO.Flags = p.loaded.Flags()
	s := &p.left
	if s.io == nil {
		return
	}
	s.io.ForgetFlags() // flags belong to the program
	if s.left != nil {
		s.left = s.left.Settle()
	}
	if p.opts.LeaveOpen {
		p.open = *s
		p.left = *s.copyTo(&Session{}, &builtin.IO{}, p.ioOptions(&noRunOptions))
		return
	}
	for name, d := range p.places {
		d.Severity, d.Code = source.SeverityWarning, "left-open"
		d.Message = name + " ends with the load: goals that run later do not have it"
		p.loaded.Diagnose(d)
	}
	p.places = nil
	_ = s.io.Close()
	if s.left != nil {
		s.left.Abandon()
	}
}

// notePlaces notes where the load's open streams and engines were made.
func (p *Program) notePlaces(r *Run) {
	if r.session != &p.left {
		return
	}
	places := map[string]source.Diagnostic{}
	note := func(name string) {
		d, ok := p.places[name]
		if !ok {
			d = p.loaded.Here()
		}
		places[name] = d
	}
	for _, s := range r.io.Open() {
		note("the stream " + s.String())
	}
	for _, name := range machine.EngineNames(r.m) {
		note("the engine " + name)
	}
	p.places = places
}

// begin copies the global variables of the session into a run.
func (s *Session) begin(r *Run) {
	for name, value := range s.globals {
		r.m.SetGlobal(name, r.m.Import(value), false)
	}
}

// end takes over the state of a finished run. It ignores the global variables of a run that ended with an error,
// because they may have exhausted its memory. A run that has panicked leaves nothing.
func (s *Session) end(r *Run) {
	s.host = r.host
	switch {
	case r.host != nil:
		_ = r.io.Flush()
		return
	case s.once:
		_ = r.io.Close()
		return
	case r.panicked == nil:
		if !r.failed && s != &r.p.left {
			s.globals = r.globals()
		}
		s.left = machine.HandOver(r.m)
	}
	r.io.Rest()
}

// globals returns the global variables that the run has asked for or set.
func (r *Run) globals() map[string]Term {
	values := map[string]Term{}
	for _, name := range r.m.GlobalNames(true) {
		if value, ok := r.m.Global(name); ok {
			values[name] = r.m.Export(value)
		}
	}
	return values
}

// Close ends the engines of the session and closes its streams. The session is empty then.
func (s *Session) Close() {
	if s.io != nil {
		_ = s.io.Close()
	}
	if s.left != nil {
		s.left.Abandon()
	}
	*s = Session{}
}

// answer stores the values of an answer.
func (s *Session) answer(found Solution) {
	for i, name := range found.names {
		if _, unbound := found.values[i].(*term.Var); unbound {
			continue
		}
		if s.values == nil {
			s.values = map[string]Term{}
		}
		s.values[name] = found.values[i]
	}
}

// fill returns a goal in which the values of earlier answers replace $X.
func (s *Session) fill(goal Term) Term {
	if len(s.values) == 0 {
		return goal
	}
	root, copies := []Term{goal}, map[*term.Compound]*term.Compound{}
	for stack := [][]Term{root}; len(stack) > 0; {
		args := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for i, arg := range args {
			c, ok := arg.(*term.Compound)
			if !ok {
				continue
			}
			if value := s.value(c); value != nil {
				args[i] = value
				continue
			}
			own := copies[c]
			if own == nil {
				own = &term.Compound{Functor: c.Functor, Args: slices.Clone(c.Args)}
				copies[c] = own
				stack = append(stack, own.Args)
			}
			args[i] = own
		}
	}
	return root[0]
}

// value returns the value of an earlier answer for $X, and nil for other terms.
func (s *Session) value(t Term) Term {
	of, ok := term.Is(t, "$", 1)
	if !ok {
		return nil
	}
	v, ok := of[0].(*term.Var)
	if !ok {
		return nil
	}
	return s.values[v.Name]
}

// Completions returns the atoms that begin with a prefix and need no quotes, sorted: names of predicates of the program
// and of its libraries, loaded or not, and other atoms that exist. It serves prompts that complete words.
func (p inner) Completions(prefix string) []string {
	list := code.AtomsWith(prefix)
	for _, m := range []*database.Module{p.db.User(), p.db.System()} {
		for _, pred := range m.Preds() {
			list = append(list, pred.Name())
		}
	}
	for indicator := range lib.Autoload() {
		list = append(list, indicator.Name)
	}
	list = slices.DeleteFunc(list, func(name string) bool {
		return !strings.HasPrefix(name, prefix) || syntax.NeedsQuote(term.Atom(name))
	})
	slices.Sort(list)
	return slices.Compact(list)
}
