package lsp

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/source"
)

// aloneIn returns the codes and messages of a text that is loaded alone in a folder whose other files are indexed.
func aloneIn(t *testing.T, files map[string]string, name string) (list []string, ok bool) {
	c := start(t, files)
	s := &server{ctx: context.Background(), out: io.Discard, docs: map[string]*document{}, space: newWorkspace()}
	s.loads = newLoader(s)
	s.addRoot(c.dir)
	s.space.list(c.dir, func() bool { return false })
	path := filepath.Join(c.dir, name)
	d := &document{path: path}
	d.set(files[name])
	s.docs[path] = d
	b := s.loads.base(c.dir)
	report, ok := s.loads.alone(t.Context(), b, path, d.text)
	s.foundAlone(b, path, d.text, report)
	for _, one := range d.diagnostics {
		list = append(list, one.Code+": "+one.Message)
	}
	return list, ok
}

// TestAlone loads one text of a folder: it says the same as a load of the folder, of what the text has by itself.
func TestAlone(t *testing.T) {
	files := map[string]string{
		"a.pl":   ":- op(700, xfx, likes).\nperson(ann).\n",
		"mod.pl": ":- module(mod, [far/1, op(700, xfx, near)]).\nfar(X) :- X near 1.\nX near Y :- X = Y.\n",
		"test.pl": `:- use_module(mod).
one(X) :- X likes tea, person(X), X near 1.
two(X) :- far(X), nowhere(X).
three(Y) :- two(Z).
_ likes _.
wrong(
`,
	}
	list, ok := aloneIn(t, files, "test.pl")
	require.True(t, ok)
	require.Len(t, list, 3, "%v", list)
	require.Contains(t, list[0], "undefined: nowhere/1 is not defined")
	require.Contains(t, list[1], "singleton: ")
	require.Contains(t, list[2], "syntax: ")

	files["a.pl"] += "term_expansion(a, b).\n"
	_, ok = aloneIn(t, files, "test.pl")
	require.False(t, ok, "a text of another file is expanded by rules that are not known")
}

// TestHeader shows what stands for a file that another one imports.
func TestHeader(t *testing.T) {
	text := ":- module(m, [p/1]).\np(1).\n:- op(200, xfx, ==>).\n:- use_module(n).\n:- p(1).\n"
	none := func(string, int) string { return "" }
	x := indexText("m.pl", text, source.Metas(none), nil)
	require.Equal(t, 3, strings.Count(x.header, "\n"))
	require.NotContains(t, x.header, "p(1)")
	require.False(t, x.ops)
	require.True(t, indexText("m.pl", ":- op(200, xfx, ==>).\n", none, nil).ops)
}

// TestNoArguments indexes declarations and goals that are compounds without arguments.
func TestNoArguments(t *testing.T) {
	none := func(string, int) string { return "" }
	for _, name := range []string{"dynamic", "use_module", "begin_tests", "assertz", "call", "op", "mode", "info", "f"} {
		text := ":- " + name + "().\n" + name + "() :- " + name + "(), \\+ " + name + "().\nr --> " + name + "().\n"
		require.NotNil(t, indexText("m.pl", text, source.Metas(none), nil))
	}
}

// TestLargeText has a text that takes long to index: what the editor asks meanwhile is answered at once.
func TestLargeText(t *testing.T) {
	c := start(t, map[string]string{"a.pl": ""})
	c.open("a.pl", strings.Repeat("fact(some, number, of, atoms).\n", maxAlone/25)+"last(1).\n")
	c.edit("a.pl", "last(1)", "last(2)")
	c.edit("a.pl", "last(2)", "final(2)")
	var list []documentSymbol
	c.call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.pl")}}, &list)
	for len(list) < 2 || list[1].Name != "final/1" {
		c.call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.pl")}}, &list)
	}
}

// TestCodeLenses asks for the lenses of rules and of tests.
func TestCodeLenses(t *testing.T) {
	text := "tools([old/1, tool(ages, age, 2)]).\nage(ann, 70).\nold(X) :- age(X, A), A > 60.\n"
	tests := ":- begin_tests(family).\ntest(old) :- old(ann).\n:- end_tests(family).\n"
	c := connect(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	c.dir = dir
	var result map[string]any
	c.call("initialize", map[string]any{"rootUri": uriOf(dir), "capabilities": map[string]any{},
		"initializationOptions": map[string]any{"commands": true}}, &result)
	lensesOf := func(name, text string) (titles []string) {
		c.open(name, text)
		var list []codeLens
		c.call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}}, &list)
		for _, one := range list {
			titles = append(titles, one.Command.Title)
		}
		return titles
	}
	require.Equal(t, []string{"Query", "Why", "Call the tool ages", "1 use", "Query", "Why", "Call the tool old",
		"Query", "Why"}, lensesOf("a.pl", text))
	require.Equal(t, []string{"Run the tests", "Run the test"}, lensesOf("a.plt", tests))
	var list []listedFolder
	c.call("mcplogic/tests", nil, &list)
	require.Len(t, list, 1)
	require.Equal(t, []listedUnit{{"family", c.uri("a.plt"), span{position{0, 0}, position{2, 21}},
		[]listedTest{{"old", span{position{1, 0}, position{1, 22}}}}}}, list[0].Units)
	require.Contains(t, lensesOf("a.pl", text), "1 use")
	other := connect(t)
	other.call("initialize", map[string]any{"capabilities": map[string]any{}, "initializationOptions": []int{1}}, &result)
	require.Contains(t, result, "capabilities")
	require.Equal(t, "(A,B)", argumentsOf(2))
	require.Empty(t, argumentsOf(0))
}

// TestExtension wants each command and each type of the extension for VS Code to be there on both sides.
func TestExtension(t *testing.T) {
	code, err := os.ReadFile("../../editors/vscode/extension.js")
	require.NoError(t, err)
	manifest, err := os.ReadFile("../../editors/vscode/package.json")
	require.NoError(t, err)
	var m struct {
		Contributes struct {
			Commands  []struct{ Command string }
			Debuggers []struct{ Type string }
		}
	}
	require.NoError(t, json.Unmarshal(manifest, &m))
	names := []string{commandTest, commandCall, commandQuery, commandWhy, commandUses}
	for _, one := range m.Contributes.Commands {
		names = append(names, one.Command)
	}
	for _, name := range names {
		require.Contains(t, string(code), "registerCommand('"+name+"'")
	}
	require.Len(t, m.Contributes.Debuggers, 1)
	require.Contains(t, string(code), "registerDebugAdapterDescriptorFactory('"+m.Contributes.Debuggers[0].Type+"'")
	if node, err := exec.LookPath("node"); err == nil {
		out, err := exec.Command(node, "--check", "../../editors/vscode/extension.js").CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

// TestHoverTypes wants what a load has inferred for the arguments of a predicate.
func TestHoverTypes(t *testing.T) {
	const text = "price(apple, 1).\nprice(pear, 2).\ncheap(Item, Price) :- price(Item, Price), Price < 2.\n"
	c := start(t, map[string]string{"a.pl": text})
	c.open("a.pl", text)
	var h hoverResult
	for began := time.Now(); time.Since(began) < 5*time.Minute; time.Sleep(10 * time.Millisecond) {
		c.call("textDocument/hover", c.at("a.pl", "cheap", 1), &h)
		if strings.Contains(h.Contents.Value, "- ") {
			break
		}
	}
	require.Contains(t, h.Contents.Value, "- Item: an atom\n- Price: an integer up to 1\n")
	c.call("textDocument/hover", c.at("a.pl", "price(pear", 1), &h)
	require.Contains(t, h.Contents.Value, "- argument 1: apple or pear\n")
	require.Contains(t, h.Contents.Value, ": an integer from 1 to 2\n")
}
