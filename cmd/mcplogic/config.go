package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines mcplogic config.

// client is a program whose configuration is known.
type client struct {
	name, key string
	where     string // which file the configuration belongs into
	typed     bool   // it wants to know that the server speaks stdio
}

var clients = []client{
	{name: "vscode", key: "servers", typed: true, where: ".vscode/mcp.json in the workspace"},
	{name: "claude", key: "mcpServers", where: "claude_desktop_config.json, see Settings, Developer, Edit Config"},
	{name: "cursor", key: "mcpServers", where: ".cursor/mcp.json in the project or the home folder"},
}

// clientServer is a server in a configuration.
type clientServer struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func newConfig() *cobra.Command {
	return &cobra.Command{
		Use:   "config vscode|claude|cursor PATH...",
		Short: "Print the configuration of a client for this server",
		Long: `Print the configuration with which a client starts mcplogic serve for files and folders. Where it
belongs is said on standard error.`,
		Example: `  mcplogic config vscode examples/birds > .vscode/mcp.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("config needs the name of a client (%s) and a PATH", strings.Join(clientNames(), ", "))
			}
			return nil
		},
		ValidArgs: clientNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := findClient(args[0])
			if err != nil {
				return err
			}
			return printConfig(cmd, c, args[1:])
		},
	}
}

func clientNames() []string {
	var names []string
	for _, c := range clients {
		names = append(names, c.name)
	}
	return names
}

func findClient(name string) (client, error) {
	for _, c := range clients {
		if c.name == name {
			return c, nil
		}
	}
	hint := "known are " + strings.Join(clientNames(), ", ")
	if near := spell.Nearest(name, clientNames()); near != "" {
		hint = "did you mean " + near + "?"
	}
	return client{}, fmt.Errorf("unknown client %s; %s", name, hint)
}

func printConfig(cmd *cobra.Command, c client, paths []string) error {
	server := clientServer{Command: ownPath(), Args: []string{"serve"}}
	if c.typed {
		server.Type = "stdio"
	}
	for _, path := range paths {
		if err := pathError(path); err != nil {
			return err
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		server.Args = append(server.Args, absolute)
	}
	name := strings.TrimSuffix(filepath.Base(server.Args[1]), ".pl")
	text, err := json.MarshalIndent(map[string]any{c.key: map[string]any{name: server}}, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(), string(text))
	fmt.Fprintf(cmd.ErrOrStderr(), "This goes into %s.\n", c.where)
	return nil
}

// ownPath is the path of this command, or its name when it will not stay where it is, as under
// go run.
func ownPath() string {
	path, err := os.Executable()
	if err != nil || strings.HasPrefix(path, os.TempDir()) || strings.Contains(path, "go-build") {
		return "mcplogic"
	}
	return path
}
