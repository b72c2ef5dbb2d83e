package explain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines what a miss comes to, in a line.

// Line says a miss in one line, down to the goal that nothing explains further.
func (m *Miss) Line() string {
	head := m.Says
	if head == "" || m.what() == "holds" {
		head = "no answer for " + cmp.Or(m.asked, m.Goal)
	}
	return saying(head, m.reason())
}

// reason is what a miss comes to in the end.
func (m *Miss) reason() string { return m.reasonAt(m.Goal, "") }

// reasonAt is the same for who knows already that a goal has no answer. Where the goal of the miss stands in a clause,
// at is " at file:line". A miss of a clause has a place of its own.
func (m *Miss) reasonAt(known, at string) string {
	goal, place := "`"+m.Goal+"`", following(" at ", m.place.String())
	switch m.what() {
	case "clause":
		return m.clauseReason(known, place)
	case "near", "nofact", "nohead", "norow", "empty":
		return m.factsReason(following(", asked for", at))
	case "unknown":
		return indicator(m.call) + " is not defined" + m.Note + at
	case "holds":
		if m.undefined {
			return "`" + m.Failed + "` is " + neither + following(", which leaves it open", at)
		}
		text := cmp.Or(m.Says, "`"+m.Failed+"` holds") + following(", as ", m.as)
		text += m.also + following(", which rules it out", at)
		return text + following("; it was asked without a value for ", m.free)
	case "counterexample":
		if len(m.Held) > 0 {
			return "`" + m.Failed + "` fails for `" + m.Held[0] + "`" + at + m.othersText()
		}
	case "error":
		if m.worded {
			return goal + " throws an error" + at + strings.TrimPrefix(m.Note, "an error")
		}
		return goal + " throws " + m.Note + at
	case "answered":
		return m.Note + following(", asked", at)
	case "asks":
		return goal + " asks the user, who was not asked: " + m.Note + at
	case "recovery":
		text := goal + at + " has caught " + m.Note + ", and its recovery "
		if len(m.Because) == 0 {
			return text + "`" + m.Failed + "` fails"
		}
		return text + "fails: " + m.Because[0].under("")
	case "circle":
		return goal + " would have to hold already" + at
	case "limit":
		text := "the search has no end within its limits, and comes as far as " + goal
		if m.Note != "" {
			text += " (" + m.Note + ")"
		}
		return text + at
	case "cut":
		return m.cutReason(place) + at
	}
	return m.falseReason() + at + m.solutions
}

// holdsOr says of a goal that it holds, or that it is neither true nor false.
func holdsOr(undefined bool) string {
	if undefined {
		return " is " + neither
	}
	return " holds"
}

// cutReason is that of an answer which an earlier one overrules, and of a clause behind a cut.
func (m *Miss) cutReason(place string) string {
	switch {
	case m.Note == "" && m.Failed == "":
		return "the clause" + place + " is not tried after a cut"
	case m.Note == "":
		return m.Failed + " comes first, and no other answer is asked for"
	case m.Note == place:
		return "the clause" + place + " gives its first answer alone, and " + m.Failed + " comes first"
	case m.Failed == "":
		return "the clause" + place + " would give it, but the one" + m.Note + " comes before it and cuts"
	}
	return "the clause" + place + " would give it, but the one" + m.Note + " comes before it and cuts, as " + m.Failed +
		holdsOr(m.undefined)
}

// factsReason is that of a goal that no fact, row or head fits. asked says where it is asked.
func (m *Miss) factsReason(asked string) string {
	near, goal := m.Near[:min(len(m.Near), maxHeads)], "`"+m.Goal+"`"
	switch list := strings.Join(near, " and "); {
	case m.Detail == "nofact":
		return "there is no fact " + goal + asked + m.knownText()
	case m.uncovered != "":
		return m.uncovered + asked
	case m.Detail == "norow":
		return "there is no row " + goal + " in " + m.Note + asked + m.knownText()
	case m.Detail == "empty":
		return indicator(m.call) + " has no clauses" + asked
	case len(near) == 0:
		return "no clause fits " + goal + asked
	case m.Detail == "near":
		return "there is " + list + cmp.Or(m.differences(), ", and no fact "+goal) + asked + m.rounded
	case !m.heads:
		return "there is " + list + cmp.Or(m.differences(), ", and no clause for "+goal) + asked + m.rounded
	case len(near) == 1:
		return "there is a clause for " + list + cmp.Or(m.differences(), ", and none for "+goal) + asked
	case len(m.Near) > maxHeads:
		list += " and others"
		fallthrough
	default:
		return "there are clauses for " + list + cmp.Or(m.differences(), ", and none for "+goal) + asked
	}
}

// differences says in which argument what is near differs from the goal, "" where that is not one argument. Where there
// are others that are not named, nothing is said.
func (m *Miss) differences() string {
	if m.heads && len(m.Near) > maxHeads {
		return ""
	}
	var values []string
	first := m.differs[0]
	for _, d := range m.differs[:min(len(m.differs), maxHeads)] {
		if d[0] == "" || d[0] != first[0] || d[2] != first[2] {
			return ""
		}
		if !slices.Contains(values, d[1]) {
			values = append(values, d[1])
		}
	}
	if strings.HasPrefix(first[0], unnamed) {
		first[0] = ""
	}
	return ", with " + strings.TrimLeft(first[0]+" ", " ") + strings.Join(values, " or ") + " and not " + first[2]
}

// clauseReason is what a clause lacks. The last goal on the way down is named, so that it is clear whose values they
// are; what a text lacks says that itself.
func (m *Miss) clauseReason(known, place string) string {
	if len(m.Because) == 0 {
		return "`" + m.Failed + "` fails" + place + m.othersText()
	}
	first := m.Because[0]
	if m.Branch != "" && equalities[m.failedGoal.name()] {
		return m.branchReason(place)
	}
	if first.Kind != "clause" {
		text := first.under(place) + first.asReason() + m.othersText()
		if len(m.Because) > 1 && m.none {
			return text + ", as " + m.Because[1].reasonAt("", "")
		}
		return text + following(", as ", first.given)
	}
	text := first.reasonAt(first.Goal, "")
	last := first.innermost() == first && (first.next() == nil || first.next().expected == "")
	if first.Goal != known && (last || first.Says != "" && !first.wordedBelow()) {
		text = saying(cmp.Or(first.Says, first.denied, "not "+first.Goal), text)
	}
	if first.allOthers() == 0 {
		text += m.othersText()
	}
	return text
}

// equalities are the predicates with which a branch gives a value.
var equalities = map[term.Atom]bool{"=": true, "==": true, "is": true, "#=": true}

// asReason says why the goal fails that a counterexample does not fit, "" where nothing says more.
func (m *Miss) asReason() string {
	if deeper := m.next(); deeper != nil && (m.Detail == "counterexample" || m.Kind == "false") {
		return ", as " + saying(deeper.Says, deeper.reasonAt(deeper.Goal, ""))
	}
	return ""
}

// open says that a goal may have an answer for all that is known: something in it throws, has no end, is asked of
// nobody or is undefined. Words for a goal without answers would say too much.
func (m *Miss) open() bool {
	switch m.what() {
	case "error", "limit", "asks":
		return true
	case "holds":
		return m.undefined
	}
	return m.next() != nil && m.next().open()
}

// innermost is the last clause on the way down from a miss.
func (m *Miss) innermost() *Miss {
	for m.next() != nil && m.next().Kind == "clause" {
		m = m.next()
	}
	return m
}

// wordedBelow says that a miss on the way down from one has words of the author.
func (m *Miss) wordedBelow() bool {
	m = m.next()
	return m != nil && (m.Says != "" && m.Kind != "false" || m.wordedBelow())
}

// allOthers is how many other instances have failed on the way down from a miss.
func (m *Miss) allOthers() int {
	n := 0
	for ; m != nil; m = m.next() {
		n += m.Others
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
	return "; " + failures(m.Others, "other", "there too", m.OtherFailed) + end
}

// earlierText says which instances of goals before the one that failed have failed.
func (m *Miss) earlierText() string {
	if m.Earlier == 0 {
		return ""
	}
	return "; " + failures(m.Earlier, "other", "before that", m.EarlierFailed)
}

// failures says how many goals fail, and which some of them are.
func failures(n int, noun, where string, some []string) string {
	text := spell.Count(n, noun) + " fail"
	if n == 1 {
		text += "s"
	}
	text += " " + where
	if len(some) > 0 {
		text += ": " + strings.Join(some, ", ")
	}
	if n > len(some) && len(some) == maxOthers {
		text += ", ..."
	}
	return text
}

// knownText says which values facts have where the goal has another one.
func (m *Miss) knownText() string {
	if len(m.Known) == 0 {
		return m.rounded
	}
	text := "; known instead of " + m.instead + ": " + strings.Join(m.Known, ", ")
	if m.KnownCount == 0 {
		text += ", ..."
	} else if m.KnownCount > len(m.Known) {
		text += ", ... (" + strconv.Itoa(m.KnownCount) + ")"
	}
	return text + m.rounded
}

// falseReason is that of a goal that is not looked into.
func (m *Miss) falseReason() string {
	if m.expected != "" {
		return m.expected
	}
	shown, written := cmp.Or(m.among, m.Goal), ""
	if m.Written != "" && strings.ReplaceAll(m.Written, "#", "") != shown && !m.inWords {
		written = " (" + m.Written + ")"
	}
	if m.Note != "" {
		if of, _, labels := strings.Cut(shown, " have values"); labels {
			return "there are no values for " + of + written + " with " + m.Note
		}
		return "`" + shown + "`" + written + " contradicts " + m.Note
	}
	if emptyFails(m.call.Term) {
		is, list, sides := " is empty", m.Written, comparedSides().FindStringSubmatch(m.Written)
		if sides != nil && (sides[1] == "[]" || sides[2] == "[]") && equalities[m.call.name()] { // the other side
			is = " is not empty"
		} else if sides != nil {
			list = sides[1+slices.Index(m.call.Term.(*term.Compound).Args, term.Term(term.Nil))]
		}
		return "the list" + following(" ", variableSide().FindString(list)) + is
	}
	if m.opposite != "" && len(argsOf(m.call.Term)) == 1 {
		return m.opposite
	} else if m.opposite != "" {
		return m.opposite + written + m.rounded
	}
	text := "`" + shown + "` is false" + written + m.rounded
	if _, is := term.Is(m.call.Term, "is", 2); is && len(m.Known) > 0 {
		_, expression, _ := strings.Cut(shown, " is ")
		return "`" + expression + "` is " + m.Known[0] + ", not " + m.instead + written + m.rounded
	}
	if rest, result := strings.CutPrefix(shown, m.instead+" "); result && m.inWords && len(m.Known) > 0 {
		return "`" + m.Known[0] + " " + rest + "`, not " + m.instead + m.rounded
	}
	if len(m.Known) > 0 {
		text += ", and true with " + m.Known[0] + " in place of " + m.instead
	}
	if m.unseen {
		text += " (goals see the environment with --allow-env)"
	}
	return text
}

// emptyFails reports whether a goal fails since a list has no elements.
func emptyFails(goal term.Term) bool {
	c, ok := goal.(*term.Compound)
	if !ok || len(c.Args) != 2 || !slices.Contains(c.Args, term.Term(term.Nil)) {
		return false
	}
	filled := slices.ContainsFunc(c.Args, func(arg term.Term) bool {
		_, ok := term.Is(arg, term.Dot, 2)
		return ok
	})
	switch c.Functor {
	case "min_list", "max_list", "min_member", "max_member", "last":
		return true
	case "\\==", "\\=":
		return !filled
	}
	return filled
}

// under is the reason of a miss within a clause that stands at a place. Of facts that are missing it has the words.
func (m *Miss) under(place string) string {
	if m.Kind == "facts" || m.Kind == "false" {
		return saying(m.Says, m.reasonAt(m.Goal, place))
	}
	return m.reasonAt(m.Goal, place)
}

func indicator(g Goal) string {
	name, arity, _ := term.Indicator(g.Term)
	return syntax.QuoteAtom(name) + "/" + strconv.Itoa(arity)
}
