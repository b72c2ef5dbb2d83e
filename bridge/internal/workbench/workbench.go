// Package workbench has tools by which a model reads, tries out, tests and saves the rules of a knowledge base. A
// [Bench] offers them on a server.
package workbench

import (
	"cmp"
	"context"
	_ "embed" // for the tools
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/places"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/skill"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/guide"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the tools and what they do. All of it happens in a throw-away copy of the folder, until a text is
// saved.

// Served is what the workbench needs of the server that offers it.
type Served interface {
	// Snapshot is what is on offer now.
	Snapshot() *kb.Snapshot
	// Reload serves the files as they are.
	Reload(ctx context.Context) error
	// Differences says which of the last recorded calls would have another answer, and how many were tried.
	Differences(ctx context.Context, was, would *kb.Snapshot) (list []string, calls int)
	// Cases runs the cases of a folder on a snapshot of it.
	Cases(ctx context.Context, s *kb.Snapshot, folder fs.FS) []kb.TestOutcome
}

// Settings are the settings of a workbench.
type Settings struct {
	// Folder is the folder of the rules, Options are the options that it is loaded with.
	Folder  string
	Options *kb.Options
	// Write offers kb_save, which changes the folder.
	Write bool
	// Concurrent is how many clients may try something at a time.
	Concurrent int
	// Limits are those of a goal that is tried. Time is also that of a call.
	engine.Limits
	Log *slog.Logger
}

// Bench has the tools of the workbench. Goroutines share it.
type Bench struct {
	set    Settings
	served Served
	places *places.Places
	saving sync.Mutex
	saves  atomic.Int64 // the files saved and discarded so far
}

// New returns the workbench of a server. A trial may take as much as a load, so each client has one at a time, and
// trials take none of the places of calls.
func New(served Served, set *Settings) *Bench {
	return &Bench{set: *set, served: served, places: places.New(set.Concurrent, 1)}
}

// benchArguments are the arguments of the tools of the workbench.
type benchArguments struct {
	File  string `json:"file"`
	Text  string `json:"text"`
	Goal  string `json:"goal"`
	Limit int    `json:"limit"`
	Why   bool   `json:"why"`

	Hash   string  `json:"hash"`
	Remove bool    `json:"remove"`
	Old    string  `json:"old"`
	New    *string `json:"new"`
	From   int     `json:"from"`
	Lines  int     `json:"lines"`

	Version string `json:"version"`

	author rulefiles.Author
}

// benchTool is a tool of the workbench, as tools.json has it. Its schema has the properties named.
type benchTool struct {
	Name, Title, Description string
	Required, Optional       []string
	Write                    bool
}

//go:embed tools.json
var toolsJSON []byte

// tools are the tools and the properties of their arguments, kb_save among them.
var tools = sync.OnceValue(func() (list struct {
	Properties map[string]json.RawMessage
	Tools      []benchTool
}) {
	if err := json.Unmarshal(toolsJSON, &list); err != nil {
		panic("workbench: " + err.Error()) // the text is ours
	}
	return list
})

// runs are what the tools do.
var runs = map[string]func(*Bench, context.Context, *benchArguments) (*mcp.CallToolResult, error){
	"kb_vocabulary": (*Bench).benchVocabulary, "kb_check": (*Bench).benchCheck, "kb_try": (*Bench).benchTry,
	"kb_test": (*Bench).benchTest, "kb_diff": (*Bench).benchDiff, "kb_files": (*Bench).benchFiles,
	"kb_read": (*Bench).benchRead, "kb_save": (*Bench).benchSave, "kb_edit": (*Bench).benchEdit,
	"kb_undo": (*Bench).benchUndo,
}

// guideName is the name of the skill that is the guide.
const guideName = "writing-rules"

// Guide is the skill of writing rules.
var Guide = sync.OnceValue(func() *skill.Skill {
	text := fmt.Appendf(nil, "---\nname: %s\ndescription: %s\n---\n\n%s", guideName, writing.Description,
		guide.Text(guide.Workbench))
	k, _ := skill.New(guideName, map[string][]byte{skill.FileName: text}) // the text is ours, and right
	return k
})

// writing is the prompt that hands out the guide.
var writing = &mcp.Prompt{Name: "write_rules", Title: "Write rules", Description: "How to write rules, facts, tools " +
	"and tests for this knowledge base.", Arguments: []*mcp.PromptArgument{
	{Name: "task", Description: "What the rules shall decide or answer."}}}

func writeRules(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text := guide.Text(guide.Workbench)
	if task := req.Params.Arguments["task"]; task != "" {
		text += "\nThe task: " + task
	}
	return &mcp.GetPromptResult{Description: writing.Description, Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
}

// AddTo adds the prompt and the tools to a server, apart from those whose names are taken. It returns the names of the
// tools.
func (w *Bench) AddTo(server *mcp.Server, taken func(name string) bool) (names []string) {
	if !taken(writing.Name) {
		server.AddPrompt(writing, writeRules)
	}
	for _, t := range tools().Tools {
		if t.Write && !w.set.Write || taken(t.Name) {
			continue
		}
		names = append(names, t.Name)
		raw := t.schema()
		check := refusal.Schema(t.Name, string(raw))
		no := false
		server.AddTool(&mcp.Tool{Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: raw,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !t.Write, IdempotentHint: t.Write, OpenWorldHint: &no}},
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return w.handle(ctx, req, check(), runs[t.Name])
			})
	}
	return names
}

func (t *benchTool) schema() json.RawMessage {
	properties := schema.Object{}
	for _, name := range slices.Concat(t.Required, t.Optional) {
		properties = properties.With(name, tools().Properties[name])
	}
	o := schema.Object{}.With("type", "object").With("properties", properties)
	if len(t.Required) > 0 {
		o = o.With("required", t.Required)
	}
	return o.With("additionalProperties", false).JSON()
}

// handle handles a call of a tool of the workbench. It has the time of one.
func (w *Bench) handle(ctx context.Context, req *mcp.CallToolRequest, check *schema.Schema,
	run func(*Bench, context.Context, *benchArguments) (*mcp.CallToolResult, error)) (*mcp.CallToolResult, error) {
	var args benchArguments
	if wrong := refusal.ReadArguments(req, check, &args); wrong != nil {
		return wrong, nil
	}
	if p := req.Session.InitializeParams(); p != nil && p.ClientInfo != nil {
		args.author.Name = p.ClientInfo.Name
	}
	if args.File == "" && args.Text != "" {
		return refusal.Result("bad_arguments", "A text needs the name of the file that it would be."), nil
	}
	place, err := w.places.Enter(ctx, wire.ClientOf(ctx), req.Session.ID())
	if err != nil {
		return nil, err
	}
	defer w.places.Leave(place)
	ctx, cancel := context.WithTimeout(ctx, w.set.Time)
	defer cancel()
	return run(w, ctx, &args)
}

// Call calls a tool for a person. raw are its arguments. The error says that there is no such tool, or that ctx has
// ended.
func (w *Bench) Call(ctx context.Context, tool string, raw json.RawMessage, by rulefiles.Author) (*mcp.CallToolResult,
	error) {
	at := slices.IndexFunc(tools().Tools, func(t benchTool) bool { return t.Name == tool })
	if at < 0 {
		return nil, fmt.Errorf("there is no tool %s", tool)
	}
	req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: tool, Arguments: raw}}
	args := benchArguments{author: by}
	check := refusal.Schema(tool, string(tools().Tools[at].schema()))
	if wrong := refusal.ReadArguments(req, check(), &args); wrong != nil {
		return wrong, nil
	}
	place, err := w.places.Enter(ctx, "page", by.Name)
	if err != nil {
		return nil, err
	}
	defer w.places.Leave(place)
	ctx, cancel := context.WithTimeout(ctx, w.set.Time)
	defer cancel()
	return runs[tool](w, ctx, &args)
}

// try loads a trial of a text. wrong is the result that says that it cannot be, or that it has errors.
func (w *Bench) try(ctx context.Context, file, text string) (t *kb.Trial, wrong *mcp.CallToolResult) {
	t, err := w.set.Options.Try(ctx, w.set.Folder, file, text)
	if err != nil {
		return nil, refusal.Result("bad_arguments", refusal.Capitalize(err.Error())+".")
	}
	if t.Snapshot == nil {
		r := refusal.Result("not_loaded", "The knowledge base does not load:\n"+reportText(t.Report))
		r.StructuredContent = reportJSON(t.Report)
		w.closeTrial(t)
		return nil, r
	}
	return t, nil
}

func (w *Bench) closeTrial(t *kb.Trial) {
	if err := t.Close(); err != nil && w.set.Log != nil {
		w.set.Log.Error("a trial was not cleared away", "reason", err)
	}
}

// maxReported is how many diagnostics a result has.
const maxReported = 50

// reportText shows diagnostics to a model.
func reportText(report source.Diagnostics) string {
	if len(report) == 0 {
		return "Nothing is wrong."
	}
	first, more := report.First(maxReported)
	var b strings.Builder
	for _, d := range first {
		b.WriteString(d.String() + "\n")
		if f := d.Fix; f != nil {
			fmt.Fprintf(&b, "    fix: put %q for what stands from %d:%d to "+
				"%d:%d\n", f.Text, f.Line, f.Column, f.EndLine,
				f.EndColumn)
		}
	}
	if more > 0 {
		fmt.Fprintf(&b, "... and %d more\n", more)
	}
	if guide.Helps(report) {
		fmt.Fprintf(&b, "The prompt %s and the resource %s tell how rules are written.", writing.Name, Guide().URI)
	}
	return strings.TrimRight(b.String(), "\n")
}

// reportJSON is the same as structured content.
func reportJSON(report source.Diagnostics) json.RawMessage {
	first, _ := report.First(maxReported)
	if first == nil {
		first = source.Diagnostics{}
	}
	return schema.Object{}.With("ok", report.Err() == nil).With("diagnostics", first).JSON()
}

// benchResult is a result with a text and structured content.
func benchResult(text string, structure any) (*mcp.CallToolResult, error) {
	raw, err := json.Marshal(structure)
	if err != nil {
		return nil, err
	}
	if len(text) > sealed.DefaultText {
		text = strings.ToValidUTF8(text[:sealed.DefaultText], "") + "\n..."
	}
	return &mcp.CallToolResult{Content: content.OfText(text), StructuredContent: json.RawMessage(raw)}, nil
}

func (w *Bench) benchVocabulary(ctx context.Context, _ *benchArguments) (*mcp.CallToolResult, error) {
	words := w.served.Snapshot().Vocabulary(ctx)
	w.addTypes(ctx, words)
	const most = 300
	more := max(len(words)-most, 0)
	words = words[:len(words)-more]
	var b strings.Builder
	for _, word := range words {
		b.WriteString(word.Predicate)
		if word.About != "" {
			b.WriteString(": " + word.About)
		}
		lines := word.Modes
		if len(word.Arguments) > 0 {
			lines = append(slices.Clip(lines), "arguments: "+strings.Join(word.Arguments, "; "))
		}
		if word.Table != "" {
			lines = append(slices.Clip(lines), word.Table)
		}
		if len(word.Labels) > 0 {
			lines = append(slices.Clip(lines), "rules: "+strings.Join(word.Labels, "; "))
		}
		if len(word.Types) > 0 {
			lines = append(slices.Clone(lines), "values: "+strings.Join(word.Types, "; "))
		}
		for _, line := range slices.Concat(lines, word.Facts) {
			b.WriteString("\n    " + line)
		}
		b.WriteString("\n")
	}
	if more > 0 {
		fmt.Fprintf(&b, "... and %d more\n", more)
	}
	if len(words) == 0 {
		b.WriteString("There are no predicates yet.")
	}
	return benchResult(strings.TrimRight(b.String(), "\n"), map[string]any{"predicates": append([]kb.Word{}, words...)})
}

// addTypes gives predicates the types of their arguments, which a load finds that looks for mistakes.
func (w *Bench) addTypes(ctx context.Context, words []kb.Word) {
	t, wrong := w.try(ctx, "", "")
	if wrong != nil {
		return
	}
	defer w.closeTrial(t)
	types := map[string][]string{}
	for _, word := range t.Snapshot.Vocabulary(ctx) {
		types[word.Predicate] = word.Types
	}
	for i := range words {
		words[i].Types = types[words[i].Predicate]
	}
}

func (w *Bench) benchCheck(ctx context.Context, args *benchArguments) (*mcp.CallToolResult, error) {
	t, err := w.set.Options.Try(ctx, w.set.Folder, args.File, args.Text)
	if err != nil {
		return refusal.Result("bad_arguments", refusal.Capitalize(err.Error())+"."), nil
	}
	defer w.closeTrial(t)
	return benchResult(reportText(t.Report), reportJSON(t.Report))
}

func (w *Bench) benchTry(ctx context.Context, args *benchArguments) (*mcp.CallToolResult, error) {
	t, wrong := w.try(ctx, args.File, args.Text)
	if wrong != nil {
		return wrong, nil
	}
	defer w.closeTrial(t)
	printed := &host.Buffer{Max: sealed.DefaultText}
	o := &engine.RunOptions{Transaction: true, Served: true, Limits: w.set.Limits, Output: printed, Error: printed}
	o.Time = min(o.Time, benchTime)
	limit := cmp.Or(args.Limit, 10)
	answers, more, thrown := answersOf(ctx, t, args.Goal, o, limit)
	lines := slices.Clone(answers)
	result := map[string]any{"answers": append([]string{}, answers...), "more": more}
	switch {
	case thrown != "":
		lines = append(lines, "Error: "+thrown)
		result["error"] = thrown
	case more:
		lines = append(lines, "There are more.")
	case len(answers) == 0:
		lines = append(lines, "No.")
		if line := nearestOf(ctx, t, args.Goal); line != "" && !args.Why {
			lines, result["miss"] = append(lines, line), line
		}
	}
	if args.Why && thrown == "" {
		text := w.benchWhy(ctx, t, args.Goal, len(answers) > 0)
		lines, result["why"] = append(lines, text), text
	}
	if printed.Len() > 0 {
		output := printed.String()
		lines, result["output"] = append(lines, "Output: "+output), output
	}
	return benchResult(strings.Join(lines, "\n"), result)
}

// benchTime is how long a goal that is tried may run.
const benchTime = 10 * time.Second

// nearestOf is the nearest miss of a goal without answers, "" when none is found soon.
func nearestOf(ctx context.Context, t *kb.Trial, goal string) string {
	misses, err := t.Snapshot.Program.WhyNot(ctx, goal, &engine.WhyOptions{Limits: engine.Limits{Time: why.MissTime}})
	if err != nil {
		return ""
	}
	return misses.Line
}

// answersOf runs a goal and shows its answers. thrown says what ended it otherwise, or is "".
func answersOf(ctx context.Context, t *kb.Trial, goal string, o *engine.RunOptions, limit int) (answers []string,
	more bool, thrown string) {
	r, err := t.Snapshot.Program.Start(goal, o)
	if err != nil {
		return nil, false, err.Error()
	}
	defer r.Close()
	for {
		state, err := r.Next(ctx)
		switch {
		case err != nil:
			return answers, false, err.Error()
		case state == engine.Waiting:
			return answers, false, "the goal asks the user, who cannot be asked here"
		case state != engine.Answer:
			return answers, false, ""
		case len(answers) == limit:
			return answers, true, ""
		}
		answers = append(answers, answerText(r.Solution()))
	}
}

// answerText shows an answer as bindings, not too long.
func answerText(solution engine.Solution) string {
	var parts []string
	for i, name := range solution.Names() {
		if !strings.HasPrefix(name, "_") {
			parts = append(parts, name+" = "+content.Show(solution.Values()[i]))
		}
	}
	switch {
	case solution.Undefined():
		parts = append(parts, "undefined")
	case len(parts) == 0:
		return "true"
	}
	return strings.Join(parts, ", ")
}

// benchWhy is the proof of the first answer of a goal, or what it has missed.
func (w *Bench) benchWhy(ctx context.Context, t *kb.Trial, goal string, answered bool) string {
	if answered {
		proof, err := t.Snapshot.Program.Why(ctx, goal, nil)
		if err != nil {
			return "No reasons: " + err.Error()
		}
		return proof.Text
	}
	misses, err := t.Snapshot.Program.WhyNot(ctx, goal, nil)
	if err != nil {
		return "No reasons: " + err.Error()
	}
	return misses.Text
}

// outcomes runs the tests of a trial. wrong is the result that says that they cannot be run.
func (w *Bench) outcomes(ctx context.Context, t *kb.Trial) (list []kb.TestOutcome, wrong *mcp.CallToolResult) {
	list, err := t.Test(ctx, w.set.Memory)
	if err != nil {
		return nil, refusal.Result("thrown", "The tests could not be run: "+err.Error())
	}
	return append(list, w.served.Cases(ctx, t.Snapshot, t.FS())...), nil
}

// tested runs the tests with a text in place of a file, in a copy that is gone afterwards.
func (w *Bench) tested(ctx context.Context, file, text string) (list []kb.TestOutcome, wrong *mcp.CallToolResult) {
	t, wrong := w.try(ctx, file, text)
	if wrong != nil {
		return nil, wrong
	}
	defer w.closeTrial(t)
	return w.outcomes(ctx, t)
}

// failures are the outcomes of tests that failed.
func failures(list []kb.TestOutcome) (failed []kb.TestOutcome) {
	for _, one := range list {
		if !one.Passed {
			failed = append(failed, one)
		}
	}
	return failed
}

// testKey is what a test stays the same test by when a text changes.
type testKey struct {
	file, name string
	isCase     bool
}

func keyOf(one kb.TestOutcome) testKey { return testKey{one.File, one.Name, one.Case} }

// outcomeText shows how many tests passed, and those that failed.
func outcomeText(list []kb.TestOutcome) string {
	failed := failures(list)
	text := fmt.Sprintf("%s: %d passed, %d "+
		"failed.", spell.Count(len(list), "test"), len(list)-len(failed), len(failed))
	for _, one := range failed {
		text += fmt.Sprintf("\n%s:%d: %s: %s", one.File, one.Line, one.Name, one.Message)
	}
	return text
}

func (w *Bench) benchTest(ctx context.Context, args *benchArguments) (*mcp.CallToolResult, error) {
	list, wrong := w.tested(ctx, args.File, args.Text)
	if wrong != nil {
		return wrong, nil
	}
	return benchResult(outcomeText(list), map[string]any{"ok": len(failures(list)) == 0,
		"tests": append([]kb.TestOutcome{}, list...)})
}

func (w *Bench) benchDiff(ctx context.Context, args *benchArguments) (*mcp.CallToolResult, error) {
	var lists [2][]kb.TestOutcome
	var snapshots [2]*kb.Snapshot
	for i, given := range [2]benchArguments{{}, *args} {
		t, wrong := w.try(ctx, given.File, given.Text)
		if wrong == nil {
			defer w.closeTrial(t)
			snapshots[i] = t.Snapshot
			lists[i], wrong = w.outcomes(ctx, t)
		}
		if wrong != nil {
			return wrong, nil
		}
	}
	differences := []string{}
	was := map[testKey][]kb.TestOutcome{} // several tests may have one name
	for _, one := range lists[0] {
		was[keyOf(one)] = append(was[keyOf(one)], one)
	}
	for _, one := range lists[1] {
		var old kb.TestOutcome
		same := was[keyOf(one)]
		known := len(same) > 0
		if known {
			old, was[keyOf(one)] = same[0], same[1:]
		}
		switch {
		case !known && one.Passed:
			differences = append(differences, one.Name+" is new and passes")
		case !known:
			differences = append(differences, one.Name+" is new and fails: "+one.Message)
		case old.Passed && !one.Passed:
			differences = append(differences, one.Name+" passed and would fail: "+one.Message)
		case !old.Passed && one.Passed:
			differences = append(differences, one.Name+" failed and would pass")
		}
		if known {
			differences = append(differences, answerChanges(one.Name, old.Answers, one.Answers)...)
		}
	}
	for _, one := range lists[0] {
		if same := was[keyOf(one)]; len(same) > 0 {
			differences = append(differences, one.Name+" would be gone")
			was[keyOf(one)] = same[1:]
		}
	}
	decided, calls := w.served.Differences(ctx, snapshots[0], snapshots[1])
	differences = append(differences, decided...)
	structure := map[string]any{"changes": differences}
	if calls > 0 {
		structure["calls"] = calls
	}
	text := strings.Join(differences, "\n")
	if text == "" {
		text = "No test or example would end otherwise, and no example would have other answers. If the text says " +
			"something else than before, add a test that tells the two apart."
		structure["note"] = text
	}
	return benchResult(text, structure)
}

// answerChanges says which answers of an example would come and go.
func answerChanges(name string, before, after []string) (list []string) {
	for _, one := range after {
		if !slices.Contains(before, one) {
			list = append(list, name+" would also answer "+one)
		}
	}
	for _, one := range before {
		if !slices.Contains(after, one) {
			list = append(list, name+" would no longer answer "+one)
		}
	}
	return list
}
