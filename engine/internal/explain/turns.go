package explain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what is said of comparisons: from which value on they hold, and how they read in words.

// comparedSides finds the variable that stands alone on the left or on the right of a comparison as its clause has it.
var comparedSides = regexp.MustCompile(`^([A-Z]\w*)(?:>=|=<|<|>|=:=)|(?:>=|=<|<|>|=:=)([A-Z]\w*)$`)

// turning words for which values of a variable on the left of a comparison it holds, opposite has the comparison for
// one on the right.
var (
	turning = map[term.Atom][2]string{">=": {"from ", " on"}, ">": {"above ", ""}, "=<": {"up to ", ""},
		"<": {"below ", ""}, "=:=": {"equal to ", ""}}
	opposite = map[term.Atom]term.Atom{">=": "=<", ">": "<", "=<": ">=", "<": ">", "=:=": "=:="}
)

// compared are the words for a comparison that holds, and for one that does not.
var compared = map[term.Atom][2]string{">=": {"is at least", "is below"}, ">": {"is above", "is not above"},
	"=<": {"is at most", "is above"}, "<": {"is below", "is not below"}, "=:=": {"is", "is not"},
	"=\\=": {"is not", "is"}}

// comparison returns a goal with two numbers that it compares, nil for others.
func comparison(goal term.Term) *term.Compound {
	c, ok := goal.(*term.Compound)
	if !ok || len(c.Args) != 2 || !isNumber(c.Args[0]) || !isNumber(c.Args[1]) || compared[c.Functor][0] == "" {
		return nil
	}
	return c
}

// turns says for which values of a variable a comparison of two numbers holds. written is the goal as its clause has
// it: the variable stands alone on one of the sides. It is "" for other goals.
func (o *Options) turns(goal term.Term, written string) string {
	c, sides := comparison(goal), comparedSides.FindStringSubmatch(written)
	if c == nil || sides == nil {
		return ""
	}
	name, words, value := sides[1], turning[c.Functor], c.Args[1]
	if name == "" {
		name, words, value = sides[2], turning[opposite[c.Functor]], c.Args[0]
	}
	if name == "" {
		return ""
	}
	return name + " " + words[0] + o.text(Goal{"user", value}) + words[1]
}

// inWords is a comparison by the names of the arguments that it compares, as in "age 17 is below min_age 18"; "" when
// none has a name, and for other goals.
func (o *Options) inWords(g Goal, of []Argument, holds bool) string {
	c := comparison(g.Term)
	if c == nil || len(of) != 2 {
		return ""
	}
	sides, named := make([]string, 2), false
	for i, arg := range c.Args {
		sides[i] = o.text(Goal{"user", arg})
		advice := o.Advice(g.Module, of[i].Name, of[i].Arity)
		for _, names := range [][]string{advice.Names, advice.Columns} {
			if of[i].At < len(names) && len(names[of[i].At]) > 1 { // a letter says nothing
				sides[i], named = strings.ToLower(names[of[i].At])+" "+sides[i], true
				break
			}
		}
	}
	if !named {
		return ""
	}
	word := 0
	if !holds {
		word = 1
	}
	return sides[0] + " " + compared[c.Functor][word] + " " + sides[1]
}

// compare notes what is said of a comparison that is a goal of the clause of the node above it.
func (b *builder) compare(n *Node) {
	above := b.within
	if above == nil || above.place.Body == nil || b.o.Texts == nil || comparison(n.call.Term) == nil {
		return
	}
	number, err := strconv.Atoi(strings.TrimPrefix(n.ID, above.ID+"."))
	goals, ok := term.Conjuncts(above.place.Body)
	if err != nil || !ok || number < 1 || number > len(goals) || slices.ContainsFunc(goals[:number], isControl) ||
		term.Compare(goals[number-1], n.call.Term) != 0 {
		return
	}
	cuts := 0
	for _, goal := range goals[:number] {
		if goal == term.Term(term.Atom("!")) {
			cuts++
		}
	}
	written, of := b.o.Texts.Goal(above.place, number-1-cuts, Goal{above.call.Module, n.call.Term})
	n.Turns = b.o.turns(n.call.Term, written)
	n.Says = b.o.inWords(Goal{above.call.Module, n.call.Term}, of, true)
}

// isControl reports whether a goal has others in it, so that those behind it have other numbers; so does true.
func isControl(goal term.Term) bool {
	_, control := term.Control(goal)
	_, junction := term.Junction(goal)
	return control || junction || goal == term.Term(term.Atom("true"))
}

func isNumber(t term.Term) bool {
	switch t.(type) {
	case term.Int, term.Float, *term.Big, *term.Rational:
		return true
	}
	return false
}
