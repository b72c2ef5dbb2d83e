package engine_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// Imports behave as in SWI-Prolog 9.0.4. Of two imports of the same name the first stays and the second is reported. An
// explicitly listed import clashes with a definition. An import of everything is hidden by a definition.
func TestImports(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"ma.pl": {Data: []byte(":- module(ma, [foo/1, bar/1]).\nfoo(a). bar(a).\n")},
		"mb.pl": {Data: []byte(":- module(mb, [foo/1, baz/1]).\nfoo(b). baz(b).\n")},
		"mc.pl": {Data: []byte(":- module(mc, [foo/1]).\n:- reexport(ma, [foo/1]).\n")},
	}
	for _, c := range []struct{ text, want, goal, answer string }{
		{":- use_module(ma).\n:- use_module(mb).\n", "no permission to import mb:foo/1 into user (already imported from ma)",
			"", ""},
		{":- use_module(ma).\n:- use_module(mc).\n", "", "foo(X)", "a"},
		{":- use_module(mb).\n:- use_module(mb).\n", "", "foo(X)", "b"},
		{":- use_module(ma).\n:- use_module(mb, except([foo/1])).\n", "", "foo(Y), baz(X)", "b"},
		{":- use_module(mb, except([foo/1 as food])).\n", "", "food(Y), baz(X), \\+ catch(foo(_), _, fail)", "b"},
		{":- use_module(mb, except(foo/1)).\n", "except(foo/1) cannot be imported", "", ""},
		{":- use_module(ma).\n:- use_module(mb, [foo/1 as food]).\n", "", "foo(Y), food(X)", "b"},
		{"foo(own).\n:- use_module(mb).\n", "", "foo(X)", "own"},
		{"foo(own).\n:- use_module(mb, [foo/1]).\n", "no permission to import mb:foo/1 into user (name clash)", "", ""},
		{":- use_module(ma, [bar/1 as q]).\nr(X) :- q(X).\n", "", "r(X), q(X), \\+ catch(bar(_), _, fail)", "a"},
		{"", "", "use_module(mb, [baz/1]), baz(X), \\+ catch(foo(_), _, fail)", "b"},
		{"", "", "use_module(mb, [foo/1 as f]), f(X)", "b"},
	} {
		files["main.pl"] = &fstest.MapFile{Data: []byte(c.text)}
		p, err := engine.LoadFS(t.Context(), files, nil, "main.pl")
		if c.want != "" {
			require.ErrorContains(t, err, c.want, c.text)
			continue
		}
		require.NoError(t, err, c.text)
		s, err := p.Once(t.Context(), c.goal, nil)
		require.NoError(t, err, c.text+c.goal)
		require.Equal(t, c.answer, engine.FormatTerm(s.Get("X")), c.text+c.goal)
	}
}
