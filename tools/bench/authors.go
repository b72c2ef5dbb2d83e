// This file defines the benchmark of authors: rule files as they were first written from a text, the calls that they
// get wrong, and which of these faults check names.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/kb"
)

// A fault is a hidden test that a first file fails.
type fault struct {
	Test string `json:"test"`
	// Named is the code and line of the diagnostic or note that names the cause. It is "-" if there is none.
	Named string `json:"named"`
	Cause string `json:"cause"`
	// Got is the answer.
	Got string `json:"got"`
}

// A domain is a folder of the benchmark with what was found there.
type domain struct {
	Name   string   `json:"name"`
	Report []string `json:"report"` // code:line of each diagnostic
	Notes  []string `json:"notes"`  // the same of each note
	Tests  int      `json:"tests"`
	Faults []fault  `json:"faults"`
}

// named counts the faults whose cause a diagnostic names.
func (d *domain) named() (n int) {
	for _, f := range d.Faults {
		if f.Named != "-" {
			n++
		}
	}
	return n
}

// An authorReport has all domains.
type authorReport []domain

// Table prints the report. Below the sums are the faults that no diagnostic names.
func (r authorReport) Table(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "domain\tfirst check\ttests\tfaults left\tnamed\t")
	for _, d := range r {
		report := strings.Join(d.Report, " ")
		if report == "" {
			report = "clean"
		}
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\t\n", d.Name, report, d.Tests, len(d.Faults), d.named())
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, r.sums())
	for _, d := range r {
		for _, f := range d.Faults {
			if f.Named == "-" {
				fmt.Fprintf(w, "no diagnostic: %s, %s: %s\n", d.Name, f.Test, f.Cause)
			}
		}
	}
	return nil
}

// sums adds up the domains in one line.
func (r authorReport) sums() string {
	clean, tests, faults, told, right := 0, 0, 0, 0, 0
	for _, d := range r {
		if len(d.Report) == 0 {
			clean++
		}
		if len(d.Faults) == 0 {
			right++
		}
		tests += d.Tests
		faults += len(d.Faults)
		told += d.named()
	}
	return fmt.Sprintf("%d domains, %d clean at the first check, %d right, %d of %d tests fail, the cause of %d is named",
		len(r), clean, right, faults, tests, told)
}

// measureAuthors checks and calls the files of a folder. The file judged.txt names the cause of each fault. The error
// lists the faults that are not in it, and those in it that are none now.
func measureAuthors(ctx context.Context, folder string) (authorReport, error) {
	judged, err := readJudged(filepath.Join(folder, "judged.txt"))
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "first.pl"))
	if err != nil {
		return nil, err
	}
	var r authorReport
	var wrong []error
	for _, file := range files {
		d := domain{Name: filepath.Base(filepath.Dir(file))}
		if err := d.measure(ctx, file); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		for i := range d.Faults {
			f := &d.Faults[i]
			key := d.Name + " " + f.Test
			why, ok := judged[key]
			delete(judged, key)
			f.Named, f.Cause, _ = strings.Cut(why, " ")
			if !ok || f.Named != "-" && !slices.Contains(slices.Concat(d.Report, d.Notes), f.Named) {
				wrong = append(wrong, fmt.Errorf("%s is judged as %q; answer %s, diagnostics %v", key, why, f.Got, d.Report))
			}
		}
		r = append(r, d)
	}
	for key := range judged {
		wrong = append(wrong, fmt.Errorf("%s passes", key))
	}
	return r, errors.Join(wrong...)
}

// readJudged reads lines of domain, test, code:line or "-", and cause. Lines with # are comments.
func readJudged(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	judged := map[string]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(fields) == 3 && fields[0] != "#" {
			judged[fields[0]+" "+fields[1]] = fields[2]
		}
	}
	return judged, err
}

// measure checks a file and makes the calls of tests.jsonl beside it, one behind the other.
func (d *domain) measure(ctx context.Context, file string) error {
	o := &kb.Options{Predicates: bridge.Predicates(), Lint: true}
	snapshot, err := kb.Load(ctx, []string{file}, o)
	for _, found := range snapshot.Report(err) {
		list := &d.Report
		if found.Severity == source.SeverityNote {
			list = &d.Notes
		}
		*list = append(*list, fmt.Sprintf("%s:%d", found.Code, found.Line))
	}
	if err != nil {
		return err
	}
	server := bridge.NewServer(snapshot, nil)
	defer server.Close()
	session, err := connect(ctx, server)
	if err != nil {
		return err
	}
	defer session.Close()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(file), "tests.jsonl"))
	for line := range bytes.Lines(text) {
		var name, tool string
		var args, want map[string]any
		if err := json.Unmarshal(line, &[]any{&name, &tool, &args, &want}); err != nil {
			return err
		}
		d.Tests++
		reply, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			return err
		}
		if got, ok := answers(reply, want); !ok {
			d.Faults = append(d.Faults, fault{Test: name, Got: got})
		}
	}
	return err
}

// answers says whether a result has the members that a test wants. nil stands for "no answer".
func answers(reply *mcp.CallToolResult, want map[string]any) (got string, ok bool) {
	got = "nothing"
	if len(reply.Content) > 0 {
		if text, is := reply.Content[0].(*mcp.TextContent); is {
			got = text.Text
		}
	}
	if want == nil {
		return got, reply.Meta["mcplogic/code"] == "failed"
	}
	if reply.IsError || len(want) == 0 {
		return got, !reply.IsError && got == "true"
	}
	members, _ := reply.StructuredContent.(map[string]any)
	for name, value := range want {
		if !reflect.DeepEqual(members[name], value) {
			return got, false
		}
	}
	return got, true
}
