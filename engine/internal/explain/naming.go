package explain

import (
	"iter"
	"maps"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the names of variables in explanations.

// naming holds the names of the variables of one explanation. A variable has one name in all goals, and no other
// variable shown beside it has the same name. The name is that of the query's variable, else that of the first clause
// with the variable, else _1, _2 and so on. A variable that occurs once is shown as _.
type naming struct {
	names map[*term.Var]string
	taken map[string]bool
	// shared are the variables that several goals have.
	shared map[*term.Var]bool
	// own are the variables of lambdas. They have their names in the text unless other variables beside them have
	// these.
	own map[*term.Var]bool
	// like has names that other variables already have; the variable gets the name with a number.
	like map[*term.Var]string
	// last is the number of the last of _1, _2 and so on.
	last *int
}

// newNaming names the variables of an answer: those that are values of the query's variables as in the query, and the
// others by numbers.
func newNaming(query []Value) *naming {
	n := (&naming{last: new(int), own: map[*term.Var]bool{}, like: map[*term.Var]string{}}).apart()
	values := make([]term.Term, len(query))
	for i, of := range query {
		values[i] = of.Value
		if v, unbound := of.Value.(*term.Var); unbound {
			n.name(v, of.Name)
		}
	}
	n.share(values...)
	for _, v := range term.Variables(values...) {
		if n.names[v] == "" {
			n.number(v)
			n.shared[v] = true
		}
	}
	return n
}

// within returns names for a part with local variables: names given there do not apply outside.
func (n *naming) within() *naming {
	return &naming{names: maps.Clone(n.names), taken: maps.Clone(n.taken), shared: maps.Clone(n.shared), own: n.own,
		like: n.like, last: n.last}
}

// apart returns names for goals that share with other goals only the variables of some terms.
func (n *naming) apart(terms ...term.Term) *naming {
	own := &naming{names: map[*term.Var]string{}, taken: map[string]bool{}, shared: map[*term.Var]bool{}, own: n.own,
		like: n.like, last: n.last}
	for _, v := range term.Variables(terms...) {
		own.name(v, n.names[v])
		own.shared[v] = n.shared[v]
	}
	return own
}

// name gives a variable a name, unless it has one or the name is taken.
func (n *naming) name(v *term.Var, name string) {
	if n.names[v] != "" || name == "" || name[0] == '_' {
		return
	}
	if n.taken[name] {
		n.like[v] = name
		return
	}
	n.names[v], n.taken[name] = name, true
}

// forget removes the names of variables.
func (n *naming) forget(named []*term.Var) {
	for _, v := range named {
		delete(n.taken, n.names[v])
		delete(n.names, v)
	}
}

// number names a variable by a number, after its name in the clause.
func (n *naming) number(v *term.Var) {
	*n.last++
	n.names[v] = n.like[v] + "_" + strconv.Itoa(*n.last)
}

// share notes the variables that occur more than once in some goals.
func (n *naming) share(goals ...term.Term) {
	for v, count := range occurrences(goals...) {
		if count > 1 {
			n.shared[v] = true
		}
	}
}

// inherit names the variables of a goal after those in the corresponding places of a similar goal.
func (n *naming) inherit(goal, like term.Term) {
	if goal == nil || like == nil {
		return
	}
	for p, x := range Corresponding(goal, like) {
		v, unbound := p.(*term.Var)
		if of, ok := x.(*term.Var); ok && unbound && of != v && n.names[v] != "" && n.names[of] == "" {
			n.names[of], n.shared[of] = n.names[v], n.shared[of] || n.shared[v]
		}
	}
}

// Corresponding yields the pairs of subterms in the same places of two terms, down to those that differ. It ends beyond
// [MaxMatched] of them.
func Corresponding(p, x term.Term) iter.Seq2[term.Term, term.Term] {
	return func(yield func(p, x term.Term) bool) {
		stack := [][2]term.Term{{p, x}}
		for parts := 0; len(stack) > 0 && parts <= MaxMatched; parts++ {
			pair := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !yield(pair[0], pair[1]) {
				return
			}
			if c, ok := pair[0].(*term.Compound); ok {
				args, _ := term.Is(pair[1], c.Functor, len(c.Args))
				for i := range args {
					stack = append(stack, [2]term.Term{c.Args[i], args[i]})
				}
			}
		}
	}
}

// of returns the names of the variables of a term.
func (n *naming) of(t term.Term) map[*term.Var]string {
	own := map[*term.Var]string{}
	count := occurrences(t)
	if len(count) == 0 {
		return own
	}
	used, calculates, tags := map[string]bool{}, comparesOrComputes(t), dictTags(t)
	var local []*term.Var
	cut := false
	for _, v := range term.Variables(t) {
		switch {
		case v == secretVar:
			own[v] = ShownSecret
			continue
		case strings.HasPrefix(v.Name, shownMark):
			own[v] = v.Name[len(shownMark):]
			continue
		case n.own[v]:
			local, cut = append(local, v), cut || v.Name == Dots
			continue
		case count[v] < 2 && !n.shared[v] && !(calculates && n.names[v] != ""), tags[v]:
			own[v] = "_"
			continue
		case n.names[v] == "":
			n.number(v)
		}
		own[v] = n.names[v]
		used[own[v]] = true
	}
	for _, v := range local {
		switch {
		case v.Name == Dots:
			own[v] = Dots
		case count[v] < 2 && !cut:
			own[v] = "_"
		case v.Name == "" || used[v.Name]:
			n.number(v)
			own[v] = n.names[v]
		default:
			own[v] = v.Name
		}
		used[own[v]] = true
	}
	return own
}

// dictTags returns the variables that are tags of dicts in a term. A dict without a tag has such a variable.
func dictTags(t term.Term) map[*term.Var]bool {
	tags, left := map[*term.Var]bool{}, maxCounted
	for part := range term.Parts(t) {
		if c, ok := part.(*term.Compound); ok && c.Functor == term.Dict {
			if v, unbound := c.Args[0].(*term.Var); unbound {
				tags[v] = true
			}
		}
		if left--; left == 0 {
			break
		}
	}
	return tags
}

// comparesOrComputes reports whether a goal is a comparison or computes an expression. Its variables are shown by their
// names, even if they occur once.
func comparesOrComputes(t term.Term) bool {
	name, arity, _ := term.Indicator(t)
	return arity == 2 && (equalities[name] || name == `\==` || compared[name][0] != "")
}

// Dots is the name of a variable that stands for omitted parts.
const Dots = "..."

// nameClause gives new variables in an instance of a clause their names in the clause.
func (o *Options) nameClause(at Place, head Goal) {
	if o.Texts == nil || at.Body == nil && head.Term == nil {
		return
	}
	for v, name := range o.Texts.Names(at, head) {
		if !o.naming.own[v] {
			o.naming.name(v, name)
		}
	}
}

// nameGoal gives the variables of a goal their names in its clause, and returns those that had no names.
func (o *Options) nameGoal(g Goal) (named []*term.Var) {
	c, ok := g.Term.(*term.Compound)
	if !ok || o.Texts == nil || o.head.Term == nil || len(term.Variables(c)) == 0 {
		return nil
	}
	for v, name := range o.Texts.Named(o.at, o.head, Goal{g.Module, o.plainArguments(g.Module, c)}) {
		before := o.naming.names[v]
		if o.naming.name(v, name); o.naming.names[v] != before {
			named = append(named, v)
		}
	}
	return named
}

// clauseNames are the names for an instance of a clause. A variable that occurs only once, in the head, needs no name.
func (o *Options) clauseNames(at Place, head Goal, goals []term.Term) *naming {
	plain := make([]term.Term, 0, len(goals))
	for _, goal := range goals {
		plain = append(plain, goalOf(goal).Term)
	}
	own := *o
	own.naming = o.naming.within()
	own.naming.share(plain...)
	own.naming.share(head.Term)
	own.nameClause(at, head)
	return own.naming
}

// occurrences counts how often each variable occurs in terms.
func occurrences(terms ...term.Term) map[*term.Var]int {
	count := map[*term.Var]int{}
	for _, t := range terms {
		if t == nil {
			continue
		}
		left := maxCounted
		for part := range term.Parts(t) {
			if v, ok := part.(*term.Var); ok {
				count[v]++
			}
			if left--; left == 0 {
				break
			}
		}
	}
	return count
}

// maxCounted bounds the subterms of a goal that are searched for variables; a text shows fewer. maxParts bounds the
// items of a text that a grammar reads, and the subterms of a term that are searched for secrets.
const (
	maxCounted = 1000
	maxParts   = 10_000
)

// MaxMatched bounds the parts of a clause that are compared with a node.
const MaxMatched = 10_000

// Match reports whether a term is an instance of a pattern, and stores the values of its variables.
func Match(pattern, instance term.Term, values map[*term.Var]term.Term) bool {
	parts := 0
	for p, x := range Corresponding(pattern, instance) {
		ok := true
		switch p := p.(type) {
		case *term.Var:
			if _, known := values[p]; !known {
				values[p] = x
			}
		case *term.Compound:
			if _, ok = term.Is(x, p.Functor, len(p.Args)); !ok { // the loader replaces functions on dicts in goals
				_, ok = term.Is(p, term.DictCall, 2)
			}
		default:
			ok = term.Compare(p, x) == 0
		}
		if parts++; !ok || parts > MaxMatched {
			return false
		}
	}
	return true
}
