// This file defines the benchmark programs: Prolog files that run on every
// system, each with a goal `bench` of about a second and a goal `small`.
package main

import (
	"embed"
	"fmt"
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
	var found []program
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".pl")
		if !chosen(only, name) {
			continue
		}
		p, err := readProgram(name)
		if err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	err = unknown(only, "program", func(name string) bool {
		return slices.ContainsFunc(found, func(p program) bool { return p.name == name })
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b program) int { return rank(a.name) - rank(b.name) })
	return found, nil
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
	return os.WriteFile(p.path(dir), []byte(p.text), 0o644)
}

func (p program) path(dir string) string {
	return filepath.Join(dir, p.name+".pl")
}
