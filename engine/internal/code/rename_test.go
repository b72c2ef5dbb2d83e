package code

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHoldings checks that the places of atoms in each operation are known.
func TestHoldings(t *testing.T) {
	for op := OpFail; op < OpCount; op++ {
		require.NotEqual(t, unknownHolding, op.holding(), "%s: formHoldings must say where such instructions have atoms", op)
	}
}

// TestRename replaces the atoms of each kind of instruction and then restores them.
func TestRename(t *testing.T) {
	atom, functor := MakeAtom(7), MakeFunctor(9, 3)
	text := StringBlobOf("Atom 7 is no atom here")
	words := []Instr{
		Make(OpGetAtom, 1, 0, 0, 7), Make(OpGetInt, 1, 0, 0, 7), Make(OpUniAtom, 0, 0, 0, 8),
		Make(OpGetCell, 1, 0, 0, 0), Instr(atom), Make(OpPutStruct, 1, 0, 0, 0), Instr(functor),
		Make(OpPutBlob, 1, 0, 0, uint32(len(text))),
	}
	for _, w := range text {
		words = append(words, Instr(w))
	}
	words = append(words, Make(OpPutTerm, 2, 0, 0, 3), Instr(MakeStr(0)), Instr(functor), Instr(atom))
	table := len(words)
	words = append(append(words, Make(OpSwitchTable, 1, 0, 0, 7), 55), make([]Instr, 16)...)
	keys := []Cell{atom, functor, MakeInt(7)}
	for n, key := range keys {
		putKey(words[table+2:table+18], key, Instr(100+n))
	}

	up := func(n uint32) (uint32, bool) { return n + 100, n < 100 }
	down := func(n uint32) (uint32, bool) { return n - 100, n >= 100 }
	renamed := append([]Instr(nil), words...)
	require.NoError(t, Rename(renamed, up))
	require.Equal(t, Make(OpGetAtom, 1, 0, 0, 107), renamed[0])
	require.Equal(t, Make(OpGetInt, 1, 0, 0, 7), renamed[1])
	require.Equal(t, Make(OpUniAtom, 0, 0, 0, 108), renamed[2])
	require.Equal(t, Instr(MakeAtom(107)), renamed[4])
	require.Equal(t, Instr(MakeFunctor(109, 3)), renamed[6])
	require.Equal(t, words[7:8+len(text)], renamed[7:8+len(text)])
	for n, key := range []Cell{MakeAtom(107), MakeFunctor(109, 3), MakeInt(7)} {
		require.Equal(t, Instr(100+n), findKey(renamed[table+2:], key))
	}
	require.Equal(t, Instr(55), renamed[table+1])
	require.NoError(t, Rename(renamed, down))
	require.Equal(t, words[:table], renamed[:table])
	for n, key := range keys {
		require.Equal(t, Instr(100+n), findKey(renamed[table+2:], key))
	}
	require.Error(t, Rename(words, down), "atoms that are not known")
}

func putKey(slots []Instr, key Cell, target Instr) {
	mask := len(slots)/2 - 1
	s := SwitchHash(key, mask)
	for slots[2*s] != 0 {
		s = (s + 1) & mask
	}
	slots[2*s], slots[2*s+1] = Instr(key), target
}

// findKey looks up a key in the same way as the machine.
func findKey(slots []Instr, key Cell) Instr {
	const mask = 7
	for s := SwitchHash(key, mask); ; s = (s + 1) & mask {
		if slots[2*s] == Instr(key) {
			return slots[2*s+1]
		}
		if slots[2*s] == 0 {
			return 0
		}
	}
}

// TestRenameDamaged checks that words that are not code give an error.
func TestRenameDamaged(t *testing.T) {
	same := func(n uint32) (uint32, bool) { return n, true }
	for _, words := range [][]Instr{
		{Make(OpGetCell, 0, 0, 0, 0)},
		{Make(OpPutTerm, 0, 0, 0, 4), 0, 0},
		{Make(OpPutBlob, 0, 0, 0, ^uint32(0)), 0},
		{Make(OpCount, 0, 0, 0, 0)},
		{Make(OpSwitchTable, 0, 0, 0, ^uint32(0)), 0, 0, 0},
		{Make(OpSwitchTable, 0, 0, 0, 2), 0, 0, 0, 0, 0, 0, 0},
		{Make(OpSwitchTable, 0, 0, 0, 0), 0, 15, 0},
	} {
		require.Error(t, Rename(words, same))
	}
}
