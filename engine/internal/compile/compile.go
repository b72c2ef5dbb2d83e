// Package compile turns clauses into code of the machine, and predicates into the code that
// selects among their clauses.
//
// A clause passes through these stages, one file each. body.go and expand.go read its body into a tree of goals.
// analyse.go numbers the goals, decides which tests run inline and which variables outlive a call. slots.go gives
// permanent variables a place in the environment. Code is then emitted in one pass over the tree: head.go matches
// arguments and terms, build.go makes terms, args.go loads the arguments of calls, arith.go evaluates, control.go
// branches; regs.go tracks the contents of the registers and emit.go collects the instructions. link.go makes the
// entries of predicates.
//
// A clause too large for the registers is compiled a second time in frugal mode, with all variables in the environment
// and nested terms as templates.
package compile

import (
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// Options supply information from outside of the compiler.
type Options struct {
	// Nondet reports whether the built-in of this number may leave a choice point. nil means that none does.
	Nondet func(builtin int) bool
	// Arith returns the number of an arithmetic function, for OpArith and OpArith1. ok is false if there is none. For
	// arity 0 only ok counts. If nil, there are no functions.
	Arith func(name string, arity int) (fn int, ok bool)
}

// Compiler compiles the clauses of one program. It may be used by several goroutines.
type Compiler struct {
	program *database.Program
	options Options
	linking sync.Mutex   // held while entries of predicates change
	mu      sync.Mutex   // held while a clause gets its code
	emitter emitter      // of that clause; it is too large to make one for each
	words   []code.Instr // of the object being placed
	// dependents are the clauses that Refresh may recompile; mu guards them.
	dependents []dependent
}

// New returns a compiler for a program.
func New(p *database.Program, o Options) *Compiler {
	if o.Nondet == nil {
		o.Nondet = func(int) bool { return false }
	}
	if o.Arith == nil {
		o.Arith = func(string, int) (int, bool) { return 0, false }
	}
	return &Compiler{program: p, options: o}
}

// Error says why a clause cannot be compiled.
type Error struct {
	Msg string
}

// Error returns the message, without a place, as the caller knows the clause.
func (e *Error) Error() string { return e.Msg }

// The limits of a clause. Operands are bytes for arguments and 16 bits for slots; goals are
// read and emitted by recursion, so their nesting is bounded.
const (
	maxArity   = 255
	maxSlots   = 65_000
	maxNesting = 2_000
)

// Compile compiles the clause, unless it has code. The code may be entered without a value in the else register.
func (c *Compiler) Compile(cl *database.Clause) error { return c.compile(cl, nil, false, nil) }

// CompileLines compiles a clause of a static predicate, unless it has code. It skips facts, which are compiled when
// their predicate is linked, if at all. goalLines holds the source line of each goal of the body, from left to right.
// The arguments of `,` `;` `|` `->` `*->` and `\+` are goals, and everything else is one goal. goalLines may be nil or
// too short.
func (c *Compiler) CompileLines(cl *database.Clause, goalLines []int32) error {
	if cl.IsFact() && !cl.SSU {
		return nil
	}
	return c.compile(cl, goalLines, true, nil)
}

// CompileObject is CompileLines for a clause that is no fact. It returns the compiled object, which another program can
// reuse.
func (c *Compiler) CompileObject(cl *database.Clause, goalLines []int32) (o *Object, err error) {
	err = c.compile(cl, goalLines, true, func(e *emitter) { o = e.object() })
	return o, err
}

// CompileAs gives a clause the code of another, which has the same head and need not be in the program. goalLines are
// the lines of the goals of the other clause.
func (c *Compiler) CompileAs(cl, like *database.Clause, goalLines []int32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &c.emitter
	defer func() { *e = emitter{} }()
	*e = emitter{compiler: c, source: like, goalLines: goalLines, guards: true, replaced: true}
	if err := e.compile(); err != nil {
		return err
	}
	e.source = cl
	e.publish()
	c.noteDependent(cl, like, goalLines, e.views)
	return nil
}

// compile compiles the clause and passes the result to keep, unless that is nil.
func (c *Compiler) compile(cl *database.Clause, goalLines []int32, guards bool, keep func(*emitter)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cl.Addr() != 0 {
		return nil
	}
	e := &c.emitter
	defer func() { *e = emitter{} }()
	*e = emitter{compiler: c, source: cl, goalLines: goalLines, guards: guards}
	if err := e.compile(); err != nil {
		return err
	}
	e.publish()
	if guards {
		c.noteDependent(cl, cl, goalLines, e.views)
	}
	if keep != nil {
		keep(e)
	}
	return nil
}

// compile runs all stages, and again in frugal mode if registers run out.
func (e *emitter) compile() error {
	for _, frugal := range []bool{false, true} {
		e.reset(frugal)
		if err := e.read(); err != nil {
			return err
		}
		e.analyse()
		e.placeSlots()
		if e.nslots > maxSlots {
			return &Error{Msg: "clause has too many variables"}
		}
		e.clause()
		if !e.overflow {
			return nil
		}
	}
	return &Error{Msg: "clause is too large"}
}

// publish stores the code in the program. The clause gets its address last, as a reader of the address may enter the
// code.
func (e *emitter) publish() {
	at := e.compiler.program.PlaceCode(len(e.code), func(at uint32) []code.Instr {
		e.relocate(at)
		return e.code
	})
	e.source.SetGuarded(e.guarded)
	e.source.SetCode(at, len(e.code), e.lines)
}
