package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/format"
)

// This file defines mcplogic fmt.

// formatting holds the flags of mcplogic fmt, and what it has found.
type formatting struct {
	// The flags. Without one of them the formatted text goes to standard output.
	list, write, diff bool

	cmd *cobra.Command
	// operators are the operators that the files so far define. A file is read with them, as in a load.
	operators *source.Operators
	report    source.Diagnostics // of files that are left as they are
	changed   bool               // some file is not in the style
}

func newFmt() *cobra.Command {
	f := &formatting{operators: source.NewOperators()}
	cmd := &cobra.Command{
		Use:   "fmt [-l] [-d] [-w] [PATH...]",
		Short: "Format files",
		RunE: func(cmd *cobra.Command, args []string) error {
			f.cmd = cmd
			return f.run(args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.list, "list", "l", false, "list the files that are not in the style")
	flags.BoolVarP(&f.diff, "diff", "d", false, "print what would change")
	flags.BoolVarP(&f.write, "write", "w", false, "write the files that change")
	return cmd
}

// run formats what the arguments name. All files are listed before the first is written, so that a path that is not
// there changes nothing. An error of the system ends the command; what was written before it stays.
func (f *formatting) run(args []string) error {
	if len(args) == 0 || slices.Equal(args, []string{"-"}) {
		return f.stdin()
	}
	files, err := f.files(args)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := f.file(file); err != nil {
			return err
		}
	}
	return f.finish()
}

// stdin formats standard input to standard output. One byte more than the longest text is read, so that too long a text
// is refused and not cut.
func (f *formatting) stdin() error {
	if f.write {
		return fmt.Errorf("fmt -w needs a PATH: standard input cannot be written")
	}
	text, err := io.ReadAll(io.LimitReader(cli.Keyboard(f.cmd), format.MaxBytes+1))
	if err != nil {
		return err
	}
	if err := f.text("-", "<stdin>", string(text)); err != nil {
		return err
	}
	return f.finish()
}

// files lists the files that paths stand for, with the tests in folders.
func (f *formatting) files(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, cmp.Or(cli.PathError(path), err)
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found, err := cli.ProgramFiles(path)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// file formats one file. The size is checked before the text is read.
func (f *formatting) file(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.Size() > format.MaxBytes {
		f.report = append(f.report, source.Diagnostic{Position: source.Position{File: filepath.ToSlash(name)},
			Severity: source.SeverityError, Code: "path",
			Message: fmt.Sprintf("the file has more than %d MiB and is left as it is", format.MaxBytes>>20)})
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return f.text(name, filepath.ToSlash(name), string(text))
}

// text formats a text and does with it what the flags say. file is its path, name what diagnostics call it. A text with
// a syntax error is left as it is.
func (f *formatting) text(file, name, text string) error {
	o := &source.Options{Operators: f.operators, Open: cli.OpenSource}
	formatted, errs := format.Source(name, text, o)
	for _, e := range errs {
		f.report = append(f.report, formatDiagnostic(name, e))
	}
	if len(errs) > 0 {
		return nil
	}
	out := f.cmd.OutOrStdout()
	if formatted != text {
		f.changed = true
		if f.list {
			fmt.Fprintln(out, file)
		}
		if f.diff {
			fmt.Fprintf(out, "%s", diff.Diff(name, []byte(text), name+" (formatted)", []byte(formatted)))
		}
		if f.write {
			return cli.ReplaceFile(file, formatted)
		}
	}
	if !f.list && !f.diff && !f.write {
		fmt.Fprint(out, formatted)
	}
	return nil
}

// finish prints the diagnostics and returns the exit code as an error. With -l or -d a file that is not in the style
// makes it 1, unless -w has mended the file.
func (f *formatting) finish() error {
	cli.PrintDiagnostics(f.cmd.ErrOrStderr(), f.report)
	if len(f.report) > 0 || f.changed && (f.list || f.diff) && !f.write {
		return cli.Exit(cli.ExitNo)
	}
	return nil
}

// formatDiagnostic converts an error of formatting to a diagnostic of a load, so that both look the same.
func formatDiagnostic(name string, e *format.Error) source.Diagnostic {
	if e.Syntax != nil {
		return source.SyntaxDiagnostic(name, e.Syntax)
	}
	d := source.Diagnostic{Position: source.Position{File: name, Place: e.At}, Severity: source.SeverityError,
		Code: e.Code, Message: e.Message}
	d.Offset = 0
	return d
}
