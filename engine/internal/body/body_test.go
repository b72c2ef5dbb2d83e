package body

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// part reads a body.
func part(t *testing.T, body string) Part {
	read, err := syntax.ParseTerm(body, nil, nil)
	require.NoError(t, err, body)
	return Part{Term: read.Term}
}

var variable = regexp.MustCompile(`_\d+`)

// text writes a term, its variables as _.
func text(t term.Term) string { return variable.ReplaceAllString(syntax.FormatTerm(t), "_") }

// shown writes parts with their modules, the number of extra arguments, and whether they stand below a negation.
func shown(parts []Part) string {
	var list []string
	for _, p := range parts {
		one := text(p.Term)
		if p.Module != "" {
			one = p.Module + "|" + one
		}
		if p.Extra > 0 {
			one += "+" + string(rune('0'+p.Extra))
		}
		if p.Negated {
			one = "not " + one
		}
		list = append(list, one)
	}
	return strings.Join(list, " ; ")
}

// specs are the predicates with goals among their arguments that the tests know.
var specs = map[string]string{"findall/3": "?0?", "maplist/2": "1?", "setof/3": "?^?", "phrase/2": "/?", ">>/2": "?0",
	"forall/2": "00"}

func TestWalk(t *testing.T) {
	for _, test := range []struct{ body, goals string }{
		{"a", "a"},
		{"a, b, c", "a ; b ; c"},
		{"( a -> b ; \\+ c )", "a ; b ; not c"},
		{"\\+ \\+ a, b", "not a ; b"},
		{"m:(a, n:b)", "m|a ; n|b"},
		{"M:a, b", "b"},
		{"findall(X, p(X), L)", "findall(_,p(_),_) ; p(_)"},
		{"forall(a, b)", "forall(a,b) ; a ; b"},
		{"maplist(q(1), L)", "maplist(q(1),_) ; q(1)+1"},
		{"setof(X, Y^(m:p(X)), L)", "setof(_,_^(m:p(_)),_) ; m|p(_)"},
		{"setof(X, m:(Y^p(X)), L)", "setof(_,m:_^p(_),_) ; m|p(_)"},
		{"phrase(([a], n, {g}, call(c)), L)", "phrase(([a],n,{g},call(c)),_) ; n+2 ; g ; c+2"},
		{"findall(X, \\+ p(X), L)", "findall(_,\\+p(_),_) ; not p(_)"},
	} {
		var found []Part
		Walk(part(t, test.body), func(p Part) []Part {
			found = append(found, p)
			name, arity, _ := term.Indicator(p.Term)
			return p.Arguments(specs[string(name)+"/"+string(rune('0'+arity))])
		})
		require.Equal(t, test.goals, shown(found), test.body)
	}
}

func TestGoalsStopsWhenToldTo(t *testing.T) {
	var found []Part
	for p := range Goals(part(t, "a, ( b ; c ), findall(X, d, L), e")) {
		if found = append(found, p); len(found) == 4 {
			break
		}
	}
	require.Equal(t, "a ; b ; c ; findall(_,d,_)", shown(found))
}

func TestConjunctsOfDeepBodies(t *testing.T) {
	const many = 100_000
	left, right := term.Term(term.Atom("a")), term.Term(term.Atom("a"))
	for range many {
		left, right = term.New(",", left, term.Atom("a")), term.New(",", term.Atom("a"), right)
	}
	require.Len(t, Part{Term: left}.Conjuncts(), many+1)
	require.Len(t, Part{Term: right}.Conjuncts(), many+1)
}

func TestPlain(t *testing.T) {
	p, ok := part(t, "m:n:a").Plain()
	require.True(t, ok)
	require.Equal(t, "n|a", shown([]Part{p}))
	_, ok = part(t, "m:N:a").Plain()
	require.False(t, ok)
}

// TestRebuild changes goals behind carets and modules, and leaves alone what is no goal.
func TestRebuild(t *testing.T) {
	changed := func(p Part) term.Term {
		if p.Term == term.Term(term.Atom("old")) {
			return term.Atom("new")
		}
		return p.Term
	}
	for body, want := range map[string]string{"setof(old, X^old, old)": "setof(old,_^new,old)",
		"setof(old, m:(X^old), old)": "setof(old,m:_^new,old)",
		"forall(old, old)":           "forall(new,new)", "forall(a, b)": "forall(a,b)"} {
		p := part(t, body)
		name, arity, _ := term.Indicator(p.Term)
		rebuilt := p.Rebuild(specs[string(name)+"/"+string(rune('0'+arity))], changed)
		require.Equal(t, want, text(rebuilt))
		require.Equal(t, body == "forall(a, b)", rebuilt == p.Term)
	}
}

// TestBeyond counts the arguments that a lambda expression passes on to its body.
func TestBeyond(t *testing.T) {
	for parameters, want := range map[string]int{"[X]": 1, "[X, Y]": 0, "[X, Y, Z]": 0, "F/[X]": 1, "F/[]": 2} {
		require.Equal(t, want, beyond(part(t, parameters).Term, 2), parameters)
	}
}
