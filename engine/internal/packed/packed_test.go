package packed_test

import (
	"math"
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/packed"
	"github.com/stretchr/testify/require"
)

func TestWrittenIsRead(t *testing.T) {
	var w packed.Writer
	numbers := []uint64{0, 1, 127, 128, 1 << 32, math.MaxUint64}
	for _, n := range numbers {
		w.Uint(n)
		w.Word(n)
	}
	w.Int(3)
	w.Bool(true)
	w.Bool(false)
	w.Text("")
	w.Text("häuser")
	w.Int(2)
	w.Bytes = append(w.Bytes, 1, 2)

	r := packed.NewReader(string(w.Bytes))
	for _, n := range numbers {
		require.Equal(t, n, r.Uint())
		require.Equal(t, n, r.Word())
	}
	require.Equal(t, 3, r.Below(4))
	require.True(t, r.Bool())
	require.False(t, r.Bool())
	require.Equal(t, "", r.Text())
	require.Equal(t, "häuser", r.Text())
	require.Equal(t, 2, r.Count())
	require.Error(t, r.Err(), "two bytes are left")
	require.Equal(t, uint64(1), r.Uint())
	require.Equal(t, uint64(2), r.Uint())
	require.NoError(t, r.Err())
}

func TestDamage(t *testing.T) {
	for name, read := range map[string]func(r *packed.Reader){
		"a number without an end":    func(r *packed.Reader) { r.Uint() },
		"a word too short":           func(r *packed.Reader) { r.Word() },
		"a number too large":         func(r *packed.Reader) { r.Below(5) },
		"more things than bytes":     func(r *packed.Reader) { r.Count() },
		"a text longer than what is": func(r *packed.Reader) { r.Text() },
		"neither true nor false":     func(r *packed.Reader) { r.Bool() },
	} {
		data := "\xff\xff"
		if name == "neither true nor false" || name == "a number too large" {
			data = "\x05"
		}
		r := packed.NewReader(data)
		read(r)
		require.True(t, r.Bad(), name)
		require.Error(t, r.Err(), name)
		require.Zero(t, r.Uint(), name)
		require.Equal(t, "", r.Text(), name)
		require.Zero(t, r.Word(), name)
	}
}
