package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
	"github.com/yosida95/uritemplate/v3"
)

// This file defines mcplogic read.

// newRead makes the command that reads one resource as a client would.
func newRead() *cobra.Command {
	f := &serverFlags{}
	var asJSON bool
	var output string
	cmd := &cobra.Command{
		Use:   "read [flags] PATH... URI",
		Short: "Read a resource as a client would",
		Args:  needPathsAnd(1, "the URI of a resource"),
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			return readResource(cmd, f, args[:last], args[last], output, asJSON)
		},
	}
	f.addClient(cmd.Flags(), &asJSON)
	cmd.ValidArgsFunction = f.completing(func(o *offer, _ []string) (uris []string) {
		for _, r := range o.Resources {
			uris = append(uris, r.URI)
		}
		return uris
	})
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write the contents to, binary data as it is")
	cmd.MarkFlagsMutuallyExclusive("json", "output")
	return cmd
}

// readResource asks a server in the same process for a resource and prints it, or writes it to output, unless that is
// "".
func readResource(cmd *cobra.Command, f *serverFlags, paths []string, uri, output string, asJSON bool) error {
	session, done, err := connectUser(cmd, f, paths)
	if err != nil {
		return err
	}
	defer done()
	if err := findResource(cmd.Context(), session, uri); err != nil {
		return err
	}
	result, err := session.ReadResource(cmd.Context(), &mcp.ReadResourceParams{URI: uri})
	switch {
	case err != nil:
		return refused(cmd, err)
	case asJSON:
		return printJSON(cmd.OutOrStdout(), result)
	case output != "":
		return writeContents(output, result.Contents)
	}
	for _, c := range result.Contents {
		printContents(cmd.OutOrStdout(), c)
	}
	return nil
}

// findResource returns an error if the server lists neither a resource of the URI nor a template that matches it. The
// error names the nearest URI. Templates follow RFC 6570.
func findResource(ctx context.Context, session *mcp.ClientSession, uri string) error {
	o, err := collect(ctx, session)
	if err != nil {
		return err
	}
	var uris []string
	for _, r := range o.Resources {
		if r.URI == uri {
			return nil
		}
		uris = append(uris, r.URI)
	}
	for _, t := range o.Templates {
		if template, err := uritemplate.New(t.URITemplate); err == nil && template.Match(uri) != nil {
			return nil
		}
		uris = append(uris, t.URITemplate)
	}
	return unknownItem("resource", uri, uris)
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
