// This file defines the benchmark programs: Prolog files that run on every system, each with a goal `bench` of about a
// second and a goal `small`, and those of constraint handling rules and of ordinary shape, which have a goal `bench`
// only.
package main

import (
	"bufio"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed programs/*.pl chr/*.pl ordinary/*.pl
var programFiles embed.FS

// kernels are the programs the targets of the project are stated for.
var kernels = []string{"nrev", "tak", "fib", "loop", "queens"}

// rulePrograms is the folder of the programs of constraint handling rules, ordinaryPrograms that of programs of
// ordinary shape. Other systems than chrSystems lack what they need.
const (
	kernelPrograms   = "programs"
	rulePrograms     = "chr"
	ordinaryPrograms = "ordinary"
	chrSystems       = "mcplogic,swipl"
)

// A program is one file of programs/, chr/ or ordinary/. The second line of those in programs/ reads
// `% scale: N`: the goal bench does N times the work of the goal small, counted in inferences.
type program struct {
	name  string
	about string
	scale float64
	text  string
	fill  func(io.Writer) error // writes the text when it is too large to be kept, else nil
	data  func(io.Writer) error // writes the CSV file beside the text, nil for none
	file  string                // without extension, "" for the name
	goal  string                // "" for bench
	start *program              // whose time is taken off, nil for the program itself
}

// programs returns the programs of a folder that only names, kernels first, then by name.
func programs(folder, only string) ([]program, error) {
	if only == "kernels" {
		only = strings.Join(kernels, ",")
	}
	entries, err := programFiles.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []program
	for _, entry := range entries {
		p, err := readProgram(folder, strings.TrimSuffix(entry.Name(), ".pl"))
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b program) int { return rank(a.name) - rank(b.name) })
	return named(all, only)
}

// named returns those of the programs that only names.
func named(all []program, only string) ([]program, error) {
	found := slices.DeleteFunc(slices.Clone(all), func(p program) bool { return !chosen(only, p.name) })
	return found, unknown(only, "program", func(name string) bool {
		return slices.ContainsFunc(found, func(p program) bool { return p.name == name })
	})
}

func rank(name string) int {
	if i := slices.Index(kernels, name); i >= 0 {
		return i
	}
	return len(kernels)
}

func readProgram(folder, name string) (program, error) {
	path := folder + "/" + name + ".pl"
	text, err := programFiles.ReadFile(path)
	if err != nil {
		return program{}, err
	}
	p := program{name: name, scale: 1, text: string(text)}
	lines := strings.SplitN(p.text, "\n", 3)
	about, ok := strings.CutPrefix(lines[0], "% ")
	if !ok || len(lines) < 3 {
		return program{}, fmt.Errorf("%s: the first line is to be a sentence about the program", path)
	}
	p.about = about
	if folder != kernelPrograms {
		p.goal = `\+ \+ bench` // leaves no constraints, which we would write and others not
		return p, nil
	}
	factor, ok := strings.CutPrefix(lines[1], "% scale: ")
	p.scale, err = strconv.ParseFloat(factor, 64)
	if !ok || err != nil || p.scale < 1 {
		return program{}, fmt.Errorf("%s: the second line is to be `%% scale: N`", path)
	}
	return p, nil
}

// write puts the program into dir, where the other systems can read it.
func (p program) write(dir string) error {
	if p.start != nil {
		if err := p.start.write(dir); err != nil {
			return err
		}
	}
	if p.data != nil {
		if err := writeFile(filepath.Join(dir, p.name+".csv"), p.data); err != nil {
			return err
		}
	}
	if p.fill == nil {
		return os.WriteFile(p.path(dir), []byte(p.text), 0o644)
	}
	return writeFile(p.path(dir), p.fill)
}

// writeFile makes a file of what fill writes.
func writeFile(path string, fill func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	return errors.Join(fill(w), w.Flush(), file.Close())
}

func (p program) path(dir string) string {
	return filepath.Join(dir, cmp.Or(p.file, p.name)+".pl")
}
