// Package guide has the guide to writing rules: for models that write them by the tools of the workbench, and for
// people and models at the command line. What it lists comes from the tables that the loader goes by.
package guide

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// Options are the options of tool/4.
var Options = []string{"mode", "title", "description", "read_only", "destructive", "idempotent", "open_world",
	"timeout", "limit", "input_schema", "output_schema", "icons", "explain", "meta", "always_load", "max_result", "task",
	"assume", "secret"}

//go:embed guide.md
var text string

// Work is a list of steps in which to write rules.
type Work string

// The steps with the tools of the workbench, and with the commands.
const (
	Workbench Work = "1. `kb_vocabulary` shows the predicates and samples of facts. Use these names. `kb_read` a file " +
		"before you change it.\n" +
		"2. `kb_check` a text until nothing is wrong. Heed warnings.\n" +
		"3. `kb_try` goals on it, with `why` for the reasons. Try cases for which the answer is no.\n" +
		"4. Write tests, then `kb_test`, `kb_diff` for what would change, `kb_save` or `kb_edit` with the hash of " +
		"`kb_read`."
	Commands Work = "1. `mcplogic init DIR` writes a small one to start from.\n" +
		"2. `mcplogic check DIR` until nothing is wrong. Heed warnings. `check --run` calls each tool.\n" +
		"3. `mcplogic query DIR GOAL`, and `mcplogic why DIR GOAL` for the reasons. Try cases for which the answer is " +
		"no.\n" +
		"4. Write tests, then `mcplogic test DIR`."
)

// Text returns the guide.
func Text(work Work) string {
	return strings.NewReplacer("{work}", string(work), "{types}", "`"+typename.All()+"`",
		"{options}", "`"+strings.Join(Options, ", ")+"`").Replace(text)
}

// Helps reports whether the guide says how to mend one of the problems.
func Helps(report source.Diagnostics) bool {
	return slices.ContainsFunc(report, func(d source.Diagnostic) bool { return strings.Contains(text, "["+d.Code+"]") })
}
