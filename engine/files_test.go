package engine_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// folder gives a program the files of one folder.
type folder string

func (f folder) OpenRead(path string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(string(f), path))
}

func (f folder) openWrite(path string, atEnd bool) (io.WriteCloser, error) {
	flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if atEnd {
		flags = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	}
	return os.OpenFile(filepath.Join(string(f), path), flags, 0o600)
}

// TestFiles runs goals on a folder with the file data.pl. Goals print their results; of an exception the first argument
// of error/2 is shown.
func TestFiles(t *testing.T) {
	t.Parallel()
	const data = "p(1).\np(X) :- q(X,\n  'é').\n"
	for _, tt := range []struct{ name, goal, want string }{
		{"read", `open('data.pl', read, S), read(S, A), read(S, B), read(S, C), close(S), numbervars(B, 0, _),
			print([A,B,C])`,
			`[p(1),(p(A):-q(A,é)),end_of_file]`},
		{"alias", `open('data.pl', read, _, [alias(in)]), get_char(in, C), close(in), print(C)`, `p`},
		{"alias taken", `open('data.pl', read, _, [alias(in)]), open('data.pl', read, _, [alias(in)])`,
			`permission_error(open,source_sink,alias(in))`},
		{"alias gone", `open('data.pl', read, _, [alias(in)]), close(in), get_char(in, _)`, `existence_error(stream,in)`},
		{"closed", `open('data.pl', read, S), close(S), catch(get_char(S, _), error(existence_error(stream, T), _),
			(T == S, print(yes)))`, `yes`},
		{"missing", `open('none.pl', read, _)`, `existence_error(source_sink,'none.pl')`},
		{"position", `open('data.pl', read, S, [reposition(true)]), read(S, _), stream_property(S, position(P)),
			read(S, _), set_stream_position(S, P), read(S, (H :- _)), line_count(S, L), numbervars(H, 0, _), print(H-L),
				close(S)`, `p(A)-3`},
		{"no position", `open('data.pl', read, S), stream_property(S, position(P)), set_stream_position(user_input, P)`,
			`permission_error(reposition,stream,user_input)`},
		{"seek", `open('data.pl', read, S, [reposition(true)]), seek(S, 2, bof, P), get_char(S, C), print(P-C)`, `2-'1'`},
		{"syntax error", `open('bad.pl', read, S), catch(read(S, _), error(syntax_error(_), file(F, L, C, _)), true),
			read(S, T), print([F,L,C,T])`,
			`['bad.pl',2,4,ok]`},
		{"past end", `open('empty.pl', read, S, [eof_action(error)]), get_char(S, A), stream_property(S,
			end_of_stream(E)), print(A-E), get_char(S, _)`,
			`end_of_file-pastpermission_error(input,past_end_of_stream,'$stream'(3))`},
		{"eof code", `open('empty.pl', read, S), get_code(S, A), get_code(S, B), print(A/B)`, `-1/ -1`},
		{"bytes", `open('data.pl', read, S, [type(binary)]), get_byte(S, A), peek_byte(S, B), print(A-B)`, `112-40`},
		{"bytes of text", `open('data.pl', read, S), get_byte(S, _)`, `permission_error(input,text_stream,'$stream'(3))`},
		{"text of bytes", `open('data.pl', read, S, [type(binary)]), get_char(S, _)`,
			`permission_error(input,binary_stream,'$stream'(3))`},
		{"latin", `open('latin', read, S, [encoding(iso_latin_1)]), read_string(S, _, T), print(T)`, `"caf` + "é" + `"`},
		{"encodings", `forall(member(E, [utf16le, utf16be, unicode_le, wchar_t]), ( open(out, write, S, [encoding(E)]),
			write(S, 'aé😀'), close(S), open(out, read, B, [type(binary)]), findall(X, ( repeat, get_byte(B, X),
			( X == -1 -> ! ; true ) ), L), close(B), open(out, read, R, [encoding(E)]), stream_property(R, encoding(P)),
			read_string(R, _, T), close(R), print(P:L:T), nl ))`,
			"utf16le:[97,0,233,0,61,216,0,222,-1]:\"aé😀\"\nutf16be:[0,97,0,233,216,61,222,0,-1]:\"aé😀\"\n" +
				"utf16le:[97,0,233,0,61,216,0,222,-1]:\"aé😀\"\n" +
				"wchar_t:[97,0,0,0,233,0,0,0,0,246,1,0,-1]:\"aé😀\"\n"},
		{"long encodings", `forall(member(E, [utf16be, wchar_t, iso_latin_1]), ( open(out, write, S,
			[encoding(E), bom(true)]), forall(between(1, 9999, _), write(S, 'aé')), close(S), open(out, read, R, [encoding(E)]),
			read_string(R, N, _), close(R), print(N), nl ))`, "19998\n19998\n19998\n"},
		{"characters of encodings", `forall(( member(E, [iso_latin_1, octet, ascii, utf8]), member(N, [127, 128, 255, 256]) ),
			( char_code(C, N), open(out, write, S, [encoding(E)]), catch((write(S, C), R = yes), error(F, _), F =.. [R|_]),
			close(S), open(out, read, B, [encoding(octet)]), read_string(B, Z, _), close(B), print(E-N-R-Z), nl ))`,
			"iso_latin_1-127-yes-1\niso_latin_1-128-yes-1\niso_latin_1-255-yes-1\niso_latin_1-256-io_error-0\n" +
				"octet-127-yes-1\noctet-128-yes-1\noctet-255-yes-1\noctet-256-io_error-0\n" +
				"ascii-127-yes-1\nascii-128-io_error-0\nascii-255-io_error-0\nascii-256-io_error-0\n" +
				"utf8-127-yes-1\nutf8-128-yes-2\nutf8-255-yes-2\nutf8-256-yes-2\n"},
		{"octets", `open('latin', read, S, [encoding(octet)]), read_string(S, _, T), print(T)`, `"café"`},
		{"encoding of bytes", `open(out, write, _, [type(binary), encoding(utf16le)])`, `domain_error(encoding,utf16le)`},
		{"bytes are octets", `open(out, write, S, [encoding(octet), type(binary)]), put_byte(S, 200), put_byte(S, 233),
			close(S), open(out, read, B, [encoding(octet)]), read_string(B, Z, _), print(Z)`, `2`},
		{"encoding set", `open(out, write, S), write(S, é), set_stream(S, encoding(iso_latin_1)), write(S, é),
			stream_property(S, encoding(E)), set_stream(S, type(binary)), put_byte(S, 233), close(S),
			open(out, read, B, [encoding(octet)]), read_string(B, Z, _), open(latin, read, R),
			set_stream(R, encoding(iso_latin_1)), read_string(R, _, T), print([E, Z, T])`,
			`[iso_latin_1,4,"café"]`},
		{"encoding set late", `open('data.pl', read, R), get_char(R, _), set_stream(R, encoding(text)),
			set_stream(user_output, encoding(utf8)), set_stream(R, encoding(utf16le))`,
			`permission_error(modify,stream,'$stream'(3))`},
		{"half a character", `open('latin', read, S, [encoding(wchar_t)]), read_string(S, _, T), open('odd', read, R,
			[encoding(utf16le)]), read_string(R, _, U), string_codes(T, X), string_codes(U, Y), print(X/Y)`,
			"[65533]/[97,65533,98,65533]"},
		{"write", `open(out, write, S), format(S, "~w~t~10|~q.~n", [ab, 'C d']), close(S), open(out, read, R),
			read_string(R, _, T), print(T)`,
			`"ab        'C d'.\n"`},
		{"append", `open(out, write, S), write(S, a), close(S), open(out, append, T), write(T, b), close(T),
			open(out, read, R), read_string(R, _, X), print(X)`,
			`"ab"`},
		{"write bytes", `open(out, write, S, [type(binary)]), put_byte(S, 255), close(S), open(out, read, R,
			[type(binary)]), get_byte(R, B), print(B)`, `255`},
		{"dos", `open(out, write, S, [newline(dos)]), nl(S), close(S), open(out, read, R), read_string(R, _, T), print(T)`,
			`"\r\n"`},
		{"see", `see('data.pl'), read(X), seen, print(X)`, `p(1)`},
		{"tell", `tell(out), write(hello), told, see(out), get_char(C), seen, print(C)`, `h`},
		{"redirect", `open(out, write, S), set_output(S), print(x), close(S), open(out, read, R), get_char(R, C), print(C)`,
			`x`},
		{"user alias", `open(out, write, S), set_stream(S, alias(user_error)), print_message(error, format("oops",
			[])), close(S), open(out, read, R), read_string(R, _, T), print(T)`,
			`"ERROR: oops\n"`},
		{"properties", `open('data.pl', read, S, [alias(x)]), forall(member(P, [file_name(F), mode(M), alias(A),
			eof_action(E), type(T), reposition(R)]), (stream_property(S, P), print(P), nl))`,
			"file_name('data.pl')\nmode(read)\nalias(x)\neof_action(eof_code)\ntype(text)\nreposition(true)\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := folder(t.TempDir())
			for name, text := range map[string]string{"data.pl": data, "empty.pl": "", "bad.pl": "\nfoo bar.\nok.\n",
				"latin": "caf\xe9", "odd": "a\x00\x00\xd8b\x00c"} {
				require.NoError(t, os.WriteFile(filepath.Join(string(dir), name), []byte(text), 0o600))
			}
			require.Equal(t, tt.want, runOn(t, dir, tt.goal))
		})
	}
}

// TestCSVFiles checks that library(csv) reads files as it writes them, and that the extension selects the separator.
func TestCSVFiles(t *testing.T) {
	t.Parallel()
	const text = "name,n\nann,1\n\"b, c\",\"2\"\n"
	for _, tt := range []struct{ name, goal, want string }{
		{"read", `csv_read_file('a.csv', Rows), print(Rows)`, `[row(name,n),row(ann,1),row('b, c',2)]`},
		{"options", `csv_read_file('a.csv', Rows, [functor(f), arity(2), convert(false), encoding(utf8)]), print(Rows)`,
			`[f(name,n),f(ann,'1'),f('b, c','2')]`},
		{"missing", `csv_read_file('none.csv', _)`, `existence_error(source_sink,'none.csv')`},
		{"rows", `forall(csv_read_file_row('a.csv', row(A, B), [line(L)]), (print(L:A/B), nl))`,
			"1:name/n\n2:ann/1\n3:'b, c'/2\n"},
		{"ragged rows", `csv_write_file(out, [row(a, b), row(1), row(1, 2, 3)]), forall(csv_read_file_row(out, R, []),
			(print(R), nl))`, "row(a,b)\nrow(1)\nrow(1,2,3)\n"},
		{"ragged row, arity", `csv_write_file(out, [row(a, b), row(1)]), csv_read_file_row(out, row(1), [arity(2)])`,
			`domain_error(row_arity(2),1)`},
		{"one row", `csv_read_file_row('a.csv', row(ann, N), []), print(N)`, `1`},
		{"write", `csv_write_file(out, [row(a, 1), row('b,c', 2)]), read_file_to_string(out, T, []), print(T)`,
			`"a,1\r\n\"b,c\",2\r\n"`},
		{"tabs", `csv_write_file('o.tsv', [f(a, 'b,c')]), read_file_to_string('o.tsv', T, []),
			csv_read_file('o.tsv', Rows), print(T-Rows)`, `"a\tb,c\r\n"-[row(a,'b,c')]`},
		{"not tabs", `csv_write_file('o.tsv', [f(a, b)], [separator(0';)]), csv_read_file('o.tsv', Rows), print(Rows)`,
			`[row('a;b')]`},
		{"semicolons", `csv_write_file(out, [f(a, b)], [separator(0';)]), csv_read_file(out, Rows, [separator(0';)]),
			print(Rows)`, `[row(a,b)]`},
		{"closed", `catch(csv_read_file('a.csv', _, [arity(3)]), error(E, _), true), print(E),
			forall((stream_property(S, file_name(_)), \+ stream_property(S, alias(_))), print(S))`,
			`domain_error(row_arity(3),2)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := folder(t.TempDir())
			require.NoError(t, os.WriteFile(filepath.Join(string(dir), "a.csv"), []byte(text), 0o600))
			require.Equal(t, tt.want, runOn(t, dir, tt.goal))
		})
	}
}

// runOn runs a goal once and returns its output, followed by the first argument of its error term if it throws.
func runOn(t *testing.T, dir folder, goal string) string {
	t.Helper()
	prog, err := engine.LoadText(t.Context(), "none.pl", "", &engine.Options{Files: dir, OpenWrite: dir.openWrite})
	require.NoError(t, err)
	var out bytes.Buffer
	for _, err := range prog.Query(context.Background(), goal, &engine.RunOptions{Output: &out}) {
		if err != nil {
			out.WriteString(errorText(prog, err))
		}
		break
	}
	return out.String()
}

// TestNoFiles checks that a program without the option Files can open no file.
func TestNoFiles(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "none.pl", "", nil)
	require.NoError(t, err)
	for _, goal := range []string{"open(f, read, _)", "open(f, write, _)", "see(f)", "tell(f)", "append(f)"} {
		for _, err := range prog.Query(context.Background(), goal, nil) {
			require.Error(t, err, goal)
			require.Equal(t, "permission_error(open,source_sink,f)", errorText(prog, err), goal)
		}
	}
}

// TestMessages compares what print_message/2 writes to user_error.
func TestMessages(t *testing.T) {
	t.Parallel()
	const text = `
		:- multifile prolog:message//1, user:message_hook/3.
		prolog:message(mine(X)) --> ['mine ~w'-[X], nl, 'second'].
		user:message_hook(_, warning, Lines) :- format("hook ~q", [Lines]).
	`
	for _, tt := range []struct{ goal, want string }{
		{`print_message(error, format("a ~w", [b]))`, "ERROR: a b\n"},
		{`print_message(error, mine(1))`, "ERROR: mine 1\nERROR: second\n"},
		{`print_message(informational, mine(1))`, "% mine 1\n% second\n"},
		{`set_prolog_flag(verbose, silent), print_message(informational, mine(1))`, ""},
		{`print_message(silent, mine(1))`, ""},
		{`print_message(error, no_such_message(1))`, "ERROR: Unknown message: no_such_message(1)\n"},
		{`print_message(error, error(type_error(integer, a), context(p/1, _)))`,
			"ERROR: p/1: Type error: `integer' expected, found `a' (an atom)\n"},
		{`print_message(warning, mine(1))`, "hook ['mine ~w'-[1],nl,second]"},
		{`print_message(error, format("~d", [x]))`, "ERROR: \"~d\"-[x]\n"},
		{`write(user_error, x), print_message(error, mine(2))`, "x\nERROR: mine 2\nERROR: second\n"},
		{`'$message_text'(error(existence_error(procedure, q/2), context(q/2, _)), T), write(T)`, "Unknown procedure: q/2"},
		{`'$message_text'(_, T), write(T)`, "Unhandled exception: _"},
		{`'$message_text'(time_limit_exceeded, T), write(T)`, "Time limit exceeded"},
	} {
		prog, err := engine.LoadText(t.Context(), "messages.pl", text, nil)
		require.NoError(t, err)
		var out bytes.Buffer
		for _, err := range prog.Query(context.Background(), tt.goal, &engine.RunOptions{Output: &out, Error: &out}) {
			require.NoError(t, err, tt.goal)
			break
		}
		got := out.String()
		if i := strings.Index(got, "exception: _"); i >= 0 {
			got = got[:i+len("exception: _")] // the number of the variable is not fixed
		}
		require.Equal(t, tt.want, got, tt.goal)
	}
}
