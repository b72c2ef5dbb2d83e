package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how labelled rules of library(law) and decision tables are shown: goals that the loader has added
// are shown in words, or omitted if they are uninformative.

// null is what stands for no value.
var null = term.Term(term.Atom("null"))

// ruleWords returns the words for a goal about labelled rules or a cell of a table, "" for other goals. denied says
// that it has no answer.
func (o *Options) ruleWords(g Goal, denied bool) string {
	if words := o.tableWords(g, denied); words != "" {
		return words
	}
	c, ok := g.Term.(*term.Compound)
	if ok && c.Functor == "in_force" && len(c.Args) == 2 && g.Module == "law" {
		text := strings.TrimPrefix(inForceText(c.Args[0], c.Args[1], denied), " is ")
		return strings.TrimPrefix(text, " was ")
	}
	if ok && c.Functor == "in_force" && len(c.Args) == 3 && g.Module == "law" {
		if denied {
			return "the day is " + dayText(c.Args[2])
		}
		return dayText(c.Args[2]) + " is in that time"
	}
	if ok && c.Functor == "disagree" && len(c.Args) == 2 && g.Module == "law" {
		return labelText(argsOf(c.Args[0])[0]) + " and " + labelText(argsOf(c.Args[1])[0]) + " disagree"
	}
	if of, isRow := strings.CutSuffix(string(g.name()), rowsSuffix); ok && isRow {
		if denied {
			return "the row does not hold"
		}
		return o.text(Goal{g.Module, term.New(term.Atom(of), c.Args...)})
	}
	if !ok || !strings.HasPrefix(string(c.Functor), "rule ") {
		return ""
	}
	label := func(i int) string { return labelText(c.Args[i]) }
	switch key := fmt.Sprintf("%s/%d", c.Functor, len(c.Args)); {
	case key == "rule in force/3":
		return label(0) + inForceText(c.Args[1], c.Args[2], denied)
	case key == "rule applies/2" && denied:
		return label(0) + " does not apply"
	case key == "rule applies/2":
		return label(0) + " applies"
	case key == "rule contradicted/2" && denied:
		return "nothing contradicts " + label(0)
	case key == "rule contradicted/2":
		return label(0) + " is contradicted"
	case key != "rule defeated/4":
		return ""
	case denied:
		return "nothing defeats " + label(0)
	}
	if _, open := c.Args[2].(*term.Var); open {
		return label(0) + " is defeated"
	}
	how := map[term.Term]string{term.Term(term.Atom("overrides")): " overrides ",
		term.Term(term.Atom("exception")): " is an exception to ", term.Term(term.Atom("disagrees")): " disagrees with "}
	says, as := c.Args[1], c.Args[3]
	if against, ok := term.Is(as, "against", 1); ok {
		says, as = term.New(`\+`, says), against[0]
	}
	answer := ""
	if len(term.Variables(says)) == 0 {
		answer = " (" + o.text(Goal{g.Module, says}) + ")"
	}
	return label(2) + " applies and not " + label(0) + answer + ", since " + label(2) + how[as] + label(0)
}

// labelText writes the label of a rule.
func labelText(t term.Term) string {
	if _, unbound := t.(*term.Var); unbound {
		return "a rule"
	}
	if text, ok := term.Text(t); ok && text != "" {
		return text
	}
	return syntax.ShowTerm(t)
}

// inForceText says when a rule is in force.
func inForceText(from, until term.Term, denied bool) string {
	since, end := dayText(from), dayText(until)
	verb, link := " is in force", " since "
	switch {
	case denied && since == "" && end == "":
		return " is not in force"
	case denied && since == "":
		return " was in force only before " + end
	case denied:
		verb, link = " is in force only", " from "
	}
	if since != "" {
		verb += link + since
	}
	if denied {
		verb += " on"
	}
	if since != "" && end != "" {
		verb += " and"
	}
	return verb + following(" before ", end)
}

// dayText writes a date, "" for an open interval end.
func dayText(t term.Term) string {
	if args, ok := term.Is(t, "date", 3); ok {
		return fmt.Sprintf("%04d-%02d-%02d", args[0], args[1], args[2])
	}
	return ""
}

// isGuard reports whether the loader has added a goal to a labelled rule or a table and the goal is uninformative if it
// holds. Such goals say that the rule is always in force, what day it is, that nothing defeats or contradicts the rule,
// or which part of a large table is used.
func isGuard(g Goal) bool {
	t := g.Term
	if always, ok := term.Is(t, "rule in force", 3); ok {
		return always[1] == null && always[2] == null
	}
	if g.Module == "law" && g.name() == "today" || g.name() == "decision_part" || isResultTest(t) {
		return true
	}
	inner := negated(t)
	if inner == nil {
		return false
	}
	name, _, _ := term.Indicator(goalOf(inner).Term)
	if of := negated(goalOf(inner).Term); of != nil && goalOf(of).name() == "memberchk" {
		return true
	}
	return name == "rule defeated" || name == "rule contradicted"
}

// InputTests are the goals with which the first clause of a decision table tests whether an input has no value, nil for
// the body of another clause.
func InputTests(body term.Term) (tests []term.Term) {
	for body != term.Term(term.Atom("fail")) {
		either, ok := term.Is(body, ";", 2)
		if !ok {
			return nil
		}
		then, ok := term.Is(either[0], "->", 2)
		if !ok {
			return nil
		}
		name, _, _ := term.Indicator(then[0])
		if _, throws := term.Is(then[1], "throw", 1); !throws || name != "var" {
			return nil
		}
		tests, body = append(tests, then[0]), either[1]
	}
	return tests
}

// isResultTest reports whether a goal tests that the result of the rows of a decision table is not null, or that an
// output is one of the results.
func isResultTest(t term.Term) bool {
	if args, ok := term.Is(t, `\==`, 2); ok {
		return args[0] == null
	}
	args, ok := term.Is(t, "member", 2)
	if !ok {
		return false
	}
	name, arity, _ := term.Indicator(args[0])
	return name == "row" && arity > 0
}

// unlisted says that a value is not in the list of a column's type, if a row that accepts all listed values fails. It
// returns "" for other misses.
func (o *Options) unlisted(raw []term.Term) string {
	goals := []term.Term{raw[5]}
	for _, item := range listed(behind(raw[6])) {
		if of, ok := term.Is(item, "verdict", 3); ok && of[0] == term.Term(term.Atom("fails")) {
			goals = append(goals, of[1])
		}
	}
	for _, goal := range goals {
		inner := negated(goalOf(goal).Term)
		if inner == nil {
			continue
		}
		g := goalOf(negated(goalOf(inner).Term))
		if args, ok := term.Is(g.Term, "memberchk", 2); ok {
			values := strings.Trim(o.text(Goal{"user", args[1]}), "[]")
			return o.named(g, 0) + o.text(Goal{"user", args[0]}) + " is not one of " + values
		}
	}
	return ""
}

// saysNothing reports whether a raw node is for an uninformative goal. The goal that nothing defeats a rule is
// informative if there is a stronger rule with misses.
func saysNothing(node []term.Term) bool {
	g := goalOf(node[1])
	if node[0] != term.Term(term.Atom("missed")) && isPlain(g) {
		return true
	}
	if !isGuard(g) || node[0] == term.Term(term.Atom("missed")) {
		return false
	}
	missing, ok := term.Is(node[2], "missing", 1)
	if inner := negated(g.Term); !ok || inner == nil || goalOf(inner).name() != "rule defeated" {
		return true
	}
	return !slices.ContainsFunc(listed(missing[0]), func(item term.Term) bool {
		of := missOf(item)
		return of != nil && of[0] == term.Term(term.Atom("clause"))
	})
}

// countGuards removes the goals that are not shown from the counts of a miss.
func (m *miss) countGuards(held []term.Term) {
	if m.place.Body == nil {
		return
	}
	for _, item := range held {
		if isGuard(goalIn(item, m.call.Module)) {
			m.heldCount--
		}
	}
	goals, _ := term.Conjuncts(m.place.Body)
	for _, goal := range goals {
		if isGuard(goalIn(goal, m.call.Module)) && term.Compare(goal, m.failedGoal.Term) != 0 {
			m.total--
		}
	}
}

// isPlain reports whether a true goal of a decision table does not change a value: a FEEL expression that is its own
// value, or the result of a single row.
func isPlain(g Goal) bool {
	args := argsOf(g.Term)
	switch {
	case g.name() == "feel" && len(args) == 2:
		if typed, ok := term.Is(args[0], "typed", 2); ok {
			return term.Compare(typed[1], args[1]) == 0
		}
		return feel.Written(args[0], false) == feel.Written(args[1], false)
	case g.name() == "decision_hits" && len(args) == 3:
		hits := listed(args[1])
		return len(hits) == 1 && term.Compare(hits[0], args[2]) == 0
	}
	return false
}

// rowsSuffix ends the names of the predicates of rows.
const rowsSuffix = " row"

// isGathering reports whether a goal gathers the rows of a decision table. The rows are shown in its place.
func isGathering(goal term.Term) bool {
	args, ok := term.Is(goalOf(goal).Term, "findall", 3)
	return ok && strings.HasSuffix(string(goalOf(args[1]).name()), rowsSuffix)
}

// rowMisses returns the misses below a raw miss, without the search among the rows of a decision table. It returns nil
// if the miss is not about such a table. The misses of the rows get the goal itself. If no row is for a value, the
// result is a miss of facts.
func rowMisses(raw term.Term) []term.Term {
	args := missOf(raw)
	if args == nil || args[0] != term.Term(term.Atom("clause")) {
		return nil
	}
	at, placed := term.Is(args[2], "at", 3)
	goal, failed := goalOf(args[1]), goalOf(args[5])
	without, held := term.Term(nil), listed(args[3])
	if failed.name() == "=" && len(held) > 0 && isResultTest(held[len(held)-1]) {
		held = held[:len(held)-1]
	}
	number := len(argsOf(failed.Term)) - len(argsOf(goal.Term)) // a row may have its number before the arguments
	ofRows := failed.name() == goal.name()+rowsSuffix && number == 1
	if failed.name() == "decision_part" {
		without = argsOf(failed.Term)[1]
	} else if n := len(held); n > 1 && isGathering(held[n-2]) && (failed.name() == "=" || failed.name() == `\==`) {
		ofRows, number, without = true, 0, goalOf(held[n-1]).Term
	}
	own := func(t term.Term) term.Term {
		if of := goalOf(t); of.name() == goal.name()+rowsSuffix {
			return term.New(":", term.Atom(of.Module), term.New(goal.name(), argsOf(of.Term)[number:]...))
		}
		return t
	}
	var list []term.Term
	for _, item := range listed(args[6]) {
		of, within := missOf(item), rowMisses(item) // rows that are gathered may be searched for, too
		if within == nil {
			within = []term.Term{item}
		}
		if ofRows && (number > 0 || of != nil && goalOf(of[1]).name() != failed.name()) {
			for _, item := range within {
				list = append(list, rowMiss(item, number, own))
			}
		}
	}
	if placed && without != nil && (len(list) == 0 || failed.name() == "=") {
		list = slices.Insert(list, 0, term.New("miss", term.Atom("norow"), args[1], term.Atom("none"), term.Nil, term.Int(0),
			term.New("row", at[0], term.New("lacks", without)), term.Nil))
	}
	return list
}

// rowMiss is a raw miss of a row as one of its table, by the goal that own makes of one of the row.
func rowMiss(raw term.Term, number int, own func(term.Term) term.Term) term.Term {
	args := slices.Clone(missOf(raw))
	if args == nil {
		return raw
	}
	args[1] = own(args[1])
	held := slices.Clone(listed(args[3]))
	for i, item := range held {
		if near, ok := term.Is(item, "near", 4); ok {
			at, _ := near[2].(term.Int)
			held[i] = term.New("near", goalOf(own(near[0])).Term, near[1], at-term.Int(number), near[3])
		}
	}
	args[3] = term.List(held...)
	return term.New("miss", args...)
}

// tableWords returns the words for a goal made from a cell, an expression or the hit policy of a table, "" for other
// goals.
func (o *Options) tableWords(g Goal, denied bool) string {
	goal := g.Term
	shown := func(t term.Term) string { return feel.Written(t, false) }
	switch name, arity, _ := term.Indicator(goal); fmt.Sprintf("%s/%d", name, arity) {
	case "feel_in/2":
		var tests []string
		for _, test := range listed(argsOf(goal)[1]) {
			if holds, ok := term.Is(test, "holds", 1); ok {
				test = holds[0]
			}
			tests = append(tests, shown(test))
		}
		verb := " fits "
		if denied {
			verb = " does not fit "
		}
		return o.named(g, 0) + shown(argsOf(goal)[0]) + verb + strings.Join(tests, ", ")
	case "feel/2":
		return o.named(g, 1) + resultWords(shown(argsOf(goal)[0]), shown(argsOf(goal)[1]), denied)
	case "feel/3":
		args := argsOf(goal)
		text, isText := term.Text(args[0])
		if !isText {
			return ""
		}
		var with []string
		for _, item := range listed(args[1]) {
			if pair, ok := term.Is(item, "-", 2); ok {
				with = append(with, shown(pair[0])+" = "+shown(pair[1]))
			}
		}
		if len(with) > 0 {
			text += ", with " + strings.Join(with, ", ")
		}
		return resultWords(text, shown(args[2]), denied)
	case "decision_hits/3":
		args := argsOf(goal)
		policy, _, _ := term.Indicator(args[0])
		result := "makes " + shown(outputsOf(args[2])) + " of "
		if args[2] == null {
			result = "gives no result for "
		}
		return fmt.Sprintf("the hit policy %s %s%s", policy, result, shown(outputsOf(args[1])))
	}
	return ""
}

func resultWords(expression, result string, denied bool) string {
	verb := " is "
	if denied {
		verb = " is not "
	}
	return result + verb + expression
}

// outputsOf returns the output of a row for a hit policy, or a list of its outputs. For a list of rows it returns a
// list.
func outputsOf(t term.Term) term.Term {
	if rows, ok := term.Slice(t); ok {
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i] = outputsOf(rows[i])
		}
		return term.List(rows...)
	}
	name, _, _ := term.Indicator(t)
	switch args := argsOf(t); {
	case name != "row" || len(args) == 0:
		return t
	case len(args) == 1:
		return args[0]
	default:
		return term.List(args...)
	}
}
