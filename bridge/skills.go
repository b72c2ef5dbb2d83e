package bridge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/skill"
	"github.com/mcplogic/mcplogic/bridge/internal/workbench"
	"github.com/mcplogic/mcplogic/internal/spell"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file defines skills, the extension by which a server hands out texts on how to do things with it: the texts in
// the folder skills beside the rules, and one that is made of what the knowledge base offers.

const extensionSkills = "io.modelcontextprotocol/skills"

// readSkills reads the skills of the folders. Of several skills with the same URI it takes the first. A workbench adds
// its own. The folders are in fsys, or on the machine if it is nil.
func (s *Server) readSkills(fsys fs.FS) (list []*skill.Skill) {
	add := func(k *skill.Skill) {
		if !slices.ContainsFunc(list, func(other *skill.Skill) bool { return other.URI == k.URI }) {
			list = append(list, k)
		}
	}
	for _, name := range s.opts.Folders {
		folder, err := fs.FS(nil), error(nil)
		if fsys != nil {
			folder, err = fs.Sub(fsys, path.Clean(filepath.ToSlash(name)))
		} else if root, opened := os.OpenRoot(name); opened == nil {
			defer root.Close()
			folder = root.FS()
		}
		if folder == nil || err != nil {
			continue // a file, or none
		}
		for _, k := range skill.ReadFolder(folder, s.opts.Log) {
			add(k)
		}
	}
	if s.opts.Workbench != nil {
		add(workbench.Guide())
	}
	return list
}

// allSkills are the skills of the folders and the one that is made of the declarations, unless a folder has one of that
// name.
func (s *Server) allSkills() []*skill.Skill {
	list := slices.Clone(s.current.Load().Skills)
	own := s.ownSkill()
	if own != nil && !slices.ContainsFunc(list, func(k *skill.Skill) bool { return k.URI == own.URI }) {
		list = append(list, own)
	}
	return list
}

// ownSkill is the generated skill on using the knowledge base. It is nil if the server generates no texts.
func (s *Server) ownSkill() *skill.Skill {
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
	k, err := skill.New(name, map[string][]byte{skill.FileName: file})
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
		ResultType string         `json:"resultType"`
		Skills     []*skill.Skill `json:"skills"`
		TTL        int            `json:"ttlMs"`
		Scope      string         `json:"cacheScope"`
	}
	skillGetParams struct {
		mcp.ParamsBase
		URI string `json:"uri"`
	}
	skillGetResult struct {
		mcp.ResultBase
		ResultType string       `json:"resultType"`
		Skill      *skill.Skill `json:"skill"`
		TTL        int          `json:"ttlMs"`
		Scope      string       `json:"cacheScope"`
	}
)

// addSkills adds the methods of the extension.
func (s *Server) addSkills() {
	err := mcp.AddReceivingCustomMethod(s.mcp, "skills/list",
		func(_ context.Context, _ *mcp.ServerSession, p *skillListParams) (*skillListResult, error) {
			if p.Cursor != "" {
				return nil, refusal.InvalidParams("the cursor is none of this server: all skills are on the first page")
			}
			return &skillListResult{ResultType: "complete", Skills: append([]*skill.Skill{}, s.allSkills()...),
				Scope: items.ScopePublic}, nil
		})
	err = errors.Join(err, mcp.AddReceivingCustomMethod(s.mcp, "skills/get",
		func(_ context.Context, _ *mcp.ServerSession, p *skillGetParams) (*skillGetResult, error) {
			var uris []string
			for _, k := range s.allSkills() {
				if k.URI == p.URI {
					return &skillGetResult{ResultType: "complete", Skill: k, Scope: items.ScopePublic}, nil
				}
				uris = append(uris, k.URI)
			}
			return nil, refusal.InvalidParams("there is no skill %q%s; skills/list names those there are", p.URI,
				spell.Hint(p.URI, uris))
		}))
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: skillTemplate, Name: "skills"}, s.readSkill)
	if err != nil {
		panic("bridge: " + err.Error()) // the methods are no standard ones
	}
}

// skillTemplate is the template under which the SDK finds the files of skills.
const skillTemplate = skill.Scheme + "{+path}"

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
				result := &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{r.Contents()}}
				if requestOf(req) != nil {
					result.CacheScope = items.ScopePublic
				}
				return result, nil
			}
		}
	}
	return nil, refusal.NotFound(calls.NewRequest(req, "", nil).Version, req.Params.URI)
}
