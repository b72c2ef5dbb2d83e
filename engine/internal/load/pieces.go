package load

import (
	"bytes"
	"hash/maphash"
	"io"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/records"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines how an incremental load reads only the changed rows of a data file.

// maxPieces bounds the bytes of a data file that is read in parts. Its text is in memory while it is read.
const maxPieces = 256 << 20

// pieceRows is the number of rows of each piece but the last.
const pieceRows = 1 << 12

// piece is a part of a data file, from one row end to another. The first piece starts with the file.
type piece struct {
	sum          uint64 // of the text
	bytes, lines int
	arrays       int // the index behind its last fact
	// head is where the rows begin.
	head records.Offset
	// types has the narrowest type of the texts of each column, see records.Mark.
	types []records.Type
	// settled says that later rows cannot change the guess for columns of atoms, or which keys repeat.
	settled bool
	// missing has for each argument the place of its first null value, with the line 0 if there is none. Lines count
	// from the beginning of the piece. It is nil if no argument has one.
	missing []syntax.Place
}

// pieceSeed is the seed of the hashes of all pieces.
var pieceSeed = maphash.MakeSeed()

// cutter divides a data file into pieces as its rows are read.
type cutter struct {
	*factsLoad
	reader records.Reader
	facts  *database.FactTemplates
	rows   int
	at     records.Offset // where the piece begins
	down   records.Offset // from the reader's offsets to those of the file
}

// row counts a row.
func (c *cutter) row() {
	if c.rows++; c.rows == pieceRows {
		c.cut()
	}
}

// cut ends a piece.
func (c *cutter) cut() {
	m, ok := c.reader.Mark()
	if !ok || c.text == nil || c.times {
		return
	}
	end := records.Offset{Bytes: m.At.Bytes + c.down.Bytes, Lines: m.At.Lines + c.down.Lines}
	if end == c.at {
		return
	}
	c.pieces = append(c.pieces, piece{sum: maphash.Bytes(pieceSeed, c.text[c.at.Bytes:end.Bytes]),
		bytes: end.Bytes - c.at.Bytes, lines: end.Lines - c.at.Lines, arrays: c.facts.EndPart(), head: m.Head, types: m.Types,
		settled: m.Settled && (c.firsts == nil || len(c.firsts) > maxKeyed), missing: movedDown(c.missing, -c.at.Lines)})
	c.rows, c.at, c.missing = 0, end, nil
}

// end ends the last piece.
func (c *cutter) end() {
	if c.cut(); len(c.pieces) > 0 {
		c.missing = c.allMissing()
	}
}

// movedDown returns places with n added to their line numbers.
func movedDown(places []syntax.Place, lines int) []syntax.Place {
	places = slices.Clone(places)
	for i := range places {
		if places[i].Line != 0 {
			places[i].Line += lines
		}
	}
	return places
}

// allMissing returns the first missing values of the arguments, from those of the pieces.
func (f *factsLoad) allMissing() (all []syntax.Place) {
	line := 0
	for _, p := range f.pieces {
		for i, at := range movedDown(p.missing, line) {
			if all == nil {
				all = make([]syntax.Place, len(p.missing))
			}
			if all[i].Line == 0 {
				all[i] = at
			}
		}
		line += p.lines
	}
	return all
}

// changed returns the facts of a file that differs in some pieces from the one an earlier load has kept. ok is false if
// all rows must be read: the rows have given warnings, or the unchanged pieces do not determine all types.
func (f *factsLoad) changed(old *Facts) (facts *database.FactTemplates, guessed records.Guessed, ok bool) {
	if old == nil || f.text == nil || f.times || len(old.pieces) == 0 || len(old.Warnings) > 0 {
		return nil, guessed, false
	}
	before, behind := f.same(old.pieces)
	head := old.pieces[0].head.Bytes
	if len(before) == 0 || !before[len(before)-1].settled || head == 0 && hasSeparator(f.text) {
		return nil, guessed, false
	}
	begin, end := extent(before), len(f.text)-extent(behind).Bytes
	if end < len(f.text) && f.text[end-1] != '\n' {
		return nil, guessed, false
	}
	options := f.options
	options.Known, options.Inner = old.guessed, head == 0
	reader := records.NewReader(io.MultiReader(bytes.NewReader(f.text[:head]), bytes.NewReader(f.text[begin.Bytes:end])),
		&options)
	facts = database.NewFactTemplates(f.name)
	f.missing, f.firsts, f.pieces = nil, nil, slices.Clone(before)
	arrays := before[len(before)-1].arrays
	facts.AddPart(old.Templates, 0, arrays, 0)
	c := &cutter{factsLoad: f, reader: reader, facts: facts, at: begin, down: records.Offset{
		Bytes: begin.Bytes - head, Lines: begin.Lines - old.pieces[0].head.Lines}}
	err := f.add(facts, reader, c.down.Lines, c.row)
	c.cut()
	f.cutIfCancelled()
	if err != nil || len(f.p.diagnostics) > f.known {
		f.p.diagnostics, f.wrong = f.p.diagnostics[:f.known], 0
		return nil, guessed, false
	}
	passed := len(old.pieces) - len(behind)
	down := extent(f.pieces).Lines - extent(old.pieces[:passed]).Lines
	arrays = old.pieces[passed-1].arrays
	for _, p := range behind {
		facts.AddPart(old.Templates, arrays, p.arrays, down)
		arrays, p.arrays = p.arrays, facts.EndPart()
		f.pieces = append(f.pieces, p)
	}
	f.missing = f.allMissing()
	return facts, records.Guessed{Types: old.guessed}, f.hasTypes(old.guessed)
}

// hasSeparator reports whether the first line of a text gives the field separator, or may do so.
func hasSeparator(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(text, []byte("\uFEFF")), []byte("sep="))
}

// same returns the pieces that a text begins and ends with. The text between them is new.
func (f *factsLoad) same(pieces []piece) (before, behind []piece) {
	at, end := 0, len(f.text)
	is := func(p *piece, from int) bool {
		return from >= at && from+p.bytes <= end && maphash.Bytes(pieceSeed, f.text[from:from+p.bytes]) == p.sum
	}
	n := 0
	for n < len(pieces)-1 && is(&pieces[n], at) { // the last row may be longer now
		at += pieces[n].bytes
		n++
	}
	m := len(pieces)
	for m > n && is(&pieces[m-1], end-pieces[m-1].bytes) {
		m--
		end -= pieces[m].bytes
	}
	return pieces[:n], pieces[m:]
}

// extent returns the length of pieces in bytes and lines.
func extent(pieces []piece) (o records.Offset) {
	for _, p := range pieces {
		o.Bytes += p.bytes
		o.Lines += p.lines
	}
	return o
}

// hasTypes reports whether the columns of the pieces have the types that were guessed, and no narrower ones. Columns of
// atoms need no check, as their types were settled before.
func (f *factsLoad) hasTypes(guessed []records.Type) bool {
	for i, t := range guessed {
		all := records.Guess
		for _, p := range f.pieces {
			all = records.Wider(all, p.types[i])
		}
		if all != t && t != records.Atom {
			return false
		}
	}
	return true
}
