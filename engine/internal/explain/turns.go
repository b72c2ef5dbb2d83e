package explain

import (
	"regexp"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines from which value on a comparison that fails would hold.

// comparedSides finds the variable that stands alone on the left or on the right of a comparison as its clause has it.
var comparedSides = regexp.MustCompile(`^([A-Z]\w*)(?:>=|=<|<|>|=:=)|(?:>=|=<|<|>|=:=)([A-Z]\w*)$`)

// turning words for which values of a variable on the left of a comparison it holds, opposite has the comparison for
// one on the right.
var (
	turning = map[term.Atom][2]string{">=": {"from ", " on"}, ">": {"above ", ""}, "=<": {"up to ", ""},
		"<": {"below ", ""}, "=:=": {"equal to ", ""}}
	opposite = map[term.Atom]term.Atom{">=": "=<", ">": "<", "=<": ">=", "<": ">", "=:=": "=:="}
)

// turns says for which values of a variable a comparison of two numbers holds. written is the goal as its clause has
// it: the variable stands alone on one of the sides. It is "" for other goals.
func (o *Options) turns(goal term.Term, written string) string {
	c, ok := goal.(*term.Compound)
	if !ok || len(c.Args) != 2 || !isNumber(c.Args[0]) || !isNumber(c.Args[1]) {
		return ""
	}
	sides := comparedSides.FindStringSubmatch(written)
	if _, known := turning[c.Functor]; !known || sides == nil {
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

func isNumber(t term.Term) bool {
	switch t.(type) {
	case term.Int, term.Float, *term.Big, *term.Rational:
		return true
	}
	return false
}
