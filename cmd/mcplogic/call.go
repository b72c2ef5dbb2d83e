package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines mcplogic call.

// newCall makes the command that calls one tool as a client would.
func newCall() *cobra.Command {
	f := &serverFlags{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "call [flags] PATH TOOL [JSON | NAME=VALUE...]",
		Short: "Call a tool as a client would",
		Long: `Call a tool as a client would, through the server. Questions that the goal asks are asked here,
those to the model, too: you play the model.

The arguments are one JSON object, or NAME=VALUE pairs, in which a value is taken as the type of
the argument wants it. To answer a question type the answer, or the number of a choice; an empty
line stands for the default, /decline and /cancel for refusing it.

The exit code is 1 when the result is an error.`,
		Example: `  mcplogic call examples/factorial factorial N=20
  mcplogic call examples/birds birds_with '{"feature": "hovers", "value": "yes"}'
  mcplogic call examples/birds identify_bird`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("call needs a PATH and the name of a TOOL; see mcplogic call --help")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return call(cmd, f, args[0], args[1], args[2:], asJSON)
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

// call connects a client to a server in the same process and calls a tool. The server goes with the call. Questions
// of the tool are asked on the terminal.
func call(cmd *cobra.Command, f *serverFlags, path, name string, args []string, asJSON bool) error {
	stderr := cmd.ErrOrStderr()
	asks := newAsker(cmd.InOrStdin(), stderr)
	session, done, err := connect(cmd, f, []string{path}, &mcp.ClientOptions{
		Capabilities:         canBeAsked(),
		ElicitationHandler:   asks.ask,
		CreateMessageHandler: asks.play,
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			fmt.Fprintf(stderr, "%s: %v\n", r.Params.Level, r.Params.Data)
		},
	})
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
	_ = session.SetLoggingLevel(cmd.Context(), &mcp.SetLoggingLevelParams{Level: "info"})
	result, err := session.CallTool(cmd.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return err
	}
	return printResult(cmd, result, asJSON)
}

// printResult prints the result of a tool. Results that are errors go to standard error and end the command with an
// exit code of their own.
func printResult(cmd *cobra.Command, result *mcp.CallToolResult, asJSON bool) error {
	out := cmd.OutOrStdout()
	switch {
	case asJSON:
		if err := printJSON(out, result); err != nil {
			return err
		}
	case result.IsError:
		bridge.PrintContent(cmd.ErrOrStderr(), result.Content)
	default:
		bridge.PrintContent(out, result.Content)
	}
	if result.IsError {
		return exit(exitNo)
	}
	return nil
}

// unknownTool returns the error for a tool that the server does not offer. It names the nearest one, or all.
func unknownTool(name string, names []string) error {
	if near := spell.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no tool %s; did you mean %s?", name, near)
	}
	if len(names) == 0 {
		return fmt.Errorf("there is no tool %s; this knowledge base declares none", name)
	}
	return fmt.Errorf("there is no tool %s; there are %s", name, strings.Join(names, ", "))
}

// parseArguments reads one JSON object or NAME=VALUE pairs.
func parseArguments(args []string, schema any) (json.RawMessage, error) {
	if len(args) == 1 && strings.HasPrefix(strings.TrimSpace(args[0]), "{") {
		raw := json.RawMessage(args[0])
		if !json.Valid(raw) {
			return nil, fmt.Errorf("the arguments are not valid JSON: %s", args[0])
		}
		return raw, nil
	}
	var s toolSchema
	if err := decodeInto(schema, &s); err != nil {
		return nil, err
	}
	object := map[string]json.RawMessage{}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("got the argument %s, want NAME=VALUE or one JSON object", arg)
		}
		object[name] = s.Properties[name].raw(value)
	}
	return json.Marshal(object)
}
