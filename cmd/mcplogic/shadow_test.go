package main

import (
	"bytes"
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
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file defines the test that no local hides a name of its package.

// checked is a package of ours, type-checked.
type checked struct {
	// The output of go list. GoFiles has no tests.
	ImportPath, Dir, Export string
	GoFiles                 []string

	fset  *token.FileSet
	files []*ast.File // as GoFiles
	pkg   *types.Package
	info  *types.Info // with Defs and Uses
}

// checkAll type-checks all packages of ours.
var checkAll = sync.OnceValues(func() ([]*checked, error) {
	list := "-json=ImportPath,Dir,Export,GoFiles"
	out, err := exec.Command("go", "list", "-export", "-deps", list, modulePath+"...").Output()
	if err != nil {
		return nil, err
	}
	exports, own := map[string]string{}, []*checked{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p checked
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, modulePath) && len(p.GoFiles) > 0 {
			own = append(own, &p)
		}
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range own {
		p.fset, p.info = fset, &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil,
				parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				return nil, err
			}
			p.files = append(p.files, file)
		}
		if p.pkg, err = (&types.Config{Importer: imports}).Check(p.ImportPath, fset, p.files, p.info); err != nil {
			return nil, err
		}
	}
	return own, nil
})

// TestShadows lists the locals that hide a package-level name of their package, in all but tests.
func TestShadows(t *testing.T) {
	own, err := checkAll()
	require.NoError(t, err)
	require.NotEmpty(t, own)
	for _, p := range own {
		if places := p.shadows(); len(places) > 0 {
			t.Errorf("%d locals of %s hide a name of their package, give them other names:\n%s",
				len(places), p.ImportPath, strings.Join(places, "\n"))
		}
	}
}

// shadows returns the locals of a package that hide a package-level name, each with its place.
func (p *checked) shadows() []string {
	var found []string
	for _, file := range p.files {
		eachLocal(file, func(id *ast.Ident) {
			local, defines := p.info.Defs[id] // nil: the variable of a type switch, or the name of the package
			hidden := p.pkg.Scope().Lookup(id.Name)
			if !defines || hidden == nil || id == file.Name || local == hidden ||
				local != nil && (local.Parent() == nil || local.Parent() == p.pkg.Scope()) {
				return
			}
			at := p.fset.Position(id.Pos())
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
