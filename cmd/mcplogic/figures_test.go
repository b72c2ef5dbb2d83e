package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file defines the test that measures the plan of the packages.

// measures are numbers that one person can hold in the head: of a package its lines, without generated files, and how
// many of its files use each other in one cycle; and of its types how many methods each has, and how many fields.
type measures struct{ lines, knot, methods, fields int }

// most are the bounds of every package, and of each of its types.
var most = measures{lines: 9000, knot: 15, methods: 60, fields: 30}

// larger has the packages and types that are above a bound, each with a bound of its own. These bounds may only become
// smaller: TestFigures wants an entry lowered when it is a tenth above the figure, and removed when it is not needed.
// The command has an entry because its commands stand above its helpers, and no helper needs a command.
var larger = map[string]measures{
	"cmd/mcplogic":                      {knot: 3},
	"bridge.Options":                    {fields: 34},
	"bridge.Server":                     {methods: 72},
	"engine.Program":                    {methods: 90},
	"engine/internal/compile.emitter":   {methods: 160, fields: 48},
	"engine/internal/database.Program":  {methods: 72},
	"engine/internal/database.Tx":       {methods: 70, fields: 35},
	"engine/internal/explain":           {knot: 19},
	"engine/internal/explain.Options":   {methods: 90},
	"engine/internal/explain.miss":      {fields: 62},
	"engine/internal/lint.checker":      {methods: 135},
	"engine/internal/load":              {knot: 22},
	"engine/internal/load.Loader":       {methods: 186, fields: 38},
	"engine/internal/load.Program":      {methods: 115, fields: 57},
	"engine/internal/machine":           {lines: 13600, knot: 40},
	"engine/internal/machine.Machine":   {methods: 405},
	"engine/internal/native.translator": {methods: 86},
	"engine/internal/stacks.Terms":      {methods: 148},
	"engine/internal/syntax.Parser":     {methods: 130, fields: 38},
	"internal/lsp.server":               {methods: 73},
	"kb.loading":                        {methods: 103},
	"kb/decisions.Record":               {fields: 32},
	"kb/internal/sqltables":             {knot: 17},
}

// TestFigures bounds what the packages and their types measure, and logs it, with the share of lines that are comments.
func TestFigures(t *testing.T) {
	own, err := checkAll()
	require.NoError(t, err)
	t.Logf("%-32s %5s %5s %6s %s", "package", "files", "knot", "lines", "comments")
	measured, code := map[string]bool{}, 0
	for _, p := range own {
		name := strings.TrimPrefix(p.ImportPath, modulePath)
		lines, comments := p.lines()
		knot := p.knot()
		share := 100 * float64(comments) / float64(max(lines, 1))
		t.Logf("%-32s %5d %5d %6d %.1f %%", name, len(p.files), len(knot), lines, share)
		within(t, "lines of "+name, lines, most.lines, larger[name].lines)
		what := fmt.Sprintf("files of %s that use each other in a cycle: %v", name, knot)
		within(t, what, len(knot), most.knot, larger[name].knot)
		measured[name], code = true, code+lines
		for _, of := range p.types() {
			id := name + "." + of.Name()
			methods, fields := size(of)
			within(t, "methods of "+id, methods, most.methods, larger[id].methods)
			within(t, "fields of "+id, fields, most.fields, larger[id].fields)
			measured[id] = true
		}
	}
	for name := range larger {
		require.True(t, measured[name], "%s has a bound, and does not exist", name)
	}
	t.Logf("%-32s %18d", "all", code)
}

// within fails unless a figure is within its bound: most, or a bound of its own that is no wider than it has to be.
func within(t *testing.T, what string, figure, most, own int) {
	t.Helper()
	if own == 0 {
		require.LessOrEqual(t, figure, most, what)
		return
	}
	require.LessOrEqual(t, figure, own, what)
	if own > most {
		require.Greater(t, figure, most, "%s: no bound of its own is needed in the map larger", what)
		require.LessOrEqual(t, own-figure, own/10, "%s: the bound in the map larger is to be lowered", what)
	}
}

// types lists the types that a package declares.
func (p *checked) types() (all []*types.TypeName) {
	for _, name := range p.pkg.Scope().Names() {
		if of, ok := p.pkg.Scope().Lookup(name).(*types.TypeName); ok && !of.IsAlias() {
			all = append(all, of)
		}
	}
	return all
}

// size counts the methods that are declared for a type, and the fields of a struct. What it embeds is one field.
func size(of *types.TypeName) (methods, fields int) {
	if named, ok := of.Type().(*types.Named); ok {
		methods = named.NumMethods()
	}
	switch shape := of.Type().Underlying().(type) {
	case *types.Struct:
		fields = shape.NumFields()
	case *types.Interface:
		methods = shape.NumMethods()
	}
	return methods, fields
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
