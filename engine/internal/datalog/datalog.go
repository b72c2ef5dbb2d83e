// Package datalog computes what follows from rules without compound terms, bottom up: semi-naively, over rows of small
// numbers. A question with constants derives only what it needs (magic sets: Bancilhon, Maier, Sagiv and Ullman 1986).
// If a recursion passes its unknown arguments on unchanged, only the constants that it reaches are computed (Naughton,
// Ramakrishnan, Sagiv and Ullman, "Argument Reduction by Factoring", 1989).
package datalog

// Term is an argument: a variable of the rule, from 0, or a constant as Const makes it.
type Term int64

// Const returns the term for a constant.
func Const(id uint32) Term { return -1 - Term(id) }

func (t Term) isVar() bool { return t >= 0 }
func (t Term) id() uint32  { return uint32(-1 - t) }

// Atom is a relation with arguments.
type Atom struct {
	Rel  int
	Args []Term
}

// Rule says that the head holds where all of the body holds. Each variable of the head occurs in the body.
type Rule struct {
	Head Atom
	Body []Atom
	// Tests are about variables of the body.
	Tests []Test
	Vars  int
}

// Test is a condition on two arguments.
type Test struct {
	Left, Right Term
	Holds       func(left, right uint32) bool
}

// Program is rules, with the relations that they are about. Those that no rule has in its head are given.
type Program struct {
	Arities []int
	Rules   []Rule
	Given   []*Relation // nil for those that rules define
}

// Account is asked now and then whether to go on.
type Account struct {
	// Work is told of so many steps, about as long as a call of a predicate each.
	Work func(n int) error
	// Hold is told of so many more bytes.
	Hold func(n int) error
}

// Solve returns the rows of a relation that have the given constants in the places where known is true. domain is the
// number of constants. The rows of the result have the places that are not known.
func Solve(p *Program, domain int, goal int, known []bool, values []uint32, acc Account) (*Relation, error) {
	m := &magic{p: p, made: map[string]int{}, domain: domain}
	m.rels = append(m.rels, p.Given...)
	m.goal(goal, known, values)
	e := &evaluation{rules: m.rules, rels: m.rels, acc: acc}
	if err := e.run(); err != nil {
		return nil, err
	}
	return e.rels[m.result], nil
}
