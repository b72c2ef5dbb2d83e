package main

import (
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/internal/dap"
)

func newDAP() *cobra.Command {
	var l limits
	var s sandbox
	cmd := &cobra.Command{
		Use:   "dap",
		Short: "Debug goals from an editor",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return dap.Serve(cmd.Context(), typed(cmd), cmd.OutOrStdout(), &dap.Options{Load: s.load(cmd), Limits: l.engine()})
		},
	}
	l.add(cmd.Flags(), 0, 1<<30)
	s.add(cmd.Flags())
	return cmd
}
