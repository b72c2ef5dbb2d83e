package code

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOperations walks all operations: each has a name of its own, and the disassembler shows
// it within the words that it takes.
func TestOperations(t *testing.T) {
	seen := map[string]Op{}
	for op := OpFail; op < OpCount; op++ {
		name := op.String()
		require.NotContains(t, name, "(", "operation %d has no name", op)
		require.NotContains(t, seen, name)
		seen[name] = op
		i := Make(op, 1, 2, 3, 4)
		words := append([]Instr{i}, make([]Instr, i.Words()-1)...)
		for n := range words[1:] {
			words[n+1] = Instr(MakeInt(int64(n)))
		}
		text := Disassemble(words, 0)
		require.True(t, text == name || strings.HasPrefix(text, name+" "), text)
	}
	require.Contains(t, OpCount.String(), "op(")
}

// TestWords checks the lengths of instructions that are followed by data.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		i    Instr
		want int
	}{
		{Make(OpMove, 1, 2, 0, 0), 1},
		{Make(OpGetStruct, 0, 0, 0, 0), 2},
		{Make(OpPutCell, 0, 0, 0, 0), 2},
		{Make(OpGetBlob, 0, 0, 0, 2), 3},
		{Make(OpPutTerm, 0, 0, 0, 7), 8},
		{Make(OpSwitch, 0, 0, 0, 9), 3},
		{Make(OpTryHead, 0, 0, 0, 9), 2},
		{MakeBC(OpRows, 3, 4, 9), 13},
		{Make(OpSwitchTable, 0, 0, 0, 3), 10},
	} {
		require.Equal(t, c.want, c.i.Words(), c.i.Op())
	}
}

// TestOperands checks that operands come out as they went in.
func TestOperands(t *testing.T) {
	i := Make(OpMove2, 255, 128, 7, 0xfffffffe)
	require.Equal(t, []any{OpMove2, uint8(255), uint8(128), uint8(7), int64(-2)},
		[]any{i.Op(), i.A(), i.B(), i.C(), i.SImm()})
	i = MakeBC(OpLessI, 3, -5, 17)
	require.Equal(t, []any{OpLessI, uint8(3), int64(-5), 17}, []any{i.Op(), i.A(), i.SBC(), i.Imm()})
	require.Equal(t, 99, i.WithImm(99).Imm())
	require.Equal(t, 65000, MakeBC(OpCall, 0, 65000, 0).BC())
}

// TestDisassemble shows each form of operands.
func TestDisassemble(t *testing.T) {
	foo := AtomCell("foo")
	for want, words := range map[string][]Instr{
		"proceed":                    {Make(OpProceed, 0, 0, 0, 0)},
		"move X1, X2":                {Make(OpMove, 1, 2, 0, 0)},
		"move2 X1, X2, X3, X4":       {Make(OpMove2, 1, 2, 3, 4)},
		"get_atom X1, \"foo\"":       {Make(OpGetAtom, 1, 0, 0, foo.Atom())},
		"get_int X1, -3":             {MakeBC(OpGetInt, 1, 0, 1<<32-3)},
		"get_struct X0, foo/2":       {Make(OpGetStruct, 0, 0, 0, 0), Instr(Functor("foo", 2))},
		"put_blob X0, {blob0/1 0x7}": {Make(OpPutBlob, 0, 0, 0, 2), Instr(MakeBlobHeader(FloatBlob, 1, 0)), 7},
		"put_term X3, {lst(0) 1 var(256)}": {Make(OpPutTerm, 3, 0, 0, 3), Instr(MakeLst(0)), Instr(MakeInt(1)),
			Instr(MakeAtt(256))},
		"call @70/2, 3":                    {MakeBC(OpCall, 2, 3, 70)},
		"try_else @70, 3":                  {MakeBC(OpTryElse, 0, 3, 70)},
		"test X1, nonvar, else":            {Make(OpTest, 1, int(TestNonvar), 0, TargetElse)},
		"ident X1, X2, not, fail":          {Make(OpIdent, 1, 2, 1, TargetFail)},
		"less_i X1, -7, @9":                {MakeBC(OpLessI, 1, -7, 9)},
		"add_i X1, -1, X2":                 {Make(OpAddI, 1, 0, 2, 1<<32-1)},
		"arith 5, X1, X2, X3":              {Make(OpArith, 1, 2, 3, 5)},
		"put_yy X1, Y3, X2, Y4":            {Make(OpPutYY, 1, 2, 0, 4<<16|3)},
		"put_yyy X1, Y3, X2, Y4, X5, Y6":   {Make(OpPutYYY, 1, 2, 5, 6<<20|4<<10|3)},
		"allocate_level 5, Y2":             {MakeBC(OpAllocateLevel, 0, 2, 5)},
		"try_head @70, fail @80, then @90": {Make(OpTryHead, 2, 0, 0, 70), 90<<32 | 80},
		"rows #7/2, \"foo\" 1 \"foo\" 2": {MakeBC(OpRows, 2, 2, 7), Instr(foo), Instr(MakeInt(1)), Instr(foo),
			Instr(MakeInt(2))},
		"switch X0, variable @9, constant @8, list @7, structure fail": {
			Make(OpSwitch, 0, 0, 0, 9), 7<<32 | 8, 0},
		"switch_table X0, \"foo\": @8, other fail": {
			Make(OpSwitchTable, 0, 0, 0, 0), 0, Instr(foo), 8},
	} {
		require.Equal(t, want, Disassemble(words, 0))
	}
}

// TestSwitchHash checks that slots are within the table and spread.
func TestSwitchHash(t *testing.T) {
	slots := map[int]bool{}
	for n := range int64(64) {
		s := SwitchHash(MakeInt(n), 63)
		require.True(t, s >= 0 && s < 64)
		slots[s] = true
	}
	require.Greater(t, len(slots), 24)
}
