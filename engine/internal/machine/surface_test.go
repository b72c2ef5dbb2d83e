package machine

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// The machine's surface is bounded, list by list. A part that needs more than this wants a type of its own.
func TestSurface(t *testing.T) {
	fields := map[reflect.Type]int{
		reflect.TypeFor[Machine](): 12, reflect.TypeFor[View](): 11, reflect.TypeFor[Errors](): 4,
		reflect.TypeFor[Terms]():     10,
		reflect.TypeFor[registers](): 30, reflect.TypeFor[stacks](): 8, reflect.TypeFor[budget](): 20,
		reflect.TypeFor[scratch](): 10, reflect.TypeFor[waking](): 5, reflect.TypeFor[current](): 11,
	}
	for typ, most := range fields {
		t.Logf("%s: %d fields", typ.Name(), typ.NumField())
		require.LessOrEqual(t, typ.NumField(), most, typ.Name())
	}
	promoted := 0
	for _, list := range []struct {
		typ  reflect.Type
		most int
	}{
		{reflect.TypeFor[*Terms](), 64}, {reflect.TypeFor[*Errors](), 16}, {reflect.TypeFor[*View](), 18},
		{reflect.TypeFor[*Machine](), 40},
	} {
		own := list.typ.NumMethod() - promoted
		promoted = list.typ.NumMethod()
		t.Logf("%s: %d exported methods of its own", list.typ.Elem().Name(), own)
		require.LessOrEqual(t, own, list.most, list.typ.Elem().Name())
	}
}
