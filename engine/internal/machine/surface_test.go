package machine

import (
	"reflect"
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/stretchr/testify/require"
)

// The machine's surface is bounded, list by list. A part that needs more should have a type of its own.
func TestSurface(t *testing.T) {
	fields := map[reflect.Type]int{
		reflect.TypeFor[Machine](): 12, reflect.TypeFor[View](): 11, reflect.TypeFor[Errors](): 4,
		reflect.TypeFor[current](): 11,
	}
	for typ, most := range fields {
		t.Logf("%s: %d fields", typ.Name(), typ.NumField())
		require.LessOrEqual(t, typ.NumField(), most, typ.Name())
	}
	promoted := reflect.TypeFor[*stacks.Terms]().NumMethod()
	for _, list := range []struct {
		typ  reflect.Type
		most int
	}{
		{reflect.TypeFor[*Errors](), 16}, {reflect.TypeFor[*View](), 18},
		{reflect.TypeFor[*Machine](), 40},
	} {
		own := list.typ.NumMethod() - promoted
		promoted = list.typ.NumMethod()
		t.Logf("%s: %d exported methods of its own", list.typ.Elem().Name(), own)
		require.LessOrEqual(t, own, list.most, list.typ.Elem().Name())
	}
}
