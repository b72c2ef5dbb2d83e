package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
)

// This file defines mcplogic call.

// newCall makes the command that calls one tool as a client would.
func newCall() *cobra.Command {
	f := &serverFlags{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "call [flags] PATH TOOL [JSON | NAME=VALUE...]",
		Short: "Call a tool as a client would",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("call needs a PATH and the name of a TOOL; see mcplogic call --help")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return listTools(cmd, f, args[0])
			}
			return call(cmd, f, args[0], args[1], args[2:], asJSON)
		},
	}
	f.addClient(cmd.Flags(), &asJSON)
	cmd.ValidArgsFunction = f.completing(callWords)
	return cmd
}

// listTools is the error of a call without a tool, which names those that there are.
func listTools(cmd *cobra.Command, f *serverFlags, path string) error {
	session, done, err := connectUser(cmd, f, []string{path})
	if err != nil {
		return err
	}
	defer done()
	tools, err := gather(session.Tools(cmd.Context(), nil))
	if err != nil {
		return err
	}
	return fmt.Errorf("call needs the name of a TOOL: %s", strings.Join(callWords(&offer{Tools: tools}, nil), ", "))
}

// call connects a client to a server in the same process and calls a tool. The server ends with the call.
// Questions of the tool are asked on the terminal, by standard error, so that standard output has the
// result alone. An error of the request itself, as opposed to a result that is an error, is wrong usage.
func call(cmd *cobra.Command, f *serverFlags, path, name string, args []string, asJSON bool) error {
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
	result, err := session.CallTool(cmd.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return err
	}
	return printResult(cmd, result, asJSON)
}

// printResult prints the result of a tool. A result that is an error goes to standard error and ends the
// command with an exit code of its own. With --json it goes to standard output all the same.
func printResult(cmd *cobra.Command, result *mcp.CallToolResult, asJSON bool) error {
	out := cmd.OutOrStdout()
	switch {
	case asJSON:
		if err := printJSON(out, result); err != nil {
			return err
		}
	case result.IsError:
		bridge.PrintContent(cmd.ErrOrStderr(), result.Content)
		if code, ok := result.Meta[bridge.MetaCode].(string); ok {
			fmt.Fprintf(cmd.ErrOrStderr(), "[%s]\n", code)
		}
	default:
		bridge.PrintContent(out, result.Content)
	}
	if result.IsError {
		return exit(exitNo)
	}
	return nil
}

// parseArguments reads one JSON object or NAME=VALUE pairs. A pair's value is read by the type that the tool's schema
// gives the argument, so that N=20 is a number for one tool and a text for another. Whether the arguments fit is for
// the server to say: the command is there to show what clients are told.
func parseArguments(args []string, schema any) (json.RawMessage, error) {
	if len(args) == 1 && isObject(args[0]) {
		var raw json.RawMessage
		if err := json.Unmarshal([]byte(args[0]), &raw); err != nil {
			return nil, fmt.Errorf("the arguments are not valid JSON: %s: %s", err, args[0])
		}
		return raw, nil
	}
	var s toolSchema
	if err := decodeInto(schema, &s); err != nil {
		return nil, err
	}
	object := map[string]json.RawMessage{}
	for _, arg := range args {
		name, value, err := splitPair(arg)
		if err != nil {
			return nil, err
		}
		// An argument that the schema does not know has no type: JSON stays JSON, and any other text is a string.
		object[name] = s.Properties[name].raw(value)
	}
	return json.Marshal(object)
}

// splitPair splits an argument of the command at its first equals sign.
func splitPair(arg string) (name, value string, err error) {
	name, value, ok := strings.Cut(arg, "=")
	if !ok || name == "" {
		return "", "", fmt.Errorf("got the argument %s, want NAME=VALUE or one JSON object", arg)
	}
	return name, value, nil
}

// isObject reports whether an argument of the command is meant as a JSON object.
func isObject(arg string) bool { return strings.HasPrefix(strings.TrimSpace(arg), "{") }
