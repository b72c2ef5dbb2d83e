// This file defines the benchmark programs: Prolog files that run on every
// system, each with a goal `bench` of about a second and a goal `small`.
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

//go:embed programs/*.pl
var programFiles embed.FS

// kernels are the programs the targets of the project are stated for.
var kernels = []string{"nrev", "tak", "fib", "loop", "queens"}

// A program is one file of programs/. Its second line reads `% scale: N`: the
// goal bench does N times the work of the goal small, counted in inferences.
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

// programs returns the programs that only names, kernels first, then by name.
func programs(only string) ([]program, error) {
	if only == "kernels" {
		only = strings.Join(kernels, ",")
	}
	entries, err := programFiles.ReadDir("programs")
	if err != nil {
		return nil, err
	}
	var all []program
	for _, entry := range entries {
		p, err := readProgram(strings.TrimSuffix(entry.Name(), ".pl"))
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

func readProgram(name string) (program, error) {
	text, err := programFiles.ReadFile("programs/" + name + ".pl")
	if err != nil {
		return program{}, err
	}
	lines := strings.SplitN(string(text), "\n", 3)
	if len(lines) < 3 {
		return program{}, fmt.Errorf("programs/%s.pl: no header", name)
	}
	about, okAbout := strings.CutPrefix(lines[0], "% ")
	factor, okScale := strings.CutPrefix(lines[1], "% scale: ")
	scale, err := strconv.ParseFloat(factor, 64)
	if !okAbout || !okScale || err != nil || scale < 1 {
		return program{}, fmt.Errorf("programs/%s.pl: the header needs a sentence and a line `%% scale: N`", name)
	}
	return program{name: name, about: about, scale: scale, text: string(text)}, nil
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
