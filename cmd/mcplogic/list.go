package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/questions"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines mcplogic list.

// offer holds everything that a server lists. Its JSON form is what --json prints, under the names of the protocol.
type offer struct {
	Tools     []*mcp.Tool             `json:"tools"`
	Prompts   []*mcp.Prompt           `json:"prompts"`
	Resources []*mcp.Resource         `json:"resources"`
	Templates []*mcp.ResourceTemplate `json:"resourceTemplates"`
	Events    []event                 `json:"events,omitempty"`
}

// event is an event of the rules, to which clients subscribe.
type event struct {
	Name        string   `json:"name"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Delivery    []string `json:"delivery"`
	Input       any      `json:"inputSchema"`
	Payload     any      `json:"payloadSchema"`
}

const methodEvents = "events/list"

type (
	eventsParams struct{ mcp.ParamsBase }
	eventsResult struct {
		mcp.ResultBase
		Events []event `json:"events"`
	}
)

func newList() *cobra.Command {
	f := &settings.ServerFlags{}
	cmd := &cobra.Command{
		Use:   "list [flags] PATH...",
		Short: "Print the tools, prompts, resources and events that a client would see",
		Args:  cli.NeedPaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			// The client says that its user can be asked, as most clients do. Nothing is ever asked, because nothing is called.
			handler := questions.NewAsker(strings.NewReader(""), io.Discard).Ask
			session, done, err := connect(cmd, f, args, &mcp.ClientOptions{ElicitationHandler: handler,
				Capabilities: questions.CanBeAsked()})
			if err != nil {
				return err
			}
			defer done()
			o, err := collect(cmd.Context(), session)
			if err != nil {
				return err
			}
			if f.AsJSON {
				var text bytes.Buffer
				if err := cli.PrintJSON(&text, o); err != nil {
					return err
				}
				_, err = cmd.OutOrStdout().Write(wire.PlainHints(text.Bytes()))
				return err
			}
			o.print(cmd.OutOrStdout())
			return nil
		},
	}
	f.Add(cmd.Flags())
	cmd.Flags().BoolVar(&f.AsJSON, "json", false, "print the lists as one JSON object")
	return cmd
}

// collect asks a server for its lists. The iterators of the session follow the cursors of pages, as a client does.
func collect(ctx context.Context, session *mcp.ClientSession) (*offer, error) {
	o := &offer{}
	var errs [4]error
	o.Tools, errs[0] = cli.Gather(session.Tools(ctx, nil))
	o.Prompts, errs[1] = cli.Gather(session.Prompts(ctx, nil))
	o.Resources, errs[2] = cli.Gather(session.Resources(ctx, nil))
	o.Templates, errs[3] = cli.Gather(session.ResourceTemplates(ctx, nil))
	r, err := mcp.CallCustomMethod[*eventsParams, *eventsResult](ctx, session, methodEvents, &eventsParams{})
	if err == nil {
		o.Events = r.Events
	}
	return o, errors.Join(append(errs[:], err)...)
}

// tool returns the tool of a name, or an error that names the tools.
func (o *offer) tool(name string) (*mcp.Tool, error) {
	if i := slices.IndexFunc(o.Tools, func(t *mcp.Tool) bool { return t.Name == name }); i >= 0 {
		return o.Tools[i], nil
	}
	return nil, unknownItem("tool", name, callWords(o, nil))
}

// prompts are the names of the prompts.
func (o *offer) prompts() (names []string) {
	for _, p := range o.Prompts {
		names = append(names, p.Name)
	}
	return names
}

// uris are the addresses of the resources, and then the templates.
func (o *offer) uris() (uris []string) {
	for _, r := range o.Resources {
		uris = append(uris, r.URI)
	}
	for _, t := range o.Templates {
		uris = append(uris, t.URITemplate)
	}
	return uris
}

// completing completes words behind PATH in a shell by what the server of it lists. names returns the words.
func completing(f *settings.ServerFlags, names func(o *offer, args []string) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveDefault // a file or folder
		}
		cmd.SetErr(io.Discard)
		f.Stored = false // names do not hang on facts, and a server may have the store open
		session, done, err := connect(cmd, f, args[:1], &mcp.ClientOptions{})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		defer done()
		o, err := collect(cmd.Context(), session)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return names(o, args[1:]), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// callWords returns the names of the tools, and behind one of them its arguments, with the values of enumerations.
func callWords(o *offer, args []string) (words []string) {
	for _, t := range o.Tools {
		if len(args) == 0 {
			words = append(words, t.Name)
		} else if t.Name == args[0] {
			var s toolSchema
			_ = cli.DecodeInto(t.InputSchema, &s) // without a schema there are no words
			for _, name := range cli.SortedKeys(s.Properties) {
				words = append(words, name+"=")
				for _, value := range s.Properties[name].Enum {
					words = append(words, name+"="+cli.Unquoted(value))
				}
			}
		}
	}
	return words
}

// print shows the lists to people, resources and templates under one heading. An empty kind has no heading.
func (o *offer) print(w io.Writer) {
	heading := func(text string, n int) {
		if n > 0 {
			fmt.Fprintln(w, text)
		}
	}
	heading("Tools", len(o.Tools))
	for _, t := range o.Tools {
		printItem(w, t.Name+parameters(t.InputSchema), t.Title, t.Description)
	}
	heading("Prompts", len(o.Prompts))
	for _, p := range o.Prompts {
		printItem(w, p.Name+promptParameters(p), p.Title, p.Description)
	}
	heading("Resources", len(o.Resources)+len(o.Templates))
	for _, r := range o.Resources {
		printItem(w, r.URI, cmp.Or(r.Title, r.Name), r.Description)
	}
	for _, r := range o.Templates {
		printItem(w, r.URITemplate, cmp.Or(r.Title, r.Name), r.Description)
	}
	heading("Events", len(o.Events))
	for _, e := range o.Events {
		printItem(w, e.Name+parameters(e.Input), e.Title, e.Description)
	}
}

// printItem prints one line for an item and one for the first line of its description, which says the most.
func printItem(w io.Writer, name, title, description string) {
	fmt.Fprintf(w, "  %s", name)
	if title != "" && title != name {
		fmt.Fprintf(w, "  %s", title)
	}
	fmt.Fprintln(w)
	if first, _, _ := strings.Cut(description, "\n"); first != "" {
		fmt.Fprintf(w, "      %s\n", first)
	}
}

// parameters shows the parameters of a tool as (name: type, ...), with ? after the names of optional ones. Required
// ones come first, in the order of the schema; the others follow by name, because the properties of a decoded schema
// have no order. A property without a single type is shown without. A schema that cannot be read shows nothing.
func parameters(schema any) string {
	var s toolSchema
	if err := cli.DecodeInto(schema, &s); err != nil {
		return ""
	}
	var list []string
	optional := slices.DeleteFunc(cli.SortedKeys(s.Properties), func(name string) bool {
		return slices.Contains(s.Required, name)
	})
	for i, name := range append(slices.Clone(s.Required), optional...) {
		mark := ""
		if i >= len(s.Required) {
			mark = "?"
		}
		if typ, ok := s.Properties[name].Type.(string); ok {
			mark += ": " + typ
		}
		list = append(list, name+mark)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// promptParameters shows the parameters of a prompt, with ? after optional names. All are strings in the protocol, so
// no type is shown.
func promptParameters(p *mcp.Prompt) string {
	var list []string
	for _, a := range p.Arguments {
		if a.Required {
			list = append(list, a.Name)
		} else {
			list = append(list, a.Name+"?")
		}
	}
	return "(" + strings.Join(list, ", ") + ")"
}
