package main

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file defines the test that measures the plan of the packages.

// maxKnot is how many files of the command may use each other in one cycle. Its commands stand above its helpers, and
// no helper needs a command.
const maxKnot = 3

// TestFigures logs what the packages measure: their files, how many of these use each other in one cycle, lines, and
// the share of lines that are comments. Generated files have no lines here.
func TestFigures(t *testing.T) {
	own, err := checkAll()
	require.NoError(t, err)
	t.Logf("%-32s %5s %5s %6s %s", "package", "files", "knot", "lines", "comments")
	for _, p := range own {
		name := strings.TrimPrefix(p.ImportPath, modulePath)
		lines, comments := p.lines()
		knot := p.knot()
		share := 100 * float64(comments) / float64(max(lines, 1))
		t.Logf("%-32s %5d %5d %6d %.1f %%", name, len(p.files), len(knot), lines, share)
		if name == "cmd/mcplogic" {
			require.LessOrEqual(t, len(knot), maxKnot, "these use each other in a cycle: %v", knot)
		}
	}
}

// fileAt is the name of the file of a position, without its folder.
func (p *checked) fileAt(at token.Pos) string { return filepath.Base(p.fset.Position(at).Filename) }

// knot returns the largest set of files of a package that all use each other, directly or by way of others. A file uses
// another when it names something at package level there, a method or a field included.
func (p *checked) knot() (largest []string) {
	uses := map[string]map[string]bool{}
	for _, name := range p.GoFiles {
		uses[name] = map[string]bool{}
	}
	for id, what := range p.info.Uses {
		// Fields and methods have no parent scope, and locals have one that is not the package's.
		if what.Pkg() == p.pkg && (what.Parent() == nil || what.Parent() == p.pkg.Scope()) {
			uses[p.fileAt(id.Pos())][p.fileAt(what.Pos())] = true
		}
	}
	reached := map[string]map[string]bool{}
	for name := range uses {
		reached[name] = map[string]bool{name: true}
		for todo := []string{name}; len(todo) > 0; {
			last := len(todo) - 1
			next := todo[last]
			todo = todo[:last]
			for to := range uses[next] {
				if !reached[name][to] {
					reached[name][to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	for name := range uses {
		var together []string
		for other := range reached[name] {
			if reached[other][name] {
				together = append(together, other)
			}
		}
		if len(together) > len(largest) {
			largest = together
		}
	}
	slices.Sort(largest)
	return largest
}

// lines counts the lines of a package and those that are comments and nothing else.
func (p *checked) lines() (all, comments int) {
	for _, file := range p.files {
		if ast.IsGenerated(file) {
			continue
		}
		all += p.fset.File(file.Pos()).LineCount()
		code := map[int]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n.(type) {
			case nil, *ast.Comment, *ast.CommentGroup:
				return false
			}
			code[p.fset.Position(n.Pos()).Line] = true
			return true
		})
		for _, group := range file.Comments {
			for _, c := range group.List {
				if line := p.fset.Position(c.Pos()).Line; !code[line] {
					comments += 1 + strings.Count(c.Text, "\n")
				}
			}
		}
	}
	return all, comments
}
