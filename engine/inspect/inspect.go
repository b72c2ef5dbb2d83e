// Package inspect describes programs for tools such as editors: what they define and declare, what runs have covered,
// and where the time went.
package inspect

import (
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/passes"
	"github.com/mcplogic/mcplogic/engine/internal/profile"
	"github.com/mcplogic/mcplogic/engine/internal/pushdown"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// Module is a module of a program.
type Module struct {
	Name string
	// File is the file whose header defines the module; "" for user.
	File string
}

// Predicate describes a predicate of a module.
type Predicate struct {
	Module, Name string
	Arity        int
	Dynamic      bool
	// BuiltIn is true for predicates of the engine and its library.
	BuiltIn bool
	// Explained is what explain/2 says about it: "hidden", "opaque", "key", or "" for nothing.
	Explained string
	// Position is the position of the first clause, without the column. File is "" if the clause is not from a file.
	source.Position
	// Clauses are the clauses at the time of the call. They are nil unless [engine.Options.Scattered] names the predicate,
	// because other predicates may have very many.
	Clauses []Clause
}

// String is the position, if known, and the indicator with its module.
func (p Predicate) String() string {
	name := term.New(":", term.Atom(p.Module), term.New("/", term.Atom(p.Name), term.Int(p.Arity)))
	return p.Before(syntax.FormatTerm(name))
}

// Clause describes a clause.
type Clause struct {
	// Position is the position of the clause, without the column.
	source.Position
	// Fact is true for a clause without a body.
	Fact bool
	// Layout has the places of the parts of the clause. It may be nil.
	Layout *source.Layout
}

// String is the position, if known, and whether the clause is a fact or a rule.
func (c Clause) String() string {
	if c.Fact {
		return c.Before("a fact")
	}
	return c.Before("a rule")
}

// DataFile describes the facts that a data file gave, by a directive facts/2 or facts/3: the [source.Position] of the
// directive, the Name of the file, the Module and Predicate (name/arity), the number of Rows, the Types of the
// arguments and the names of the Columns, nil if they have none. Guessed says that a type was guessed.
type DataFile = load.DataFile

type (
	// DecisionTable describes a decision table as texts.
	DecisionTable = tables.Description
	// DecisionColumn is a column of a decision table.
	DecisionColumn = tables.DescribedColumn
	// DecisionRow is a row of a decision table.
	DecisionRow = tables.DescribedRow
)

// Pushdown describes goals of a clause that may be left to a database: the Goals, their place At, and the SQL Statement
// for them. If the goals are asked one by one, Statement is "" and Refused is the reason.
type Pushdown = pushdown.Report

// PushdownWay says how a goal is asked.
type PushdownWay = pushdown.Way

// Recursion describes a call of a tabled predicate that a database may compute. In Goal, the atom given stands for a
// known value. At is the place of the predicate's first clause. Asked has the queries for an integer value and for an
// atom.
type Recursion = load.Recursion

type (
	// Documented describes a predicate of the system or of a library: its Name and Arity, its arguments in Modes, as in
	// "+List, -Length", and its Text, one sentence. A Nonterminal name//N has the Arity N+2.
	Documented = base.Documented
	// DocumentedChapter is a group of documented predicates: its Title, such as library(lists), and its Predicates.
	DocumentedChapter = base.DocumentedChapter
)

// PointKind is the kind of a [CoveragePoint].
type PointKind = passes.PointKind

// The kinds of points: a clause was entered, was left by success, or a branch within it was entered.
const (
	PointEntered = passes.PointEntered
	PointLeft    = passes.PointLeft
	PointBranch  = passes.PointBranch
)

// CoveragePoint is a counted place in a clause: its Kind, its [source.Position], the indicator of its Predicate, and
// the Label of its rule or "".
type CoveragePoint = load.Point

// Coverage counts how often clauses are entered and left, and branches of disjunctions and conditionals entered. The
// zero value is ready to be used in [engine.Options.Coverage] of one program. Clauses of dynamic predicates and of
// tests are not counted. Any number of goroutines may run the program meanwhile.
type Coverage struct {
	mu     sync.Mutex
	points []CoveragePoint
	counts []int64
	paused atomic.Bool
}

// maxPoints bounds the points of a program. Later clauses are not counted.
const maxPoints = 1 << 19

// Pause stops or resumes the counting. It is used while a tool inspects the program.
func (c *Coverage) Pause(pause bool) { c.paused.Store(pause) }

// Each calls f for each point with its count, in the order of loading.
func (c *Coverage) Each(f func(p CoveragePoint, count int64)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, p := range c.points {
		f(p, c.counts[i])
	}
}

// Add makes a point and returns its number, -1 if there are too many.
func (c *Coverage) Add(p CoveragePoint) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.points) == maxPoints {
		return -1
	}
	c.points, c.counts = append(c.points, p), append(c.counts, 0)
	return len(c.points) - 1
}

// Count counts a point.
func (c *Coverage) Count(point int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if point >= 0 && point < len(c.counts) && !c.paused.Load() {
		c.counts[point]++
	}
}

// Profile says where runs spend their time, by predicate and by line. A run adds about a thousand samples a second to
// the profile in its [engine.RunOptions]. Several runs may share a profile. Total is the total time. Predicates and
// Lines return the times of predicates and lines, the longest first. WriteText writes both as text, WritePprof writes a
// file for go tool pprof.
type Profile = profile.Profile

// ProfileEntry is the time of the predicate or line Name: Self without the goals that it called, Total with them.
type ProfileEntry = profile.Entry

// ProfileFrame is an active predicate and its current line.
type ProfileFrame = profile.Frame

// Accepted is what is known of an argument's values with which calls can succeed.
type Accepted struct {
	// Values are the first atoms, strings, dates and the like of the facts in which the rules look up the argument.
	// More says that there are further values. Changing says that runs may change the values.
	Values         []term.Term
	More, Changing bool
	// Closed says that calls with any other value fail.
	Closed bool
	// Low and High are the bounds of the argument if it is a number, or nil.
	Low, High term.Term
}

// Documentation returns the predicates of the system and its libraries, by chapter. The result must not be changed.
func Documentation() []DocumentedChapter { return base.Documentation() }

// Meta says which arguments of a predicate of the system or a library are goals: a character for each argument, as
// meta_predicate/1 has them. It returns "" if no argument is a goal or the predicate does not exist.
func Meta(name string, arity int) string {
	if meta := lib.Meta(name, arity); meta != "" {
		return meta
	}
	if pred := plain().DB().System().Find(code.Functor(name, arity)); pred != nil {
		return pred.Meta()
	}
	return ""
}

// plain is a program without clauses of its own.
var plain = sync.OnceValue(base.New)

// Libraries returns the names of the libraries, sorted.
func Libraries() []string { return lib.Names() }

// FormatText writes a term as write/1 does, for people. A text of more than 16 MiB is cut.
func FormatText(t term.Term) string { return syntax.FormatText(t) }

// ShowTerm writes a term as writeq/1 does, for messages: a text of more than 2,000 bytes is cut and ends in dots.
func ShowTerm(t term.Term) string { return syntax.ShowTerm(t) }
