package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// spreadTable has cells that a spreadsheet may take for something else. The last column holds texts.
const spreadTable = `n (decimal),code (atom),since (date),at (time),text (atom),out: result (atom),note: note
>= 18,007,< 2020-01-01,-,"low, medium",fine,a note
[0..100),"""a, b"", c",[2020-01-01..2020-12-31],12:30:00,not(low),"""quoted""","with, comma"
-5,1e3,2024-02-29,-,"1,5",0.10,
0.1,true,1900-02-28,< 10:00:00,-,true,
12345678901234567890,-,-,-,=1+1,=x,
"1, 2, 5",1/2,-,[08:00:00..12:00:00),3-4,1-2,
not(3),+5,-,-,high,2024-01-31,
-,10%,-,-,12:30,-5,
1.50,€5,-,-,'x,1.0,
`

// TestLibreOffice exports a table, has LibreOffice read it and save it, and reads it again: it means the same.
func TestLibreOffice(t *testing.T) {
	const what = "tables that a spreadsheet has saved"
	deep.Skip(t, what)
	office, err := exec.LookPath("soffice")
	if err != nil {
		deep.Missing(t, what, "there is no LibreOffice; on Debian: apt-get install libreoffice-calc")
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
		out, err := cmd.Output()
		require.NoError(t, err, "%s %v", name, args)
		return string(out)
	}
	export := func(file string) string {
		rules := filepath.Join(dir, "table.pl")
		text := ":- decision(t/6, '" + file + "', [hit(rule_order)]).\n"
		require.NoError(t, os.WriteFile(rules, []byte(text), 0o666))
		return run("mcplogic", "table", "export", rules, "t/6")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "own.csv"), []byte(spreadTable), 0o666))
	require.Equal(t, spreadTable, export("own.csv"))
	run("mcplogic", "table", "export", "table.pl", "t/6", "--to", "own.xlsx")
	convert := func(to, file string) {
		run(office, "--headless", "--convert-to", to, "--outdir", "saved", file)
	}
	convert("xlsx", "own.xlsx")
	require.Equal(t, spreadTable, export("saved/own.xlsx"))
	convert(`csv:Text - txt - csv (StarCalc):44,34,76`, "own.xlsx")
	require.Equal(t, spreadTable, export("saved/own.csv"))
	convert("ods", "own.xlsx")
	convert("xlsx", "saved/own.ods")
	require.Equal(t, spreadTable, export("saved/own.xlsx"))
}
