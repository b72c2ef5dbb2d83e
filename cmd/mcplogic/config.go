package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines mcplogic config.

// mcpClient is a program that starts servers, such as an editor. Each has its own format and file for configurations.
type mcpClient struct {
	name, key string
	where     string // which file the configuration belongs into
	typed     bool   // it wants to know that the server speaks stdio
}

var clients = []mcpClient{
	{name: "vscode", key: "servers", typed: true, where: ".vscode/mcp.json in the workspace"},
	{name: "claude", key: "mcpServers", where: "claude_desktop_config.json, see Settings, Developer, Edit Config"},
	{name: "cursor", key: "mcpServers", where: ".cursor/mcp.json in the project or the home folder"},
}

// clientServer is the entry of one server in a configuration, in the form that all known clients share.
type clientServer struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// newConfig makes the command that prints the configuration of a client.
func newConfig() *cobra.Command {
	f := &serverFlags{}
	cmd := &cobra.Command{
		Use:   "config [flags] vscode|claude|cursor PATH...",
		Short: "Print the configuration of a client for this server",
		Long: `Print the configuration with which a client starts mcplogic serve for files and folders. Where it
belongs is said on standard error. The flags are those of serve, and go into the configuration. All paths
in it are absolute: clients start the server in a folder of their own, without the PATH of a shell.`,
		Example: `  mcplogic config vscode examples/birds > .vscode/mcp.json
  mcplogic config --timeout 5s --name birds claude examples/birds`,
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
	f.add(cmd.Flags())
	f.addIdentity(cmd.Flags())
	return cmd
}

// clientNames lists the clients by the names that the command takes.
func clientNames() []string {
	var names []string
	for _, c := range clients {
		names = append(names, c.name)
	}
	return names
}

// findClient returns the client of a name. The error for an unknown name suggests the nearest one.
func findClient(name string) (mcpClient, error) {
	for _, c := range clients {
		if c.name == name {
			return c, nil
		}
	}
	hint := "known are " + strings.Join(clientNames(), ", ")
	if near := spell.Nearest(name, clientNames()); near != "" {
		hint = "did you mean " + near + "?"
	}
	return mcpClient{}, fmt.Errorf("unknown client %s; %s", name, hint)
}

// printConfig prints the configuration of a client. Paths become absolute, because clients start servers in a folder
// of their own.
func printConfig(cmd *cobra.Command, c mcpClient, paths []string) error {
	command, installed, err := ownPath()
	if err != nil {
		return err
	}
	server := clientServer{Command: command, Args: []string{"serve"}}
	if c.typed {
		server.Type = "stdio"
	}
	if server.Args, err = appendFlags(server.Args, cmd.Flags()); err != nil {
		return err
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
	text, err := json.MarshalIndent(map[string]any{c.key: map[string]any{serverName(paths): server}}, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(), string(text))
	fmt.Fprintf(cmd.ErrOrStderr(), "This goes into %s.\n", c.where)
	if !installed {
		fmt.Fprintf(cmd.ErrOrStderr(), "There is no %s yet: go install ./cmd/mcplogic makes it.\n", command)
	}
	return nil
}

// appendFlags appends the flags that were given, with absolute paths where they name files.
func appendFlags(args []string, flags *pflag.FlagSet) ([]string, error) {
	var lost error
	flags.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			if slices.Contains([]string{"instructions", "allow-read", "allow-write"}, f.Name) {
				absolute, err := filepath.Abs(value)
				lost = errors.Join(lost, err)
				value = absolute
			}
			args = append(args, "--"+f.Name+"="+value)
		}
	})
	return args, lost
}

// serverName is the name of a server of files and folders: that of the first.
func serverName(paths []string) string {
	absolute, err := filepath.Abs(paths[0])
	if err != nil {
		return "mcplogic"
	}
	return strings.TrimSuffix(filepath.Base(absolute), ".pl")
}

// ownPath is the absolute path of this command and whether it is there. Under go run, whose result does not stay,
// it is the path to which go install writes.
func ownPath() (path string, there bool, err error) {
	path, err = os.Executable()
	if err != nil || !isTransient(path) {
		return path, true, err
	}
	if found, err := exec.LookPath("mcplogic"); err == nil {
		found, err = filepath.Abs(found)
		return found, true, err
	}
	out, err := exec.Command("go", "env", "GOBIN", "GOPATH").Output()
	if err != nil {
		return "", false, fmt.Errorf("where go install puts commands: %w", err)
	}
	bin, goPath, _ := strings.Cut(strings.TrimRight(string(out), "\n"), "\n")
	if bin == "" {
		bin = filepath.Join(filepath.SplitList(goPath)[0], "bin")
	}
	path = filepath.Join(bin, filepath.Base(path))
	_, err = os.Stat(path)
	return path, err == nil, nil
}

// isTransient reports whether a program file is one that go run has made and will remove.
func isTransient(path string) bool { return strings.Contains(path, "go-build") }

// invocation is how the person at the terminal can call this command again.
func invocation() string {
	own, err := os.Executable()
	if err != nil {
		return "mcplogic"
	}
	if isTransient(own) {
		return "go run ./cmd/mcplogic"
	}
	if found, err := exec.LookPath(filepath.Base(own)); err == nil {
		if absolute, err := filepath.Abs(found); err == nil && absolute == own {
			return filepath.Base(own)
		}
	}
	return own
}
