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

// Source returns a formatted text. If the text has errors, it is returned unchanged. Formatting the result again
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

// differing returns the first clause in which two readings of a text differ, or -1.
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

// This part defines the layout of clauses and control constructs.

// clause writes a clause with its full stop.
func (p *printer) clause(c *source.Clause) {
	items, end, ok := treeOf(p.text, c)
	if !ok || p.verbatim[len(p.digests)-1] {
		p.write(p.text[c.Start:c.End])
		return
	}
	p.base = 0
	neck := neckOf(items)
	switch {
	case neck > 0:
		p.rule(items[:neck], &items[neck], items[neck+1:])
	case items[0].Role == source.RolePrefix && items[0].Priority == 1200:
		p.directive(items)
	default:
		p.flow(items, nil, 0)
	}
	p.stop(items, &end)
}

// stop writes the full stop.
func (p *printer) stop(items []item, end *item) {
	last := items[len(items)-1]
	if last.group != nil {
		last = last.group.close
	}
	spaces := 0
	if isSymbolic(p.source(&last)) {
		spaces = 1
	}
	end.gap.newlines = 0
	p.lead(&end.gap, spaces, false, 0)
	p.write(".")
}

// directive writes a directive. What it says begins at column 0 or behind the operator, as the author has it.
func (p *printer) directive(items []item) {
	p.write(p.source(&items[0]))
	if continuation(items) >= 3+indent {
		p.base = 3
	}
	p.spaces = 1
	p.flow(items[1:], &items[0], 3)
}

// continuation returns the column at which the second line of some items begins, or 0.
func continuation(items []item) int {
	for i := range items {
		it := &items[i]
		if it.gap.newlines > 0 {
			return it.At.Column - 1
		}
		if it.group != nil {
			if n := continuation(it.group.items); n > 0 {
				return n
			}
			if it.group.close.gap.newlines > 0 {
				return it.group.close.At.Column - 1
			}
		}
	}
	return 0
}

// rule writes head, neck and body.
func (p *printer) rule(head []item, neck *item, body []item) {
	p.base = indent
	p.flow(head, nil, indent) // the column of a guard on a line of its own
	spaces := 1
	if !neck.gap.broken() {
		spaces = p.aligned(neck)
	}
	p.lead(&neck.gap, spaces, false, 0)
	p.write(p.source(neck))
	spread := isSpread(body)
	if !spread && !anyBroken(body) {
		spread = p.column+1+widthOf(body)+1 > maxWidth
	}
	if !spread {
		p.spaces, p.base = 1, 0
		p.control(body, 0, 0, false)
		return
	}
	if cut := cutAtNeck(body); cut > 0 {
		p.spaces = 1
		p.flow(body[:cut-1], neck, indent)
		p.lead(&body[cut-1].gap, 0, false, indent)
		p.write(",")
		body = body[cut:]
	}
	if !body[0].gap.broken() {
		body[0].gap.newlines = 1
	}
	body[0].gap.newlines = min(body[0].gap.newlines, 1)
	p.lead(&body[0].gap, 0, true, indent)
	body[0].gap = gap{}
	p.control(body, indent, 0, true)
}

// cutAtNeck returns how many items of a body are a cut and a comma that the author has put on the line of the neck.
func cutAtNeck(body []item) int {
	if len(body) > 2 && isCut(body[:1]) && body[1].isComma() && !body[0].gap.broken() && len(body[1].gap.comments) == 0 {
		return 2
	}
	return 0
}

// anyBroken reports whether a line ends within items.
func anyBroken(items []item) bool {
	for i := range items {
		if items[i].gap.broken() || items[i].group != nil && items[i].group.broken {
			return true
		}
	}
	return false
}

// widthOf returns about how many characters items take on one line.
func widthOf(items []item) int {
	n := 0
	for i := range items {
		it := &items[i]
		n += it.End - it.Start
		if it.gap.bytes > 0 || it.separates() {
			n++
		}
		if it.group != nil {
			n += widthOf(it.group.items) + 1
		}
	}
	return n
}

// control writes goals with what stands between them. Over several lines goals begin at one column, and arrows and
// semicolons at another one, four columns before.
func (p *printer) control(items []item, goals, arrows int, spread bool) {
	from, arrow, block := 0, false, false // block: the goal before was a construct of its own lines
	for i := 0; i <= len(items); i++ {
		if i < len(items) && !items[i].separates() {
			continue
		}
		if goal := items[from:i]; len(goal) > 0 {
			if block && spread && !arrow && !goal[0].gap.broken() {
				goal[0].gap.newlines = 1
			}
			p.goal(goal, from > 0, arrow, goals, spread)
			block = goal[len(goal)-1].isConstruct()
		}
		if i == len(items) {
			return
		}
		it := &items[i]
		arrow = it.isArrow()
		inline := it.Name != ";" && it.Kind == source.KindName && !it.gap.broken() && i+1 < len(items) &&
			!items[i+1].gap.broken()
		p.separator(it, arrow, goals, arrows, spread && !inline)
		from = i + 1
	}
}

// separator writes a comma, an arrow or a semicolon.
func (p *printer) separator(it *item, arrow bool, goals, arrows int, spread bool) {
	it.gap.newlines = 0
	text := p.source(it)
	switch {
	case !arrow:
		p.lead(&it.gap, 0, false, goals)
		p.write(text)
	case spread:
		p.lead(&it.gap, 0, true, arrows)
		p.write(text)
		p.spaces = max(indent-len(text), 1)
	default:
		p.lead(&it.gap, 1, false, arrows)
		p.write(text)
		p.spaces = 1
	}
}

// goal writes one goal. Its line has begun if it is the first one or stands behind an arrow.
func (p *printer) goal(goal []item, follows, arrow bool, column int, spread bool) {
	first := &goal[0]
	if spread {
		p.base = column
	}
	switch {
	case arrow && len(first.gap.comments) == 0:
	case arrow:
		first.gap.newlines = min(first.gap.newlines, 1)
		p.lead(&first.gap, p.spaces, false, column)
	case follows:
		p.lead(&first.gap, 1, spread && first.gap.broken(), column)
	case len(first.gap.comments) > 0:
		p.lead(&first.gap, p.spaces, false, column)
	}
	first.gap = gap{bytes: -1}
	at := column
	if !spread {
		at = p.base
	}
	p.flow(goal, nil, at)
}

// construct writes a control construct in its brackets over several lines, from the current column on.
func (p *printer) construct(it *item) {
	at, base := p.column+p.spaces, p.base
	p.write(p.source(it))
	g := it.group
	p.spaces = indent - 1
	first := &g.items[0]
	if len(first.gap.comments) == 0 {
		first.gap = gap{}
	} else if first.gap.newlines > 1 {
		first.gap.newlines = 1
	}
	p.control(g.items, at+indent, at, true)
	g.close.gap.newlines = 0
	p.lead(&g.close.gap, 0, true, at)
	p.write(p.source(&g.close))
	p.base = base
}
