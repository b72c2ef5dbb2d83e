package lsp

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what becomes of the paths in directives when files and folders get other names.

// namedFile is a path that a directive names.
type namedFile struct {
	name string
	span span
	form pathForm
}

// pathForm is how a path is written.
type pathForm int

const (
	formWords  pathForm = iota // part or parts/part
	formQuoted                 // 'parts/part.pl'
	formString                 // "parts/part.pl"
)

// fileArguments has the arguments of directives that are paths, or lists of paths.
var fileArguments = map[key]int{{"use_module", 1}: 0, {"use_module", 2}: 0, {"reexport", 1}: 0, {"reexport", 2}: 0,
	{"ensure_loaded", 1}: 0, {"consult", 1}: 0, {"load_files", 1}: 0, {"load_files", 2}: 0, {"include", 1}: 0,
	{"facts", 2}: 1, {"facts", 3}: 1, {"decision", 1}: 0, {"decision", 2}: 1, {"decision", 3}: 1}

// names notes the paths that a directive names.
func (x *indexer) names(c *source.Clause, t term.Term, l *source.Layout) {
	for {
		args, ok := term.Is(t, ",", 2)
		if !ok {
			break
		}
		x.names(c, args[0], l.Arg(0))
		t, l = args[1], l.Arg(1)
	}
	goal, ok := t.(*term.Compound)
	if !ok {
		return
	}
	if at, ok := fileArguments[key{string(goal.Functor), len(goal.Args)}]; ok {
		x.paths(c, goal.Args[at], l.Arg(at))
	} else if goal.Functor == "." && len(goal.Args) == 2 { // :- [a, b].
		x.paths(c, t, l)
	}
}

// paths notes a path, or each path of a list.
func (x *indexer) paths(c *source.Clause, t term.Term, l *source.Layout) {
	if items, ok := term.Slice(t); ok && len(items) > 0 {
		for i, item := range items {
			x.paths(c, item, l.Item(i))
		}
		return
	}
	if args, ok := term.Is(t, ":", 2); ok {
		t, l = args[1], l.Arg(1)
	}
	form, last := formQuoted, t
	var parts []string
	first, end := l, l
	for at := l; ; at = at.Arg(0) {
		args, ok := term.Is(last, "/", 2)
		if !ok {
			first = at
			break
		}
		if form == formQuoted {
			form, end = formWords, at.Arg(1)
		}
		part, ok := term.Text(args[1])
		if !ok {
			return
		}
		parts, last = append(parts, part), args[0]
	}
	part, ok := term.Text(last)
	from, to := tokenOf(c, first), tokenOf(c, end)
	if !ok || from == nil || to == nil {
		return
	}
	switch from.Kind {
	case source.KindName:
		form = formWords
	case source.KindString:
		form = formString
	}
	parts = append(parts, part)
	slices.Reverse(parts)
	x.files = append(x.files, namedFile{strings.Join(parts, "/"), x.lines.span(x.text, from.Start, to.End), form})
}

// tokenOf returns the token at which an atom or a string begins, or nil.
func tokenOf(c *source.Clause, l *source.Layout) *source.Token {
	if l == nil {
		return nil
	}
	i := slices.IndexFunc(c.Tokens, func(t source.Token) bool { return t.At.Offset == l.Pos.Offset })
	if i < 0 {
		return nil
	}
	return &c.Tokens[i]
}

// written returns a path in the form that one before it had.
func (f *namedFile) written(name string) string {
	switch f.form {
	case formString:
		return engine.FormatTerm(term.String(name))
	case formWords:
		if !strings.HasPrefix(name, "/") {
			parts := strings.Split(name, "/")
			for i, part := range parts {
				if parts[i] = engine.FormatTerm(term.Atom(part)); strings.Trim(part, ".") == "" {
					parts[i] = quoted(part)
				}
			}
			return strings.Join(parts, "/")
		}
	}
	return quoted(name)
}

// quoted writes an atom in quotes, also one that needs none.
func quoted(name string) string {
	if text := engine.FormatTerm(term.Atom(name)); strings.HasPrefix(text, "'") {
		return text
	}
	return "'" + name + "'"
}

// suffixes are what the name of a file of rules may leave out.
var suffixes = []string{"", ".pl", ".prolog"}

type renamedFilesParams struct {
	Files []struct {
		OldURI string `json:"oldUri"`
		NewURI string `json:"newUri"`
	} `json:"files"`
}

// moved returns what the path of a file will be.
func (p *renamedFilesParams) moved(file string) string {
	for _, f := range p.Files {
		if rest, ok := strings.CutPrefix(file, pathOf(f.OldURI)); ok &&
			(rest == "" || strings.HasPrefix(rest, string(filepath.Separator))) {
			return pathOf(f.NewURI) + rest
		}
	}
	return file
}

// willRenameFiles changes the paths that lead to files which get other names, and those in files that move.
func (s *server) willRenameFiles(p *renamedFilesParams) (any, error) {
	changes := map[string][]textEdit{}
	seen := map[string]bool{}
	for _, root := range s.roots {
		s.space.list(root, func() bool { return s.ctx.Err() != nil })
		for _, x := range s.space.in(root) {
			for i := range x.files {
				if f := &x.files[i]; !seen[x.path] {
					if name := s.movedName(x, f, p); name != f.name {
						uri := s.uri(x.path)
						changes[uri] = append(changes[uri], textEdit{f.span, f.written(name)})
					}
				}
			}
			seen[x.path] = true
		}
	}
	if len(changes) == 0 {
		return nil, nil
	}
	return s.edit(changes), nil
}

// movedName returns the path by which a directive will name the same file.
func (s *server) movedName(x *fileIndex, f *namedFile, p *renamedFilesParams) string {
	for _, suffix := range suffixes {
		from := besides(x.path, f.name+suffix)
		if !s.exists(from) {
			continue
		}
		folder, to := filepath.Dir(p.moved(x.path)), p.moved(from)
		if to == from && folder == filepath.Dir(x.path) {
			return f.name
		}
		name := filepath.ToSlash(to)
		if rel, err := filepath.Rel(folder, to); err == nil && !path.IsAbs(f.name) {
			name = filepath.ToSlash(rel)
		}
		if now := strings.TrimSuffix(name, suffix); path.Clean(f.name) != now {
			return now
		}
		return f.name
	}
	return f.name
}

// exists reports whether there is a file, on the disk or in the editor.
func (s *server) exists(file string) bool {
	info, err := os.Stat(file)
	return s.docs[file] != nil || err == nil && info.Mode().IsRegular()
}
