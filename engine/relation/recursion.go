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
	// Derive returns the rows of the goal, each once, whose values may have others behind them. ok is false if the rules
	// are to be applied to the rows of the tables instead: the database does not do that exactly, or it had better not.
	Derive(ctx context.Context, r *Recursion) (rows *Rows, ok bool, err error)
}

// RecursionPlanner is what Databases may be, too: it says which recursions a database computes.
type RecursionPlanner interface {
	// PlanRecursion returns the statement of a recursion. refused says why there is none.
	PlanRecursion(ctx context.Context, r *Recursion) (statement, refused string, err error)
}
