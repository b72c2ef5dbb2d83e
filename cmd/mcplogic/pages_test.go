package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// This file defines the test of the commands that the pages show.
//
// A line "$ COMMAND" of a block is run, and the lines below it are what it prints. A line that begins with mcplogic, or
// with go run ./cmd/mcplogic, is run and has to be right usage. A block of Prolog that begins with "% NAME.pl" is that
// file, and so is a comment "<!-- file NAME". Before a block that cannot be run stands "<!-- not run: REASON -->": then
// its flags are looked at alone. Other lines name no places. Pages have a folder each, with a copy of the examples in
// it.

// page is a page while its commands run.
type page struct {
	t    *testing.T
	name string
	// skip is the reason not to run the next block.
	skip string
}

// TestPages runs the commands of the pages. With -update the pages get what the commands print.
func TestPages(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	for _, name := range pageNames(t) {
		rel, err := filepath.Rel(root, name)
		require.NoError(t, err)
		t.Run(filepath.ToSlash(rel), func(t *testing.T) {
			text := readPage(t, name)
			t.Chdir(t.TempDir())
			require.NoError(t, os.CopyFS("examples", os.DirFS(filepath.Join(root, "examples"))))
			p := &page{t: t, name: filepath.ToSlash(rel)}
			if got := p.read(text); *update && got != text {
				require.NoError(t, os.WriteFile(name, []byte(got), 0o666))
			}
		})
	}
}

// pageNames returns the absolute names of the pages.
func pageNames(t *testing.T) (names []string) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*/README.md", "editors/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found)
		names = append(names, found...)
	}
	return names
}

func readPage(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

// TestPageLinks follows the links of the pages to other files and to headings. Each page of the manual is linked to.
func TestPageLinks(t *testing.T) {
	linked := map[string]bool{}
	for _, name := range pageNames(t) {
		text := readPage(t, name)
		for _, m := range pageLink.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			to := name
			if target != "" {
				to = filepath.Join(filepath.Dir(name), target)
			}
			linked[to] = linked[to] || to != name
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			} else if anchor != "" && !slices.Contains(anchors(readPage(t, to)), anchor) {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
	for _, name := range pageNames(t) {
		if strings.Contains(filepath.ToSlash(name), "/docs/") && !linked[name] {
			t.Errorf("no page links to %s", name)
		}
	}
}

var (
	pageLink = regexp.MustCompile(`\]\(([^)\s:]+)\)`)
	fenced   = regexp.MustCompile("(?ms)^```.*?^```$")
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	setMark  = regexp.MustCompile(`<a (?:id|name)="([^"]+)">`)
	noAnchor = regexp.MustCompile(`[^\pL\pN _-]`)
)

// anchors returns the names by which links mean headings of a page, and the marks that it sets itself.
func anchors(text string) (names []string) {
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		name := strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
		if slices.Contains(names, name) {
			name += "-1"
		}
		names = append(names, name)
	}
	for _, m := range setMark.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// longest is how many words a page has at the most, without its programs and outputs. Nobody reads the pages in tables
// from their beginning to their end.
const longest = 1500

var inTables = []string{"builtins.md", "diagnostics.md", "differences.md", "seeds.md", "CHANGELOG.md"}

// TestPageLengths wants pages that are read in one go.
func TestPageLengths(t *testing.T) {
	for _, name := range pageNames(t) {
		text := fenced.ReplaceAllString(readPage(t, name), "")
		words := slices.DeleteFunc(strings.Fields(text), func(w string) bool {
			return !strings.ContainsFunc(w, unicode.IsLetter)
		})
		if len(words) > longest && !slices.Contains(inTables, filepath.Base(name)) {
			t.Errorf("%s has %d words; a page has %d at the most", name, len(words), longest)
		}
	}
}

// sourceFile is a file of this repository in a page, with or without the folders it stands in.
var sourceFile = regexp.MustCompile("`([a-z_/]+\\.(?:go|pl))`")

// TestNamedFiles wants the files and tests that the pages on the implementation name.
func TestNamedFiles(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	files, texts := []string{}, strings.Builder{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		files = append(files, filepath.ToSlash(path))
		if err == nil && strings.HasSuffix(path, "_test.go") {
			texts.WriteString(readPage(t, path))
		}
		return err
	}))
	pages, err := filepath.Glob(filepath.Join(root, "docs/implementation/*.md"))
	require.NoError(t, err)
	for _, name := range append(pages, filepath.Join(root, "docs/implementation.md")) {
		text := readPage(t, name)
		for _, m := range sourceFile.FindAllStringSubmatch(text, -1) {
			if !slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, "/"+m[1]) }) {
				t.Errorf("%s names %s, which is not there", name, m[1])
			}
		}
		for _, m := range namedTest.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(texts.String(), "func "+m[1]+"(") {
				t.Errorf("%s names %s, which is no test", name, m[1])
			}
		}
	}
}

var namedTest = regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z]+)`")

// TestHelpExamples looks at the flags and arguments of the examples in the help of each command.
func TestHelpExamples(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		for line := range strings.Lines(cmd.Example) {
			_, command, _ := strings.Cut(line, "mcplogic ")
			p := &page{t: t, name: cmd.Name()}
			used, args := p.checkFlags(parseCommand("mcplogic "+strings.TrimSpace(command)), line)
			require.NoError(t, used.ValidateArgs(args), line)
		}
	}
}

// The marks of a page, and the places that messages name.
var (
	ownFile  = regexp.MustCompile(`^% (\S+\.pl)$`)
	pageFile = regexp.MustCompile(`^<!-- file (\S+)$`)
	notRun   = regexp.MustCompile(`^<!-- not run: (.+) -->$`)
	place    = regexp.MustCompile(`\.(pl|plt|csv):\d`)

	quotedCommand = regexp.MustCompile("`(mcplogic [a-z]+[^`]*)`")
)

// read goes through a page and returns it with what its commands print.
func (p *page) read(text string) string {
	lines := strings.Split(text, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		end := map[bool]string{true: "```", false: "-->"}[strings.HasPrefix(line, "```")]
		if m := notRun.FindStringSubmatch(line); m != nil {
			p.skip = m[1]
		} else if m := pageFile.FindStringSubmatch(line); m != nil || end == "```" {
			size := slices.Index(lines[i+1:], end)
			require.GreaterOrEqual(p.t, size, 0, "%s:%d: nothing ends this", p.name, i+1)
			body := lines[i+1 : i+1+size]
			i += size + 1
			out = append(out, line)
			switch line {
			case "```":
				body = p.block(body, i-size+1)
				p.skip = ""
			case "```prolog":
				if m := ownFile.FindStringSubmatch(body[0]); m != nil {
					p.save(m[1], body)
				}
			default:
				if m != nil {
					p.save(m[1], body)
				}
			}
			out = append(out, append(body, end)...)
			continue
		}
		require.False(p.t, place.MatchString(line), "%s:%d: no command prints this", p.name, i+1)
		for _, m := range quotedCommand.FindAllStringSubmatch(line, -1) {
			p.checkFlags(parseCommand(m[1]), fmt.Sprintf("%s:%d", p.name, i+1))
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// save writes a file of the page.
func (p *page) save(name string, lines []string) {
	require.NoError(p.t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(p.t, os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o666))
}

// block runs the commands of a block and returns it with what they print. A block without commands names no place.
func (p *page) block(lines []string, at int) (out []string) {
	for i := 0; i < len(lines); {
		line, shows := strings.CutPrefix(lines[i], "$ ")
		first := i
		for i++; strings.HasSuffix(line, `\`) && i < len(lines); i++ {
			line = strings.TrimSuffix(line, `\`) + strings.TrimSpace(lines[i])
		}
		out = append(out, lines[first:i]...)
		where := fmt.Sprintf("%s:%d", p.name, at+first+1)
		switch c := parseCommand(line); {
		case !shows && !c.own:
			// Other tests run the blocks of these.
			free := p.skip != "" || p.name == "docs/embedding.md" || p.name == "docs/diagnostics.md"
			require.True(p.t, free || !place.MatchString(line), "%s: no command prints this", where)
		case p.skip != "" || !shows && p.name == "docs/diagnostics.md": // whose examples are mistakes
			if c.own {
				cmd, args := p.checkFlags(c, where)
				require.NoError(p.t, cmd.ValidateArgs(args), where)
			}
		default:
			printed := p.run(c, where)
			if !shows {
				break
			}
			want := lines[i:]
			if next := slices.IndexFunc(want, func(l string) bool { return strings.HasPrefix(l, "$ ") }); next >= 0 {
				want = want[:next]
			}
			i += len(want)
			if !*update {
				require.Equal(p.t, strings.Join(want, "\n"), printed, "%s: %s", where, line)
			}
			if printed != "" {
				out = append(out, strings.Split(printed, "\n")...)
			}
		}
	}
	return out
}

// shownCommand is a command line of a page. own says that it runs mcplogic.
type shownCommand struct {
	env, args     []string
	own           bool
	stdin, stdout string
}

// shownWord is a word of a command line, with what stands behind it.
var shownWord = regexp.MustCompile(`^((?:"[^"]*"|'[^']*'|[^ "'])+)( *)`)

// parseCommand reads a command line as a shell does. Two blanks, #, | and && end it: what stands behind is for the
// reader.
func parseCommand(line string) (c shownCommand) {
	to := ""
	for more := true; more && line != ""; {
		m := shownWord.FindStringSubmatch(line)
		if m == nil || strings.Contains(" # | && ", " "+m[1]+" ") {
			break
		}
		word := strings.NewReplacer(`"`, "", "'", "").Replace(m[1])
		switch {
		case to == "<":
			c.stdin, to = word, ""
		case to == ">":
			c.stdout, to = word, ""
		case m[1] == "<" || m[1] == ">":
			to = m[1]
		case len(c.args) == 0 && strings.Contains(m[1], "="):
			c.env = append(c.env, word)
		default:
			c.args = append(c.args, word)
		}
		more, line = len(m[2]) < 2, line[len(m[0]):]
	}
	if len(c.args) > 3 && slices.Equal(c.args[:3], []string{"go", "run", "./cmd/mcplogic"}) {
		c.args = append([]string{"mcplogic"}, c.args[3:]...)
	}
	c.own = len(c.args) > 0 && c.args[0] == "mcplogic"
	return c
}

// checkFlags wants a command and flags that there are. It returns the command with the arguments that are left.
func (p *page) checkFlags(c shownCommand, where string) (*cobra.Command, []string) {
	root := newRoot()
	root.InitDefaultCompletionCmd()
	cmd, rest, err := root.Find(c.args[1:])
	require.NoError(p.t, err, where)
	// A page may speak of a flag without its argument.
	if err := cmd.ParseFlags(rest); err == nil || !strings.HasPrefix(err.Error(), "flag needs an argument") {
		require.NoError(p.t, err, where)
	}
	return cmd, cmd.Flags().Args()
}

// run runs a command of the page and returns what it prints on both streams. A server is stopped once it serves.
func (p *page) run(c shownCommand, where string) (printed string) {
	var in []byte
	if c.stdin != "" {
		var err error
		in, err = os.ReadFile(c.stdin)
		require.NoError(p.t, err, where)
	}
	for _, one := range c.env {
		name, value, _ := strings.Cut(one, "=")
		p.t.Setenv(name, value)
	}
	switch {
	case c.args[0] == "sqlite3":
		p.makeDatabase(c.args[1], string(in))
	case !c.own:
		program, err := exec.LookPath(c.args[0])
		if err != nil {
			deep.Missing(p.t, "a command of "+p.name, "there is no "+c.args[0])
		}
		out, err := exec.CommandContext(p.t.Context(), program, c.args[1:]...).Output()
		require.NoError(p.t, err, where)
		printed = string(out)
	case slices.Contains(c.args, "--http"):
		printed = p.serve(c.args[2:])
	default:
		var out bytes.Buffer
		code := execute(p.t.Context(), c.args[1:], bytes.NewReader(in), &out, &out)
		printed = out.String()
		require.NotEqual(p.t, cli.ExitUsage, code, "%s: %s", where, printed)
	}
	if c.stdout != "" {
		require.NoError(p.t, os.WriteFile(c.stdout, []byte(printed), 0o666))
		return ""
	}
	return strings.TrimSuffix(printed, "\n")
}

// servedPort is the port of a server on this machine.
var servedPort = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// serve runs a server on any free port until it says where it serves, and shows the port that the page has.
func (p *page) serve(args []string) string {
	at := slices.Index(args, "--http")
	s := serveHTTPIn(p.t, append([]string{"0"}, slices.Delete(slices.Clone(args), at, at+2)...)...)
	s.stop()
	require.Equal(p.t, cli.ExitDone, <-s.code)
	return servedPort.ReplaceAllString(s.stderr.String(), "127.0.0.1:"+strings.TrimPrefix(args[at+1], ":"))
}

// makeDatabase does for a page what sqlite3 does.
func (p *page) makeDatabase(file, script string) {
	if !slices.Contains(sql.Drivers(), "sqlite") {
		deep.Missing(p.t, "tables of SQLite", "go run ./tools/testall -tags=sqlite tests them")
	}
	db, err := sql.Open("sqlite", file)
	require.NoError(p.t, err)
	defer db.Close()
	_, err = db.Exec(script)
	require.NoError(p.t, err)
}
