package bridge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/internal/frontmatter"
)

// This file defines skills, the extension by which a server hands out texts on how to do things with it: those of the
// folder skills beside the rules, and one that is made of what the knowledge base offers.

const (
	extensionSkills = "io.modelcontextprotocol/skills"
	skillScheme     = "skill://"
	skillFile       = "SKILL.md"
	// What the extension allows one skill to have.
	maxSkillFiles = 512
	maxSkillBytes = 16 << 20
	maxSkillText  = 1024 // characters of a description
	// maxSkills bounds the folders of skills that are looked at.
	maxSkills = 1000
)

// skill is one skill with its files, the first of which is SKILL.md.
type skill struct {
	URI         string           `json:"uri"`
	Frontmatter schema.Object    `json:"frontmatter"`
	Resources   []*skillResource `json:"resources"`

	name, description string
}

// skillResource is a file of a skill.
type skillResource struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"`
	Size   int    `json:"size"`

	data []byte
}

func newSkillResource(uri string, data []byte) *skillResource {
	sum := sha256.Sum256(data)
	return &skillResource{uri, "sha256:" + hex.EncodeToString(sum[:]), len(data), data}
}

// newSkill makes a skill of its files, by their paths.
func newSkill(name string, files map[string][]byte) (*skill, error) {
	front, err := frontmatter.Parse(files[skillFile])
	if err != nil {
		return nil, err
	}
	k := &skill{URI: skillScheme + name + "/" + skillFile, name: name}
	named := false
	for _, m := range front {
		named = named || m.Key == "name"
		k.Frontmatter = k.Frontmatter.With(m.Key, m.Value)
		if text, ok := m.Value.(string); ok && m.Key == "description" {
			k.description = text
		}
		if m.Key == "name" && m.Value != name {
			return nil, fmt.Errorf("its name is %v, and its folder %s; they have to be the same", m.Value, name)
		}
	}
	switch {
	case !validSkillName(name) || !named:
		return nil, errors.New("a skill needs a name of at most 64 small letters, digits and single hyphens")
	case k.description == "" || utf8.RuneCountInString(k.description) > maxSkillText:
		return nil, fmt.Errorf("a skill needs a description of at most %d characters", maxSkillText)
	}
	k.Resources = []*skillResource{newSkillResource(k.URI, files[skillFile])}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != skillFile {
			k.Resources = append(k.Resources, newSkillResource(strings.TrimSuffix(k.URI, skillFile)+name, files[name]))
		}
	}
	return k, nil
}

// validSkillName reports whether a name is one that the extension allows.
func validSkillName(name string) bool {
	if name == "" || len(name) > 64 || strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") ||
		strings.Contains(name, "--") {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// readSkills reads the skills of the folders. What is wrong with one is logged, and it is left out.
func (s *Server) readSkills() (list []*skill) {
	for _, folder := range s.opts.Folders {
		root, err := os.OpenRoot(folder)
		if err != nil {
			continue // a file
		}
		entries, _ := fs.ReadDir(root.FS(), "skills")
		for _, entry := range entries[:min(len(entries), maxSkills)] {
			name := entry.Name()
			files, err := readSkillFiles(root.FS(), "skills/"+name)
			var k *skill
			if err == nil && files[skillFile] != nil {
				k, err = newSkill(name, files)
			}
			switch {
			case err != nil:
				s.opts.Log.Error("a skill was left out", "skill", name, "reason", err)
			case k != nil && !slices.ContainsFunc(list, func(other *skill) bool { return other.URI == k.URI }):
				list = append(list, k)
			}
		}
		_ = root.Close()
	}
	return list
}

// readSkillFiles reads the files of a skill that are not hidden, by their paths in its folder. Links that lead out of
// the folder of the rules cannot be followed.
func readSkillFiles(fsys fs.FS, folder string) (map[string][]byte, error) {
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
		if size += int(info.Size()); size > maxSkillBytes || len(files) == maxSkillFiles {
			return fmt.Errorf("it has more than %d files or %d bytes", maxSkillFiles, maxSkillBytes)
		}
		data, err := fs.ReadFile(fsys, name)
		files[strings.TrimPrefix(name, folder+"/")] = data
		return err
	})
	return files, err
}

// allSkills are the skills of the folders and the one that is made of the declarations, unless a folder has one of that
// name.
func (s *Server) allSkills() []*skill {
	list := slices.Clone(s.current.Load().skills)
	own := s.ownSkill()
	if own != nil && !slices.ContainsFunc(list, func(k *skill) bool { return k.URI == own.URI }) {
		list = append(list, own)
	}
	return list
}

// ownSkill tells how to use the knowledge base; nil if the server makes no texts of its own.
func (s *Server) ownSkill() *skill {
	text := s.instructions()
	if text == "" {
		return nil
	}
	name := strings.Trim(strings.Join(strings.FieldsFunc(strings.ToLower(s.opts.Name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-"), "-")
	name = cmp.Or(strings.TrimRight(name[:min(len(name), 64)], "-"), "knowledge-base")
	description, err := json.Marshal("How to get answers from " + s.title() + ": its tools and how to call them.")
	if err != nil {
		return nil
	}
	file := fmt.Appendf(nil, "---\nname: %s\ndescription: %s\n---\n\n%s\n", name, description, text)
	k, err := newSkill(name, map[string][]byte{skillFile: file})
	if err != nil {
		s.opts.Log.Error("the skill of the server was left out", "reason", err)
		return nil
	}
	return k
}

// The parameters and results of the methods of the extension.
type (
	skillListParams struct {
		mcp.ParamsBase
		Cursor string `json:"cursor"`
	}
	skillListResult struct {
		mcp.ResultBase
		ResultType string   `json:"resultType"`
		Skills     []*skill `json:"skills"`
		TTL        int      `json:"ttlMs"`
		Scope      string   `json:"cacheScope"`
	}
	skillGetParams struct {
		mcp.ParamsBase
		URI string `json:"uri"`
	}
	skillGetResult struct {
		mcp.ResultBase
		ResultType string `json:"resultType"`
		Skill      *skill `json:"skill"`
		TTL        int    `json:"ttlMs"`
		Scope      string `json:"cacheScope"`
	}
)

// addSkills adds the methods of the extension.
func (s *Server) addSkills() {
	err := mcp.AddReceivingCustomMethod(s.mcp, "skills/list",
		func(_ context.Context, _ *mcp.ServerSession, p *skillListParams) (*skillListResult, error) {
			if p.Cursor != "" {
				return nil, invalidParams("the cursor is none of this server: all skills are on the first page")
			}
			return &skillListResult{ResultType: "complete", Skills: append([]*skill{}, s.allSkills()...),
				Scope: scopePublic}, nil
		})
	err = errors.Join(err, mcp.AddReceivingCustomMethod(s.mcp, "skills/get",
		func(_ context.Context, _ *mcp.ServerSession, p *skillGetParams) (*skillGetResult, error) {
			for _, k := range s.allSkills() {
				if k.URI == p.URI {
					return &skillGetResult{ResultType: "complete", Skill: k, Scope: scopePublic}, nil
				}
			}
			return nil, invalidParams("there is no skill %q; skills/list names those there are", p.URI)
		}))
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: skillTemplate, Name: "skills"}, s.readSkill)
	if err != nil {
		panic("bridge: " + err.Error()) // the methods are no standard ones
	}
}

// skillTemplate is the template under which the SDK finds the files of skills.
const skillTemplate = skillScheme + "{+path}"

// hideSkills is a middleware that leaves that template out of lists: clients know of the files by skills/list.
func hideSkills(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if r, ok := result.(*mcp.ListResourceTemplatesResult); ok && err == nil {
			isSkills := func(t *mcp.ResourceTemplate) bool { return t.URITemplate == skillTemplate }
			r.ResourceTemplates = slices.DeleteFunc(append([]*mcp.ResourceTemplate{}, r.ResourceTemplates...), isSkills)
		}
		return result, err
	}
}

// readSkill reads a file of a skill.
func (s *Server) readSkill(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	for _, k := range s.allSkills() {
		for _, r := range k.Resources {
			if r.URI == req.Params.URI {
				result := &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{r.contents()}}
				if requestOf(req) != nil {
					result.CacheScope = scopePublic
				}
				return result, nil
			}
		}
	}
	return nil, notFound(newRequest(req, "", nil).version, req.Params.URI)
}

// contents are those of a file, as text if they are text.
func (r *skillResource) contents() *mcp.ResourceContents {
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

// listed is what lists of resources have of a skill.
func (k *skill) listed() *mcp.Resource {
	return &mcp.Resource{URI: k.URI, Name: k.name, Description: k.description, MIMEType: "text/markdown",
		Size: int64(k.Resources[0].Size)}
}
