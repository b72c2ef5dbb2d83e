// Package host has the interfaces and types by which a Go program gives its Prolog programs files, a journal for
// persistent facts, outputs, and native code.
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
	// ReadLink as in package fs, and Folder, the absolute name of the folder from which relative paths start. The error
	// for a path that may not be seen is [fs.ErrPermission]. If Files do not implement Lister, goals may only open
	// files.
	Lister = builtin.Lister
	// Changer changes files and folders for goals, such as delete_file/1 and make_directory/1. Its methods are Create,
	// Mkdir, Remove, Rename, Chtimes, Writable and TempFolder; paths are as for [engine.Options.OpenWrite]. The error
	// for a path that may not be changed is [fs.ErrPermission].
	Changer = builtin.Changer
)

// Persistent facts.
type (
	// Fact is a fact of a persistent predicate: its Module and its term, Head. Front says that the fact was added
	// before the others. For a removed fact, Nth is the number of equal facts before it.
	Fact = commit.Fact
	// FactChange has the facts that one transaction adds to persistent predicates and removes from them. By says for
	// whom the transaction ran; see [engine.RunOptions.By].
	FactChange = commit.FactChange
	// Journal makes the changes of persistent predicates durable. Many goroutines call it at the same time. Its only
	// method Append(change FactChange) (done func() error, err error) is called before the change becomes visible. If
	// err is nil, the change has its place among the changes and becomes visible. Then done is called, and returns when
	// the change is durable. An error of done says that it is unknown whether the change is durable. If err is not nil,
	// the transaction is rolled back. [engine.Run.Commit] returns either error.
	//
	// A journal may pass on the changes of other processes by [engine.Program.Apply]. It then has to call
	// FactChange.Settle before it accepts a change. Its Append has to return in the order in which changes were
	// accepted, each time after done of the previous change.
	Journal = commit.Journal
)

// ErrNotStored is in the chain of the error of a commit whose changes the journal could not store.
var ErrNotStored = commit.ErrNotStored

// NativeMode says whether goals use native code. Predicates that are called often are translated to it.
type NativeMode = machine.NativeMode

// NativeOn uses native code where the processor and the system allow it. NativeCheck also runs each piece of native
// code a second time in the interpreter, and panics in the goal if the results differ; this is slow.
const (
	NativeOn    = machine.NativeOn
	NativeOff   = machine.NativeOff
	NativeCheck = machine.NativeCheck
)

// NativeAvailable reports whether this processor and this system run native code.
func NativeAvailable() bool { return machine.NativeAvailable() }

// NativeMap writes a line with address, size and name for each predicate that is translated to native code from now on.
// Linux perf reads such lines from /tmp/perf-PID.map. It applies to all programs of the process; nil ends it.
func NativeMap(w io.Writer) { machine.NativeMap(w) }

// LoadCache caches the results of a load. A program that is loaded with the cache of another program does not parse and
// compile their common clauses again. The zero value is an empty cache. Several goroutines may use it.
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
