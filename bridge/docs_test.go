package bridge

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/kb"
)

// The tests that docs/seeds.md names: of a package, or a line of a script.
var (
	namedTest   = regexp.MustCompile("`([a-z/]+)\\.(Test\\w+)`")
	namedScript = regexp.MustCompile("`(\\w+\\.txtar)`(?:: `([^`]+)`)?")
)

// TestPromises checks that each row of docs/seeds.md names tests, and that these exist.
func TestPromises(t *testing.T) {
	text, err := os.ReadFile("../docs/seeds.md")
	require.NoError(t, err)
	rows := 0
	for number, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") || strings.HasPrefix(line, "| promise") {
			continue
		}
		rows++
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		require.Len(t, cells, 3, "docs/seeds.md:%d", number+1)
		tests := namedTest.FindAllStringSubmatch(cells[2], -1)
		scripts := namedScript.FindAllStringSubmatch(cells[2], -1)
		require.NotEmpty(t, append(tests, scripts...), "docs/seeds.md:%d names no test", number+1)
		for _, m := range tests {
			require.True(t, hasTest(t, m[1], m[2]), "docs/seeds.md:%d: there is no %s", number+1, m[0])
		}
		for _, m := range scripts {
			script, err := os.ReadFile("../testdata/script/" + m[1])
			require.NoError(t, err, "docs/seeds.md:%d", number+1)
			require.Contains(t, string(script), m[2], "docs/seeds.md:%d", number+1)
		}
	}
	require.Greater(t, rows, 100)
}

// hasTest reports whether a package has a test function.
func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}

// manual returns the pages about declarations.
func manual(t *testing.T) string {
	var all []byte
	for _, name := range []string{"declaring", "types", "calls", "asking", "offering"} {
		page, err := os.ReadFile("../docs/" + name + ".md")
		require.NoError(t, err)
		all = append(all, page...)
	}
	return string(all)
}

// TestLibraryIsDocumented checks that the manual names each predicate of library(mcp).
func TestLibraryIsDocumented(t *testing.T) {
	library, err := os.ReadFile("../engine/internal/lib/mcp.pl")
	require.NoError(t, err)
	page := manual(t)
	exports, _, _ := strings.Cut(string(library), "]).")
	names := regexp.MustCompile(`(mcp_\w+)/\d`).FindAllStringSubmatch(exports, -1)
	require.Greater(t, len(names), 20)
	for _, m := range names {
		require.Contains(t, page, m[1])
	}
}

// TestDeclaringExamples reads the Prolog in the manual. Blocks that end with a full stop are
// program text, the others terms.
func TestDeclaringExamples(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```prolog\n(.*?)```").FindAllStringSubmatch(manual(t), -1)
	require.Greater(t, len(blocks), 20)
	for _, m := range blocks {
		text := strings.TrimSpace(m[1])
		if !strings.HasSuffix(text, ".") {
			_, err := engine.ParseTerm(text)
			require.NoError(t, err, "%s", text)
			continue
		}
		file := filepath.Join(t.TempDir(), "block.pl")
		require.NoError(t, os.WriteFile(file, []byte(text+"\n"), 0o600))
		o := &kb.Options{Predicates: Predicates()}
		loaded, err := kb.Load(t.Context(), []string{file}, o)
		report := loaded.Report(err)
		for _, d := range report {
			// A block may need predicates of others; all else is a mistake.
			about := d.Code == "predicate" || strings.Contains(d.Message, "is not defined") ||
				strings.Contains(d.Message, "unknown tool") || strings.Contains(d.Message, "unknown resource")
			require.True(t, about || d.Severity != source.SeverityError, "%s\n%s", text, d.Message)
		}
	}
}
