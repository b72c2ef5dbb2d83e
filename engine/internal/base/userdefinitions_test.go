package base

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/source"
)

// Libraries never see a predicate of the program that has the name of an exported one. The exported predicate may be
// autoloaded or imported, and the library may be loaded before or after the program.
func TestLibrariesSeeNoUserDefinitions(t *testing.T) {
	for _, after := range []bool{false, true} {
		p := New()
		p.Configure(load.Options{Solve: solver(p)})
		functors := map[code.Cell]bool{}
		for _, name := range lib.Names() {
			if !after {
				require.NotNil(t, p.LoadLibrary(name), name)
			}
		}
		for i := range lib.Autoload() {
			functors[code.Functor(i.Name, i.Arity)] = true
		}
		for _, m := range p.DB().Modules() {
			for pred := range m.EachPred() {
				if m.Library && m.IsExported(pred.Functor) {
					functors[pred.Functor] = true
				}
			}
		}
		var text strings.Builder
		for f := range functors {
			if !p.Fixed(p.DB().User(), f) {
				fmt.Fprintf(&text, "'%s'%s.\n", strings.ReplaceAll(code.AtomText(f.FunctorAtom()), `\`, `\\`),
					strings.Replace("("+strings.Repeat("_,", f.FunctorArity())+")", ",)", ")", 1))
			}
		}
		source := source.File{Name: "user.pl", Text: strings.ReplaceAll(text.String(), "()", "")}
		require.NoError(t, p.Load(context.Background(), source))
		require.Greater(t, len(functors), 1000)
		for _, name := range lib.Names() {
			require.NotNil(t, p.LoadLibrary(name), name)
		}
		user := p.DB().User()
		for _, m := range slices.Clone(p.DB().Modules()) {
			for f := range functors {
				if pred := m.Resolve(f); m.Library && m != user && pred != nil {
					require.NotSame(t, user, pred.Module, "%s sees %s of user", m.Name, code.AtomText(f.FunctorAtom()))
				}
			}
		}
	}
}
