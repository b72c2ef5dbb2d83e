// Package effort explains what a run did before it exceeded a limit: which predicate it called most, how deep calls
// are nested, how their arguments changed, and which predicate gave ever more answers. It takes samples of the calls.
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

// Effort describes the work of a run up to some moment. It is made from samples: one of about a thousand calls.
type Effort struct {
	// Calls is the number of all calls.
	Calls int64
	// Top is the predicate that was called most. Predicates of the program come before those of the system. It may be
	// nil.
	Top *database.Pred
	// Share is the part of the samples that were calls of Top.
	Share float64
	// Works says that Top is a built-in, and that most steps were taken within calls of it.
	Works bool
	// Deepest is the predicate with the most active calls, those that wait for the end of another call. Depth is
	// their number.
	Deepest *database.Pred
	Depth   int
	// Subject is the predicate that the explanation is about, nil if there is none. Own says that it is one of the
	// program.
	Subject *database.Pred
	Own     bool
	// Kind says how the arguments of Subject have changed from call to call. Argument is the number of the changed
	// one, from 1.
	Kind     Change
	Argument int
	// Size is the last size of that argument: the value of a number, the length of a list or text, or the number of
	// parts of another term, up to mostParts.
	Size int64
	// Recursive says that a clause of Subject calls it, perhaps by way of others.
	Recursive bool
	// LeftRecursive says that one of its clauses calls it first.
	LeftRecursive bool
	// Generator is the first built-in or tabled predicate that may have further answers. Answers is how often such
	// predicates were asked for one. Generator is "" unless that was often. Growing says that the predicate is tabled
	// and its table is not complete.
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

// Varied means no known pattern. Same means no change. Grows means that a text, list or term becomes larger. Rises
// and Falls mean that a number does.
const (
	Varied Change = iota
	Same
	Grows
	Rises
	Falls
)

// The bounds of the samples and of the search in them.
const (
	mostTallies = 32
	mostLooks   = 64
	lookedAt    = 4     // measured arguments of a call
	mostParts   = 20000 // parts of a term and elements of a list that are counted
	// manyCalls is the depth from which a recursion is taken to be endless. Programs that end rarely need it.
	manyCalls = 1000
	// early is the number of samples at the beginning that are taken more often, and also the factor.
	early = 32
)

// MostFrames bounds the environments and choice points that are read.
const MostFrames = 1 << 16

// Log holds the samples of a run.
type Log struct {
	tallies  [mostTallies]tally
	looks    [mostLooks]look // a ring of the last looks; looked is the index of the next
	looked   int             // the number of looks so far
	nextLook int64           // the number of calls at which the next look is due
	noted    int
	Redos    int64   // how often built-ins were asked for a further answer
	Told     *Effort // the effort at the last exceeded limit
}

// tally counts calls of the predicate at an address. They include work, the steps of a built-in.
type tally struct {
	at          int
	calls, work int64
}

// look holds the measures of the arguments of a call at an address.
type look struct {
	at    int
	arity int
	args  [lookedAt]measure
}

// measure is the kind and the size of a value of an argument.
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

// Batch returns the number of calls up to the next sample. It is smaller at first, so that short runs have samples
// too. It varies, so that the samples of a loop of several calls do not all fall on the same one.
func (l *Log) Batch() int64 {
	n := stacks.FuelBatch - int64(l.noted*97)&511
	if l.noted < early {
		n /= early
	}
	return n
}

// Note adds a sample: a call of the predicate whose entry is at an address. It counts for all calls since the last
// sample.
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

// add counts calls of the predicate at an address. A predicate without a tally takes over the smallest one, with its
// count (Metwally et al., "Space-Saving", 2005). So counts are never too small, and the largest ones are nearly
// right.
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

// measureBlob measures a blob by its header. The size of a big integer is its number of words.
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

// Fill sets the fields of an effort that describe calls. tables holds the predicates whose tables are being
// evaluated.
func (l *Log) Fill(e *Effort, m *stacks.Terms, program *database.Program, tables []*database.Pred) {
	depthOf(m, program, tables, e)
	if p := subjectOf(program, e, l.topsOf(program, e)); p != nil {
		e.Subject, e.Own = p, IsOwn(program, p)
		e.Recursive, e.LeftRecursive = callsItself(program, p), callsItselfFirst(p)
		l.changeOf(e, int(p.Entry))
	}
}

// subjectOf returns the predicate that the explanation is about. It is the deepest one if that is deep enough.
// Otherwise it is the first of tops that belongs to the program and calls itself, or else e.Top.
func subjectOf(program *database.Program, e *Effort, tops []*database.Pred) *database.Pred {
	const nestedCalls = 3 // this many active calls count as a recursion
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

// topsOf returns the predicates with more than a twentieth of the calls, the most called one first. Predicates of the
// program precede all others. It also sets Top, Share and Works.
func (l *Log) topsOf(program *database.Program, e *Effort) (tops []*database.Pred) {
	const nearly = 20 // a predicate needs more than this part of all calls
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

// IsPlumbing reports whether a predicate is internal, or a control predicate. Programs call such predicates without
// naming them, or all the time.
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

// BuiltinAt returns the number that stands in samples for the address of a built-in. Code calls built-ins by number.
func BuiltinAt(number int) int { return -1 - number }

// callsItself reports whether the clauses of a predicate mention it, directly or through other predicates.
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

// callsItselfFirst reports whether a clause of a predicate begins with a call of it and goes on after it, with no
// compound argument in the head or in this call.
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

// mentioned returns the functors in the body of a clause, each of which may be that of a goal.
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

// depthOf sets Deepest and Depth. It counts the active calls of each predicate, in the current environments and in
// those of the choice points. tables holds the predicates whose tables are being evaluated.
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

// IsTabling reports whether a predicate with this name makes or reads tables.
func IsTabling(name string) bool { return strings.HasPrefix(name, "$tbl_") }

// TabledBy returns the tabled predicate if p is the one behind it that has its clauses, or else p.
func TabledBy(p *database.Pred) *database.Pred {
	if name, behind := strings.CutSuffix(p.Name(), database.BehindTable); behind {
		return p.Module.Lookup(code.Functor(name, p.Arity()))
	}
	return p
}

// changeOf sets Kind, Argument and Size from the looks at an address. It takes the last looks with arguments of the
// same kinds. If these show no change, it takes their second half.
func (l *Log) changeOf(e *Effort, at int) {
	const few = 3 // fewer looks show nothing
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

// isLike reports whether the arguments of two calls are of the same kinds.
func (k *look) isLike(other *look) bool {
	for i := range k.args {
		if k.args[i].kind != other.args[i].kind {
			return false
		}
	}
	return true
}

// changeAt returns how one argument has changed.
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

// Text returns sentences about the work of the run and the likely mistake. name returns the name of a file for
// readers.
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

// cause returns a sentence about the likely mistake.
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

// endless returns why a recursion may have no end.
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
