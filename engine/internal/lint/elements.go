package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the searches for lists whose elements a library predicate rejects, and for values that are nearly
// equal to those of a data file or of other facts.

// elementsOf lists the predicates whose first argument is a list of numbers, pairs or texts.
var elementsOf = map[key]string{
	keyOf("", "sum_list", 2): "numbers", keyOf("", "sumlist", 2): "numbers", keyOf("", "max_list", 2): "numbers",
	keyOf("", "min_list", 2): "numbers", keyOf("", "keysort", 2): "pairs", keyOf("", "pairs_keys", 2): "pairs",
	keyOf("", "pairs_values", 2): "pairs", keyOf("", "pairs_keys_values", 3): "pairs",
	keyOf("", "atomic_list_concat", 2): "texts", keyOf("", "atomic_list_concat", 3): "texts",
}

// elements reports list elements that a goal cannot use.
func (c *checker) elements(cl *clause, g goal, before flow.Env) string {
	args, name := argumentsOfGoal(g)
	want := elementsOf[keyOf("", name, len(args))]
	if want == "" || c.predicates[keyOf(cl.key.Module, name, len(args))] != nil {
		return ""
	}
	t, ok := before.Of(args[0]).Each()
	if !ok || t.Empty() {
		return ""
	}
	wrong := false
	switch want {
	case "numbers":
		wrong = c.noNumber(t)
	case "pairs":
		wrong = flow.Meet(t, flow.Pair).Empty()
	case "texts":
		wrong = t.Only(flow.Compound)
	}
	if !wrong {
		return ""
	}
	return fmt.Sprintf("it wants a list of %s, and the elements of %s are %s", want, cl.show(args[0]), t)
}

// calculatedList reports a list variable in an expression. Only a list of a single number has a value.
func (c *checker) calculatedList(cl *clause, g goal, before flow.Env) string {
	args, name := argumentsOfGoal(g)
	if len(args) != 2 || !evaluated[term.Atom(name)] {
		return ""
	}
	if name == "is" {
		args = args[1:]
	}
	for _, v := range term.Variables(args...) {
		if before.Of(v).Only(flow.List) {
			return cl.nameOf(v) + " is a list here, and no number"
		}
	}
	return ""
}

// aggregated reports a variable that is no number in a sum, a maximum or a minimum over all answers.
func (c *checker) aggregated(cl *clause, g goal, before flow.Env) string {
	args, name := argumentsOfGoal(g)
	if name != "aggregate_all" || len(args) != 3 || c.predicates[keyOf(cl.key.Module, name, 3)] != nil {
		return ""
	}
	kind, arity, _ := term.Indicator(args[0])
	if arity == 0 || kind != "sum" && kind != "max" && kind != "min" {
		return ""
	}
	e := args[0].(*term.Compound).Args[0]
	var head []term.Term
	for _, v := range term.Variables(e) {
		head = append(head, v)
	}
	for i, t := range c.flow.Row(cl.key.Module, flow.Clause{Head: head, Body: g.Arg(1)}, before) {
		if !c.noNumber(t) || !t.Only(flow.Compound) && !flow.Meet(t, flow.Evaluable).Empty() {
			continue
		}
		advice := ""
		if pair, ok := term.Is(e, "-", 2); ok && pair[1] == head[i] && kind != "sum" {
			advice = fmt.Sprintf("; write %s(%s, %s)", kind, cl.show(pair[0]), cl.show(pair[1]))
		}
		return fmt.Sprintf("%s calculates %s, and %s is %s here%s", cl.show(args[0]), cl.show(e), cl.show(head[i]), t, advice)
	}
	return ""
}

// noNumber reports whether no value of a type can be an operand.
func (c *checker) noNumber(t flow.Type) bool {
	return t.Only(flow.Text) && !flow.Meet(t, flow.Words).Empty() ||
		c.mentioned["arithmetic_function"] == 0 && t.Only(flow.Compound) && !t.Calculable(c.world.Function)
}

// misspelt reports an argument of a call that nearly equals a value of its column in a data file, or a value that facts
// supply through rules. Other data may have other values.
func (c *checker) misspelt(cl *clause, g goal, succeeds bool) string {
	args, name := argumentsOfGoal(g)
	k := c.world.Resolve(cl.key.Module, name, len(args))
	for i, known := range c.data[k].Columns {
		if flow.Meet(flow.Env{}.Of(args[i]), known).Empty() {
			if hint := meant(args[i], known); hint != "" {
				return fmt.Sprintf("no row of %s has %s as argument %d%s", k, syntax.FormatTerm(args[i]), i+1, hint)
			}
		}
	}
	for i, t := range c.flow.Types(k) {
		if near := slip(args[i], t.Seen()); near != nil && succeeds {
			return fmt.Sprintf("%s gives no %s as argument %d; did you mean %s?", k, syntax.FormatTerm(args[i]), i+1,
				syntax.FormatTerm(near))
		}
	}
	return ""
}

// misspeltTest reports a comparison of a variable with a constant that nearly equals one of the values that facts give
// the variable. It returns whether there is such a comparison.
func (c *checker) misspeltTest(cl *clause, g goal, before flow.Env) bool {
	args, name := argumentsOfGoal(g)
	outcome := map[string]string{"==": "succeeds", "=": "succeeds", "\\==": "fails", "\\=": "fails"}[name]
	if outcome == "" || len(args) != 2 {
		return false
	}
	v, text := args[0], args[1]
	if !isVar(v) {
		v, text = text, v
	}
	near := slip(text, before.Of(v).Seen())
	if near != nil {
		c.report(cl, g.Layout, "never", "%s never %s: the clauses that give %s its value have no %s; did you mean %s?",
			cl.show(g.Term), outcome, cl.show(v), syntax.FormatTerm(text), syntax.FormatTerm(near))
	}
	return near != nil
}

// slip returns the text among some that equals a word except for a slip. It returns nil if the word itself is among the
// texts.
func slip(t term.Term, texts []term.Term) (near term.Term) {
	word, isText := term.Text(t)
	_, named := t.(term.Atom)
	for _, text := range texts {
		if text == t {
			return nil
		}
		other, _ := term.Text(text)
		_, isName := text.(term.Atom)
		if isText && isName == named && spell.Slip(word, other) {
			near = text
		}
	}
	return near
}

// writing maps the names in a column, in lower case and without separators, to their spellings. It is nil if the column
// has other values.
type writing map[string][]term.Atom

// writingOf returns the names in a column of facts, from the text or a data file.
func (c *checker) writingOf(at column) writing {
	if known, ok := c.written[at]; ok {
		return known
	}
	w := writing{}
	add := func(t term.Term) {
		name, isAtom := t.(term.Atom)
		if !isAtom {
			w = nil
		} else if w != nil {
			w[folded(name)] = append(w[folded(name)], name)
		}
	}
	for _, row := range c.facts(at.key) {
		add(row.args[at.at])
	}
	if columns := c.data[at.key].Columns; columns != nil && columns[at.at].Listed() {
		for _, text := range columns[at.at].Texts() {
			add(text)
		}
	}
	if len(w) == 0 {
		w = nil
	}
	c.written[at] = w
	return w
}

// joiners removes the separators between the words of a name.
var joiners = strings.NewReplacer("_", "", "-", "", " ", "")

// folded returns a name in lower case without separators.
func folded(name term.Atom) string {
	return strings.ToLower(joiners.Replace(string(name)))
}

// meets reports whether two columns have a name in common. If they have none, it returns a name that both have in
// different spellings, or "".
func (w writing) meets(other writing) (one, differs term.Atom, common bool) {
	for plain, names := range w {
		for _, name := range names {
			for _, to := range other[plain] {
				if name == to {
					return "", "", true
				}
				if one == "" || name < one || name == one && to < differs {
					one, differs = name, to
				}
			}
		}
	}
	return one, differs, false
}

// keysApart reports a goal that looks up names from one column of facts in another column that spells them differently.
func (c *checker) keysApart(p *typed, cl *clause) {
	from := map[*term.Var]column{}
	for _, g := range cl.conjuncts() {
		args, name := argumentsOfGoal(g)
		k := c.world.Resolve(cl.key.Module, name, len(args))
		for i, arg := range args {
			v, at := variableOf(arg), column{k, i}
			if v == nil || c.writingOf(at) == nil {
				continue
			}
			first, known := from[v]
			if !known {
				from[v] = at
				continue
			}
			one, differs, common := c.writingOf(first).meets(c.writingOf(at))
			if !common && one != "" && !p.said[g.Layout] {
				p.said[g.Layout] = true
				c.report(cl, g.Layout, "never", "%s never succeeds: %s is written %s in %s, and %s in %s", cl.show(g.Term),
					cl.nameOf(v), syntax.FormatTerm(one), first.key, syntax.FormatTerm(differs), k)
			}
		}
	}
}

// notListed notes a value, from facts or mode/2 of the caller, that is not among the listed values of an input of a
// decision table. Other goals with the input may exclude such values.
func (c *checker) notListed(cl *clause, g goal, before flow.Env) {
	args, name := argumentsOfGoal(g)
	k := c.world.Resolve(cl.key.Module, name, len(args))
	for i, listed := range c.data[k].Listed {
		v := variableOf(args[i])
		if !listed || v == nil {
			continue
		}
		earlier, found := 0, false
		for _, one := range cl.conjuncts() {
			if found = found || one.Layout == g.Layout; !found && has(one.Term, v) {
				earlier++
			}
		}
		listedAs := c.data[k].Columns[i]
		for _, value := range before.Of(v).Seen() {
			if found && earlier+min(1, cl.inHead(v)) == 1 && flow.Meet(listedAs, flow.Env{}.Of(value)).Empty() {
				c.report(cl, g.Layout, "no_row", "%s may be %s here, and the column for argument %d of %s lists no such value, "+
					"so that no row is for it", cl.nameOf(v), syntax.FormatTerm(value), i+1, k).Note = true
				return
			}
		}
	}
}

// use is an argument of a goal, with the texts that the predicate currently gives it.
type use struct {
	g    goal
	k    key
	at   int
	args []term.Term
	seen []term.Term
	// within is the enclosing goal such as \+, nil for a goal of the clause itself.
	within *syntax.Layout
}

// columnsExchanged reports a goal that never succeeds because two variables are exchanged: another goal gives one of
// them only values of the other argument, and none of its own argument.
func (c *checker) columnsExchanged(p *typed, cl *clause) {
	places := map[*term.Var][]use{}
	note := func(g goal, within *syntax.Layout) {
		args, name := argumentsOfGoal(g)
		k := c.world.Resolve(cl.key.Module, name, len(args))
		for i, arg := range args {
			if v, seen := variableOf(arg), c.textsOf(k, i); v != nil && seen != nil {
				places[v] = append(places[v], use{g, k, i, args, seen, within})
			}
		}
	}
	for _, g := range cl.conjuncts() {
		note(g, nil)
		inner, lasts := c.inner(cl, g)
		for _, part := range inner {
			for _, one := range part.Conjuncts() {
				if !lasts {
					note(one, g.Layout)
				}
			}
		}
	}
	for _, info := range cl.read.Vars {
		for n, one := range places[info.Var] {
			for j, arg := range one.args {
				other, texts := variableOf(arg), c.textsOf(one.k, j)
				if other == nil || other == info.Var || texts == nil || p.said[one.g.Layout] ||
					!c.fitsElsewhere(places[info.Var], one, texts) || c.together(one.seen, texts) {
					continue
				}
				fits := func(texts []term.Term) bool {
					return slices.ContainsFunc(places[other], func(u use) bool { return u.k != one.k && meet(u.seen, texts) })
				}
				apart := slices.ContainsFunc(places[other], func(u use) bool {
					return u.k != one.k && !meet(u.seen, one.seen)
				})
				if !apart || !fits(one.seen) && !fits(texts) {
					c.reportExchange(p, cl, places[info.Var], n, j, !apart)
				}
			}
		}
	}
}

// reportExchange reports the goal that never succeeds: Of the use at n, whose argument j fits the variable, and the
// other uses, it takes the one within a goal such as \+, or else the later one. both says that the variable in argument
// j fits in exchange.
func (c *checker) reportExchange(p *typed, cl *clause, list []use, n, j int, both bool) {
	one := list[n]
	gives, fails := -1, -1
	for i, u := range list {
		switch outer := one.within == nil || u.within == nil; {
		case u.g.Layout == one.g.Layout || u.within != one.within && !outer:
		case u.within != one.within && one.within != nil, u.within == one.within && i < n:
			gives, fails = i, n
		case fails < 0:
			gives, fails = n, i
		}
	}
	if fails < 0 || p.said[list[fails].g.Layout] {
		return
	}
	p.said[one.g.Layout], p.said[list[fails].g.Layout] = true, true
	name, other := cl.nameOf(variableOf(one.args[one.at])), cl.nameOf(variableOf(one.args[j]))
	why := fmt.Sprintf("%s and %s stand in each other's place", name, other)
	switch {
	case (other == "_" || !both) && fails == n:
		why = fmt.Sprintf("%s is argument %d, and such values are in argument %d", name, one.at+1, j+1)
	case other == "_" || !both:
		why = fmt.Sprintf("%s is argument %d there, and values that fit are in argument %d", name, one.at+1, j+1)
	case fails != n:
		why += fmt.Sprintf(" there, or %s is meant here", other)
	}
	c.report(cl, list[fails].g.Layout, "never", "%s never succeeds for values that %s gives: %s",
		cl.show(list[fails].g.Term), cl.show(list[gives].g.Term), why)
}

// textsOf returns the texts that an argument of a predicate currently has, nil if they are unknown or fewer than two.
func (c *checker) textsOf(k key, i int) []term.Term {
	if types := c.flow.Types(k); types != nil && len(types[i].Seen()) > 1 && types[i].Only(flow.Text) {
		return types[i].Seen()
	}
	return nil
}

// fitsElsewhere reports whether all other goals with a variable have values of another argument of one goal, and none
// of the argument where the variable is.
func (c *checker) fitsElsewhere(places []use, one use, texts []term.Term) (misfit bool) {
	if meet(one.seen, texts) {
		return false
	}
	for _, u := range places {
		if u.k == one.k && u.g.Layout == one.g.Layout {
			continue
		}
		for i := range u.args {
			if u.k == one.k || meet(c.textsOf(u.k, i), one.seen) {
				return false
			}
		}
		if !subset(u.seen, texts) && !subset(texts, u.seen) {
			return false
		}
		misfit = true
	}
	return misfit
}

func subset(a, b []term.Term) bool {
	return !slices.ContainsFunc(a, func(t term.Term) bool { return !slices.Contains(b, t) })
}

func meet(a, b []term.Term) bool {
	return slices.ContainsFunc(a, func(t term.Term) bool { return slices.Contains(b, t) })
}

// together reports whether an argument of some predicate has texts of both lists, so that they name things of one kind.
func (c *checker) together(a, b []term.Term) (found bool) {
	c.flow.Known(func(_ key, types []flow.Type) {
		for _, t := range types {
			found = found || meet(t.Seen(), a) && meet(t.Seen(), b)
		}
	})
	return found
}

// writtenOtherwise reports a value that the description of an input writes with other upper and lower case than the
// clauses that test the input. It ignores the first letter of a sentence.
func (c *checker) writtenOtherwise(p *predicate) {
	for i, one := range p.described {
		pair, isPair := term.Is(one, "-", 2)
		if !isPair || i >= len(p.numbers) || !p.isInput(i) {
			continue
		}
		text, _ := term.Text(pair[1])
		rows := map[string]*clause{} // by their lower case
		at := map[*clause]int{}
		known := map[string]bool{}
		note := func(q *predicate, k int) {
			for _, row := range q.clauses {
				if name, isName := row.args[k].(term.Atom); isName {
					rows[strings.ToLower(string(name))], at[row], known[string(name)] = row, k, true
				}
			}
		}
		note(p, i)
		for _, cl := range p.clauses {
			v := variableOf(cl.args[i])
			if v == nil {
				continue
			}
			c.everyGoal(cl, func(g goal) {
				args, name := argumentsOfGoal(g)
				if q := c.predicates[c.world.Resolve(cl.key.Module, name, len(args))]; q != nil {
					for k, arg := range args {
						if arg == term.Term(v) {
							note(q, k)
						}
					}
				}
			})
		}
		for sentence := range strings.SplitSeq(text, ". ") {
			for n, word := range strings.FieldsFunc(sentence, func(r rune) bool { return !isWord(r) && r != '_' }) {
				row := rows[strings.ToLower(word)]
				if row == nil || known[word] || n == 0 && word[1:] == strings.ToLower(word[1:]) {
					continue
				}
				c.report(row, row.argLayout(at[row]), "description", "the description of argument %d of %s has %s, and this "+
					"clause has %s: values are told apart by their letters", i+1, p.clauses[0].key, word,
					syntax.FormatTerm(row.args[at[row]]))
				return
			}
		}
	}
}
