package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/internal/lsp"
)

// This file defines mcplogic lsp.

func newLSP() *cobra.Command {
	f := &settings.Sandbox{}
	var stdio bool
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor by the Language Server Protocol",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Standard output belongs to the protocol. An editor that goes away without the request shutdown makes the exit code
			// 1, as the protocol demands of the notification exit.
			o := &lsp.Options{Load: f.Load(cmd), Version: cli.Version(), Log: cmd.ErrOrStderr()}
			err := lsp.Run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), o)
			if errors.Is(err, lsp.ErrNoShutdown) {
				return cli.Exit(cli.ExitNo)
			}
			return err
		},
	}
	f.Add(cmd.Flags())
	// Libraries for clients in editors add --stdio to the command line of a server. It has to be known, and says nothing
	// new.
	cmd.Flags().BoolVar(&stdio, "stdio", true, "speak over standard input and output, as it does in any case")
	return cmd
}
