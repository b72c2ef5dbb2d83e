package explain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines how goals of the system are shown in words: control constructs, negations, aggregates, and some of
// the library's predicates on lists.

// systemWords are the words for predicates of the system and the library, with argument numbers; an asterisk before the
// number marks an argument that is a goal. Text in brackets or after a bar is for a goal that does not hold.
var systemWords = map[string]string{
	"forall/2": "for every *1: *2", "findall/3": "$3 lists every $1 with *2",
	"aggregate_all/3 count": "$3 is the number of *2", "aggregate_all/3 sum": "$3 is the sum of $0 over *2",
	"aggregate_all/3 max": "$3 is the greatest $0 with *2", "aggregate_all/3 min": "$3 is the least $0 with *2",
	"aggregate_all/3 bag": "$3 lists every $0 with *2", "aggregate_all/3 set": "$3 is the set of every $0 with *2",
	"setof/3": "$3 is the set of every $1 with *2", "bagof/3": "$3 lists every $1 with *2",
	`\==/2`: "$1 is not $2|both are $1", "dif/2": "$1 is not $2|both are $1",
	`\=/2`:  "$1 is not $2|$1 and $2 may be the same",
	`=\=/2`: "$1 is not $2", "member/2": "$1 is[ not] in $2",
	"memberchk/2": "$1 is[ not] in $2", "between/3": "$3 is[ not] between $1 and $2",
	"length/2":   "$2 is the length of $1",
	"sum_list/2": "$2 is the sum of $1", "sumlist/2": "$2 is the sum of $1", "max_list/2": "$2 is the greatest of $1",
	"min_list/2": "$2 is the least of $1",
	"last/2":     "$2 is the last of $1", "sort/2": "$2 is $1 sorted", "msort/2": "$2 is $1 sorted",
	"keysort/2": "$2 is $1 sorted by keys", "sort/4": "$4 is $3 sorted", "reverse/2": "$2 is $1 reversed",
	"nth1/3": "$3 is number $1 of $2", "append/3": "$3 is $1 followed by $2", "atom_length/2": "$2 is the length of $1",
	"string_length/2": "$2 is the length of $1", "atom_concat/3": "$3 is $1 followed by $2",
	"string_concat/3": "$3 is $1 followed by $2", "@</2": "$1 comes before $2|$1 does not come before $2",
	"@>/2":  "$1 comes after $2|$1 does not come after $2",
	"@=</2": "$1 does not come after $2|$1 comes after $2",
	"@>=/2": "$1 does not come before $2|$1 comes before $2", "var/1": "$1 has no value yet|$1 has a value",
	"nonvar/1": "$1 has a value|$1 has no value yet",
	"ground/1": "$1 has a value throughout|$1 is not known in full", "catch/3": "*1, with errors caught",
	"ignore/1": "*1, if that holds", "mcp_ask/3": "the user answers $3 to $1",
	"==/2": "$1 is[ not] $2", "=/2": "$1 is[ not] $2",
	"foldl/4": "$4 is what $1 makes of $2, beginning with $3", "include/3": "$3 are those of $2 with $1",
	"exclude/3": "$3 are those of $2 without $1", "maplist/2": "$1 for each of $2",
	"maplist/3": "$1 from each of $2 to $3",
	"today/1":   "today is $1", "add_days/3": "$3 is $2 days after $1", "add_months/3": "$3 is $2 months after $1",
	"within/3": "$1 is[ not] in the time from $2 to $3", "parse_date/2": "$1 is the text of $2",
	"format_date/2": "$2 is the text of $1", "weekday/2": "$2 is the weekday of $1",
	"age/3": "$3 is the age on $2 of someone born on $1", "days_between/3": "$3 is the number of days from $1 to $2",
	"subset/2": "[not ]all of $1 are in $2", "subtract/3": "$3 is $1 without $2",
	"atom_number/2": "$1 is the number $2 as text",
	"is_list/1":     "$1 is[ not] a list", "string/1": "$1 is[ not] a string",
	"atomic/1": "$1 is no compound term", "=:=/2": "$1=$2",
	"float/1": "$1 is[ not] a float", "rational/1": "$1 is a rational number",
	"is_assoc/1": "$1 is an association list", "is_of_type/2": "$2 is[ not] of the type $1",
	"./3":       "$3 is $1.$2|there is no $1.$2",
	"integer/1": "$1 is[ not] an integer", "number/1": "$1 is[ not] a number", "atom/1": "$1 is[ not] an atom",
	// Constraints are written as their statements about numbers.
	"#=/2": "$1=$2", "#\\=/2": "$1 is not $2", "#</2": "$1<$2", "#>/2": "$1>$2", "#=</2": "$1=<$2", "#>=/2": "$1>=$2",
	"in/2": "$1 is[ not] in $2", "ins/2": "each of $1 is in $2", "all_different/1": "all of $1 differ",
	"all_distinct/1": "all of $1 differ", "label/1": "$1 have values", "labeling/2": "$2 have values",
	"indomain/1": "$1 have values", "element/3": "$3 is number $1 of $2",
	"#<==>/2": "*1 just if *2", "#==>/2": "*2 if *1", "#<==/2": "*1 if *2",
}

// required is said of posted constraints that may have no solution.
const required = "required; not all values are known"

// isRequired reports whether a goal has posted a constraint with some unknown values.
func (o *Options) isRequired(g Goal) bool {
	name, arity, _ := term.Indicator(g.Term)
	return isConstraint(name) && len(term.Variables(g.Term)) > 0 &&
		o.Home != nil && o.Home(g.Module, string(name), arity) == ""
}

// systemText returns the words of systemWords for a goal that holds or does not hold, "" if there are none.
func systemText(key string, holds bool) string {
	words, opposite, _ := strings.Cut(systemWords[key], "|")
	if before, rest, ok := strings.Cut(words, "["); ok {
		not, after, _ := strings.Cut(rest, "]")
		words, opposite = before+after, before+not+after
	}
	if holds {
		return words
	}
	return opposite
}

// inverse maps each comparison to the one that holds exactly when it does not.
var inverse = map[term.Atom]term.Atom{"<": ">=", ">=": "<", ">": "=<", "=<": ">", "=:=": "=\\=", "=\\=": "=:="}

// inverted returns the comparison that holds exactly when another does not, nil for other goals.
func inverted(goal term.Term) *term.Compound {
	c, ok := goal.(*term.Compound)
	if !ok || len(c.Args) != 2 || inverse[c.Functor] == "" {
		return nil
	}
	return &term.Compound{Functor: inverse[c.Functor], Args: c.Args}
}

// plainCall matches a goal, as written in a clause, that is no operator expression.
var plainCall = lazyregexp.New(`^[a-z]\w*\(`)

// wordsFor returns the words for a goal defined by the system, "" for other goals.
func (o *Options) wordsFor(g Goal) string {
	c, ok := g.Term.(*term.Compound)
	if !ok {
		return ""
	}
	if inner := negated(c); inner != nil {
		return o.negationText(goalIn(inner, g.Module))
	}
	if words := o.ruleWords(g, false); words != "" {
		return words
	}
	if inner := stoodFor(c); inner != nil {
		return o.text(goalIn(inner, g.Module))
	}
	if c.Functor == "is" && len(c.Args) == 2 {
		return o.arithmetic(g)
	}
	if _, junction := shapes.Junction(c); junction {
		o.naming.share(c)
		return "(" + o.junctionText(g) + ")"
	}
	key, of := string(c.Functor)+"/"+strconv.Itoa(len(c.Args)), term.Term(nil)
	if key == "aggregate/3" {
		key = "aggregate_all/3"
	}
	if spec, ok := c.Args[0].(*term.Compound); ok && key == "aggregate_all/3" && len(spec.Args) <= 2 {
		if key, of = key+" "+string(spec.Functor), spec.Args[0]; len(spec.Args) == 2 {
			words := strings.Replace(systemText(key, true), "$0", "$0 and its $4", 1)
			return o.filled(words, Goal{g.Module, term.New(c.Functor, append(slices.Clone(c.Args), spec.Args[1])...)}, of)
		}
	} else if key == "aggregate_all/3" && c.Args[0] == term.Term(term.Atom("count")) {
		key += " count"
	}
	words := cmp.Or(o.unbound(c, `\==`), systemText(key, true))
	if n, ok := c.Args[min(1, len(c.Args)-1)].(term.Int); ok && n < 0 && strings.HasPrefix(key, "add_") {
		g.Term = term.New(c.Functor, c.Args[0], -n, c.Args[2])
		words = strings.Replace(words, " after ", " before ", 1)
	}
	if key == `\==/2` && c.Args[1] == term.Term(term.Nil) {
		words = "$1 is not empty"
	}
	if key == "labeling/2" && o.Texts != nil && o.head.Term != nil {
		written, _, _ := o.Texts.Goal(o.at, o.head, g)
		if order := labelled().FindStringSubmatch(written); order != nil {
			words += map[string]string{"max": ", the greatest ", "min": ", the least "}[order[1]] + order[2] + " first"
		}
	}
	return o.filled(words, g, of)
}

// unbound returns the words for a goal of ==/2 or \==/2 according to which an unbound variable differs from a term,
// although it may become equal later. It returns "" for other goals, and for goals within a goal, which are called with
// other values.
func (o *Options) unbound(goal *term.Compound, name term.Atom) string {
	if goal.Functor != name || len(goal.Args) != 2 || !o.isCalled(goal) {
		return ""
	}
	_, x := goal.Args[0].(*term.Var)
	_, y := goal.Args[1].(*term.Var)
	switch {
	case x && !y:
		return "$1, which has no value yet, is not $2"
	case y && !x:
		return "$1 is not $2, which has no value yet"
	}
	return ""
}

// isCalled reports whether a goal is the one shown as it was called, or is negated by that goal.
func (o *Options) isCalled(goal term.Term) bool {
	for called := o.called; called != nil; called = negated(called) {
		if term.Compare(called, goal) == 0 {
			return true
		}
	}
	return false
}

// labelled matches a goal of labeling/2, as written in a clause, that asks for the greatest or least value of an
// expression first.
var labelled = lazyregexp.New(`^labeling\(\[(?:\w+, *)*(max|min)\(([^()]*)\)[^]]*\],`)

// isAtomic reports whether all of some terms are constants.
func isAtomic(terms ...term.Term) bool {
	return !slices.ContainsFunc(terms, func(t term.Term) bool {
		_, isCompound := t.(*term.Compound)
		_, unbound := t.(*term.Var)
		return isCompound || unbound
	})
}

// opposite returns the words for a goal of the system that does not hold, "" for other goals. written is the goal as
// written in its clause.
func (o *Options) opposite(g Goal, written string) string {
	c, ok := g.Term.(*term.Compound)
	if words := o.ruleWords(g, true); words != "" || !ok || emptyFails(c) {
		return words
	}
	if words := o.lengths(c); words != "" {
		return words
	}
	key := string(c.Functor) + "/" + strconv.Itoa(len(c.Args))
	words := cmp.Or(o.unbound(c, "=="), systemText(key, false))
	if key == `\=/2` || key == `#\=/2` {
		if term.Compare(c.Args[0], c.Args[1]) == 0 {
			words = systemText(`\==/2`, false)
		} else if len(term.Variables(c)) == 0 { // a negation says so of the goals that it does not find
			words = systemText("==/2", true)
		}
	}
	if of := differs().FindStringSubmatch(written); of != nil && words == systemText(`\==/2`, false) {
		words = of[1] + " is $2" // a variable and a constant
	}
	return o.filled(words, g, nil)
}

// lengths says that the number of elements of a list differs from the other side of an equation, "" for other goals.
func (o *Options) lengths(goal *term.Compound) string {
	if goal.Functor != "=" || len(goal.Args) != 2 {
		return ""
	}
	list, other := goal.Args[0], goal.Args[1]
	if len(term.Variables(list)) > len(term.Variables(other)) {
		list, other = other, list
	}
	is, isList := term.Slice(list)
	wanted, isToo := term.Slice(other)
	if !isList || !isToo || len(is) == len(wanted) || len(is)*len(wanted) == 0 {
		return ""
	}
	return o.text(Goal{"user", list}) + " has " + spell.Count(len(is), "element") + ", not " + strconv.Itoa(len(wanted))
}

// differs matches an inequality of a variable and a constant, as written in a clause.
var differs = lazyregexp.New(`^([A-Z]\w*)\s*#?\\==?\s*(?:[^A-Z_]*|[a-z]\w*)$`)

// filled inserts the arguments of a goal of the system into words; of is the collected term of an aggregate.
func (o *Options) filled(words string, g Goal, of term.Term) string {
	c := g.Term.(*term.Compound)
	unlike := c.Functor == "=" && !isAtomic(c.Args...) ||
		sameness[c.Functor] != "" && slices.ContainsFunc(c.Args, isExpression) // no number is compared
	if words == "" || unlike || o.Home != nil && o.Home(g.Module, string(c.Functor), len(c.Args)) != "" {
		return ""
	}
	if len(c.Args) == 1 {
		o.nameGoal(g)
	}
	for _, arg := range c.Args {
		if v, unbound := arg.(*term.Var); unbound && o.naming.names[v] != "" {
			o.naming.shared[v] = true
		}
	}
	o.naming.share(c)
	if tested().MatchString(words) {
		words = o.named(g, int(words[1]-'1')) + words
	}
	return wordField().ReplaceAllStringFunc(words, func(field string) string {
		switch at := int(field[1] - '1'); {
		case field == "$0":
			return o.plainText(Goal{g.Module, of})
		case field[0] == '*':
			text, most := o.text(goalIn(c.Args[at], g.Module)), -1
			if strings.HasPrefix(text, "(if ") {
				most = 1
			}
			return strings.Replace(text, " is in ", " in ", most)
		default:
			return o.plainText(Goal{g.Module, c.Args[at]})
		}
	})
}

// isExpression reports whether a term is a plain expression of numbers other than a number.
func isExpression(t term.Term) bool {
	parts := maxExpression
	_, isCompound := t.(*term.Compound)
	return isCompound && valueOf(t, &parts) != nil
}

// tested are words for the type of a value.
var tested = lazyregexp.New(`^\$\d is (not )?(in|between|a|an) `)

// named returns the clause's name for the value of an argument of a goal, and a space; "" for other values.
func (o *Options) named(g Goal, at int) string {
	c, ok := g.Term.(*term.Compound)
	if !ok || o.Texts == nil || o.head.Term == nil || o.asCode || !o.plainValue(c.Args[at]) {
		return ""
	}
	text, of, _ := o.Texts.Goal(o.at, o.head, g)
	if at >= len(of) {
		return ""
	}
	name := o.argumentName(of[at], g.Module)
	if variable := firstOrLast().FindStringSubmatch(text); name == "" && variable != nil {
		name = variable[1+min(at, 1)]
	}
	return strings.TrimLeft(name+" ", " ")
}

// firstOrLast matches a named variable that is the first or the last argument of a goal, or both.
var firstOrLast = lazyregexp.New(`^\w+\((?:([A-Z]\w+)[,)])?(?:.*, ([A-Z]\w+)\)$)?`)

// bare removes the parentheses around goals that control constructs join.
func bare(goal term.Term, text string) string {
	if _, junction := shapes.Junction(goal); junction {
		return strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	}
	return text
}

// wordField is an argument in systemWords.
var wordField = lazyregexp.New(`[$*]\d`)

// negationText writes the negation of a goal. For a negation it writes the negated goal.
func (o *Options) negationText(g Goal) string {
	if inner := negated(g.Term); inner != nil {
		return o.text(goalIn(inner, g.Module))
	}
	if inner := stoodFor(g.Term); inner != nil {
		return o.negationText(goalIn(inner, g.Module))
	}
	if other := inverted(g.Term); other != nil {
		return o.text(Goal{g.Module, other})
	}
	if instead := o.opposite(g, ""); instead != "" {
		return instead
	}
	text := o.text(g)
	if words := o.wordsFor(g); words != "" && !strings.HasPrefix(words, "(") {
		text = "(" + text + ")"
	}
	return "not " + text
}

// stoodFor returns the goal that another goal stands for, nil for other goals.
func stoodFor(goal term.Term) term.Term {
	for _, name := range []term.Atom{"once", "call"} {
		if args, ok := term.Is(goal, name, 1); ok {
			return args[0]
		}
	}
	if args, ok := term.Is(goal, "^", 2); ok {
		return args[1]
	}
	return nil
}

// junctionText writes goals that control constructs join.
func (o *Options) junctionText(g Goal) string {
	c := g.Term.(*term.Compound)
	within := func(t term.Term) string {
		of := goalIn(t, g.Module)
		_, inner := term.Is(of.Term, ",", 2)
		if inner && c.Functor == "," || isDisjunction(c) && isDisjunction(of.Term) {
			return o.junctionText(of)
		}
		return o.text(of)
	}
	first, second := c.Args[0], c.Args[1]
	for _, arrow := range []term.Atom{"->", "*->"} {
		if then, ok := term.Is(first, arrow, 2); ok && c.Functor == ";" {
			return "if " + within(then[0]) + " then " + within(then[1]) + " else " + within(second)
		}
	}
	switch c.Functor {
	case ",":
		return within(first) + ", " + within(second)
	case "->", "*->":
		return "if " + within(first) + " then " + within(second)
	}
	return within(first) + " or " + within(second)
}

// meant returns "; did you mean X?" for a goal or an error according to which a constant is none of some others, if one
// of these is spelled nearly like it; otherwise "".
func meant(of term.Term) string {
	if args, ok := term.Is(of, "error", 2); ok {
		of = args[0]
	}
	args := argsOf(of)
	if len(args) != 2 {
		return ""
	}
	value, among := args[0], args[1]
	switch name, _, _ := term.Indicator(of); name {
	case "type_error", "domain_error", "is_of_type":
		if name == "is_of_type" || len(argsOf(value)) == 1 {
			value, among = args[1], args[0]
		}
		oneOf, ok := term.Is(among, "oneof", 1)
		if !ok {
			return ""
		}
		among = oneOf[0]
	case "member", "memberchk":
	default:
		return ""
	}
	word, isText := term.Text(value)
	var words []string
	for _, item := range listed(among) {
		if text, ok := term.Text(item); ok {
			words = append(words, text)
		}
	}
	if !isText || slices.Contains(words, word) {
		return ""
	}
	return spell.Hint(word, words)
}
