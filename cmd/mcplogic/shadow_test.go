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
	for _, p := range own {
		if places := shadows(t, fset, imports, p); len(places) > 0 {
			t.Errorf("%d locals of %s hide a name of their package, give them other names:\n%s",
				len(places), p.ImportPath, strings.Join(places, "\n"))
		}
	}
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
