package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/clients"
	"github.com/mcplogic/mcplogic/internal/guide"
)

// This file defines mcplogic init and mcplogic guide.

// startFiles is the knowledge base that init writes: rules, and tests of them.
//
//go:embed start
var startFiles embed.FS

// newInit makes the command that writes a small knowledge base to start from. It ends by saying what to try
// with it. The hints go to standard error, so that standard output has the paths of the files alone.
func newInit() *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Write a small knowledge base to start from",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("init needs the name of one folder")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := initFolder(cmd, args[0]); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), `Try:
  %[2]s check %[1]s
  %[2]s test %[1]s
  %[2]s call %[1]s can_order customer=ann item=tea day=2026-03-01
  %[2]s why %[1]s "can_order(cid, tea, date(2026, 3, 1), Price)"
  %[2]s call %[1]s place_order customer=bob item=tea
  %[2]s config vscode %[1]s
`, args[0], clients.Invocation())
			return nil
		},
	}
}

func newGuide() *cobra.Command {
	return &cobra.Command{
		Use:   "guide",
		Short: "Print how to write rules, facts, tools and tests",
		Args:  cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprint(cmd.OutOrStdout(), guide.Text(guide.Commands))
		},
	}
}

// initFolder writes the files into a folder, which it makes if need be, and prints their paths. It overwrites nothing:
// O_EXCL makes a file that is there already an error, and what was written before stays.
func initFolder(cmd *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	names, err := fs.Glob(startFiles, "start/*")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := startFiles.ReadFile(name)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.Base(name))
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s is there already, and init overwrites nothing; name another folder", path)
		}
		if err != nil {
			return err
		}
		if _, err := f.Write(text); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		fmt.Fprintln(cmd.OutOrStdout(), path)
	}
	return nil
}
