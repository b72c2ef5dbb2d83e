package facts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines what people ask of a store: its facts, its changes, and whether it is right.

// ErrWrong is the error of a check that has found something wrong.
var ErrWrong = errors.New("the store is not right")

// WriteCheck reads all of a store, which no other process may have open if it is a folder, mends what is certain, and
// writes what it has found. If wanted is not nil, facts that it does not accept as text are said to be unused. The
// error is [ErrWrong] if something wrong is left.
func WriteCheck(w io.Writer, name string, wanted func(fact string) bool) error {
	source := Source(name)
	c, err := Check(context.Background(), source)
	if err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	var unused State
	n := 0
	for text := range c.Facts.All() {
		if n++; wanted != nil && !wanted(text) {
			unused.Add(text)
		}
	}
	var b strings.Builder
	EachUnused(unused.All(), func(text string) { fmt.Fprintln(&b, text) })
	for _, text := range c.Mended {
		fmt.Fprintln(&b, "mended:", text)
	}
	for _, text := range c.Wrong {
		fmt.Fprintln(&b, "wrong:", text)
	}
	if err = ErrWrong; len(c.Wrong) == 0 {
		fmt.Fprintf(&b, "%s, as of change %d: the store is right\n", spell.Count(n, "fact"), c.Last)
		err = nil
	}
	_, failed := io.WriteString(w, b.String())
	return cmp.Or(failed, err)
}

// WriteFacts writes the facts of a store as Prolog text, those that wanted accepts as text; nil accepts all. Another
// process may have the store open.
func WriteFacts(w io.Writer, name string, wanted func(fact string) bool) error {
	state, err := Source(name).Load(context.Background(), AsOf{})
	if err != nil {
		return err
	}
	for text := range state.All() {
		if wanted != nil && !wanted(text) {
			continue
		}
		if _, err := fmt.Fprintln(w, strings.TrimPrefix(text, "user:")); err != nil {
			return err
		}
	}
	return nil
}

// WriteLog writes the changes of a store since its snapshot: when, for whom, and what, of facts that wanted accepts as
// text; nil accepts all. Another process may have the store open.
func WriteLog(w io.Writer, name string, wanted func(fact string) bool) error {
	return Source(name).Each(context.Background(), func(c Change) error {
		var lines strings.Builder
		for _, e := range c.Edits {
			if wanted == nil || wanted(e.Fact) {
				fmt.Fprintf(&lines, "  %s\n", e)
			}
		}
		if lines.Len() == 0 && wanted != nil {
			return nil
		}
		when, by := c.Origin()
		_, err := fmt.Fprintf(w, "%d %s %s\n%s", c.Number, when, cmp.Or(by, "-"), &lines)
		return err
	})
}

// EachUnused calls f with a sentence for each predicate of some facts, which is not persistent.
func EachUnused(texts iter.Seq[string], f func(string)) {
	count := map[string]int{}
	for text := range texts {
		if f, err := ParseFact(text); err == nil {
			count[f.Indicator()]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		f(fmt.Sprintf("%s of %s, which is not persistent, stay in the store unused", spell.Count(count[name], "fact"), name))
	}
}

// CheckSequence says what is wrong with the text of a sequence.
func CheckSequence(sequence string) error {
	_, err := ParseMark(sequence)
	return err
}
