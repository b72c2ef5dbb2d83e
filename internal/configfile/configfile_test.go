package configfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// entry is the entry that the tests set.
var entry = []Member{{"command", "/bin/mcplogic"}, {"args", []string{"serve"}}}

// TestSetJSON adds an entry to texts of all shapes, and changes one. All other text stays, comments included.
func TestSetJSON(t *testing.T) {
	const one = `{"command": "/bin/mcplogic", "args": ["serve"]}`
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", `{
  "s": {
    "kb": {
      "command": "/bin/mcplogic",
      "args": [
        "serve"
      ]
    }
  }
}
`},
		{"a comment alone", "// mine", "// mine\n{\n  \"s\": " + entryIn("  ") + "\n}\n"},
		{"no members", "{}\n", "{\n  \"s\": " + entryIn("  ") + "\n}\n"},
		{"a comment inside", "{\n  // none yet\n}", "{\n  // none yet\n  \"s\": " + entryIn("  ") + "\n}"},
		{"others", "{\n    \"a\": 1.50\n}\n", "{\n    \"a\": 1.50,\n    \"s\": " +
			strings.ReplaceAll(entryIn("  "), "  ", "    ") + "\n}\n"},
		{"comments of others", "{\n  \"a\": 1 // one\n  // end\n}",
			"{\n  \"a\": 1, // one\n  \"s\": " + entryIn("  ") + "\n  // end\n}"},
		{"a comma at the end", "{\n  \"a\": 1, /* one */\n}", "{\n  \"a\": 1, /* one */\n  \"s\": " + entryIn("  ") + ",\n}"},
		{"an entry with more", "{\"s\": {\"kb\": {\"command\": \"/old\", \"env\": {\"A\": \"B\"}, \"args\": [\"serve\"]}}}",
			"{\"s\": {\"kb\": {\"command\": \"/bin/mcplogic\", \"env\": {\"A\": \"B\"}, \"args\": [\"serve\"]}}}"},
		{"already", `{"s": {"kb": ` + one + `}, "x": [1, /* two */ 2,], }`,
			`{"s": {"kb": ` + one + `}, "x": [1, /* two */ 2,], }`},
		{"the last of two counts", "{\"s\": {}, \"s\": {\"kb\": {\"command\": \"/bin/mcplogic\", \"args\": []}}}",
			"{\"s\": {}, \"s\": {\"kb\": {\"command\": \"/bin/mcplogic\", \"args\": [\n  \"serve\"\n]}}}"},
		{"a byte order mark", "\ufeff{}", "\ufeff{\n  \"s\": " + entryIn("  ") + "\n}"},
		{"line ends of Windows", "{\r\n  \"a\": \"//\"\r\n}\r\n",
			"{\r\n  \"a\": \"//\",\r\n  \"s\": " + strings.ReplaceAll(entryIn("  "), "\n", "\r\n") + "\r\n}\r\n"},
	} {
		got, err := JSON(test.text).Set([]string{"s", "kb"}, entry)
		require.NoError(t, err, test.name)
		require.Equal(t, test.want, string(got), test.name)
		again, err := JSON(got).Set([]string{"s", "kb"}, entry)
		require.NoError(t, err, test.name)
		require.Equal(t, string(got), string(again), "%s: a second time", test.name)
		command, err := JSON(got).Get([]string{"s", "kb"}, "command")
		require.NoError(t, err, test.name)
		require.Equal(t, "/bin/mcplogic", command, test.name)
	}
}

// entryIn returns the object of the entry, in lines with some indentation.
func entryIn(indent string) string {
	return strings.ReplaceAll(`{
>  "kb": {
>    "command": "/bin/mcplogic",
>    "args": [
>      "serve"
>    ]
>  }
>}`, ">", indent)
}

// TestRemove removes an entry from texts of all shapes. All other text stays, comments included.
func TestRemove(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"{}", "{}"},
		{`{"s": {"a": 1}}`, `{"s": {"a": 1}}`},
		{`{"s": {"kb": 1}}`, `{"s": {}}`},
		{`{"s": {"kb": 1,}}`, `{"s": {}}`},
		{`{"s": {"a": 1, "kb": {"x": [2]}}, "b": 3}`, `{"s": {"a": 1 }, "b": 3}`},
		{`{"s": {"kb": 1, "a": 1}}`, `{"s": { "a": 1}}`},
		{`{"s": {"kb": 1, "a": 1, "kb": 2}}`, `{"s": { "a": 1 }}`},
		{"{\n  \"s\": {\n    \"a\": 1,\n    \"kb\": 2\n  }\n}\n", "{\n  \"s\": {\n    \"a\": 1\n  }\n}\n"},
		{"{\"s\": { // mine\r\n  \"kb\": 2, // ours\r\n  // yours\r\n  \"a\": 1\r\n}}",
			"{\"s\": { // mine\r\n   // ours\r\n  // yours\r\n  \"a\": 1\r\n}}"},
	} {
		got, err := JSON(test.text).Remove([]string{"s", "kb"})
		require.NoError(t, err, test.text)
		require.Equal(t, test.want, string(got), test.text)
	}
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"[s.a]\nx = 1\n", "[s.a]\nx = 1\n"},
		{"[s.a]\nx = 1\n\n[s.kb]\ny = \"\"\"\n[s.a]\n\"\"\"\n[s.kb.env]\nZ = 1\n[b] # b\n", "[s.a]\nx = 1\n\n[b] # b\n"},
		{"[s.kb]\r\ny = 1\r\n[b]\r\n  [s.'kb'.env]\r\nz = 1", "[b]\r\n"},
	} {
		got, err := TOML(test.text).Remove([]string{"s", "kb"})
		require.NoError(t, err, test.text)
		require.Equal(t, test.want, string(got), test.text)
	}
	_, err := TOML("s = { kb = { y = 1 } }").Remove([]string{"s", "kb"})
	require.ErrorContains(t, err, "written in a way that cannot be changed")
	_, err = JSON("[1]").Remove([]string{"s", "kb"})
	require.NoError(t, err)
}

// TestNotJSON checks the places of mistakes.
func TestNotJSON(t *testing.T) {
	for text, want := range map[string]string{
		"[]":                                    "the file holds no JSON object",
		`{"s": 1}`:                              "s is not an object",
		`{"s": {"kb": ""}}`:                     "s.kb is not an object",
		"{\n  \"a\": }":                         "not JSON: line 2, column 8: invalid character '}' at start of value",
		"{\"a\": 1 \"b\"":                       "line 1, column 9: invalid character '\"' after object value",
		"{a: 1}":                                "invalid literal: a",
		"{\"a\" 1}":                             "invalid character '1' after object name",
		"{\"a\": \"x\n\"}":                      "invalid literal",
		"{\"a\": \"\\q\"}":                      "invalid literal",
		"{} x":                                  "invalid character 'x' after top-level value",
		"{":                                     "unexpected EOF",
		"{,}":                                   "invalid character ','",
		"/* x":                                  "parsing comment: unexpected EOF",
		"{\"a\": 01}":                           "invalid literal: 01",
		"\xff":                                  "not UTF-8",
		"hello":                                 "line 1, column 1: invalid literal: hello",
		strings.Repeat("[", maxBrackets):        "unexpected EOF",
		strings.Repeat("[", maxBrackets) + "{}": "more than 500000",
	} {
		_, err := JSON(text).Set([]string{"s", "kb"}, entry)
		require.ErrorContains(t, err, want, "%.40s", text)
	}
}

// TestSetTOML adds a table and changes one.
func TestSetTOML(t *testing.T) {
	const added = "[s.kb]\ncommand = \"/bin/mcplogic\"\nargs = [\"serve\"]\n"
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", added},
		{"others", "# mine\na = 1\n[s.other]\ncommand = 'x'", "# mine\na = 1\n[s.other]\ncommand = 'x'\n\n" + added},
		{"a table with more", "[s.kb] # ours\nenv = { A = \"B\" }\ncommand = '/old' # here\n" +
			"args = [\n  \"a\", # one\n  \"]\",\n]\n[z]\n",
			"[s.kb] # ours\nenv = { A = \"B\" }\ncommand = \"/bin/mcplogic\" # here\nargs = [\"serve\"]\n[z]\n"},
		{"a key that is missing", "[s.kb]\ncommand = \"/bin/mcplogic\"",
			"[s.kb]\nargs = [\"serve\"]\ncommand = \"/bin/mcplogic\""},
		{"strings that look like tables", "a = '''\n[s.kb]\n'''\nb = \"\"\"\n\\\"\"\"[s.kb]\"\"\"\"\n",
			"a = '''\n[s.kb]\n'''\nb = \"\"\"\n\\\"\"\"[s.kb]\"\"\"\"\n\n" + added},
		{"a table within", "[s.kb.env]\nA = \"B\"\n", "[s.kb.env]\nA = \"B\"\n\n" + added},
		{"a quoted name", "[\"s\" . 'kb']\nargs = []\n",
			"[\"s\" . 'kb']\ncommand = \"/bin/mcplogic\"\nargs = [\"serve\"]\n"},
		{"line ends of Windows", "a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(added, "\n", "\r\n")},
	} {
		got, err := TOML(test.text).Set([]string{"s", "kb"}, entry)
		require.NoError(t, err, test.name)
		require.Equal(t, test.want, string(got), test.name)
		again, err := TOML(got).Set([]string{"s", "kb"}, entry)
		require.NoError(t, err, test.name)
		require.Equal(t, string(got), string(again), "%s: a second time", test.name)
		command, err := TOML(got).Get([]string{"s", "kb"}, "command")
		require.NoError(t, err, test.name)
		require.Equal(t, "/bin/mcplogic", command, test.name)
	}
	got, err := TOML("").Set([]string{"s", "a b.é"}, entry[:1])
	require.NoError(t, err)
	require.Equal(t, "[s.\"a b.é\"]\ncommand = \"/bin/mcplogic\"\n", string(got))
}

// TestNotTOML checks that texts which cannot be changed are refused.
func TestNotTOML(t *testing.T) {
	for text, want := range map[string]string{
		"s = {}":                     "s.kb is written in a way",
		"[s]\nkb = { command = '' }": "s.kb is written in a way",
		"s.kb.command = ''":          "s.kb is written in a way",
		"[[s]]\n":                    "s.kb is written in a way",
		"{}":                         "not TOML: line 1, column 1: invalid character at start of key",
		"\n\na":                      "not TOML: line 3, column 1: expected '=' after key",
		"a =\n":                      "at start of value",
		"a = \"x\n":                  "strings cannot have new lines",
		"a = [1,\n":                  "array is incomplete",
		"[a\n":                       "expected ']' to close table name",
		"[a] b = 1":                  "expected newline",
		"a = 1\na = 2":               "line 2, column 1: key a is already defined",
		"\xff":                       "not UTF-8",
		"a = " + strings.Repeat("[", maxBrackets): "nested more than",
	} {
		_, err := TOML(text).Set([]string{"s", "kb"}, entry)
		require.ErrorContains(t, err, want, "%.40s", text)
	}
}

// TestReplace checks that a copy of the old text, the mode and the link are kept, and that no other files remain.
func TestReplace(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	path := filepath.Join(dir, "sub", "a.json")
	f, err := Open(path)
	require.NoError(t, err)
	backup, err := f.Replace([]byte("one"))
	require.NoError(t, err)
	require.Empty(t, backup)

	require.NoError(t, os.Chmod(path, 0o600))
	link := filepath.Join(dir, "link.json")
	require.NoError(t, os.Symlink(path, link))
	for i, text := range []string{"two", "three"} {
		f, err = Open(link)
		require.NoError(t, err)
		backup, err = f.Replace([]byte(text))
		require.NoError(t, err)
		require.Equal(t, path+".bak", backup)
		old, err := os.ReadFile(backup)
		require.NoError(t, err)
		require.Equal(t, []string{"one", "two"}[i], string(old))
	}
	for _, name := range []string{path, backup} {
		info, err := os.Lstat(name)
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o600), info.Mode())
	}
	_, err = os.Readlink(link)
	require.NoError(t, err)
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 2)
}

// TestNotReplaced checks that a file is not changed if it is not writable, has changed, or is no regular file.
func TestNotReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o666))
	f, err := Open(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte("newer"), 0o666))
	_, err = f.Replace([]byte("mine"))
	require.ErrorContains(t, err, "another program has changed")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "newer", string(text))

	require.NoError(t, os.Chmod(path, 0o444))
	f, err = Open(path)
	require.NoError(t, err)
	_, err = f.Replace([]byte("mine"))
	require.ErrorIs(t, err, fs.ErrPermission)

	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(filepath.Join(dir, "nowhere"), link))
	_, err = Open(link)
	require.ErrorContains(t, err, "is a link to nowhere")
	_, err = Open(dir)
	require.ErrorContains(t, err, "is not a file")
	f, err = Open(filepath.Join(path, "b.json"))
	if err == nil {
		_, err = f.Replace(nil)
	}
	require.Error(t, err)
}
