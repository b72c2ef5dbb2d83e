package builtin

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effects"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines what library(explain) reads from the program: kinds of predicates, clauses with their places, and
// the terms that proof/3 and misses/3 return.

var explainTable = []machine.Builtin{
	{Name: "$explain_pred", Arity: 5, Func: explainPred, Meta: ":----", Modes: ":goal, -module, -kind, -how, -meta",
		Doc: "Tells what a goal calls: the module and kind of its predicate, and how that wants to be explained."},
	{Name: "$explain_effect", Arity: 4, Func: explainEffect, Meta: ":---", Modes: ":goal, -effect, -by, -reads",
		Doc: "Effect is none, unknown or changes, for what a goal does besides giving answers; by is the predicate for " +
			"that, reads the one by which it reads user_input."},
	{Name: "$explain_clause", Arity: 4, Func: explainClause, Nondet: true, Meta: ":---",
		Modes: ":goal, -body, -place, -by",
		Doc:   "Goal unifies with the head of a clause; by is rule, fact or asserted."},
	{Name: "$explain_ssu_clause", Arity: 5, Func: explainRule, Nondet: true, Meta: ":----",
		Modes: ":goal, -head, -body, -place, -single",
		Doc:   "Head and body are those of a clause of the predicate; single is true for one with =>."},
	{Name: "$explain_proof", Arity: 3, Func: explainProof, Modes: "+raw, +limits, -proof",
		Doc: "Makes of what the library has found the proof that proof/3 returns."},
	{Name: "$explain_misses", Arity: 3, Func: explainMisses, Modes: "+raw, +limits, -misses",
		Doc: "Makes of what the library has found the list that misses/3 returns."},
}

// explainEffect is $explain_effect/4.
func explainEffect(m *machine.Machine, a []cell) (bool, error) {
	pred, _, err := calledPred(m, a[0])
	if err != nil || pred == nil {
		return false, err
	}
	effect, by, reads := machine.EffectOf(m, pred)
	name := func(p *database.Pred) cell {
		if p == nil {
			return code.ANil
		}
		return m.Indicator(p.Functor)
	}
	word := map[effects.Effect]string{effects.NoEffect: "none", effects.Outside: "outside",
		effects.UnknownEffect: "unknown", effects.Changes: "changes"}[effect]
	return m.Unify(a[1], m.NewAtom(word)) && m.Unify(a[2], name(by)) && m.Unify(a[3], name(reads)), nil
}

// calledPred returns the predicate that a goal calls, and the goal without its module. It autoloads a library that has
// the predicate, as a call would. It returns nil if a call would be an existence error.
func calledPred(m *machine.Machine, goal cell) (*database.Pred, cell, error) {
	goal, mod := m.StripModule(goal)
	goal, err := m.CallableArg(goal)
	if err != nil {
		return nil, goal, err
	}
	functor := functorOf(m, goal)
	p := mod.Resolve(functor)
	if p == nil {
		p, err = m.Program().Loader.Autoload(functor, m.Loading)
	}
	return p, goal, err
}

// explainPred is $explain_pred/5. how is hidden, opaque, key or the empty atom, from explain/2 and info/2. For a table
// of a database it is the name of the table. meta is the meta_predicate specification, none if there is none.
func explainPred(m *machine.Machine, a []cell) (bool, error) {
	p, _, err := calledPred(m, a[0])
	if err != nil {
		return false, err
	}
	kind, how, home, meta := "undefined", "", "user", m.NewAtom("none")
	if p != nil && p.Defined() {
		kind, how, home = predKind(m, p), m.Program().Loader.Advice(p).How, p.Module.Name
		meta = MetaSpec(m, p)
		if kind == "sql" {
			how = m.Program().Loader.TableOf(p)
		}
	}
	return m.Unify(a[1], m.NewAtom(home)) && m.Unify(a[2], m.NewAtom(kind)) && m.Unify(a[3], m.NewAtom(how)) &&
		m.Unify(a[4], meta), nil
}

// predKind returns the kind of a predicate; library(explain) explains each kind by its own rule. The first matching
// case counts, so a predicate of a library is builtin however it is defined.
func predKind(m *machine.Machine, p *database.Pred) string {
	switch {
	case p.Module.Library && p.Module.Name == "clpfd":
		return "constraint"
	case p.Module.Name == "mcp" && p.Module.Library &&
		(strings.HasPrefix(p.Name(), "mcp_elicit") || p.Name() == "mcp_ask"),
		strings.HasPrefix(p.Name(), "$mcp_ask"), strings.HasPrefix(p.Name(), "$mcp_elicit"):
		return "asking"
	case p.Builtin >= 0 || p.Module.Library || p.Module == m.Program().System():
		return "builtin"
	case m.Program().Loader.TableOf(p) != "":
		return "sql"
	case p.Has(database.Tabled):
		return "tabled"
	case p.Has(database.SSU):
		return "ssu"
	}
	return "user"
}

// MetaSpec returns the meta_predicate specification of a predicate as a term, or the atom none. Pred.Meta has a
// character for each argument; its / is the specifier // of a grammar rule's body, and ^ stands for itself.
func MetaSpec(m *machine.Machine, p *database.Pred) cell {
	meta := p.Meta()
	if code.Junction(p.Functor) {
		meta = "00"
	}
	if meta == "" {
		return m.NewAtom("none")
	}
	args := make([]cell, len(meta))
	for i, c := range meta {
		switch {
		case c >= '0' && c <= '9':
			args[i] = m.NewInt(int64(c - '0'))
		case c == '/':
			args[i] = m.NewAtom("//")
		default:
			args[i] = m.NewAtom(string(c))
		}
	}
	return m.NewCompound(p.Functor, args)
}

// explainClause is $explain_clause/4. It enumerates the clauses that the index selects and whose heads unify with the
// goal, with their bodies. It fails for a predicate that does not exist.
func explainClause(m *machine.Machine, a []cell) (bool, error) {
	p, _, err := calledPred(m, a[0])
	if p == nil || err != nil {
		return false, err
	}
	return eachClause(m, a, headOf(m, a[0]), p, func(m *machine.Machine, a []cell, c *database.Clause) (bool, error) {
		head, _ := m.StripModule(a[0])
		return m.UnifyClause(c, head, a[1]) && !givenInputs(m, a[1]) && m.Unify(a[2], clausePlace(m, c, a[1])) &&
			m.Unify(a[3], m.NewAtom(clauseKind(m, c))), nil
	})
}

// givenInputs reports whether the first clause of a decision table can be left out of an explanation. That clause
// throws an error if an input has no value, and here all inputs have values.
func givenInputs(m *machine.Machine, body cell) bool {
	if !stacks.IsCompound(m.Deref(body)) || m.Functor(m.Deref(body)) != code.Functor(";", 2) {
		return false
	}
	tests := explain.InputTests(m.Export(body))
	return len(tests) > 0 && len(term.Variables(tests...)) == 0
}

// clauseKind returns the kind of a clause: given for a fact of the run's options, asserted for any other clause that
// was not read from a file.
func clauseKind(m *machine.Machine, c *database.Clause) string {
	switch {
	case m.Given != nil && m.Given.Facts[c]:
		return "given"
	case c.File == "":
		return "asserted"
	case c.IsFact():
		return "fact"
	}
	return "rule"
}

// clausePlace is at(File, Line, Body) for a clause that was read from a file, and at(Body) for others. The body shares
// its variables with the goal, so that the clause is shown with the values of this call.
func clausePlace(m *machine.Machine, c *database.Clause, body cell) cell {
	if c.File == "" {
		return m.NewStruct("at", body)
	}
	return m.NewStruct("at", m.NewAtom(c.File), m.NewInt(int64(c.Line)), body)
}

// explainRule is $explain_ssu_clause/5. Heads of single-sided unification match the goal without binding its variables,
// so each clause comes with its own head, which the library compares. A predicate may have clauses of both kinds. It
// enumerates the clauses that are visible when it is called. It charges for each answer, since the head may not match.
func explainRule(m *machine.Machine, a []cell) (bool, error) {
	p, _, err := calledPred(m, a[0])
	if p == nil || err != nil {
		return false, err
	}
	list, i := seenClauses(m, p), 0
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		if i >= len(list) {
			return false, false, nil
		}
		c, head, single := list[i], newHead(m, p), m.NewAtom("false")
		if c.SSU {
			single = code.ATrue
		}
		i++
		ok = m.UnifyClause(c, head, a[2]) && m.Unify(a[1], head) && m.Unify(a[3], clausePlace(m, c, a[2])) &&
			m.Unify(a[4], single)
		return ok, i < len(list), m.Charge(1)
	})
}

// ExplainOptions holds the program's descriptions of its predicates and the operators of the module, for writing an
// explanation.
func ExplainOptions(db *database.Program) explain.Options {
	return explain.Options{
		Module: "user", Lambdas: db.Loader.Lambdas,
		Ops: func(module string) *syntax.Ops {
			if mod := db.FindModule(module); mod != nil {
				return mod.Ops
			}
			return db.User().Ops
		},
		Advice: func(module, name string, arity int) explain.Advice {
			if mod := db.FindModule(module); mod != nil {
				if p := mod.Resolve(code.Functor(name, arity)); p != nil {
					return db.Loader.Advice(p)
				}
			}
			return explain.Advice{}
		},
	}
}

// explainOptions reads limits(Depth, Nodes, Bytes). It ignores a limit that is no positive integer.
func explainOptions(m *machine.Machine, limits cell) explain.Options {
	o := ExplainOptions(m.Program())
	o.Name = func(file string) string { return FileName(m, file) }
	args, _ := term.Is(m.Export(limits), "limits", 3)
	limit := []*int{&o.Depth, &o.Nodes, &o.Bytes}
	for i, arg := range args {
		if n, isInt := arg.(term.Int); isInt && n > 0 {
			*limit[i] = int(n)
		}
	}
	return o
}

// explainProof is $explain_proof/3. The library's raw proof is copied out of the heap, shaped and bounded in Go, and
// copied back. An option with an unknown node of the proof is an existence error.
func explainProof(m *machine.Machine, a []cell) (bool, error) {
	p := explain.NewProof(m.Export(a[0]), explainOptions(m, a[1]))
	if p == nil {
		return false, m.ErrorMessage(m.NewStruct("existence_error", m.NewAtom("node"), m.NewAtom("proof")),
			"the proof has no such node")
	}
	return m.Unify(a[2], m.Import(p.Term())), nil
}

// explainMisses is $explain_misses/3. Its terms are copied out and back like those of $explain_proof/3.
func explainMisses(m *machine.Machine, a []cell) (bool, error) {
	misses := explain.NewMisses(m.Export(a[0]), explainOptions(m, a[1]))
	return m.Unify(a[2], m.Import(misses.Term())), nil
}

// This part defines the search for facts that differ from a goal in one argument. It goes through all facts of the
// predicate, because indexes select by the very arguments that may be wrong.

var explainNearTable = []machine.Builtin{
	{Name: "$explain_near", Arity: 3, Func: explainNear, Meta: ":--", Modes: ":goal, -kind, -facts",
		Doc: "Lists facts that differ from a goal in one argument as near(Fact, Place, Argument, How); How is spelled or " +
			"value. Kind is empty, rules or facts."},
}

// The bounds of the search. maxNear is the number of facts for one argument that are compared by distance, shownNear
// the number that is shown. A scan of clausesOfCall clauses takes about as long as one call and is charged as one.
const (
	maxNear       = 1000
	shownNear     = 3
	clausesOfCall = 64
)

// nearFact is a fact that differs from the goal in the argument at, counted from 0.
type nearFact struct {
	clause  *database.Clause
	at      int
	spelled bool
}

// atArgument is the value of the argument with a number.
type atArgument struct {
	at int
	cell
}

// explainNear is $explain_near/3. A fact is near if all arguments but one unify with those of the goal.
func explainNear(m *machine.Machine, a []cell) (bool, error) {
	p, goal, err := calledPred(m, a[0])
	if p == nil || err != nil {
		return false, err
	}
	kind, near, err := nearFacts(m, p, goal)
	if err != nil {
		return false, err
	}
	var list []cell
	for _, f := range bestNear(m, near, goal) {
		head, body := newHead(m, p), m.NewVar()
		if !m.UnifyClause(f.clause, head, body) {
			continue
		}
		how := "value"
		if f.spelled {
			how = "spelled"
		}
		list = append(list, m.NewStruct("near", head, clausePlace(m, f.clause, body), m.NewInt(int64(f.at+1)),
			m.NewAtom(how)))
	}
	return m.Unify(a[1], m.NewAtom(kind)) && m.Unify(a[2], m.List(list, code.ANil)), nil
}

// nearFacts lists the facts that differ from a goal in one argument, and the rules whose heads differ in its spelling.
// kind is empty for a predicate without clauses, facts if all clauses are facts, and else rules. A goal with only one
// bound argument differs from every fact in at most that argument, so then only misspelt values count. It charges for
// the clauses. It lists at most maxNear facts for each argument, and none for an argument if a matching head has the
// goal's value there.
func nearFacts(m *machine.Machine, p *database.Pred, goal cell) (kind string, near []nearFact, err error) {
	kind = "empty"
	view, list := m.Tx().Clauses(p)
	other, count := boundArguments(m, goal) > 1, map[int]int{}
	known := map[int]bool{}            // arguments whose value occurs in a matching head
	spellings := map[atArgument]bool{} // whether the first differing atoms are spelt similarly to those of the goal
	exists := map[int]bool{}           // those whose value occurs in some head, so it is not misspelt
	for i, c := range list {
		if i%clausesOfCall == 0 {
			if err := m.Charge(1); err != nil {
				return "", nil, err
			}
		}
		if !m.Tx().Sees(c, view) {
			continue
		}
		if !c.IsFact() {
			kind = "rules"
		} else if kind == "empty" {
			kind = "facts"
		}
		if p.Arity() == 0 {
			continue
		}
		for i := range p.Arity() {
			exists[i] = exists[i] || c.HeadArg(i).Tag() == code.Atom && c.HeadArg(i) == m.Deref(m.Arg(goal, i))
		}
		different, at := m.HeadMismatch(c, goal, 2)
		if different == 0 {
			for i := range p.Arity() {
				known[i] = known[i] || !stacks.IsVar(c.HeadArg(i))
			}
		}
		if different == 1 && count[at] < maxNear && !stacks.IsVar(c.HeadArg(at)) {
			value := atArgument{at, c.HeadArg(at)}
			spelled, seen := spellings[value]
			if !seen {
				spelled = spelledNear(m, m.Arg(goal, at), c, at)
			}
			if value.Tag() == code.Atom && len(spellings) < maxNear {
				spellings[value] = spelled
			}
			if spelled || other && c.IsFact() {
				near = append(near, nearFact{c, at, spelled})
				count[at]++
			}
		}
	}
	for i := range near {
		near[i].spelled = near[i].spelled && !exists[near[i].at]
	}
	return kind, slices.DeleteFunc(near, func(f nearFact) bool {
		return known[f.at] || !f.spelled && !(other && f.clause.IsFact())
	}), nil
}

// boundArguments counts the arguments of a goal that are not variables.
func boundArguments(m *machine.Machine, goal cell) int {
	if !stacks.IsCompound(goal) {
		return 0
	}
	n := 0
	for i := range m.Functor(goal).FunctorArity() {
		if !stacks.IsVar(m.Deref(m.Arg(goal, i))) {
			n++
		}
	}
	return n
}

// spelledNear reports whether an argument may be a misspelling, or a rounded number, of an argument of a clause head.
func spelledNear(m *machine.Machine, arg cell, c *database.Clause, at int) bool {
	value := c.HeadArg(at)
	switch arg = m.Deref(arg); {
	case arg.Tag() == code.Atom && value.Tag() == code.Atom:
		return misspelt(stacks.AtomText(arg), stacks.AtomText(value))
	case arg.Tag() == code.Blob && (value.Tag() == code.Int || value.Tag() == code.Blob), // a float or a large integer
		arg.Tag() == code.Int && value.Tag() == code.Blob, arg.Tag() == code.Int && value.Tag() == code.Int &&
			max(arg.Int(), -arg.Int()) >= 1<<53:
		return term.SameRounded(m.Export(arg), stacks.ExportHead(c).(*term.Compound).Args[at])
	}
	return false
}

// misspelt reports whether a word may be a misspelling of another. Words of two letters that differ in one, and words
// that differ only in digits, are not.
func misspelt(word, other string) bool {
	letters, others := digitRuns().ReplaceAllString(word, ""), digitRuns().ReplaceAllString(other, "")
	return max(len(word), len(other)) > 2 && letters != others && spell.Nearest(word, []string{other}) != ""
}

var digitRuns = lazyregexp.New(`[0-9]+`)

// bestNear returns the facts to show: those whose argument is spelt nearly the same, if there are any. Otherwise facts
// that differ in a later argument come first, since the first arguments usually identify the subject of a fact. Among
// facts that differ in the same argument, those with the nearest number come first.
func bestNear(m *machine.Machine, near []nearFact, goal cell) []nearFact {
	distance := func(f nearFact) int64 {
		arg, value := m.Deref(m.Arg(goal, f.at)), f.clause.HeadArg(f.at)
		switch {
		case f.spelled:
			return -1
		case arg.Tag() == code.Int && value.Tag() == code.Int:
			return max(arg.Int()-value.Int(), value.Int()-arg.Int())
		}
		return 1 << 62
	}
	slices.SortStableFunc(near, func(x, y nearFact) int {
		dx, dy := distance(x), distance(y)
		switch {
		case dx >= 0 && dy >= 0 && x.at != y.at:
			return y.at - x.at
		case dx < dy:
			return -1
		case dx > dy:
			return 1
		}
		return 0
	})
	near = near[:min(len(near), shownNear)]
	if spelled := slices.IndexFunc(near, func(f nearFact) bool { return distance(f) >= 0 }); spelled > 0 {
		near = near[:spelled] // the others are unrelated
	}
	return near
}
