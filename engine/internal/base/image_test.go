package base

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/packed"
	"github.com/stretchr/testify/require"
)

// This file defines the tests of the image that programs begin with.

func TestImageIsFresh(t *testing.T) {
	require.True(t, string(Image()) == baseImage,
		"base.image is not what the library, the compiler and the built-in predicates come to: run go generate ./engine")
}

// The program of the image is a clone of the one that is made from the texts.
func TestImageIsTheProgram(t *testing.T) {
	p, q := build().Clone(), fromImage(baseImage)
	require.NotNil(t, q, "run go generate ./engine")
	for _, q := range []*load.Program{q, q.Clone()} {
		want, got := dump(p), dump(q)
		require.Equal(t, len(want), len(got))
		for i, line := range want {
			require.Equal(t, line, got[i])
		}
		require.Equal(t, len(p.Builtins()), len(q.Builtins()))
		for key, m := range p.Loaded() {
			require.Equal(t, m.Name, q.Loaded()[key].Name)
		}
	}
}

// dump lists the parts of a program, a line each.
func dump(p *load.Program) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	say("libraries %v", slices.Sorted(maps.Keys(p.Loaded())))
	for _, m := range p.DB().Modules() {
		say("module %s %q %v %v", m.Name, m.File, m.Library, m.Flags)
		for _, parent := range m.Parents() {
			say("parent %s", parent.Name)
		}
		say("operators %v, own %v", m.Ops.All(), m.Ops.Own())
		for _, f := range m.Exports() {
			say("export %s/%d", code.AtomText(f.FunctorAtom()), f.FunctorArity())
		}
	}
	for _, pred := range p.DB().Preds() {
		say("%s:%s/%d #%d @%d builtin %d meta %q %q:%d", pred.Module.Name, pred.Name(), pred.Arity(), pred.ID, pred.Entry,
			pred.Builtin, pred.Meta(), pred.File, pred.Line)
		for flag := database.Dynamic; flag <= database.Tentative; flag <<= 1 {
			say("%b %t", flag, pred.Has(flag))
		}
		if own := pred.Module.Find(pred.Functor); own != pred {
			say("not found")
		}
		if target := pred.Imported(); target != nil {
			say("imported #%d", target.ID)
		}
		for _, c := range pred.Clauses() {
			list = append(list, dumpClause(p.DB(), c)...)
		}
	}
	words := p.DB().Code()
	for at := 0; at < len(words); at += words[at].Words() {
		say("%d %s", at, code.Disassemble(words, at))
	}
	return list
}

func dumpClause(db *database.Program, c *database.Clause) []string {
	var args strings.Builder
	for i := range c.Pred.Arity() {
		args.WriteString(dumpCell(c.Cells, c.HeadArg(i)) + ",")
	}
	list := []string{fmt.Sprintf("(%s) :- %s; %d variables, ssu %t, %q:%d, code %d %d guarded %t erased %t", args.String(),
		dumpCell(c.Cells, c.Body), c.NVars, c.SSU, c.File, c.Line, c.Addr(), c.CodeSize(), c.Guarded(), c.Erased())}
	for at := c.Addr(); at < c.Addr()+uint32(c.CodeSize()); at++ {
		list = append(list, fmt.Sprintf("%d line %d", at, c.LineAt(at)))
		if db.ClauseAt(at) != c {
			list = append(list, "not found")
		}
	}
	return list
}

// dumpCell shows a cell of a term. It shows a blob by its words.
func dumpCell(cells []code.Cell, c code.Cell) string {
	switch at := c.Addr(); c.Tag() {
	case code.Atom:
		return fmt.Sprintf("%q", code.AtomText(c.Atom()))
	case code.Int:
		return fmt.Sprint(c.Int())
	case code.Lst:
		return "[" + dumpCell(cells, cells[at]) + "|" + dumpCell(cells, cells[at+1]) + "]"
	case code.Str:
		f := cells[at]
		var args strings.Builder
		for i := range f.FunctorArity() {
			args.WriteString(dumpCell(cells, cells[at+1+i]) + ",")
		}
		return fmt.Sprintf("%q(%s)", code.AtomText(f.FunctorAtom()), args.String())
	case code.Blob:
		return fmt.Sprintf("blob %x", cells[at:at+1+cells[at].BlobWords()])
	}
	return fmt.Sprintf("cell %x", c)
}

// An image that differs from the one that was made is not taken.
func TestDamagedImage(t *testing.T) {
	for n := 0; n < len(baseImage); n += 1 + n/8 {
		require.Nil(t, fromImage(baseImage[:n]))
		damaged := []byte(baseImage)
		damaged[n] ^= 0x10
		require.Nil(t, fromImage(string(damaged)))
	}
	require.Nil(t, fromImage(baseImage+"\x00"))
}

// An image of other texts, predicates or instructions does not fit.
func TestFingerprint(t *testing.T) {
	table, libraries := builtins(), []string{load.LibraryKey + "error", load.LibraryKey + "lists"}
	want := fingerprint(table, libraries)
	require.Equal(t, want, fingerprint(builtins(), libraries))
	require.NotEqual(t, want, fingerprint(table[1:], libraries))
	require.NotEqual(t, want, fingerprint(table, libraries[1:]))
	table[3], table[4] = table[4], table[3]
	require.NotEqual(t, want, fingerprint(table, libraries))
}

// fits takes any image.
func fits([]machine.Builtin, []string) bool { return true }

// FuzzImage reads damaged images as if their checksum were right.
func FuzzImage(f *testing.F) {
	body := baseImage[16:]
	f.Add([]byte(body))
	f.Add([]byte(body[:len(body)/2]))
	for n := 1; n < len(body); n += n {
		damaged := []byte(body)
		damaged[n] ^= 0xff
		f.Add(damaged)
	}
	f.Fuzz(func(_ *testing.T, body []byte) { unpack(packed.NewReader(string(body)), fits) })
}
