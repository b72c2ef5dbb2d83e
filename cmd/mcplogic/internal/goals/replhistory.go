package goals

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/peterh/liner"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
)

// This file defines what the prompt of mcplogic repl remembers, and how it completes words.

// history holds the goals of this session and of earlier ones. They are kept in a file of the user. The file is never
// closed: each line is written at once, and the end of the process does the rest.
type history struct {
	lines []string // at the start
	file  *os.File // nil when it cannot be kept
}

// openHistory reads the history. Each goal is added to the file at once, so that sessions at the same time lose
// nothing. A file that has grown long is cut.
func openHistory() *history {
	h := &history{}
	path := filepath.Join(cli.UserFolder("XDG_STATE_HOME", ".local", "state"), "history")
	if !filepath.IsAbs(path) || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return h
	}
	text, _ := os.ReadFile(path)
	h.lines = strings.FieldsFunc(strings.ToValidUTF8(string(text), "?"), func(r rune) bool { return r == '\n' })
	if n := len(h.lines); n > liner.HistoryLimit {
		h.lines = h.lines[n-liner.HistoryLimit:]
		// Writing the file anew could lose a line of a session at the same time, so it is done seldom.
		if n > 2*liner.HistoryLimit {
			_ = os.WriteFile(path, []byte(strings.Join(h.lines, "\n")+"\n"), 0o600)
		}
	}
	h.file, _ = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	return h
}

// add adds a line to the file. A history that cannot be written is no reason to stop, and is not worth a
// message at each goal.
func (h *history) add(line string) {
	if h.file != nil && line != "" {
		_, _ = h.file.WriteString(line + "\n")
	}
}

// isAlphanumeric reports whether a rune may stand in an atom without quotes.
func isAlphanumeric(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// openQuote returns the place behind a quote that is not closed in a text. A doubled quote closes and
// opens, which comes to the same.
func openQuote(text string) (start int, ok bool) {
	var quote rune
	for i, r := range text {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote, start = r, i+1
		case r == quote:
			quote = 0
		}
	}
	return start, quote != 0
}

// fileNames lists the files whose paths begin with a prefix. Folders end with a slash, so that completion can go on
// in them.
func fileNames(prefix string) []string {
	dir, base := filepath.Split(prefix)
	entries, err := os.ReadDir(filepath.Join(".", dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), base) || strings.HasPrefix(e.Name(), ".") && base == "" {
			continue
		}
		name := dir + e.Name()
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
