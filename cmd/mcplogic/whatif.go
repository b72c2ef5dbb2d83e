package main

import (
	"context"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
)

// This file defines mcplogic what-if.

// newWhatIf makes the command that compares the answer of a tool with the one on other facts.
func newWhatIf() *cobra.Command {
	f := &settings.ServerFlags{}
	cmd := &cobra.Command{
		Use:   "what-if [flags] PATH TOOL [JSON | NAME=VALUE...]",
		Short: "Compare the answer of a tool with the one on other facts",
		Args:  cli.NeedPathsAnd(1, "the name of a TOOL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !f.Given.Some() {
				return errors.New("what-if needs --assume, --without or --now")
			}
			return whatIf(cmd, f, args[0], args[1], args[2:])
		},
	}
	f.AddClient(cmd.Flags())
	f.Given.Add(cmd.Flags())
	cmd.ValidArgsFunction = completing(f, callWords)
	return cmd
}

// whatIf connects a client to a server in the same process and calls the tool what_if, which the flags give the facts.
func whatIf(cmd *cobra.Command, f *settings.ServerFlags, path, name string, args []string) error {
	f.WhatIf = true
	return asking(cmd, f, []string{path}, func(ctx context.Context, session *mcp.ClientSession, o *offer) error {
		arguments, err := o.arguments(name, args)
		if err != nil {
			return err
		}
		own := slices.IndexFunc(o.Tools, func(t *mcp.Tool) bool { return t.Title == "What if" })
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: o.Tools[own].Name,
			Arguments: map[string]any{"tool": name, "arguments": arguments}})
		if err != nil {
			return err
		}
		return printResult(cmd, result, f.AsJSON)
	})
}
