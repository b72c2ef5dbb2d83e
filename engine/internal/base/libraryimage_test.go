package base

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/packed"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/stretchr/testify/require"
)

// This file defines the tests of the images of libraries.

func TestLibraryImagesAreFresh(t *testing.T) {
	images, err := LibraryImages()
	require.NoError(t, err)
	require.True(t, string(images) == librariesImage,
		"libraries.image is not what the texts, the compiler and the built-in predicates come to: run go generate ./engine")
}

// Making the images fails if the text of a library, or of a part of one, has a mistake.
func TestLibraryThatDoesNotLoad(t *testing.T) {
	base := build()
	base.DB().System().Ops.Add(0, syntax.XFX, "-->")
	_, err := withAllLibraries(base)
	require.ErrorContains(t, err, "operator expected")
}

// TestPacks loads each pack from its text. The libraries of the core load no pack, not even for a single predicate:
// their images would lack it.
func TestPacks(t *testing.T) {
	core := append(lib.Core(), lib.System()...)
	p, err := withAllLibraries(build())
	require.NoError(t, err)
	for key := range p.Loaded() {
		name, _, _ := strings.Cut(strings.TrimPrefix(key, load.LibraryKey), "/")
		inCore := slices.ContainsFunc(core, func(c string) bool { return c == name || strings.HasPrefix(c, name+"/") })
		require.True(t, inCore, key)
	}
	for _, name := range lib.Names() {
		if !slices.Contains(core, name) {
			p := withLibraries()
			require.NotNil(t, p.LoadLibrary(name), name)
			require.NoError(t, p.Diagnostics().Err(), name)
		}
	}
}

// withLibraries returns a program that takes libraries from their images.
func withLibraries() *load.Program {
	p := New()
	p.Configure(load.Options{Solve: solver(p)})
	return p
}

// stale is the message of a test that finds no images. The cause is nearly always a change of a built-in or of the
// compiler.
const stale = "the images are of other built-ins or another compiler; run go generate ./engine"

// loadText loads a text and checks that there is nothing wrong with it.
func loadText(t *testing.T, p *load.Program, text string) {
	t.Helper()
	require.NoError(t, p.Load(context.Background(), source.File{Name: "a.pl", Text: text}))
}

// The image of a library that a program took is packed to the same image again, also if the program had other
// predicates and libraries before, and if it is linked.
func TestLibraryImagesAreTheLibraries(t *testing.T) {
	p := withLibraries()
	loadText(t, p, ":- dynamic a/1.\nb(X) :- c(X), atom_length(X, 3), sum_list([1], 1).\nc(abc).\n")
	keys := slices.Sorted(maps.Keys(libraryImages()))
	slices.Reverse(keys)
	for _, key := range keys {
		require.NotNil(t, p.LoadLibrary(key[len(load.LibraryKey):]), key)
	}
	require.NotEmpty(t, keys, stale)
	check := func() {
		for _, key := range keys {
			var w packed.Writer
			_, err := p.DB().PackModule(&w, p.Loaded()[key])
			require.NoError(t, err)
			require.True(t, libraryImages()[key].body == string(w.Bytes), key)
		}
	}
	check()
	p.Seal()
	check()
}

// The libraries that take long to read have images, and most others, also those with hooks.
func TestLibrariesWithImages(t *testing.T) {
	images := libraryImages()
	for _, name := range []string{"chr", "clpfd", "clpq", "clpr", "assoc", "dcg/basics", "plunit", "settings"} {
		require.NotNil(t, images[load.LibraryKey+name], "%s: %s", name, stale)
	}
	require.Greater(t, len(images), len(lib.Core())*3/4)
}

// A program that has a module with the name of a part of a library reads the text.
func TestLibraryImageInTheWay(t *testing.T) {
	p := withLibraries()
	loadText(t, p, ":- module(pairs, [mine/1]).\nmine(1).\n")
	require.NotNil(t, p.LoadLibrary("clpfd"))
	require.Equal(t, 1, countClauses(p.DB().FindModule("pairs").Preds()))
}

// A file that differs from the one that was made is not taken.
func TestDamagedLibraryImages(t *testing.T) {
	for n := 0; n < 1<<10; n += 1 + n/8 {
		require.Nil(t, readLibraries(librariesImage[:n]))
		damaged := []byte(librariesImage)
		damaged[n] ^= 0x10
		require.Nil(t, readLibraries(string(damaged)))
	}
	require.Nil(t, readLibraries(librariesImage+"\x00"))
	require.NotNil(t, libraryImages()[load.LibraryKey+"chr"], stale)
	l := *libraryImages()[load.LibraryKey+"chr"]
	require.True(t, l.fresh())
	l.body = l.body[:len(l.body)-1]
	require.False(t, l.fresh())
}

// BenchmarkLibraries loads each library into a program that has none, and clones the program without loading anything.
func BenchmarkLibraries(b *testing.B) {
	for _, name := range append([]string{"none"}, lib.Names()...) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if p := withLibraries(); name != "none" {
					p.LoadLibrary(name)
				}
			}
		})
	}
}

// FuzzLibraryImage adds damaged modules as if their checksum were right.
func FuzzLibraryImage(f *testing.F) {
	l := libraryImages()[load.LibraryKey+"assoc"]
	add := func(body string) bool {
		p := withLibraries()
		for _, need := range l.needs {
			if need != l.key {
				p.LoadLibrary(need[len(load.LibraryKey):])
			}
		}
		return p.DB().AddModules([]*packed.Reader{packed.NewReader(body)})
	}
	require.True(f, add(l.body))
	f.Add([]byte(l.body))
	for n := 1; n < len(l.body); n += 1 + n/4 {
		f.Add([]byte(l.body[:n]))
		damaged := []byte(l.body)
		damaged[n] ^= 0xff
		f.Add(damaged)
	}
	f.Fuzz(func(_ *testing.T, body []byte) { add(string(body)) })
}
