package main

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
)

// This file defines mcplogic what-if.

// newWhatIf makes the command that compares the answer of a tool with the one on other facts.
func newWhatIf() *cobra.Command {
	f := &serverFlags{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "what-if [flags] PATH TOOL [JSON | NAME=VALUE...]",
		Short: "Compare the answer of a tool with the one on other facts",
		Args:  cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !f.given.some() {
				return errors.New("what-if needs --assume, --without or --now")
			}
			return whatIf(cmd, f, args[0], args[1], args[2:], asJSON)
		},
	}
	f.addClient(cmd.Flags(), &asJSON)
	f.given.add(cmd.Flags())
	cmd.ValidArgsFunction = f.completing(callWords)
	return cmd
}

// whatIf connects a client to a server in the same process and calls the tool what_if, which the flags give the facts.
func whatIf(cmd *cobra.Command, f *serverFlags, path, name string, args []string, asJSON bool) error {
	f.whatIf = true
	session, done, err := connectUser(cmd, f, []string{path})
	if err != nil {
		return err
	}
	defer done()
	tool, err := findTool(cmd.Context(), session, name)
	if err != nil {
		return err
	}
	arguments, err := parseArguments(args, tool.InputSchema)
	if err != nil {
		return err
	}
	tools, err := gather(session.Tools(cmd.Context(), nil))
	if err != nil {
		return err
	}
	own := slices.IndexFunc(tools, func(t *mcp.Tool) bool { return t.Title == "What if" })
	result, err := session.CallTool(cmd.Context(), &mcp.CallToolParams{Name: tools[own].Name,
		Arguments: map[string]any{"tool": name, "arguments": json.RawMessage(arguments)}})
	if err != nil {
		return err
	}
	return printResult(cmd, result, asJSON)
}
