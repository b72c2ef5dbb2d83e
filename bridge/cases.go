package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/internal/cases"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines how the workbench runs cases, and the methods by which people use the workbench.

// Cases runs the cases of a folder on a snapshot of it, and says which files cannot be used. The cases do not see facts
// that calls have added.
func (h asHost) Cases(ctx context.Context, s *kb.Snapshot, folder fs.FS) (list []kb.TestOutcome) {
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

// alike returns the options of a server that answers like this one.
func (o *Options) alike() *Options {
	return &Options{Limits: o.Limits, Solutions: o.Solutions, MaxText: o.MaxText, MaxResult: o.MaxResult}
}

// Author is the person or model that saves a file: a Name, and whether it is the Owner. Rules that the owner saves are
// not restricted.
type Author = rulefiles.Author

// Desk calls a tool of the workbench for a person, such as kb_save. raw has the tool's arguments. The server needs
// Options.Desk or a workbench.
func (s *Server) Desk(
	ctx context.Context, tool string, raw json.RawMessage, by Author,
) (*mcp.CallToolResult, error) {
	if s.bench == nil {
		return nil, errNoDesk
	}
	return s.bench.Call(ctx, tool, raw, by)
}

var errNoDesk = errors.New("there is no desk for several files or folders, or for one file")

// Discard removes a file that [Server.Desk] has made, if the file is unchanged since, and serves the remaining files.
// The history keeps the text.
func (s *Server) Discard(ctx context.Context, file, hash string, by Author) error {
	if s.bench == nil {
		return errNoDesk
	}
	return s.bench.Discard(ctx, file, hash, by)
}

// Beside returns a server of a snapshot for running cases. It answers like this one and records nothing. Close it after
// use.
func (s *Server) Beside(of *kb.Snapshot) *Server { return NewServer(of, s.opts.alike()) }

// HasDesk reports whether the server has tools for [Server.Desk].
func (s *Server) HasDesk() bool { return s.bench != nil }
