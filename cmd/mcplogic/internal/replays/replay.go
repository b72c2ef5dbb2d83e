// Package replays is mcplogic replay and mcplogic decision: recorded calls run again, and the differences.
package replays

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/tests"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file defines mcplogic replay and mcplogic decision, which run recorded calls again.

// replay holds the flags of mcplogic replay, and what it has come to. errOut takes notes, out results.
type replay struct {
	flags         settings.ServerFlags
	since         string
	sample        float64
	tools         []string
	asJSON        bool
	junit, accept string
	store         string // whose facts at earlier moments calls have asked for

	cmd      *cobra.Command
	paths    []string
	log      *decisions.Log
	accepted *decisions.Accepted // nil without rules of its own to keep them beside
	facts    decisions.Facts
	past     *kb.Store        // nil without a flag for it
	now      *side            // answers on the rules that are tried
	then     map[string]*side // answer on the rules of the day, by digest; of the present process
	gone     map[string]error // why archives cannot be loaded
	asks     bool             // rules ask databases
	unnamed  bool             // no database is named
	zone     string           // of calls that were made in another time zone, "" if there are none
	gap      bool             // facts have changed in this process, and nobody knows how
	results  []tests.Result
	replayCounts
}

// replayCounts is what a replay has come to.
type replayCounts struct {
	Replayed  int            `json:"replayed"`
	Different int            `json:"different"`
	Accepted  int            `json:"accepted"`
	Skipped   map[string]int `json:"skipped"`
	Damaged   int            `json:"damaged"`
}

// NewReplay makes the command that replays recorded calls.
func NewReplay() *cobra.Command {
	r := &replay{}
	cmd := &cobra.Command{
		Use:   "replay [flags] DIR [PATH]",
		Short: "Run recorded calls again, on their own rules or on those in PATH",
		Args:  cli.NeedWords(1, 2, "the DIR of a record, and takes the PATH of rules"),
		RunE:  func(cmd *cobra.Command, args []string) error { return r.run(cmd, args[0], args[1:]) },
	}
	flags := cmd.Flags()
	r.flags.Add(flags)
	flags.StringVar(&r.since, "since", "", "only calls since this time or date, or for so long, such as 720h")
	flags.Float64Var(&r.sample, "sample", 0, "only this share of the calls, such as 0.1; 0: all")
	flags.StringArrayVar(&r.tools, "tool", nil, "only calls of this tool; may be repeated")
	flags.BoolVar(&r.asJSON, "json", false, "print differences as JSON, one a line")
	flags.StringVar(&r.junit, "junit", "", "write the results to this file as JUnit does")
	r.addStore(flags)
	flags.StringVar(&r.accept, "accept", "",
		"accept the differences for this reason, which is kept beside the rules in "+acceptedFile)
	return cmd
}

// addStore defines the flag for the store of the server.
func (r *replay) addStore(flags *pflag.FlagSet) {
	flags.StringVar(&r.store, "store", "",
		"the store of the server, file:DIR or postgres://..., for calls with as_of; it is only read")
}

// acceptedFile is beside the rules.
const acceptedFile = "decisions.accepted"

// run replays what the flags choose. The exit code says whether an answer differs.
func (r *replay) run(cmd *cobra.Command, dir string, paths []string) error {
	filter := &decisions.Filter{Tools: r.tools, Sample: r.sample}
	var err error
	if filter.Since, err = parseSince(r.since); err != nil {
		return err
	}
	if len(paths) > 0 {
		if r.accepted, err = decisions.ReadAccepted(besideRules(paths[0])); err != nil {
			return err
		}
	} else if r.accept != "" {
		return errors.New("--accept needs the PATH of the rules, beside which the reason is kept")
	}
	if err := r.open(cmd, dir, paths, filter); err != nil {
		return err
	}
	defer r.log.Close()
	if err := r.log.Steps(r.step); err != nil {
		return err
	}
	return r.finish()
}

// besideRules is the file of accepted differences for a file or folder of rules.
func besideRules(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		path = filepath.Dir(path)
	}
	return filepath.Join(path, acceptedFile)
}

// parseSince reads a time, a date, or how long ago.
func parseSince(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(text); err == nil {
		return time.Now().Add(-ago), nil
	}
	quoted, _ := json.Marshal(text) // a string always has JSON
	since, err := bridge.ParseTime(quoted)
	if err != nil {
		return since, fmt.Errorf("--since: %w, or a duration such as 720h", err)
	}
	return since, nil
}

// open finds the calls, and says what is wrong with the record.
func (r *replay) open(cmd *cobra.Command, dir string, paths []string, filter *decisions.Filter) (err error) {
	r.cmd, r.paths = cmd, paths
	r.Skipped, r.then, r.gone = map[string]int{}, map[string]*side{}, map[string]error{}
	if r.store != "" {
		if r.past, err = kb.ReadStore(cmd.Context(), r.store, "", time.Time{}, cli.Tell(cmd)); err != nil {
			return err
		}
	}
	if r.log, err = decisions.Read(dir, filter); err != nil {
		return err
	}
	note := cli.Tell(cmd)
	for _, name := range r.log.Torn {
		note(name + ": the last line was cut off when the server ended, and is passed over")
	}
	for _, place := range r.log.Damaged {
		note(place)
	}
	if r.Damaged = len(r.log.Damaged); r.log.Later > 0 {
		r.Skipped["they are of a later version of mcplogic"] = r.log.Later
	}
	if n := len(r.log.Unconfirmed); n > 0 {
		r.Skipped["the server ended while they were being committed"] = n
	}
	return nil
}

// side is a server of some rules that calls are replayed on.
type side struct {
	server  *bridge.Server
	program *engine.Program
	digest  string
	limits  decisions.Limits
}

// serves reports whether the server has the rules of a digest and the limits of a record, so that it can replay the
// record.
func (s *side) serves(digest string, was *decisions.Record) bool {
	return s != nil && s.digest == digest && s.limits == limitsOf(was)
}

func limitsOf(was *decisions.Record) decisions.Limits {
	return *cmp.Or(was.Limits, &decisions.Limits{})
}

// load returns the rules that have a digest, from the archive. For "" it loads the paths of the command.
func (r *replay) load(digest string) (*kb.Snapshot, error) {
	options := r.flags.Load(r.cmd)
	if options.Databases != nil {
		options.Databases = noticing{options.Databases, &r.asks}
	}
	r.unnamed = options.Databases == nil
	paths := r.paths
	if digest != "" {
		archive, err := r.log.Rules(digest)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New("their rules are gone")
		} else if err != nil {
			return nil, fmt.Errorf("their rules cannot be read: %w", err)
		}
		rules, own, err := options.OpenArchive(archive)
		if err != nil {
			return nil, fmt.Errorf("their rules cannot be read: %w", err)
		}
		options, paths = own, rules.Paths
	}
	snapshot, report := cli.LoadFiles(r.cmd.Context(), r.cmd.ErrOrStderr(), paths, options)
	if digest == "" {
		cli.PrintDiagnostics(r.cmd.ErrOrStderr(), report)
	}
	if snapshot == nil && digest == "" {
		return nil, cli.NotLoaded(report)
	} else if snapshot == nil {
		return nil, fmt.Errorf("their rules do not load any more: %w", report.Err())
	}
	if digest != "" && snapshot.Rules.Digest != digest {
		why := " were loaded by another version of the engine"
		if r.asks {
			why += ", or have copies of tables that have other rows now"
		}
		cli.Tell(r.cmd)("the rules " + inner.ShortDigest(digest) + why)
	}
	return snapshot, nil
}

// noticing are databases that note whether rules ask them.
type noticing struct {
	relation.Databases
	asked *bool
}

func (n noticing) Check(ctx context.Context, q *relation.Query) error {
	*n.asked = true
	return n.Databases.Check(ctx, q)
}

// Version implements relation.Copier.
func (n noticing) Version(ctx context.Context, c *relation.Copy) (string, error) {
	if copier, ok := n.Databases.(relation.Copier); ok {
		return copier.Version(ctx, c)
	}
	return "", errors.New("the databases tell no versions")
}

// begin makes a server of rules for a record, with the facts of this moment. It keeps the server that there is if that
// has the limits of the record.
func (r *replay) begin(digest string, was *decisions.Record, on *side) (*side, error) {
	snapshot, err := r.load(digest)
	if err != nil {
		return nil, err
	}
	if err := r.facts.GiveTo(snapshot.Program); err != nil {
		return nil, err
	}
	if on != nil && on.limits == limitsOf(was) {
		on.server.Sync(snapshot)
	} else {
		if on != nil {
			on.server.Close()
		}
		options, err := r.flags.Options(r.cmd, append(slices.Clip(r.paths), "decisions")) // a name is all it takes
		if err != nil {
			return nil, err
		}
		r.limit(options, was.Limits)
		options.Store = r.past
		on = &side{server: bridge.NewServer(snapshot, options), limits: limitsOf(was)}
	}
	on.program, on.digest = snapshot.Program, digest
	return on, nil
}

// limit gives a server the limits of a record, where no flag says otherwise.
func (r *replay) limit(o *bridge.Options, l *decisions.Limits) {
	if l == nil {
		return
	}
	set := func(flag string, to *int, limit int) {
		if limit > 0 && (flag == "" || !r.cmd.Flags().Changed(flag)) {
			*to = limit
		}
	}
	set("max-memory", &o.Memory, l.Memory)
	set("max-solutions", &o.Solutions, l.Solutions)
	set("max-result", &o.MaxResult, l.Result)
	set("", &o.MaxText, l.Text)
	if l.Inferences > 0 && !r.cmd.Flags().Changed("max-inferences") {
		o.Inferences = l.Inferences
	}
}

// step does one step of the record.
func (r *replay) step(s *decisions.Step) error {
	switch {
	case r.cmd.Context().Err() != nil:
		return r.cmd.Context().Err()
	case s.Begins:
		r.facts.Begin(s.Facts)
		r.gap = false
		r.end()
		return nil
	case s.Gap:
		r.gap = true
		return nil
	case s.Damaged != "":
		r.Damaged++
		cli.Tell(r.cmd)(s.Damaged)
		return nil
	case s.Call == nil && r.gap: // no call of the process is replayed any more
		return nil
	case s.Call == nil:
		return r.change(s.Changes)
	}
	return r.call(s.Call)
}

// end ends the servers of a process.
func (r *replay) end() {
	for _, one := range r.then {
		one.server.Close()
	}
	if r.now != nil {
		r.now.server.Close()
	}
	clear(r.then)
	r.now = nil
}

// change makes changes of facts on all sides.
func (r *replay) change(changes []string) error {
	r.facts.Change(changes)
	sides := slices.Collect(maps.Values(r.then))
	if r.now != nil {
		sides = append(sides, r.now)
	}
	for _, one := range sides {
		if err := decisions.Redo(one.program, changes); err != nil {
			cli.Tell(r.cmd)("a change of facts cannot be made: " + err.Error())
		}
	}
	return nil
}

// call replays a call.
func (r *replay) call(was *decisions.Record) error {
	reason := was.Replayable(r.past != nil)
	if r.gap {
		reason = "it is not recorded how facts changed before"
	}
	if reason != "" {
		r.Skipped[reason]++
		return nil
	}
	digest := ""
	if len(r.paths) == 0 {
		digest = was.Rules
	}
	if err := r.gone[digest]; err != nil {
		r.Skipped[err.Error()]++
		return nil
	}
	if !r.now.serves(digest, was) {
		next, err := r.begin(digest, was, r.now)
		if err != nil && digest == "" {
			return err
		} else if err != nil {
			r.gone[digest] = err
			r.Skipped[err.Error()]++
			return nil
		}
		r.now = next
	}
	if place, exact := was.Place(); !exact {
		r.zone = was.Time.In(place).Format("-07:00")
	}
	now, _ := r.now.server.Replay(r.cmd.Context(), was, nil)
	if r.unnamed && was.Statements > 0 && now.Statements == 0 && now.Outcome == "existence_error" {
		r.Skipped["they ask a database, and --sql names none"]++
		return nil
	}
	r.Replayed++
	if decisions.Same(was, now) {
		r.note(was, "passed", "", "")
		return nil
	}
	if r.accepted != nil {
		reason, ok := r.accepted.Reason(now)
		if !ok && r.accept != "" {
			reason, ok = r.accept, true
			if err := r.accepted.Accept(now, reason); err != nil {
				return err
			}
		}
		if ok {
			r.Accepted++
			r.note(was, "fixme", reason, "")
			return nil
		}
	}
	return r.differs(was, now)
}

// difference is a call whose answer differs, as --json prints it.
type difference struct {
	ID        string            `json:"id"`
	Time      time.Time         `json:"time"`
	Tool      string            `json:"tool"`
	Arguments json.RawMessage   `json:"arguments,omitempty"`
	Was       *decisions.Record `json:"was"`
	Now       *decisions.Record `json:"now"`
	WhyWas    string            `json:"why_was,omitempty"`
	WhyNow    string            `json:"why_now,omitempty"`
	Note      string            `json:"note,omitempty"`
}

// differs shows a difference with its reasons.
func (r *replay) differs(was, now *decisions.Record) error {
	r.Different++
	d := &difference{ID: was.ID, Time: was.Time, Tool: was.Tool, Arguments: was.Arguments, Was: was, Now: now}
	_, d.WhyNow = r.now.server.Replay(r.cmd.Context(), was, was)
	d.WhyWas, d.Note = r.whyWas(was, now)
	if slices.Equal(was.Changes, now.Changes) {
		was.Changes, now.Changes = nil, nil // only what differs is shown
	}
	r.note(was, "failed", was.Text()+" became "+now.Text(), d.text())
	if r.asJSON {
		return cli.PrintJSON(r.cmd.OutOrStdout(), d)
	}
	_, err := io.WriteString(r.cmd.OutOrStdout(), d.text())
	return err
}

// whyWas explains the recorded answer by the rules of its day. note says why it does not.
func (r *replay) whyWas(was, now *decisions.Record) (text, note string) {
	if len(r.paths) == 0 {
		return "", "these are its own rules: the record or something that the rules ask has changed"
	}
	err := r.gone[was.Rules]
	one := r.then[was.Rules]
	if err == nil && !one.serves(was.Rules, was) {
		one, err = r.begin(was.Rules, was, one)
	}
	if err != nil {
		r.gone[was.Rules] = err
		return "", strings.Replace(err.Error(), "their", "its", 1)
	}
	r.then[was.Rules] = one
	again, text := one.server.Replay(r.cmd.Context(), was, now)
	if !decisions.Same(was, again) {
		note = "its own rules give another answer now, too: " + again.Text()
	}
	return text, note
}

// text is a difference for people.
func (d *difference) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %s\n", d.ID, d.Time.UTC().Format(time.RFC3339), d.Tool, d.Arguments)
	show := func(label, text string) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&b, "  %s: %s\n", label, strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	show("was", d.Was.Text())
	show("changed", strings.Join(d.Was.Changes, "\n"))
	show("why", d.WhyWas)
	show("now", d.Now.Text())
	show("changes", strings.Join(d.Now.Changes, "\n"))
	show("why", d.WhyNow)
	show("note", d.Note)
	return b.String() + "\n"
}

// note keeps a result for JUnit.
func (r *replay) note(was *decisions.Record, status, message, text string) {
	if r.junit != "" {
		r.results = append(r.results, tests.Result{Unit: was.Tool, Test: was.ID, Status: status, Message: message, Why: text})
	}
}

// finish says what the replay has come to and returns the exit code.
func (r *replay) finish() error {
	defer r.end()
	if r.accepted != nil {
		if err := r.accepted.Write(); err != nil {
			return err
		}
	}
	out := r.cmd.OutOrStdout()
	if r.asJSON {
		if err := cli.PrintJSON(out, r.replayCounts); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(out, "%s replayed, %d different", spell.Count(r.Replayed, "call"), r.Different)
		if r.Accepted > 0 {
			fmt.Fprintf(out, ", %d accepted", r.Accepted)
		}
		fmt.Fprintln(out)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Skipped)) {
		cli.Tell(r.cmd)(fmt.Sprintf("%s not replayed: %s", spell.Count(r.Skipped[reason], "call"), reason))
	}
	if r.asks {
		cli.Tell(r.cmd)("these rules ask databases, whose rows are those of now and not of the record")
	}
	if r.zone != "" {
		cli.Tell(r.cmd)("the calls were made in another time zone, of which only the offset is known, " + r.zone +
			"; set TZ to it if they compute local times of other seasons")
	}
	if err := tests.WriteJUnit(r.junit, r.results); err != nil {
		return err
	}
	switch {
	case r.Different+r.Damaged > 0:
		return cli.Exit(cli.ExitNo)
	case r.Replayed == 0:
		return errors.New("no call was replayed")
	}
	return nil
}

// NewDecision makes the command that shows one recorded call.
func NewDecision() *cobra.Command {
	r := &replay{}
	cmd := &cobra.Command{
		Use:   "decision [flags] ID DIR",
		Short: "Show a recorded call with its proof, by the rules of its day",
		Args:  cli.NeedWords(2, 2, "the ID of a call and the DIR of a record"),
		RunE:  func(cmd *cobra.Command, args []string) error { return r.show(cmd, args[0], args[1]) },
	}
	r.flags.Add(cmd.Flags())
	r.addStore(cmd.Flags())
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print the record and its proof as JSON")
	return cmd
}

// errShown ends the steps of a record.
var errShown = errors.New("shown")

// show shows one call.
func (r *replay) show(cmd *cobra.Command, id, dir string) error {
	if err := r.open(cmd, dir, nil, &decisions.Filter{ID: id}); err != nil {
		return err
	}
	defer r.log.Close()
	defer r.end()
	err := r.log.Steps(func(s *decisions.Step) error {
		if s.Call == nil {
			return r.step(s)
		}
		if err := r.print(s.Call); err != nil {
			return err
		}
		return errShown
	})
	switch {
	case err == errShown:
		return nil
	case err == nil && slices.Contains(r.log.Unconfirmed, id):
		return fmt.Errorf("the server ended while %s was being committed; nobody knows whether it was", id)
	case err == nil:
		return fmt.Errorf("there is no decision %s in %s", id, dir)
	}
	return err
}

// print prints a call with its proof.
func (r *replay) print(was *decisions.Record) error {
	d := &difference{Note: was.Replayable(r.past != nil)}
	if r.gap {
		d.Note = "it is not recorded how facts changed before"
	}
	if d.Note == "" {
		one, err := r.begin(was.Rules, was, nil)
		if err != nil {
			d.Note = strings.Replace(err.Error(), "their", "its", 1)
		} else if r.now = one; err == nil {
			var again *decisions.Record
			if again, d.WhyWas = one.server.Replay(r.cmd.Context(), was, &decisions.Record{}); !decisions.Same(was, again) {
				d.Note = "the answer is another one now: " + again.Text()
			}
		}
	}
	out := r.cmd.OutOrStdout()
	if r.asJSON {
		return cli.PrintJSON(out, struct {
			*decisions.Record
			Why  string `json:"why,omitempty"`
			Note string `json:"note,omitempty"`
		}{was, d.WhyWas, d.Note})
	}
	show := func(label, text string) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(out, "%-10s %s\n", label, strings.ReplaceAll(text, "\n", "\n           "))
		}
	}
	client := cmp.Or(was.Client, &decisions.Client{})
	show("decision", was.ID)
	show("time", was.Time.UTC().Format(time.RFC3339Nano))
	show("user", was.User)
	show("client", client.Name+" "+client.Version)
	show("tool", was.Tool+" "+string(was.Arguments))
	show("assumed", string(was.Assume))
	show("without", string(was.Without))
	if was.Given != nil {
		show("given", strings.Join(was.Given.Assume, "\n"))
		show("taken away", strings.Join(was.Given.Without, "\n"))
	}
	for _, a := range was.Answers {
		show("answer", strings.TrimSpace(a.Key+": "+a.Action+" "+string(a.Content)+" "+a.Why))
	}
	show("rules", was.Rules)
	show("sequence", was.Sequence)
	if was.Statements > 0 {
		show("statements", strconv.FormatInt(was.Statements, 10))
	}
	show("result", was.Text())
	show("changed", strings.Join(was.Changes, "\n"))
	show("omitted", strings.Join(was.Omitted, ", "))
	show("why", d.WhyWas)
	show("note", d.Note)
	return nil
}
