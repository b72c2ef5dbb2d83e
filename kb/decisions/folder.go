package decisions

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/internal/facts"
)

// This file defines how lines are written to a folder.
//
// Each process has a subfolder, named by the time of its start. The files there are N.jsonl, with rising numbers, and
// facts.gz, the facts that the process began with. When a file is too old, only its changes of facts are kept, in
// 000000.jsonl, because later calls depend on them. The folder rules has the archive of each version of the rules.

const (
	factsFile   = "facts.gz"
	rulesFolder = "rules"
	lineSuffix  = ".jsonl"
	oldestFile  = "000000" + lineSuffix
)

// folder writes lines into the folder of a process, each group with one fsync.
type folder struct {
	*queue
	o    *Options
	disk facts.Disk
	lock io.Closer

	// used by the writing goroutine only
	file   facts.File // nil: the next line begins a file
	number int
	size   int64 // the number of durable bytes in the file
}

// openFolder makes the folder of this process.
func openFolder(dir string, o *Options) (*folder, error) {
	f := &folder{o: o, disk: o.disk}
	if f.disk == nil {
		f.disk = facts.FolderDisk(filepath.Join(dir, newProcess()))
	}
	var err error
	if f.lock, err = f.disk.Lock(); err != nil {
		return nil, err
	}
	f.queue = newQueue(f.append)
	return f, nil
}

// append writes some lines durably, or none of them.
func (f *folder) append(lines []written) error {
	var text []byte
	for _, l := range lines {
		text = append(text, l.text...)
	}
	if f.file != nil && f.size > 0 && f.size+int64(len(text)) > f.o.Rotate {
		_ = f.file.Close() // what it has is durable
		f.file = nil
	}
	if f.file == nil {
		if err := f.begin(); err != nil {
			return err
		}
	}
	_, err := f.file.Write(text)
	if err == nil {
		err = f.file.Sync()
	}
	if err == nil {
		f.size += int64(len(text))
		return nil
	}
	// After a failed fsync the system may have dropped the data that it could not write, so a new file is begun. The
	// lines of the failed group are cut off; if that fails too, the reader recognizes a line that was cut short.
	undone := f.file.Truncate(f.size)
	if undone == nil {
		undone = f.file.Sync()
	}
	_ = f.file.Close()
	f.file = nil
	return errors.Join(err, undone)
}

func (f *folder) begin() (err error) {
	f.number++
	if f.file, err = f.disk.Append(fmt.Sprintf("%06d%s", f.number, lineSuffix)); err != nil {
		f.file = nil
		return err
	}
	f.size = 0
	return f.disk.Sync()
}

// facts writes the facts that the process begins with.
func (f *folder) facts(all func(put func(part string) error) error) error {
	file, err := f.disk.Append(factsFile)
	if err != nil {
		return err
	}
	z := gzip.NewWriter(file)
	err = all(func(part string) error { _, err := io.WriteString(z, part); return err })
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// archive stores the rules of a digest, unless they are already stored.
func (f *folder) archive(digest string, write func(w io.Writer) error) error {
	dir := filepath.Join(filepath.Dir(f.disk.Path()), rulesFolder)
	name := filepath.Join(dir, digest+".zip")
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, ".rules-*")
	if err != nil {
		return err
	}
	if err = write(file); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return facts.FolderDisk(dir).Sync()
}

// close waits until the queued lines are written.
func (f *folder) close() error {
	f.queue.close()
	if f.file != nil {
		_ = f.file.Close() // what it has is durable
	}
	return f.lock.Close()
}

// This part defines how old lines are dropped.

// dropOlder drops the lines of files that were last written before a time. A running process drops its own lines.
func (f *folder) dropOlder(than time.Time) error {
	own := f.disk.Path()
	processes, err := processFolders(filepath.Dir(own))
	for _, dir := range processes {
		if dir == own {
			err = errors.Join(err, dropIn(dir, than, true))
			continue
		}
		if lock, held := facts.FolderDisk(dir).Lock(); held == nil {
			err = errors.Join(err, dropIn(dir, than, false), lock.Close())
		}
	}
	return err
}

// processFolders returns the folders of the processes, the earliest first.
func processFolders(dir string) (list []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() && e.Name() != rulesFolder {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list, err
}

func lineFiles(dir string) (list []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), lineSuffix) {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list, err
}

// dropIn drops the old lines of one process. It removes the folder if no lines are left and the process has ended. The
// newest file of a running process stays, as it is being written.
func dropIn(dir string, than time.Time, runs bool) error {
	files, err := lineFiles(dir)
	left := 0
	for i, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if !info.ModTime().Before(than) || runs && i == len(files)-1 {
			left++
		} else if filepath.Base(name) != oldestFile {
			if err := condense(name, filepath.Join(dir, oldestFile)); err != nil {
				return err
			}
		}
	}
	if left == 0 && !runs && err == nil {
		return os.RemoveAll(dir)
	}
	return err
}

// condense removes a file after it has appended the file's changes of facts to another file.
func condense(name, to string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	err = eachLine(in, func(line []byte, _ int64) error {
		_, err := w.Write(condensed(line))
		return err
	})
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Remove(name)
}

// condensed returns the part of an old line that is kept: its changes of facts.
func condensed(line []byte) []byte {
	var r Record
	switch {
	case parse(line, &r) != nil: // a reader could do nothing with it either
		return nil
	case r.Tool == "": // the line holds no call
		return line
	case len(r.Changes) == 0:
		return nil
	}
	kept, err := (&Record{Version: Version, ID: r.ID, Time: r.Time, Load: r.Load, State: r.State, Changes: r.Changes,
		Pending: r.Pending, Commit: r.Commit}).line()
	if err != nil {
		return line
	}
	return kept
}

// eachLine calls f for each line of a file and the offset where it begins. The last line may lack its newline.
func eachLine(in io.Reader, f func(line []byte, at int64) error) error {
	r, at := bufio.NewReaderSize(in, 1<<16), int64(0)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			if err := f(line, at); err != nil {
				return err
			}
		}
		at += int64(len(line))
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
