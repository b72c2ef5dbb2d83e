package passes

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// read reads a clause, with its layout.
func read(t *testing.T, source string, ops *syntax.Ops) *syntax.Read {
	t.Helper()
	p := syntax.NewParser(syntax.NewTextInput("", source+"."), ops, &syntax.Flags{Lenient: true})
	p.Positions = true
	r, err := p.Read()
	require.NoError(t, err, source)
	return r
}

// headAndBody returns the head and the body of a clause.
func headAndBody(t term.Term) (head, body term.Term) {
	if args, ok := term.Is(t, ":-", 2); ok {
		return args[0], args[1]
	}
	return t, term.True
}

var variable = regexp.MustCompile(`\b_[0-9A-Z]\w*`)

// written writes a term. Its variables are _1, _2 and so on.
func written(t term.Term, ops *syntax.Ops) string {
	names := map[*term.Var]string{}
	for i, v := range term.Variables(t) {
		names[v] = fmt.Sprintf("_%d", i+1)
	}
	return syntax.Format(t, &syntax.WriteOptions{Quoted: true, VarNames: names, Ops: ops})
}

// clause writes a clause.
func clause(head, body term.Term) string { return written(term.New(":-", head, body), nil) }

func TestConstraint(t *testing.T) {
	ops := database.New().User().Ops
	for _, name := range []term.Atom{"#=", "#<"} {
		ops.Add(700, syntax.XFX, name)
	}
	for _, test := range []struct{ goal, want string }{
		{"X #= Y + 1", "integer(_1)->(var(_2)->_2 is _1+1;integer(_2)->_2=:=_1+1;clpfd:(_2#=_1+1));clpfd:(_2#=_1+1)"},
		{"X #= 3", "var(_1)->_1 is 3;integer(_1)->_1=:=3;clpfd:(_1#=3)"},
		{"X #= X + 1", "integer(_1)->_1=:=_1+1;clpfd:(_1#=_1+1)"},
		{"X #< Y", "integer(_1),integer(_2)->_1<_2;clpfd:(_1#<_2)"},
		{"1 #< 2", ""},
		{"X #< Y / 2", ""},
		{"foo(X)", ""},
	} {
		made := Constraint(read(t, test.goal, ops).Term)
		if test.want == "" {
			require.Nil(t, made, test.goal)
			continue
		}
		require.Equal(t, renumbered(test.want), renumbered(written(made, ops)), test.goal)
	}
}

// renumbered numbers the variables of a text in the order of their occurrence.
func renumbered(source string) string {
	numbers := map[string]string{}
	return variable.ReplaceAllStringFunc(source, func(name string) string {
		if numbers[name] == "" {
			numbers[name] = fmt.Sprintf("_%d", len(numbers)+1)
		}
		return numbers[name]
	})
}

func TestLinear(t *testing.T) {
	for _, test := range []struct{ clause, want string }{
		{"p(X, Y) :- q(X, Y)", "p(_1,_2):-q(_1,_2)"},
		{"p(X, X) :- q(X)", "p(_1,_2):-'$unify'(_1,_2,p/2),q(_1)"},
		{"p(f(X), [X|X])", "p(f(_1),[_2|_3]):-'$unify'(_1,_2,p/2),'$unify'(_1,_3,p/2),true"},
	} {
		require.Equal(t, test.want, clause(Linear(headAndBody(read(t, test.clause, nil).Term))), test.clause)
	}
}

// program returns a module that imports library(yall), with predicates that take goals.
func program() *database.Module {
	db := database.New()
	metas := map[string]string{"maplist/2": "1?", "maplist/3": "2??", "findall/3": "?0?", "forall/2": "00"}
	db.LibraryMeta = func(name string, arity int) string { return metas[fmt.Sprintf("%s/%d", name, arity)] }
	yall := db.Module("yall")
	yall.Library = true
	(&database.Definer{}).ImportAs(db.User(), code.Functor(">>", 3), yall.Lookup(code.Functor(">>", 3)))
	return db.User()
}

func TestLambdas(t *testing.T) {
	module := program()
	for _, test := range []struct{ clause, want string }{
		{"p(L) :- maplist([X]>>q(X), L)", "p(_1):-maplist('$lambda 1',_1) | '$lambda 1'(_1):-q(_1)"},
		{"p(F, L) :- maplist(F/[X]>>q(F, X), L)", "p(_1,_2):-maplist('$lambda 1'(_1),_2) | '$lambda 1'(_1,_2):-q(_1,_2)"},
		// F is shared without /, so that the lambda has to be copied. The next one has too many parameters.
		{"p(F, L) :- maplist([X]>>q(F, X), L)", "p(_1,_2):-maplist([_3]>>q(_1,_3),_2)"},
		{"p(L) :- maplist([X,Y]>>q(X, Y), L)", "p(_1):-maplist([_2,_3]>>q(_2,_3),_1)"},
		{"p(L) :- a, \\+ ( b ; forall(c, maplist([X]>>d(X), L)) )",
			"p(_1):-a,\\+ (b;forall(c,maplist('$lambda 1',_1))) | '$lambda 1'(_1):-d(_1)"},
	} {
		var named Lambdas
		head, goals := headAndBody(read(t, test.clause, nil).Term)
		body, added := named.Name(module, head, goals)
		texts := []string{clause(head, body)}
		for _, one := range added {
			texts = append(texts, written(one, nil))
		}
		require.Equal(t, test.want, strings.Join(texts, " | "), test.clause)
		shown, _ := named.Shown(body)
		require.Equal(t, renumbered(clause(head, goals)), renumbered(clause(head, shown)), "it is shown as it was")
	}
}

func TestDicts(t *testing.T) {
	module := program()
	for _, test := range []struct{ clause, want string }{
		{"p(D, X) :- q(D.a, X)", "p(_1,_2):-'.'(_1,a,_3),q(_3,_2)"},
		{"p(D, D.a) :- q", "p(_1,_2):-'.'(_1,a,_2),q"},
		{"p(D, L) :- findall(X, q(D.a, X), L)", "p(_1,_2):-findall(_3,('.'(_1,a,_4),q(_4,_3)),_2)"},
		{"M.double() := V :- V = M.x", "double(_1,_2):-'.'(_1,x,_3),_2=_3"},
		{"p(D) :- ( a ; q(D.b) )", "p(_1):-a;'.'(_1,b,_2),q(_2)"},
	} {
		head, goals := headAndBody(read(t, test.clause, nil).Term)
		require.Equal(t, renumbered(test.want), renumbered(clause(DictClause(module, head, goals))), test.clause)
	}
}

func TestCoverage(t *testing.T) {
	kinds := [...]string{PointEntered: "entered", PointLeft: "left", PointBranch: "branch"}
	for _, test := range []struct {
		body, want, points string
		goals              int
		lines              string
	}{
		{"true", "0", "entered 1", 0, "[0]"},
		{"a, b", "0,(a,b),1", "entered 1, left 1", 2, "[7 7 8 8]"},
		{"(a ; b)", "0,(1,a;2,b),3", "entered 1, branch 2, branch 6, left 1", 2, "[7 7 7 8 8 8]"},
		{"(a -> b ; c)", "0,(a->1,b;2,c),3", "entered 1, branch 7, branch 11, left 1", 3, "[7 7 8 8 9 9 9]"},
		{"\\+ (a, b)", "0,\\+ (a,b),1", "entered 1, left 1", 2, "[7 7 8 8]"},
		// Goals as arguments are calls by themselves, and are not branches.
		{"findall(X, (a ; b), L)", "0,findall(_1,(a;b),_2),1", "entered 1, left 1", 1, "[7 7 7]"},
	} {
		r, points := read(t, test.body, nil), []string(nil)
		k := &Coverage{At: syntax.Place{Line: 1, Column: 1}, Lines: []int32{7, 8, 9}[:test.goals]}
		k.Number = func(kind PointKind, at syntax.Place) int {
			points = append(points, fmt.Sprint(kinds[kind], " ", at.Column))
			return len(points) - 1
		}
		layout := r.Layout
		if _, isJunction := term.Is(r.Term, ",", 2); !isJunction && !strings.Contains(test.body, ";") {
			layout = nil
		}
		body := k.Clause(r.Term, layout, k.At)
		got := regexp.MustCompile(`'\$covered'\((\d+)\)`).ReplaceAllString(written(body, nil), "$1")
		require.Equal(t, test.want, got)
		require.Equal(t, test.points, strings.Join(points, ", "), test.body)
		require.Equal(t, test.lines, fmt.Sprint(k.Out()), test.body)
	}
	skipped := &Coverage{Number: func(PointKind, syntax.Place) int { return -1 }}
	require.Equal(t, "true,a,true", written(skipped.Clause(term.Atom("a"), nil, skipped.At), nil),
		"a point without a number keeps its place, so that lines fit")
}
