package kb

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// sandboxDirs are the folders of a sandbox test: a program that may read the folder read and change the folder write.
type sandboxDirs struct {
	program, read, write, outside string
	loaded                        *engine.Program
}

func newSandboxDirs(t *testing.T) sandboxDirs {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	d := sandboxDirs{}
	for name, at := range map[string]*string{"program": &d.program, "read": &d.read, "write": &d.write,
		"outside": &d.outside} {
		*at = filepath.Join(top, name)
		require.NoError(t, os.Mkdir(*at, 0o700))
	}
	for name, text := range map[string]string{"program/p.pl": "p.\n", "read/data": "abc", "outside/secret": "xyz",
		"outside/folder/x": ""} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
	}
	for link, target := range map[string]string{"read/out": d.outside, "read/inside": "data"} {
		require.NoError(t, os.Symlink(target, filepath.Join(top, link)))
	}
	snapshot, err := Load(t.Context(), []string{d.program},
		&Options{AllowRead: []string{d.read}, AllowWrite: []string{d.write}})
	report := snapshot.Report(err)
	require.Empty(t, report)
	d.loaded = snapshot.Program
	d.refill(t)
	return d
}

// refill restores the folder write to its state at the start of a case.
func (d sandboxDirs) refill(t *testing.T) {
	t.Helper()
	require.NoError(t, os.RemoveAll(d.write))
	require.NoError(t, os.Mkdir(d.write, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(d.write, "old"), []byte("1"), 0o600))
	require.NoError(t, os.Symlink(d.outside, filepath.Join(d.write, "out")))
	require.NoError(t, os.Symlink(filepath.Join(d.outside, "secret"), filepath.Join(d.write, "file")))
}

// run runs a goal once, in which OUT, READ, WRITE and PROGRAM stand for the folders. It returns the output with the
// first argument of the error term, or fail.
func (d sandboxDirs) run(t *testing.T, goal string) string {
	t.Helper()
	names := []string{"OUT", d.outside, "READ", d.read, "WRITE", d.write, "PROGRAM", d.program}
	goal = strings.NewReplacer(names...).Replace(goal)
	var out bytes.Buffer
	goal = "catch((" + goal + "), error(Formal, _), print(Formal)) -> true ; write(fail)"
	for _, err := range d.loaded.Query(t.Context(), goal, &engine.RunOptions{Output: &out}) {
		require.NoError(t, err)
		break
	}
	for i := 0; i < len(names); i += 2 {
		names[i], names[i+1] = names[i+1], names[i]
	}
	return strings.NewReplacer(names...).Replace(out.String())
}

// TestSandboxFolders looks at files and folders and changes them from goals. Nothing outside of the folders is seen or
// changed, by whatever path.
func TestSandboxFolders(t *testing.T) {
	d := newSandboxDirs(t)
	for _, tt := range []struct{ goal, want string }{
		{`exists_directory('READ')`, ``},
		{`exists_directory('OUT')`, `fail`},
		{`exists_directory('READ/out')`, `fail`},
		{`exists_directory('READ/../outside')`, `fail`},
		{`exists_directory('WRITE')`, `fail`},
		{`exists_file('READ/inside')`, ``},
		{`exists_file('READ/out/secret')`, `fail`},
		{`directory_files('READ', L), print(L)`, `['.',..,data,inside,out]`},
		{`directory_files('OUT', L)`, `permission_error(access,directory,'OUT')`},
		{`directory_files('READ/out', L)`, `permission_error(access,directory,'READ/out')`},
		{`directory_files('READ/no', L)`, `existence_error(file,'READ/no')`},
		{`size_file('READ/data', N), print(N)`, `3`},
		{`size_file('OUT/secret', N)`, `permission_error(size,file,'OUT/secret')`},
		{`size_file('OUT/none', N)`, `permission_error(size,file,'OUT/none')`},
		{`size_file('READ/out/secret', N)`, `permission_error(size,file,'READ/out/secret')`},
		{`time_file('OUT/secret', N)`, `permission_error(time,file,'OUT/secret')`},
		{`access_file('OUT/secret', exist)`, `fail`},
		{`access_file('WRITE/file', write)`, `fail`},
		{`access_file('WRITE/old', write), access_file('WRITE/new', write)`, ``},
		{`access_file('READ/data', write)`, `fail`},
		{`access_file('WRITE/out/x', write)`, `fail`},
		{`same_file('READ/data', 'READ/inside')`, ``},
		{`same_file('READ/out/secret', 'OUT/secret')`, `fail`},
		{`read_link('READ/inside', L, T), print(L-T)`, `data-'READ/data'`},
		{`read_link('READ/out', L, T)`, `fail`},
		{`expand_file_name('READ/*', L), print(L)`, `['READ/data','READ/inside']`},
		{`expand_file_name('READ/.*/*', L), forall(member(X, L), \+ sub_atom(X, _, _, _, secret)),
			\+ memberchk('READ/../outside', L)`, ``},
		{`expand_file_name('OUT/*', L), print(L)`, `[]`},
		{`expand_file_name('READ/{data,x}', L), print(L)`, `['READ/data']`},
		{`expand_file_name('READ/[', L)`, `syntax_error('Unmatched \'[\'')`},
		{`working_directory(D, D), print(D)`, `'READ/'`},
		{`working_directory(_, 'READ'), working_directory(D, D), print(D), open(data, read, S), get_char(S, C), print(C)`,
			`'READ/'a`},
		{`working_directory(_, 'OUT')`, `permission_error(chdir,directory,'OUT')`},
		{`working_directory(_, 'READ'), working_directory(_, '../outside')`,
			`permission_error(chdir,directory,'../outside')`},
		{`working_directory(_, 'READ'), open('../outside/secret', read, _)`,
			`permission_error(open,source_sink,'../outside/secret')`},
		{`chdir('READ/data')`, `existence_error(directory,'READ/data')`},
		{`chdir('READ'), absolute_file_name(x, F), print(F)`, `'READ/x'`},
		{`make_directory('WRITE/d'), make_directory('WRITE/d/e'), delete_directory('WRITE/d')`,
			`permission_error(delete,directory,'WRITE/d')`},
		{`make_directory('WRITE/d'), delete_directory('WRITE/d'), delete_directory('WRITE/d')`,
			`existence_error(directory,'WRITE/d')`},
		{`make_directory('READ/d')`, `permission_error(create,directory,'READ/d')`},
		{`make_directory('WRITE/out/d')`, `permission_error(create,directory,'WRITE/out/d')`},
		{`make_directory('WRITE/../d')`, `permission_error(create,directory,'WRITE/../d')`},
		{`make_directory('OUT/d')`, `permission_error(create,directory,'OUT/d')`},
		{`delete_file('WRITE/old'), delete_file('WRITE/old')`, `existence_error(file,'WRITE/old')`},
		{`delete_file('WRITE/file'), delete_file('WRITE/out')`, ``},
		{`delete_file('WRITE/out/secret')`, `permission_error(delete,file,'WRITE/out/secret')`},
		{`delete_file('READ/data')`, `permission_error(delete,file,'READ/data')`},
		{`delete_file('OUT/secret')`, `permission_error(delete,file,'OUT/secret')`},
		{`delete_directory('WRITE')`, `permission_error(delete,directory,'WRITE')`},
		{`delete_directory('WRITE/out/folder')`, `permission_error(delete,directory,'WRITE/out/folder')`},
		{`rename_file('WRITE/old', 'WRITE/new'), access_file('WRITE/new', append)`, ``},
		{`rename_file('WRITE/old', 'READ/new')`, `permission_error(rename,file,'WRITE/old')`},
		{`rename_file('WRITE/old', 'WRITE/out/new')`, `permission_error(rename,file,'WRITE/old')`},
		{`rename_file('READ/data', 'WRITE/new')`, `permission_error(rename,file,'READ/data')`},
		{`rename_file('WRITE', 'WRITE/new')`, `permission_error(rename,file,'WRITE')`},
		{`set_time_file('READ/data', [modified(T)], [])`, ``},
		{`set_time_file('READ/data', [], [modified(1)])`, `permission_error(set_time,file,'READ/data')`},
		{`copy_file('READ/data', 'WRITE/copy'), access_file('WRITE/copy', write)`, ``},
		{`copy_file('OUT/secret', 'WRITE/copy')`, `permission_error(open,source_sink,'OUT/secret')`},
		{`copy_file('READ/data', 'WRITE/out/copy')`, `permission_error(open,source_sink,'WRITE/out/copy')`},
		{`copy_file('READ/data', 'WRITE/file')`, `permission_error(open,source_sink,'WRITE/file')`},
		{`tmp_file(a, F), atom_concat('WRITE/', _, F)`, ``},
		{`tmp_file('../../x', F), open(F, write, S), close(S), file_directory_name(F, D), print(D)`, `'WRITE'`},
		{`tmp_file_stream(F, S, [extension('../txt')]), file_directory_name(F, D), print(D), close(S)`, `'WRITE'`},
		{`findall(X, directory_member('READ', X, [recursive(true)]), L), print(L)`,
			`['READ/data','READ/inside','READ/out']`},
		{`delete_directory_contents('WRITE')`, `permission_error(access,directory,'WRITE')`},
	} {
		t.Run(tt.goal, func(t *testing.T) {
			d.refill(t)
			require.Equal(t, tt.want, d.run(t, tt.goal))
			secret, err := os.ReadFile(filepath.Join(d.outside, "secret"))
			require.NoError(t, err)
			require.Equal(t, "xyz", string(secret))
			entries, err := os.ReadDir(d.outside)
			require.NoError(t, err)
			require.Len(t, entries, 2)
		})
	}
}

// TestTemporaryFiles checks that temporary files are gone at the end of the run, however it ends.
func TestTemporaryFiles(t *testing.T) {
	d := newSandboxDirs(t)
	for _, goal := range []string{"tmp_file_stream(_, S, []), write(S, x)",
		"tmp_file(a, F), open(F, write, S), write(S, x), close(S), throw(error(a, _))",
		"tmp_file_stream(text, F, S), close(S), delete_file(F)"} {
		d.run(t, goal)
		files, err := filepath.Glob(filepath.Join(d.write, "mcplogic_*"))
		require.NoError(t, err)
		require.Empty(t, files)
	}
}
