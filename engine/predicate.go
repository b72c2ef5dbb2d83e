package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines predicates written in Go. Func makes them of plain functions, whose types say how arguments are
// converted.

// Predicate is a predicate written in Go. Exactly one of Call, Solve and Waits is set. It cannot have the name and
// arity of a built-in predicate or of another one written in Go: that is an error of the load. One of a library it may
// have, which it then hides. Rules cannot take its place: a text that defines, declares or imports another is an error
// of the load, and a goal that asserts clauses of it throws. [Func] makes a predicate of a plain function. The
// functions are called by whatever goroutine runs the goal; goals that run at the same time call them at the same time.
type Predicate struct {
	// Name and Arity; Module is where it is defined, "" stands for system, seen everywhere.
	Name   string
	Arity  int
	Module string
	// Modes and Doc describe it as in "+atom, -integer", a mode for each argument, and one sentence.
	Modes, Doc string
	// Call runs a predicate with at most one answer. It returns false to fail, an error to
	// throw: one that is or wraps an *Exception, see [Throw], throws the term of that, any other
	// throws error(system_error, context(_, Message)). [Exception.Unwrap] leads back to the error.
	Call func(c *Call) (bool, error)
	// Solve returns the answers: for each a row with the terms that the arguments are to be unified with, as
	// [Call.Unify] does, where nil leaves an argument as it is. A nil row leaves all; one of another length than Arity
	// is thrown as an error. Answers are asked for one by one as the goal wants them; the
	// sequence is stopped when it wants no more, after a cut, an exception or the end of the run at the
	// latest. An error ends the answers and is thrown as one of Call is.
	Solve func(c *Call) iter.Seq2[[]Term, error]
	// Waits makes the predicate wait for [Run.Resume]; the answer is its last argument.
	Waits bool

	wrong string // what keeps Func from making one
}

// Call is a call of a predicate written in Go. It is valid during the call only, and panics when it is used later.
type Call struct {
	m    *machine.Machine
	args []code.Cell
	ctx  *machine.Patience

	given []givenTerm             // that Arg and Args have returned, those that may have variables
	vars  map[*term.Var]code.Cell // of the variables of the first paired terms of given, and of those that came back
	// paired is how many terms of given have their variables in vars.
	paired int
}

// givenTerm is a term that argument i was returned as.
type givenTerm struct {
	i int
	t Term
}

// Context ends with the context that the caller of [Run.Next] or [Program.Query] has given, when the run is cancelled,
// and when its time is over or that of a goal within it. What the predicate returns after that is not looked at. It has
// the values of the caller's context, which a Go program wants its predicates to have for one run. It is of use during
// the call, and for a sequence of answers to its end.
func (c *Call) Context() context.Context { return c.ctx }

// machine returns the machine of the call, which must not be over.
func (c *Call) machine() *machine.Machine {
	if c.m == nil {
		panic("a predicate written in Go uses its Call after the call")
	}
	return c.m
}

// Arg returns argument i, from 0 and below the arity. Equal variables in several arguments are equal only within
// one Arg; use Args for all of them at once.
func (c *Call) Arg(i int) Term {
	t := c.machine().Export(c.args[i])
	c.give(i, t)
	return t
}

// Args returns all arguments.
func (c *Call) Args() []Term {
	terms := stacks.ExportAll(&c.machine().Terms, c.args)
	for i, t := range terms {
		c.give(i, t)
	}
	return terms
}

// give remembers a term that is returned.
func (c *Call) give(i int, t Term) {
	if mayHaveVariables(t) {
		c.given = append(c.given, givenTerm{i, t})
	}
}

func mayHaveVariables(t Term) bool {
	switch t.(type) {
	case *term.Var, *term.Compound:
		return true
	}
	return false
}

// Unify unifies argument i, from 0 and below the arity, with a term. A variable that Arg or Args has returned in this
// call is that variable of the goal. Any other is a new one, the same in all terms that are given for this answer.
func (c *Call) Unify(i int, t Term) bool {
	m := c.machine()
	if !mayHaveVariables(t) {
		return m.Unify(c.args[i], m.Import(t))
	}
	if c.vars == nil {
		c.vars = map[*term.Var]code.Cell{}
	}
	for ; c.paired < len(c.given); c.paired++ {
		g := c.given[c.paired]
		stacks.PairVariables(&m.Terms, c.args[g.i], g.t, c.vars)
	}
	return m.Unify(c.args[i], m.ImportWith(t, c.vars))
}

// Restricted reports whether a restricted rule is active.
func (c *Call) Restricted() bool { return c.machine().Restricted() }

// mistake says what keeps the predicate from being defined in a program, or "".
func (p *Predicate) mistake(db *database.Program) string {
	if p.wrong != "" {
		return p.wrong
	}
	if p.Name == "" || p.Arity < 0 || p.Arity > load.MaxArity {
		return fmt.Sprintf("needs a name, and an arity from 0 to %d", load.MaxArity)
	}
	if b := p.builtin(); b.Modes != "" && b.CountModes() != p.Arity {
		return fmt.Sprintf("has %s and %s", spell.Count(b.CountModes(), "mode"), spell.Count(p.Arity, "argument"))
	}
	ways := 0
	for _, set := range []bool{p.Call != nil, p.Solve != nil, p.Waits} {
		if set {
			ways++
		}
	}
	if ways != 1 {
		return "needs exactly one of Call, Solve and Waits"
	}
	module := db.System()
	if p.Module != "" {
		module = db.FindModule(p.Module)
	}
	if module != nil {
		if pred := module.Find(code.Functor(p.Name, p.Arity)); pred != nil && pred.Has(database.Defined) {
			return "has the name of a predicate that is there already"
		}
	}
	return ""
}

// builtin returns the entry for the machine.
func (p *Predicate) builtin() machine.Builtin {
	b := machine.Builtin{Name: p.Name, Arity: p.Arity, Module: p.Module, Modes: p.Modes, Doc: p.Doc, Foreign: true}
	switch {
	case p.Waits:
		b.Func = func(*machine.Machine, []code.Cell) (bool, error) { return false, machine.ErrSuspend }
	case p.Solve != nil:
		b.Nondet = true
		b.Func = p.solve
	default:
		b.Func = func(m *machine.Machine, a []code.Cell) (bool, error) {
			ctx := machine.NewPatience(m)
			defer ctx.End()
			var ok bool
			c := &Call{m: m, args: a, ctx: ctx}
			defer func() { c.m = nil }()
			err := machine.During(m, ctx, func() (err error) {
				ok, err = p.Call(c)
				return throwable(m, err)
			})
			return ok, err
		}
	}
	return b
}

// solve runs a predicate of several answers.
func (p *Predicate) solve(m *machine.Machine, a []code.Cell) (bool, error) {
	ctx := machine.NewPatience(m)
	c := &Call{m: m, args: a, ctx: ctx}
	next, end := iter.Pull2(func(yield func([]Term, error) bool) {
		if answers := p.Solve(c); answers != nil {
			answers(yield)
		}
	})
	stop := func() {
		ctx.End()
		end()
		c.m = nil
	}
	return m.Sequence(func(m *machine.Machine, a []code.Cell) (ok, more bool, err error) {
		c.args, c.vars, c.paired = a, nil, 0
		var answer []Term
		err = machine.During(m, ctx, func() (err error) {
			answer, err, more = next()
			if err == nil && answer != nil && len(answer) != len(a) {
				err = fmt.Errorf("the Solve of %s/%d returned a row of length %d", p.Name, len(a), len(answer))
			}
			return throwable(m, err)
		})
		if !more || err != nil {
			return false, false, err
		}
		ok = true
		for i := 0; ok && i < len(answer); i++ {
			if answer[i] != nil {
				ok = c.Unify(i, answer[i])
			}
		}
		return ok, true, nil
	}, stop, nil)
}

// Func returns the predicate of a Go function, which is
//
//	func(ctx context.Context, inputs ...) (outputs ..., error)
//
// with any number of inputs and outputs; the context and the error may be missing. The inputs are the first arguments
// of the predicate, and the outputs are unified with the last ones. A single output of type bool makes a test without
// an argument for it: it succeeds when the function returns true. One of type struct{} has no argument either.
//
// A function whose single result is an iter.Seq2[R, error] or an iter.Seq[R] makes a predicate of many answers: each
// element is one. Elements are asked for one by one, and the sequence is stopped when the goal wants no more. So it may
// be endless, or read from a database that it closes at its end. An error with an element ends the answers.
//
// Arguments are converted by [Convert] and results by [TermOf]. An unbound input is an instantiation error, an input
// of another type is a type error, and a value that the Go type does not have is a domain error. An input of a type for
// which no term stands, such as a channel, takes an [Opaque] that holds one. Errors of the function are thrown as
// errors of [Predicate] are. [ErrNoSolution] makes the predicate fail. The context is that of [Call.Context]. Module
// and Doc of the returned predicate may be set. What is no such function is an error of the load.
func Func(name string, f any) Predicate {
	fn, wrong := functionOf(f)
	if wrong != "" {
		return Predicate{Name: name, wrong: wrong}
	}
	p := Predicate{Name: name, Arity: len(fn.in) + len(fn.out), Modes: fn.modes()}
	if fn.sequence {
		p.Solve = fn.solve
	} else {
		p.Call = fn.call
	}
	return p
}

// function is a Go function with the types of the arguments of its predicate.
type function struct {
	f        reflect.Value
	context  bool // it takes one first
	in, out  []reflect.Type
	sequence bool // it returns one
	fails    bool // its last result, or the second part of elements, is an error
	test     bool // its result is whether it succeeds
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// functionOf looks at a function. wrong says why it is none of a predicate.
func functionOf(f any) (fn *function, wrong string) {
	t := reflect.TypeOf(f)
	if t == nil || t.Kind() != reflect.Func || t.IsVariadic() || reflect.ValueOf(f).IsNil() {
		return nil, fmt.Sprintf("needs a function of a fixed number of inputs, and not a %T", f)
	}
	fn = &function{f: reflect.ValueOf(f), context: t.NumIn() > 0 && t.In(0) == contextType}
	for i := range t.NumIn() {
		if t.In(i) != contextType {
			fn.in = append(fn.in, t.In(i))
		} else if i > 0 {
			return nil, "needs a context as its first input, or none"
		}
	}
	for i := range t.NumOut() {
		fn.out = append(fn.out, t.Out(i))
	}
	if len(fn.out) == 1 && isSequence(fn.out[0]) {
		fn.sequence = true
		yield := fn.out[0].In(0)
		fn.out = fn.out[:0]
		for i := range yield.NumIn() {
			fn.out = append(fn.out, yield.In(i))
		}
		if n := len(fn.out); (n == 2) != (fn.out[n-1] == errorType) {
			return nil, fmt.Sprintf("needs a sequence whose second part is an error, and not a %s", t.Out(0))
		}
	}
	if n := len(fn.out); n > 0 && fn.out[n-1] == errorType {
		fn.out, fn.fails = fn.out[:n-1], true
	}
	if len(fn.out) == 1 && (fn.out[0].Kind() == reflect.Bool || fn.out[0] == reflect.TypeFor[struct{}]()) {
		fn.test, fn.out = fn.out[0].Kind() == reflect.Bool, nil
	}
	for _, typ := range fn.out {
		switch {
		case typ == errorType:
			return nil, "needs a single error, as the last result"
		case isSequence(typ) && !fn.sequence:
			return nil, fmt.Sprintf("needs a single result if one is a sequence, such as %s", typ)
		case !convert.HasTerm(typ):
			return nil, fmt.Sprintf("needs a result for which a term stands, and not a %s; Opaque makes a term of one", typ)
		}
	}
	return fn, ""
}

// isSequence reports whether a type is that of an iter.Seq or an iter.Seq2.
func isSequence(typ reflect.Type) bool {
	return typ.Kind() == reflect.Func && (typ.CanSeq() || typ.CanSeq2())
}

// modes describes the arguments.
func (fn *function) modes() string {
	var modes []string
	for _, typ := range fn.in {
		modes = append(modes, "+"+convert.TypeName(typ))
	}
	for _, typ := range fn.out {
		modes = append(modes, "-"+convert.TypeName(typ))
	}
	return strings.Join(modes, ", ")
}

// run calls the function with the arguments of a call.
func (fn *function) run(c *Call) ([]reflect.Value, error) {
	args, given := c.Args(), make([]reflect.Value, 0, len(fn.in)+1)
	if fn.context {
		given = append(given, reflect.ValueOf(c.Context()))
	}
	for i, typ := range fn.in {
		value := reflect.New(typ)
		if err := argumentError(args[i], convert.Value(args[i], value.Interface())); err != nil {
			return nil, err
		}
		given = append(given, value.Elem())
	}
	return fn.f.Call(given), nil
}

// argumentError returns the Prolog error for an argument that could not be converted.
func argumentError(arg Term, err error) error {
	var e *ConvertError
	if !errors.As(err, &e) {
		return err
	}
	culprit := e.Term
	if culprit == nil {
		culprit = arg
	}
	if _, unbound := culprit.(*term.Var); unbound {
		return throwFormal(term.Atom("instantiation_error"))
	}
	thrown := TermError("domain_error", e.Type.String(), culprit)
	if e.Want != "" {
		thrown = TermError("type_error", e.Want, culprit)
	}
	return errors.Join(thrown, err)
}

// answer returns the terms of the arguments for what the function returned, or for an element. ok is false when that
// is no answer.
func (fn *function) answer(results []reflect.Value) (answer []Term, ok bool, err error) {
	if fn.fails {
		last := len(results) - 1
		if err, _ := results[last].Interface().(error); err != nil {
			return nil, false, err
		}
		results = results[:last]
	}
	if fn.test {
		return nil, results[0].Bool(), nil
	}
	answer = make([]Term, len(fn.in)+len(fn.out))
	for i := range fn.out {
		if answer[len(fn.in)+i], err = TermOf(results[i].Interface()); err != nil {
			return nil, false, err
		}
	}
	return answer, true, nil
}

// call is [Predicate.Call] of a function.
func (fn *function) call(c *Call) (bool, error) {
	results, err := fn.run(c)
	if err != nil {
		return false, err
	}
	answer, ok, err := fn.answer(results)
	if errors.Is(err, ErrNoSolution) {
		return false, nil
	}
	for i := len(fn.in); ok && i < len(answer); i++ {
		ok = c.Unify(i, answer[i])
	}
	return ok, err
}

// solve is [Predicate.Solve] of a function.
func (fn *function) solve(c *Call) iter.Seq2[[]Term, error] {
	results, err := fn.run(c)
	return func(yield func([]Term, error) bool) {
		if err != nil {
			yield(nil, err)
			return
		}
		each := func(element ...reflect.Value) bool {
			answer, ok, err := fn.answer(element)
			if errors.Is(err, ErrNoSolution) {
				return false
			}
			return (!ok && err == nil || yield(answer, err)) && err == nil
		}
		if results[0].IsNil() {
			return
		}
		if fn.fails {
			results[0].Seq2()(func(v, e reflect.Value) bool { return each(v, e) })
		} else {
			results[0].Seq()(func(v reflect.Value) bool { return each(v) })
		}
	}
}
