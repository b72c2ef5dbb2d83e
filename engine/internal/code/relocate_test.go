package code

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReferences checks that the references of each operation are known.
func TestReferences(t *testing.T) {
	for op := OpFail; op < OpCount; op++ {
		require.NotEqual(t, unknownReference, op.reference(), "%s: formReferences must say what it refers to", op)
	}
}

// TestRelocate replaces the references of each kind of instruction and then restores them.
func TestRelocate(t *testing.T) {
	two := func(low, high uint32) Instr { return Instr(low) | Instr(high)<<32 }
	words := []Instr{
		Make(OpJump, 0, 0, 0, 50), Make(OpCall, 2, 3, 0, 60), Make(OpLess, 1, 2, 0, TargetElse), Make(OpLess, 1, 2, 0, 51),
		Make(OpDynamic, 2, 0, 0, 7), Make(OpBuiltinEnd, 2, 0, 0, 7),
		Make(OpBuiltin, 2, 0, 0, 7), Make(OpPutInt, 2, 0, 0, 7),
		Make(OpTryHead, 2, 0, 0, 52), two(53, TargetFail),
		Make(OpSwitch, 1, 0, 0, 54), two(TargetFail, 55), two(56, 0),
		Make(OpSwitchTable, 1, 0, 0, 1), 57, Instr(MakeInt(70)), 58, 0, 0,
		MakeBC(OpRows, 1, 1, 8), Instr(MakeInt(50)),
	}
	want := []Instr{
		Make(OpJump, 0, 0, 0, 150), Make(OpCall, 2, 3, 0, 160), Make(OpLess, 1, 2, 0, TargetElse), Make(OpLess, 1, 2, 0, 151),
		Make(OpDynamic, 2, 0, 0, 1007), Make(OpBuiltinEnd, 2, 0, 0, 7),
		Make(OpBuiltin, 2, 0, 0, 7), Make(OpPutInt, 2, 0, 0, 7),
		Make(OpTryHead, 2, 0, 0, 152), two(153, TargetFail),
		Make(OpSwitch, 1, 0, 0, 154), two(TargetFail, 155), two(156, 0),
		Make(OpSwitchTable, 1, 0, 0, 1), 157, Instr(MakeInt(70)), 158, 0, 0,
		MakeBC(OpRows, 1, 1, 1008), Instr(MakeInt(50)),
	}
	by := func(n uint32) Renaming { return func(x uint32) (uint32, bool) { return x + n, x+n < 2000 } }
	got := append([]Instr(nil), words...)
	require.NoError(t, Relocate(got, by(100), by(1000)))
	require.Equal(t, want, got)
	require.NoError(t, Relocate(got, by(^uint32(99)), by(^uint32(999))))
	require.Equal(t, words, got)
	require.Error(t, Relocate(words, by(5000), by(0)), "addresses that are not known")
}

// TestRelocateDamaged checks that words that are not code give an error.
func TestRelocateDamaged(t *testing.T) {
	same := func(n uint32) (uint32, bool) { return n, true }
	require.Error(t, Relocate([]Instr{Make(OpSwitch, 1, 0, 0, 0)}, same, same))
	require.Error(t, Relocate([]Instr{Instr(OpCount)}, same, same))
}
