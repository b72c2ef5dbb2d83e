package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// This file defines the goals that are asked and where they are read from.

// question is a goal with the program it needs.
type question struct {
	Area    string `json:"-"`
	Setup   string `json:"setup,omitempty"`
	Goal    string `json:"goal,omitempty"`
	Max     int    `json:"max,omitempty"`
	Differs string `json:"differs,omitempty"` // why SWI-Prolog is expected to answer otherwise
	// Texts are files by name, of which main.pl is loaded. The goal runs in their folder.
	Texts map[string]string `json:"-"`
}

// mostSolutions is how many solutions are asked for, unless the question says otherwise.
const mostSolutions = 10

func (q question) max() int {
	if q.Max == 0 {
		return mostSolutions
	}
	return q.Max
}

// readQuestions collects the language tests, the goals of testdata/differential and random ones.
func readQuestions(opts options) ([]question, error) {
	var all []question
	for glob, read := range map[string]func(string) ([]question, error){
		"lang/*.jsonl":      readCases,
		"differential/*.pl": readGoals,
	} {
		files, err := filepath.Glob(filepath.Join(opts.testdata, glob))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			area := filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
			if !opts.areas.MatchString(area) {
				continue
			}
			questions, err := read(file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			for i := range questions {
				questions[i].Area = area
			}
			all = append(all, questions...)
		}
	}
	for _, q := range generate(opts.seed, opts.count) {
		if opts.areas.MatchString(q.Area) {
			all = append(all, q)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no goals in %s", opts.testdata)
	}
	return all, nil
}

// readCases reads the lines of a language test.
func readCases(file string) ([]question, error) {
	return readLines[question](file)
}

// readLines decodes each line of a file of JSON lines.
func readLines[T any](file string) ([]T, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		all = append(all, v)
	}
	return all, lines.Err()
}

// goalText finds the goals of a file: what begins a line with ?- up to a full stop that ends one.
var goalText = regexp.MustCompile(`(?ms)^\?- (.*?)\.$`)

// readGoals reads a file of Prolog text in which ?- Goal is a question; the rest is the program of all of them.
func readGoals(file string) ([]question, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	setup := strings.TrimSpace(comment.ReplaceAllString(goalText.ReplaceAllString(string(data), ""), ""))
	var all []question
	for _, m := range goalText.FindAllStringSubmatch(string(data), -1) {
		all = append(all, question{Setup: setup, Goal: m[1]})
	}
	return all, nil
}

// comment is a line that holds nothing else, with the line breaks before it.
var comment = regexp.MustCompile(`(?m)^(%.*)?\n`)
