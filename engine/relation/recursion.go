package relation

import (
	"context"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines recursions: questions about relations that rules define from tables.

// Recursion asks for the rows that follow from rules about the tables of one database. It is immutable.
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

// Rule says that the head holds if all literals of the body hold. Each variable of the rule occurs in the body.
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
	Value term.Term // nil: the operand is the variable
}

// Comparison is a condition of a rule.
type Comparison struct {
	// Op is = or <> for identical or different terms. If Integers is set, the operands have to be integers, other
	// values are an error, and Op may also be <, <=, > or >=.
	Op          string
	Integers    bool
	Left, Right Operand
}

// Deriver is implemented by Snapshots whose databases can compute rules.
type Deriver interface {
	// Derive returns the rows of the goal without duplicates. A row may have further values after those of the goal.
	Derive(ctx context.Context, r *Recursion) (rows *Rows, how Derived, err error)
	// Fetch returns all rows of a query of one table. ok is false if there are more than `most` rows, or too many for
	// the memory.
	Fetch(ctx context.Context, q *Query, most int) (rows *Rows, ok bool, err error)
}

// Derived is the outcome of putting a recursion to a database.
type Derived int

// The outcomes of a recursion.
const (
	Refused Derived = iota // the database does not compute the recursion exactly, or should not
	GivenUp                // too many rows, or not valid: the rules are applied to fetched rows
	Computed
)

// RecursionPlanner is implemented by Databases that can tell which recursions they compute.
type RecursionPlanner interface {
	// PlanRecursion returns the statement of a recursion. refused is the reason why there is no statement.
	PlanRecursion(ctx context.Context, r *Recursion) (statement, refused string, err error)
}
