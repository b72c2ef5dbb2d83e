package workbench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the tools that read and save files.

func (w *Bench) benchFiles(context.Context, *benchArguments) (*mcp.CallToolResult, error) {
	files, err := rulefiles.List(w.set.Folder)
	if err != nil {
		return refusal.Result("bad_arguments", refusal.Capitalize(err.Error())+"."), nil
	}
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s (%d bytes)\n", f.Name, f.Bytes)
	}
	if len(files) == 0 {
		b.WriteString("There are no files yet.")
	}
	return benchResult(strings.TrimRight(b.String(), "\n"), map[string]any{"files": append([]rulefiles.File{}, files...)})
}

// read returns the text of the file that args name, and its hash. wrong is the result that says that there is none.
func (w *Bench) read(args *benchArguments) (text, hash string, wrong *mcp.CallToolResult) {
	text, hash, err := rulefiles.Read(w.set.Folder, args.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", refusal.Result("bad_arguments", fmt.Sprintf("There is no file %s; kb_files lists them.", args.File))
	case err != nil:
		return "", "", refusal.Result("bad_arguments", fmt.Sprintf("%s cannot be read: %s.", args.File, err))
	}
	return text, hash, nil
}

// sheets returns the decision tables of a workbook that is no text, as CSV, "" if there are none.
func (w *Bench) sheets(file string) string {
	p := inner.Of(w.served.Snapshot().Program)
	var b strings.Builder
	for _, t := range p.Tables(0) {
		if path.Ext(file) == ".xlsx" && strings.HasSuffix("/"+p.FileName(t.File), "/"+file) {
			if write, _, err := p.Table(t.Predicate, "csv"); err == nil {
				_ = write(&b) // a Builder takes everything
			}
		}
	}
	return b.String()
}

func (w *Bench) benchRead(_ context.Context, args *benchArguments) (*mcp.CallToolResult, error) {
	if text := w.sheets(args.File); text != "" {
		return benchResult("The decision table of the workbook "+args.File+" as CSV. To change it, save the text as a "+
			"CSV file, and let the directive read that.\n"+text, map[string]any{"text": text})
	}
	text, hash, wrong := w.read(args)
	if wrong != nil {
		return wrong, nil
	}
	lines := slices.Collect(strings.Lines(text))
	first := min(max(args.From-1, 0), len(lines))
	const room = sealed.DefaultText - 1000 // for the words around it
	end, size := first, 0
	most := min(len(lines), first+cmp.Or(args.Lines, len(lines)))
	for end < most && (end == first || size+len(lines[end]) <= room) {
		size += len(lines[end])
		end++
	}
	result := map[string]any{"text": strings.Join(lines[first:end], ""), "hash": hash}
	shown := fmt.Sprintf("%s, hash %s:\n%s", args.File, hash, result["text"])
	if end < len(lines) {
		result["next"] = end + 1
		shown = fmt.Sprintf("%s, hash %s, line %d to %d; there is more from line %d:\n%s", args.File, hash, first+1, end,
			end+1, result["text"])
	}
	if saves := rulefiles.History(w.set.Folder, args.File, 3); len(saves) > 0 {
		result["saves"] = saves
		for _, s := range saves {
			by := cmp.Or(strings.Join(strings.Fields(s.By), " "), "somebody")
			shown += fmt.Sprintf("\nSaved by %s on %s, hash %s", by, s.Time.Format(time.DateTime), s.Hash)
		}
	}
	return benchResult(shown, result)
}

// notSaved is the result of a save that says why nothing was saved.
func notSaved(format string, args ...any) (*mcp.CallToolResult, error) {
	return refusal.Result("not_saved", "Nothing was saved. "+fmt.Sprintf(format, args...)), nil
}

func (w *Bench) benchEdit(ctx context.Context, args *benchArguments) (*mcp.CallToolResult, error) {
	text, _, wrong := w.read(args)
	if wrong != nil {
		return wrong, nil
	}
	switch n := strings.Count(text, args.Old); {
	case args.Old == "" || n == 0:
		return notSaved("The part to be changed does not stand in %s.", args.File)
	case n > 1:
		return notSaved("The part to be changed stands %d times in %s; give more of what is around it.", n, args.File)
	}
	args.Text = strings.Replace(text, args.Old, *args.New, 1)
	return w.benchSave(ctx, args)
}

func (w *Bench) benchUndo(ctx context.Context, args *benchArguments) (*mcp.CallToolResult, error) {
	saves := rulefiles.History(w.set.Folder, args.File, math.MaxInt)
	wanted := args.Version
	if wanted == "" && len(saves) > 0 {
		wanted = saves[0].Was
	}
	if wanted == "" {
		return notSaved("%s was not saved before, so there is nothing to go back to.", args.File)
	}
	if !slices.ContainsFunc(saves, func(s rulefiles.Saved) bool { return wanted == s.Was || wanted == s.Hash }) {
		return notSaved("%s has no version %s; kb_read lists the last ones.", args.File, wanted)
	}
	text, err := rulefiles.Version(w.set.Folder, wanted)
	if err != nil {
		return notSaved("The version %s of %s is not kept any more.", wanted, args.File)
	}
	args.Text = text
	return w.benchSave(ctx, args)
}

func (w *Bench) benchSave(ctx context.Context, args *benchArguments) (*mcp.CallToolResult, error) {
	saves := w.saves.Load()
	t, wrong := w.try(ctx, args.File, args.Text)
	if wrong != nil {
		return wrong, nil
	}
	defer w.closeTrial(t)
	list, wrong := w.outcomes(ctx, t)
	if wrong != nil {
		return wrong, nil
	}
	if w.forbids(ctx, args.File, failures(list)) {
		return notSaved("%s", outcomeText(list))
	}
	gone := w.gone(ctx, t, args)
	if len(gone) > 0 && !args.Remove {
		return notSaved("These would be gone; say remove if that is meant:\n%s", strings.Join(gone, "\n"))
	}
	w.saving.Lock()
	defer w.saving.Unlock()
	if w.saves.Load() != saves {
		return notSaved("Another client has changed a file meanwhile, which the text was not tried with. Save it again.")
	}
	hash, err := rulefiles.Save(w.set.Folder, args.File, args.Text, args.Hash, args.author)
	done := "Saved and served"
	switch {
	case errors.Is(err, rulefiles.ErrSame):
		done = "Nothing was changed: the file has this text already"
	case errors.Is(err, rulefiles.ErrChanged) && args.Hash == "":
		return notSaved("There is a file %s. Read it by kb_read, and give its hash.", args.File)
	case errors.Is(err, rulefiles.ErrChanged):
		return notSaved("%s has changed since it had this hash. Read it again by kb_read.", args.File)
	case err != nil:
		return notSaved("%s.", refusal.Capitalize(err.Error()))
	}
	if err == nil {
		w.saves.Add(1)
	}
	if err := w.served.Reload(ctx); err != nil {
		return refusal.Result("not_loaded", "The file is saved, and the knowledge base is not served anew: "+
			err.Error()), nil
	}
	text := fmt.Sprintf("%s, hash %s. %s", done, hash, outcomeText(list))
	if len(gone) > 0 {
		text += "\nGone:\n" + strings.Join(gone, "\n")
	}
	if len(t.Report) > 0 {
		text += "\n" + reportText(t.Report)
	}
	ok := struct {
		Saved  string          `json:"saved"`
		Hash   string          `json:"hash"`
		Gone   []string        `json:"gone"`
		Tools  []string        `json:"tools"`
		Report json.RawMessage `json:"report"`
	}{args.File, hash, append([]string{}, gone...), []string{}, reportJSON(t.Report)}
	for _, t := range w.served.Snapshot().Tools {
		ok.Tools = append(ok.Tools, t.Name)
	}
	return benchResult(text, ok)
}

// Discard removes a new file that a person has saved for another one, and serves what is left.
func (w *Bench) Discard(ctx context.Context, file, hash string, by rulefiles.Author) error {
	w.saving.Lock()
	defer w.saving.Unlock()
	if err := rulefiles.Discard(w.set.Folder, file, hash, by); err != nil {
		return err
	}
	w.saves.Add(1)
	if err := w.served.Reload(ctx); err != nil {
		return fmt.Errorf("the file is removed, and the knowledge base is not served anew: %w", err)
	}
	return nil
}

// forbids reports whether failures forbid a save. Tests and cases that fail already do not, so that rules are mended
// step by step. Nor does a case that is saved itself: the case or the rule has to be saved first when both change.
func (w *Bench) forbids(ctx context.Context, file string, failed []kb.TestOutcome) bool {
	left := slices.DeleteFunc(failed, func(one kb.TestOutcome) bool { return one.Case && one.File == file })
	if len(left) == 0 {
		return false
	}
	was, wrong := w.tested(ctx, "", "")
	counts := map[testKey]int{} // several tests may have one name
	for _, old := range failures(was) {
		counts[keyOf(old)]++
	}
	return wrong != nil || slices.ContainsFunc(left, func(one kb.TestOutcome) bool {
		counts[keyOf(one)]--
		return counts[keyOf(one)] < 0
	})
}

// gone lists the tools, predicates, tests and examples that are there now and would not be in the trial of a text.
func (w *Bench) gone(ctx context.Context, t *kb.Trial, args *benchArguments) (gone []string) {
	old, _, _ := rulefiles.Read(w.set.Folder, args.File) // "" for a new file
	was := append(namesOf(ctx, w.served.Snapshot()), rulefiles.TestsIn(args.File, old)...)
	is := append(namesOf(ctx, t.Snapshot), rulefiles.TestsIn(args.File, args.Text)...)
	for _, name := range was {
		if !slices.Contains(is, name) {
			gone = append(gone, name)
		}
	}
	return gone
}

// namesOf lists the tools, prompts, resources, predicates and examples of a snapshot.
func namesOf(ctx context.Context, s *kb.Snapshot) (names []string) {
	for _, e := range s.Examples() {
		names = append(names, "test "+e.Predicate+": "+e.Title)
	}
	for _, t := range s.Tools {
		names = append(names, "tool "+t.Name)
	}
	for _, p := range s.Prompts {
		names = append(names, "prompt "+p.Name)
	}
	for _, r := range slices.Concat(s.Resources, s.Templates) {
		names = append(names, "resource "+r.URI)
	}
	for _, word := range s.Vocabulary(ctx) {
		if word.File != "" { // what calls have made does not come from the files
			names = append(names, "predicate "+word.Predicate)
		}
	}
	return names
}
