// Package effort tells what a run has done when a limit has run out: which predicate it called most, how deep calls are
// nested, how their arguments have changed, and which predicate gave ever more answers. It knows that from samples of
// the calls.
package effort

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// cell is a term or a part of one; see package code.
type cell = code.Cell

// Effort is what a run has done up to some moment. It comes of samples: one call in some thousand.
type Effort struct {
	// Calls is the number of all calls.
	Calls int64
	// Top is the predicate of the program that was called most, or if there is none one of the system. It may be nil.
	Top *database.Pred
	// Share is the part of the samples that were calls of Top.
	Share float64
	// Works says that Top is a built-in, and that most steps were taken within calls of it.
	Works bool
	// Deepest is the predicate most of whose calls wait for the end of another, and Depth how many do.
	Deepest *database.Pred
	Depth   int
	// Subject is the predicate whose recursion matters, nil if nothing is known; Own says that it is one of the program.
	Subject *database.Pred
	Own     bool
	// Kind says how the arguments of Subject have changed from call to call; Argument is the one that has, from 1.
	Kind     Change
	Argument int
	// Size is what that argument is at last: the value of a number, the length of a list or text, else the parts of a
	// term, up to some thousand.
	Size int64
	// Recursive says that a clause of Subject calls it, perhaps by way of others.
	Recursive bool
	// LeftRecursive says that one of its clauses calls it first.
	LeftRecursive bool
	// Generator is the first built-in or tabled predicate that may have further answers, and Answers is how often such
	// were asked for one; "" unless that was often. Growing says that it is tabled, and that not all answers are known.
	Generator string
	Growing   bool
	Answers   int64
	// Within names the built-in in which the limit ran out, or is "".
	Within string
	// Last names the built-in that was called last, or is "".
	Last string
}

// Change says how the arguments of a predicate change from call to call.
type Change uint8

// Varied: in no way that was seen. Same: not at all. Grows: an argument becomes larger. Rises and Falls: a number does.
const (
	Varied Change = iota
	Same
	Grows
	Rises
	Falls
)

// The bounds of what is looked at.
const (
	mostTallies = 32
	mostLooks   = 64
	lookedAt    = 4     // arguments of a call that are looked at
	mostParts   = 20000 // parts of a term and elements of a list that are counted
	// manyCalls wait for the end of another where a recursion has no end; programs that end rarely need as many.
	manyCalls = 1000
	// early is how many samples are taken early, and how much earlier.
	early = 32
)

// MostFrames is how many environments and choice points are looked at.
const MostFrames = 1 << 16

// Log has the samples of a run.
type Log struct {
	tallies  [mostTallies]tally
	looks    [mostLooks]look // the last ones, see looked
	looked   int             // how many there have been
	nextLook int64           // the number of calls at which the next is due
	noted    int
	Redos    int64   // how often built-ins were asked for a further answer
	Told     *Effort // that of the last limit that has run out
}

// tally counts calls of what stands at an address, and the steps that a built-in has taken, which are among them.
type tally struct {
	at          int
	calls, work int64
}

// look is what the arguments of a call at an address were like.
type look struct {
	at    int
	arity int
	args  [lookedAt]measure
}

// measure tells two values of an argument apart as far as its change matters.
type measure struct {
	kind measureKind
	size int64
}

// measureKind is the kind of a value. Values of different kinds always differ.
type measureKind uint8

const (
	unboundMeasure measureKind = iota
	numberMeasure
	constantMeasure
	textMeasure
	listMeasure
	termMeasure
)

// Reset forgets the samples.
func (l *Log) Reset() {
	l.tallies = [mostTallies]tally{}
	l.looked, l.nextLook, l.noted, l.Redos, l.Told = 0, 0, 0, 0, nil
}

// Batch is how many calls there may be up to the next sample: fewer at first, so that short runs have samples too, and
// not always as many, so that the samples of a loop of several calls fall on all of them.
func (l *Log) Batch() int64 {
	n := stacks.FuelBatch - int64(l.noted*97)&511
	if l.noted < early {
		n /= early
	}
	return n
}

// Note notes the call of the predicate whose entry is at an address. It stands for those since the last one.
func (l *Log) Note(m *stacks.Terms, at, arity int) {
	l.noted++
	l.add(at, int64(m.Batch-m.Fuel))
	if m.Counted < l.nextLook {
		return
	}
	l.nextLook = m.Counted + m.Counted/8 + stacks.FuelBatch
	k := &l.looks[l.looked%mostLooks]
	l.looked++
	*k = look{at: at, arity: min(arity, lookedAt)}
	for i := range k.arity {
		k.args[i] = measureOf(m, m.X[i])
	}
}

// add counts calls of the predicate at an address. There are only a few tallies: a predicate without one takes over
// the smallest, with its count (Metwally et al., "Space-Saving", 2005). So counts are never too small, and the
// largest ones are nearly right.
func (l *Log) add(at int, calls int64) *tally {
	least := 0
	for i := range l.tallies {
		t := &l.tallies[i]
		if t.at == at {
			t.calls += calls
			return t
		}
		if t.calls < l.tallies[least].calls {
			least = i
		}
	}
	l.tallies[least] = tally{at: at, calls: l.tallies[least].calls + calls}
	return &l.tallies[least]
}

// measureOf measures a term.
func measureOf(m *stacks.Terms, c cell) measure {
	c = m.Deref(c)
	switch c.Tag() {
	case code.Int:
		return measure{numberMeasure, c.Int()}
	case code.Atom:
		return measure{constantMeasure, int64(c.Atom())}
	case code.Blob:
		return measureBlob(m.Heap[c.Addr()])
	case code.Lst:
		n := 0
		for ; c.Tag() == code.Lst && n < mostParts; n++ {
			c = m.Deref(m.Heap[c.Addr()+1])
		}
		return measure{listMeasure, int64(n)} // elements
	case code.Str:
		return measure{termMeasure, partsOf(m, c)}
	}
	return measure{}
}

// measureBlob measures what has this header. A big number counts by its words.
func measureBlob(header cell) measure {
	switch header.BlobKind() {
	case code.StringBlob:
		return measure{textMeasure, int64(header.BlobBytes())}
	case code.BigPos, code.BigNeg, code.RatioPos, code.RatioNeg:
		return measure{termMeasure, int64(header.BlobWords())}
	}
	return measure{constantMeasure, 0} // a float: its value is not compared
}

// partsOf counts the parts of a term up to mostParts.
func partsOf(m *stacks.Terms, c cell) int64 {
	stack, n := []cell{c}, int64(0)
	for ; len(stack) > 0 && n < mostParts; n++ {
		c := m.Deref(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		if c.Tag() != code.Str && c.Tag() != code.Lst {
			continue
		}
		for i := range min(m.Functor(c).FunctorArity(), mostParts-int(n)) {
			stack = append(stack, m.Arg(c, i))
		}
	}
	return n
}

// AddWork notes steps that a built-in has taken, by its number.
func (l *Log) AddWork(builtin int, steps int64) { l.add(BuiltinAt(builtin), steps).work += steps }

// Fill adds to an effort which calls the run has made. tables are the predicates whose tables are being evaluated.
func (l *Log) Fill(e *Effort, m *stacks.Terms, program *database.Program, tables []*database.Pred) {
	depthOf(m, program, tables, e)
	if p := subjectOf(program, e, l.topsOf(program, e)); p != nil {
		e.Subject, e.Own = p, IsOwn(program, p)
		e.Recursive, e.LeftRecursive = callsItself(program, p), callsItselfFirst(p)
		l.changeOf(e, int(p.Entry))
	}
}

// subjectOf is the predicate whose recursion matters: the deepest if it is deep, else one of the program that calls
// itself, which may call another more often.
func subjectOf(program *database.Program, e *Effort, tops []*database.Pred) *database.Pred {
	const nestedCalls = 3 // calls within calls
	if e.Depth >= manyCalls || e.Depth >= nestedCalls && IsOwn(program, e.Deepest) && callsItself(program, e.Deepest) {
		return e.Deepest
	}
	for _, p := range tops {
		if IsOwn(program, p) && callsItself(program, p) {
			return p
		}
	}
	return e.Top
}

// topsOf finds the predicate that was called most and the predicates that were called nearly as much, in this order.
// Predicates of the program precede all others.
func (l *Log) topsOf(program *database.Program, e *Effort) (tops []*database.Pred) {
	const nearly = 20 // times as much
	calls, work, total := map[int]int64{}, map[int]int64{}, int64(0)
	for _, t := range l.tallies {
		calls[t.at] += t.calls
		work[t.at] += t.work
		total += t.calls
	}
	if total < stacks.FuelBatch/early { // nothing was sampled
		return nil
	}
	of := func(p *database.Pred) int64 {
		if p.Builtin >= 0 {
			return calls[int(p.Entry)] + calls[BuiltinAt(p.Builtin)]
		}
		return calls[int(p.Entry)]
	}
	for _, p := range program.Preds() {
		if of(p) > total/nearly && !IsPlumbing(p) && TabledBy(p) == p {
			tops = append(tops, p)
		}
	}
	slices.SortStableFunc(tops, func(p, q *database.Pred) int {
		if IsOwn(program, p) != IsOwn(program, q) {
			return map[bool]int{true: -1, false: 1}[IsOwn(program, p)]
		}
		return cmp.Compare(of(q), of(p))
	})
	if len(tops) > 0 {
		e.Top, e.Share = tops[0], float64(of(tops[0]))/float64(total)
		e.Works = e.Top.Builtin >= 0 && 2*work[BuiltinAt(e.Top.Builtin)] > total
	}
	return tops
}

// IsPlumbing reports whether a predicate is one that programs use without knowing.
func IsPlumbing(p *database.Pred) bool {
	name := p.Name()
	return strings.HasPrefix(name, "$") && !p.IsLambda() || name == "call" || p.File == ControlFile && name != "repeat"
}

// ControlFile is the file of [ControlSource].
const ControlFile = "control"

// IsOwn reports whether a predicate is one of the program, and not of the system or a library.
func IsOwn(program *database.Program, p *database.Pred) bool {
	return p != nil && !p.Module.Library && p.Module != program.System()
}

// BuiltinAt stands in samples for the address of a built-in, which code calls by its number.
func BuiltinAt(number int) int { return -1 - number }

// callsItself reports whether the clauses of a predicate mention it, perhaps by way of others.
func callsItself(program *database.Program, p *database.Pred) bool {
	const mostPreds, mostClauses = 200, 1000
	list := []*database.Pred{p}
	for i := 0; i < len(list) && len(list) < mostPreds; i++ {
		clauses := list[i].Clauses()
		for _, c := range clauses[:min(len(clauses), mostClauses)] {
			for _, functor := range mentioned(c) {
				called := list[i].Module.Find(functor)
				if called == nil {
					called = program.User().Find(functor)
				}
				if called == p {
					return true
				}
				if called != nil && IsOwn(program, called) && !slices.Contains(list, called) {
					list = append(list, called)
				}
			}
		}
	}
	return false
}

// callsItselfFirst reports whether a clause of a predicate begins with a call of it, takes nothing apart for it, and
// goes on after it.
func callsItselfFirst(p *database.Pred) bool {
	const mostClauses = 1000
	clauses := p.Clauses()
	return p.Arity() > 0 && slices.ContainsFunc(clauses[:min(len(clauses), mostClauses)], func(c *database.Clause) bool {
		goal := c.Body
		for goal.Tag() == code.Str && c.Cells[goal.Addr()] == code.FComma {
			goal = c.Cells[goal.Addr()+1]
		}
		if goal == c.Body || goal.Tag() != code.Str || c.Cells[goal.Addr()] != p.Functor {
			return false
		}
		for i := range p.Arity() {
			if stacks.IsCompound(c.HeadArg(i)) || stacks.IsCompound(c.Cells[goal.Addr()+1+i]) {
				return false
			}
		}
		return true
	})
}

// mentioned returns what in the body of a clause may be the functor of a goal.
func mentioned(c *database.Clause) (functors []cell) {
	stack := []cell{c.Body}
	for len(stack) > 0 && len(functors) < mostParts {
		part := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch part.Tag() {
		case code.Atom:
			functors = append(functors, code.MakeFunctor(part.Atom(), 0))
		case code.Str:
			f := c.Cells[part.Addr()]
			functors = append(functors, f)
			stack = append(stack, c.Cells[part.Addr()+1:part.Addr()+1+f.FunctorArity()]...)
		}
	}
	return functors
}

// depthOf counts the calls that wait for the end of others, now or once the run goes back, by predicate. tables are the
// predicates whose tables are being evaluated.
func depthOf(m *stacks.Terms, program *database.Program, tables []*database.Pred, e *Effort) {
	returns, seen := map[cell]int{}, map[int]bool{}
	count := func(env int) {
		for ; env != 0 && !seen[env] && len(seen) < MostFrames; env = int(m.Envs[env+stacks.EnvE]) {
			seen[env] = true
			returns[m.Envs[env+stacks.EnvCP]]++
		}
	}
	count(m.E)
	for b, n := m.B, 0; b != stacks.ChoiceBase && n < MostFrames; b, n = int(m.Choices[b+stacks.ChoicePrev]), n+1 {
		count(int(m.Choices[b+stacks.ChoiceE]))
	}
	waiting := map[*database.Pred]int{}
	for at, n := range returns {
		if c := program.ClauseAt(uint32(at) - 1); c != nil && !IsTabling(c.Pred.Name()) {
			waiting[TabledBy(c.Pred)] += n
		}
	}
	for _, p := range tables {
		waiting[TabledBy(p)]++
	}
	for p, n := range waiting {
		if n > e.Depth || n == e.Depth && p.ID < e.Deepest.ID {
			e.Deepest, e.Depth = p, n
		}
	}
}

// IsTabling reports whether a predicate of this name is one by which tables are made and read.
func IsTabling(name string) bool { return strings.HasPrefix(name, "$tbl_") }

// TabledBy returns the tabled predicate whose clauses p has, or p if there is none.
func TabledBy(p *database.Pred) *database.Pred {
	if name, behind := strings.CutSuffix(p.Name(), database.BehindTable); behind {
		return p.Module.Lookup(code.Functor(name, p.Arity()))
	}
	return p
}

// changeOf says how the arguments of the calls at an address have changed: since they are of the kinds that they are at
// last, or if that shows nothing, of late.
func (l *Log) changeOf(e *Effort, at int) {
	const few = 3 // looks that show nothing
	var seen []*look
	for i := max(0, l.looked-mostLooks); i < l.looked; i++ {
		k := &l.looks[i%mostLooks]
		if k.at != at {
			continue
		}
		if len(seen) > 0 && !seen[0].isLike(k) {
			seen = nil
		}
		seen = append(seen, k)
	}
	for _, part := range [][]*look{seen, seen[len(seen)/2:]} {
		if len(part) < few || e.Kind != Varied {
			continue
		}
		last := part[len(part)-1]
		if !slices.ContainsFunc(part, func(k *look) bool { return k.args != last.args }) {
			e.Kind = Same
		}
		for i := 0; i < last.arity && e.Kind == Varied; i++ {
			e.Kind, e.Argument, e.Size = changeAt(part, i), i+1, last.args[i].size
		}
	}
}

// isLike reports whether two calls have arguments of the same kinds.
func (k *look) isLike(other *look) bool {
	for i := range k.args {
		if k.args[i].kind != other.args[i].kind {
			return false
		}
	}
	return true
}

// changeAt says how one argument has changed.
func changeAt(seen []*look, i int) Change {
	first, last := seen[0].args[i], seen[len(seen)-1].args[i]
	ups, downs := 0, 0
	for j, k := range seen[1:] {
		before, now := seen[j].args[i], k.args[i]
		switch {
		case now.size > before.size:
			ups++
		case now.size < before.size:
			downs++
		}
	}
	switch first.kind {
	case numberMeasure:
		if ups == len(seen)-1 {
			return Rises
		}
		if downs == len(seen)-1 {
			return Falls
		}
	case textMeasure, listMeasure, termMeasure:
		if downs == 0 && last.size > first.size {
			return Grows
		}
	}
	return Varied
}

// Text says in sentences what the run has done and what is likely to be wrong. name is what a file is called.
func (e *Effort) Text(name func(file string) string) string {
	top, took, units := e.Top, "made", "call"
	if e.Works {
		took, units = "took", "step"
	}
	if e.Calls != 1 {
		units += "s"
	}
	text := fmt.Sprintf("It %s %s %s", took, grouped(e.Calls), units)
	switch {
	case top == nil && e.Depth < manyCalls && e.Generator == "":
		return text + e.Last + "."
	case top != nil && e.Share >= 0.9:
		text += ", nearly all of " + placed(top, name)
	case top != nil:
		text += fmt.Sprintf(", %d %% of them of %s", int(100*e.Share+0.5), placed(top, name))
	}
	if e.Depth >= manyCalls {
		more := ""
		if e.Depth >= MostFrames/2 {
			more = "more than "
		}
		text += fmt.Sprintf("; %s%s calls of %s waited for the end of another", more, grouped(int64(e.Depth)),
			cmp.Or(map[bool]string{true: "it"}[e.Deepest == top], placed(e.Deepest, name)))
	}
	return strings.TrimRight(text+". "+e.cause(e.Subject), " ")
}

// cause says what is likely to be wrong.
func (e *Effort) cause(p *database.Pred) string {
	switch {
	case p != nil && p.Name() == "repeat" && !e.Own:
		return "Likely cause: repeat/0 begins again until the goals after it succeed, and they never do."
	case p != nil && !e.Own && (e.Works || p.Builtin < 0):
		return fmt.Sprintf("Likely cause: %s was given too much to do, or something that has no end.", p.Indicator())
	case p != nil && p.Builtin >= 0 && e.Generator == "" && e.Within != "":
		return fmt.Sprintf("Likely cause: %s was given too much to do.", e.Within)
	case e.LeftRecursive && !p.Has(database.Tabled):
		return fmt.Sprintf("Likely cause: a clause of %s calls %[1]s first, with nothing done before: that has no end. "+
			"Put another goal first, or declare :- table %[1]s.", p.Indicator())
	case p != nil && (e.Depth >= manyCalls && p == e.Deepest || e.Recursive && e.Kind != Varied):
		return e.endless(p)
	case e.Growing:
		return fmt.Sprintf("Likely cause: %s has answers without end, or too many. Let a goal or an argument of the call "+
			"bound them.", e.Generator)
	case e.Generator != "":
		return fmt.Sprintf("Likely cause: there is too much to try. The search asked %s, and others like it, %s times for "+
			"another answer: give them less to choose from, or put goals that rule out most answers first.", e.Generator,
			grouped(e.Answers))
	case e.Recursive && p.Has(database.Tabled):
		return ""
	case e.Recursive:
		return fmt.Sprintf("Likely cause: %s asks the same again and again, or goes round in a circle; "+
			"declare :- table %[1]s. Or there is too much to try: put goals that rule out most of it first.", p.Indicator())
	case p == nil:
		return ""
	}
	return "Likely cause: there are too many combinations to try. Put goals that rule out most of them first."
}

// endless says why a recursion may have no end.
func (e *Effort) endless(p *database.Pred) string {
	name := p.Indicator()
	if p.Has(database.Tabled) {
		return fmt.Sprintf("Likely cause: %s is called with ever new arguments, each of which needs a table. Add a test "+
			"that bounds them before the call.", name)
	}
	argument := "argument " + strconv.Itoa(e.Argument) + " of " + name
	switch e.Kind {
	case Same:
		return fmt.Sprintf("Likely cause: %s calls itself with the same arguments, which has no end. Put a goal that makes "+
			"progress before that call.", name)
	case Grows:
		return fmt.Sprintf("Likely cause: %s grows from call to call, up to a size of %s, and nothing ends that. Recursion "+
			"should go on with a part of an argument, or have a bound.", argument, grouped(e.Size))
	case Rises, Falls:
		return fmt.Sprintf("Likely cause: %s %s from call to call, to %s, and no clause ends that. Add the case that "+
			"ends it, or a test before the call.", argument, map[Change]string{Rises: "rises", Falls: "falls"}[e.Kind],
			grouped(e.Size))
	}
	return fmt.Sprintf("Likely cause: the recursion of %s has no end. See that a clause ends it, that this clause is "+
		"reached, and that each call has less to do than the one before.", name)
}

// placed names a predicate with its first clause.
func placed(p *database.Pred, name func(file string) string) string {
	if p.File == "" {
		return p.Indicator()
	}
	return p.Indicator() + " (" + syntax.At(name(p.File), p.Line, 0).String() + ")"
}

// grouped shows a number with its digits in groups.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
