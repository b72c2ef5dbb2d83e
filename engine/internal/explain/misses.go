package explain

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines misses: why goals have no answers.

// Misses says why a goal has no answer. Its nodes are clauses with the goals that held and failed, or other reasons,
// the nearest first. The first nodes are those below no other node.
type Misses struct {
	// Line is the nearest miss in one line.
	Line string `json:"line"`
	Graph
	// Instead are values of arguments for which there are solutions, if they have been searched for.
	Instead []Instead `json:"instead,omitempty"`
	// Enough are the smallest sets of missing facts with which the goal holds; each was tried. There is no search if
	// something else is missing. NoneEnough says that no set of up to three facts was found.
	Enough     [][]string `json:"enough,omitempty"`
	enough     []string   // the same for people, each set in a line
	NoneEnough bool       `json:"none_enough,omitempty"`
}

// Whole is the line and the text, "" if nothing was found. It omits a first line of the text that only repeats the
// line.
func (m *Misses) Whole() string {
	if m.Line == "" {
		return ""
	}
	first, rest, _ := strings.Cut(m.Text, "\n")
	if !strings.Contains(m.Line, first) || strings.HasPrefix(rest, " ") {
		rest = m.Text
	}
	return m.Line + "\n" + rest
}

// Instead are the values of one argument for which a goal has solutions.
type Instead struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// miss is one reason why a goal has no answer.
type miss struct {
	// kind is clause for a clause, or a conjunction, one of whose goals fails. Otherwise it is one of these, and detail
	// is more specific:
	//   - facts: no fact, row or head fits. near, nofact, norow, nohead, empty
	//   - unknown: the predicate is not defined
	//   - false: a goal that is not looked into
	//   - holds: a goal holds that must not, or the reverse. counterexample
	//   - error: a goal throws. recovery: what catches that fails
	//   - user: the user has not been asked, or gave another answer. asks, answered
	//   - stopped: the search does not go on. circle, cut, limit
	kind, detail string
	call         Goal
	goal, code   string // the goal in words and as Prolog
	says         string // the goal by the template says_not of its predicate
	place        Place
	source       string
	// held are goals of the clause that hold together, without uninformative ones. heldCount is the number of goals
	// that hold, total the number of all goals. behind are the goals after the failed one, with the results that they
	// would have had.
	held, behind     []*Node
	heldCount, total int
	// failedGoal is the first goal that does not hold with them. failed is that goal in words.
	failedGoal         Goal
	failed, failedCode string
	// others is the number of other instances of that goal that have failed too, with the words for some of them.
	// unended says that a limit ended their enumeration. earlier says which earlier goals have failed.
	others      int
	otherFailed []string
	unended     bool
	earlier     string
	// single says that another instance lacks only one goal, whereas this one lacks several.
	single string
	// leftOpen says that another clause for the goal, or a user who has not answered, leaves its answer open.
	leftOpen bool
	// near are facts that differ in one argument, with their places, or heads of clauses.
	near []string
	// known are values that facts or results have in place of the goal's value, which is in note. knownCount is their
	// number, 0 if they are too many to count.
	known      []string
	knownCount int
	note       string  // constraints that hold, or the thrown error
	written    string  // the failed goal as written in the clause, "" if that is unknown
	turns      string  // the values of a variable for which a comparison would hold
	proofs     []*Node // why a goal holds that must not
	// because are the misses of the failed goal, more is the number of further ones.
	because []*miss
	more    int

	denied    string      // the failure of a goal about labelled rules, in words
	failsAt   string      // the line of the goal that throws, or the place of a hidden clause, "" if it is unknown
	among     string      // the goal with the variables named as in the constraints of the note
	expected  string      // the expected text where a grammar does not match
	lacks     *lacks      // the facts that the clause lacks, nil if facts cannot help
	breaks    []Goal      // facts with which the negated goal holds
	as, also  string      // the goals that it follows from, and other solutions
	free      string      // an unbound variable of the question in the negated goal
	opposite  string      // the actual value, for a goal that is false
	uncovered string      // that no row of a decision table holds
	unlisted  string      // that a value is not in the list of a table's column
	given     string      // the goal that has produced an unnamed value of a comparison
	instead   string      // the argument of the known values
	met       []term.Term // the arguments of met(Failed, Constraints, Goal, Body)
	worded    bool        // the note has an error in words
	rounded   string      // that a number may have been rounded, or ""
	nearBy    string      // clause or row if near holds heads of these, else ""
	differs   [][3]string // for each of near: the name of an argument, its value, and the wanted value
	asked     string      // the question, if it is not the goal of the miss
	inWords   bool        // the goal is in words unlike the text of the clause
	keyed     bool        // near has the same first argument, or a similar spelling
	terminal  *terminal   // the failed terminal of a grammar
	undefined bool        // the goal that holds is undefined
	branches  []branch    // other branches with which the clause would or may hold
	none      bool        // the failed goal needs solutions, and there are none
	hint      string      // the first solutions that a false goal has collected, or the constant it may have meant
	least     bool        // there may be more others
	way       bool        // it concerns an alternative of a disjunction
	first     bool        // a clause with a cut precedes one that also lacks something
	own       bool        // the clause itself cuts after its first goals
	unseen    bool        // it reads an environment variable, and goals see none
}

// kinds maps the library's names of misses to kinds. Other names are kinds themselves.
var kinds = map[string]string{
	"near": "facts", "nofact": "facts", "norow": "facts", "nohead": "facts", "empty": "facts",
	"counterexample": "holds", "recovery": "error", "asks": "user", "answered": "user",
	"circle": "stopped", "cut": "stopped", "limit": "stopped",
}

// setKind sets the kind of a miss from its name in the library.
func (m *miss) setKind(name string) {
	m.kind, m.detail = name, ""
	if kind := kinds[name]; kind != "" {
		m.kind, m.detail = kind, name
	}
}

// what is the detail of a miss, or its kind if there is no detail.
func (m *miss) what() string { return cmp.Or(m.detail, m.kind) }

// NewMisses converts the raw misses of library(explain): misses(Goal, List, Open).
func NewMisses(raw term.Term, o Options) *Misses {
	o = o.withDefaults()
	m := &Misses{Graph: Graph{Nodes: []*Node{}}}
	args, ok := term.Is(o.withLambdas(raw), "misses", 3)
	if !ok {
		return m
	}
	o.above = goalOf(args[0]).Term
	o.noteExact(raw)
	list, more := o.misses(args[1])
	if o.Contrast && len(list) > 1 && (list[0].detail == "nohead" || list[0].detail == "near") && list[0].nearBy == "" &&
		list[1].detail == "nohead" {
		list = list[1:]
	}
	asked := o
	asked.naming = newNaming(o.Query)
	for v, name := range asked.naming.names {
		asked.naming.shared[v] = name[0] != '_'
	}
	for _, deeper := range list {
		if isConstraint(deeper.failedGoal.name()) {
			deeper.asked = asked.text(goalOf(args[0])) // constraints found for the question are no part of it
		}
	}
	if len(list) > 0 && list[0].way {
		m.Line = "no answer for " + asked.text(goalOf(args[0])) + ": " + waysReason(list, more, "")
	} else if len(list) > 0 {
		m.Line = list[0].line()
		if list[0].nearBy != "" && len(list) > 1 && o.Contrast && list[1].kind == "clause" {
			m.Line += "; and " + list[1].line() // it is the same clause
		}
	}
	roots := (&missNodes{map[string]*Node{}}).list(list, more)
	if args[2] == term.Term(term.Atom("overruled")) && len(list) > 0 {
		m.Line = Overruled + ": " + list[0].reason()
	} else if b := o.within(args[2], true); b != nil {
		m.Undefined, m.Line = true, strings.TrimSuffix(b.reason, "\n")
		roots = append([]*Node{b.root}, roots...)
		m.Text = nodesText(roots, o.Bytes)
	} else {
		m.Text = nodesText(roots, o.Bytes)
	}
	if c, ok := firstMiss(args[1]); ok {
		m.Line = o.miss(c).reason() + "; " + m.Line
	}
	if !o.Line {
		o.findEnough(m, list)
		m.number(roots)
		for _, n := range m.Nodes {
			o.finish(n)
		}
	}
	end := m.enoughText() + o.legend.text()
	m.Text = cutLines(m.Text, o.Bytes-len(end)) + end
	o.hide(m)
	return m
}

// constraints lists predicates of library(clpfd) that are no comparisons.
var constraints = map[term.Atom]bool{"in": true, "ins": true, "all_different": true, "all_distinct": true,
	"label": true, "labeling": true, "indomain": true, "element": true, "sum": true, "scalar_product": true,
	"tuples_in": true, "circuit": true, "cumulative": true, "global_cardinality": true, "lex_chain": true}

// isConstraint reports whether a predicate has the name of one of library(clpfd).
func isConstraint(name term.Atom) bool {
	return strings.HasPrefix(string(name), "#") || constraints[name]
}

// Overruled marks another answer that holds when it is called for alone.
const Overruled = "that holds where it is given, and is no answer of the question"

// missOf are the arguments of a raw miss, nil for another term.
func missOf(raw term.Term) []term.Term {
	args, _ := term.Is(raw, "miss", 7)
	return args
}

// listed returns the items of a raw list, none for another term.
func listed(list term.Term) []term.Term {
	items, _ := term.Slice(list)
	return items
}

// firstMiss returns the raw miss in first(Miss) at the head of a list, which comes before all other misses.
func firstMiss(list term.Term) (term.Term, bool) {
	if items := listed(list); len(items) > 0 {
		if args, ok := term.Is(items[0], "first", 1); ok {
			return args[0], true
		}
	}
	return nil, false
}

// misses reads a list of raw misses. more is the number of further ones.
func (o *Options) misses(raw term.Term) (list []*miss, more int) {
	for _, item := range listed(raw) {
		if args, ok := term.Is(item, "more", 1); ok {
			n, _ := args[0].(term.Int)
			more += int(n)
		} else if rows := rowMisses(item); rows != nil {
			below, others := o.misses(term.List(rows...))
			list, more = append(list, below...), more+others
		} else if m := o.miss(item); m != nil {
			list = append(list, m)
		}
	}
	for _, m := range list {
		m.joins(list)
	}
	if at := slices.IndexFunc(list, func(m *miss) bool { return m.unlisted != "" }); at >= 0 && o.above != nil {
		first := &miss{call: Goal{list[at].call.Module, o.above}, uncovered: list[at].unlisted}
		first.setKind("norow")
		first.goal, first.code = o.text(first.call), o.code(first.call)
		list = slices.Insert(list, 0, first)
	}
	return list, more
}

// joins leaves the answer open if another clause for the same goal does, as words for a goal without answers would then
// be too strong.
func (m *miss) joins(list []*miss) {
	m.leftOpen = m.leftOpen || slices.ContainsFunc(list, func(other *miss) bool {
		return other.open() && other.call.Module == m.call.Module && other.call.name() == m.call.name()
	})
	if m.leftOpen {
		m.says = ""
	}
}

// miss reads miss(Kind, Goal, Place, Held, Total, Failed, Because).
func (o *Options) miss(raw term.Term) *miss {
	args := missOf(raw)
	if args == nil {
		return nil
	}
	kind, _ := term.Text(args[0])
	m := &miss{call: goalOf(args[1])}
	m.setKind(kind)
	if at, ok := args[2].(*term.Compound); ok && at.Functor == "at" {
		m.place = placeOf(at.Args, o)
	}
	held := listed(args[3])
	within := *o
	within.naming = o.naming.within()
	within.naming.inherit(o.above, m.call.Term)
	o = &within
	if m.way = o.take(m.call.Term); m.way && kind == "clause" && m.place.Body == nil {
		o.naming = o.clauseNames(o.at, o.head, append(slices.Clone(held), args[5], behind(args[6])))
	} else if kind == "clause" {
		o.naming = o.clauseNames(m.place, m.call, append(slices.Clone(held), args[5], behind(args[6])))
		if throwsUnbound(args[6]) { // each unbound variable is shown by its name
			for _, v := range term.Variables(args[5]) {
				o.naming.shared[v] = o.naming.shared[v] || o.naming.names[v] != ""
			}
		}
		if m.place.Body != nil {
			o.at, o.head = m.place, m.call
		}
	}
	if pair, ok := term.Is(m.call.Term, "forall", 2); ok && kind == "counterexample" && len(held) == 1 {
		o.naming.inherit(term.New("-", pair...), term.New("-", goalOf(held[0]).Term, goalOf(args[5]).Term))
	}
	m.goal, m.denied = o.text(m.call), o.ruleWords(m.call, true)
	m.code = o.code(m.call)
	m.source = o.source(m.place, m.call)
	m.says = o.saysNot(m.call, o.above)
	if total, ok := args[4].(term.Int); ok {
		m.total = int(total)
	}
	m.readHeld(o, held, args[6])
	m.readFailed(o, args[5])
	m.countGuards(held)
	_, m.unseen = term.Is(m.call.Term, "getenv", 2)
	m.unseen = m.unseen && o.NoEnv
	if kind == "limit" && o.Ended != nil {
		_, m.note = o.Ended(m.call)
	}
	if kind == "unknown" && o.Suggestion != nil {
		name, arity, _ := term.Indicator(m.call.Term)
		m.note = o.Suggestion(m.call.Module, string(name), arity)
	}
	m.readBecause(o, args[6], held)
	if m.place.noun() == "row" {
		m.unlisted = o.unlisted(args)
	}
	if m.throws() && o.Texts != nil {
		if line := o.Texts.Line(o.at, o.head, m.failedGoal); line > 0 {
			m.failsAt = Place{File: o.at.File, Line: line}.String()
		}
	}
	if isHidden(o, m.failedGoal) {
		m.passHidden()
	}
	if m.open() {
		m.says = ""
	}
	o.explainText(m)
	if kind == "false" && m.among == "" {
		c := o.compare(m.call, m.call, false)
		called := *o
		called.called = m.call.Term
		m.written, m.turns, m.opposite = c.written, c.turns, called.opposite(m.call, c.written)
		m.hint = cmp.Or(m.hint, meant(m.call.Term))
		m.inWords = (plainCall().MatchString(c.written) || m.call.name() == "is") && o.wordsFor(m.call) != ""
		if !c.terms {
			if m.says, m.given = cmp.Or(m.says, c.words), c.given; c.whole && c.words != "" {
				m.opposite = c.words
			}
		} else if c.words != "" && !emptyFails(m.call.Term) {
			if m.opposite = c.words + following(", as ", c.given); sameness[m.call.name()] == "" {
				m.written = ""
			}
		}
	}
	return m
}

// OtherWay replaces, in an instance of a body, the alternatives of a disjunction that do not concern a goal.
const OtherWay = term.Atom("$other way")

// take reports whether a goal is an alternative of the disjunction above it. The other alternatives are then dropped,
// and the variables of the goal get the names of that alternative.
func (o *Options) take(goal term.Term) bool {
	way, found := o.wayOf(o.above, goal)
	if found = found && isDisjunction(o.above); found {
		o.at.Body = replaced(o.at.Body, o.above, way)
	}
	return found
}

// wayOf returns a disjunction with a goal in place of the alternatives of which it may be an instance.
func (o *Options) wayOf(or, goal term.Term) (way term.Term, found bool) {
	if isDisjunction(or) {
		args := argsOf(or)
		a, first := o.wayOf(args[0], goal)
		b, second := o.wayOf(args[1], goal)
		return term.New(";", a, b), first || second
	} else if or == nil || !Match(or, goal, map[*term.Var]term.Term{}) {
		return OtherWay, false
	}
	o.naming.inherit(or, goal)
	return goal, true
}

// replaced returns a body with another term in place of the instances of a disjunction.
func replaced(body, or, by term.Term) term.Term {
	c, ok := body.(*term.Compound)
	if !ok {
		return body
	} else if isDisjunction(c) && Match(or, c, map[*term.Var]term.Term{}) {
		return by
	}
	args := slices.Clone(c.Args)
	_, control := shapes.Control(c)
	for i, arg := range args {
		if _, inner := shapes.Control(arg); control || inner {
			args[i] = replaced(arg, or, by)
		}
	}
	return term.New(c.Functor, args...)
}

// readBecause reads the further details of a raw miss, and the misses of the failed goal.
func (m *miss) readBecause(o *Options, list term.Term, held []term.Term) {
	var rest, found []term.Term
	for _, item := range held {
		if args, ok := term.Is(goalOf(item).Term, "findall", 3); ok {
			found = append(found, args[1])
		}
	}
	readers := map[term.Atom]func(m *miss, o *Options, args []term.Term){
		"lacks": (*miss).readLacks, "verdicts": (*miss).readVerdicts, "branch": (*miss).readBranch,
		"holds": (*miss).readProof, "also": (*miss).readAlso, "others": (*miss).readOthers,
		"earlier": func(m *miss, o *Options, args []term.Term) { m.earlier = o.failures("before that", args) },
		"single":  (*miss).readSingle,
		"breaks":  func(m *miss, _ *Options, args []term.Term) { m.breaks = goalsOf(args[0]) },
		"none":    func(m *miss, _ *Options, _ []term.Term) { m.none = true },
		"solutions": func(m *miss, o *Options, args []term.Term) {
			if args[0] == term.Term(term.Int(0)) {
				m.hint = o.solutions(args[1])
			}
		},
	}
	for _, item := range listed(list) {
		c, ok := item.(*term.Compound)
		if ok && readers[c.Functor] != nil {
			readers[c.Functor](m, o, c.Args)
		} else if m.unended = m.unended || item == term.Term(term.Atom("unended")); ok {
			rest = append(rest, item)
		}
	}
	for _, arg := range argsOf(m.failedGoal.Term) {
		for arg != nil {
			found, arg = append(found, arg), stoodFor(arg)
		}
	}
	for _, found := range found { // a goal within an aggregate is a copy of the aggregated one
		for _, item := range rest {
			args := missOf(item)
			if args != nil && Match(found, goalOf(args[1]).Term, map[*term.Var]term.Term{}) {
				o.naming.inherit(found, goalOf(args[1]).Term)
			}
		}
	}
	below := *o
	below.above = cmp.Or(stoodFor(m.failedGoal.Term), m.failedGoal.Term)
	m.because, m.more = below.misses(term.List(rest...))
	for _, deeper := range m.because {
		if deeper.met != nil {
			deeper.among, deeper.note = below.contradiction(deeper, m)
		}
		if inner := negated(m.failedGoal.Term); inner != nil {
			deeper.free = o.notGiven(inner, m.place, m.call)
		}
	}
}

// isHidden reports whether a goal is one of a predicate that wants not to be shown.
func isHidden(o *Options, g Goal) bool { return g.Term != nil && o.advice(g).How == "hidden" }

// passHidden puts the goals of a hidden clause in the place of the goal that failed, if it is the only one for that.
func (m *miss) passHidden() {
	if len(m.because) != 1 || m.more > 0 || m.next().kind != "clause" {
		return
	}
	of := m.next()
	m.failedGoal, m.failed, m.failedCode, m.terminal = of.failedGoal, of.failed, of.failedCode, of.terminal
	m.because, m.more, m.branches, m.none, m.single = of.because, of.more, of.branches, of.none, of.single
	m.held, m.behind = append(m.held, of.held...), append(slices.Clip(of.behind), m.behind...)
	m.heldCount, m.total = m.heldCount+of.heldCount, m.total-1+of.total
	m.unended, m.failsAt = m.unended || of.unended, cmp.Or(of.failsAt, of.place.String())
	if of.lacks == nil || m.lacks == nil || !m.lacks.rule {
		m.lacks = nil
	} else {
		others := append(slices.Clip(of.lacks.others), m.lacks.others...)
		m.lacks = &lacks{fact: of.lacks.fact, rule: of.lacks.rule, others: others}
	}
}

// notGiven returns the name of the first unbound argument that the head of a clause shares with a negated goal of the
// clause.
func (o *Options) notGiven(inner term.Term, at Place, head Goal) string {
	if o.Texts == nil {
		return ""
	}
	names, written := o.advice(head).Names, o.Texts.Names(at, head)
	within := term.Variables(inner)
	for i, arg := range argsOf(head.Term) {
		if v, unbound := arg.(*term.Var); unbound && slices.Contains(within, v) {
			if i < len(names) {
				return names[i]
			}
			return written[v]
		}
	}
	return ""
}

// branch is a branch that was not taken. text says why. lacks holds the misses of its condition and follows the text,
// unless it is nil.
type branch struct {
	text  string
	lacks *miss
	own   bool // the goal that failed is its condition
}

// readBranch reads branch(How, Condition, Won, Misses, Goal-Body) of a branch that was not taken.
func (m *miss) readBranch(o *Options, args []term.Term) {
	instance, _ := term.Is(args[4], "-", 2)
	at, head := m.place, goalOf(instance[0])
	at.Body = instance[1]
	own := *o
	own.naming = o.naming.apart()
	own.naming = own.clauseNames(at, head, args[1:2])
	own.at, own.head = at, head
	how, _ := term.Text(args[0])
	other := branch{text: "the last branch"}
	if args[1] != term.Term(term.Atom("true")) {
		other.text = "the branch for " + own.tested(Goal{m.call.Module, args[1]}, false)
	}
	it := "it"
	if len(term.Variables(m.call.Term)) > 0 {
		it = "an answer"
	}
	other.text += " " + how + " give " + it + ", but "
	won := args[2] != term.Term(term.Atom("none"))
	if won {
		test, undefined := inDoubt(args[2])
		other.text += own.tested(goalIn(test, m.call.Module), true) + " before it" + holdsOr(undefined)
	}
	if list, _ := own.misses(args[3]); len(list) > 0 {
		if other.lacks = list[0]; won {
			other.text += ", and "
		}
	}
	if !won && !decided[m.failedGoal.name()] && term.Compare(args[1], m.failedGoal.Term) == 0 {
		other.own = true
	}
	m.branches = append(m.branches, other)
}

// isCondition reports whether a goal is one of the conditions within a body.
func isCondition(body, goal term.Term) bool {
	if then, ok := term.Is(body, "->", 2); ok {
		goals, _ := term.Conjuncts(then[0])
		return slices.ContainsFunc(goals, func(t term.Term) bool { return term.Compare(t, goal) == 0 }) ||
			isCondition(then[1], goal)
	}
	parts, _ := shapes.Control(body)
	return slices.ContainsFunc(parts, func(part term.Term) bool { return isCondition(part, goal) })
}

// inDoubt unwraps undefined(Goal), a goal that is neither true nor false.
func inDoubt(t term.Term) (goal term.Term, undefined bool) {
	if args, ok := term.Is(t, "undefined", 1); ok {
		return args[0], true
	}
	return t, false
}

// tested writes goals, with the names of compared values in parentheses if they hold. It writes a comparison that need
// not hold, and an equation such as "red is red", in the form of the clause.
func (o *Options) tested(g Goal, holds bool) string {
	var texts, words []string
	goals, _ := term.Conjuncts(g.Term)
	for _, goal := range goals {
		one := goalIn(goal, g.Module)
		text, c := o.text(one), o.compare(one, one, true)
		if len(goals) == 1 {
			text = bare(one.Term, text)
		}
		args := argsOf(one.Term)
		same := equalities[one.name()] && len(args) == 2 && term.Compare(args[0], args[1]) == 0
		if c.whole && !c.terms && holds {
			text, c.words = cmp.Or(c.words, text), ""
		}
		if same || !holds && (c.words != "" || equalities[one.name()] && isAtomic(args...)) {
			text = cmp.Or(c.written, text)
		}
		if texts = append(texts, text); c.words != "" && holds {
			words = append(words, c.words)
		}
	}
	text := "`" + strings.Join(texts, ", ") + "`"
	if len(words) > 0 {
		text += " (" + strings.Join(words, ", ") + ")"
	}
	return text
}

// reason says what the branch lacks, in the clause at a place.
func (b branch) reason(place string) string {
	switch {
	case b.lacks == nil:
		return b.text + place
	case b.lacks.kind == "clause":
		return b.text + b.lacks.clauseReason(b.lacks.goal, place)
	}
	return b.text + b.lacks.under(place)
}

// behind lists the results of the goals after the failed one.
func behind(because term.Term) term.Term {
	for _, item := range listed(because) {
		if list, ok := term.Is(item, "verdicts", 1); ok {
			return list[0]
		}
	}
	return term.Nil
}

// readVerdicts reads verdict(How, Goal) for each goal after the failed one.
func (m *miss) readVerdicts(o *Options, raw []term.Term) {
	for _, item := range listed(raw[0]) {
		args, ok := term.Is(item, "verdict", 3)
		if !ok {
			continue
		}
		g := goalIn(args[1], m.call.Module)
		verdict := verdicts[args[0]]
		if vars, depends := term.Is(args[0], "depends", 1); depends {
			verdict = "depends on " + o.freeText(vars[0])
		}
		ball, throws := term.Is(args[0], "throws", 1)
		if throws {
			verdict = "would throw"
			if _, asks := newQuestion(ball[0]); asks {
				verdict, throws = verdicts[term.Atom("asks")], false
			}
		}
		n := o.condition(verdict, g, verdict != "would hold")
		if n == nil {
			continue
		}
		if throws {
			text, _ := o.thrown(ball[0])
			n.Note = strings.TrimPrefix(text, "an error: ")
			n.text += ": " + n.Note
			m.behind = append(m.behind, n)
			continue
		}
		if n.Note = o.rootReason(args[2], g); verdict == "failed" {
			if c := o.compare(g, g, false); n.Note == "" && !c.terms {
				n.Note = c.words
			}
			n.text += ", too" + following(": ", n.Note)
		}
		m.behind = append(m.behind, n)
	}
}

// condition returns the node of a goal of a clause, nil for an uninformative goal. plain says that the goal is shown as
// it is called.
func (o *Options) condition(by string, g Goal, plain bool) *Node {
	n := &Node{By: by, call: g, Undefined: by == "open"}
	if n.shown = o.text(g); !plain {
		if name, arity, ok := term.Indicator(g.Term); ok && silent[string(name)+"/"+strconv.Itoa(arity)] || isGuard(g) {
			return nil
		}
		n.Says, n.shown, _ = o.heldWords(g)
	}
	if by == "held" && o.isRequired(g) {
		n.shown += " (" + required + ")"
	}
	n.Goal = o.code(g)
	n.label()
	return n
}

// label makes the line of a condition.
func (n *Node) label() {
	if n.text = fmt.Sprintf("%-6s  ", n.By) + saying(n.Says, n.shown); n.Undefined {
		n.text += " (" + neither + ")"
	}
}

// freeText lists the unbound variables of a list.
func (o *Options) freeText(list term.Term) string {
	var free []term.Term
	for _, item := range listed(list) {
		if _, unbound := item.(*term.Var); unbound {
			free = append(free, item)
		}
	}
	return strings.Trim(o.text(Goal{"user", term.List(free...)}), "[]")
}

// rootReason returns the final reason of the raw misses of a goal, "" for none.
func (o *Options) rootReason(raw term.Term, g Goal) string {
	apart := *o
	apart.naming, apart.above = o.naming.apart(g.Term), g.Term
	if list, more := apart.misses(raw); len(list) > 0 && list[0].way {
		return waysReason(list, more, "")
	} else if len(list) > 0 {
		return list[0].reasonAt("", "")
	}
	return ""
}

// verdicts are the words for the result of a goal.
var verdicts = map[term.Term]string{
	term.Atom("holds"): "would hold", term.Atom("fails"): "failed", term.Atom("asks"): "asks the user",
	term.Atom("open"): "open",
}

// readOthers reads the number of other called instances of the failed goal, and some of them. If they are all equal it
// reads some instances of the goals of their clause.
func (m *miss) readOthers(o *Options, args []term.Term) {
	m.others, m.least = counted(args[0])
	lists := args[1:]
	if isHidden(o, m.failedGoal) {
		lists = lists[1:]
	}
	for _, list := range lists {
		for _, item := range listed(list) {
			g := goalOf(item)
			other := *o
			other.naming = o.naming.within()
			other.naming.inherit(m.failedGoal.Term, g.Term)
			if text := other.calledText(g); text != m.failed && text != m.goal {
				asked := g
				if other.compare(g, g, false).written == "" && other.alike(g, m.failedGoal) {
					asked = m.failedGoal
				}
				m.otherFailed = addOther(m.otherFailed, other.otherText(g, asked))
			}
		}
		if len(m.otherFailed) > 0 {
			return
		}
	}
}

// readSingle reads the difference between another instance of the clause and that of the miss. It also reads the only
// goal that the other instance lacks, and the written form of that goal.
func (m *miss) readSingle(o *Options, args []term.Term) {
	pair, _ := term.Is(args[1], "-", 2)
	own, lacked := *o, goalOf(pair[0])
	own.naming = o.naming.within()
	c := own.compare(lacked, goalIn(pair[1], lacked.Module), false)
	words := cmp.Or(c.words, own.opposite(lacked, c.written))
	m.single = "; with `" + own.text(goalOf(args[0])) + "` only one condition fails: " +
		cmp.Or(words, "`"+own.text(lacked)+"`")
}

// alike reports whether a comparison may be another instance of a goal that its clause has: sides without variables
// must be equal.
func (o *Options) alike(g, failed Goal) bool {
	sides, args := comparedSides().FindStringSubmatch(o.compare(failed, failed, false).written), argsOf(g.Term)
	if sides == nil || g.name() != failed.name() || len(args) != 2 {
		return false
	}
	for i, arg := range args {
		if !variableSide().MatchString(sides[i+1]) && o.text(Goal{"user", arg}) != sides[i+1] {
			return false
		}
	}
	return true
}

// failures says how many instances of other goals of a clause have failed, and names some.
func (o *Options) failures(where string, args []term.Term) string {
	n, least := counted(args[0])
	var some []string
	for _, item := range listed(args[1]) {
		pair, _ := term.Is(item, "-", 2)
		own, g := *o, goalOf(pair[0])
		own.naming = o.naming.within()
		some = addOther(some, own.otherText(g, goalIn(pair[1], g.Module)))
	}
	return "; " + failures(n, least, where, some)
}

// counted reads a number of goals: N, or least(N) if there may be more.
func counted(t term.Term) (n int, least bool) {
	args, least := term.Is(t, "least", 1)
	if least {
		t = args[0]
	}
	number, _ := t.(term.Int)
	return int(number), least
}

// otherText writes a goal for a list of others, in words if there are any. asked is the instance in the clause.
func (o *Options) otherText(g, asked Goal) string {
	c := o.compare(g, asked, false)
	if c.terms { // its words have commas
		c.words = ""
	}
	return cmp.Or(c.words, "`"+cmp.Or(o.unequalText(g, asked), o.calledText(g))+"`")
}

// addOther adds a text to those of other instances, each once.
func addOther(list []string, text string) []string {
	if slices.Contains(list, text) || len(list) == maxOthers {
		return list
	}
	return append(list, text)
}

// maxHeads bounds the heads of clauses that nearly match a goal.
const maxHeads = 3

// maxOthers bounds the shown other instances of a goal.
const maxOthers = 3

// explainText words the failure of a terminal in a clause of a grammar.
func (o *Options) explainText(m *miss) {
	if m.terminal != nil && m.kind == "clause" && m.next() != nil && m.next().kind == "false" && o.inGrammar(m.call) {
		text := o.expected(m.terminal)
		m.failed, m.because[0].expected, m.because[0].says = text, text, ""
	}
}

// The limits of the proof of a negated goal.
const (
	holdsNodes = 12
	holdsDepth = 3
	holdsBytes = 1 << 10
)

// readProof makes the proof of a negated goal.
func (m *miss) readProof(o *Options, args []term.Term) {
	if b := o.within(args[0], o.undefined); b != nil {
		m.proofs, m.says, m.undefined = []*Node{b.root}, b.root.Says, b.root.Undefined
		if m.says == "" {
			m.says, m.as = o.ruleWords(b.root.call, false), b.root.follows()
		}
		name := b.root.call.name()
		if m.says == "" && (equalities[name] || sameness[name] != "") && b.root.shown != m.failed {
			m.says = b.root.shown
		}
		if words := o.unequalText(m.call, m.call); words != "" && m.says == "" {
			m.says = strings.Replace(words, " is not ", " is ", 1)
		}
		if _, junction := shapes.Junction(m.failedGoal.Term); junction && !m.undefined {
			m.says, m.as, m.proofs = b.root.together(), "", b.root.parts()
		}
	}
}

// parts returns the nodes of goals that hold together, or the node itself.
func (n *Node) parts() []*Node {
	if n.call.Term == term.Term(term.Atom("true")) && len(n.kids) > 0 {
		return n.kids
	}
	return []*Node{n}
}

// together says in words which goals hold, with the misses of negated ones.
func (n *Node) together() string {
	var texts []string
	for _, part := range n.parts() {
		text := cmp.Or(part.Says, "`"+part.shown+"` holds")
		if part.missing != "" && len(part.missing) <= maxAs {
			text = cmp.Or(part.Says, "`"+part.shown+"`") + ": " + part.missing
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " and ")
}

// readAlso reads the other solutions of a negated goal.
func (m *miss) readAlso(o *Options, args []term.Term) {
	for _, item := range listed(args[0]) {
		if b := o.within(item, o.undefined); b != nil {
			root, other := b.root, ""
			switch as := root.follows(); {
			case root.shown == m.failed && as != "":
				other = "as " + as
			case root.Says != "":
				other = root.Says
			default:
				other = "`" + root.shown + "`" + following(", as ", as)
			}
			m.also, m.proofs = m.also+"; also "+other, append(m.proofs, root)
		}
	}
}

// maxAs bounds the text of the goals that a goal follows from.
const maxAs = 200

// follows writes in a line the goals that a goal proved by a rule follows from, "" for other goals. For a conjunction
// it writes the misses of its goals. For a defeated rule it writes the goals of the stronger rule.
func (n *Node) follows() string {
	var brief, whole []string // without what is missing, and with it
	for _, kid := range n.kids {
		if kid.call.name() == "rule applies" {
			return kid.follows()
		}
		if n.place.Body != nil || kid.missing != "" {
			text := "`" + kid.shown + "`"
			if comparison(kid.call.Term) != nil {
				text = cmp.Or(kid.Says, text)
			}
			brief, whole = append(brief, text), append(whole, text+following(": ", kid.missing))
		}
	}
	for _, texts := range [][]string{whole, brief} {
		if text := strings.Join(texts, " and "); n.By == "rule" && len(text) <= maxAs {
			return text
		}
	}
	return ""
}

// within makes the small proof of a raw node that is a part of misses, nil for none. undefined says that its goal is
// neither true nor false.
func (o *Options) within(raw term.Term, undefined bool) *builder {
	own := *o
	own.Nodes, own.Depth, own.Bytes, own.undefined = holdsNodes, holdsDepth, holdsBytes, undefined
	b, p := newBuilder(term.Nil, raw, own)
	if p == nil {
		return nil
	}
	for _, n := range p.Nodes {
		n.ID, n.From = "", nil // a node that was cut in a miss cannot be expanded
	}
	b.root = p.Nodes[0]
	return b
}

// solutions writes the first solutions that a goal has collected, after a colon, "" for none.
func (o *Options) solutions(list term.Term) string {
	var texts []string
	for i, item := range listed(list) {
		text := "..."
		if i < maxOthers {
			own := *o
			own.naming = o.naming.within()
			text = bare(goalOf(item).Term, own.text(goalOf(item)))
		}
		texts = append(texts, text)
	}
	return following(": ", strings.Join(texts, "; "))
}

// readHeld reads the goals that held, or the facts that are near. because has their collected solutions.
func (m *miss) readHeld(o *Options, items []term.Term, because term.Term) {
	solutions := map[term.Term]term.Term{}
	for _, item := range listed(because) {
		if args, ok := term.Is(item, "solutions", 2); ok {
			solutions[args[0]] = args[1]
		}
	}
	for i, item := range items {
		near, ok := term.Is(item, "near", 4)
		if !ok {
			item, undefined := inDoubt(item)
			if of, ok := term.Is(item, "within", 1); ok {
				item = of[0]
			}
			g := goalIn(item, m.call.Module)
			if !undefined {
				m.heldCount++
			}
			n := o.condition("held", g, m.detail == "counterexample")
			if t := terminalOf(item, m.call.Module); t != nil && o.inGrammar(m.call) {
				n = &Node{By: "held", call: g, Goal: o.code(g), shown: o.readAsExpected(t)}
			}
			if n == nil || n.shown == "" {
				continue
			}
			if undefined {
				n.By, n.Undefined = "open", true
			}
			if some := solutions[term.Int(i+1)]; some != nil {
				n.shown += o.solutions(some)
			}
			n.label()
			m.held = append(m.held, n)
			continue
		}
		g, place := Goal{m.call.Module, near[0]}, ""
		head, own := near[3] == term.Term(term.Atom("head")), *o
		if at, ok := near[1].(*term.Compound); ok && len(at.Args) == 3 {
			if m.detail == "near" && at.Args[2] != term.Term(term.Atom("true")) {
				m.setKind("nohead")
				head = true
			}
			clause := placeOf(at.Args, o)
			own.naming, place = o.clauseNames(clause, g, nil), " at "+clause.String()
		}
		text := own.text(g) + place
		if head {
			m.nearBy, text = "clause", own.headText(g)+place
			if at, ok := near[1].(*term.Compound); ok && len(at.Args) == 3 {
				m.nearBy = placeOf(at.Args, o).noun()
			}
		}
		if keyed := near[3] == term.Term(term.Atom("spelled")) || sameFirst(near[0], m.call.Term); keyed && !m.keyed {
			m.near, m.differs, m.keyed = nil, nil, true
		} else if m.keyed && !keyed && m.detail == "near" {
			continue
		}
		if !head {
			text = saying(o.says(g, func(a Advice) string { return a.Says }), text)
		}
		m.near = append(m.near, text)
		m.differs = append(m.differs, o.difference(near, m.call, own.naming))
		m.noteRounded(argsOf(near[0]), argsOf(m.call.Term), o)
	}
}

// unnamed begins the description of an argument without a name.
const unnamed = "="

// difference returns the name of the argument in which a near fact differs from a goal, with the two values. For an
// unnamed argument the name is made of unnamed and the number. The name is "" if there is no other argument, or if two
// arguments have that value. names has the names of the variables in the near fact.
func (o *Options) difference(near []term.Term, wanted Goal, names *naming) (named [3]string) {
	name, arity, _ := term.Indicator(wanted.Term)
	at, _ := near[2].(term.Int)
	is, not := argsOf(near[0]), argsOf(wanted.Term)
	if at < 1 || int(at) > min(len(is), len(not)) {
		return named
	}
	own, other := *o, *o
	own.naming, other.naming = o.naming.within(), names.within()
	named = [3]string{o.argumentName([]Argument{{Name: string(name), Arity: arity, At: int(at) - 1}}, wanted.Module),
		other.text(Goal{"user", is[at-1]}), own.text(Goal{"user", not[at-1]})}
	others := slices.DeleteFunc(slices.Clone(is), func(t term.Term) bool { return term.Compare(t, is[at-1]) != 0 })
	if named[0] == "" && arity > 1 && len(others) == 1 {
		named[0] = unnamed + strconv.Itoa(int(at))
	}
	named[1], named[2] = toldApart(is[at-1], named[1], not[at-1], named[2])
	return named
}

// toldApart returns the texts of two values. The text of a float says that it is a float if the other value is the same
// number.
func toldApart(x term.Term, textX string, y term.Term, textY string) (ofX, ofY string) {
	a, b := values.Number(x), values.Number(y)
	_, first := x.(term.Float)
	_, second := y.(term.Float)
	if a == nil || b == nil || a.Cmp(b) != 0 || first == second {
		return textX, textY
	} else if first {
		return "the float " + textX, textY
	}
	return textX, "the float " + textY
}

// argsOf are the arguments of a goal.
func argsOf(goal term.Term) []term.Term {
	if c, ok := goal.(*term.Compound); ok {
		return c.Args
	}
	return nil
}

// noteRounded notes that one of two corresponding numbers may be the other one rounded to a float by a client or a
// database, or that of two texts one is an atom and the other a string.
func (m *miss) noteRounded(known, wanted []term.Term, o *Options) {
	for i, value := range known[:min(len(known), len(wanted))] {
		if term.SameRounded(value, wanted[i]) {
			rounded, exact := wanted[i], value
			if _, isFloat := value.(term.Float); isFloat {
				rounded, exact = exact, rounded
			}
			m.rounded = "; " + o.text(Goal{"user", rounded}) + " may be " + o.text(Goal{"user", exact}) +
				" rounded to a float; send such a number as text"
		}
		x, isText := term.Text(value)
		if y, ok := term.Text(wanted[i]); ok && isText && x == y && term.Compare(value, wanted[i]) != 0 {
			types := [2]string{"an atom", "a string"}
			if _, isString := wanted[i].(term.String); isString {
				types = [2]string{types[1], types[0]}
			}
			m.rounded = "; " + o.text(Goal{"user", wanted[i]}) + " is " + types[0] + ", and " +
				o.text(Goal{"user", value}) + " " + types[1]
		}
	}
}

// sameFirst reports whether two goals have the same first argument.
func sameFirst(x, y term.Term) bool {
	a, ok := x.(*term.Compound)
	b, okToo := y.(*term.Compound)
	return ok && okToo && term.Compare(a.Args[0], b.Args[0]) == 0
}

// heldWords returns the author's words for a goal that holds, or the words for its comparison, and the goal in words.
func (o *Options) heldWords(g Goal) (says, shown, turns string) {
	says, shown = o.holding(g), o.calledText(g)
	c := o.compare(g, g, true)
	if c.whole {
		shown = cmp.Or(c.words, shown)
	}
	if c.terms {
		return says, shown, ""
	}
	return cmp.Or(c.words, says), shown, c.turns
}

// following returns words after a linking phrase, "" for none.
func following(link, words string) string {
	if words == "" {
		return ""
	}
	return link + words
}

// saying returns a text after its words, unless there are none or the text already begins with them.
func saying(words, text string) string {
	rest, begins := strings.CutPrefix(text, words)
	if words == "" || begins && (rest == "" || strings.HasPrefix(rest, " at ") ||
		slices.Contains([]string{": ", " (", "; "}, rest[:min(len(rest), 2)])) {
		return text
	}
	return words + ": " + text
}

// readFailed reads the failed goal, or the other subject of the miss.
func (m *miss) readFailed(o *Options, t term.Term) {
	if args := argsOf(m.call.Term); m.what() == "false" && len(args) == 2 {
		m.noteRounded(args[:1], args[1:], o)
	}
	if t == term.Term(term.Atom("none")) {
		return
	}
	g := goalOf(t)
	switch m.what() {
	case "error":
		if question, ok := newQuestion(g.Term); ok {
			m.setKind("asks")
			m.note = question
			return
		}
		m.note, m.worded = o.thrown(g.Term)
		if free := o.noValues(m.call); free != "" && isUnbound(g.Term) {
			m.note, m.worded = "an error: "+free, true
		}
	case "recovery":
		if args, ok := term.Is(g.Term, "caught", 2); ok {
			text, _ := o.thrown(args[0])
			m.note, m.failedGoal = text, goalOf(args[1])
			m.failed = o.text(Goal{g.Module, m.failedGoal.Term})
		}
	case "answered":
		m.note = o.answered(m.call, g.Term)
		m.leftOpen = g.Term == term.Term(term.Atom("decline")) || g.Term == term.Term(term.Atom("cancel"))
	case "cut":
		test := g.Term
		if args, ok := term.Is(g.Term, "before", 3); ok {
			at, _ := args[1].(*term.Compound)
			m.note, test = following(" at ", placeOf(at.Args, o).String()), args[0]
			m.first, m.own = args[2] == term.Term(term.Atom("first")), args[2] == term.Term(term.Atom("own"))
		}
		if test != term.Term(term.Atom("true")) {
			test, m.undefined = inDoubt(test)
			m.failed = o.tested(Goal{m.call.Module, test}, true)
		}
	case "nofact":
		m.readKnown(o, g.Term)
	case "norow":
		if args, ok := term.Is(t, "row", 2); ok {
			m.readKnown(o, args[1])
			if value, ok := term.Is(args[1], "lacks", 1); ok {
				file, _ := term.Text(args[0])
				m.uncovered = "no row of " + o.Name(file) + " is for " + o.text(Goal{"user", value[0]})
				if hits, ok := term.Is(value[0], "decision_hits", 3); ok && hits[1] == term.Term(term.Nil) && hits[2] == null {
					m.uncovered = "no row of " + o.Name(file) + " holds"
				} else if ok {
					m.uncovered = o.text(Goal{"user", value[0]})
				}
			}
			m.note, _ = term.Text(args[0])
		}
	case "false":
		if args, ok := term.Is(g.Term, "met", 4); ok {
			m.met = args
			return
		}
		if m.readKnown(o, g.Term) {
			m.note = ""
			return
		}
		m.among, m.note = o.constraints(g)
	default:
		m.failedGoal, m.failed, m.terminal = g, o.calledText(g), terminalOf(t, m.call.Module)
		m.failedCode = o.code(g)
		m.failed = cmp.Or(o.unequalText(g, g), m.failed)
	}
}

// unequal lists the predicates that require two values to differ.
var unequal = map[term.Atom]bool{`\==`: true, `\=`: true, `=\=`: true, `#\=`: true, "dif": true}

// unequalText describes a goal that requires a variable of its clause to differ from a constant which it equals. It
// names the variable, as "a is not a" would be meaningless. asked is the instance in the clause. It returns "" for
// other goals.
func (o *Options) unequalText(g, asked Goal) string {
	wants := unequal
	if inner, of := negated(g.Term), negated(asked.Term); inner != nil && of != nil {
		g, asked, wants = goalIn(inner, g.Module), goalIn(of, g.Module), equalities
	}
	args := argsOf(g.Term)
	if !wants[g.name()] || len(args) != 2 || term.Compare(args[0], args[1]) != 0 {
		return ""
	}
	sides := sidesOf(o.compare(g, asked, false).written)
	if sides == nil || variableSide().FindString(sides[1]) != sides[1] || variableSide().MatchString(sides[2]) {
		return ""
	}
	return sides[1] + " is not " + o.text(Goal{"user", args[1]})
}

// readKnown reads known(Argument, Values, Count): values that facts have in an argument, and their number.
func (m *miss) readKnown(o *Options, raw term.Term) bool {
	args, ok := term.Is(raw, "known", 3)
	if !ok {
		return false
	}
	at, _ := args[0].(term.Int)
	wanted := argsOf(m.call.Term)[at-1 : at]
	for _, value := range listed(args[1]) {
		m.known = append(m.known, o.text(Goal{"user", value}))
		m.noteRounded([]term.Term{value}, wanted, o)
	}
	n, _ := args[2].(term.Int)
	m.knownCount, m.instead = int(n), o.text(Goal{"user", wanted[0]})
	if found := listed(args[1]); len(found) == 1 {
		m.known[0], m.instead = toldApart(found[0], m.known[0], wanted[0], m.instead)
	}
	m.note = m.instead
	return true
}

// thrown returns the text of a thrown term, in words if they are known.
func (o *Options) thrown(ball term.Term) (text string, worded bool) {
	ball = o.veiled(ball)
	if _, isError := term.Is(ball, "error", 2); isError && o.Message != nil {
		if text := o.Message(ball); text != "" {
			for _, plain := range plainErrors {
				text = plain.is().ReplaceAllString(text, plain.words)
			}
			return "an error: " + syntax.CutText(text, maxGoal) + meant(ball), true
		}
	}
	return o.text(Goal{"user", ball}), false
}

// isUnbound reports whether an error says that a variable is unbound.
func isUnbound(ball term.Term) bool {
	args, ok := term.Is(ball, "error", 2)
	return ok && args[0] == term.Term(term.Atom("instantiation_error"))
}

// throwsUnbound reports whether the first of some raw misses is such an error.
func throwsUnbound(list term.Term) bool {
	for _, item := range listed(list) {
		if args := missOf(item); args != nil {
			return args[0] == term.Term(term.Atom("error")) && isUnbound(goalOf(args[5]).Term)
		}
	}
	return false
}

// noValues names the unbound variables of a comparison or an expression, "" if they are unknown.
func (o *Options) noValues(g Goal) string {
	args := argsOf(g.Term)
	if !comparesOrComputes(g.Term) {
		return ""
	} else if g.name() == "is" {
		args = args[1:]
	}
	var names []string
	for _, v := range term.Variables(args...) {
		if name := o.naming.names[v]; name == "" {
			return ""
		} else {
			names = append(names, name)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " has no value"
	}
	return strings.Join(names, " and ") + " have no values"
}

// plainErrors are words for errors that need no knowledge of Prolog.
var plainErrors = []struct {
	is    func() *regexp.Regexp
	words string
}{
	{lazyregexp.New("^(?:\\S+: )?Type error: `\\[\\]'" + typeFound), "`$1` is not a number"},
	{lazyregexp.New("^(?:\\S+: )?Type error: `([aeiou]\\w*)'" + typeFound), "`$2` is not an $1"},
	{lazyregexp.New("^(?:\\S+: )?Type error: `(\\w+)'" + typeFound), "`$2` is not a $1"},
	{lazyregexp.New("^(?:\\S+: )?Type error: `oneof\\(\\[(.*)\\]\\)'" + typeFound), "`$2` is none of $1"},
	{lazyregexp.New(`^(?:\S+: )?Arguments are not sufficiently instantiated`), "a value that it needs is not known"},
	{lazyregexp.New("^(?:\\S+: )?Arithmetic: evaluation error: `zero_divisor'"), "a number is divided by zero"},
	{lazyregexp.New("^(?:\\S+: )?Arithmetic: `(\\S+)/0' is not a function"), "`$1` is not a number"},
	{lazyregexp.New("^(?:\\S+: )?Arithmetic: `_\\d*(\\{.*\\})' is not a function"), "`_$1` is not a number"},
	{lazyregexp.New("^(?:\\S+: )?key `(.*)' does not exist in _\\d*(\\{.*\\})"), "`_$2` has no $1"},
	{lazyregexp.New("^(?:\\S+: )?Arithmetic: `(\\S+/\\d+)' is not a function"), "there is no function $1"},
	{lazyregexp.New(`^(?:\S+: )?Unknown procedure: (\S+/\d+)`), "$1 is not defined"},
}

const typeFound = " expected, found `(.*)' \\(an? [a-z ]+\\)"

// answered describes the user's answer to a question for which the goal expects another answer.
func (o *Options) answered(question Goal, answer term.Term) string {
	c, ok := question.Term.(*term.Compound)
	if !ok {
		return ""
	}
	asked, n := "", 0
	for _, arg := range c.Args[:len(c.Args)-1] {
		if text, isText := term.Text(arg); isText && len(text) > n {
			asked, n = text, len(text)
		}
	}
	switch answer {
	case term.Term(term.Atom("decline")):
		return "the user declined to answer \"" + asked + "\""
	case term.Term(term.Atom("cancel")):
		return "the user gave no answer to \"" + asked + "\""
	}
	wanted := c.Args[len(c.Args)-1]
	return "the user answered " + o.text(Goal{"user", answer}) + " to \"" + asked + "\", and the clause wants " +
		o.text(Goal{"user", wanted})
}

// newQuestion returns the question of the exception for an unanswered question.
func newQuestion(ball term.Term) (text string, ok bool) {
	args, ok := term.Is(ball, "error", 2)
	if !ok {
		return "", false
	}
	if args, ok = term.Is(args[0], "mcp_error", 2); !ok || args[0] != term.Term(term.Atom("new_question")) {
		return "", false
	}
	return term.Text(args[1])
}

// constraints writes Goal-Constraints, a goal and the constraints that it met, as parts of one clause, so each variable
// has one name.
func (o *Options) constraints(met Goal) (text, list string) {
	args, ok := term.Is(met.Term, "-", 2)
	if !ok {
		return "", ""
	}
	own := *o
	own.naming = o.naming.within()
	own.naming.share(met.Term)
	return own.text(Goal{met.Module, args[0]}), own.constraintTexts(args[1])
}

// constraintTexts writes constraints, each once.
func (o *Options) constraintTexts(list term.Term) string {
	var texts []string
	for _, item := range listed(list) {
		if text := o.text(goalOf(item)); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return syntax.CutText(strings.Join(texts, ", "), maxGoal)
}

// contradiction writes the goal of a miss in the clause of another one, and the constraints that it contradicts.
func (o *Options) contradiction(m, of *miss) (text, list string) {
	failed := goalOf(m.met[0])
	head := goalOf(m.met[2])
	at := of.place
	at.Body = m.met[3]
	own := *o
	own.naming = o.naming.within()
	own.naming.inherit(of.call.Term, head.Term)
	own.naming.inherit(of.place.Body, at.Body)
	own.naming = own.clauseNames(at, head, append(listed(m.met[1]), failed.Term, failed.Term))
	return own.text(failed), own.constraintTexts(m.met[1])
}

// lacks are the failing goals of a clause that could be facts. fact says that the first of them could be a fact. rule
// says that its own clauses may lack facts. others are the goals after it.
type lacks struct {
	fact, rule bool
	others     []Goal
}

func (m *miss) readLacks(_ *Options, args []term.Term) {
	m.lacks = &lacks{fact: args[0] != term.Term(term.Atom("rule")), rule: args[0] != term.Term(term.Atom("fact")),
		others: goalsOf(args[1])}
}

// goalsOf returns the goals of a list.
func goalsOf(list term.Term) (goals []Goal) {
	for _, item := range listed(list) {
		goals = append(goals, goalOf(item))
	}
	return goals
}

// maxLacking bounds the facts that are tried together.
const maxLacking = 3

// lacking returns sets of facts with which the goal of a miss may hold, of at most three facts each.
func (m *miss) lacking() (sets [][]Goal) {
	switch m.what() {
	case "nofact", "near", "norow", "empty", "unknown":
		if len(term.Variables(m.call.Term)) == 0 && m.uncovered == "" {
			return [][]Goal{{m.call}}
		}
	case "holds":
		for _, fact := range m.breaks {
			sets = append(sets, []Goal{fact})
		}
	case "counterexample":
		for _, deeper := range m.because {
			sets = append(sets, deeper.lacking()...)
		}
	case "clause":
		for _, other := range m.branches {
			if other.lacks != nil {
				sets = append(sets, other.lacks.lacking()...)
			}
		}
		if m.lacks == nil {
			return sets
		}
		var first [][]Goal
		if m.lacks.rule {
			for _, deeper := range m.because {
				first = append(first, deeper.lacking()...)
			}
		}
		if m.lacks.fact {
			first = append(first, []Goal{m.failedGoal})
		}
		for _, set := range first {
			if set = append(slices.Clip(set), m.lacks.others...); len(set) <= maxLacking {
				sets = append(sets, set)
			}
		}
	}
	return sets
}
