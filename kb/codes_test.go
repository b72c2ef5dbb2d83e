package kb

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/codes"
)

// checkText loads an example of package codes from a folder of its own.
func checkText(t *testing.T, text string) source.Diagnostics {
	folder := t.TempDir()
	archive := txtar.Parse([]byte(text))
	if len(archive.Files) == 0 {
		archive.Files = []txtar.File{{Name: "example.pl", Data: append(archive.Comment, '\n')}}
	}
	for _, f := range archive.Files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, f.Name), f.Data, 0o600))
	}
	loaded, err := Load(t.Context(), []string{folder}, &Options{Lint: true})
	report := loaded.Report(err)
	return report
}

// Each example of a code has the problem, and its mended version has no problem.
func TestCodeExamples(t *testing.T) {
	for _, c := range codes.Loading() {
		require.NotEmpty(t, c.Cause, c.Name)
		require.NotEmpty(t, c.Example, c.Name)
		require.NotEmpty(t, c.Fix, c.Name)
		if c.Shown {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			report := checkText(t, c.Example)
			require.Contains(t, codesOf(report), c.Name, "%v", report)
			if c.Mended != "" {
				require.NotContains(t, codesOf(checkText(t, c.Mended)), c.Name)
			}
		})
	}
	for _, c := range codes.Results() {
		require.NotEmpty(t, c.Cause+c.Example+c.Fix, c.Name)
	}
}

// Each link at the head of a chapter leads to a heading of that chapter. A repository's web page numbers repeated
// headings: the second "undefined" is undefined-1.
func TestCodeLinks(t *testing.T) {
	chapters := strings.Split(codes.Page(), "\n## ")[1:]
	require.Len(t, chapters, 2)
	seen, links := map[string]int{}, 0
	for i, table := range [][]codes.Code{codes.Loading(), codes.Results()} {
		var headings []string
		for _, found := range regexp.MustCompile("(?m)^### (.*)$").FindAllStringSubmatch(chapters[i], -1) {
			name := found[1]
			if n := seen[name]; n > 0 {
				name += "-" + strconv.Itoa(n)
			}
			seen[found[1]]++
			headings = append(headings, name)
		}
		require.Len(t, headings, len(table))
		var targets []string
		for _, link := range regexp.MustCompile("\\[`.*`\\]\\(#(.*)\\)").FindAllStringSubmatch(chapters[i], -1) {
			targets = append(targets, link[1])
		}
		require.Equal(t, headings, targets)
		links += len(targets)
	}
	require.Greater(t, links, len(seen), "a name is in both chapters")
}

// reporters are the functions that report problems, with the number of the argument that is the code.
var reporters = map[string]int{"report": 1, "reportAt": 2, "reportFix": 3, "missing": 1, "cut": 0, "exception": 0,
	"fail": 1, "warn": 1, "unknown": 1, "diagnose": 2, "Result": 0, "classify": 0}

// codeName matches a code.
var codeName = regexp.MustCompile(`^[a-z][a-z_]*$`)

// Each code in the sources is in the tables.
func TestCodesAreKnown(t *testing.T) {
	seen := map[string]bool{}
	for _, folder := range []string{".", "../bridge", "../bridge/internal/*", "../engine/internal/load"} {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, code := range codesIn(t, name) {
				_, ok := codes.Find(code)
				require.True(t, ok, "%s reports the code %s, which internal/codes does not have", name, code)
				seen[code] = true
			}
		}
	}
	require.Greater(t, len(seen), 40)
}

// codesIn returns the codes that a file of Go reports.
func codesIn(t *testing.T, name string) (list []string) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	add := func(e ast.Expr) {
		literal, ok := e.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && codeName.MatchString(text) {
			list = append(list, text)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called := ""
			switch f := n.Fun.(type) {
			case *ast.SelectorExpr:
				called = f.Sel.Name
			case *ast.Ident:
				called = f.Name
			}
			if at, ok := reporters[called]; ok && at < len(n.Args) {
				add(n.Args[at])
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
				add(n.Value)
			}
		}
		return true
	})
	return list
}

// A comment silences the codes that it names, in its own clause.
func TestIgnore(t *testing.T) {
	tests := map[string]string{
		"% mcplogic: ignore(singleton)\np(X).":                         "",
		"p(X). % mcplogic: ignore(singleton)":                          "",
		"p(\n  X). % mcplogic: ignore(undefined, singleton)":           "",
		"%% Why.\n%% mcplogic: ignore(singleton)\n\np(a,\n  X).":       "",
		"% mcplogic: ignore(undefined)\np(X).":                         "singleton",
		"p(a). % mcplogic: ignore(singleton)\np(X).":                   "singleton",
		"% mcplogic: ignore(singleton)\np(X).\np(Y).":                  "singleton",
		"p(X). /* mcplogic: ignore(singleton) */":                      "singleton",
		"% mcplogic: ignore(singletn)\np.":                             "ignore",
		"% mcplogic: ignore(syntax)\np(.":                              "syntax",
		"% mcplogic: ignore(singleton)\np(X) :- q(X, Y), r.\nq(1, 2).": "undefined",
	}
	for text, want := range tests {
		report := checkText(t, text)
		if want == "" {
			require.Empty(t, report, text)
			continue
		}
		require.Len(t, report, 1, text)
		require.Equal(t, want, report[0].Code, text)
	}
}

// applied returns a text with the fix of its first diagnostic.
func applied(t *testing.T, text string) string {
	report := checkText(t, text)
	require.NotEmpty(t, report, text)
	f := report[0].Fix
	require.NotNil(t, f, "%s: %v", text, report)
	lines := strings.SplitAfter(text, "\n")
	at := func(line, column int) int {
		return len(strings.Join(lines[:line-1], "")) + len(string([]rune(lines[line-1])[:column-1]))
	}
	return text[:at(f.Line, f.Column)] + f.Text + text[at(f.EndLine, f.EndColumn):]
}

// A fix removes the diagnostic that it belongs to.
func TestFixes(t *testing.T) {
	tests := []struct{ text, want string }{
		{"é(X).", "é(_X)."},
		{"p(X) :-\n  lenght(X, 2).", "p(X) :-\n  length(X, 2)."},
		{"p(1).\nq(1).\np(2).", ":- discontiguous p/1.\np(1).\nq(1).\np(2)."},
		{"% mcplogic: ignore(singletn)\np.", "% mcplogic: ignore(singleton)\np."},
		{"capabilities([tols]).", "capabilities([tools])."},
		{"path(X, Y) :- path(X, Z), edge(Z, Y).\nedge(a, b).",
			":- table path/2.\npath(X, Y) :- path(X, Z), edge(Z, Y).\nedge(a, b)."},
		{"é(0, 0).\né(N, M) :- N > 1, M  =  N + 1.", "é(0, 0).\né(N, M) :- N > 1, M  is  N + 1."},
		{"tool(greet, hello, 1).\nhello(x).", "tools([tool(greet, hello, 1)]).\nhello(x)."},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, applied(t, tt.text))
		require.NotEqual(t, checkText(t, tt.text)[0].Code, strings.Join(codesOf(checkText(t, tt.want)), " "))
	}
}

func codesOf(report source.Diagnostics) (list []string) {
	for _, d := range report {
		list = append(list, d.Code)
	}
	return list
}
