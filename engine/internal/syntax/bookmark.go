package syntax

// This file defines what a loader keeps of a text that it may read again: places in it.

// Bookmark is a place in a whole text, between two terms.
type Bookmark struct {
	pos, extra, line, lineStart, lineByte int32
	bom                                   bool
}

// Bookmark returns the place of the next character. The input must be a whole text.
func (in *Input) Bookmark() Bookmark {
	return Bookmark{int32(in.pos), int32(in.extra), int32(in.line), int32(in.lineStart), int32(in.lineByte), in.bom}
}

// GoTo makes the input go on at a place of the same text.
func (in *Input) GoTo(b Bookmark) {
	in.pos, in.extra, in.line = int(b.pos), int(b.extra), int(b.line)
	in.lineStart, in.lineByte, in.bom = int(b.lineStart), int(b.lineByte), b.bom
}

// Bytes is the number of bytes in front of the place.
func (b Bookmark) Bytes() int { return int(b.pos) }

// Parent returns the table in which what this one does not define is looked up, or nil.
func (o *Ops) Parent() *Ops { return o.parent }
