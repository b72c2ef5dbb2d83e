package explain

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines misses: why goals have no answers.

// Miss is one reason why a goal has no answer.
type Miss struct {
	// Kind is clause, body, false, near, nofact, nohead, norow, empty, unknown, holds, counterexample, error, asks,
	// recovery, answered, circle, cut or limit.
	Kind string
	Goal
	// Text is the goal as it is written, Says what a template makes of it or "".
	Text, Says string
	At         Place
	// Source is where the clause comes from, "" when nobody says.
	Source string
	// Held are goals of the clause that hold together, those left out that say nothing. HeldCount is how many hold, Total
	// how many goals the clause has.
	Held             []string
	HeldCount, Total int
	// passed is how many goals of the text of the clause are before the one that failed.
	passed int
	// Failed is the first goal that does not hold with them, "" if there is none.
	Failed     string
	FailedGoal Goal
	// Behind are the goals of the clause behind the one that failed.
	Behind []Condition
	// Others is how many other instances of the goal that failed have failed too, OtherFailed are some of them.
	Others      int
	OtherFailed []string
	// Unended says that there may be more, for which a limit left no time.
	Unended bool
	// Near are facts that differ in one argument, with their places.
	Near []string
	// Known are values that facts have where the goal has another one, KnownCount is how many such values there are.
	Known      []string
	KnownCount int
	// Note says more: constraints that hold, what was thrown.
	Note string
	// among is the goal with the variables named as in the constraints of the note.
	among string
	// Written is the goal that failed as its clause has it, "" when that is not known.
	Written string
	// Turns says from which value on a comparison of numbers would hold, as in "A from 18 on"; "" for other goals.
	Turns string
	// Expected says of a text that a grammar does not fit what is expected in it, "" for other misses.
	Expected string
	// Proof says why a goal holds that must not.
	Proof string
	// Because are the misses of the goal that failed, More is how many others it has.
	Because []*Miss
	More    int

	lacks   *lacks      // what the clause lacks, nil when that cannot be facts
	instead string      // the argument that the known values stand for
	met     []term.Term // the arguments of met(Failed, Constraints, Goal, Body)
	worded  bool        // the note has an error in words
	heads   bool        // what is near are heads of clauses

	terminal *terminal // what failed, if it is the terminal of a grammar
	unseen   bool      // it asks for an environment variable, of which goals see none
}

// Condition is a goal of a clause behind the one that failed.
type Condition struct {
	Goal string
	// Verdict is "would hold" with those before it that would, or "failed"; "depends on" and the variables that the goals
	// before it did not find; or "asks the user".
	Verdict string
}

// NewMisses makes misses of the raw ones of library(explain): misses(Goal, List). more is how many others there are,
// columns a line that says what the columns are called of the rows in them, or "".
func NewMisses(raw term.Term, o Options) (list []*Miss, more int, columns string) {
	o = o.withDefaults()
	args, ok := term.Is(raw, "misses", 2)
	if !ok {
		return nil, 0, ""
	}
	goal, found := o.withLambdas(args[0]), o.withLambdas(args[1])
	items, _ := term.Slice(found)
	o.above = goalOf(goal).Term
	list, more = o.misses(items)
	return list, more, o.legend.text()
}

// misses reads raw misses. more is how many others there are.
func (o *Options) misses(items []term.Term) (list []*Miss, more int) {
	for _, item := range items {
		if args, ok := term.Is(item, "more", 1); ok {
			n, _ := args[0].(term.Int)
			more += int(n)
		} else if m := o.miss(item); m != nil {
			list = append(list, m)
		}
	}
	return list, more
}

// miss reads miss(Kind, Goal, Place, Held, Total, Failed, Because).
func (o *Options) miss(raw term.Term) *Miss {
	args, ok := term.Is(raw, "miss", 7)
	if !ok {
		return nil
	}
	kind, _ := term.Text(args[0])
	m := &Miss{Kind: kind, Goal: goalOf(args[1])}
	if at, ok := args[2].(*term.Compound); ok && at.Functor == "at" {
		m.At = placeOf(at.Args, o)
	}
	held, _ := term.Slice(args[3])
	within := *o
	within.naming = o.naming.within()
	within.naming.inherit(o.above, m.Term)
	o = &within
	if kind == "clause" || kind == "body" {
		o.naming = o.clauseNames(m.At, m.Goal, append(slices.Clone(held), args[5], behind(args[6])))
	}
	m.Text = o.text(m.Goal)
	m.Source = o.source(m.At, m.Goal)
	m.Says = o.says(m.Goal, func(a Advice) string { return a.SaysNot })
	if total, ok := args[4].(term.Int); ok {
		m.Total = int(total)
	}
	m.readHeld(o, held)
	m.readFailed(o, args[5])
	_, m.unseen = term.Is(m.Term, "getenv", 2)
	m.unseen = m.unseen && o.NoEnv
	if m.Kind == "limit" && o.Ended != nil {
		_, m.Note = o.Ended(m.Goal)
	}
	m.readBecause(o, args[6])
	o.explainText(m)
	if m.Written = o.written(m); m.Written != "" {
		for _, deeper := range m.Because {
			deeper.Written = m.Written
			deeper.Turns = o.turns(deeper.Term, m.Written)
		}
	}
	return m
}

// readBecause reads what else a raw miss says, and the misses of the goal that failed.
func (m *Miss) readBecause(o *Options, list term.Term) {
	items, _ := term.Slice(list)
	var rest []term.Term
	for _, item := range items {
		c, ok := item.(*term.Compound)
		switch {
		case item == term.Term(term.Atom("unended")):
			m.Unended = true
		case ok && c.Functor == "lacks" && len(c.Args) == 2:
			m.readLacks(c.Args)
		case ok && c.Functor == "verdicts" && len(c.Args) == 1:
			m.readVerdicts(o, c.Args[0])
		case ok && c.Functor == "holds" && len(c.Args) == 1:
			m.readProof(o, c.Args[0])
		case ok && c.Functor == "others" && len(c.Args) == 3:
			m.readOthers(o, c.Args)
		default:
			rest = append(rest, item)
		}
	}
	below := *o
	below.above = m.FailedGoal.Term
	m.Because, m.More = below.misses(rest)
	for _, deeper := range m.Because {
		if deeper.met != nil {
			deeper.among, deeper.Note = below.contradiction(deeper, m)
		}
	}
}

// behind is the list of what goals come to behind the one that failed.
func behind(because term.Term) term.Term {
	items, _ := term.Slice(because)
	for _, item := range items {
		if list, ok := term.Is(item, "verdicts", 1); ok {
			return list[0]
		}
	}
	return term.Nil
}

// readVerdicts reads verdict(How, Goal) of each goal behind the one that failed.
func (m *Miss) readVerdicts(o *Options, list term.Term) {
	items, _ := term.Slice(list)
	for _, item := range items {
		args, ok := term.Is(item, "verdict", 2)
		if !ok {
			continue
		}
		g := goalOf(args[1])
		if g.Module == "user" {
			g.Module = m.Module
		}
		verdict := verdicts[args[0]]
		if vars, depends := term.Is(args[0], "depends", 1); depends {
			verdict = "depends on " + strings.Trim(o.text(Goal{"user", vars[0]}), "[]")
		}
		text := o.text(g)
		if verdict == "would hold" {
			text = o.heldText(g)
		}
		if text != "" {
			m.Behind = append(m.Behind, Condition{text, verdict})
		}
	}
}

// verdicts are the words for what a goal comes to.
var verdicts = map[term.Term]string{
	term.Atom("holds"): "would hold", term.Atom("fails"): "failed", term.Atom("asks"): "asks the user",
}

// readOthers reads how many other instances of the goal that failed were called, and some of them; if they are all the
// same, some of the goals whose clause they stand in.
func (m *Miss) readOthers(o *Options, args []term.Term) {
	n, _ := args[0].(term.Int)
	m.Others = int(n)
	for _, list := range args[1:] {
		items, _ := term.Slice(list)
		for _, item := range items {
			g := goalOf(item)
			other := *o
			other.naming = o.naming.apart()
			text := other.text(g)
			if text != m.Failed && text != m.Text && !slices.Contains(m.OtherFailed, text) && len(m.OtherFailed) < maxOthers {
				m.OtherFailed = append(m.OtherFailed, text)
			}
		}
		if len(m.OtherFailed) > 0 {
			return
		}
	}
}

// maxHeads bounds the heads of clauses that nearly fit a goal.
const maxHeads = 3

// maxOthers bounds the other instances of a goal that are shown.
const maxOthers = 3

// explainText words the failure of a terminal in a clause of a grammar.
func (o *Options) explainText(m *Miss) {
	if m.Kind != "clause" || len(m.Because) == 0 || m.Because[0].Kind != "false" || !o.inGrammar(m.Goal) {
		return
	}
	if m.terminal != nil {
		text := o.expected(m.terminal)
		m.Failed, m.Because[0].Expected = text, text
	}
}

// written is the goal that failed as its clause has it, if that says more: which values are compared.
func (o *Options) written(m *Miss) string {
	if o.Written == nil || m.Kind != "clause" || len(m.Because) == 0 || m.Because[0].Kind != "false" ||
		m.Because[0].Text != m.Failed {
		return ""
	}
	return o.Written(m.At, m.passed, m.FailedGoal)
}

// The limits of the proof of a goal that must not hold.
const (
	holdsNodes = 12
	holdsDepth = 3
	holdsBytes = 1 << 10
)

// cutNames are the names of nodes that were cut, which nobody can go on from in a miss.
var cutNames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(` \.\.\. \(n[0-9.]+\)\n`)
})

// readProof makes the text of the proof of a goal that must not hold.
func (m *Miss) readProof(o *Options, raw term.Term) {
	own := *o
	own.Nodes, own.Depth, own.Bytes = holdsNodes, holdsDepth, holdsBytes
	if p := NewProof(term.New("proof", term.Nil, raw), own); p != nil {
		m.Proof = cutNames().ReplaceAllString(p.Text, " ...\n")
		m.Says = p.Nodes[0].Says
	}
}

// readHeld reads the goals that held, or the facts that are near.
func (m *Miss) readHeld(o *Options, items []term.Term) {
	for _, item := range items {
		near, ok := term.Is(item, "near", 4)
		if !ok {
			if of, ok := term.Is(item, "within", 1); ok {
				item = of[0]
			} else {
				m.passed++
			}
			g := goalOf(item)
			if g.Module == "user" {
				g.Module = m.Module
			}
			m.HeldCount++
			text := ""
			if t := terminalOf(item); t != nil && o.inGrammar(m.Goal) {
				text = o.readAsExpected(t)
			} else if m.Kind == "counterexample" {
				text = o.text(g)
			} else {
				text = o.heldText(g)
			}
			if text != "" {
				m.Held = append(m.Held, text)
			}
			continue
		}
		text := o.text(Goal{m.Module, near[0]})
		if near[3] == term.Term(term.Atom("head")) {
			m.heads = true
			text = o.headText(Goal{m.Module, near[0]})
		}
		if at, ok := near[1].(*term.Compound); ok && len(at.Args) == 3 {
			text += " at " + placeOf(at.Args, o).String()
		}
		m.Near = append(m.Near, text)
	}
}

// heldText writes a goal that holds, with its words, "" for one that says nothing.
func (o *Options) heldText(g Goal) string {
	if name, arity, ok := term.Indicator(g.Term); ok && silent[string(name)+"/"+strconv.Itoa(arity)] {
		return ""
	}
	return leading(o.holding(g)) + o.text(g)
}

// leading is words with what divides them from what follows.
func leading(words string) string {
	if words == "" {
		return ""
	}
	return words + ": "
}

// readFailed reads the goal that failed, or what else the miss is about.
func (m *Miss) readFailed(o *Options, t term.Term) {
	if t == term.Term(term.Atom("none")) {
		return
	}
	g := goalOf(t)
	switch m.Kind {
	case "error":
		if question, ok := newQuestion(g.Term); ok {
			m.Kind, m.Note = "asks", question
			return
		}
		m.Note, m.worded = o.thrown(g.Term)
	case "recovery":
		if args, ok := term.Is(g.Term, "caught", 2); ok {
			text, _ := o.thrown(args[0])
			m.Note, m.FailedGoal = text, goalOf(args[1])
			m.Failed = o.text(Goal{g.Module, m.FailedGoal.Term})
		}
	case "answered":
		m.Note = o.answered(m.Goal, g.Term)
	case "nofact":
		if args, ok := term.Is(g.Term, "known", 3); ok {
			m.readKnown(o, args)
		}
	case "norow":
		if args, ok := term.Is(t, "row", 2); ok {
			if known, ok := term.Is(args[1], "known", 3); ok {
				m.readKnown(o, known)
			}
			m.Note, _ = term.Text(args[0])
		}
	case "false":
		if args, ok := term.Is(g.Term, "met", 4); ok {
			m.met = args
			return
		}
		if args, ok := term.Is(g.Term, "known", 3); ok {
			m.readKnown(o, args)
			m.Note = ""
			return
		}
		m.among, m.Note = o.constraints(g)
	default:
		m.FailedGoal, m.Failed, m.terminal = g, o.text(g), terminalOf(t)
	}
}

// readKnown reads the number of an argument, values that facts have there, and how many there are.
func (m *Miss) readKnown(o *Options, args []term.Term) {
	values, _ := term.Slice(args[1])
	for _, value := range values {
		m.Known = append(m.Known, o.text(Goal{"user", value}))
	}
	n, _ := args[2].(term.Int)
	m.KnownCount = int(n)
	at, _ := args[0].(term.Int)
	if c, ok := m.Term.(*term.Compound); ok && at >= 1 && int(at) <= len(c.Args) {
		m.instead = o.text(Goal{"user", c.Args[at-1]})
		m.Note = m.instead
	}
}

// thrown is what was thrown. An error is put in words if they are known.
func (o *Options) thrown(ball term.Term) (text string, worded bool) {
	ball = o.veiled(ball)
	if _, isError := term.Is(ball, "error", 2); isError && o.Message != nil {
		if text := o.Message(ball); text != "" {
			return syntax.CutText(text, maxGoal), true
		}
	}
	return o.text(Goal{"user", ball}), false
}

// answered says what the user has answered to a question that wants another answer.
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

// newQuestion returns the question of the exception that stands for one that nobody has answered.
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

// constraints writes Goal-Constraints, a goal and the constraints that it met, as of one clause: a variable that is in
// several of them has one name.
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
	items, _ := term.Slice(list)
	var texts []string
	for _, item := range items {
		if text := o.text(goalOf(item)); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return syntax.CutText(strings.Join(texts, ", "), maxGoal)
}

// contradiction writes the goal of a miss in the clause of another one, and of the constraints that the clause met
// before it those that have to do with it.
func (o *Options) contradiction(m, of *Miss) (text, list string) {
	failed := goalOf(m.met[0])
	items, _ := term.Slice(m.met[1])
	items = connected(failed.Term, items)
	head := goalOf(m.met[2])
	at := of.At
	at.Body = m.met[3]
	own := *o
	own.naming = o.naming.within()
	own.naming.inherit(of.Term, head.Term)
	own.naming = own.clauseNames(at, head, append(slices.Clone(items), failed.Term, failed.Term))
	return own.text(failed), own.constraintTexts(term.List(items...))
}

// connected chooses the constraints that a variable of the goal occurs in, or one of those of such constraints.
func connected(goal term.Term, items []term.Term) []term.Term {
	reached := map[*term.Var]bool{}
	for _, v := range term.Variables(goal) {
		reached[v] = true
	}
	chosen := make([]bool, len(items))
	for more := true; more; {
		more = false
		for i, item := range items {
			vars := term.Variables(item)
			if chosen[i] || !slices.ContainsFunc(vars, func(v *term.Var) bool { return reached[v] }) {
				continue
			}
			chosen[i], more = true, true
			for _, v := range vars {
				reached[v] = true
			}
		}
	}
	var list []term.Term
	for i, item := range items {
		if chosen[i] {
			list = append(list, item)
		}
	}
	return list
}

// lacks are the goals of a clause that fail, if they could be facts. fact says it of the first of them, which may also
// be one whose own clauses lack facts; others are those behind it.
type lacks struct {
	fact   bool
	others []Goal
}

func (m *Miss) readLacks(args []term.Term) {
	items, _ := term.Slice(args[1])
	m.lacks = &lacks{fact: args[0] == term.Term(term.Atom("fact"))}
	for _, item := range items {
		m.lacks.others = append(m.lacks.others, goalOf(item))
	}
}

// maxLacking bounds how many facts are tried together.
const maxLacking = 3

// Lacking are sets of facts with which the goal of a miss may hold, of at most three facts each.
func (m *Miss) Lacking() (sets [][]Goal) {
	switch m.Kind {
	case "nofact", "near", "norow", "empty", "unknown":
		if len(term.Variables(m.Term)) == 0 {
			return [][]Goal{{m.Goal}}
		}
	case "clause", "body":
		if m.lacks == nil {
			return nil
		}
		first := [][]Goal{{m.FailedGoal}}
		if !m.lacks.fact {
			first = nil
			for _, deeper := range m.Because {
				first = append(first, deeper.Lacking()...)
			}
		}
		for _, set := range first {
			if set = append(slices.Clip(set), m.lacks.others...); len(set) <= maxLacking {
				sets = append(sets, set)
			}
		}
	}
	return sets
}

// Line says a miss in one line, down to the goal that nothing explains further.
func (m *Miss) Line() string {
	head := m.Says
	if head == "" || m.Kind == "holds" {
		head = "no answer for " + m.Text
	}
	return head + ": " + m.reason()
}

// reason is what a miss comes to in the end.
func (m *Miss) reason() string { return m.reasonWithin(m.Text) }

// reasonWithin is the same for who knows already that a goal has no answer.
func (m *Miss) reasonWithin(known string) string {
	place := ""
	if at := m.At.String(); at != "" {
		place = " at " + at
	}
	switch m.Kind {
	case "clause", "body":
		return m.clauseReason(known, place)
	case "near":
		return "there is " + strings.Join(m.Near, " and ") + ", and no fact `" + m.Text + "`"
	case "nofact":
		return "there is no fact `" + m.Text + "`" + m.knownText()
	case "nohead":
		switch {
		case m.heads && len(m.Near) == 1:
			return "there is a clause for " + m.Near[0] + ", and none for `" + m.Text + "`"
		case m.heads:
			more := ""
			if len(m.Near) > maxHeads {
				more = " and others"
			}
			return "there are clauses for " + strings.Join(m.Near[:min(len(m.Near), maxHeads)], " and ") + more +
				", and none for `" + m.Text + "`"
		case len(m.Near) > 0:
			return "there is " + strings.Join(m.Near, " and ") + ", and no clause for `" + m.Text + "`"
		}
		return "no clause fits `" + m.Text + "`"
	case "norow":
		return "there is no row `" + m.Text + "` in " + m.Note + m.knownText()
	case "empty":
		return indicator(m.Goal) + " has no clauses"
	case "unknown":
		return indicator(m.Goal) + " is not defined" + m.Note
	case "holds":
		if m.Says != "" {
			return m.Says
		}
		return "`" + m.Failed + "` holds"
	case "counterexample":
		if len(m.Held) > 0 {
			return "`" + m.Failed + "` fails for `" + m.Held[0] + "`"
		}
	case "error":
		if m.worded {
			return "`" + m.Text + "` throws an error: " + m.Note
		}
		return "`" + m.Text + "` throws " + m.Note
	case "answered":
		return m.Note
	case "asks":
		return "`" + m.Text + "` asks the user, who was not asked: " + m.Note
	case "recovery":
		return m.recoveryReason("")
	case "circle":
		return "`" + m.Text + "` would have to hold already"
	case "limit":
		text := "the search has no end within its limits, and comes as far as `" + m.Text + "`"
		if m.Note != "" {
			text += " (" + m.Note + ")"
		}
		return text
	case "cut":
		return "the clause" + place + " is not tried after a cut"
	}
	return m.falseReason()
}

// clauseReason is what a clause lacks. The last goal on the way down is named, so that it is clear whose values they
// are; what a text lacks says that itself.
func (m *Miss) clauseReason(known, place string) string {
	if len(m.Because) == 0 {
		return "`" + m.Failed + "` fails" + place + m.othersText()
	}
	first := m.Because[0]
	if first.Kind != "clause" && first.Kind != "body" {
		return first.under(place) + m.othersText()
	}
	text := first.reasonWithin(first.Text)
	last := first.innermost() == first && (first.next() == nil || first.next().Expected == "")
	if first.Text != known && (last || first.Says != "" && !first.wordedBelow()) {
		text = cmp.Or(first.Says, "not "+first.Text) + ": " + text
	}
	if first.allOthers() == 0 {
		text += m.othersText()
	}
	return text
}

// innermost is the last clause on the way down from a miss.
func (m *Miss) innermost() *Miss {
	for len(m.Because) > 0 && (m.Because[0].Kind == "clause" || m.Because[0].Kind == "body") {
		m = m.Because[0]
	}
	return m
}

// wordedBelow says that a miss on the way down from one has words.
func (m *Miss) wordedBelow() bool {
	m = m.next()
	return m != nil && (m.Says != "" || m.wordedBelow())
}

// allOthers is how many other instances have failed on the way down from a miss.
func (m *Miss) allOthers() int {
	n := m.Others
	if len(m.Because) > 0 {
		n += m.Because[0].allOthers()
	}
	return n
}

// othersText says how many other instances of the goal that failed have failed too.
func (m *Miss) othersText() string {
	end := ""
	if m.Unended {
		end = "; the search for more reached its limit"
	}
	if m.Others == 0 {
		return end
	}
	text := "; " + counted(strconv.Itoa(m.Others), "other") + " fail"
	if m.Others == 1 {
		text += "s"
	}
	text += " there too"
	if len(m.OtherFailed) > 0 {
		text += ": `" + strings.Join(m.OtherFailed, "`, `") + "`"
	}
	if m.Others > len(m.OtherFailed) && len(m.OtherFailed) == maxOthers {
		text += ", ..."
	}
	return text + end
}

// knownText says which values facts have where the goal has another one.
func (m *Miss) knownText() string {
	if len(m.Known) == 0 {
		return ""
	}
	text := "; known instead of " + m.instead + ": " + strings.Join(m.Known, ", ")
	if m.KnownCount > len(m.Known) {
		text += ", ... (" + strconv.Itoa(m.KnownCount) + ")"
	}
	return text
}

// recoveryReason is that of a catch/3, perhaps in a clause that stands at a place, whose recovery fails.
func (m *Miss) recoveryReason(place string) string {
	text := "`" + m.Text + "`" + place + " has caught " + m.Note + ", and "
	if len(m.Because) == 0 {
		return text + "its recovery `" + m.Failed + "` fails"
	}
	return text + "its recovery fails: " + m.Because[0].under("")
}

// falseReason is that of a goal that is not looked into.
func (m *Miss) falseReason() string {
	if m.Expected != "" {
		return m.Expected
	}
	shown, written := cmp.Or(m.among, m.Text), ""
	if m.Written != "" && m.Written != shown {
		written = " (" + m.Written + ")"
	}
	if m.Note != "" {
		verb := " contradicts "
		if name, _, _ := term.Indicator(m.Term); labelings[name] {
			verb = " finds no values for "
		}
		return "`" + shown + "`" + written + verb + m.Note
	}
	text := "`" + shown + "` is false" + written
	if len(m.Known) > 0 {
		text += ", and true with " + m.Known[0] + " in place of " + m.instead
	}
	if m.unseen {
		text += " (goals see the environment with --allow-env)"
	}
	return text
}

// labelings are the predicates that try the values which constraints have left.
var labelings = map[term.Atom]bool{"label": true, "labeling": true, "indomain": true}

// under is the reason of a miss within a clause that stands at a place. Of facts that are missing it has the words.
func (m *Miss) under(place string) string {
	switch m.Kind {
	case "near", "nofact", "nohead", "norow", "empty":
		return leading(m.Says) + m.placed(place)
	}
	return m.placed(place)
}

func (m *Miss) placed(place string) string {
	switch {
	case m.Kind == "clause" || m.Kind == "body":
		return m.reason()
	case place == "":
		return m.reason()
	case m.Kind == "nofact":
		return "there is no fact `" + m.Text + "`, asked for" + place + m.knownText()
	case m.Kind == "norow":
		return "there is no row `" + m.Text + "` in " + m.Note + ", asked for" + place + m.knownText()
	case m.Kind == "near" || m.Kind == "empty" || m.Kind == "nohead":
		return m.reason() + ", asked for" + place
	case m.Kind == "error" && m.worded:
		return "`" + m.Text + "` throws an error" + place + ": " + m.Note
	case m.Kind == "holds":
		return m.reason() + ", which rules it out" + place
	case m.Kind == "answered":
		return m.reason() + ", asked" + place
	case m.Kind == "recovery":
		return m.recoveryReason(place)
	}
	return m.reason() + place
}

func indicator(g Goal) string {
	name, arity, _ := term.Indicator(g.Term)
	return syntax.QuoteAtom(name) + "/" + strconv.Itoa(arity)
}

// MissText writes misses as lines, the misses of the goals that failed under them. more is how many others there are.
func MissText(misses []*Miss, more int) string {
	w := missWriter{seen: map[string]bool{}}
	w.list(misses, more, 0)
	return w.b.String()
}

// missWriter writes misses. It writes none of a clause twice.
type missWriter struct {
	b    strings.Builder
	seen map[string]bool
}

func (w *missWriter) line(indent string, words ...string) {
	w.b.WriteString(indent + strings.Join(words, "") + "\n")
}

func (w *missWriter) list(misses []*Miss, more, level int) {
	for _, m := range misses {
		w.miss(m, level)
	}
	if more > 0 {
		w.line(strings.Repeat("  ", level), "and ", counted(strconv.Itoa(more), "other clause"), " that lack as much or more")
	}
}

// title is the first line of a miss of a clause.
func (m *Miss) title() string {
	title := "not " + m.Text
	if m.Says != "" {
		title = m.Says + ": " + title
	}
	if m.Kind == "clause" {
		title += "  [" + cmp.Or(withSource(m.At, m.Source), "a clause that was asserted") + "]"
	}
	return title + ", " + strconv.Itoa(m.HeldCount) + " of " + strconv.Itoa(m.Total) + " goals hold"
}

func (w *missWriter) miss(m *Miss, level int) {
	indent := strings.Repeat("  ", level)
	if m.Kind != "clause" && m.Kind != "body" {
		turns := ""
		if m.Turns != "" {
			turns = ", true with " + m.Turns
		}
		w.line(indent, m.under(""), turns)
		for proved := range strings.Lines(m.Proof) {
			w.b.WriteString(indent + "  " + proved)
		}
		w.list(m.Because, m.More, level+1)
		return
	}
	title := m.title()
	key := title + "\x00" + m.Failed + "\x00" + m.reason()
	if w.seen[key] {
		w.line(indent, title, ", see above")
		return
	}
	w.seen[key] = true
	w.line(indent, title)
	indent += "  "
	for _, held := range m.Held {
		w.line(indent, "held    ", held)
	}
	if m.Failed != "" {
		w.line(indent, "failed  ", m.Failed)
	}
	if others := m.othersText(); others != "" {
		w.line(indent, "        ", strings.TrimPrefix(others, "; "))
	}
	w.list(m.Because, m.More, level+2)
	for _, c := range m.Behind {
		if c.Verdict == "failed" {
			w.line(indent, "failed  ", c.Goal, ", too")
		} else {
			w.line(indent, c.Verdict, "  ", c.Goal)
		}
	}
}
