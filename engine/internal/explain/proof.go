package explain

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines how the graph of a proof is made.

// ErrNoSolution says that a goal fails.
var ErrNoSolution = errors.New("no solution")

// Node is one step of a proof.
type Node struct {
	// ID names the node: the path to it from the goal, as numbers of goals within clauses.
	ID   string `json:"id"`
	Goal string `json:"goal"`
	// Words is the goal in words, "" if that equals the goal or Says.
	Words string `json:"words,omitempty"`
	// Says is the goal in the words of its predicate's template.
	Says string `json:"says,omitempty"`
	// By is rule, fact, asserted, given, builtin, constraint, absent, aggregate, table, asked, assumed or sql. It is
	// missed for a clause of an absent goal; then Goal is the goal that the clause lacks, and Note says so in words. In
	// misses it is clause for a clause, or another reason: facts, unknown, false, holds, error, user or stopped. Goals
	// of the clause are held, failed, open, would hold, would throw, asks the user, or depends on with variables;
	// branch and more stand alone.
	By string `json:"by"`
	// Detail is more specific: near, nofact, norow, nohead or empty for facts, counterexample for holds, recovery for
	// error, asks or answered for user, circle, cut or limit for stopped.
	Detail string `json:"detail,omitempty"`
	// At is the place of the clause, file:line, or the table of a row, as in crm.customers.
	At string `json:"at,omitempty"`
	// With has the values of the clause's variables, by their names in the file. It is nil if the file cannot be read.
	// For a row it has the values of the columns, by their names.
	With map[string]string `json:"with,omitempty"`
	// Source is where the clause comes from, such as an article of a law: from a comment `%! source:` before it, or the
	// key source of info/2. It is "" if neither is given.
	Source string `json:"source,omitempty"`
	// From are the nodes from which the node follows.
	From []string `json:"from,omitempty"`
	// Turns gives, for a comparison, the values of a variable of the clause for which it holds, as in "A from 18 on".
	Turns string `json:"turns,omitempty"`
	// Via are intermediate goals that were folded into this node.
	Via []string `json:"via,omitempty"`
	// Note gives the number of solutions, the thrown error, or the reason for an absence.
	Note string `json:"note,omitempty"`
	// Clause is the text of the clause, "" if its file cannot be read.
	Clause string `json:"-"`
	// Undefined says that the goal is neither true nor false in the well-founded semantics.
	Undefined bool `json:"undefined,omitempty"`
	// Cut is true if some of the nodes from which it follows are not shown.
	Cut bool `json:"cut,omitempty"`

	call    Goal
	place   Place
	shown   string // the goal in words
	origin  string // who asserted a fact and when
	missing string // the nearest miss of what is absent
	others  string // how many other instances of a missed goal have failed
	none    string // what a missed goal about solutions lacks if there are none
	kids    []*Node
	depth   int
	key     bool
	leaf    bool   // it has nothing below: a fact, a built-in
	text    string // the line of a node of misses
	brief   string // a line in place of the node and those below it
	order   int
}

// Graph is the nodes of an explanation.
type Graph struct {
	// Text is the explanation in lines, each node below the one that it explains.
	Text string `json:"text"`
	// Undefined says that the answer, or its absence, is neither true nor false. The reason is the line of misses, or
	// the beginning of the text of a proof.
	Undefined bool `json:"undefined,omitempty"`
	// Nodes lists each node before the nodes from which it follows.
	Nodes []*Node `json:"nodes"`
	// Of names the state of the facts on which the explanation rests. It is "" for the state that the call saw and for the
	// current one. Whoever explains calls sets it.
	Of string `json:"of,omitempty"`
	// Rules is the digest of the rules. The caller that explains tool calls sets it.
	Rules string `json:"rules,omitempty"`
}

// Clauses are the texts of the clauses that the nodes show, by their places.
func (g *Graph) Clauses() map[string]string {
	texts := map[string]string{}
	for _, n := range g.Nodes {
		if n.Clause != "" {
			texts[n.At] = n.Clause
		}
	}
	return texts
}

// Proof says why an answer holds. The first node is for the goal.
type Proof struct {
	// Answer has the values of the goal's variables.
	Answer any `json:"answer,omitempty"`
	Graph
	// Truncated says which limits have cut the proof, nil for none.
	Truncated *Truncation `json:"truncated,omitempty"`
	// More is the node from which to continue, or "".
	More string `json:"more,omitempty"`
	// Contrast explains why another answer, which was asked about, does not hold. It is nil if none was asked about.
	Contrast *Misses `json:"contrast,omitempty"`
}

// Clauses are the texts of the clauses that the proof and its contrast show, by their places.
func (p *Proof) Clauses() map[string]string {
	texts := p.Graph.Clauses()
	if p.Contrast != nil {
		maps.Copy(texts, p.Contrast.Clauses())
	}
	return texts
}

// Truncation says what a proof omits.
type Truncation struct {
	// Omitted is the smallest possible number of known nodes that are not shown.
	Omitted int `json:"omitted,omitempty"`
	// Each of these is a limit that has cut the proof.
	Nodes bool `json:"nodes,omitempty"`
	Depth bool `json:"depth,omitempty"`
	Text  bool `json:"text,omitempty"`
	Time  bool `json:"time,omitempty"`
}

// contrast explains, in lines, why another answer does not hold, in at most half of the text of the proof.
func (o *Options) contrast() string {
	if o.Rather == nil {
		return ""
	}
	return cutLines("rather than that: "+o.Rather.Whole(), o.Bytes/2)
}

// NewProof converts the raw proof of library(explain): proof(Path, Node, Rests). It returns an error if there is no
// node at the end of the path.
func NewProof(raw term.Term, o Options) *Proof {
	o = o.withDefaults()
	args, ok := term.Is(o.withLambdas(raw), "proof", 3)
	if !ok {
		return nil
	}
	o.undefined = args[2] != term.Term(term.Int(0))
	o.noteExact(raw)
	contrast := o.contrast()
	o.Bytes -= len(contrast)
	b, p := newBuilder(args[0], args[1], o)
	if p == nil {
		return nil
	}
	p.Undefined = p.Nodes[0].Undefined
	if o.Late {
		b.truncation().Time = true
	}
	p.Truncated = b.cut
	for _, n := range p.Nodes {
		o.finish(n)
	}
	p.Text += o.legend.text() + contrast
	p.Contrast = o.Rather
	if answer := o.valueTexts(o.Query, 1<<10, 0); answer != nil {
		p.Answer = answer
	}
	o.hide(p)
	return p
}

// newBuilder makes the nodes and the text of a proof, nil for none.
func newBuilder(path, node term.Term, o Options) (*builder, *Proof) {
	b := &builder{o: o, shared: map[string]*Node{}, budget: 50 * o.Nodes}
	b.shareVariables(node)
	root := b.find(path, node)
	if root == nil {
		return nil, nil
	}
	b.origins()
	b.reason = root.undefinedReason(o.undefined)
	return b, b.fit(root)
}

// finish completes the nodes that are shown.
func (o *Options) finish(n *Node) {
	n.At, n.Note = n.place.String(), cmp.Or(n.missing, n.Note, n.origin)
	if n.shown != n.Goal && n.shown != n.Says {
		n.Words = n.shown
	}
	if n.leaf && (n.By == "fact" || n.By == "sql") {
		n.With = o.columnValues(n.call)
	}
	if n.With == nil && o.Texts != nil {
		var values []Value
		n.Clause, values = o.Texts.Instance(n.place, n.call)
		n.With = o.valueTexts(values, maxValueText, 10)
	}
}

// maxValueText bounds the text of the value of a variable.
const maxValueText = 100

// valueTexts returns the informative values of variables, by their names; nil for none. most and depth bound a text.
func (o *Options) valueTexts(values []Value, most, depth int) map[string]string {
	var texts map[string]string
	for _, v := range values {
		text, says := o.valueText(v, most, depth)
		if !says {
			continue
		}
		if texts == nil {
			texts = map[string]string{}
		}
		texts[v.Name] = text
	}
	return texts
}

// valueText returns the text of a value as shown in the explanation. says is false for a variable of the same name.
func (o *Options) valueText(v Value, most, depth int) (text string, says bool) {
	w := syntax.WriteOptions{Quoted: true, SpaceArgs: depth > 0, MaxBytes: most, MaxDepth: depth}
	text = syntax.CutText(o.format("user", v.Value, w), most)
	_, unbound := v.Value.(*term.Var)
	return text, v.Name[0] != '_' && (!unbound || text != v.Name && text != "_")
}

// origins adds the origins of asserted facts.
func (b *builder) origins() {
	if b.o.Origins == nil {
		return
	}
	var nodes []*Node
	var goals []Goal
	for _, n := range b.shared {
		if n.By == "asserted" && n.leaf {
			nodes, goals = append(nodes, n), append(goals, n.call)
		}
	}
	if len(nodes) == 0 {
		return
	}
	for i, origin := range b.o.Origins(goals) {
		nodes[i].origin = origin
	}
}

// builder makes nodes from raw ones.
type builder struct {
	o      Options
	shared map[string]*Node // by their content and the nodes below
	budget int              // nodes that may still be made
	made   int
	cut    *Truncation // nil: no limit has cut anything
	reason string      // why the answer is neither true nor false, "" for one that is true
	asked  term.Term   // the goal whose steps are read; for a negation the negated goal
	root   *Node       // the nodes
}

// truncation collects the limits that have cut the proof.
func (b *builder) truncation() *Truncation {
	if b.cut == nil {
		b.cut = &Truncation{}
	}
	return b.cut
}

// shareVariables notes the variables that several goals of a raw proof share. The solutions of an aggregate count
// separately.
func (b *builder) shareVariables(root term.Term) {
	type part struct {
		raw   term.Term
		count map[*term.Var]int
	}
	left := b.budget
	for stack := []part{{root, map[*term.Var]int{}}}; len(stack) > 0 && left > 0; left-- {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if node, ok := term.Is(p.raw, "node", 4); ok {
			if !trivial(node) {
				for v, n := range occurrences(node[1]) {
					if p.count[v] += n; p.count[v] > 1 {
						b.o.naming.shared[v] = true
					}
				}
			}
			if node[0] == term.Term(term.Atom("aggregate")) {
				p.count = map[*term.Var]int{}
			}
		}
		for _, c := range stepsOf(p.raw) {
			stack = append(stack, part{c.node, p.count})
		}
	}
}

// child is a raw node and the path to it from its parent.
type child struct {
	path string
	node term.Term
}

// find makes the node at the end of a path.
func (b *builder) find(path, node term.Term) *Node {
	id := "n1"
	for _, step := range listed(path) {
		list := stepsOf(node)
		number, _ := step.(term.Int)
		text := strconv.FormatInt(int64(number), 10)
		at := slices.IndexFunc(list, func(c child) bool { return c.path == text })
		if at < 0 {
			return nil
		}
		id, node = id+"."+text, list[at].node
	}
	if _, ok := term.Is(node, "seq", 1); ok {
		return b.sequence(id, node)
	}
	return b.node(id, node)
}

// sequence makes the node of a control construct: the node of its only goal, or one node for all its goals.
func (b *builder) sequence(id string, seq term.Term) *Node {
	kids := b.kids(id, seq)
	if len(kids) == 0 {
		for _, c := range stepsOf(seq) {
			if n := b.node(id+"."+c.path, c.node); n != nil {
				kids = append(kids, n)
			}
		}
	}
	if len(kids) == 1 {
		return kids[0]
	}
	n := &Node{ID: id, By: "rule", call: Goal{Module: b.o.Module, Term: term.Atom("true")}, kids: kids}
	for i, kid := range kids {
		if i > 0 {
			n.Goal, n.shown = n.Goal+", ", n.shown+", "
		}
		n.Goal, n.shown = n.Goal+kid.Goal, n.shown+kid.shown
	}
	return n
}

// stepsOf lists the nodes of the steps of a raw node or a sequence, in order.
func stepsOf(raw term.Term) (list []child) {
	c, ok := raw.(*term.Compound)
	if !ok || c.Functor != "node" && c.Functor != "seq" {
		return nil
	}
	for stack := []term.Term{c.Args[len(c.Args)-1]}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if args, ok := term.Is(s, "and", 2); ok {
			stack = append(stack, args[1], args[0])
			continue
		}
		if args, ok := term.Is(s, "at", 2); ok {
			number, _ := args[0].(term.Int)
			list = append(list, child{strconv.FormatInt(int64(number), 10), args[1]})
		}
	}
	return list
}

// kids makes the nodes of the steps of a node. It replaces nodes that only group steps, and hidden nodes, by their
// steps.
func (b *builder) kids(id string, of term.Term) (nodes []*Node) {
	for _, c := range stepsOf(of) {
		at := id + "." + c.path
		args, isNode := term.Is(c.node, "node", 4)
		if _, isSequence := term.Is(c.node, "seq", 1); isSequence || isNode && !trivial(args) && b.hidden(args) {
			nodes = append(nodes, b.kids(at, c.node)...)
		} else if isNode && !trivial(args) {
			if n := b.node(at, c.node); n != nil {
				nodes = append(nodes, n)
			}
		}
	}
	return nodes
}

// hidden reports whether the predicate of a node is declared as hidden, or does not belong to the program. The node of
// a clause of an absent goal has the goal that the clause lacks, and is shown.
func (b *builder) hidden(args []term.Term) bool {
	if args[0] == term.Term(term.Atom("missed")) {
		return false
	}
	return args[0] == term.Term(term.Atom("aggregate")) && isGathering(args[1]) ||
		isHidden(&b.o, goalOf(args[1]))
}

// trivial reports whether a node is uninformative: its goal only binds variables, prints or makes a text.
func trivial(args []term.Term) bool {
	if saysNothing(args) {
		return true
	}
	if args[0] != term.Term(term.Atom("builtin")) {
		return false
	}
	name, arity, _ := term.Indicator(goalOf(args[1]).Term)
	return silent[string(name)+"/"+strconv.Itoa(arity)]
}

// silent lists built-in predicates whose success gives no information about an answer.
var silent = map[string]bool{"=/2": true, "nl/0": true, "write/1": true, "print/1": true, "writeln/1": true,
	"format/1": true, "format/2": true, "format/3": true, "atomic_list_concat/2": true, "atomic_list_concat/3": true,
	"downcase_atom/2": true, "upcase_atom/2": true, "writeq/1": true, "true/0": true, "garbage_collect/0": true,
	"flush_output/0": true, "print_message/2": true, "mcp_log/2": true, "mcp_progress/3": true, "write_canonical/1": true}

// node makes a node from a raw one, nil if the term is no raw node.
func (b *builder) node(id string, raw term.Term) *Node {
	args, ok := term.Is(raw, "node", 4)
	if !ok || b.budget == 0 {
		return nil
	}
	b.budget--
	by, _ := term.Text(args[0])
	n := &Node{ID: id, By: by, call: goalOf(args[1])}
	var named []*term.Var
	if n.place = placeIn(args[2], &b.o); n.place.Body != nil {
		b.o.nameClause(n.place, n.call)
	} else if by != "missed" {
		named = b.o.nameGoal(goalIn(cmp.Or(negated(n.call.Term), n.call.Term), n.call.Module))
	}
	n.Says, n.shown, n.Turns = b.o.heldWords(n.call) // first, since the words use the clause's names of variables
	if of, isRow := strings.CutSuffix(string(n.call.name()), rowsSuffix); isRow {
		n.shown = "a row holds: " + b.o.text(Goal{n.call.Module, term.New(term.Atom(of), argsOf(n.call.Term)...)})
	}
	n.Goal = b.o.code(n.call)
	n.inform(b, args[2])
	if b.o.isRequired(n.call) {
		n.Note = required
	}
	b.o.naming.forget(named) // another goal may have the same variable of the clause, unbound at that time
	if by != "missed" {
		n.Source = b.o.source(n.place, n.call)
	}
	how := b.o.advice(n.call).How
	n.key = how == "key"
	if inner, ok := negated(n.call.Term).(*term.Compound); ok && inverted(inner) != nil {
		n.missing = ""
	} else if ok && len(inner.Args) == 2 && ordered(inner.Functor, true) != "" && n.missing != "" {
		n.shown, n.missing = n.missing, ""
	}
	n.Cut = args[3] == term.Term(term.Atom("cut")) && how != "opaque" // nothing below it is shown
	outside := *b
	if n.place.Body != nil {
		b.o.at, b.o.head = n.place, n.call
	}
	b.asked = cmp.Or(negated(n.call.Term), n.call.Term)
	n.kids = b.kids(id, raw)
	b.o.at, b.o.head, b.asked = outside.o.at, outside.o.head, outside.asked
	if n.By == "absent" && (len(n.kids) > 0 || strings.HasPrefix(n.missing+" (", n.shown+" (")) {
		n.missing = "" // the clauses explain it, or the words
	} else if n.By == "missed" && len(n.kids) > 0 {
		n.Note = cmp.Or(n.none, b.o.saysNot(n.call, n.call.Term), b.o.ruleWords(n.call, true), "not "+n.shown) + n.others
	}
	n.leaf = len(n.kids) == 0 && !n.Cut
	return b.share(n)
}

// inform reads the further information of a raw node.
func (n *Node) inform(b *builder, info term.Term) {
	n.Undefined = n.By == "assumed" || info == term.Term(term.Atom("undefined"))
	c, ok := info.(*term.Compound)
	if !ok {
		if info == term.Term(term.Atom("unsearched")) {
			n.missing = "what comes near was not looked for: that takes too long"
		}
		return
	}
	switch {
	case c.Functor == "called" && len(c.Args) == 4:
		n.called(b, c.Args[1], c.Args[2], c.Args[3])
	case c.Functor == "at":
		n.place = placeOf(c.Args, &b.o)
	case c.Functor == "table" && len(c.Args) == 1:
		n.place.File, _ = term.Text(c.Args[0])
	case (c.Functor == "count" || c.Functor == "each") && len(c.Args) == 1:
		number, _ := c.Args[0].(term.Int)
		if n.Note = spell.Count(int(number), "solution"); c.Functor == "each" {
			n.Note += ", of which one for each element is shown"
		} else if number > 8 {
			n.Note += ", of which three are shown"
		}
	case c.Functor == "calls" && len(c.Args) == 1:
		if number, _ := c.Args[0].(term.Int); number > 0 {
			n.Note = spell.Count(int(number), "call")
		}
	case c.Functor == "caught" && len(c.Args) == 1:
		text, _ := b.o.thrown(c.Args[0])
		n.Note = "caught " + text
		if args, ok := term.Is(n.call.Term, "catch", 3); ok && b.o.Ended != nil {
			if place, _ := b.o.Ended(Goal{n.call.Module, args[0]}); place != "" {
				n.Note += ", thrown at " + place
			}
		}
	case c.Functor == "missing" && len(c.Args) == 1:
		above := cmp.Or(negated(n.call.Term), n.call.Term)
		if m := b.o.nearest(c.Args[0], goalOf(above).Term); m != nil {
			n.missing = m.reasonAt("", "") + m.earlier
		}
	case c.Functor == "missed" && len(c.Args) == 1:
		n.missed(b, c.Args[0])
	}
}

// maxSkipped bounds the places of clauses that a cut has skipped.
const maxSkipped = 4

// called stores how a clause was called: its place, the clauses that its cut has skipped, and an earlier clause that
// would have skipped it.
func (n *Node) called(b *builder, at, skipped, before term.Term) {
	n.inform(b, at)
	list := listed(skipped)
	var places []string
	for _, item := range list[:min(len(list), maxSkipped)] {
		if at, ok := item.(*term.Compound); ok {
			place := placeOf(at.Args, &b.o).String()
			if place == n.place.String() {
				place = "what stands behind it there"
			}
			if !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
	}
	if len(list) > maxSkipped {
		places = append(places, "others")
	}
	if len(places) > 0 && b.o.advice(n.call).How != "alone" {
		n.Note = "it takes precedence over " + strings.Join(places, ", ")
	}
	n.missing = b.notBy(before)
}

// notBy describes the misses of earlier clauses, each as before(Place, Misses).
func (b *builder) notBy(before term.Term) string {
	var texts []string
	overtaken := false
	for _, item := range listed(before) {
		if args, ok := term.Is(item, "overtakes", 4); ok {
			if !overtaken { // a question concerns only the first of them
				texts = append(texts, b.overtakes(args))
			}
			overtaken = true
			continue
		}
		args, ok := term.Is(item, "before", 2)
		if !ok {
			continue
		}
		first, ok := args[0].(*term.Compound)
		if m := b.o.nearest(args[1], b.o.above); ok && m != nil {
			at := placeOf(first.Args, &b.o)
			place := at.String()
			texts = append(texts, "not by the "+at.noun()+" at "+place+": "+withoutPlace(m.reason(), place))
		}
	}
	return strings.Join(texts, "; ")
}

// overtakes describes overtakes(Place, Open, Gives, Test): the clause comes first if the last argument is not given.
func (b *builder) overtakes(args []term.Term) string {
	at, _ := args[0].(*term.Compound)
	place, open := placeOf(at.Args, &b.o), goalOf(args[1])
	text := "for `" + b.o.text(open) + "` the " + place.noun() + " at " + place.String() + " comes before it and "
	if value, ok := term.Is(args[2], "gives", 1); ok {
		text += "gives " + b.o.text(Goal{"user", value[0]}) + " alone"
	} else {
		text += "cuts without an answer"
	}
	if args[3] == term.Term(term.Atom("true")) {
		return text
	}
	return text + ", as " + b.o.tested(Goal{open.Module, args[3]}, true) + " holds"
}

// withoutPlace removes a place known to the reader from a reason.
func withoutPlace(reason, place string) string {
	if place == "" {
		return reason
	}
	return strings.Replace(strings.Replace(reason, ", asked for at "+place, "", 1), " at "+place, "", 1)
}

// missed stores what a clause of an absent goal lacks.
func (n *Node) missed(b *builder, raw term.Term) {
	own := b.o
	own.above = b.asked
	m := own.miss(raw)
	if m == nil {
		return
	}
	m.briefly()
	n.place, n.Source, n.Note = m.place, m.source, withoutPlace(m.reasonAt("", ""), m.place.String())
	if m.kind == "clause" && m.denied == "" && len(term.Variables(m.call.Term)) < len(term.Variables(b.asked)) {
		n.Note = "for `" + m.goal + "`: " + n.Note // an instance of the absent goal
	}
	n.others = m.othersText() + m.earlier
	if m.none && len(m.because) > 1 {
		m.because = m.because[:1]
		n.none = strings.TrimSuffix(withoutPlace(m.reasonAt("", ""), m.place.String()), m.othersText())
	}
	if len(m.because) == 0 || m.because[0].kind != "clause" {
		n.Note += m.earlier
	}
}

// placeIn returns the place of the clause in the information of a raw node.
func placeIn(info term.Term, o *Options) Place {
	if args, ok := term.Is(info, "called", 4); ok {
		info = args[1]
	}
	if at, ok := info.(*term.Compound); ok && at.Functor == "at" {
		return placeOf(at.Args, o)
	}
	return Place{}
}

// placeOf reads at(File, Line, Body) or at(Body).
func placeOf(args []term.Term, o *Options) Place {
	if len(args) != 3 {
		return Place{Body: args[len(args)-1]}
	}
	file, _ := term.Text(args[0])
	line, _ := args[1].(term.Int)
	return Place{File: o.Name(file), Path: file, Line: int(line), Body: args[2]}
}

// share returns an existing node with the same content as n and the same nodes below, if there is one.
func (b *builder) share(n *Node) *Node {
	var key strings.Builder
	for _, part := range []string{n.By, n.call.Module, n.Goal, n.place.String(), n.Says, n.Turns, n.Note, n.missing,
		strconv.FormatBool(n.Cut)} {
		key.WriteString(part)
		key.WriteByte(0)
	}
	for _, kid := range n.kids {
		key.WriteString(kid.ID)
		key.WriteByte(0)
	}
	if old := b.shared[key.String()]; old != nil {
		return old
	}
	b.shared[key.String()] = n
	b.made++
	n.order = b.made
	return n
}

// fit cuts the graph to the limits.
func (b *builder) fit(root *Node) *Proof {
	fold(root)
	p := &Proof{}
	for most := b.o.Nodes; ; most -= max(1, most/4) {
		*p = Proof{}
		b.choose(p, root, most)
		p.Text = b.reason + nodesText(p.Nodes[:1], b.o.Bytes)
		if len(p.Text) <= b.o.Bytes || most <= 1 {
			break
		}
		b.cut = &Truncation{Text: true}
	}
	p.Text = cutLines(p.Text, b.o.Bytes)
	return p
}

// fold replaces a rule that is the only node below another rule by the nodes below it.
func fold(root *Node) {
	seen := map[*Node]bool{}
	for stack := []*Node{root}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		for n.By == "rule" && len(n.kids) == 1 && n.kids[0].folds() {
			only := n.kids[0]
			via := only.shown
			if at := only.place.String(); at != "" {
				via += " (" + at + ")"
			}
			if only.isRowOf(n) { // the goal is about it
				n.place, n.At, n.Source, n.With = only.place, only.At, only.Source, only.With
			} else {
				n.Via = append(n.Via, via)
			}
			n.Via = append(n.Via, only.Via...)
			n.kids, n.Cut = only.kids, n.Cut || only.Cut
		}
		stack = append(stack, n.kids...)
	}
}

// isRowOf reports whether a node is a row of the decision table that another node calls, or of a part of the table.
func (n *Node) isRowOf(of *Node) bool {
	rest, ok := strings.CutPrefix(string(n.call.name()), string(of.call.name()))
	return ok && rest != "" && strings.ReplaceAll(rest, rowsSuffix, "") == ""
}

// folds reports whether a node may be omitted if it is the only node below another.
func (n *Node) folds() bool {
	return n.By == "rule" && n.call.name() != "rule applies" && n.Says == "" && n.Note == "" && n.missing == "" &&
		!n.key && len(n.kids) > 0
}

// choose selects the most important nodes: first those marked as key with the paths to them, then those near to the
// goal, and among these clauses before built-ins.
func (b *builder) choose(p *Proof, root *Node, most int) {
	chosen, seen := map[*Node]bool{root: true}, map[*Node]int{}
	kept := keptFor(root, most-1)
	root.depth = 0
	levels := [][]*Node{{root}}
	room := most - 1 - len(kept)
	for d := 0; d < len(levels); d++ {
		var next, others []*Node
		for _, n := range levels[d] {
			for _, kid := range n.kids {
				if chosen[kid] || seen[kid] > d { // a node that was not chosen on one level may be on the next
					continue
				}
				if seen[kid] = d + 1; kept[kid] {
					next = append(next, kid)
				} else {
					others = append(others, kid)
				}
			}
		}
		if len(next)+len(others) == 0 {
			break
		}
		if d+1 > b.o.Depth {
			others = nil
			b.truncation().Depth = true
		}
		slices.SortStableFunc(others, func(x, y *Node) int { return x.rank() - y.rank() })
		if len(others) > room {
			others = others[:max(room, 0)]
			b.truncation().Nodes = true
		}
		room -= len(others)
		next = append(next, others...)
		for _, n := range next {
			n.depth, chosen[n] = d+1, true
		}
		levels = append(levels, next)
	}
	p.collect(root, chosen)
	if b.cut != nil {
		b.cut.Omitted = max(b.made-len(p.Nodes), 0)
	}
}

// keptFor returns the nodes below a root that are marked as key and the paths to them, within the limit.
func keptFor(root *Node, most int) map[*Node]bool {
	kept, above := map[*Node]bool{}, map[*Node]*Node{root: nil}
	for queue := []*Node{root}; len(queue) > 0; queue = queue[1:] {
		var way []*Node
		for n := queue[0]; queue[0].key && n != root && !kept[n]; n = above[n] {
			way = append(way, n)
		}
		if len(kept)+len(way) <= most {
			for _, n := range way {
				kept[n] = true
			}
		}
		for _, kid := range queue[0].kids {
			if _, known := above[kid]; !known {
				above[kid], queue = queue[0], append(queue, kid)
			}
		}
	}
	return kept
}

// rank orders the nodes of one level.
func (n *Node) rank() int {
	if n.By == "builtin" {
		return 1
	}
	return 0
}

// collect lists the chosen nodes, each before the nodes below it.
func (p *Proof) collect(root *Node, chosen map[*Node]bool) {
	made := map[*Node]*Node{}
	list := func(n *Node) *Node {
		if made[n] == nil {
			shown := *n
			made[n], p.Nodes = &shown, append(p.Nodes, &shown)
		}
		return made[n]
	}
	list(root)
	for i := 0; i < len(p.Nodes); i++ {
		n := p.Nodes[i]
		kids := n.kids
		n.kids, n.From = nil, nil
		for _, kid := range kids {
			if !chosen[kid] {
				n.Cut = true
			} else if shown := list(kid); !slices.Contains(n.kids, shown) {
				n.kids, n.From = append(n.kids, shown), append(n.From, kid.ID)
			}
		}
		if n.Cut && p.More == "" {
			p.More = n.ID
		}
	}
}

// next returns the nearest miss of the failed goal, nil for none.
func (m *miss) next() *miss {
	if len(m.because) == 0 {
		return nil
	}
	return m.because[0]
}

// nearest returns the first of the raw misses, nil for none. above is their goal. A proof shows only the final reason.
func (o *Options) nearest(raw, above term.Term) *miss {
	own := *o
	own.above = above
	list, _ := own.misses(raw)
	if len(list) == 0 {
		return nil
	}
	list[0].briefly()
	return list[0]
}

// briefly removes the facts about other values, down to the final reason of the miss.
func (m *miss) briefly() {
	if m.known = nil; m.detail == "near" && !m.keyed {
		m.detail = "nofact"
	}
	for _, deeper := range m.because {
		deeper.briefly()
	}
}

// maxPath bounds the depth of a node.
const maxPath = 1000

// Path returns the list of numbers in the name of a node, such as n1.2.3: the path to it from the goal, which is n1.
func Path(id string) (path term.Term, ok bool) {
	parts := strings.Split(strings.TrimPrefix(id, "n"), ".")
	if parts[0] != "1" || len(parts) > maxPath {
		return nil, false
	}
	var numbers []term.Term
	for _, part := range parts[1:] {
		n, err := strconv.ParseInt(part, 10, 32)
		if err != nil || n < 1 {
			return nil, false
		}
		numbers = append(numbers, term.Int(n))
	}
	return term.List(numbers...), true
}
