package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDraftsOfLoadedFiles takes the text of a file that another one loads from the editor, whatever name leads to it.
func TestDraftsOfLoadedFiles(t *testing.T) {
	module := ":- module(b, [par/2]).\npar(tom, bob).\n"
	plain := "par(tom, bob).\n"
	for _, test := range []struct{ directive, file, text, loader, opened string }{
		{":- use_module(b).", "b.pl", module, "a.pl", ""},
		{":- use_module('b.pl').", "b.pl", module, "a.pl", ""},
		{":- use_module('./sub/../b').", "b.pl", module, "a.pl", ""},
		{":- use_module(sub/b).", "sub/b.pl", module, "a.pl", ""},
		{":- use_module('../b').", "b.pl", module, "sub/a.pl", ""},
		{":- use_module(link/b).", "sub/b.pl", module, "a.pl", ""},
		{":- use_module(link/b).", "sub/b.pl", module, "a.pl", "link/b.pl"},
		{":- use_module(sub/b).", "sub/b.pl", module, "a.pl", "link/b.pl"},
		{":- use_module(b).", "b.prolog", module, "a.pl", ""},
		{":- ensure_loaded(b).", "b.pl", plain, "a.pl", ""},
		{":- consult(b).", "b.pl", plain, "a.pl", ""},
		{":- [b].", "b.pl", plain, "a.pl", ""},
		{":- include(b).", "b.pl", plain, "a.pl", ""},
		{":- include('sub/b.inc').", "sub/b.inc", plain, "a.pl", ""},
		{":- facts(par/2, 'sub/b.csv').", "sub/b.csv", "tom,bob\n", "a.pl", ""},
		{":- facts(par/2, 'b.csv').", "b.csv", "tom,bob\n", "a.pl", ""},
	} {
		t.Run(test.directive+" "+test.file+" "+test.opened, func(t *testing.T) {
			t.Parallel()
			loader := test.directive + "\np(X) :- par(X, _), par(X, bob).\n"
			files := map[string]string{"main.pl": "main.\n", "sub/other.pl": "other.\n", test.loader: loader,
				test.file: test.text}
			dir, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			for name, text := range files {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			}
			if err := os.Symlink("sub", filepath.Join(dir, "link")); err != nil {
				t.Skip(err)
			}
			c := startIn(t, dir)
			if test.opened != "" {
				test.file = test.opened
			}
			c.open(test.loader, loader)
			c.open(test.file, test.text)
			name := filepath.Base(test.file)
			c.diagnostics("a.pl")
			for range 2 {
				if strings.HasSuffix(name, ".csv") {
					c.replace(test.file, "tom,bob,ann\n")
					c.diagnostics(name, "facts")
					c.replace(test.file, test.text)
					c.diagnostics(name)
					continue
				}
				c.replace(test.file, strings.ReplaceAll(test.text, "bob", "eve"))
				require.Contains(t, c.diagnostics("a.pl", "never")[0].Message, "eve")
				c.replace(test.file, test.text)
				c.diagnostics("a.pl")
				c.replace(test.file, strings.ReplaceAll(test.text, "par", "par2"))
				c.diagnostics("a.pl", "undefined")
				c.replace(test.file, test.text+"q(X, Y) :- par(X, bob).\n")
				c.diagnostics(name, "singleton")
				c.replace(test.file, test.text)
				c.diagnostics("a.pl")
			}
		})
	}
}
