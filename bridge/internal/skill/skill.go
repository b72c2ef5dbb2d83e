// Package skill reads skills: texts on how to do something, in folders, each with a file SKILL.md and others beside it.
package skill

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"mime"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.yaml.in/yaml/v3"

	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/schema"
)

const (
	// Scheme is that of the URIs of skills and their files.
	Scheme = "skill://"
	// FileName is the name of the file that says what a skill is for.
	FileName = "SKILL.md"
	// The extension allows one skill to have this much.
	maxFiles = 512
	maxBytes = 16 << 20
	maxText  = 1024 // characters of a description
	// maxSkills bounds the folders of skills that are looked at.
	maxSkills = 1000
)

// Skill is one skill with its files, the first of which is SKILL.md.
type Skill struct {
	URI         string        `json:"uri"`
	Frontmatter schema.Object `json:"frontmatter"`
	Resources   []*File       `json:"resources"`

	name, description string
}

// File is a file of a skill.
type File struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"`
	Size   int    `json:"size"`

	data []byte
}

func newFile(uri string, data []byte) *File {
	sum := sha256.Sum256(data)
	return &File{uri, "sha256:" + hex.EncodeToString(sum[:]), len(data), data}
}

// New makes a skill of its files, by their paths.
func New(name string, files map[string][]byte) (*Skill, error) {
	head, err := readHead(files[FileName])
	if err != nil {
		return nil, err
	}
	k := &Skill{URI: Scheme + name + "/" + FileName, name: name, Frontmatter: head}
	own, named := head.Get("name")
	if named && own != name {
		return nil, fmt.Errorf("its name is %v, and its folder %s; they have to be the same", own, name)
	}
	description, _ := head.Get("description")
	k.description, _ = description.(string)
	switch {
	case !validName(name) || !named:
		return nil, errors.New("a skill needs a name of at most 64 small letters, digits and single hyphens")
	case k.description == "" || utf8.RuneCountInString(k.description) > maxText:
		return nil, fmt.Errorf("a skill needs a description of at most %d characters", maxText)
	}
	k.Resources = []*File{newFile(k.URI, files[FileName])}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != FileName {
			k.Resources = append(k.Resources, newFile(strings.TrimSuffix(k.URI, FileName)+name, files[name]))
		}
	}
	return k, nil
}

// validName reports whether a name is one that the extension allows.
func validName(name string) bool {
	if name == "" || len(name) > 64 || strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") ||
		strings.Contains(name, "--") {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// ReadFolder reads the skills of a folder. What is wrong with one is logged, and it is left out.
func ReadFolder(folder fs.FS, log *slog.Logger) (list []*Skill) {
	entries, _ := fs.ReadDir(folder, "skills")
	for _, entry := range entries[:min(len(entries), maxSkills)] {
		name := entry.Name()
		files, err := readFiles(folder, "skills/"+name)
		var k *Skill
		if err == nil && files[FileName] != nil {
			k, err = New(name, files)
		}
		switch {
		case err != nil:
			log.Error("a skill was left out", "skill", name, "reason", err)
		case k != nil:
			list = append(list, k)
		}
	}
	return list
}

// readFiles reads the files of a skill that are not hidden, by their paths in its folder. Links that lead out of
// the folder of the rules cannot be followed.
func readFiles(fsys fs.FS, folder string) (map[string][]byte, error) {
	files, size := map[string][]byte{}, 0
	err := fs.WalkDir(fsys, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || strings.HasPrefix(d.Name(), ".") {
			if d != nil && d.IsDir() && err == nil {
				return fs.SkipDir
			}
			return err
		}
		info, err := fs.Stat(fsys, name)
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		if size += int(info.Size()); size > maxBytes || len(files) == maxFiles {
			return fmt.Errorf("it has more than %d files or %d bytes", maxFiles, maxBytes)
		}
		data, err := fs.ReadFile(fsys, name)
		files[strings.TrimPrefix(name, folder+"/")] = data
		return err
	})
	return files, err
}

// Contents returns the contents of a file, as text if they are text.
func (r *File) Contents() *mcp.ResourceContents {
	kind := mime.TypeByExtension(path.Ext(r.URI))
	if path.Ext(r.URI) == ".md" {
		kind = "text/markdown"
	}
	c := &mcp.ResourceContents{URI: r.URI, MIMEType: kind}
	if utf8.Valid(r.data) {
		c.Text = string(r.data)
	} else {
		c.Blob = r.data
	}
	return c
}

// Listed is what lists of resources have of a skill.
func (k *Skill) Listed() *mcp.Resource {
	return &mcp.Resource{URI: k.URI, Name: k.name, Description: k.description, MIMEType: "text/markdown",
		Size: int64(k.Resources[0].Size)}
}

// headLines match a head: YAML between two lines of three hyphens.
var headLines = lazyregexp.New(`(?s)\A\x{FEFF}?---[ \t]*\r?\n(.*?)(?m:^---[ \t]*\r?$)`)

// readHead reads the head of a Markdown file: its members in their order, with values that JSON has.
func readHead(text []byte) (schema.Object, error) {
	found := headLines().FindSubmatch(text)
	if found == nil {
		return nil, errors.New("it does not begin with a head between two lines of ---")
	}
	var document yaml.Node
	values := map[string]any{}
	err := yaml.Unmarshal(bytes.ReplaceAll(found[1], []byte("\r\n"), []byte("\n")), &document)
	if err == nil && len(document.Content) > 0 {
		datesAreTexts(&document)
		err = document.Decode(&values)
	}
	if err == nil {
		_, err = json.Marshal(values)
	}
	if err != nil {
		return nil, fmt.Errorf("its head: %w", err)
	}
	var head schema.Object
	for i := 0; len(values) > 0 && i < len(document.Content[0].Content); i += 2 {
		key := document.Content[0].Content[i].Value
		value, ok := values[key]
		if !ok {
			return nil, fmt.Errorf("its head: the key %s is no plain text", key)
		}
		head = head.With(key, value)
	}
	return head, nil
}

// datesAreTexts makes texts of what YAML takes for points in time.
func datesAreTexts(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, part := range n.Content {
		datesAreTexts(part)
	}
}
