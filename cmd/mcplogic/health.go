package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
)

// This file defines mcplogic health.

// healthTime bounds the answer of a server about its health.
const healthTime = 5 * time.Second

// newHealth makes the command by which containers without other programs watch over a server.
func newHealth() *cobra.Command {
	return &cobra.Command{
		Use:   "health [URL]",
		Short: "Ask a server over HTTP whether it takes calls",
		Args:  cli.NeedWords(0, 1, "at most the URL of a server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			address := "http://127.0.0.1:8080"
			if len(args) > 0 {
				address = args[0]
			}
			u, err := url.Parse(address)
			if err != nil || u.Host == "" {
				return fmt.Errorf("health %s: want a URL such as http://127.0.0.1:8080", address)
			}
			u.Path, u.RawQuery = "/healthz", ""
			resp, err := (&http.Client{Timeout: healthTime}).Get(u.String())
			if err != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "mcplogic:", err)
				return cli.Exit(cli.ExitNo)
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				_, _ = io.Copy(cmd.ErrOrStderr(), io.LimitReader(resp.Body, 1000)) // the status says enough
				return cli.Exit(cli.ExitNo)
			}
			fmt.Fprintln(cmd.OutOrStdout(), "ok")
			return nil
		},
	}
}
