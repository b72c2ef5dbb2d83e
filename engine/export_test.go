package engine

import (
	"io/fs"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// CodeWords returns the size of the program's code.
func CodeWords(p *Program) int { return len(p.db.Code()) }

// PredCount and ModuleCount return how many predicates and modules there are, undefined ones included. Predicates that
// were removed while goals ran do not count.
func PredCount(p *Program) (n int) {
	for _, pred := range p.db.Preds() {
		if pred.Name() != "$removed" {
			n++
		}
	}
	return n
}
func ModuleCount(p *Program) int { return len(p.db.Modules()) }

// Code returns the code of a program.
func Code(p *Program) []code.Instr { return p.db.Code() }

// FilesOf lets programs read the files of a file system.
func FilesOf(fsys fs.FS) Files { return fsFiles{fsys} }

// InheritSlowly is p.Inherit(old), with calls of f between its steps.
func InheritSlowly(p, old *Program, f func()) {
	s := p.changes.Follow(old.changes)
	f()
	s.CopyFrom(old.changes)
	f()
	s.CatchUp()
	s.Shorten(old.changes)
}

// SetNative says how the runs of a program that start from now on use native code.
func SetNative(p *Program, mode NativeMode) { p.opts.Native = mode }
