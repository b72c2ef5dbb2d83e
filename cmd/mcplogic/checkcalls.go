package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/questions"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/knownclients"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the checks that mcplogic check makes as a client of the server: which tools known clients refuse,
// and how calls of the tools end.

// clientChecks are the flags that ask for it.
type clientChecks struct{ run, clients bool }

// Limits of the calls that a check makes. Those of inferences end a call at the same place on any machine.
const (
	checkCalls      = 60 // of one tool
	checkInferences = 10_000_000
	checkTime       = 10 * time.Second  // of one call
	checkToolTime   = 30 * time.Second  // of one tool
	checkAllTime    = 300 * time.Second // of all tools
)

// report connects a client to a server of the files and looks at its tools. lines has a line for each client. It
// reports nothing for files with errors, whose s is nil.
func (k clientChecks) report(
	cmd *cobra.Command, f *settings.Sandbox, paths []string, s *kb.Snapshot,
) (list source.Diagnostics, lines []string, err error) {
	if s == nil || !k.run && !k.clients {
		return nil, nil, nil
	}
	flags := &settings.ServerFlags{}
	flags.Add(pflag.NewFlagSet("", pflag.ContinueOnError)) // for their defaults
	flags.Sandbox = *f
	o, err := flags.Options(cmd, paths)
	if err != nil {
		return nil, nil, err
	}
	o.Limits.Time, o.Limits.Inferences = checkTime, checkInferences
	o.Stderr, o.Log = io.Discard, slog.New(slog.DiscardHandler)
	cancel := func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "cancel"}, nil
	}
	// A call with a seed commits nothing, and ends in the same way each time.
	session, done, err := join(cmd, bridge.NewServer(s, o), &engine.Given{Seed: "check"},
		&mcp.ClientOptions{Capabilities: questions.CanBeAsked(), ElicitationHandler: cancel})
	if err != nil {
		return nil, nil, err
	}
	defer done()
	tools, err := cli.Gather(session.Tools(cmd.Context(), nil))
	if err != nil {
		return nil, nil, err
	}
	if k.clients {
		list, lines = refusedTools(settings.ClientName(o.Name), tools, s, paths)
	}
	ctx, stop := context.WithTimeout(cmd.Context(), checkAllTime)
	defer stop()
	for _, tool := range tools {
		if t := s.Tool(tool.Name); t != nil && k.run {
			list = append(list, tryTool(ctx, session, t, tool)...)
		}
	}
	list = slices.DeleteFunc(list, func(d source.Diagnostic) bool {
		text, err := os.ReadFile(filepath.FromSlash(d.File))
		return err == nil && rulefiles.Silenced(string(text), d)
	})
	return list, lines, cmd.Context().Err()
}

// refusedTools reports what clients refuse, and counts for each client the tools that it takes as they are.
func refusedTools(server string, tools []*mcp.Tool, s *kb.Snapshot, paths []string) (list source.Diagnostics,
	lines []string) {
	toMend := map[string]map[string]bool{} // tools by clients
	note := func(name string, by []string, format string, args ...any) {
		if len(by) == 0 {
			return
		}
		at := source.Position{File: paths[0]}
		if t := s.Tool(name); t != nil {
			at = t.Place
		}
		for _, client := range by {
			if toMend[client] == nil {
				toMend[client] = map[string]bool{}
			}
			toMend[client][name] = true
		}
		list = append(list, source.Diagnostic{Position: at, Severity: source.SeverityWarning, Code: "client",
			Message: strings.Join(by, ", ") + ": " + fmt.Sprintf(format, args...)})
	}
	for _, t := range tools {
		own := s.Tool(t.Name)
		for _, one := range []struct {
			wrong  bool
			who    func(c *knownclients.Client) bool
			format string
		}{
			{strings.Contains(t.Name, "."), func(c *knownclients.Client) bool { return c.NoDots },
				"all tools are refused for the name %s; write it without a dot"},
			{hasNumberEnum(t.InputSchema), func(c *knownclients.Client) bool { return c.NoNumberEnums },
				"all tools are refused for an enum of numbers in the schema of %s; write them as texts"},
			{len([]rune(t.Description)) > knownclients.Description, func(c *knownclients.Client) bool { return c.Cuts },
				"the description of %s is cut; make it shorter"},
			{own != nil && own.ReadOnly == nil, func(c *knownclients.Client) bool { return c.Approves },
				"a person is asked before each call of %s, and the call is refused where nobody is there; " +
					"say read_only(true) if it changes nothing, or read_only(false)"},
		} {
			if one.wrong {
				note(t.Name, knownclients.Those(one.who), one.format, t.Name)
			}
		}
	}
	for i := range knownclients.Table {
		c := &knownclients.Table[i]
		for _, t := range tools {
			if n := c.Length(server, t.Name); c.MaxName > 0 && n > c.MaxName {
				note(t.Name, []string{c.Name}, "the tool %s is left out: its name has %d characters with that of the server "+
					"before it, %d are taken; give it a shorter one, or the server one by --name", t.Name, n, c.MaxName)
			}
		}
		if c.MaxTools > 0 && len(tools) > c.MaxTools {
			note(tools[c.MaxTools].Name, []string{c.Name}, "it takes %d tools, and there are %d; serve some of the files by "+
				"another server", c.MaxTools, len(tools))
		}
		line := c.Name + ": takes " + spell.Count(len(tools), "tool") + " as they are"
		if n := len(toMend[c.Name]); n > 0 {
			line = fmt.Sprintf("%s: something to mend for %d of %s", c.Name, n, spell.Count(len(tools), "tool"))
		}
		lines = append(lines, line)
	}
	return list, lines
}

// hasNumberEnum reports whether a schema has an enum with a number.
func hasNumberEnum(schema any) bool {
	switch schema := schema.(type) {
	case map[string]any:
		values, _ := schema["enum"].([]any)
		isNumber := func(value any) bool { _, is := value.(float64); return is }
		return slices.ContainsFunc(values, isNumber) || slices.ContainsFunc(slices.Collect(maps.Values(schema)),
			hasNumberEnum)
	case []any:
		return slices.ContainsFunc(schema, hasNumberEnum)
	}
	return false
}

// tryTool calls a tool on the values in its schema, which come from facts, and on some values of each type. It reports
// the first error of each kind. It also reports a tool that has no answer although all values of its inputs are known
// and were tried.
func tryTool(ctx context.Context, session *mcp.ClientSession, t *kb.Tool, listed *mcp.Tool) (list source.Diagnostics) {
	ctx, stop := context.WithTimeout(ctx, checkToolTime)
	defer stop()
	schema, _ := listed.InputSchema.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	var names []string
	var columns [][]any
	allKnown := true
	for _, a := range t.Inputs() {
		member, ok := properties[a.Name].(map[string]any)
		if !ok {
			continue
		}
		values, known := samples(member, 3)
		if !slices.Contains(required, any(a.Name)) {
			values = append([]any{nil}, values...)
		}
		names, columns, allKnown = append(names, a.Name), append(columns, values), allKnown && known
	}
	told := map[string]bool{}
	note := func(code, format string, args ...any) {
		if !told[code] {
			told[code] = true
			list = append(list, source.Diagnostic{Position: t.Place, Severity: source.SeverityWarning, Code: "run",
				Message: "tool " + t.Name + ": " + fmt.Sprintf(format, args...)})
		}
	}
	calls, misses := 0, 0
	for _, given := range combinations(names, columns) {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: t.Name, Arguments: given})
		if err != nil {
			break // the time is over
		}
		calls++
		code, _ := result.Meta[bridge.MetaCode].(string)
		switch {
		case !result.IsError:
			if isNothing(result) {
				misses++
			}
		case code == "failed":
			misses++
		case !allKnown && slices.Contains([]string{"existence_error", "domain_error", "thrown"}, code):
			// The rules may mean to refuse a value that was made up.
		case code == "bad_output" || code == "thrown" || strings.HasSuffix(code, "_error") ||
			strings.HasSuffix(code, "_limit") || code == "result_size":
			note(code, "%s: %s", given, firstLines(result))
		}
	}
	if calls > 0 && misses == calls && allKnown && len(columns) > 0 {
		note("failed", "none of %s on the values that are known has an answer", spell.Count(calls, "call"))
	}
	return list
}

// isNothing reports whether a result is a list without solutions.
func isNothing(result *mcp.CallToolResult) bool {
	content, _ := result.StructuredContent.(map[string]any)
	solutions, isList := content["solutions"].([]any)
	return isList && len(solutions) == 0
}

// firstLines is the text of a result on one line.
func firstLines(result *mcp.CallToolResult) string {
	text, _ := result.Content[0].(*mcp.TextContent)
	if text == nil {
		return "an error"
	}
	lines := strings.Split(text.Text, "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "Error term: ") })
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	const most = 3
	return strings.Join(lines[:min(len(lines), most)], " ")
}

// combinations are the arguments of calls: first the values at the same place of all columns, which may belong to one
// fact, then others.
func combinations(names []string, columns [][]any) (list []json.RawMessage) {
	longest, all := 1, 1
	for _, column := range columns {
		longest = max(longest, len(column))
		all = min(all*max(len(column), 1), 1<<20)
	}
	seen := map[string]bool{}
	add := func(at func(i, n int) int) {
		given := map[string]any{}
		for i, column := range columns {
			if len(column) == 0 {
				return
			}
			if value := column[at(i, len(column))]; value != nil {
				given[names[i]] = value
			}
		}
		raw, err := json.Marshal(given)
		if err == nil && !seen[string(raw)] && len(list) < checkCalls {
			seen[string(raw)] = true
			list = append(list, raw)
		}
	}
	for row := range longest {
		add(func(_, n int) int { return row % n })
	}
	// A step that has no factor in common with the number of all goes through them evenly.
	const step = 7919
	for k := range min(all, 2*checkCalls) {
		rest := k * step % all
		add(func(_, n int) int {
			at := rest % n
			rest /= n
			return at
		})
	}
	return list
}

// samples returns values that fit a schema, where they are easy to find. known reports whether they are all values that
// matter: the values of an enum, or those in facts.
func samples(schema map[string]any, depth int) (list []any, known bool) {
	for _, key := range []string{"enum", "examples"} {
		if values, ok := schema[key].([]any); ok && len(values) > 0 {
			return values, true
		}
	}
	if depth == 0 {
		return nil, false
	}
	if options, ok := schema["anyOf"].([]any); ok {
		for _, variant := range options {
			one, _ := variant.(map[string]any)
			values, _ := samples(one, depth-1)
			list = append(list, values...)
		}
		return list, false
	}
	typ := schema["type"]
	if several, ok := typ.([]any); ok && len(several) > 0 {
		typ = several[0]
	}
	switch typ {
	case "boolean":
		return []any{true, false}, true
	case "integer", "number":
		low, hasLow := schema["minimum"].(float64)
		high, hasHigh := schema["maximum"].(float64)
		for _, n := range []float64{low, high, 1, 0, 2, 10, 100, 1000, -1} {
			fits := (!hasLow || n >= low) && (!hasHigh || n <= high)
			if fits && !slices.Contains(list, any(n)) {
				list = append(list, n)
			}
		}
	case "array":
		items, _ := schema["items"].(map[string]any)
		values, _ := samples(items, depth-1)
		list = []any{values}
		if len(values) > 0 {
			list = append(list, values[:1])
		}
	case "object":
		object := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		for name, member := range properties {
			one, _ := member.(map[string]any)
			if values, _ := samples(one, depth-1); len(values) > 0 {
				object[name] = values[0]
			}
		}
		list = []any{object}
	case "string":
		if shown := formatSamples[fmt.Sprint(schema["format"])]; shown != nil {
			return shown, false
		}
		list = []any{"a", "x y"}
	}
	return list, false
}

// formatSamples are texts of the formats.
var formatSamples = map[string][]any{"date": {"2026-01-31", "2024-02-29", "1990-07-01"}, "time": {"14:30:00"},
	"date-time": {"2026-01-31T14:30:00Z"}, "duration": {"P1D"}, "email": {"ann@example.com"},
	"uri": {"https://example.com"}, "uuid": {"123e4567-e89b-12d3-a456-426614174000"}}
