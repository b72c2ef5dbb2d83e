package bridge

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// skillFolder writes a folder with skills, by the paths of their files.
func skillFolder(t *testing.T, files map[string]string) string {
	folder := t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, "skills", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return folder
}

// Rules that are inside of the binary have their skills there.
func TestSkillsInside(t *testing.T) {
	files := fstest.MapFS{"rules/a.pl": {Data: []byte(manyText)}, "rules/skills/cook/SKILL.md": {Data: []byte(
		"---\nname: cook\ndescription: How to cook.\n---\nText.\n")}, "rules/skills/cook/times.csv": {Data: []byte("a,1\n")}}
	snapshot, err := kb.Load(t.Context(), []string{"rules"}, &kb.Options{FS: files, Predicates: Predicates()})
	require.NoError(t, err)
	s := NewServer(snapshot, &Options{Folders: []string{"./rules/", "rules/a.pl", "none", "../up"}})
	defer s.Close()
	require.Len(t, s.allSkills(), 1)
	read, err := connect(t, s, "2025-11-25", nil).ReadResource(t.Context(),
		&mcp.ReadResourceParams{URI: "skill://cook/times.csv"})
	require.NoError(t, err)
	require.Equal(t, "a,1\n", read.Contents[0].Text)
}

// Skills of the folder are listed with all their files and read as resources; what is wrong with one leaves it out.
func TestSkills(t *testing.T) {
	const head = "---\nname: cook\ndescription: 'How to cook: slowly.'\n---\nText.\n"
	folder := skillFolder(t, map[string]string{"cook/SKILL.md": head, "cook/data/times.csv": "a,1\n", "cook/.hidden": "x",
		"cook/blob": "\xff\xfe", "Bad/SKILL.md": "---\nname: Bad\ndescription: x\n---\n", "none/SKILL.md": "Text.\n",
		"other/SKILL.md": head, "empty/x.md": "x", "odd/SKILL.md": "---\nname: odd\ndescription: {a: 1}\n---\n"})
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(folder, "skills", "cook", "link")))
	s := NewServer(loadText(t, manyText), &Options{Name: "My Numbers!", Instruct: true, Folders: []string{folder}})
	for _, version := range []string{"2025-06-18", wire.VersionStateless} {
		cs := connect(t, s, version, nil)
		list := s.allSkills()
		require.Len(t, list, 2)
		require.Equal(t, "skill://cook/SKILL.md", list[0].URI)
		require.JSONEq(t, `{"name": "cook", "description": "How to cook: slowly."}`, jsonOf(t, list[0].Frontmatter))
		var uris []string
		for _, r := range list[0].Resources {
			uris = append(uris, r.URI)
			read, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
			require.NoError(t, err)
			require.Equal(t, r.Size, len(read.Contents[0].Text)+len(read.Contents[0].Blob))
		}
		require.Equal(t, []string{"skill://cook/SKILL.md", "skill://cook/blob", "skill://cook/data/times.csv"}, uris)
		require.Equal(t, "skill://my-numbers/SKILL.md", list[1].URI)
		require.Contains(t, list[1].Resources[0].Contents().Text, "- upto: Numbers.")
		_, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://cook/link"})
		require.Error(t, err)
		_, err = cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://cook/../../secret"})
		require.Error(t, err)
		resources, err := cs.ListResources(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, "cook", resources.Resources[0].Name)
	}
	raw, err := json.Marshal(s.allSkills()[0])
	require.NoError(t, err)
	require.Contains(t, string(raw), `"digest":"sha256:`)
}
