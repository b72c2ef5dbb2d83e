package relation

import (
	"context"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what programs ask of rules about tables.

// Recursion asks for what follows from rules about the tables of one database. It is immutable.
type Recursion struct {
	Relations []Related
	Rules     []Rule
	// Goal is the relation whose rows are wanted.
	Goal int
}

// Related is a relation of a recursion.
type Related struct {
	Arity int
	// Table has a column for each argument. It is nil if rules define the relation.
	Table *Query
}

// Rule says that the head holds where all of the body does. Each variable stands in the body.
type Rule struct {
	Head        Literal
	Body        []Literal
	Comparisons []Comparison
}

// Literal is a relation with arguments.
type Literal struct {
	Relation int
	Args     []Operand
}

// Operand is a variable of a rule, or a value: an atom or an integer.
type Operand struct {
	Var   int
	Value term.Term // nil: it is the variable
}

// Comparison is a condition of a rule.
type Comparison struct {
	// Op is = or <> for terms that are the same or not. If Integers is set, the operands are numbers, anything else is an
	// error, and it may be <, <=, > or >= too.
	Op          string
	Integers    bool
	Left, Right Operand
}

// Deriver is what a Snapshot may be, too: it has rules computed by a database.
type Deriver interface {
	// Derive returns the rows of the goal, each once, whose values may have others behind them.
	Derive(ctx context.Context, r *Recursion) (rows *Rows, how Derived, err error)
	// Fetch returns all rows of a query of one table. ok is false if there are more than most, or more than had better
	// be in memory.
	Fetch(ctx context.Context, q *Query, most int) (rows *Rows, ok bool, err error)
}

// Derived says whether a database has computed a recursion.
type Derived int

// The results of a recursion that is put to a database.
const (
	Refused Derived = iota // the database does not compute it exactly, or it had better not
	GivenUp                // it had too many rows, or they do not count: the rules are better applied to all rows here
	Computed
)

// RecursionPlanner is what Databases may be, too: it says which recursions a database computes.
type RecursionPlanner interface {
	// PlanRecursion returns the statement of a recursion. refused says why there is none.
	PlanRecursion(ctx context.Context, r *Recursion) (statement, refused string, err error)
}
