// This file defines the systems that are compared, and how each is told to load a file and run a goal.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// baseline is the system the ratios are taken to first.
const baseline = "swipl"

// A system is a Prolog that can be started as a command.
type system struct {
	name string
	// small systems run the goal small, and their time is multiplied by the scale.
	small bool
	// command is the command line that loads the file of a program and runs goal once.
	command func(dir string, p program, goal string) []string
	// prepare, when not nil, compiles a program beforehand.
	prepare func(ctx context.Context, dir string, p program) error
	env     []string
}

// findSystems builds ours into dir, when it is wanted, and looks for the others on the PATH.
func findSystems(ctx context.Context, dir, only string) ([]system, error) {
	ours := filepath.Join(dir, "mcplogic")
	if chosen(only, "mcplogic") || chosen(only, "ichiban") {
		if err := goBuild(ctx, ours, "cmd/mcplogic"); err != nil {
			return nil, err
		}
	}
	all := []system{mcplogic(ours)}
	if onPath("swipl") {
		all = append(all, swipl("swipl"), swipl("swipl -O", "-O"))
	}
	if onPath("gplc") {
		all = append(all, gprolog())
	}
	all = append(all, reference(ours))
	var found []system
	for _, s := range all {
		if chosen(only, s.name) {
			found = append(found, s)
		}
	}
	return found, unknown(only, "system", func(name string) bool {
		return slices.ContainsFunc(all, func(s system) bool { return s.name == name })
	})
}

func onPath(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// goBuild builds a command of this module, whatever folder we are in.
func goBuild(ctx context.Context, out, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", out, "github.com/mcplogic/mcplogic/"+pkg)
	cmd.Env = append([]string{"CGO_ENABLED=0"}, os.Environ()...) // it does not need the C library
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, text)
	}
	return nil
}

// mcplogic is this engine, with room: some programs need more than a call of a server is given by default.
func mcplogic(binary string) system {
	return system{name: "mcplogic", command: func(dir string, p program, goal string) []string {
		return []string{binary, "query", "--timeout=1h", "--max-memory=4GiB", p.path(dir), goal}
	}}
}

// reference is ichiban/prolog, asked through our own command.
func reference(binary string) system {
	return system{name: "ichiban", small: true, command: func(dir string, p program, goal string) []string {
		return []string{binary, "query", "--reference", "--timeout=1h", p.path(dir), goal}
	}}
}

func swipl(name string, flags ...string) system {
	return system{name: name, command: func(dir string, p program, goal string) []string {
		args := append([]string{"swipl"}, flags...)
		return append(args, "-q", "-f", "none", "-g", goal, "-t", "halt", p.path(dir))
	}}
}

// gprolog compiles to native code. Its stacks do not grow, so they are made
// large; the pages that are not touched cost nothing.
func gprolog() system {
	return system{
		name: "gprolog",
		env:  []string{"GLOBALSZ=524288", "LOCALSZ=524288", "TRAILSZ=524288", "CSTRSZ=262144"},
		command: func(dir string, p program, goal string) []string {
			return []string{native(dir, p), goal}
		},
		prepare: compileNative,
	}
}

func native(dir string, p program) string { return filepath.Join(dir, p.name+".native") }

// compileNative adds a start goal to the program: call the goal named on the command line.
func compileNative(ctx context.Context, dir string, p program) error {
	source := filepath.Join(dir, p.name+"_native.pl")
	text := p.text + "\n'bench start' :- argument_value(1, Goal), call(Goal), halt.\n:- initialization('bench start').\n"
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "gplc", "--no-top-level", "-o", native(dir, p), source)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("gplc: %s", firstLine(string(out)))
	}
	return nil
}

// firstLine is the first line of text that is not empty.
func firstLine(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
