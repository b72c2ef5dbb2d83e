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

// This file defines predicates written in Go. Func makes them from plain functions. The types of a function say how
// arguments are converted.

// Predicate is a predicate written in Go. Exactly one of Call, Solve and Waits is set. It is an error of the load if
// the name and arity belong to a built-in predicate or to another predicate written in Go. A predicate hides one of a
// library with the same name and arity. Clauses cannot redefine the predicate: a text that defines, declares or imports
// one with the same name and arity is an error of the load, and a goal that asserts clauses of it throws. [Func] makes
// a predicate from a plain function. The functions are called by the goroutine that runs the goal. Goals that run
// concurrently call them concurrently.
type Predicate struct {
	// Name and Arity identify the predicate. Module is the module that defines it. "" stands for system, which is
	// visible everywhere.
	Name   string
	Arity  int
	Module string
	// Modes has a mode for each argument, as in "+atom, -integer". Doc describes the predicate in one sentence.
	Modes, Doc string
	// Call runs a predicate with at most one answer. It returns false to fail, and an error to throw. An error that is
	// or wraps an *Exception, see [Throw], throws the exception's term. Any other error throws error(system_error,
	// context(_, Message)). [Exception.Unwrap] returns the original error.
	Call func(c *Call) (bool, error)
	// Solve returns the answers. Each answer is a row of terms to be unified with the arguments, as by [Call.Unify]. A
	// nil term leaves its argument as it is, and a nil row leaves all arguments. A row with another length than Arity
	// is thrown as an error. The goal asks for answers one by one. The sequence is stopped when the goal wants no more,
	// at the latest after a cut, an exception or the end of the run. An error ends the answers and is thrown like an
	// error of Call.
	Solve func(c *Call) iter.Seq2[[]Term, error]
	// Waits makes the predicate wait for [Run.Resume]. The answer is unified with the last argument.
	Waits bool

	wrong string // why Func cannot make a predicate
}

// Call is a call of a predicate written in Go. It is valid during the call only, and panics when it is used later.
type Call struct {
	m    *machine.Machine
	args []code.Cell
	ctx  *machine.Patience

	given []givenTerm             // terms returned by Arg and Args that may have variables
	vars  map[*term.Var]code.Cell // of the first paired terms of given, and of terms passed to Unify
	// paired is how many terms of given have their variables in vars.
	paired int
}

// givenTerm is the term that was returned for argument i.
type givenTerm struct {
	i int
	t Term
}

// Context returns a context that ends with the context given to [Run.Next] or [Program.Query], when the run is
// cancelled, and when the time of the run or of a goal within it is over. Results that the predicate returns after that
// are ignored. The context has the values of the caller's context, so that a Go program can pass values to its
// predicates. It may be used during the call and, for a sequence of answers, until the end of the sequence.
func (c *Call) Context() context.Context { return c.ctx }

// machine returns the machine of the call, which must not be over.
func (c *Call) machine() *machine.Machine {
	if c.m == nil {
		panic("a predicate written in Go uses its Call after the call")
	}
	return c.m
}

// Arg returns argument i, counted from 0. Two calls of Arg return different term variables for the same variable of the
// goal; Args returns all arguments with the same variables.
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

// Unify unifies argument i, counted from 0, with a term. A variable that Arg or Args has returned in this call stands
// for the goal's variable. Any other variable is new, and is the same variable in all terms of this answer.
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

// mistake returns the reason why the predicate cannot be defined in a program, or "".
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

// builtin returns the predicate as a built-in of the machine.
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
// of the predicate, and the outputs are unified with the last ones. A single output of type bool has no argument: the
// predicate succeeds when the function returns true. A single output of type struct{} has no argument either.
//
// A function whose single result is an iter.Seq2[R, error] or an iter.Seq[R] makes a predicate with many answers: each
// element is an answer. Elements are asked for one by one, and the sequence is stopped when the goal wants no more. It
// may therefore be endless, or read from a database that it closes at its end. An error with an element ends the
// answers.
//
// Arguments are converted by [Convert] and results by [TermOf]. An unbound input is an instantiation error, an input of
// another type is a type error, and a value that the Go type does not have is a domain error. An input whose type has
// no term, such as a channel, takes an [Opaque] that holds a value of the type. Errors of the function are thrown like
// those of a [Predicate]. [ErrNoSolution] makes the predicate fail. The context is that of [Call.Context]. Module and
// Doc of the returned predicate may be set. Any other value than such a function is an error of the load.
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
	context  bool // its first parameter is a context
	in, out  []reflect.Type
	sequence bool // it returns a sequence
	fails    bool // its last result, or the second part of elements, is an error
	test     bool // its bool result says whether it succeeds
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// functionOf analyzes a function. wrong says why the function cannot be a predicate.
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

// isSequence reports whether a type is an iter.Seq or an iter.Seq2.
func isSequence(typ reflect.Type) bool {
	return typ.Kind() == reflect.Func && (typ.CanSeq() || typ.CanSeq2())
}

// modes returns the modes of the arguments.
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

// answer returns the terms of the arguments, from the results of the function or from an element of its sequence. ok is
// false if the function returned the bool false.
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
