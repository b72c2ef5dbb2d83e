package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file defines the test that no local hides a name of its package.

// shadowsAllowed says how many locals may still hide a package-level name, for a package with all that is below it.
// The others may have none. Numbers only go down.
var shadowsAllowed = map[string]int{"engine": 120, "kb": 20, "cmd/mcplogic": 30, "bench": 2, "differ": 6}

// checked is what go list says about a package that is type-checked.
type checked struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// TestShadows lists the locals that hide a package-level name of their package, in all but tests.
func TestShadows(t *testing.T) {
	list := "-json=ImportPath,Dir,Export,GoFiles"
	out, err := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", list, modulePath+"...").Output()
	require.NoError(t, err)
	exports, own := map[string]string{}, []checked{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p checked
		if err := d.Decode(&p); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		exports[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, modulePath) && len(p.GoFiles) > 0 {
			own = append(own, p)
		}
	}
	require.NotEmpty(t, own)
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	found := map[string][]string{}
	for _, p := range own {
		name := strings.TrimPrefix(p.ImportPath, modulePath)
		counted := countedWith(name)
		for _, place := range shadows(t, fset, imports, p) {
			found[counted] = append(found[counted], name+"/"+place)
		}
	}
	for name, places := range found {
		if allowed := shadowsAllowed[name]; len(places) > allowed {
			t.Errorf("%d locals below %s hide a name of their package, %d are allowed; give them other names:\n%s",
				len(places), name, allowed, strings.Join(places, "\n"))
		} else if len(places) < allowed {
			t.Logf("shadowsAllowed[%q] can go down to %d", name, len(places))
		}
	}
}

// countedWith returns the name in shadowsAllowed that a package is counted with, or its own.
func countedWith(name string) string {
	for above := range shadowsAllowed {
		if name == above || strings.HasPrefix(name, above+"/") {
			return above
		}
	}
	return name
}

// shadows returns the locals of a package that hide a package-level name, each with its place.
func shadows(t *testing.T, fset *token.FileSet, imports types.Importer, p checked) []string {
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, file)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: imports}).Check(p.ImportPath, fset, files, info)
	require.NoError(t, err)
	var found []string
	for _, file := range files {
		eachLocal(file, func(id *ast.Ident) {
			local, defines := info.Defs[id] // nil: the variable of a type switch, or the name of the package
			hidden := pkg.Scope().Lookup(id.Name)
			if !defines || hidden == nil || id == file.Name || local == hidden ||
				local != nil && (local.Parent() == nil || local.Parent() == pkg.Scope()) {
				return
			}
			at := fset.Position(id.Pos())
			found = append(found, fmt.Sprintf("%s:%d: %s", filepath.Base(at.Filename), at.Line, id.Name))
		})
	}
	return found
}

// eachLocal calls visit with the names in a file, but for those of parameters of function types, which hide nothing.
func eachLocal(file *ast.File, visit func(id *ast.Ident)) {
	bodied := map[*ast.FuncType]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			bodied[n.Type] = true
		case *ast.FuncLit:
			bodied[n.Type] = true
		case *ast.FuncType:
			return bodied[n]
		case *ast.Ident:
			visit(n)
		}
		return true
	})
}
