package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

func TestManualIsFresh(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/builtins.md")
	require.NoError(t, err)
	if base.Manual() != string(page) {
		t.Fatal("docs/builtins.md is stale: run go generate ./engine")
	}
}

// The list of libraries in docs/programs.md names all of them.
func TestManualListsLibraries(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/programs.md")
	require.NoError(t, err)
	text, ok := base.WithLibraries(string(page))
	require.True(t, ok)
	if text != string(page) {
		t.Fatal("the list of libraries in docs/programs.md is stale: run go generate ./engine")
	}
	for _, name := range []string{"chr", "clpq", "clpr", "simplex"} {
		require.Regexp(t, `(?m)^- (.*, )?`+name+`(,|$)`, text)
	}
}

// The tables of omitted features in docs/differences.md match those of the library.
func TestDifferencesListDecisions(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/differences.md")
	require.NoError(t, err)
	text, ok := base.WithDecisions(string(page))
	require.True(t, ok)
	require.True(t, text == string(page), "docs/differences.md is stale: run go generate ./engine")
}

// The links at the head of the page lead to headings.
func TestManualLinks(t *testing.T) {
	t.Parallel()
	manual := base.Manual()
	links := regexp.MustCompile(`\[(.*)\]\(#.*\)`).FindAllStringSubmatch(manual, -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		require.Contains(t, manual, "\n## "+link[1]+"\n")
	}
}

// Each export of a library is described. Names that begin with $ are internal to the library.
func TestEveryPredicateIsDocumented(t *testing.T) {
	t.Parallel()
	known := documentedPredicates()
	for _, name := range append(lib.Names(), lib.System()...) {
		for _, export := range lib.Exports(name) {
			if _, ok := known[export]; !ok && export.Name[0] != '$' {
				head := export.Name
				if export.Arity > 0 {
					head += "(" + strings.Join(slices.Repeat([]string{"?Arg"}, export.Arity), ", ") + ")"
				}
				t.Errorf("%s: %s/%d has no comment %% %s: Sentence. before its first clause, or no clause",
					lib.Where(name, export), export.Name, export.Arity, head)
			}
		}
	}
}

func documentedPredicates() map[lib.Indicator]base.Documented {
	known := map[lib.Indicator]base.Documented{}
	for _, c := range base.Documentation() {
		for _, d := range c.Predicates {
			known[lib.Indicator{Name: d.Name, Arity: d.Arity}] = d
		}
	}
	return known
}

// Every documented predicate is called by name in a case of testdata.
func TestEveryPredicateIsTested(t *testing.T) {
	t.Parallel()
	called := indicatorsOfTests(t)
	for indicator, d := range documentedPredicates() {
		if strings.HasPrefix(d.Name, "mcp_") {
			continue // only conversations with a client can test it: see package bridge
		}
		found := called[indicator]
		if d.Nonterminal {
			found = found || called[lib.Indicator{Name: d.Name, Arity: d.Arity - 2}]
		}
		if !found {
			t.Errorf("%s is named in no goal of testdata/lang/*.jsonl: see docs/recipes.md", d.Indicator())
		}
	}
}

// indicatorsOfTests are the indicators of all terms in the goals and programs of the language tests, and of the calls
// in the scripts of commands.
func indicatorsOfTests(t *testing.T) map[lib.Indicator]bool {
	reader, err := engine.LoadText(t.Context(), "ops.pl", ":- use_module(library(clpfd)).", nil)
	require.NoError(t, err)
	seen := map[lib.Indicator]bool{}
	for _, pattern := range []string{"../testdata/lang/*.jsonl", "../testdata/iso/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			eachCase(t, file, func(setup, goal string) {
				noteText(reader, goal, seen)
				for _, clause := range strings.SplitAfter(setup, ".") {
					noteText(reader, strings.TrimSuffix(clause, "."), seen)
				}
			})
		}
	}
	for _, pattern := range []string{"../testdata/script/*.txtar"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil {
				noteWords(reader, string(text), seen)
			}
		}
	}
	return seen
}

// goalsInQuotes matches the quoted goals of commands in scripts and of conversations.
var goalsInQuotes = regexp.MustCompile("'[^'\n]+'|\"[^\"\n]+\"")

// noteWords notes the goals of commands in a script, and the terms on its lines.
func noteWords(reader *engine.Program, text string, seen map[lib.Indicator]bool) {
	for line := range strings.Lines(text) {
		noteText(reader, strings.TrimSuffix(strings.TrimSpace(line), "."), seen)
		for _, quoted := range goalsInQuotes.FindAllString(line, -1) {
			noteText(reader, quoted[1:len(quoted)-1], seen)
		}
	}
}

func eachCase(t *testing.T, file string, each func(setup, goal string)) {
	for _, line := range caseLines(t, file) {
		var c struct{ Setup, Goal string }
		if json.Unmarshal(line, &c) == nil {
			each(c.Setup, c.Goal)
		}
	}
}

// noteText notes the terms in a text, if it is a Prolog text.
func noteText(reader *engine.Program, text string, seen map[lib.Indicator]bool) {
	t, err := reader.ParseTerm("", text)
	if err != nil {
		return
	}
	todo := []term.Term{t}
	for len(todo) > 0 {
		t, todo = todo[len(todo)-1], todo[:len(todo)-1]
		name, arity, ok := term.Indicator(t)
		if !ok {
			continue
		}
		seen[lib.Indicator{Name: string(name), Arity: arity}] = true
		if c, ok := t.(*term.Compound); ok {
			noteClosures(c, seen)
			todo = append(todo, c.Args...)
		}
	}
}

// noteClosures notes the predicates that maplist/3 and the like call with further arguments.
func noteClosures(c *term.Compound, seen map[lib.Indicator]bool) {
	spec := lib.Meta(string(c.Functor), len(c.Args))
	if c.Functor == "call" {
		spec = string(rune('0' + len(c.Args) - 1))
	}
	for i, arg := range c.Args {
		if i < len(spec) && spec[i] > '0' && spec[i] <= '9' {
			if name, arity, ok := term.Indicator(arg); ok {
				seen[lib.Indicator{Name: string(name), Arity: arity + int(spec[i]-'0')}] = true
			}
		}
	}
}
