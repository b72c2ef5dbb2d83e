package bridge

import (
	"context"
	"io/fs"

	"github.com/mcplogic/mcplogic/internal/cases"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines how the workbench runs cases.

// Cases runs the cases of a folder on a snapshot of it, and says which files cannot be used. Facts that calls have
// added are not there.
func (h host) Cases(ctx context.Context, s *kb.Snapshot, folder fs.FS) (list []kb.TestOutcome) {
	kept, wrong := cases.ReadFolder(folder, "")
	for _, d := range append(wrong, cases.Check(kept, s)...) {
		list = append(list, kb.TestOutcome{Name: "the file of a case", File: d.File, Line: d.Line, Message: d.Message})
	}
	if len(kept) == 0 {
		return list
	}
	server := NewServer(s, h.s.opts.alike())
	defer server.Close()
	for _, c := range kept {
		o := cases.Run(ctx, server, c)
		one := kb.TestOutcome{Name: "case " + c.Name, File: c.File, Line: c.Place("expected").Line, Passed: o.Passed,
			Answers: []string{string(o.Got)}, Case: true}
		if one.Message = o.Message(); o.Why != "" {
			one.Message += "\n" + o.Why
		}
		list = append(list, one)
	}
	return list
}

// alike are the options of a server that answers as this one does.
func (o *Options) alike() *Options {
	return &Options{Limits: o.Limits, Solutions: o.Solutions, MaxText: o.MaxText, MaxResult: o.MaxResult}
}
