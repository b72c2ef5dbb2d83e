// Package clausetext reads clauses of a program again from the files that it was loaded from. Proofs and the tracer
// need the text and the names of the variables, which the database does not keep.
package clausetext

import (
	"cmp"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// Files finds clauses in the files of a program. It reads each file once. One goroutine uses it.
type Files struct {
	DB   *database.Program
	Open func(name string) (io.ReadCloser, error) // nil: no file can be read
	// At returns the cells of the row of a decision table at a line, or the label of the rule there, "" for none.
	At func(file string, line int) string
	// Row returns the clause that was made of the row of a decision table at a line. Its variables are the columns.
	// head is an instance of its head. The result is nil if there is no row at the line.
	Row func(file string, line int, head term.Term) *syntax.Read

	lines   map[string][]string // of each file, nil for one that cannot be read
	grammar map[*database.Pred]bool
	last    clauseAt // the clause that was read last, as a cache
}

// clauseAt is a clause that was read, with its place.
type clauseAt struct {
	path, module, text string
	line               int
	read               *syntax.Read
}

// The limits of texts that are read for an explanation, in bytes.
const (
	maxFileText   = 4 << 20
	maxClauseText = 16 << 10
	maxValueText  = 100
)

// Goal returns the text of a goal g as it is written in the body of the clause at a place. head is an instance of the
// head, and at.Body one of the body: they give the values of the variables of which g is an instance. text is "" if
// no goal of the clause fits, or if several with different texts do. of lists for each argument of the goal where
// else in the clause it is an argument. linked reports that the goal has two arguments which cannot change
// independently; see dependent.
func (f *Files) Goal(at explain.Place, head, g explain.Goal) (text string, of [][]explain.Argument, linked bool) {
	read := f.clauseOf(at, head)
	called, ok := g.Term.(*term.Compound)
	if read == nil || !ok {
		return "", nil, false
	}
	c := Clause{Read: read, Term: read.Term}
	values := c.Values(head.Term, at.Body)
	w := &syntax.WriteOptions{Quoted: true, VarNames: map[*term.Var]string{}, SpaceArgs: true, MaxBytes: maxValueText,
		MaxDepth: 10, Ops: f.DB.User().Ops}
	for _, v := range term.Variables(read.Term) {
		w.VarNames[v] = "_"
	}
	for _, v := range read.Vars {
		w.VarNames[v.Var] = v.Name
	}
	var before []heldGoal
	for part := range writtenGoals(read, called, at.Body, values) {
		found := syntax.CutText(syntax.Format(part, w), maxValueText)
		if text != "" && found != text {
			return "", nil, false
		}
		_, body := headAndBody(read.Term)
		held, _ := heldBefore(body, at.Body, part, called)
		if text != "" { // it is not known which of them it is
			held = slices.DeleteFunc(held, func(h heldGoal) bool { return !slices.Contains(before, h) })
		}
		text, of, before = found, nil, held
		for _, arg := range part.Args {
			of = append(of, argumentsOf(read, arg, before))
		}
		linked = linked || len(part.Args) == 2 && dependent(read.Term, part)
	}
	return text, of, linked
}

// Written returns the same goal as a term, nil if there are none or several, with the names of the variables of the
// clause. of lists for each variable the goals of the clause that have it as an argument.
func (f *Files) Written(
	at explain.Place, head, g explain.Goal,
) (written *term.Compound, names map[*term.Var]string, of map[*term.Var][]explain.Argument) {
	read := f.clauseOf(at, head)
	called, ok := g.Term.(*term.Compound)
	if read == nil || !ok {
		return nil, nil, nil
	}
	c := Clause{Read: read, Term: read.Term}
	for part := range writtenGoals(read, called, at.Body, c.Values(head.Term, at.Body)) {
		if written != nil && written != part {
			return nil, nil, nil
		}
		written = part
	}
	names, of = map[*term.Var]string{}, map[*term.Var][]explain.Argument{}
	for _, v := range read.Vars {
		names[v.Var], of[v.Var] = v.Name, argumentsOf(read, v.Var, nil)
	}
	return written, names, of
}

// Line returns the line of the file on which the goal g of the clause at a place stands, 0 if no goal fits, or goals
// on several lines do.
func (f *Files) Line(at explain.Place, head, g explain.Goal) int {
	read, _ := f.Clause(at, head.Module)
	called, ok := g.Term.(*term.Compound)
	if read == nil || !ok {
		return 0
	}
	c, line := Clause{Read: read, Term: read.Term}, 0
	for part := range writtenGoals(read, called, at.Body, c.Values(head.Term, at.Body)) {
		found := lineOf(read.Term, read.Layout, part)
		if line > 0 && found != line {
			return 0
		}
		line = found
	}
	if line == 0 {
		return 0
	}
	return at.Line - 1 + line
}

// lineOf returns the line of a part of a term, 0 if the term does not have the part.
func lineOf(t term.Term, l *syntax.Layout, part *term.Compound) int {
	c, ok := t.(*term.Compound)
	if !ok || l == nil {
		return 0
	}
	if c == part {
		return l.Pos.Line
	}
	for i, arg := range c.Args {
		if line := lineOf(arg, l.Arg(i), part); line > 0 {
			return line
		}
	}
	return 0
}

// dependent reports whether a side of a comparison cannot change alone. That is so if both sides share a variable. It
// is also so if goals of the clause compute a variable of one side from variables of the other, or from variables
// that the other is computed from.
func dependent(clause term.Term, comparison *term.Compound) bool {
	head, body := headAndBody(clause)
	if body == nil { // a grammar rule
		body = clause
	}
	known := term.Variables(head)      // before a goal
	var given, computed [][2]*term.Var // the first is a part of what gives the second
	before := true
	for goal := range goalsWithin(body) {
		if goal == comparison {
			before = false
			continue
		}
		vars := term.Variables(goal)
		switch name := goal.Functor; {
		case len(goal.Args) == 2 && (name == "is" || name == "#=" || name == "="):
			_, isVar := goal.Args[0].(*term.Var)
			_, both := goal.Args[1].(*term.Var)
			for _, from := range vars {
				for _, to := range vars {
					isResult := slices.Contains(term.Variables(goal.Args[0]), to)
					if name == "#=" || name == "is" && isResult || name == "=" && isVar && both {
						computed = append(computed, [2]*term.Var{from, to})
					}
				}
			}
		case !before || symbolic(name) || containsGoal(goal, comparison):
			continue
		default:
			for i, from := range vars {
				for j, to := range vars {
					if slices.Contains(known, from) && (i < j || !slices.Contains(known, to)) {
						given = append(given, [2]*term.Var{from, to})
					}
				}
			}
		}
		known = append(known, vars...)
	}
	given = append(given, computed...)
	for i, side := range comparison.Args {
		from := reached(reached(term.Variables(side), computed, 1), given, 0)
		other := term.Variables(comparison.Args[1-i])
		if slices.ContainsFunc(other, func(v *term.Var) bool { return slices.Contains(from, v) }) {
			return true
		}
	}
	return false
}

// containsGoal reports whether a goal stands within another one.
func containsGoal(in, goal *term.Compound) bool {
	for part := range goalsWithin(in) {
		if part == goal {
			return true
		}
	}
	return false
}

// reached returns variables and all that the pairs lead to from them. A pair leads from its variable with index at to
// its other one.
func reached(vars []*term.Var, pairs [][2]*term.Var, at int) []*term.Var {
	for i := 0; i < len(vars); i++ {
		for _, pair := range pairs {
			if pair[at] == vars[i] && !slices.Contains(vars, pair[1-at]) {
				vars = append(vars, pair[1-at])
			}
		}
	}
	return vars
}

// heldGoal is a goal of a clause that has held, as written, and its instance.
type heldGoal struct{ written, instance *term.Compound }

// heldBefore returns the goals that held before a goal of a body was called. written is the body as it is written,
// and body its instance. goal is a part of written, and called its instance. The list has the goals before it in its
// own conjunction and in the enclosing ones, and the conditions of the branches around it. found is false unless goal
// and called stand at the same place in written and body.
func heldBefore(written, body term.Term, goal, called *term.Compound) (list []heldGoal, found bool) {
	if written == term.Term(goal) {
		return nil, body != nil && term.Compare(body, called) == 0
	}
	w, b := sameControl(written, body)
	if w == nil {
		return nil, false
	}
	if list, found = heldBefore(w.Args[0], b.Args[0], goal, called); found {
		return list, true
	}
	list, found = heldBefore(w.Args[1], b.Args[1], goal, called)
	if found && w.Functor != ";" {
		list = append(conjunction(w.Args[0], b.Args[0]), list...)
	}
	return list, found
}

// conjunction returns the goals of a conjunction, with their instances.
func conjunction(written, body term.Term) []heldGoal {
	w, b := sameControl(written, body)
	if w != nil && w.Functor == "," {
		return append(conjunction(w.Args[0], b.Args[0]), conjunction(w.Args[1], b.Args[1])...)
	}
	w, ok := written.(*term.Compound)
	b, instance := body.(*term.Compound)
	if !ok || !instance || !explain.Match(w, b, map[*term.Var]term.Term{}) {
		return nil
	}
	return []heldGoal{{w, b}}
}

// sameControl returns written and body as compounds if both are conjunctions, conditions or disjunctions with the
// same functor, or else nil.
func sameControl(written, body term.Term) (w, b *term.Compound) {
	w, ok := written.(*term.Compound)
	b, instance := body.(*term.Compound)
	if !ok || !instance || len(w.Args) != 2 || len(b.Args) != 2 || w.Functor != b.Functor {
		return nil, nil
	}
	switch w.Functor {
	case ",", "->", "*->", ";":
		return w, b
	}
	return nil, nil
}

// goalsWithin yields the compound parts of a clause, which may be goals. It stops after explain.MaxMatched parts.
func goalsWithin(clause term.Term) iter.Seq[*term.Compound] {
	return func(yield func(*term.Compound) bool) {
		left := explain.MaxMatched
		for part := range term.Parts(clause) {
			if c, ok := part.(*term.Compound); ok && !yield(c) {
				return
			}
			if left--; left == 0 {
				return
			}
		}
	}
}

// writtenGoals yields the parts of a clause of which goal may be an instance. It leaves out alternatives that body,
// an instance of the clause's body, does not have.
func writtenGoals(
	read *syntax.Read, goal *term.Compound, body term.Term, values map[*term.Var]term.Term,
) iter.Seq[*term.Compound] {
	clause := read.Term
	if head, written := headAndBody(clause); written != nil {
		clause = term.New(":-", head, taken(written, body))
	}
	var parts []*term.Compound
	for part := range goalsWithin(clause) {
		if called := calledWith(part); called != nil {
			part = called
		}
		if part.Functor == goal.Functor && len(part.Args) == len(goal.Args) && instanceOf(part, goal, values) {
			parts = append(parts, part)
		}
	}
	open := func(part *term.Compound) bool {
		return slices.ContainsFunc(term.Variables(part), func(v *term.Var) bool {
			_, unbound := values[v].(*term.Var)
			return unbound || values[v] == nil
		})
	}
	if slices.ContainsFunc(parts, func(part *term.Compound) bool { return !open(part) }) {
		_, written := headAndBody(clause)
		goals, _ := term.Conjuncts(written) // goals with unbound variables come after the one that was called
		parts = slices.DeleteFunc(parts, func(part *term.Compound) bool {
			return open(part) && slices.Contains(goals, term.Term(part))
		})
	}
	return slices.Values(parts)
}

// taken returns a part of a body without the alternatives that its instance leaves out. The goals in it are not
// copied.
func taken(written, instance term.Term) term.Term {
	if instance == term.Term(explain.OtherWay) {
		return instance
	}
	w, ok := written.(*term.Compound)
	if !ok {
		return written
	}
	args, _ := term.Is(instance, w.Functor, len(w.Args))
	own := w
	for i, arg := range args {
		if part := taken(w.Args[i], arg); part != w.Args[i] {
			if own == w {
				own = term.New(w.Functor, slices.Clone(w.Args)...).(*term.Compound)
			}
			own.Args[i] = part
		}
	}
	return own
}

// calledWith returns the goal that a call/N with N > 1 calls, nil for other goals.
func calledWith(goal *term.Compound) *term.Compound {
	name, arity, ok := term.Indicator(goal.Args[0])
	if goal.Functor != "call" || len(goal.Args) == 1 || !ok {
		return nil
	}
	called := &term.Compound{Functor: name}
	if arity > 0 {
		called.Args = slices.Clone(goal.Args[0].(*term.Compound).Args)
	}
	called.Args = append(called.Args, goal.Args[1:]...)
	return called
}

// instanceOf reports whether a goal is an instance of a pattern. A variable with a ground value must have this value
// in the goal, unless it is unbound there.
func instanceOf(pattern, goal term.Term, values map[*term.Var]term.Term) bool {
	own := map[*term.Var]term.Term{}
	if !explain.Match(pattern, goal, own) {
		return false
	}
	for v, value := range own {
		known := values[v]
		if _, unbound := value.(*term.Var); known == nil || unbound || len(term.Variables(known)) > 0 {
			continue
		}
		if term.Compare(known, value) != 0 {
			return false
		}
	}
	return true
}

// argumentsOf lists the goals of a clause, and its head, that have a variable as an argument. Comparisons and other
// goals with symbolic names are left out, except for the left side of is/2. before has the goals that have held,
// which give the instances.
func argumentsOf(read *syntax.Read, variable term.Term, before []heldGoal) (list []explain.Argument) {
	v, ok := variable.(*term.Var)
	if !ok {
		return nil
	}
	head, body := headAndBody(read.Term)
	for i, of := range []term.Term{body, head} {
		for goal := range goalsWithin(of) {
			at := slices.Index(goal.Args, term.Term(v))
			if at < 0 || symbolic(goal.Functor) && (goal.Functor != "is" || at > 0) {
				continue
			}
			arg := explain.Argument{Name: string(goal.Functor), Arity: len(goal.Args), At: at, Head: i == 1}
			if n := slices.IndexFunc(before, func(h heldGoal) bool { return h.written == goal }); n >= 0 {
				arg.Held = before[n].instance
			}
			list = append(list, arg)
		}
	}
	return list
}

// symbolic reports whether a functor does not begin with a small letter, as those of comparisons do not. It is also
// true for is.
func symbolic(functor term.Atom) bool {
	return functor == "" || functor == "is" || functor[0] < 'a' || functor[0] > 'z'
}

// Named returns the names that the clause at a place has for the unbound variables of a goal of its body. A variable
// that may have several names has the name "".
func (f *Files) Named(at explain.Place, head, g explain.Goal) map[*term.Var]string {
	read, _ := f.Clause(at, head.Module)
	called, ok := g.Term.(*term.Compound)
	if read == nil || !ok {
		return nil
	}
	written := map[*term.Var]string{}
	for _, v := range read.Vars {
		written[v.Var] = v.Name
	}
	names := map[*term.Var]string{}
	c := Clause{Read: read, Term: read.Term}
	for part := range writtenGoals(read, called, at.Body, c.Values(head.Term, at.Body)) {
		for p, x := range explain.Corresponding(part, called) {
			v, isVar := p.(*term.Var)
			of, unbound := x.(*term.Var)
			if !isVar || !unbound {
				continue
			}
			if old, known := names[of]; known && old != written[v] {
				names[of] = ""
			} else if !known {
				names[of] = written[v]
			}
		}
	}
	return names
}

// Names returns the names that the clause at a place has for the unbound variables of its instance. head is the
// instance of the head, at.Body that of the body.
func (f *Files) Names(at explain.Place, head explain.Goal) map[*term.Var]string {
	read := f.clauseOf(at, head)
	if read == nil {
		return nil
	}
	c := Clause{Read: read, Term: read.Term}
	values := c.Values(head.Term, at.Body)
	names := map[*term.Var]string{}
	for _, v := range read.Vars {
		if of, unbound := values[v.Var].(*term.Var); unbound && v.Name[0] != '_' && names[of] == "" {
			names[of] = v.Name
		}
	}
	return names
}

// Locals returns the variables of the clause at a place that have values in an instance of it and do not occur in its
// head.
func (f *Files) Locals(at explain.Place, module string, head, body term.Term) (list []explain.Value) {
	read, _ := f.Clause(at, module)
	if read == nil {
		return nil
	}
	c := Clause{Read: read, Term: read.Term}
	written, _ := headAndBody(read.Term)
	inHead := term.Variables(written)
	values := c.Values(head, body)
	for _, v := range read.Vars {
		value, known := values[v.Var]
		if _, unbound := value.(*term.Var); known && !unbound && v.Name[0] != '_' && !slices.Contains(inHead, v.Var) {
			list = append(list, explain.Value{Name: v.Name, Value: value})
		}
	}
	return list
}

// grammarLibraries are the libraries whose predicates are made of grammar rules.
var grammarLibraries = map[string]bool{"dcg_basics": true, "dcg_high_order": true}

// Grammar reports whether the first clause of a predicate is written as a grammar rule.
func (f *Files) Grammar(module, name string, arity int) bool {
	pred := f.pred(module, name, arity)
	if pred == nil || pred.Module.Library {
		return pred != nil && grammarLibraries[pred.Module.Name]
	}
	if is, known := f.grammar[pred]; known {
		return is
	}
	from := pred
	if pred.Has(database.Tabled) {
		from = cmp.Or(f.pred(module, name+database.BehindTable, arity), pred)
	}
	if f.grammar == nil {
		f.grammar = map[*database.Pred]bool{}
	}
	f.grammar[pred] = false
	if clauses := from.Clauses(); len(clauses) > 0 {
		at := explain.Place{File: clauses[0].File, Path: clauses[0].File, Line: int(clauses[0].Line)}
		if read, _ := f.Clause(at, module); read != nil {
			_, f.grammar[pred] = term.Is(read.Term, "-->", 2)
		}
	}
	return f.grammar[pred]
}

// pred returns the predicate that a call in a module reaches without loading anything, or nil.
func (f *Files) pred(module, name string, arity int) *database.Pred {
	m := f.DB.FindModule(module)
	if m == nil {
		return nil
	}
	return m.Resolve(code.Functor(name, arity))
}

// headAndBody returns the head and the body of a clause. body is nil for a fact. The label of a rule of library(law)
// is left out.
func headAndBody(clause term.Term) (head, body term.Term) {
	head = clause
	for _, arrow := range []term.Atom{":-", "=>"} {
		if args, ok := term.Is(clause, arrow, 2); ok {
			head, body = args[0], args[1]
			break
		}
	}
	if args, ok := term.Is(head, "::", 2); ok {
		head = args[1]
	}
	return head, body
}

// Clause reads the clause at a place, with the operators of the module in. It also returns its text. The clause is
// nil if none can be read there.
func (f *Files) Clause(at explain.Place, in string) (*syntax.Read, string) {
	if f.last.path == at.Path && f.last.line == at.Line && f.last.module == in {
		return f.last.read, f.last.text
	}
	lines := f.linesOf(at.Path)
	if at.Line < 1 || at.Line > len(lines) {
		return nil, ""
	}
	var b strings.Builder
	for _, line := range lines[at.Line-1:] {
		if b.WriteString(line); b.Len() > maxClauseText {
			break
		}
	}
	text := b.String()
	module := f.DB.User()
	if m := f.DB.FindModule(in); m != nil {
		module = m
	}
	source := syntax.NewTextInput("", text)
	parser := syntax.NewParser(source, module.Ops, &module.Flags)
	parser.Positions = true
	read, err := parser.Read()
	if err != nil {
		return nil, ""
	}
	f.last = clauseAt{at.Path, in, strings.TrimSpace(text[:source.Bytes()]), at.Line, read}
	return read, f.last.text
}

// clauseOf returns the clause at a place, or the clause of the row of a decision table there. head is an instance of
// its head.
func (f *Files) clauseOf(at explain.Place, head explain.Goal) *syntax.Read {
	if f.Row != nil {
		if read := f.Row(at.Path, at.Line, head.Term); read != nil {
			return read
		}
	}
	read, _ := f.Clause(at, head.Module)
	return read
}

// sourceComment begins a comment line before a clause that names its source.
const sourceComment = "%! source:"

// Source returns the source of the clause at a place, "" for none. The comment lines right before the clause name it.
// The label of a rule comes before that. The cells of a row of a decision table are its source.
func (f *Files) Source(at explain.Place) string {
	known := ""
	if f.At != nil {
		known = f.At(at.Path, at.Line)
	}
	lines := f.linesOf(at.Path)
	for n := min(at.Line-1, len(lines)) - 1; n >= 0 && strings.HasPrefix(lines[n], "%"); n-- {
		if source, ok := strings.CutPrefix(lines[n], sourceComment); ok {
			if known != "" {
				known += ": "
			}
			return known + strings.TrimSpace(source)
		}
	}
	return known
}

// linesOf returns the lines of a file, with their ends.
func (f *Files) linesOf(path string) []string {
	if path == "" || f.Open == nil {
		return nil
	}
	if lines, ok := f.lines[path]; ok {
		return lines
	}
	if f.lines == nil {
		f.lines = map[string][]string{}
	}
	f.lines[path] = nil
	file, err := f.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFileText))
	if err != nil {
		return nil
	}
	f.lines[path] = strings.SplitAfter(string(text), "\n")
	return f.lines[path]
}

// Instance returns the text of the clause at a place and the values of its variables; see explain.Texts. If the
// clause was expanded, or has changed since it was loaded, only the values that still fit are returned.
func (f *Files) Instance(at explain.Place, instance explain.Goal) (text string, list []explain.Value) {
	read, text := f.Clause(at, instance.Module)
	if read == nil {
		return "", nil
	}
	c := Clause{Read: read, Term: read.Term}
	values := c.Values(instance.Term, at.Body)
	for _, v := range read.Vars {
		if value, known := values[v.Var]; known {
			list = append(list, explain.Value{Name: v.Name, Value: value})
		}
	}
	return text, list
}

// This part defines which lines a breakpoint can stand on.

// BreakLine returns the first line from a given one on at which a clause of a file begins or one of its goals stands.
// ok is false if there is none.
func (f *Files) BreakLine(isFile func(name string) bool, line int) (found int, ok bool) {
	var around, next *database.Clause
	for _, m := range f.DB.Modules() {
		if m.Library || m == f.DB.System() {
			continue
		}
		for _, pred := range m.Preds() {
			for _, c := range pred.Clauses() {
				if c.Line == 0 || !isFile(c.File) {
					continue
				}
				if at := int(c.Line); at <= line && (around == nil || at > int(around.Line)) {
					around = c
				} else if at > line && (next == nil || at < int(next.Line)) {
					next = c
				}
			}
		}
	}
	if around != nil {
		if found = f.lineWithin(around, line); found > 0 {
			return found, true
		}
	}
	if next != nil {
		return int(next.Line), true
	}
	return 0, false
}

// lineWithin returns the first line from a given one on at which the clause begins or one of its goals stands, 0 if
// there is none.
func (f *Files) lineWithin(c *database.Clause, line int) int {
	if int(c.Line) == line {
		return line
	}
	read, _ := f.Clause(explain.Place{File: c.File, Path: c.File, Line: int(c.Line)}, c.Pred.Module.Name)
	if read == nil {
		return 0
	}
	found := 0
	for _, g := range (&Clause{Read: read}).WrittenGoals() {
		if at := int(c.Line) - 1 + g.At.Line; at >= line && (found == 0 || at < found) {
			found = at
		}
	}
	return found
}

// Clause is a clause that was read again. One goroutine uses it.
type Clause struct {
	Read *syntax.Read
	Term term.Term // the clause; a grammar rule is translated

	goals []WrittenGoal // computed by WrittenGoals
}

// WrittenGoal is a goal as it stands in the text.
type WrittenGoal struct {
	Name string
	At   syntax.Place
}

// Values returns the values of the variables in an instance of the clause. If the clause was expanded, or has changed
// since it was loaded, it returns the values that still fit.
func (c *Clause) Values(head, body term.Term) map[*term.Var]term.Term {
	written, goals := headAndBody(c.Term)
	if guarded, ok := term.Is(written, ",", 2); ok {
		written = guarded[0]
	}
	values := map[*term.Var]term.Term{}
	if !explain.Match(written, head, values) {
		return nil
	}
	c.matchGoals(taken(goals, body), body, values)
	return values
}

// matchGoals matches the goals of a body one by one. So a goal that was expanded does not keep the others from
// matching.
func (c *Clause) matchGoals(written, body term.Term, values map[*term.Var]term.Term) {
	for written != nil && body != nil {
		first, rest := written, term.Term(nil)
		if both, ok := term.Is(written, ",", 2); ok {
			first, rest = both[0], both[1]
		}
		goal, others := body, term.Term(nil)
		if both, ok := term.Is(body, ",", 2); ok {
			goal, others = both[0], both[1]
		}
		if constraint := ExpandedConstraint(goal); constraint != nil {
			goal = constraint
		}
		if own := map[*term.Var]term.Term{}; explain.Match(first, goal, own) {
			for v, value := range own {
				if _, known := values[v]; !known {
					values[v] = value
				}
			}
		}
		written, body = rest, others
	}
}

// GoalPlace returns where goal number index of a body stands in the text. Lines count from the first line of the
// clause.
func (c *Clause) GoalPlace(body term.Term, index int) (syntax.Place, bool) {
	goals := BodyGoals(body)
	if index < 1 || index > len(goals) {
		return syntax.Place{}, false
	}
	name := goals[index-1]
	nth := 0
	for _, other := range goals[:index-1] {
		if other == name {
			nth++
		}
	}
	if c.goals == nil {
		c.goals = c.WrittenGoals()
	}
	for _, g := range c.goals {
		if g.Name != name {
			continue
		}
		if nth == 0 {
			return g.At, true
		}
		nth--
	}
	return syntax.Place{}, false
}

// BodyGoals returns the names of the goals of a body, in the order in which library(prolog_debug) numbers them.
func BodyGoals(body term.Term) (names []string) {
	stack := []term.Term{body}
	for len(stack) > 0 && len(names) < explain.MaxMatched {
		goal := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if constraint := ExpandedConstraint(goal); constraint != nil {
			names = append(names, goalName(constraint))
			continue
		}
		if parts := goalParts(goal); parts != nil {
			for i := len(parts) - 1; i >= 0; i-- {
				stack = append(stack, parts[i])
			}
			continue
		}
		names = append(names, goalName(goal))
	}
	return names
}

// goalParts returns the goals within a control construct, nil for other goals.
func goalParts(goal term.Term) []term.Term {
	if goals, ok := shapes.Control(goal); ok {
		return goals
	}
	if args, ok := term.Is(goal, ":", 2); ok {
		if _, unbound := args[1].(*term.Var); !unbound {
			return args[1:]
		}
	}
	return nil
}

// ExpandedConstraint returns the constraint that the loader has replaced by this conditional, nil for other goals.
func ExpandedConstraint(goal term.Term) term.Term {
	for {
		args, isOr := term.Is(goal, ";", 2)
		if !isOr {
			return nil
		}
		if _, isThen := term.Is(args[0], "->", 2); !isThen {
			return nil
		}
		if in, isIn := term.Is(args[1], ":", 2); isIn && in[0] == term.Term(term.Atom("clpfd")) {
			return in[1]
		}
		goal = args[1]
	}
}

func goalName(goal term.Term) string {
	name, _, _ := term.Indicator(goal)
	return string(name)
}

// WrittenGoals returns the goals of the clause's body as they stand in the text, from left to right.
func (c *Clause) WrittenGoals() (list []WrittenGoal) {
	clause, ok := c.Read.Term.(*term.Compound)
	if !ok || len(clause.Args) != 2 || c.Read.Layout == nil {
		return nil
	}
	type node struct {
		t term.Term
		l *syntax.Layout
	}
	stack := []node{{clause.Args[1], c.Read.Layout.Arg(1)}}
	for len(stack) > 0 && len(list) < explain.MaxMatched {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.l == nil {
			continue
		}
		parts := goalParts(n.t)
		if inner, ok := term.Is(n.t, "{}", 1); ok {
			parts = inner
		}
		if parts == nil {
			list = append(list, WrittenGoal{goalName(n.t), n.l.Pos})
			continue
		}
		skipped := len(n.t.(*term.Compound).Args) - len(parts)
		for i := len(parts) - 1; i >= 0; i-- {
			stack = append(stack, node{parts[i], n.l.Arg(i + skipped)})
		}
	}
	return list
}
