package builtin

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/texts"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines the predicates that the clauses of tables in databases call.

var sqlTable = []machine.Builtin{
	{Name: "$sql", Arity: 2, Func: ofClauses("$sql", sqlRows), Nondet: true, Modes: "+query, ?row",
		Doc: "The row unifies with one of the rows of a query, which comes from facts/2."},
	{Name: "$sql_first", Arity: 3, Func: ofClauses("$sql_first", sqlFirst), Nondet: true, Modes: "+query, ?row, +vars",
		Doc: "As $sql/2. No more rows are looked at than the last argument of the row says, if it is an integer."},
	{Name: "$sql_total", Arity: 4, Func: ofClauses("$sql_total", sqlTotal), Modes: "+query, ?row, +vars, -total",
		Doc: "The total of a query, total(N) or nothing. Fails if the database cannot tell exactly what goals would."},
	{Name: "$sql_ahead", Arity: 3, Func: ofClauses("$sql", sqlAhead), Modes: "+query, ?row, +answers",
		Doc: "$sql/2 will be called with the rows of a list of answer(Vars, Row). Fails if these have too many rows."},
	{Name: "$sql_facts", Arity: 4, Func: sqlFacts, Modes: "+module, +indicators, ?vars, ?values",
		Doc: "Predicates have facts alone, which do not change when others are asked; values has none but ground " +
			"terms, vars in addition variables without attributes."},
	{Name: "$sql_library", Arity: 3, Func: sqlLibrary, Modes: "+module, +name, +arity",
		Doc: "A predicate as a module sees it is that of a library."},
}

// ofClauses restricts a predicate to the queries that the loader has put into clauses. A goal made at run time could
// name any table and any condition, but the program may only read its declared tables.
func ofClauses(name string, put machine.Func) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		text, err := texts.Atomic(m, a[0], "atom")
		if err != nil {
			return false, err
		}
		row := m.Deref(a[1])
		if !stacks.IsCompound(row) || !m.Program().Loader.Asks(name, text, m.Functor(row).FunctorArity()) {
			indicator := m.NewStruct("/", m.NewAtom(name), m.NewInt(int64(len(a))))
			return false, m.PermissionError("access", "private_procedure", indicator)
		}
		return put(m, a)
	}
}

// tableRows are the answers of a query. They come in batches: the first with the answer to the query, the others by
// fetch when the goal needs more.
type tableRows struct {
	rows *relation.Rows // the present batch
	at   int            // in rows, of the next one
	rest relation.Rest  // nil when no batch follows
	// own is set if the next batch may overwrite rows. The first batch may be shared with other runs.
	own   bool
	ahead rowAtoms
}

// rowAtoms are the atoms in some rows of a batch. Atoms are made for several rows together, which is faster than one by
// one. The number of rows doubles each time, so a goal that needs few answers makes few unused atoms.
type rowAtoms struct {
	begin, end int    // the rows
	count      int    // how many have been made at once
	width      int    // of a row
	values     []cell // width for each row: its atoms, and 0 for other values
	texts      []string
	places     []int // in values, of the texts
	made       []cell
}

// make makes the atoms of rows from begin.
func (r *rowAtoms) make(m *machine.Machine, rows *relation.Rows, begin int) {
	const least, most = 4, 256
	r.count = min(max(2*r.count, least), most)
	r.begin, r.end, r.width = begin, min(begin+r.count, rows.Len()), len(rows.Row(begin))
	r.values, r.texts, r.places = r.values[:0], r.texts[:0], r.places[:0]
	for i := r.begin; i < r.end; i++ {
		for _, v := range rows.Row(i) {
			if v.Kind == relation.Atom {
				r.texts, r.places = append(r.texts, rows.Text(v)), append(r.places, len(r.values))
			}
			r.values = append(r.values, 0)
		}
	}
	r.made = arrays.Room(r.made, len(r.texts))
	m.NewAtoms(r.texts, r.made)
	for i, place := range r.places {
		r.values[place] = r.made[i]
	}
}

// row returns the atoms in a row.
func (r *rowAtoms) row(i int) []cell { return r.values[(i-r.begin)*r.width:][:r.width] }

// held returns the atoms in the rows to come.
func (r *tableRows) held() []cell { return r.ahead.values[(r.at-r.ahead.begin)*r.ahead.width:] }

// sqlRows is $sql/2. Atomic arguments become conditions of the query. All rows are also unified with the arguments,
// because an answer may have rows that do not meet the conditions.
func sqlRows(m *machine.Machine, a []cell) (bool, error) {
	tables, text, err := queryArg(m, a[0])
	if err != nil {
		return false, err
	}
	return askRows(m, tables, text, a[1], givenValues(m, a[1]))
}

// askRows sends a query and begins to unify row with the resulting rows. The wait ends with the time of the run, and
// does not block other goroutines. Up to one row leaves no choice point.
func askRows(m *machine.Machine, tables relation.Snapshot, text string, row cell, given []term.Term) (bool, error) {
	var found tableRows
	var err error
	if found.rows, found.rest, err = answerOf(m, tables, text, given); err != nil {
		return false, err
	}
	if found.rest == nil && found.rows.Len() <= 1 {
		return found.rows.Len() == 1 && unifyRow(m, m.Deref(row), found.rows, 0, nil), nil
	}
	return m.Sequence(found.next, found.close, found.held)
}

// answerOf sends a query, unless its rows are already there.
func answerOf(
	m *machine.Machine, tables relation.Snapshot, text string, given []term.Term,
) (rows *relation.Rows, rest relation.Rest, err error) {
	if k, ok := tables.(relation.Keeper); ok {
		if rows, ok := k.Kept(text, given); ok {
			return rows, nil, nil
		}
	}
	err = m.Await(func(ctx context.Context) (err error) {
		rows, rest, err = tables.Ask(ctx, text, given)
		return err
	})
	if err != nil {
		return nil, nil, tableError(m, err)
	}
	return rows, rest, nil
}

// givenValues returns as terms those arguments of a row that are values. The others are nil.
func givenValues(m *machine.Machine, row cell) []term.Term {
	row = m.Deref(row)
	given := make([]term.Term, m.Functor(row).FunctorArity())
	for i := range given {
		if arg := m.Deref(m.Arg(row, i)); isValueCell(m, arg) {
			given[i] = m.Export(arg)
		}
	}
	return given
}

// isValueCell reports whether a dereferenced cell is atomic, or a date or the like.
func isValueCell(m *machine.Machine, c cell) bool {
	if !stacks.IsCompound(c) || c.Tag() == code.Lst {
		return isAtomicCell(c)
	}
	return slices.Contains(values.Names, stacks.AtomText(m.Functor(c).FunctorName())) && allArgs(m, c, isAtomicCell)
}

// isAtomicCell reports whether a dereferenced cell is an atom, a number or a string. Blobs are strings and numbers that
// do not fit in a cell.
func isAtomicCell(c cell) bool {
	return c.Tag() == code.Atom || c.Tag() == code.Int || c.Tag() == code.Blob
}

// areApart reports whether the arguments of a term are values or different variables without attributes. The statement
// knows from the clause which columns are equal. The run may also have bound two variables to each other, or a variable
// to a compound, which the statement does not express.
func areApart(m *machine.Machine, vars cell) bool {
	vars = m.Deref(vars)
	if !stacks.IsCompound(vars) {
		return true // no variables at all
	}
	seen := map[cell]bool{}
	for i := range m.Functor(vars).FunctorArity() {
		arg := m.Deref(m.Arg(vars, i))
		if isValueCell(m, arg) {
			continue
		}
		if arg.Tag() != code.Ref || seen[arg] {
			return false
		}
		seen[arg] = true
	}
	return true
}

// sqlFirst is $sql_first/3. The last argument of the row is the number of rows for limit/2. The database may apply the
// limit only if each of its rows is an answer. If the arguments are not apart some rows may be none, so the database
// gets no limit.
func sqlFirst(m *machine.Machine, a []cell) (bool, error) {
	tables, text, err := queryArg(m, a[0])
	if err != nil {
		return false, err
	}
	given := givenValues(m, a[1])
	if !areApart(m, a[2]) {
		given[len(given)-1] = nil
	}
	return askRows(m, tables, text, a[1], given)
}

// sqlAhead is $sql_ahead/3.
func sqlAhead(m *machine.Machine, a []cell) (bool, error) {
	tables, text, err := queryArg(m, a[0])
	if err != nil {
		return false, err
	}
	var given [][]term.Term
	for list := m.Deref(a[2]); stacks.IsCompound(list); list = m.Deref(m.Arg(list, 1)) {
		answer := m.Deref(m.Arg(list, 0))
		given = append(given, givenValues(m, m.Arg(answer, 1)))
	}
	ok := false
	err = m.Await(func(ctx context.Context) (err error) {
		ok, err = tables.Ahead(ctx, text, given)
		return err
	})
	if err != nil {
		return false, tableError(m, err)
	}
	return ok, m.Charge(len(given))
}

// sqlFacts is $sql_facts/4. It checks at run time that goals may be called ahead of time: they terminate and have no
// effects. The first goal may call a dynamic predicate, as it sees the facts of its call, whereas the facts of the
// others may change. The result is none if the first goal is of another kind.
func sqlFacts(m *machine.Machine, a []cell) (bool, error) {
	home, err := texts.Atomic(m, a[0], "atom")
	if err != nil {
		return false, err
	}
	mod := m.Program().FindModule(home)
	isVar := func(c cell) bool { return c.Tag() == code.Ref }
	if mod == nil || !allArgs(m, a[2], func(c cell) bool { return isVar(c) || m.IsGround(c) }) ||
		!allArgs(m, a[3], m.IsGround) {
		return false, nil
	}
	for list, first := m.Deref(a[1]), true; stacks.IsCompound(list); list, first = m.Deref(m.Arg(list, 1)), false {
		indicator := m.Deref(m.Arg(list, 0))
		if !stacks.IsCompound(indicator) {
			continue
		}
		name, arity := m.Deref(m.Arg(indicator, 0)), m.Deref(m.Arg(indicator, 1))
		p := mod.Resolve(code.Functor(stacks.AtomText(name), int(arity.Int())))
		switch {
		case p == nil || p.Builtin >= 0 || !p.Defined() || p.Module.Library:
			return false, nil
		case p.Has(database.Ruled | database.Tabled | database.ThreadLocal | database.Control):
			return false, nil
		case p.Has(database.Dynamic) && !first:
			return false, nil
		}
	}
	return true, nil
}

// allArgs reports whether a predicate holds for all dereferenced arguments of a term.
func allArgs(m *machine.Machine, c cell, holds func(cell) bool) bool {
	c = m.Deref(c)
	if !stacks.IsCompound(c) {
		return true // there are none
	}
	for i := range m.Functor(c).FunctorArity() {
		if !holds(m.Deref(m.Arg(c, i))) {
			return false
		}
	}
	return true
}

// sqlTotal is $sql_total/4. It fails if the database cannot give the exact total of the goals; the clause made by the
// loader then calls them one by one.
func sqlTotal(m *machine.Machine, a []cell) (bool, error) {
	tables, text, err := queryArg(m, a[0])
	if err != nil {
		return false, err
	}
	if !areApart(m, a[2]) {
		return false, nil
	}
	rows, _, err := answerOf(m, tables, text, givenValues(m, a[1]))
	switch {
	case err != nil:
		return false, err
	case rows.Len() == 0:
		return false, nil
	case rows.Row(0)[0].Kind == relation.None:
		return m.Unify(a[3], m.NewAtom("nothing")), nil
	}
	return m.Unify(a[3], m.NewStruct("total", valueCell(m, rows, rows.Row(0)[0]))), nil
}

// sqlLibrary is $sql_library/3. A clause that leaves order_by/2, limit/2, aggregate_all/3, member/2 or memberchk/2 to a
// database checks by it at run time that the name still means the library's predicate. A predicate that is not loaded
// yet counts as the library's.
func sqlLibrary(m *machine.Machine, a []cell) (bool, error) {
	home, err := texts.Atomic(m, a[0], "atom")
	if err != nil {
		return false, err
	}
	name, err := texts.Atomic(m, a[1], "atom")
	if err != nil {
		return false, err
	}
	const most = 8 // arguments of the predicates to check
	arity := m.Deref(a[2])
	mod := m.Program().FindModule(home)
	if mod == nil || arity.Tag() != code.Int || arity.Int() < 0 || arity.Int() > most {
		return false, nil
	}
	p := mod.Resolve(code.Functor(name, int(arity.Int())))
	return p == nil || p.Module.Library, nil
}

// queryArg returns the snapshot that the run has of the databases, and the text of a query. The first query of a run
// begins the snapshot, which lasts until the end of the run and gets the run's time limit. Without databases a text
// that is no query is the domain error query. Any other text is the existence error of its database.
func queryArg(m *machine.Machine, c cell) (relation.Snapshot, string, error) {
	text, err := texts.Atomic(m, c, "atom")
	if err != nil {
		return nil, "", err
	}
	x := ioOf(m)
	if x.restricted {
		formal := m.NewStruct("permission_error", m.NewAtom("access"), m.NewAtom("database"), m.Deref(c))
		return nil, "", m.ErrorMessage(formal, "restricted rules ask no databases")
	}
	if x.opts.Databases == nil {
		q, err := relation.Parse(text)
		if err != nil {
			return nil, "", m.DomainError("query", m.NewAtom(text))
		}
		return nil, "", m.ExistenceError("database", m.NewAtom(q.Database))
	}
	return x.snapshot(m), text, nil
}

// snapshot returns the run's snapshot of the databases.
func (x *IO) snapshot(m *machine.Machine) relation.Snapshot {
	if x.tables == nil {
		left, _ := m.TimeLeft()
		x.tables = x.opts.Databases.Begin(left)
	}
	holdTables(m, x.tables)
	return x.tables
}

var _ machine.Deriver = (*IO)(nil)

// Derive implements machine.Deriver.
func (x *IO) Derive(m *machine.Machine, r *relation.Recursion) (rows *relation.Rows, how relation.Derived, err error) {
	err = x.derives(m, func(ctx context.Context, d relation.Deriver) (err error) {
		rows, how, err = d.Derive(ctx, r)
		return err
	})
	return rows, how, err
}

// Fetch implements machine.Deriver.
func (x *IO) Fetch(m *machine.Machine, q *relation.Query, most int) (rows *relation.Rows, ok bool, err error) {
	err = x.derives(m, func(ctx context.Context, d relation.Deriver) (err error) {
		rows, ok, err = d.Fetch(ctx, q, most)
		return err
	})
	return rows, ok && err == nil, err
}

// derives calls a function with the run's snapshot of the databases, if the run may query them and they compute
// recursions.
func (x *IO) derives(m *machine.Machine, f func(ctx context.Context, d relation.Deriver) error) error {
	if m.Restricted() || x.opts.Databases == nil {
		return nil
	}
	d, ok := x.snapshot(m).(relation.Deriver)
	if !ok {
		return nil
	}
	if err := m.Await(func(ctx context.Context) error { return f(ctx, d) }); err != nil {
		return tableError(m, err)
	}
	return nil
}

// holdTables charges the rows of a snapshot to the memory of the run. The rows of one query take at most half of the
// remaining memory.
func holdTables(m *machine.Machine, tables relation.Snapshot) {
	holder, ok := tables.(relation.Holder)
	if !ok {
		return
	}
	holder.HoldBy(func(bytes, all int) bool {
		if bytes <= 0 {
			return m.Hold(bytes) == nil
		}
		return m.Hold(bytes+all) == nil && m.Hold(-all) == nil
	})
}

// unifyRow unifies the arguments of row with the values of row number at, whose atoms are in made, or nil if they have
// not been made yet. It skips values of the kind None: they were given with the query, or belong to a column that the
// clause does not use.
func unifyRow(m *machine.Machine, row cell, rows *relation.Rows, at int, made []cell) bool {
	for i, v := range rows.Row(at) {
		var value cell
		switch {
		case v.Kind == relation.None:
			continue
		case v.Kind == relation.Atom && made != nil:
			value = made[i]
		default:
			value = valueCell(m, rows, v)
		}
		if !m.Unify(m.Arg(row, i), value) {
			return false
		}
	}
	return true
}

// valueCell returns a value as a term on the heap. A value of any other kind is a term held by the batch.
func valueCell(m *machine.Machine, rows *relation.Rows, v relation.Value) cell {
	switch v.Kind {
	case relation.Int:
		return m.NewInt(v.Int())
	case relation.Float:
		return m.NewFloat(v.Float())
	case relation.Atom:
		return m.NewAtom(rows.Text(v))
	case relation.String:
		return m.NewString(rows.Text(v))
	}
	return m.ImportWith(rows.Term(v), nil)
}

// next unifies row with the next row, and fetches another batch when the current one is exhausted. It is a
// machine.Next: more is false when no row can follow, which saves the choice point. A batch may be empty although
// others follow.
func (r *tableRows) next(m *machine.Machine, a []cell) (ok, more bool, err error) {
	if r.at == r.rows.Len() {
		if r.rest == nil {
			return false, false, nil
		}
		if err := r.fetch(m); err != nil {
			return false, false, err
		}
		if err := m.Charge(r.rows.Len()); err != nil || r.rows.Len() == 0 {
			return false, r.rest != nil, err
		}
	}
	if r.at == r.ahead.end {
		r.ahead.make(m, r.rows, r.at)
	}
	r.at++
	ok = unifyRow(m, m.Deref(a[1]), r.rows, r.at-1, r.ahead.row(r.at-1))
	return ok, r.at < r.rows.Len() || r.rest != nil, nil
}

// fetch replaces the present batch by the next one. The first batch stays unchanged. The second gets its own rows,
// which later batches overwrite. The atoms made ahead belong to the old batch, so they are dropped.
func (r *tableRows) fetch(m *machine.Machine) error {
	if !r.own {
		r.rows, r.own = &relation.Rows{}, true
	}
	r.at, r.ahead.begin, r.ahead.end, r.ahead.values = 0, 0, 0, r.ahead.values[:0]
	err := m.Await(func(ctx context.Context) error {
		more, err := r.rest.Fetch(ctx, r.rows)
		if !more {
			r.rest = nil
		}
		return err
	})
	if err != nil {
		return tableError(m, err)
	}
	return nil
}

// close gives up the rows that were not fetched. The machine calls it once, perhaps after the last batch.
func (r *tableRows) close() {
	if r.rest != nil {
		r.rest.Close()
		r.rest = nil
	}
}

// tableError converts the error of a database to the exception sql_error(Database, Code), with the code of the
// database, such as an SQLSTATE. Errors of the machine stay unchanged.
func tableError(m *machine.Machine, err error) error {
	var wrong *relation.Error
	switch {
	case !errors.As(err, &wrong):
		return err // of the machine
	case wrong.Code == relation.Unknown:
		return m.ExistenceError("database", m.NewAtom(wrong.Database))
	case wrong.Code == relation.Stopped:
		// The database has ended the query at the time limit by its own clock, which may be slightly ahead. The run
		// waits for its own limit, so that the error is that of the limit.
		if left, ok := m.TimeLeft(); ok && left < time.Second {
			if err := m.Pause(max(left, 0)+time.Millisecond, false); err != nil {
				return err
			}
		}
	}
	return m.ErrorMessage(m.NewStruct("sql_error", m.NewAtom(wrong.Database), m.NewAtom(wrong.Code)), wrong.Message)
}
