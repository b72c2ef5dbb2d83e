package database

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the test of transactions, views and indexes against a naive model, which copies what a transaction
// may see when it begins and unifies term by term.

// frozen lays out a term breadth first, as the machine does for clauses. A variable is a reference to its first place.
func frozen(t term.Term) []code.Cell {
	cells, queue := []code.Cell{0}, []term.Term{t}
	places, vars := []int{0}, map[*term.Var]int{}
	for i := 0; i < len(queue); i++ {
		at := places[i]
		switch t := queue[i].(type) {
		case term.Atom:
			cells[at] = code.AtomCell(string(t))
		case term.Int:
			cells[at] = code.MakeInt(int64(t))
		case *term.Var:
			if _, ok := vars[t]; !ok {
				vars[t] = at
			}
			cells[at] = code.MakeRef(vars[t])
		case *term.Compound:
			if t.Functor == "." && len(t.Args) == 2 {
				cells[at] = code.MakeLst(len(cells))
			} else {
				cells[at] = code.MakeStr(len(cells))
				cells = append(cells, code.Functor(string(t.Functor), len(t.Args)))
			}
			for _, arg := range t.Args {
				places, queue = append(places, len(cells)), append(queue, arg)
				cells = append(cells, 0)
			}
		}
	}
	return cells
}

// clauseOf makes the clause of a fact.
func clauseOf(p *Pred, head term.Term) *Clause {
	cells := frozen(term.New(":-", head, term.True))
	own := cells[1:]
	relocate(own, own, -1)
	for i, c := range own {
		if c.Tag() == code.Ref {
			own[i] = code.MakeRef(c.Addr() - 1)
		}
	}
	return NewClauseAt(p, own, code.MakeStr(0), Source{})
}

// probeOf makes the probe of a call.
func probeOf(goal *term.Compound) *Probe {
	cells := frozen(goal)
	p := &Probe{}
	p.Set(cells, cells[2:2+len(goal.Args)])
	return p
}

// unifiable reports whether two terms that share no variables, and have each of theirs once, unify.
func unifiable(a, b term.Term) bool {
	_, aVar := a.(*term.Var)
	_, bVar := b.(*term.Var)
	if aVar || bVar {
		return true
	}
	x, xCompound := a.(*term.Compound)
	y, yCompound := b.(*term.Compound)
	if !xCompound || !yCompound {
		return a == b
	}
	return x.Functor == y.Functor && len(x.Args) == len(y.Args) && slices.EqualFunc(x.Args, y.Args, unifiable)
}

// model is what the database should hold.
type model struct {
	t         *testing.T
	rand      *rand.Rand
	program   *Program
	pred      *Pred
	clauses   []*modelClause // all that were ever added
	first     int            // order of the next clause in front
	last      int            // and at the end
	committed map[*modelClause]bool
	open      []*modelTx
	trace     []string
}

type modelClause struct {
	c     *Clause
	head  *term.Compound
	order int
}

// modelTx is a transaction with what it should see.
type modelTx struct {
	tx         *Tx
	visible    map[*modelClause]bool
	born, died map[*modelClause]bool
	views      []modelView
	saved      []modelSaved
}

// modelSaved is what a transaction saw, and had done, at a savepoint.
type modelSaved struct {
	name                Savepoint
	visible, born, died map[*modelClause]bool
	views               int
}

// modelView is a call that goes on: the clauses it has found and those it should see among them.
type modelView struct {
	view View
	goal *term.Compound
	list []*Clause
	want []*Clause
}

func newModel(t *testing.T, seed uint64) *model {
	p := New()
	return &model{
		t: t, rand: rand.New(rand.NewPCG(seed, 1)), program: p, pred: p.User().Lookup(code.Functor("p", 3)),
		committed: map[*modelClause]bool{},
	}
}

// value returns an argument: mostly one of few atoms and integers, sometimes a compound, a list or a variable.
// Compounds are flat: a probe compares no deeper.
func (d *model) value(vars int) term.Term {
	switch n := d.rand.IntN(20); {
	case n < vars:
		return term.NewVar("X")
	case n < 8:
		return term.Int(d.rand.IntN(40))
	case n < 15:
		return term.Atom(fmt.Sprintf("a%d", d.rand.IntN(12)))
	case n < 17:
		return term.New("f", d.part(), d.part())
	case n < 18:
		return term.New("g", d.part())
	default:
		return term.List(d.part())
	}
}

// part returns what stands in a compound.
func (d *model) part() term.Term {
	switch d.rand.IntN(8) {
	case 0:
		return term.NewVar("Y")
	case 1:
		return term.Int(d.rand.IntN(3))
	}
	return term.Atom(fmt.Sprintf("a%d", d.rand.IntN(5)))
}

func (d *model) head(vars int) *term.Compound {
	return term.New("p", d.value(vars), d.value(vars), d.value(vars)).(*term.Compound)
}

func (d *model) note(format string, args ...any) {
	d.trace = append(d.trace, fmt.Sprintf(format, args...))
}

// seen returns what a transaction should see now.
func (d *model) seen(x *modelTx) map[*modelClause]bool {
	if x.tx.Direct() {
		return d.committed
	}
	return x.visible
}

// expected returns the clauses that should match a goal, in their order.
func (d *model) expected(x *modelTx, goal term.Term) []*Clause {
	var found []*modelClause
	for c := range d.seen(x) {
		if unifiable(c.head, goal) {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b *modelClause) int { return a.order - b.order })
	list := make([]*Clause, len(found))
	for i, c := range found {
		list[i] = c.c
	}
	return list
}

// matching returns those of the clauses found for a goal that are visible and match.
func matching(x *modelTx, view View, goal *term.Compound, list []*Clause) []*Clause {
	found := []*Clause{}
	probe := probeOf(goal)
	for _, c := range list {
		if x.tx.Sees(c, view) && probe.Matches(c) {
			found = append(found, c)
		}
	}
	return found
}

func (d *model) begin(direct bool) {
	x := &modelTx{tx: d.program.Begin(direct), visible: map[*modelClause]bool{}, born: map[*modelClause]bool{},
		died: map[*modelClause]bool{}}
	for c := range d.committed {
		x.visible[c] = true
	}
	d.open = append(d.open, x)
	d.note("begin %p direct=%v", x, direct)
}

func (d *model) add(x *modelTx) {
	front := d.rand.IntN(4) == 0
	c := &modelClause{head: d.head(1)}
	c.c = clauseOf(d.pred, c.head)
	if front {
		d.first--
		c.order = d.first
	} else {
		d.last++
		c.order = d.last
	}
	d.note("%p adds %s front=%v", x, show(c.head), front)
	x.tx.Add(c.c, front)
	d.clauses = append(d.clauses, c)
	if x.tx.Direct() {
		d.committed[c] = true
		return
	}
	x.visible[c], x.born[c] = true, true
}

func (d *model) erase(x *modelTx) {
	if len(d.clauses) == 0 {
		return
	}
	c := d.clauses[d.rand.IntN(len(d.clauses))]
	seen := d.seen(x)
	want := seen[c]
	d.note("%p erases %s: %v", x, show(c.head), want)
	require.Equal(d.t, want, x.tx.Erase(c.c), d.history())
	delete(seen, c)
	if want && !x.tx.Direct() {
		x.died[c] = true
	}
}

// call begins a call and checks what it finds at once.
func (d *model) call(x *modelTx) {
	v := modelView{view: x.tx.Now(), goal: d.head(8)}
	var one *Clause
	if v.list, one = d.pred.candidates(probeOf(v.goal)); one != nil {
		v.list = []*Clause{one}
	}
	v.list = slices.Clip(v.list)
	v.want = d.expected(x, v.goal)
	x.views = append(x.views, v)
	d.check(x, v)
}

// check finds that a call still sees what it saw when it began.
func (d *model) check(x *modelTx, v modelView) {
	got := matching(x, v.view, v.goal, v.list)
	if !slices.Equal(got, v.want) {
		require.Fail(d.t, "wrong clauses", "%s\ngot  %s\nwant %s\n%s", show(v.goal), d.show(got), d.show(v.want), d.history())
	}
}

// end commits or rolls back.
func (d *model) end(i int) {
	x := d.open[i]
	for _, v := range x.views {
		d.check(x, v)
	}
	d.open = slices.Delete(d.open, i, i+1)
	if d.rand.IntN(3) == 0 {
		d.note("%p rolls back", x)
		x.tx.Rollback()
		return
	}
	conflict := false
	for c := range x.died {
		conflict = conflict || !d.committed[c] && !x.born[c]
	}
	d.note("%p commits, conflict=%v", x, conflict)
	err := x.tx.Commit()
	if conflict {
		require.ErrorIs(d.t, err, ErrConflict, d.history())
		return
	}
	require.NoError(d.t, err, d.history())
	for c := range x.born {
		d.committed[c] = true
	}
	for c := range x.died {
		delete(d.committed, c)
	}
}

// save makes a savepoint, or ends the newest one or the one before.
func (d *model) save(x *modelTx) {
	n := len(x.saved)
	if n < 3 && d.rand.IntN(2) == 0 {
		s := modelSaved{x.tx.Save(), maps.Clone(x.visible), maps.Clone(x.born), maps.Clone(x.died), len(x.views)}
		x.saved = append(x.saved, s)
		d.note("%p saves %d", x, s.name)
		return
	}
	if n == 0 {
		return
	}
	i := max(n-1-d.rand.IntN(2), 0)
	s := x.saved[i]
	x.saved = x.saved[:i]
	if d.rand.IntN(2) == 0 {
		d.note("%p releases %d", x, s.name)
		x.tx.Release(s.name)
		return
	}
	d.note("%p goes back to %d", x, s.name)
	x.tx.RollbackTo(s.name)
	x.visible, x.born, x.died, x.views = s.visible, s.born, s.died, x.views[:min(s.views, len(x.views))]
}

// show returns the heads of clauses.
func (d *model) show(list []*Clause) string {
	var b strings.Builder
	for _, c := range list {
		i := slices.IndexFunc(d.clauses, func(m *modelClause) bool { return m.c == c })
		b.WriteString(show(d.clauses[i].head) + " ")
	}
	return b.String()
}

func show(t term.Term) string { return syntax.Format(t, nil) }

func (d *model) history() string {
	return strings.Join(d.trace[max(0, len(d.trace)-40):], "\n")
}

// step does one thing.
func (d *model) step(grows bool) {
	if len(d.open) == 0 || len(d.open) < 4 && d.rand.IntN(30) == 0 {
		d.begin(d.rand.IntN(2) == 0)
	}
	i := d.rand.IntN(len(d.open))
	x := d.open[i]
	adds := 8
	if !grows {
		adds = 3
	}
	switch n := d.rand.IntN(20); {
	case n < adds:
		d.add(x)
	case n < 14:
		if d.erase(x); !x.tx.Direct() && d.rand.IntN(4) == 0 {
			d.save(x)
		}
	case n < 19 || d.rand.IntN(4) > 0:
		d.call(x)
		if len(x.views) > 8 && len(x.saved) == 0 {
			x.views = x.views[1:]
		}
		d.check(x, x.views[d.rand.IntN(len(x.views))])
	default:
		d.end(i)
	}
}

// A clause that a transaction has retracted does not come back into its view when another retracts it for everyone,
// which replaces the stamp by which the transaction knew.
func TestClaimedClauseStaysDead(t *testing.T) {
	p := New()
	pred := p.User().Lookup(code.Functor("p", 1))
	c := clauseOf(pred, term.New("p", term.Int(1)))
	direct := p.Begin(true)
	direct.Add(c, false)
	first, second := p.Begin(false), p.Begin(false)
	before := first.Now()
	require.True(t, first.Erase(c))
	require.True(t, second.Erase(c), "it lives until the first commits")
	require.False(t, first.Sees(c, first.Now()))
	require.False(t, second.Sees(c, second.Now()))
	require.True(t, direct.Erase(c))
	for _, tx := range []*Tx{first, second} {
		require.False(t, tx.Sees(c, tx.Now()), "the clause is back")
		require.False(t, tx.Erase(c))
		require.True(t, tx.Sees(c, before), "a call that began before goes on with it")
		require.ErrorIs(t, tx.Commit(), ErrConflict)
	}
	direct.Rollback()
}

func TestAgainstModel(t *testing.T) {
	rounds, steps := uint64(20), 1200
	if testing.Short() {
		rounds = 4
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			d := newModel(t, seed)
			for i := range steps {
				d.step(i%500 < 300)
			}
			for len(d.open) > 0 {
				d.end(0)
			}
			x := &modelTx{tx: d.program.Begin(false), visible: d.committed}
			got := matching(x, x.tx.Now(), d.head(20), d.pred.Clauses())
			require.Equal(t, d.expected(x, d.head(20)), append([]*Clause(nil), got...))
			x.tx.Rollback()
		})
	}
}
