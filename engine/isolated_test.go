package engine_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// whatOthersCall are goals that, without isolation, would change the predicates that calls of other runs reach. Each
// has the first argument of its error term, or "" if the goal succeeds.
var whatOthersCall = []struct{ goal, formal string }{
	{"delete_import_module(user, system)", "permission_error(modify,module,user)"},
	{"add_import_module(user, m, start)", "permission_error(modify,module,user)"},
	{"add_import_module(lists, m, start)", "permission_error(modify,module,lists)"},
	{"set_module(base(m))", "permission_error(modify,module,user)"},
	{"set_module(lists:base(m))", "permission_error(modify,module,lists)"},
	{"'$set_import_modules'(user, [])", "permission_error(modify,module,user)"},
	{"export(p/1)", "permission_error(modify,module,user)"},
	{"import(m:append/3)", ""}, // m calls the library's predicate, as user does
	{"assertz(m:append(x, y, z))", "permission_error(modify,static_procedure,lists:append/3)"},
	{"assertz(append(x, y, z))", "permission_error(modify,static_procedure,lists:append/3)"},
	{"dynamic(append/3)", "permission_error(modify,static_procedure,lists:append/3)"},
	{"dynamic(is/2)", "permission_error(modify,static_procedure,(is)/2)"},
	{"discontiguous((>)/2)", "permission_error(modify,static_procedure,(>)/2)"},
	{"multifile(call/1)", "permission_error(modify,static_procedure,call/1)"},
	{"thread_local(append/3)", "permission_error(declare,procedure,append/3)"},
	{"thread_local(',' / 2)", "permission_error(modify,static_procedure,(',')/2)"},
	{"discontiguous(p/1)", "permission_error(declare,procedure,p/1)"},
	{"discontiguous(lists:append/3)", "permission_error(modify,static_procedure,lists:append/3)"},
	{"meta_predicate(p(0))", "permission_error(declare,procedure,p/1)"},
	{"meta_predicate(unknown(0))", "permission_error(declare,procedure,unknown/1)"},
	{"meta_predicate(is(0, 0))", "permission_error(modify,static_procedure,(is)/2)"},
	{"module_transparent(p/1)", "permission_error(declare,procedure,p/1)"},
	{"assertz((d(x) => true)), d(y)", "existence_error(matching_rule,d(y))"},
	{"use_module(library(chr)), term_to_atom(T, 'a <=> b')", ""},
	{"assertz(m:q(1)), import(m:q/1)", "permission_error(import_into(user),procedure,m:q/1)"},
	{"lists:import(m:append/3)", ""},
	{"use_module(library(lists), [reverse/2 as max_list])",
		"permission_error(import_into(user),procedure,lists:reverse/2)"},
	{"use_module(library(lists), [append/3 as delete])",
		"permission_error(import_into(user),procedure,lists:append/3)"},
	{"consult(other)", "permission_error(load,source,other)"},
	{"load_files(other, [])", "permission_error(load,source,other)"},
	{"ensure_loaded(other)", "permission_error(load,source,other)"},
	{"[other]", "permission_error(load,source,other)"},
	{"use_module(other)", "permission_error(load,source,other)"},
	{"consult(main)", ""},
	{"use_module(library(lists))", ""},
	{"use_module(library(lists), [append/3 as my_append]), my_append([1], [2], [1, 2])", ""},
	{"use_module(library(lists), [append/3]), append([1], [2], [1, 2])", ""},
	{"use_module(library(ugraphs)), add_vertices([], [a], [a-[]])", ""},
	{"use_module(library(clpfd)), X #> 3, X #< 5, X == 4", ""},
	{"lists:import(lists:append/3)", ""},
}

// TestIsolatedFromOthers runs goals in transactions that are not committed, and then a goal that calls the predicates
// that they would have changed: its answer is the same as in an unchanged program.
func TestIsolatedFromOthers(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadFS(t.Context(), fstest.MapFS{
		"main.pl":  {Data: []byte(":- use_module(library(clpfd)).\np(1).\n:- dynamic d/1.\nd(1).\n")},
		"other.pl": {Data: []byte("append(evil, evil, evil).\np(2).\n:- op(0, xfx, is).\n")},
	}, nil, "main.pl")
	require.NoError(t, err)
	for _, c := range whatOthersCall {
		_, err := p.Once(t.Context(), c.goal, &engine.RunOptions{Transaction: true})
		if c.formal == "" {
			require.NoError(t, err, c.goal)
		} else {
			var ex *engine.Exception
			require.ErrorAs(t, err, &ex, c.goal)
			require.Equal(t, c.formal, engine.Inner(p).FormatNumbered(ex.Formal()), c.goal)
		}
		s, err := p.Once(t.Context(), "findall(X-Y, append(X, Y, [1]), L), max_list([1, 2, 3], M), delete([1, 2], 2, D), "+
			"findall(X, p(X), P), N is 1 + 1, \\+ d(y)", &engine.RunOptions{Transaction: true})
		require.NoError(t, err, c.goal)
		want := map[string]string{"L": "[[]-[1],[1]-[]]", "M": "3", "D": "[1]", "P": "[1]", "N": "2"}
		for name, text := range want {
			require.Equal(t, text, engine.Inner(p).FormatNumbered(s.Get(name)), "%s after %s", name, c.goal)
		}
	}
}

// TestOpenTransactionIsHidden runs a goal while another goal has changed hooks in an open transaction.
func TestOpenTransactionIsHidden(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "p.pl", ":- dynamic d/1. d(1).", nil)
	require.NoError(t, err)
	r, err := p.Start("assertz((portray(_) :- write(evil))), assertz((exception(_, _, retry) :- true)), "+
		"assertz((d(x) => true)), assertz((d(_) => fail)), assertz(fresh(1))", &engine.RunOptions{Transaction: true})
	require.NoError(t, err)
	defer r.Close()
	_, err = r.Next(t.Context())
	require.NoError(t, err)
	var out strings.Builder
	s, err := p.Once(t.Context(), "print(a), format(' ~p', [b]), \\+ d(y), catch(unknown, error(E, _), true), "+
		"catch(fresh(_), error(F, _), true)", &engine.RunOptions{Transaction: true, Output: &out})
	require.NoError(t, err)
	require.Equal(t, "a b", out.String())
	require.Equal(t, "existence_error(procedure,unknown/0)", engine.Inner(p).FormatNumbered(s.Get("E")))
	require.Equal(t, "existence_error(procedure,fresh/1)", engine.Inner(p).FormatNumbered(s.Get("F")))
}
