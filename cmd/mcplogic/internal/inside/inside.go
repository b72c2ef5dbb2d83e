// Package inside reads and writes the folder of rules at the end of a program.
package inside

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	locks "github.com/mcplogic/mcplogic/internal/folder"
)

// buildMark ends a program with a folder. In front of it stand the length of the zip file with the folder, as 8 bytes,
// most significant first, and the zip file. Systems ignore what stands behind an executable file in the formats ELF,
// Mach-O and PE.
const buildMark = "mcplogic folder\n"

// tailLength is the length of what follows the zip file, in bytes.
const tailLength = 8 + int64(len(buildMark))

// Write writes a program, and behind it a folder that pack writes as an archive. A folder that the program has
// already is left out, so that a built program can build another.
func Write(w io.Writer, program *os.File, pack func(z *zip.Writer) error) error {
	_, length, err := insideOf(program)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, io.NewSectionReader(program, 0, length)); err != nil {
		return err
	}
	counted := &countingWriter{w: w}
	z := zip.NewWriter(counted)
	if err := pack(z); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	tail := binary.BigEndian.AppendUint64(nil, uint64(counted.n))
	_, err = w.Write(append(tail, buildMark...))
	return err
}

// countingWriter counts the bytes of the zip file, whose length zip.Writer does not tell.
type countingWriter struct {
	w io.Writer
	n int64
}

// Write passes data on.
func (c *countingWriter) Write(data []byte) (int, error) {
	n, err := c.w.Write(data)
	c.n += int64(n)
	return n, err
}

// insideOf returns the folder at the end of a program, nil if it has none, and the length in bytes of the program
// without it. The zip file is read in place; program has to stay open while folder is used.
func insideOf(program *os.File) (folder *zip.Reader, length int64, err error) {
	info, err := program.Stat()
	if err != nil {
		return nil, 0, err
	}
	length = info.Size()
	tail := make([]byte, tailLength)
	if length < tailLength {
		return nil, length, nil
	}
	if _, err := program.ReadAt(tail, length-tailLength); err != nil {
		return nil, 0, err
	}
	// A length that does not fit into the file is no length: the mark is there by chance.
	packed := int64(binary.BigEndian.Uint64(tail))
	if string(tail[8:]) != buildMark || packed < 0 || packed > length-tailLength {
		return nil, length, nil
	}
	length -= tailLength + packed
	folder, err = zip.NewReader(io.NewSectionReader(program, length, packed), packed)
	return folder, length, err
}

// Has reports whether a program has a folder inside.
func Has(file string) bool {
	program, err := os.Open(file)
	if err != nil {
		return false
	}
	defer program.Close()
	folder, _, err := insideOf(program)
	return folder != nil && err == nil
}

// Unpack unpacks the folder of this program into a temporary folder and returns its path, "" if the program has
// none. remove deletes the temporary folder, if there is one. remove is never nil, and has to be called after an
// error, too.
func Unpack() (folder string, remove func(), err error) {
	remove = func() {}
	own, err := os.Executable()
	if err != nil {
		return "", remove, nil // a program that cannot be found or read has no folder to be seen
	}
	program, err := os.Open(own)
	if err != nil {
		return "", remove, nil
	}
	defer program.Close()
	inside, _, err := insideOf(program)
	if inside == nil || err != nil {
		return "", remove, err
	}
	removeUnpacked()
	temporary, err := os.MkdirTemp("", unpacked)
	if err != nil {
		return "", remove, err
	}
	lock, err := locks.Lock(filepath.Join(temporary, unpackedLock))
	if err != nil {
		return "", func() { _ = os.RemoveAll(temporary) }, err
	}
	remove = func() {
		_ = lock.Close()
		_ = os.RemoveAll(temporary)
	}
	// The folder is named after the program, because servers are named after their folders.
	name := filepath.Base(own)
	folder = filepath.Join(temporary, name[:len(name)-len(filepath.Ext(name))])
	kept, err := fs.Sub(inside, Folder)
	if err == nil {
		err = os.CopyFS(folder, kept)
	}
	return folder, remove, err
}

// A process holds a lock in the temporary folder that it has unpacked.
const (
	unpacked     = "mcplogic-unpacked-"
	unpackedLock = "mcplogic.lock"
)

// removeUnpacked removes the temporary folders of processes that were killed. One that is new may not be locked yet.
func removeUnpacked() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), unpacked+"*", unpackedLock))
	for _, name := range left {
		info, err := os.Stat(name)
		if err != nil || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		if lock, err := locks.Lock(name); err == nil {
			_ = lock.Close()
			_ = os.RemoveAll(filepath.Dir(name))
		}
	}
}

// Args returns the arguments with the folder of the program as the PATH of the command. Without a command the
// program serves the folder. Commands that take no PATH, such as version, are left as they are.
func Args(args []string, folder string) []string {
	takers := []string{"serve", "check", "test", "call", "read", "prompt", "complete", "list", "why", "repl", "graph"}
	switch {
	case len(args) == 0:
		return []string{"serve", folder}
	case slices.Contains([]string{"--version", "--help", "-h"}, args[0]):
		return args
	case strings.HasPrefix(args[0], "-"):
		return append([]string{"serve", folder}, args...)
	case args[0] == "query":
		return append([]string{"query", "--file", folder}, args[1:]...)
	case slices.Contains(takers, args[0]):
		return slices.Insert(slices.Clone(args), 1, folder)
	case len(args) > 1 && (args[0] == "config" || args[0] == "facts"):
		return append(slices.Clone(args), folder)
	}
	return args
}

// Folder is where the files of the folder stand.
const Folder = "kb"
