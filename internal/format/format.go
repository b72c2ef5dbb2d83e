// Package format writes Prolog texts in one style.
//
// [Source] is its entry. Tokens stay as they were written, and comments and blank lines stay where they are; only white
// space changes. So the result reads as the same terms, which Source checks. The style:
//
//	head :-
//	    goal,
//	    (   condition
//	    ->  goal,
//	        goal
//	    ;   goal
//	    ).
//
// A clause on one line stays on one line if it fits. Other bodies begin on the line below the head; goals that the
// author has put on one line stay there. Within the arguments of a goal the lines are broken where the author broke
// them: below the opening bracket, or four columns further in if nothing follows the bracket on its line. Columns that
// the author aligned in neighbouring lines stay aligned.
package format

import (
	"fmt"
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
)

// MaxBytes is the size of the largest text that is formatted. Clauses are formatted in memory.
const MaxBytes = 32 << 20

// Error says why a text is not formatted.
type Error struct {
	At      source.Place
	Code    string // of docs/diagnostics.md
	Message string
	Syntax  *source.Error // the syntax error, if it is one
}

// Error is the place and the message.
func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.At.Line, e.At.Column, e.Message) }

// maxPasses bounds how often a text is formatted again until that changes nothing.
const maxPasses = 6

// Source returns a text in the style. If there are errors the text is returned as it is. Formatting the result again
// changes nothing. o may be nil; the operators of the text are added to its operators.
func Source(name, text string, o *source.Options) (string, []*Error) {
	if errs := check(text); errs != nil {
		return text, errs
	}
	if o == nil {
		o = &source.Options{}
	}
	verbatim := map[int]bool{}
	seed := maphash.MakeSeed()
	given, now := text, withoutTabs(name, text, o)
	first := now
	var digests []uint64
	for range maxPasses {
		p := newPrinter(name, now, o, seed, verbatim)
		next, errs := p.run()
		if len(errs) > 0 && digests == nil {
			return given, errs
		}
		if digests == nil {
			digests = p.digests
		} else if bad := differing(digests, p.digests); bad >= 0 || len(errs) > 0 {
			if bad < 0 || bad >= len(digests) || verbatim[bad] {
				return given, nil // nothing is lost by leaving it as it is
			}
			verbatim[bad], now, digests = true, first, nil
			continue
		}
		if next == now {
			return now, nil
		}
		now = next
	}
	return given, nil
}

// check refuses what is no text.
func check(text string) []*Error {
	at := source.Place{Line: 1, Column: 1}
	if len(text) > MaxBytes {
		return []*Error{{At: at, Code: "path",
			Message: fmt.Sprintf("the file has more than %d MiB and is left as it is", MaxBytes>>20)}}
	}
	bad := strings.IndexByte(text, 0)
	if bad < 0 && utf8.ValidString(text) {
		return nil
	}
	message := "a zero byte: this is no text"
	if bad < 0 {
		for i, r := range text {
			if r == utf8.RuneError {
				if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
					bad = i
					break
				}
			}
		}
		message = "this line is not valid UTF-8"
	}
	at.Line += strings.Count(text[:bad], "\n")
	at.Column += utf8.RuneCountInString(text[strings.LastIndexByte(text[:bad], '\n')+1 : bad])
	return []*Error{{At: at, Code: "encoding", Message: message}}
}

// differing returns the first clause that two readings of a text do not have in common, -1 if there is none.
func differing(a, b []uint64) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}
