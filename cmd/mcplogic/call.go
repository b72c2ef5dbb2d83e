package main

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
	"github.com/yosida95/uritemplate/v3"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
)

// This file defines mcplogic call, prompt, complete and read, which do what a client would.

func newCall() *cobra.Command {
	f := &settings.ServerFlags{}
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
			return call(cmd, f, args[0], args[1], args[2:])
		},
	}
	f.AddClient(cmd.Flags())
	f.Given.Add(cmd.Flags())
	cmd.ValidArgsFunction = completing(f, callWords)
	return cmd
}

// listTools is the error of a call without a tool, which names those that there are.
func listTools(cmd *cobra.Command, f *settings.ServerFlags, path string) error {
	return asking(cmd, f, []string{path}, func(_ context.Context, _ *mcp.ClientSession, o *offer) error {
		names := cmp.Or(strings.Join(callWords(o, nil), ", "), "there is none")
		return fmt.Errorf("call needs the name of a TOOL: %s", names)
	})
}

// call connects a client to a server in the same process and calls a tool. The server ends with the call.
// Questions of the tool are asked on the terminal, by standard error, so that standard output has the
// result alone. An error of the request itself, as opposed to a result that is an error, is wrong usage.
func call(cmd *cobra.Command, f *settings.ServerFlags, path, name string, args []string) error {
	return asking(cmd, f, []string{path}, func(ctx context.Context, session *mcp.ClientSession, o *offer) error {
		arguments, err := o.arguments(name, args)
		if err != nil {
			return err
		}
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			return err
		}
		return printResult(cmd, result, f.AsJSON)
	})
}

// printResult prints the result of a tool. A result that is an error goes to standard error and ends the
// command with an exit code of its own. With --json it goes to standard output all the same.
func printResult(cmd *cobra.Command, result *mcp.CallToolResult, asJSON bool) error {
	out := cmd.OutOrStdout()
	switch {
	case asJSON:
		if err := cli.PrintJSON(out, result); err != nil {
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
		return cli.Exit(cli.ExitNo)
	}
	return nil
}

// arguments reads the arguments of the named tool.
func (o *offer) arguments(name string, args []string) (json.RawMessage, error) {
	tool, err := o.tool(name)
	if err != nil {
		return nil, err
	}
	return parseArguments(args, tool.InputSchema)
}

// parseArguments reads one JSON object or NAME=VALUE pairs. A pair's value is read by the type that the tool's schema
// gives the argument, so that N=20 is a number for one tool and a text for another. The server checks whether the
// arguments fit, because the command shows the messages that clients get.
func parseArguments(args []string, schema any) (json.RawMessage, error) {
	if len(args) == 1 && isObject(args[0]) {
		var raw json.RawMessage
		if err := json.Unmarshal([]byte(args[0]), &raw); err != nil {
			return nil, fmt.Errorf("the arguments are not valid JSON: %s: %s", err, args[0])
		}
		return raw, nil
	}
	var s toolSchema
	if err := cli.DecodeInto(schema, &s); err != nil {
		return nil, err
	}
	object := map[string]json.RawMessage{}
	for _, arg := range args {
		name, value, err := splitPair(arg)
		if err != nil {
			return nil, err
		}
		// An argument that the schema does not know has no type: JSON stays JSON, and any other text is a string.
		object[name] = s.Properties[name].Raw(value)
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

func newPrompt() *cobra.Command {
	f := &settings.ServerFlags{}
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
			return render(cmd, f, paths, name, arguments)
		},
	}
	f.AddClient(cmd.Flags())
	cmd.ValidArgsFunction = completing(f, func(o *offer, args []string) (words []string) {
		if len(args) == 0 {
			return o.prompts()
		}
		for _, p := range o.Prompts {
			if p.Name == args[0] {
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
func render(cmd *cobra.Command, f *settings.ServerFlags, paths []string, name string, args []string) error {
	arguments, err := parseTexts(args)
	if err != nil {
		return err
	}
	return asking(cmd, f, paths, func(ctx context.Context, session *mcp.ClientSession, o *offer) error {
		// An unknown name is wrong usage, and the nearest one is proposed.
		if names := o.prompts(); !slices.Contains(names, name) {
			return unknownItem("prompt", name, names)
		}
		result, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: arguments})
		switch {
		case err != nil:
			return refused(cmd, err)
		case f.AsJSON:
			return cli.PrintJSON(cmd.OutOrStdout(), result)
		}
		for _, m := range result.Messages {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: ", m.Role)
			bridge.PrintContent(cmd.OutOrStdout(), []mcp.Content{m.Content})
		}
		return nil
	})
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

func newComplete() *cobra.Command {
	f := &settings.ServerFlags{}
	var given []string
	cmd := &cobra.Command{
		Use:   "complete [flags] PATH... REF ARGUMENT VALUE",
		Short: "Ask for the completions of an argument as a client would",
		Args:  cli.NeedPathsAnd(3, "a prompt or template, an ARGUMENT of it and a VALUE"),
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
			return printCompletions(cmd, f, args[:last], args[last], p)
		},
	}
	f.AddClient(cmd.Flags())
	cmd.Flags().StringArrayVar(&given, "given", nil,
		"NAME=VALUE of another argument that has its value already; may be repeated")
	return cmd
}

// printCompletions asks a server in the same process for completions and prints them, one on each line. What a client
// does not get is said on standard error. To have no values is no error: the output is empty then, and the exit code 0.
func printCompletions(cmd *cobra.Command, f *settings.ServerFlags, paths []string, ref string, p *mcp.CompleteParams,
) error {
	return asking(cmd, f, paths, func(ctx context.Context, session *mcp.ClientSession, o *offer) (err error) {
		if p.Ref, err = o.reference(ref); err != nil {
			return err
		}
		// A request for completions to a server without the capability would be answered with method not found, which tells
		// a user nothing.
		if session.InitializeResult().Capabilities.Completions == nil {
			return errors.New("this knowledge base proposes no completions; it does not define completion/4")
		}
		result, err := session.Complete(ctx, p)
		switch {
		case err != nil:
			return refused(cmd, err)
		case f.AsJSON:
			return cli.PrintJSON(cmd.OutOrStdout(), result)
		}
		// The protocol allows 100 values in an answer, so there may be more values than a client gets.
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
	})
}

// reference returns the reference by which the protocol names what has the argument: ref/prompt with a name, or
// ref/resource with a URI or a template. Only what the server lists is found. A prompt comes before a template of the
// same name; a plain resource has no variables, but the protocol lets a client refer to it. The error for an unknown
// name is wrong usage.
func (o *offer) reference(name string) (*mcp.CompleteReference, error) {
	names, uris := o.prompts(), o.uris()
	switch {
	case slices.Contains(names, name):
		return &mcp.CompleteReference{Type: "ref/prompt", Name: name}, nil
	case slices.Contains(uris, name):
		return &mcp.CompleteReference{Type: "ref/resource", URI: name}, nil
	}
	return nil, unknownItem("prompt or template", name, append(names, uris...))
}

func newRead() *cobra.Command {
	f := &settings.ServerFlags{}
	var output string
	cmd := &cobra.Command{
		Use:   "read [flags] PATH... URI",
		Short: "Read a resource as a client would",
		Args:  cli.NeedPathsAnd(1, "the URI of a resource"),
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			return readResource(cmd, f, args[:last], args[last], output)
		},
	}
	f.AddClient(cmd.Flags())
	cmd.ValidArgsFunction = completing(f, func(o *offer, _ []string) []string { return o.uris()[:len(o.Resources)] })
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write the contents to, binary data as it is")
	cmd.MarkFlagsMutuallyExclusive("json", "output")
	return cmd
}

// readResource asks a server in the same process for a resource and prints it, or writes it to output, unless that is
// "".
func readResource(cmd *cobra.Command, f *settings.ServerFlags, paths []string, uri, output string) error {
	return asking(cmd, f, paths, func(ctx context.Context, session *mcp.ClientSession, o *offer) error {
		if !o.reads(uri) {
			return unknownItem("resource", uri, o.uris())
		}
		result, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
		switch {
		case err != nil:
			return refused(cmd, err)
		case f.AsJSON:
			return cli.PrintJSON(cmd.OutOrStdout(), result)
		case output != "":
			return writeContents(output, result.Contents)
		}
		for _, c := range result.Contents {
			printContents(cmd.OutOrStdout(), c)
		}
		return nil
	})
}

// reads reports whether the server lists a resource of the URI, or a template that matches it (RFC 6570).
func (o *offer) reads(uri string) bool {
	return slices.ContainsFunc(o.Resources, func(r *mcp.Resource) bool { return r.URI == uri }) ||
		slices.ContainsFunc(o.Templates, func(t *mcp.ResourceTemplate) bool {
			template, err := uritemplate.New(t.URITemplate)
			return err == nil && template.Match(uri) != nil
		})
}

// printContents prints a text, with a line end if it has none. Binary data are printed as base64, in which the protocol
// carries them. An empty blob is not nil.
func printContents(w io.Writer, c *mcp.ResourceContents) {
	text := c.Text
	if c.Blob != nil {
		text = base64.StdEncoding.EncodeToString(c.Blob)
	}
	fmt.Fprint(w, text)
	if !strings.HasSuffix(text, "\n") {
		fmt.Fprintln(w)
	}
}

// writeContents writes a text or the bytes of binary data to a file. Several contents, as a template may give, have no
// place in one file: they are refused rather than joined. A file that is there is replaced.
func writeContents(file string, list []*mcp.ResourceContents) error {
	if len(list) != 1 {
		return fmt.Errorf("the resource has %d contents, which do not go into one file; see --json", len(list))
	}
	data := list[0].Blob
	if data == nil {
		data = []byte(list[0].Text)
	}
	return os.WriteFile(file, data, 0o666)
}
