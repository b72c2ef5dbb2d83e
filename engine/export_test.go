package engine

import (
	"fmt"
	"io/fs"
	"reflect"
	"time"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
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

// WhyTime returns how long the search for an explanation may take.
func WhyTime(o *WhyOptions) time.Duration { return o.time() }

// DirectiveLimits returns the limits of goals that loading runs, as options give them.
func DirectiveLimits(o *Options) Limits { return New(o).opts.Directives }

// Code returns the code of a program.
func Code(p *Program) []code.Instr { return p.db.Code() }

// FilesOf lets programs read the files of a file system.
func FilesOf(fsys fs.FS) host.Files { return fsFiles{fsys} }

// InheritSlowly is p.Inherit(old), with calls of f between its steps.
func InheritSlowly(p, old *Program, f func()) {
	s := p.changes.Follow(old.changes)
	f()
	s.CopyFrom(old.changes)
	f()
	s.CatchUp()
	s.Shorten(old.changes)
}

// Plan is where what is known of the indexes of a predicate of user lies, nil if nothing is. A call that judges places
// or makes an index puts another one there.
func Plan(p *Program, name string, arity int) unsafe.Pointer {
	pred := p.db.FindModule("user").Find(code.Functor(name, arity))
	return reflect.ValueOf(pred).Elem().FieldByName("all").FieldByName("plan").FieldByName("v").UnsafePointer()
}

// SetNative says how the runs of a program that start from now on use native code.
func SetNative(p *Program, mode host.NativeMode) { p.opts.Native = mode }

// Schema says of each module and of each predicate that is defined, or imported from a file, what it is, beside its
// clauses: which Go value stands for it, its flags and code, and for a module its operators, flags, exports and
// parents.
func Schema(p *Program) map[string]string {
	schema := map[string]string{}
	for _, m := range p.db.Modules() {
		var parents []string
		for _, parent := range m.Parents() {
			parents = append(parents, parent.Name)
		}
		schema["module "+m.Name] = fmt.Sprint(m.Library, m.File, m.Unknown, m.Flags, parents, m.Exports(), m.ExportedOps(),
			m.Ops.Own())
		for _, pred := range m.Preds() {
			if from := pred.Imported(); !pred.Defined() && (from == nil || from.Module.Library) {
				continue
			}
			var flags []bool
			file := pred.File
			if pred.Has(database.Dynamic) && pred.Has(database.Multifile) { // libraries that are loaded add clauses to hooks
				file = ""
			}
			for f := database.Dynamic; f < database.Ruled; f <<= 1 { // Ruled says what clauses there were once
				if f&(database.Linked|database.Mentioned) == 0 {
					flags = append(flags, pred.Has(f))
				}
			}
			schema[m.Name+": "+pred.Indicator()] = fmt.Sprintf("%p %d %d %v %q %p %s", pred, pred.Builtin, pred.Entry, flags,
				pred.Meta(), pred.Imported(), file)
		}
	}
	return schema
}

// IsLibrary reports whether a module is one of the engine's own libraries.
func IsLibrary(p *Program, module string) bool {
	m := p.db.FindModule(module)
	return m != nil && m.Library
}

// Inner returns what other packages of this module may do with a program.
func Inner(p *Program) inner { return inner{p} }

// Stress says how a run is made hard for the engine: Grow moves heap and stacks at every opportunity, GC collects
// garbage at every opportunity, Verify checks the heap after that too, Eager translates to native code at once what the
// goal calls.
type Stress struct{ Grow, GC, Verify, Eager bool }

// Stressed adds to options that a run is made hard, and returns them.
func Stressed(o *RunOptions, s Stress) *RunOptions {
	switch {
	case s.Verify:
		o.stress = stacks.StressVerify
	case s.GC:
		o.stress = stacks.StressCollect
	case s.Grow:
		o.stress = stacks.StressGrow
	}
	o.eager = o.eager || s.Eager
	return o
}
