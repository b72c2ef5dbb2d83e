package main

import (
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/internal/dap"
)

func newDAP() *cobra.Command {
	var l settings.Limits
	var s settings.Sandbox
	cmd := &cobra.Command{
		Use:   "dap",
		Short: "Debug goals from an editor",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return dap.Serve(cmd.Context(), cli.Typed(cmd), cmd.OutOrStdout(),
				&dap.Options{Load: s.Load(cmd), Limits: l.Engine()})
		},
	}
	l.Add(cmd.Flags(), 0, 1<<30)
	s.Add(cmd.Flags())
	return cmd
}
