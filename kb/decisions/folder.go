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

// This file defines how lines get into a folder.
//
// Each process has a folder of its own in it, named by when it began. The files there are N.jsonl, one after the other,
// and facts.gz, the facts that the process began with. Of files that are too old only the changes of facts are kept, in
// 000000.jsonl: later calls rest on them. The folder rules has the archive of each version of the rules.

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

	// of the goroutine that writes
	file   facts.File // nil: the next line begins a file
	number int
	size   int64 // what is durable in the file
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
	// After a failed fsync the system may have dropped what it could not write: a new file is begun. What was written
	// for nobody is taken back; a file that keeps a part of a line is told from a whole one by the reader.
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

// archive keeps the rules of a digest, unless they are there.
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

// close waits for the lines that have come.
func (f *folder) close() error {
	f.queue.close()
	if f.file != nil {
		_ = f.file.Close() // what it has is durable
	}
	return f.lock.Close()
}

// This part defines how old lines are dropped.

// dropOlder drops the lines of files that were written last before a time. Those of processes that run are left to
// these.
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

// dropIn drops the old lines of one process. The folder goes with the last of them, unless the process runs. Its newest
// file is being written then.
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

// condense removes a file. The changes of facts in it go to another one.
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

// condensed returns what is kept of an old line: the changes of facts in it.
func condensed(line []byte) []byte {
	var r Record
	switch {
	case parse(line, &r) != nil: // a reader could do nothing with it either
		return nil
	case r.Tool == "": // it has nothing of a call
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

// eachLine calls f for the lines of a file, with where they begin. The last one may lack its end.
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
