// Package rulefiles reads and saves files of rules, tests and facts in a folder, and keeps what they were.
package rulefiles

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/folder"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// MaxFiles bounds the files of a folder that are listed or copied.
const MaxFiles = 10_000

// maxName is how many bytes a name may have. The systems allow 255, and the text before is kept under a longer name.
const maxName = 200

// DataEndings are the endings of files of facts; see facts/2.
var DataEndings = []string{".csv", ".tsv", ".json", ".jsonl"}

// isProlog reports whether an ending is that of rules or tests.
func isProlog(ext string) bool { return ext == ".pl" || ext == ".plt" }

// CheckName returns an error for an invalid name of a file of rules, tests or facts in a folder.
func CheckName(name string) error {
	ext := path.Ext(name)
	if bad := badCharacter(name); bad != "" {
		return fmt.Errorf("%q has %s in it", name, bad)
	}
	switch {
	case !filepath.IsLocal(name) || strings.Contains(name, `\`) || path.Clean(name) != name:
		return fmt.Errorf("%q is no file within the folder", name)
	case !isProlog(ext) && !slices.Contains(DataEndings, ext):
		return fmt.Errorf("%q ends neither in .pl, for rules, nor in .plt, for tests, nor as a file of facts: in %s", name,
			strings.Join(DataEndings, ", "))
	}
	for word := range strings.SplitSeq(name, "/") {
		stem, _, _ := strings.Cut(strings.ToLower(word), ".")
		switch {
		case strings.EqualFold(word, "mcplogic.json"):
			return fmt.Errorf("%q has the settings of the server", name)
		case folder.Hidden(word):
			return fmt.Errorf("%q is hidden and would not be loaded", name)
		case strings.HasPrefix(word, "-"):
			return fmt.Errorf("%q would be an option of commands", name)
		case strings.TrimSpace(word) != word || reservedNames().MatchString(strings.TrimSpace(stem)):
			return fmt.Errorf("%q is no name of a file on every system", name)
		case len(word) > maxName:
			return fmt.Errorf("%q is longer than %d bytes", name, maxName)
		}
	}
	return nil
}

// reservedNames matches the names of devices on Windows. A name stays reserved with any ending.
var reservedNames = lazyregexp.New(`^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$`)

// badCharacter names what a name of a file must not have in it: what people do not see, or what shells and some systems
// take for something else. An accent that stands by itself would make a second file of a name that looks the same.
func badCharacter(name string) string {
	for _, r := range name {
		switch {
		case r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			return "a character that is not shown"
		case r >= 0x300 && r <= 0x36f:
			return "an accent apart from its letter"
		case strings.ContainsRune("*?[]{}<>:\"|$`;&~!", r):
			return "a " + string(r)
		}
	}
	return ""
}

// savedMark is the first line of a file that a model has saved.
const savedMark = source.RestrictedMark + ": a model has saved this file; take this line away to trust what it says\n"

// ErrChanged is the error of saving a text that is based on an older state of the file.
var ErrChanged = errors.New("the file is not what it was")

// ErrSame is the error of a save of the text that the file has already.
var ErrSame = errors.New("the file has this text already")

// Read returns the text of a file of a folder that is not hidden, and its hash.
func Read(dir, name string) (text, hash string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", "", err
	}
	defer root.Close()
	if !filepath.IsLocal(name) || folder.HiddenPath(name) {
		return "", "", fs.ErrNotExist
	}
	f, err := folder.OpenRegular(folder.RootFS{Root: root}, name)
	if err != nil {
		return "", "", folder.Reason(err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if !utf8.Valid(data) {
		return "", "", errors.New("it is not UTF-8")
	}
	sum := sha256.Sum256(data)
	return string(data), hex.EncodeToString(sum[:8]), err
}

// File is a file of a folder.
type File struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// List lists the files of a folder that are not hidden, in the order of their names, MaxFiles at most.
func List(dir string) (list []File, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && folder.Hidden(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
		case len(list) == MaxFiles:
			return fs.SkipAll
		case d.Type().IsRegular():
			info, err := d.Info()
			if err != nil {
				return err
			}
			list = append(list, File{name, info.Size()})
		}
		return nil
	})
	return list, err
}

// Author is who saves files.
type Author struct {
	// Name is for people, "" for one that is not known.
	Name string
	// Owner says that the rules are to have the rights of others. The first line of any other file of rules says that it
	// is restricted.
	Owner bool
}

// Saved is an entry of the history of a folder.
type Saved struct {
	Time time.Time `json:"time"`
	By   string    `json:"by,omitempty"`
	File string    `json:"file"`
	Was  string    `json:"was,omitempty"` // the hash of the text before, "" for none
	Hash string    `json:"hash"`
}

// historyName is a hidden file of a folder with a line of JSON for each save. One that has mostHistory bytes becomes
// olderName, in place of an older one, so that a save of another process that is just being noted is not lost.
const (
	historyName = ".saves.jsonl"
	olderName   = ".saves.old.jsonl"
	mostHistory = 4 << 20
)

// History returns the last saves of a file of a folder, or of all files if the name is "". The newest comes first, and
// there are at most `most`.
func History(dir, file string, most int) (list []Saved) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	// Both are open before one is read, the newer one first, so that none is missed that becomes the older one meanwhile.
	var files []fs.File
	var infos []fs.FileInfo
	for _, name := range []string{historyName, olderName} {
		f, err := folder.OpenRegular(folder.RootFS{Root: root}, name)
		if err != nil {
			continue // nothing was saved yet
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && !(len(infos) == 1 && os.SameFile(info, infos[0])) {
			files, infos = append(files, f), append(infos, info)
		}
	}
	for _, f := range slices.Backward(files) {
		if s, ok := f.(io.Seeker); ok {
			_, _ = s.Seek(-mostHistory, io.SeekEnd) // it stays at the start of a shorter file
		}
		data, _ := io.ReadAll(f) // what can be read. A line that was cut is none
		for line := range bytes.Lines(data) {
			var one Saved
			if json.Unmarshal(line, &one) == nil && (file == "" || one.File == file) && one.Was != one.Hash {
				list = append(list, one)
			}
		}
	}
	slices.Reverse(list)
	return list[:min(len(list), most)]
}

// lockName is a hidden file of a folder. A process locks it while it saves a file. saveWait is how long a save waits
// for the lock.
const (
	lockName = ".saves.lock"
	saveWait = 10 * time.Second
)

// lockSaves opens a folder and keeps other saves out of it until unlock is called.
func lockSaves(dir string) (root *os.Root, unlock func(), err error) {
	if root, err = os.OpenRoot(dir); err != nil {
		return nil, nil, err
	}
	lock, err := folder.LockWithin(filepath.Join(dir, lockName), saveWait)
	if err == nil {
		return root, func() { lock.Close(); root.Close() }, nil
	}
	root.Close()
	if errors.Is(err, folder.ErrLocked) {
		return nil, nil, errors.New("other processes are saving files")
	}
	return nil, nil, folder.Reason(err)
}

// openHistory opens the history to note a save. The folder is locked.
func openHistory(root *os.Root) (*os.File, error) {
	if info, err := root.Lstat(historyName); err == nil && info.Mode().IsRegular() && info.Size() >= mostHistory {
		if err := root.Rename(historyName, olderName); err != nil {
			return nil, err
		}
	}
	return root.OpenFile(historyName, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
}

// note adds a save to the history.
func note(history *os.File, by Author, name, was, hash string) error {
	line, err := json.Marshal(Saved{time.Now().UTC().Truncate(time.Microsecond), by.Name, name, was, hash})
	if err == nil {
		_, err = history.Write(append(line, '\n'))
	}
	return err
}

// Discard removes a file that a save has made, if it is as it was saved. The history keeps it as the version before.
func Discard(dir, name, hash string, by Author) error {
	if err := CheckName(name); err != nil {
		return err
	}
	root, unlock, err := lockSaves(dir)
	if err != nil {
		return err
	}
	defer unlock()
	last := History(dir, name, 1)
	text, now, err := Read(dir, name)
	if err != nil {
		return err
	} else if len(last) == 0 || last[0].Was != "" || last[0].Hash != hash || now != hash {
		return ErrChanged
	}
	history, err := openHistory(root)
	if err != nil {
		return err
	}
	defer history.Close()
	if err := keepVersions(root, map[string]string{hash: text}); err != nil {
		return err
	}
	if err := root.Remove(name); err != nil {
		return err
	}
	return note(history, by, name, hash, "")
}

// versionsName is a hidden folder of a folder with the texts before and after the last saves, by their hashes.
// mostVersions bounds their total size in bytes. The texts of the last save always stay.
const (
	versionsName = ".versions"
	mostVersions = 64 << 20
)

// Version returns the text of a hash that the history has. The error is [fs.ErrNotExist] if it was too long ago.
func Version(dir, hash string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if _, err := hex.DecodeString(hash); err != nil || hash == "" {
		return "", fs.ErrNotExist
	}
	data, err := root.ReadFile(versionsName + "/" + hash)
	return string(data), err
}

// keepVersions keeps texts by their hashes, and drops the oldest ones that are too much.
func keepVersions(root *os.Root, texts map[string]string) error {
	if err := root.Mkdir(versionsName, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	for hash, text := range texts {
		if err := writeWithin(root, versionsName+"/"+hash, []byte(text)); err != nil {
			return err
		}
	}
	kept, err := root.Open(versionsName)
	if err != nil {
		return err
	}
	defer kept.Close()
	entries, err := kept.Readdir(-1)
	slices.SortFunc(entries, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	size := int64(0)
	for _, e := range entries {
		if _, own := texts[e.Name()]; own {
			size += e.Size()
		} else if size += e.Size(); size > mostVersions {
			err = errors.Join(err, root.Remove(versionsName+"/"+e.Name()))
		}
	}
	return err
}

// Save writes a text to a file of a folder, all or nothing. hash has to be the hash of the file's present text, or ""
// for a new file; otherwise the error is ErrChanged. If the text is the present one, nothing is saved and the error is
// ErrSame. The old and the new text are kept for [Version]. The history records the author. Save returns the hash of
// the new text.
func Save(dir, name, text, hash string, by Author) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	root, unlock, err := lockSaves(dir)
	if err != nil {
		return "", err
	}
	defer unlock()
	old, now, err := Read(dir, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if now != hash {
		return "", ErrChanged
	}
	if other := twin(dir, name); other != "" && hash == "" {
		return "", fmt.Errorf("%q and %q would be one file on some systems, which do not tell small letters from capitals",
			name, other)
	}
	if isProlog(path.Ext(name)) && !source.IsRestricted(text) && !by.Owner {
		text = savedMark + text
	}
	if hash != "" && text == old {
		return hash, ErrSame
	}
	if sub, _ := path.Split(name); sub != "" {
		if err := root.MkdirAll(path.Clean(sub), 0o777); err != nil {
			return "", err
		}
	}
	// A save that cannot be noted is not made.
	history, err := openHistory(root)
	if err != nil {
		return "", err
	}
	defer history.Close()
	sum := sha256.Sum256([]byte(text))
	texts := map[string]string{hex.EncodeToString(sum[:8]): text}
	if hash != "" {
		texts[hash] = old
	}
	if err := keepVersions(root, texts); err != nil {
		return "", err
	}
	if err := writeWithin(root, name, []byte(text)); err != nil {
		return "", err
	}
	was := hash
	if _, hash, err = Read(dir, name); err != nil {
		return hash, err
	}
	return hash, note(history, by, name, was, hash)
}

// twin returns a file of a folder whose name, or that of a folder it is in, is another one only by the case of letters.
func twin(dir, name string) string {
	files, _ := List(dir)
	words := strings.Split(name, "/")
	for _, f := range files {
		for i, word := range strings.Split(f.Name, "/") {
			if i == len(words) || word != words[i] {
				if i < len(words) && strings.EqualFold(word, words[i]) {
					return f.Name
				}
				break
			}
		}
	}
	return ""
}

// writeWithin writes a file of a folder under another name first.
func writeWithin(root *os.Root, name string, data []byte) error {
	dir, base := path.Split(name)
	temporary := dir + "." + base + ".new"
	f, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = root.Rename(temporary, name)
	}
	if err != nil {
		_ = root.Remove(temporary)
	}
	return err
}

// TestsIn names the tests in the text of a file by their unit and name. One that cannot be read without the operators
// of other files is named by its first line.
func TestsIn(name, text string) (names []string) {
	if !isProlog(path.Ext(name)) {
		return nil
	}
	unit := ""
	source.Read("", text, &source.Options{Each: func(c *source.Clause) bool {
		head := c.Term
		if rule, ok := term.Is(head, ":-", 2); ok {
			head = rule[0]
		} else if directive, ok := term.Is(head, ":-", 1); ok {
			head = directive[0]
		}
		compound, _ := head.(*term.Compound)
		line, _, _ := strings.Cut(text[c.Start:c.End], "\n")
		switch {
		case c.Err != nil && strings.HasPrefix(line, "test("):
			names = append(names, "test "+unit+": "+line)
		case compound == nil || len(compound.Args) > 2:
		case compound.Functor == "begin_tests":
			unit = inner.Plain(compound.Args[0])
		case compound.Functor == "test":
			names = append(names, "test "+unit+": "+inner.Plain(compound.Args[0]))
		}
		return true
	}})
	return names
}
