// Package host has what programs are given by the Go program that they are part of: files, a journal for facts that
// last, outputs, and native code.
package host

import (
	"bytes"
	"io"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/reuse"
)

// Files and folders.
type (
	// Files opens files for goals and directives, by OpenRead(path string) (io.ReadCloser, error). The path is as the
	// program wrote it.
	Files = builtin.FS
	// Lister is implemented by Files that also show goals which files and folders there are, by Stat, ReadDir and
	// ReadLink as in package fs, and Folder, the absolute name of the folder from which relative paths start. What may
	// not be seen is [fs.ErrPermission]. Without it goals may only open files.
	Lister = builtin.Lister
	// Changer changes files and folders for goals, such as delete_file/1 and make_directory/1. Its methods are Create,
	// Mkdir, Remove, Rename, Chtimes, Writable and TempFolder; paths are as for [engine.Options.OpenWrite]. What may not
	// be changed is [fs.ErrPermission].
	Changer = builtin.Changer
)

// Facts that last.
type (
	// Fact is a fact of a persistent predicate: its Module and its term, Head. Front says that it was added before the
	// others, Nth, of one that is removed, how many like it come before it.
	Fact = commit.Fact
	// FactChange is what one transaction adds to persistent predicates and removes from them: Added and Removed. By says
	// for whom it ran; see [engine.RunOptions.By].
	FactChange = commit.FactChange
	// Journal makes the changes of persistent predicates durable. Many goroutines call it at the same time. Its only
	// method Append(change FactChange) (done func() error, err error) is called before anybody sees the change. When it
	// returns nil the change has its place and becomes visible. Then done is called, which returns when the change is
	// durable; its error says that this is not known, and is that of [engine.Run.Commit]. With an error of Append the
	// transaction is rolled back, and the error is that of [engine.Run.Commit].
	//
	// A journal may pass on the changes of other processes by [engine.Program.Apply]. It then calls FactChange.Settle
	// before it accepts a change, and lets Append return in the order in which it has accepted changes, each after done
	// of the one before.
	Journal = commit.Journal
)

// ErrNotStored is in the chain of the error of a commit whose changes the journal could not keep.
var ErrNotStored = commit.ErrNotStored

// NativeMode says whether goals use native code: that of the processor, to which predicates that are called often are
// translated.
type NativeMode = machine.NativeMode

// NativeOn uses native code where the processor and the system allow it. NativeCheck also runs each stretch of it a
// second time without, and panics in the goal when the two differ; it is slow.
const (
	NativeOn    = machine.NativeOn
	NativeOff   = machine.NativeOff
	NativeCheck = machine.NativeCheck
)

// NativeAvailable reports whether this processor and this system run native code.
func NativeAvailable() bool { return machine.NativeAvailable() }

// NativeMap writes a line for each predicate that is translated to native code from now on, of address, size and
// name, as Linux perf reads them from /tmp/perf-PID.map. It holds for all programs of the process; nil ends it.
func NativeMap(w io.Writer) { machine.NativeMap(w) }

// LoadCache caches the results of a load. A program that is loaded with the cache of another does not parse and
// compile again what their texts have in common. The zero value is an empty cache. Several goroutines may use it.
type LoadCache = reuse.Cache

// Buffer is an output that keeps the first Max bytes; it drops the rest and counts them.
type Buffer struct {
	bytes.Buffer
	Max     int // 0: no limit
	Dropped int
}

// Write never fails.
func (b *Buffer) Write(data []byte) (int, error) {
	n := len(data)
	if b.Max > 0 && b.Len()+n > b.Max {
		keep := max(b.Max-b.Len(), 0)
		b.Dropped += n - keep
		data = data[:keep]
	}
	b.Buffer.Write(data)
	return n, nil
}
