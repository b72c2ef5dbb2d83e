package engine_test

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file tests that docs/embedding.md shows the same examples that go test runs in this package and package web. If
// UPDATE_DOCS is set, the page is updated.

const embeddingPage = "../docs/embedding.md"

// marked matches a marker of the page with the blocks of code after it.
var marked = regexp.MustCompile("(?m)^<!-- (Example\\w+) -->\n(?:\n```go\n(?s:.*?)\n```\n(?:\n```\n(?s:.*?)\n```\n)?)?")

func TestEmbeddingPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(embeddingPage)
	require.NoError(t, err)
	examples := map[string]string{}
	for _, file := range []string{"example_test.go", "../bridge/web/programs_test.go"} {
		maps.Copy(examples, exampleBlocks(t, file))
	}
	want := marked.ReplaceAllStringFunc(string(page), func(found string) string {
		name := marked.FindStringSubmatch(found)[1]
		require.Contains(t, examples, name)
		return "<!-- " + name + " -->\n" + examples[name]
	})
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(embeddingPage, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(page), "run UPDATE_DOCS=1 go test -run TestEmbeddingPage ./engine")
	require.Greater(t, strings.Count(want, "\n```go\n"), 10)
}

// exampleBlocks are the bodies of the examples and their outputs, by name.
func exampleBlocks(t *testing.T, file string) map[string]string {
	t.Helper()
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.ParseComments)
	require.NoError(t, err)
	blocks := map[string]string{}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(f.Name.Name, "Example") {
			continue
		}
		body := string(source[files.Position(f.Body.Lbrace).Offset+1 : files.Position(f.Body.Rbrace).Offset])
		body, output, _ := strings.Cut(body, "\t// Output:")
		text, err := format.Source([]byte(body))
		require.NoError(t, err)
		blocks[f.Name.Name] = "\n```go\n" + strings.TrimSpace(dedent(string(text))) + "\n```\n\n```\n" + outputLines(output) +
			"\n```\n"
	}
	return blocks
}

// dedent takes one tab from the beginning of lines.
func dedent(text string) string {
	return strings.TrimPrefix(strings.ReplaceAll(text, "\n\t", "\n"), "\t")
}

// outputLines is an output comment without its slashes.
func outputLines(comment string) string {
	lines := strings.Split(strings.TrimSpace(comment), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "//"), " ")
	}
	return strings.Join(lines, "\n")
}
