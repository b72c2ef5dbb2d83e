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
	// Kind is clause, body, false, near, nofact, norow, empty, unknown, holds, counterexample, error, asks, cut or
	// limit.
	Kind string
	Goal
	// Text is the goal as it is written, Says what a template makes of it or "".
	Text, Says string
	At         Place
	// Held are goals of the clause that hold together, Total is how many goals it has.
	Held  []string
	Total int
	// Failed is the first goal that does not hold with them, "" if there is none.
	Failed     string
	FailedGoal Goal
	// Needs are goals of which each would be enough as a fact.
	Needs []string
	// NeedGoals are the same as terms.
	NeedGoals []Goal
	// Near are facts that differ in one argument, with their places.
	Near []string
	// Note says more: constraints that hold, what was thrown.
	Note string
	// among is the goal with the variables named as in the constraints of the note.
	among string
	// Written is the goal that failed as its clause has it, "" when that is not known.
	Written string
	// Expected says of a text that a grammar does not fit what is expected in it, "" for other misses.
	Expected string
	// Proof says why a goal holds that must not.
	Proof string
	// Because are the misses of the goal that failed.
	Because []*Miss
}

// maxMisses bounds the misses of one goal.
const maxMisses = 3

// NewMisses makes misses of the raw ones of library(explain): misses(Goal, List).
func NewMisses(raw term.Term, o Options) []*Miss {
	o = o.withDefaults()
	args, ok := term.Is(raw, "misses", 2)
	if !ok {
		return nil
	}
	return o.misses(args[1])
}

// misses reads a list of raw misses, and ranks them.
func (o *Options) misses(list term.Term) []*Miss {
	items, _ := term.Slice(list)
	var all []*Miss
	for _, item := range items {
		if m := o.miss(item); m != nil {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(x, y *Miss) int { return x.rank() - y.rank() })
	return all[:min(len(all), maxMisses)]
}

// rank orders the misses of one goal: the fewer goals of a clause are left, the nearer it is.
func (m *Miss) rank() int {
	switch m.Kind {
	case "clause", "body":
		return 10 * max(m.Total-len(m.Held), 0)
	case "near":
		return 11
	case "cut":
		return 1000
	}
	return 12
}

// miss reads miss(Kind, Goal, Place, Held, Total, Failed, Because).
func (o *Options) miss(raw term.Term) *Miss {
	args, ok := term.Is(raw, "miss", 7)
	if !ok {
		return nil
	}
	kind, _ := term.Text(args[0])
	names := variableNames(raw)
	m := &Miss{Kind: kind, Goal: goalOf(args[1])}
	m.Text = o.text(m.Goal, names)
	m.Says = o.says(m.Goal, func(a Advice) string { return a.SaysNot })
	if at, ok := args[2].(*term.Compound); ok && at.Functor == "at" {
		m.At = placeOf(at.Args, o)
	}
	if total, ok := args[4].(term.Int); ok {
		m.Total = int(total)
	}
	m.readHeld(o, args[3], names)
	m.readFailed(o, args[5], names)
	because, _ := term.Slice(args[6])
	var rest []term.Term
	for _, item := range because {
		if needs, ok := term.Is(item, "needs", 1); ok {
			m.readNeeds(o, needs[0], names)
			continue
		}
		if holds, ok := term.Is(item, "holds", 1); ok {
			m.readProof(o, holds[0])
			continue
		}
		rest = append(rest, item)
	}
	m.Because = o.misses(term.List(rest...))
	o.explainText(m, names)
	if m.Written = o.written(m); m.Written != "" {
		for _, deeper := range m.Because {
			deeper.Written = m.Written
		}
	}
	return m
}

// explainText words the failure of a terminal in a clause of a grammar.
func (o *Options) explainText(m *Miss, names map[*term.Var]string) {
	if m.Kind != "clause" || len(m.Because) == 0 || m.Because[0].Kind != "false" || !o.inGrammar(m.Goal) {
		return
	}
	if text := o.expected(m.FailedGoal, names); text != "" {
		m.Failed, m.Because[0].Expected = text, text
	}
}

// written is the goal that failed as its clause has it, if that says more: which values are compared.
func (o *Options) written(m *Miss) string {
	if o.Written == nil || m.Kind != "clause" || len(m.Because) == 0 || m.Because[0].Kind != "false" ||
		m.Because[0].Text != m.Failed {
		return ""
	}
	return o.Written(m.At, len(m.Held), m.FailedGoal)
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
func (m *Miss) readHeld(o *Options, list term.Term, names map[*term.Var]string) {
	items, _ := term.Slice(list)
	for _, item := range items {
		near, ok := term.Is(item, "near", 3)
		if !ok {
			g := goalOf(item)
			if g.Module == "user" {
				g.Module = m.Module
			}
			m.Held = append(m.Held, cmp.Or(o.readAsExpected(m.Goal, g, names), o.text(g, names)))
			continue
		}
		text := o.text(Goal{m.Module, near[0]}, names)
		if at, ok := near[1].(*term.Compound); ok && len(at.Args) == 3 {
			text += " at " + placeOf(at.Args, o).String()
		}
		m.Near = append(m.Near, text)
	}
}

// readFailed reads the goal that failed, or what else the miss is about.
func (m *Miss) readFailed(o *Options, t term.Term, names map[*term.Var]string) {
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
		m.Note = o.text(Goal{"user", g.Term}, names)
	case "norow":
		m.Note, _ = term.Text(t)
	case "false":
		m.among, m.Note = o.constraints(g)
	default:
		m.FailedGoal, m.Failed = g, o.text(g, names)
	}
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
	own.oneNaming = goalNames(met.Term, variableNames(met.Term))
	items, _ := term.Slice(args[1])
	var texts []string
	for _, item := range items {
		texts = append(texts, own.text(goalOf(item), nil))
	}
	return own.text(Goal{met.Module, args[0]}, nil), syntax.CutText(strings.Join(texts, ", "), maxGoal)
}

func (m *Miss) readNeeds(o *Options, list term.Term, names map[*term.Var]string) {
	items, _ := term.Slice(list)
	for _, item := range items {
		g := goalOf(item)
		m.NeedGoals = append(m.NeedGoals, g)
		m.Needs = append(m.Needs, o.text(g, names))
	}
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
func (m *Miss) reason() string {
	place := ""
	if at := m.At.String(); at != "" {
		place = " at " + at
	}
	switch m.Kind {
	case "clause", "body":
		if len(m.Because) > 0 {
			return m.Because[0].under(place)
		}
		return "`" + m.Failed + "` fails" + place
	case "near":
		return "there is " + strings.Join(m.Near, " and ") + ", and no fact `" + m.Text + "`"
	case "nofact":
		return "there is no fact `" + m.Text + "`"
	case "norow":
		return "there is no row `" + m.Text + "` in " + m.Note
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
		return "`" + m.Text + "` throws " + m.Note
	case "asks":
		return "`" + m.Text + "` asks the user, who was not asked: " + m.Note
	case "limit":
		return "the search has no end within its limits, and comes as far as `" + m.Text + "`"
	case "cut":
		return "the clause" + place + " is not tried after a cut"
	}
	if m.Expected != "" {
		return m.Expected
	}
	written := ""
	if m.Written != "" && m.Written != m.Text {
		written = " (" + m.Written + ")"
	}
	if m.Note != "" {
		return "`" + cmp.Or(m.among, m.Text) + "`" + written + " contradicts " + m.Note
	}
	return "`" + m.Text + "` is false" + written
}

// under is the reason of a miss within a clause that stands at a place.
func (m *Miss) under(place string) string {
	switch {
	case m.Kind == "clause" || m.Kind == "body":
		return m.reason()
	case place == "":
		return m.reason()
	case m.Kind == "near" || m.Kind == "nofact" || m.Kind == "norow" || m.Kind == "empty":
		return m.reason() + ", needed" + place
	}
	return m.reason() + place
}

func indicator(g Goal) string {
	name, arity, _ := term.Indicator(g.Term)
	return string(name) + "/" + strconv.Itoa(arity)
}

// MissText writes misses as lines, the misses of the goals that failed under them.
func MissText(misses []*Miss) string {
	var b strings.Builder
	for _, m := range misses {
		m.write(&b, 0)
	}
	return b.String()
}

func (m *Miss) write(b *strings.Builder, level int) {
	indent := strings.Repeat("  ", level)
	line := func(words ...string) { b.WriteString(indent + strings.Join(words, "") + "\n") }
	title := "not " + m.Text
	if m.Says != "" {
		title = m.Says + ": " + title
	}
	switch m.Kind {
	case "clause":
		at := m.At.String()
		if at == "" {
			at = "a clause that was asserted"
		}
		line(title, "  [", at, "], ", strconv.Itoa(len(m.Held)), " of ", strconv.Itoa(m.Total), " goals hold")
	case "body":
		line(title, ", ", strconv.Itoa(len(m.Held)), " of ", strconv.Itoa(m.Total), " goals hold")
	default:
		line(m.under(""))
		for proved := range strings.Lines(m.Proof) {
			b.WriteString(indent + "  " + proved)
		}
		for _, deeper := range m.Because {
			deeper.write(b, level+1)
		}
		return
	}
	indent += "  "
	for _, held := range m.Held {
		line("held    ", held)
	}
	if m.Failed != "" {
		line("failed  ", m.Failed)
	}
	for _, need := range m.Needs {
		line("needed  ", need)
	}
	for _, deeper := range m.Because {
		deeper.write(b, level+2)
	}
}
