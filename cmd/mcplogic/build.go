package main

import (
	"archive/zip"
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/inside"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
)

// This file defines mcplogic build.

func newBuild() *cobra.Command {
	f := &bundleFlags{}
	binaryFile := ""
	cmd := &cobra.Command{
		Use:   "build [flags] PATH -o FILE",
		Short: "Make one program of a folder and its server",
		Args:  cli.NeedPaths,
		RunE:  func(cmd *cobra.Command, args []string) error { return f.build(cmd, args, binaryFile) },
	}
	// build does not have the other flags of a server. They keep their defaults.
	f.Add(pflag.NewFlagSet("", pflag.ContinueOnError))
	f.Loading.Add(cmd.Flags())
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "file to write; default: the name of the server")
	cmd.Flags().StringVar(&binaryFile, "binary", "", "file of a command to be used instead of this one")
	return cmd
}

// build writes the program. A folder that does not load is not packed. The file of --binary is not checked: only its
// start shows whether it is an mcplogic. One line on standard output says what was packed.
func (f *bundleFlags) build(cmd *cobra.Command, paths []string, binaryFile string) error {
	snapshot, err := f.loadFolder(cmd, paths)
	if err != nil {
		return err
	}
	f.output = cmp.Or(f.output, settings.ServerName(paths))
	if binaryFile == "" {
		own, err := os.Executable()
		if err != nil {
			return err
		}
		binaryFile = own
	}
	program, err := os.Open(binaryFile)
	if err != nil {
		return err
	}
	defer program.Close()
	tellLoader(cmd, program)
	root, err := os.OpenRoot(paths[0])
	if err != nil {
		return err
	}
	defer root.Close()
	err = cli.WriteWhole(f.output, 0o755, func(w io.Writer) error {
		return inside.Write(w, program, func(z *zip.Writer) error { return packFolder(z, root, f.output) })
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", f.output, cli.Summary(snapshot))
	return nil
}
