package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// This file defines the list of disagreements that have a reason.

// knownEntry is an entry of the list: the question of a goal, or a rule by which many are recognized.
// All that is given must match.
type knownEntry struct {
	// Systems is who disagrees with us: comma-separated names.
	Systems string `json:"systems"`
	// Goal is the exact text.
	Goal string `json:"goal,omitempty"`
	// Area, Goals, Ours and Theirs are regular expressions for the area, the goal's text, our
	// answer and theirs as JSON.
	Area   string `json:"area,omitempty"`
	Goals  string `json:"goals,omitempty"`
	Ours   string `json:"ours,omitempty"`
	Theirs string `json:"theirs,omitempty"`
	// Reason says what decides: a clause of the standard, the manual, a decision of ours.
	Reason string `json:"reason"`
	// Lacks marks what the system cannot do at all, so that there is nothing to compare.
	Lacks bool `json:"lacks,omitempty"`
	// Layout: they differ in blanks of the output only.
	Layout bool `json:"layout,omitempty"`
	// Random marks rules that only random goals need.
	Random bool `json:"random,omitempty"`

	patterns []pattern
	used     bool
}

// pattern is a regular expression and what it is for.
type pattern struct {
	*regexp.Regexp
	of func(disagreement) string
}

// disagreement is a question that ours and another system answer otherwise.
type disagreement struct {
	system       string
	question     question
	ours, theirs answer
}

func readKnown(testdata string) ([]*knownEntry, error) {
	file := filepath.Join(testdata, "differential", "known.jsonl")
	list, err := readLines[*knownEntry](file)
	if err != nil {
		return nil, err
	}
	second, err := readSecondOpinions(testdata)
	if err != nil {
		return nil, err
	}
	list = append(list, second...)
	for _, k := range list {
		if err := k.compile(); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, k.name(), err)
		}
	}
	return list, nil
}

// secondOpinion is a line of the list of goals of the language tests to which ichiban/prolog answers otherwise.
type secondOpinion struct {
	Goal   string `json:"goal"`
	Reason string `json:"reason"`
	Never  bool   `json:"never"` // it must not be asked
}

func secondOpinions(testdata string) ([]secondOpinion, error) {
	return readLines[secondOpinion](filepath.Join(testdata, "differential", "ichiban.jsonl"))
}

// readSecondOpinions makes entries of them.
func readSecondOpinions(testdata string) ([]*knownEntry, error) {
	opinions, err := secondOpinions(testdata)
	var list []*knownEntry
	for _, o := range opinions {
		if !o.Never {
			list = append(list, &knownEntry{Systems: "ichiban", Goal: o.Goal, Reason: o.Reason})
		}
	}
	return list, err
}

func (k *knownEntry) compile() error {
	if k.Reason == "" || k.Systems == "" {
		return errors.New("without a reason or systems")
	}
	for _, p := range []struct {
		text string
		of   func(disagreement) string
	}{
		{k.Area, func(d disagreement) string { return d.question.Area }},
		{k.Goals, func(d disagreement) string { return d.question.Goal }},
		{k.Ours, func(d disagreement) string { return d.ours.String() }},
		{k.Theirs, func(d disagreement) string { return d.theirs.String() }},
	} {
		if p.text == "" {
			continue
		}
		re, err := regexp.Compile(p.text)
		if err != nil {
			return err
		}
		k.patterns = append(k.patterns, pattern{re, p.of})
	}
	if k.Goal == "" && len(k.patterns) == 0 && !k.Layout {
		return errors.New("says nothing of what it is about")
	}
	return nil
}

// name is how the list's entry is referred to.
func (k *knownEntry) name() string {
	if k.Goal != "" {
		return k.Systems + ": " + k.Goal
	}
	return k.Systems + ": " + k.Reason
}

func (k *knownEntry) matches(d disagreement) bool {
	if k.Goal != "" && k.Goal != d.question.Goal || !contains(k.Systems, d.system) {
		return false
	}
	if k.Layout && !d.ours.sameButLayout(d.theirs) {
		return false
	}
	for _, p := range k.patterns {
		if !p.MatchString(p.of(d)) {
			return false
		}
	}
	return true
}

func contains(list, name string) bool {
	for part := range strings.SplitSeq(list, ",") {
		if part == name {
			return true
		}
	}
	return false
}

// explain returns the entry for a disagreement, or nil. All that match count as used.
func explain(list []*knownEntry, d disagreement) *knownEntry {
	var found *knownEntry
	for _, k := range list {
		if k.matches(d) {
			k.used = true
			if found == nil {
				found = k
			}
		}
	}
	return found
}
