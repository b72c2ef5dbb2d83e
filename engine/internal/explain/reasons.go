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

// This file defines the reason of a miss, in a line.

// line writes a miss in one line, down to the goal that nothing explains further.
func (m *miss) line() string {
	head := m.says
	if head == "" || m.what() == "holds" {
		head = "no answer for " + cmp.Or(m.asked, m.goal)
	}
	return saying(head, m.reason())
}

// reason returns the final reason of a miss.
func (m *miss) reason() string { return m.reasonAt(m.goal, "") }

// reasonAt is reason for readers who already know that a goal has no answer. If the goal of the miss is in a clause, at
// is " at file:line". A miss of a clause has its own place.
func (m *miss) reasonAt(known, at string) string {
	goal, place := "`"+m.goal+"`", following(" at ", m.place.String())
	switch m.what() {
	case "clause":
		if m.way {
			place = cmp.Or(place, at)
		}
		return m.clauseReason(known, place)
	case "near", "nofact", "nohead", "norow", "empty":
		return m.factsReason(following(", asked for", at))
	case "unknown":
		return indicator(m.call) + " is not defined" + m.note + at
	case "holds":
		if m.undefined {
			return "`" + m.failed + "` is " + neither + following(", which leaves it open", at)
		}
		text := cmp.Or(m.says, "`"+m.failed+"` holds") + following(", as ", m.as)
		if m.free != "" {
			text = "it was asked without a value for " + m.free + ", and " + text
		}
		return text + m.also + following(", which rules it out", at)
	case "counterexample":
		if len(m.held) > 0 {
			return "`" + bare(m.failedGoal.Term, m.failed) + "` fails for `" + m.held[0].shown + "`" + at + m.othersText()
		}
	case "error":
		if m.worded {
			return goal + " throws an error" + at + strings.TrimPrefix(m.note, "an error")
		}
		return goal + " throws " + m.note + at
	case "answered":
		return m.note + following(", asked", at)
	case "asks":
		return goal + " asks the user, who was not asked: " + m.note + at
	case "recovery":
		text := goal + at + " has caught " + m.note + ", and its recovery "
		if len(m.because) == 0 {
			return text + "`" + m.failed + "` fails"
		}
		return text + "fails: " + m.because[0].under("")
	case "circle":
		return goal + " would have to hold already" + at
	case "limit":
		text := "the search has no end within its limits, and comes as far as " + goal
		if m.note != "" {
			text += " (" + m.note + ")"
		}
		return text + at
	case "cut":
		return m.cutReason(place) + at
	}
	return m.falseReason() + at + m.hint
}

// holdsOr says that a goal holds, or that it is neither true nor false.
func holdsOr(undefined bool) string {
	if undefined {
		return " is " + neither
	}
	return " holds"
}

// cutReason is the reason for an answer that an earlier one overrules, and for a clause after a cut.
func (m *miss) cutReason(place string) string {
	switch {
	case m.note == "" && m.failed == "":
		return "the " + m.place.noun() + place + " is not tried after a cut"
	case m.note == "":
		return m.failed + " comes first, and no other answer is asked for"
	case m.own:
		return "the " + m.place.noun() + place + " gives its first answer alone, and " + m.failed + " comes first"
	}
	text := "the " + m.place.noun() + place + " would give it, but the one" + m.note + " comes before it and cuts"
	switch line := ", in the same line, cuts"; {
	case m.note == place && m.first:
		text = "one before the " + m.place.noun() + place + line
	case m.note == place:
		text = "the " + m.place.noun() + place + " would give it, but one before it" + line
	case m.first:
		text = "the " + m.place.noun() + m.note + " comes before the one" + place + " and cuts"
	}
	if m.failed != "" {
		text += ", as " + m.failed + holdsOr(m.undefined)
	}
	return text
}

// factsReason is the reason for a goal that no fact, row or head matches. asked says where it is called.
func (m *miss) factsReason(asked string) string {
	near, goal := m.near[:min(len(m.near), maxHeads)], "`"+m.goal+"`"
	switch list := strings.Join(near, " and "); {
	case m.detail == "nofact":
		return "there is no fact " + goal + asked + m.knownText()
	case m.uncovered != "":
		return m.uncovered + asked
	case m.detail == "norow":
		return "there is no row " + goal + " in " + m.note + asked + m.knownText()
	case m.detail == "empty":
		return indicator(m.call) + " has no clauses" + asked
	case len(near) == 0:
		return "no clause fits " + goal + asked
	case m.detail == "near":
		return "there is " + list + cmp.Or(m.differences(), ", and no fact "+goal) + asked + m.rounded
	case m.nearBy == "":
		return "there is " + list + cmp.Or(m.differences(), ", and no clause for "+goal) + asked + m.rounded
	case len(near) == 1:
		return "there is a " + m.nearBy + " for " + list + cmp.Or(m.differences(), ", and none for "+goal) + asked
	case len(m.near) > maxHeads:
		list += " and others"
		fallthrough
	default:
		return "there are " + m.nearBy + "s for " + list + cmp.Or(m.differences(), ", and none for "+goal) + asked
	}
}

// differences names the argument in which the near facts differ from the goal, "" if it is not a single one. It returns
// "" if there are further near facts that are not shown.
func (m *miss) differences() string {
	if m.nearBy != "" && len(m.near) > maxHeads {
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

// clauseReason says what a clause lacks. It names the last goal on the way down, to show whose values are meant. A
// reason about a text does that itself.
func (m *miss) clauseReason(known, place string) string {
	if len(m.because) == 0 {
		return "`" + m.failed + "` fails" + place + m.othersText()
	}
	first := m.because[0]
	if m.failsAt != "" {
		place = " at " + m.failsAt
	}
	other := !slices.ContainsFunc(m.branches, func(b branch) bool { return b.own }) &&
		isCondition(m.place.Body, m.failedGoal.Term)
	if len(m.branches) > 0 && (decided[m.failedGoal.name()] || other) {
		text := m.branches[0].reason(place)
		for _, other := range m.branches[1:] {
			text += "; " + other.reason("")
		}
		return text
	}
	if too := m.failedBehind(); too != nil && first.undefined { // one that does not leave it open
		return first.under("") + place + ", and " + cmp.Or(too.Note, "`"+too.shown+"` fails") + m.othersText()
	}
	if first.way {
		return waysReason(m.because, m.more, place) + m.othersText()
	}
	if first.kind != "clause" {
		if len(m.because) > 1 && m.none {
			return first.underAs(place) + m.othersText() + ", as " + m.because[1].reasonAt("", "")
		}
		return first.underAs(place) + following(", as ", first.given) + m.othersText()
	}
	text := first.reasonAt(first.goal, "")
	last := first.innermost() == first && (first.next() == nil || first.next().expected == "")
	if first.goal != known && !first.innermost().throws() && (last || first.says != "" && !first.wordedBelow()) {
		text = saying(cmp.Or(first.says, first.denied, "not "+first.goal), text)
	}
	if first.allOthers() == 0 {
		text += m.othersText()
	}
	return text + m.moreText()
}

// moreText gives the number of other clauses for the failed goal that also lack something.
func (m *miss) moreText() string {
	if m.more == 0 || len(m.because) != 1 {
		return ""
	}
	return "; " + spell.Count(m.more, "other "+m.because[0].place.noun()) + " cannot give it, either"
}

// waysReason says what the alternatives of the disjunction at a place lack. more is the number of further ones.
func waysReason(ways []*miss, more int, place string) string {
	var texts []string
	for i, way := range ways {
		text := way.underAs(place) + following(", as ", way.given)
		if way.kind == "clause" && way.place.Body != nil {
			text = saying(cmp.Or(way.says, way.denied, "not "+way.goal), text)
		}
		if i > 0 {
			text, _, _ = strings.Cut(withoutPlace(text, strings.TrimPrefix(place, " at ")), "; known instead of ")
		}
		if len(texts) == 1+maxOthers {
			more++
		} else if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if more > 0 {
		texts = append(texts, "...")
	}
	switch len(texts) {
	case 1:
		return texts[0]
	case 2:
		return texts[0] + "; the other way fails, too: " + texts[1]
	}
	return texts[0] + "; the other ways fail, too: " + strings.Join(texts[1:], "; ")
}

// equalities lists the predicates with which a branch gives a value. decided also has those with which a branch only
// tests.
var (
	equalities = map[term.Atom]bool{"=": true, "==": true, "is": true, "#=": true}
	decided    = map[term.Atom]bool{"=": true, "==": true, "is": true, "#=": true, "fail": true, "false": true}
)

// underAs is the reason of a miss within the clause at a place. If known, it adds why the goal fails for a
// counterexample. Other counterexamples come last.
func (m *miss) underAs(place string) string {
	text, others := m.under(place), ""
	if m.detail == "counterexample" {
		others = m.othersText()
	}
	if deeper := m.next(); deeper != nil && (m.detail == "counterexample" || m.kind == "false") {
		text = strings.TrimSuffix(text, others) + ", as " + saying(deeper.says, deeper.reasonAt(deeper.goal, "")) + others
	}
	return text
}

// open says that a goal may still have an answer: something in it throws, does not terminate, is an unanswered question
// or is undefined. Words for a goal without answers would then be too strong.
func (m *miss) open() bool {
	if m.leftOpen {
		return true
	}
	switch m.what() {
	case "error", "limit", "asks":
		return true
	case "holds":
		return m.undefined
	}
	return m.next() != nil && m.next().open() && (m.failedBehind() == nil || m.others > 0)
}

// failedBehind returns the first goal after the failed one that does not hold either, nil for none.
func (m *miss) failedBehind() *Node {
	for _, n := range m.behind {
		if n.By == "failed" {
			return n
		}
	}
	return nil
}

// innermost returns the last clause on the way down from a miss.
func (m *miss) innermost() *miss {
	for m.next() != nil && m.next().kind == "clause" {
		m = m.next()
	}
	return m
}

// wordedBelow says that a miss on the way down from one has the author's words.
func (m *miss) wordedBelow() bool {
	m = m.next()
	return m != nil && (m.says != "" && m.kind != "false" || m.wordedBelow())
}

// allOthers is the number of other instances that have failed on the way down from a miss.
func (m *miss) allOthers() int {
	n := 0
	for ; m != nil; m = m.next() {
		n += m.others
	}
	return n
}

// othersText says how many other instances of the failed goal have failed too.
func (m *miss) othersText() string {
	end := ""
	if m.unended {
		end = "; the search for more reached its limit"
	}
	if m.others > 0 {
		end = "; " + failures(m.others, m.least, "there too", m.otherFailed) + end
	}
	return end + m.single
}

// failures says how many goals fail, or how many at least, and names some.
func failures(n int, least bool, where string, some []string) string {
	text := spell.Count(n, "other") + " fail"
	if least {
		text = strconv.Itoa(n) + " or more others fail"
	} else if n == 1 {
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

// knownText lists values that facts have in place of the goal's value.
func (m *miss) knownText() string {
	if len(m.known) == 0 {
		return m.rounded
	}
	text := "; known instead of " + m.instead + ": " + strings.Join(m.known, ", ")
	if m.knownCount == 0 {
		text += ", ..."
	} else if m.knownCount > len(m.known) {
		text += ", ... (" + strconv.Itoa(m.knownCount) + ")"
	}
	return text + m.rounded
}

// falseReason is the reason for a goal that is not examined further.
func (m *miss) falseReason() string {
	if m.expected != "" {
		return m.expected
	}
	shown, written := cmp.Or(m.among, m.goal), ""
	if m.written != "" && strings.ReplaceAll(m.written, "#", "") != shown && !m.inWords {
		written = " (" + m.written + ")"
	}
	if m.note != "" {
		if of, _, labels := strings.Cut(shown, " have values"); labels {
			return "there are no values for " + of + written + " with " + m.note
		}
		return "`" + shown + "`" + written + " contradicts " + m.note
	}
	if emptyFails(m.call.Term) {
		is, list, sides := " is empty", m.written, comparedSides().FindStringSubmatch(m.written)
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
	if shown == "fail" || shown == "false" {
		return "`" + shown + "` never holds"
	}
	if _, is := term.Is(m.call.Term, "is", 2); is && len(m.known) > 0 {
		result, expression, _ := strings.Cut(shown, " is ")
		if name := strings.TrimSuffix(result, " "+m.instead); m.inWords && name != result {
			return name + " would be " + m.known[0] + ", not " + m.instead + ": " + expression + m.rounded
		} else if m.inWords {
			return expression + " is " + m.known[0] + ", not " + m.instead + m.rounded
		}
		return "`" + expression + "` is " + m.known[0] + ", not " + m.instead + written + m.rounded
	}
	if rest, result := strings.CutPrefix(shown, m.instead+" "); result && m.inWords && len(m.known) > 0 {
		return "`" + m.known[0] + " " + rest + "`, not " + m.instead + m.rounded
	}
	if len(m.known) > 0 {
		text += ", and true with " + m.known[0] + " in place of " + m.instead
	}
	if m.unseen {
		text += " (goals see the environment with --allow-env)"
	}
	return text
}

// emptyFails reports whether a goal fails because a list has no elements.
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

// under is the reason of a miss within the clause at a place. It words missing facts.
func (m *miss) under(place string) string {
	if m.kind == "facts" || m.kind == "false" {
		return saying(m.says, m.reasonAt(m.goal, place))
	}
	return m.reasonAt(m.goal, place)
}

func indicator(g Goal) string {
	name, arity, _ := term.Indicator(g.Term)
	return syntax.QuoteAtom(name) + "/" + strconv.Itoa(arity)
}
