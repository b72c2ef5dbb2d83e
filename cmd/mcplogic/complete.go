package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
)

// This file defines mcplogic complete.

// newComplete makes the command that asks for completions as a client would.
func newComplete() *cobra.Command {
	f := &serverFlags{}
	var asJSON bool
	var given []string
	cmd := &cobra.Command{
		Use:   "complete [flags] PATH... REF ARGUMENT VALUE",
		Short: "Ask for the completions of an argument as a client would",
		Args:  needPathsAnd(3, "a prompt or template, an ARGUMENT of it and a VALUE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 3
			texts, err := parseTexts(given)
			if err != nil {
				return err
			}
			p := &mcp.CompleteParams{Argument: mcp.CompleteParamsArgument{Name: args[last+1], Value: args[last+2]}}
			if len(texts) > 0 {
				p.Context = &mcp.CompleteContext{Arguments: texts}
			}
			return printCompletions(cmd, f, args[:last], args[last], p, asJSON)
		},
	}
	f.addClient(cmd.Flags(), &asJSON)
	cmd.Flags().StringArrayVar(&given, "given", nil,
		"NAME=VALUE of another argument that has its value already; may be repeated")
	return cmd
}

// printCompletions asks a server in the same process for completions and prints them, one on each line. What a client
// does not get is said on standard error. To have no values is no error: the output is empty then, and the exit code 0.
func printCompletions(cmd *cobra.Command, f *serverFlags, paths []string, ref string, p *mcp.CompleteParams,
	asJSON bool) error {
	session, done, err := connectUser(cmd, f, paths)
	if err != nil {
		return err
	}
	defer done()
	if p.Ref, err = findReference(cmd.Context(), session, ref); err != nil {
		return err
	}
	// A request for completions to a server without the capability would be answered with method not found, which tells a
	// user nothing.
	if session.InitializeResult().Capabilities.Completions == nil {
		return errors.New("this knowledge base proposes no completions; it does not define completion/4")
	}
	result, err := session.Complete(cmd.Context(), p)
	switch {
	case err != nil:
		return refused(cmd, err)
	case asJSON:
		return printJSON(cmd.OutOrStdout(), result)
	}
	// The protocol bounds the values of an answer at 100, so that there may be more than a client gets.
	c := result.Completion
	for _, value := range c.Values {
		fmt.Fprintln(cmd.OutOrStdout(), value)
	}
	switch {
	case c.Total > len(c.Values):
		fmt.Fprintf(cmd.ErrOrStderr(), "There are %d values, a client gets these %d.\n", c.Total, len(c.Values))
	case c.HasMore:
		fmt.Fprintf(cmd.ErrOrStderr(), "There are more values, a client gets these %d.\n", len(c.Values))
	}
	return nil
}

// findReference returns the reference by which the protocol names what has the argument: ref/prompt with a name, or
// ref/resource with a URI or a template. Only what the server lists is found. A prompt comes before a template of the
// same name. The error for an unknown name is wrong usage.
func findReference(ctx context.Context, session *mcp.ClientSession, name string) (*mcp.CompleteReference, error) {
	o, err := collect(ctx, session)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range o.Prompts {
		if p.Name == name {
			return &mcp.CompleteReference{Type: "ref/prompt", Name: name}, nil
		}
		names = append(names, p.Name)
	}
	var uris []string
	for _, t := range o.Templates {
		uris = append(uris, t.URITemplate)
	}
	for _, r := range o.Resources {
		// A plain resource has no variables, but the protocol lets a client refer to it.
		uris = append(uris, r.URI)
	}
	for _, uri := range uris {
		if uri == name {
			return &mcp.CompleteReference{Type: "ref/resource", URI: name}, nil
		}
	}
	return nil, unknownItem("prompt or template", name, append(names, uris...))
}
