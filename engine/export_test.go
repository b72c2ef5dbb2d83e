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

// PredCount and ModuleCount return the numbers of predicates and modules, including undefined ones. Predicates that
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

// DirectiveLimits returns the limits that options set for goals that loading runs.
func DirectiveLimits(o *Options) Limits { return New(o).opts.Directives }

// Code returns the code of a program.
func Code(p *Program) []code.Instr { return p.db.Code() }

// FilesOf lets programs read the files of a file system.
func FilesOf(fsys fs.FS) host.Files { return fsFiles{fsys} }

// InheritSlowly does the same as p.Inherit(old), and calls f between the steps.
func InheritSlowly(p, old *Program, f func()) {
	s := p.changes.Follow(old.changes)
	f()
	s.CopyFrom(old.changes)
	f()
	s.CatchUp()
	s.Shorten(old.changes)
}

// Plan returns the address of the index plan of a predicate of module user, or nil. A call that judges the arguments or
// makes an index replaces the plan.
func Plan(p *Program, name string, arity int) unsafe.Pointer {
	pred := p.db.FindModule("user").Find(code.Functor(name, arity))
	return reflect.ValueOf(pred).Elem().FieldByName("all").FieldByName("plan").FieldByName("v").UnsafePointer()
}

// SetNative sets the mode of native code for later runs of a program.
func SetNative(p *Program, mode host.NativeMode) { p.opts.Native = mode }

// Schema describes each module, and each predicate that is defined or imported from a file, without its clauses. For a
// predicate it gives the address of its Go value, its flags and its code; for a module its operators, flags, exports
// and parents.
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
			for f := database.Dynamic; f < database.Ruled; f <<= 1 { // Ruled depends on clauses that may be gone
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

// Inner returns the methods of a program for other packages of this module.
func Inner(p *Program) inner { return inner{p} }

// Stress selects stress modes of a run. Grow moves heap and stacks at every opportunity. GC collects garbage at every
// opportunity. Verify also checks the heap after each collection. Eager translates called predicates to native code at
// once.
type Stress struct{ Grow, GC, Verify, Eager bool }

// Stressed adds stress modes to options, and returns the options.
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
