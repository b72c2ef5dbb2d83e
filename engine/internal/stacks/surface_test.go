package stacks

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// The structs are bounded. A part that needs more should have its own type.
func TestSurface(t *testing.T) {
	for typ, most := range map[reflect.Type]int{
		reflect.TypeFor[Terms](): 10, reflect.TypeFor[Registers](): 30, reflect.TypeFor[stacks](): 8,
		reflect.TypeFor[budget](): 20, reflect.TypeFor[scratch](): 10, reflect.TypeFor[Waking](): 6,
	} {
		t.Logf("%s: %d fields", typ.Name(), typ.NumField())
		require.LessOrEqual(t, typ.NumField(), most, typ.Name())
	}
	methods := reflect.TypeFor[*Terms]().NumMethod()
	t.Logf("%d exported methods", methods)
	require.LessOrEqual(t, methods, 110)
}
