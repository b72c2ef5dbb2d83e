package builtin

import (
	"maps"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines references to clauses, terms '$clause'(N), and the predicates that take them. They come from
// SWI-Prolog and not from the standard.

var clauseReferenceTable = []machine.Builtin{
	{Name: "clause", Arity: 3, Func: clauseByReference, Nondet: true, Meta: ":?-", Modes: "?head, ?body, ?reference",
		Doc: "Head :- Body is the clause with this reference."},
	{Name: "assertz", Arity: 2, Func: addReferred(false), Meta: ":-", Modes: "+clause, -reference",
		Doc: "Adds clause behind the other clauses of its predicate and returns its reference."},
	{Name: "asserta", Arity: 2, Func: addReferred(true), Meta: ":-", Modes: "+clause, -reference",
		Doc: "Adds clause before the other clauses of its predicate and returns its reference."},
	{Name: "assert", Arity: 2, Func: addReferred(false), Meta: ":-", Modes: "+clause, -reference",
		Doc: "Adds clause behind the other clauses of its predicate, as assertz/2."},
	{Name: "nth_clause", Arity: 3, Func: nthClause, Nondet: true, Meta: ":?-", Modes: "?head, ?n, ?reference",
		Doc: "Reference is that of the n-th clause, from 1, of the predicate."},
	{Name: "$erase_clause", Arity: 1, Func: partOf("erase", 1, eraseReferred), Modes: "+reference",
		Doc: "Removes a clause."},
	{Name: "$clause_instance", Arity: 2, Func: partOf("instance", 2, clauseInstance), Modes: "+reference, -clause",
		Doc: "Clause is a copy of what a reference stands for."},
	{Name: "$clause_info", Arity: 2, Func: clauseInfo, Modes: "+reference, -list",
		Doc: "Lists the properties of a clause."},
	{Name: "$clause_text", Arity: 2, Func: clauseText, Modes: "+reference, -text",
		Doc: "Text is what stands in the file where a clause was loaded from. It fails where nothing does."},
	{Name: "transaction_updates", Arity: 1, Func: transactionUpdates, Modes: "-list",
		Doc: "Lists the changes of the transaction around the call: assertz(R), asserta(R) and erased(R) of references."},
}

// references numbers the clauses for which goals have requested references, for all programs of the process. Its
// pointers are weak. When Go's collector frees a clause, a cleanup removes its number. Numbers are never used again, so
// a reference to a clause that is gone never finds another clause.
var references = struct {
	mu      sync.Mutex
	last    int64
	most    int // clauses since the maps were made
	numbers map[weak.Pointer[database.Clause]]int64
	clauses map[int64]weak.Pointer[database.Clause]
}{numbers: map[weak.Pointer[database.Clause]]int64{}, clauses: map[int64]weak.Pointer[database.Clause]{}}

// referenceNumber returns the number of a clause. A clause gets its number at the first request, as most clauses are
// never referenced.
func referenceNumber(c *database.Clause) int64 {
	w := weak.Make(c)
	references.mu.Lock()
	defer references.mu.Unlock()
	n, known := references.numbers[w]
	if !known {
		references.last++
		n = references.last
		references.numbers[w], references.clauses[n] = n, w
		references.most = max(references.most, len(references.clauses))
		runtime.AddCleanup(c, forgetReference, n)
	}
	return n
}

// forgetReference is the cleanup of the clause with number n. Go runs it in a goroutine of its own, hence the lock.
func forgetReference(n int64) {
	references.mu.Lock()
	defer references.mu.Unlock()
	delete(references.numbers, references.clauses[n])
	delete(references.clauses, n)
	const worthwhile = 1 << 12 // maps never shrink, so they are copied when most of their entries are gone
	if left := len(references.clauses); references.most > worthwhile && left < references.most/4 {
		references.numbers, references.clauses = rehashed(references.numbers), rehashed(references.clauses)
		references.most = left
	}
}

// rehashed returns a copy of a map that is as small as it can be.
func rehashed[K comparable, V any](m map[K]V) map[K]V {
	small := make(map[K]V, len(m))
	maps.Copy(small, m)
	return small
}

// fClauseReference is the functor of references. A reference is an ordinary term, so a program can make one that
// refers to nothing, which is why each use looks it up.
var fClauseReference = code.Functor("$clause", 1)

// newReference returns the reference to a clause.
func newReference(m *machine.Machine, c *database.Clause) cell {
	return m.NewCompound(fClauseReference, []cell{m.NewInt(referenceNumber(c))})
}

// referred returns the clause of a reference. It returns nil for a clause that is gone, and for a clause of another
// program, such as an older snapshot. A program must not reach the clauses of another program. A term that is no
// reference is the type error db_reference, as in SWI-Prolog.
func referred(m *machine.Machine, ref cell) (*database.Clause, error) {
	ref = m.Deref(ref)
	if stacks.IsVar(ref) {
		return nil, m.InstantiationError()
	}
	if !stacks.IsCompound(ref) || m.Functor(ref) != fClauseReference || m.Deref(m.Arg(ref, 0)).Tag() != code.Int {
		return nil, m.TypeError("db_reference", ref)
	}
	references.mu.Lock()
	c := references.clauses[m.Deref(m.Arg(ref, 0)).Int()].Value()
	references.mu.Unlock()
	if c == nil || m.Program().FindModule(c.Pred.Module.Name) != c.Pred.Module {
		return nil, nil
	}
	return c, nil
}

// living is referred for clauses that the run sees: those that it or a committed transaction has not erased.
func living(m *machine.Machine, ref cell) (*database.Clause, error) {
	c, err := referred(m, ref)
	if c == nil || !m.Tx().Sees(c, m.Tx().Now()) {
		return nil, err
	}
	return c, nil
}

// unifyHead unifies t with the head of a clause and body with its body. An unbound t becomes the head, qualified if the
// clause belongs to another module than t's. A bound t must mean the predicate of the clause in its module.
func unifyHead(m *machine.Machine, t cell, c *database.Clause, body cell) bool {
	plain, mod := m.StripModule(t)
	if !stacks.IsVar(plain) {
		return stacks.IsCallable(plain) && functorOf(m, plain) == c.Pred.Functor && mod.Resolve(c.Pred.Functor) == c.Pred &&
			unifyShown(m, c, plain, body)
	}
	head := newHead(m, c.Pred)
	shown := head
	if mod != c.Pred.Module {
		shown = m.NewCompound(code.FColon, []cell{m.NewAtom(c.Pred.Module.Name), head})
	}
	return m.Unify(plain, shown) && unifyShown(m, c, head, body)
}

// newHead returns the most general call of a predicate: an atom, or a compound of new variables.
func newHead(m *machine.Machine, p *database.Pred) cell {
	if p.Arity() == 0 {
		return code.MakeAtom(p.Functor.FunctorAtom())
	}
	args := make([]cell, p.Arity())
	for i := range args {
		args[i] = m.NewVar()
	}
	return m.NewCompound(p.Functor, args)
}

// clauseByReference is clause/3. With a reference it needs no search, and any predicate with clauses may be read. It
// fails for a reference to a clause that the run does not see. Without a reference the errors are those of clause/2.
func clauseByReference(m *machine.Machine, a []cell) (bool, error) {
	if stacks.IsVar(m.Deref(a[2])) {
		return findClause(m, a, func(m *machine.Machine, a []cell, c *database.Clause) (bool, error) {
			ok, err := matchClause(m, a, c)
			return ok && m.Unify(a[2], newReference(m, c)), err
		})
	}
	c, err := living(m, a[2])
	return c != nil && unifyHead(m, a[0], c, a[1]), err
}

// addReferred returns assertz/2 or asserta/2. The reference must be unbound; the check comes before the clause is
// added. The errors of assertz/1 follow.
func addReferred(front bool) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		if ref := m.Deref(a[1]); !stacks.IsVar(ref) {
			return false, m.UninstantiationError(ref)
		}
		c, err := add(m, a[0], front)
		if err != nil {
			return false, err
		}
		return m.Unify(a[1], newReference(m, c)), nil
	}
}

// eraseReferred is $erase_clause/1. It fails for a clause that is erased already. Static clauses are refused.
func eraseReferred(m *machine.Machine, a []cell) (bool, error) {
	c, err := living(m, a[0])
	if c == nil {
		return false, err
	}
	if !c.Pred.Has(database.Dynamic) {
		return false, m.PermissionError("clause", "erase", a[0])
	}
	if err := machine.Changing(m, c.Pred); err != nil {
		return false, err
	}
	return erase(m, c)
}

// clauseInstance is $clause_instance/2, the part of instance/2 for clauses. A fact has the body true.
func clauseInstance(m *machine.Machine, a []cell) (bool, error) {
	c, err := living(m, a[0])
	if c == nil {
		return false, err
	}
	head, body := newHead(m, c.Pred), m.NewVar()
	return m.Unify(a[1], m.NewCompound(code.FNeck, []cell{head, body})) && unifyShown(m, c, head, body), nil
}

// FileName is the name of a file of the program as the goals of a run see it.
func FileName(m *machine.Machine, source string) string {
	if f := ioOf(m).opts.FileName; f != nil {
		return f(source)
	}
	return source
}

// clauseInfo is $clause_info/2. It lists the properties of clause_property/2 in the order of SWI-Prolog. An erased
// clause that is not yet freed still has them. The properties line_count, file and source exist only for a clause that
// was read from a file.
func clauseInfo(m *machine.Machine, a []cell) (bool, error) {
	c, err := referred(m, a[0])
	if c == nil {
		return false, err
	}
	var list []cell
	if c.File != "" {
		file := m.NewAtom(FileName(m, c.File))
		list = append(list, m.NewStruct("line_count", m.NewInt(int64(c.Line))), m.NewStruct("file", file),
			m.NewStruct("source", file))
	}
	if c.IsFact() {
		list = append(list, m.NewAtom("fact"))
	}
	if !m.Tx().Sees(c, m.Tx().Now()) {
		list = append(list, m.NewAtom("erased"))
	}
	module := m.NewAtom(c.Pred.Module.Name)
	indicator := m.NewCompound(code.FColon, []cell{module, m.Indicator(c.Pred.Functor)})
	list = append(list, m.NewStruct("predicate", indicator), m.NewStruct("module", module),
		m.NewStruct("size", m.NewInt(int64(c.Bytes()))))
	return m.Unify(a[1], m.List(list, code.ANil)), nil
}

// clauseText is $clause_text/2. It fails for a clause that was not read from a file, if the option ClauseText is not
// set, and if the file no longer has the text of the clause. It charges for the length of the text.
func clauseText(m *machine.Machine, a []cell) (bool, error) {
	c, err := referred(m, a[0])
	x := ioOf(m)
	if c == nil || c.File == "" || x.opts.ClauseText == nil {
		return false, err
	}
	if x.clauseText == nil {
		x.clauseText = x.opts.ClauseText()
	}
	text := x.clauseText(c.File, int(c.Line), c.Pred.Module.Name)
	if err := m.Charge(1 + len(text)/8); err != nil || text == "" {
		return false, err
	}
	return m.Unify(a[1], m.NewString(text)), nil
}

// transactionUpdates is transaction_updates/1. It fails outside of transactions. Each update is charged, because a
// transaction may have made any number of them.
func transactionUpdates(m *machine.Machine, a []cell) (bool, error) {
	updates, ok := m.Tx().Updates()
	if !ok {
		return false, nil
	}
	if err := m.Charge(len(updates)); err != nil {
		return false, err
	}
	list := make([]cell, len(updates))
	for i, u := range updates {
		name := "assertz"
		if u.Erased {
			name = "erased"
		} else if u.Front {
			name = "asserta"
		}
		list[i] = m.NewStruct(name, newReference(m, u.Clause))
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}

// nthClause is nth_clause/3. From a reference to the number and from a number to the reference it is deterministic;
// else it enumerates. Numbers count the clauses that the run sees. It fails for a number below 1, for a predicate that
// does not exist, and for a built-in. It charges for the clauses up to the given reference, or for all clauses of the
// predicate without a reference.
func nthClause(m *machine.Machine, a []cell) (bool, error) {
	if !stacks.IsVar(m.Deref(a[2])) {
		c, err := living(m, a[2])
		if c == nil {
			return false, err
		}
		n := 1 + slices.Index(seenClauses(m, c.Pred), c)
		return m.Unify(a[1], m.NewInt(int64(n))) && unifyGeneral(m, a[0], c.Pred), m.Charge(n)
	}
	head, mod := m.StripModule(a[0])
	if _, err := m.CallableArg(head); err != nil {
		return false, err
	}
	n := 0
	if nth := m.Deref(a[1]); !stacks.IsVar(nth) {
		var err error
		if n, err = m.IntArg(nth); err != nil || n < 1 {
			return false, err
		}
	}
	p := mod.Resolve(functorOf(m, head))
	if p == nil || p.Builtin >= 0 || p.Module == m.Program().System() {
		return false, nil
	}
	clauses := seenClauses(m, p)
	if max(n, 1) > len(clauses) {
		m.Tx().NoteAllAbsent(p)
		return false, m.Charge(len(clauses))
	}
	if err := m.Charge(len(clauses)); err != nil {
		return false, err
	}
	if n > 0 {
		return m.Unify(a[2], newReference(m, clauses[n-1])), nil
	}
	// clauses holds Go pointers, so a collection between two answers does not invalidate it.
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		n++
		ok = m.Unify(a[1], m.NewInt(int64(n))) && m.Unify(a[2], newReference(m, clauses[n-1]))
		return ok, n < len(clauses), nil
	})
}

// seenClauses lists the clauses of a predicate that the run sees. The slice is a copy that the caller may keep and
// change. For a thread_local predicate they are the clauses of the calling thread.
func seenClauses(m *machine.Machine, p *database.Pred) []*database.Clause {
	view, all := m.Tx().Clauses(p)
	return slices.DeleteFunc(slices.Clone(all), func(c *database.Clause) bool { return !m.Tx().Sees(c, view) })
}

// unifyGeneral unifies a term with the most general call of a predicate. An unbound term becomes that call, qualified
// if the predicate belongs to another module than the term.
func unifyGeneral(m *machine.Machine, t cell, p *database.Pred) bool {
	plain, mod := m.StripModule(t)
	head := newHead(m, p)
	if stacks.IsVar(plain) && mod != p.Module {
		head = m.NewCompound(code.FColon, []cell{m.NewAtom(p.Module.Name), head})
	}
	return m.Unify(plain, head)
}
