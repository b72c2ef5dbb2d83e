package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
)

// This file defines mcplogic prompt.

// newPrompt makes the command that renders one prompt as a client would.
func newPrompt() *cobra.Command {
	f := &serverFlags{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "prompt [flags] PATH... PROMPT [JSON | NAME=VALUE...]",
		Short: "Render a prompt as a client would",
		Args: func(_ *cobra.Command, args []string) error {
			if paths, name, _ := splitPrompt(args); len(paths) == 0 || name == "" {
				return fmt.Errorf("prompt needs a PATH and the name of a PROMPT; see mcplogic prompt --help")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			paths, name, arguments := splitPrompt(args)
			return render(cmd, f, paths, name, arguments, asJSON)
		},
	}
	f.addClient(cmd.Flags(), &asJSON)
	cmd.ValidArgsFunction = f.completing(func(o *offer, args []string) (words []string) {
		for _, p := range o.Prompts {
			if len(args) == 0 {
				words = append(words, p.Name)
			} else if p.Name == args[0] {
				for _, a := range p.Arguments {
					words = append(words, a.Name+"=")
				}
			}
		}
		return words
	})
	return cmd
}

// splitPrompt splits the arguments of the command into paths, the name of a prompt and its arguments. It reads them
// from the end: the first that is neither NAME=VALUE nor an object is the name. name is "" if there is none.
func splitPrompt(args []string) (paths []string, name string, arguments []string) {
	n := len(args)
	for n > 0 && (strings.Contains(args[n-1], "=") || isObject(args[n-1])) {
		n--
	}
	if n == 0 {
		return nil, "", args
	}
	return args[:n-1], args[n-1], args[n:]
}

// render asks a server in the same process for a prompt and prints it. Each message has its role, user or assistant, in
// front. Questions and log messages go to standard error.
func render(cmd *cobra.Command, f *serverFlags, paths []string, name string, args []string, asJSON bool) error {
	arguments, err := parseTexts(args)
	if err != nil {
		return err
	}
	session, done, err := connectUser(cmd, f, paths)
	if err != nil {
		return err
	}
	defer done()
	if err := findPrompt(cmd.Context(), session, name); err != nil {
		return err
	}
	result, err := session.GetPrompt(cmd.Context(), &mcp.GetPromptParams{Name: name, Arguments: arguments})
	switch {
	case err != nil:
		return refused(cmd, err)
	case asJSON:
		return printJSON(cmd.OutOrStdout(), result)
	}
	for _, m := range result.Messages {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: ", m.Role)
		bridge.PrintContent(cmd.OutOrStdout(), []mcp.Content{m.Content})
	}
	return nil
}

// findPrompt returns an error if the server does not list a prompt of the name. It comes before the request, so that an
// unknown name is wrong usage and the nearest one is proposed.
func findPrompt(ctx context.Context, session *mcp.ClientSession, name string) error {
	var names []string
	for p, err := range session.Prompts(ctx, nil) {
		if err != nil {
			return err
		}
		if p.Name == name {
			return nil
		}
		names = append(names, p.Name)
	}
	return unknownItem("prompt", name, names)
}

// parseTexts reads one JSON object of strings, or NAME=VALUE pairs. Arguments of prompts are strings in the protocol,
// so a number in the object is an error. Of two pairs with one name the last counts.
func parseTexts(args []string) (map[string]string, error) {
	texts := map[string]string{}
	if len(args) == 1 && isObject(args[0]) {
		if err := json.Unmarshal([]byte(args[0]), &texts); err != nil {
			return nil, fmt.Errorf("the arguments are not a JSON object of strings: %s", args[0])
		}
		return texts, nil
	}
	for _, arg := range args {
		name, value, err := splitPair(arg)
		if err != nil {
			return nil, err
		}
		texts[name] = value
	}
	return texts, nil
}
