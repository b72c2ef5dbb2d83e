package machine

import (
	"errors"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effort"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines exceptions: the Go error that carries a ball, and constructors of the ISO
// error terms (13211-1, 7.12).

// Exception is a thrown Prolog term on its way to a catch/3 or to the caller of the machine.
type Exception struct {
	ball stacks.Frozen
	// Trace holds the return addresses of the active calls, innermost first.
	trace []uint32
	// pred is the functor of the built-in that threw it, or 0.
	pred cell
	// final is set when no catch/3 may catch it; above, unless it is 0, is the newest choice
	// point that may.
	final bool
	above int
	// builtin is set when the first address of the trace is that of a call of a built-in.
	builtin bool
	// module is that of pred, nil for system.
	module *database.Module
	// effort is the work of the run until then if the exception is the error of a limit, else nil.
	effort *effort.Effort
	// values has, for each clause of the trace, the values of its variables by their numbers; nil if none is known.
	values []map[int]term.Term
	// reusable is set when its slices are its own, so that the machine may use it again.
	reusable bool
}

func (e *Exception) Error() string { return "prolog exception" }

// ErrSuspend is returned by a predicate written in Go that waits for something outside: the
// machine stops in a state from which it can be resumed.
var ErrSuspend = errors.New("suspended")

// Throw returns the exception with this ball. A very large ball is thrown as a resource error instead, as its Go form
// would be several times as large.
func (m *Errors) Throw(ball cell) error {
	f := m.CopyOut(ball, true)
	if len(f.Cells) > stacks.Slack && stacks.CellBytes*len(f.Cells) > m.LimitBytes()/8 {
		return m.ResourceError("memory")
	}
	ex := m.caught
	if m.caught = nil; ex == nil {
		ex = &Exception{}
	}
	f.Cells = append(ex.ball.Cells[:0], f.Cells...)
	*ex = Exception{ball: f, trace: ex.trace[:0], reusable: true}
	return ex
}

// keepCaught keeps a caught exception for reuse by Throw, as programs that throw often would otherwise leave much
// garbage.
func (m *Machine) keepCaught(ex *Exception) {
	const large = 64
	if ex.reusable && cap(ex.ball.Cells) <= large && cap(ex.trace) <= large {
		m.caught = ex
	}
}

// The parts of the most common errors, interned once.
var (
	aInstantiationError = code.AtomCell("instantiation_error")
	fnTypeError         = code.Functor("type_error", 2)
)

// throwFormal returns error(Formal, Context) where the machine fills in the context.
func (m *Errors) throwFormal(formal cell) error {
	return m.Throw(m.NewCompound(code.FError, []cell{formal, m.NewVar()}))
}

// ErrorMessage returns error(Formal, context(_, Message)).
func (m *Errors) ErrorMessage(formal cell, message string) error {
	ctx := m.NewCompound(fnContext, []cell{m.NewVar(), m.NewAtom(message)})
	return m.Throw(m.NewCompound(code.FError, []cell{formal, ctx}))
}

// InstantiationError is thrown when an argument is unbound that must not be.
func (m *Errors) InstantiationError() error {
	return m.throwFormal(aInstantiationError)
}

// TypeError is thrown when culprit is not of the type; an unbound culprit gives an
// instantiation error instead.
func (m *Errors) TypeError(typ string, culprit cell) error {
	if stacks.IsVar(m.Deref(culprit)) {
		return m.InstantiationError()
	}
	return m.throwFormal(m.NewCompound(fnTypeError, []cell{m.NewAtom(typ), culprit}))
}

// DomainError is thrown when culprit has the right type but not an acceptable value.
func (m *Errors) DomainError(domain string, culprit cell) error {
	return m.throwFormal(m.NewStruct("domain_error", m.NewAtom(domain), culprit))
}

// ExistenceError is thrown when something named does not exist.
func (m *Errors) ExistenceError(kind string, culprit cell) error {
	return m.throwFormal(m.NewStruct("existence_error", m.NewAtom(kind), culprit))
}

// PermissionError is thrown when an operation is not allowed on something.
func (m *Errors) PermissionError(action, kind string, culprit cell) error {
	return m.throwFormal(m.NewStruct("permission_error", m.NewAtom(action), m.NewAtom(kind), culprit))
}

// RepresentationError is thrown when a limit of this system is breached.
func (m *Errors) RepresentationError(flag string) error {
	return m.throwFormal(m.NewStruct("representation_error", m.NewAtom(flag)))
}

// EvaluationError is thrown when an arithmetic function has no value.
func (m *Errors) EvaluationError(what string) error {
	return m.throwFormal(m.NewStruct("evaluation_error", m.NewAtom(what)))
}

// ResourceError is thrown when a limit such as memory runs out.
func (m *Errors) ResourceError(what string) error {
	m.RanOut = true
	before := m.Overdraw
	m.Overdraw = true
	defer func() { m.Overdraw = before }()
	return m.throwFormal(m.NewStruct("resource_error", m.NewAtom(what)))
}

// SyntaxError is thrown when text does not parse.
func (m *Errors) SyntaxError(message string) error {
	return m.throwFormal(m.NewStruct("syntax_error", m.NewAtom(message)))
}

// UninstantiationError is thrown when an argument must be unbound and is not.
func (m *Errors) UninstantiationError(culprit cell) error {
	return m.throwFormal(m.NewStruct("uninstantiation_error", culprit))
}

// Ball returns the thrown term, its context filled in.
func (e *Exception) Ball() term.Term {
	t := e.ball.Export()
	args, ok := term.Is(t, "error", 2)
	if !ok || e.pred == 0 {
		return t
	}
	pi := term.New(":", term.Atom(e.home()), term.New("/", term.Atom(stacks.AtomText(e.pred.FunctorName())),
		term.Int(e.pred.FunctorArity())))
	switch ctx := args[1].(type) {
	case *term.Var:
		return term.New("error", args[0], term.New("context", pi, ctx))
	case *term.Compound:
		if parts, ok := term.Is(ctx, "context", 2); ok {
			if _, unbound := parts[0].(*term.Var); unbound {
				return term.New("error", args[0], term.New("context", pi, parts[1]))
			}
		}
	}
	return t
}

// home is the name of the module of the predicate that threw.
func (e *Exception) home() string {
	if e.module == nil {
		return "system"
	}
	return e.module.Name
}

// InContext makes the context of an exception name another predicate than the one that returns it: the predicate that
// this one is a part of.
func InContext(err error, functor cell) error {
	if ex, ok := err.(*Exception); ok && ex.pred == 0 {
		ex.pred = functor
	}
	return err
}
