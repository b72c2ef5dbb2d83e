package syntax

import (
	"fmt"
	"io"
	"sync"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the parser: operator precedence with an explicit stack, so that the depth
// of a term is limited by memory only (ISO 13211-1, 6.3).

const (
	maxPriority = 1200 // of a term
	argPriority = 999  // of an argument or list element
	barePrio    = 1201 // of an operator that is an atom by itself
)

// Parser reads terms from an Input.
type Parser struct {
	// Positions asks for Read.Layout.
	Positions bool
	// Spans asks for Read.Span.
	Spans bool
	// Meter receives the work of reading, in tokens, and may stop it by a panic. It may be nil.
	Meter bignum.Meter
	// Room receives the current size of a long term in bytes, and may stop reading by a panic. It may be nil.
	Room interface{ PollHolding(bytes int) }
	// Comments asks for Read.Comments.
	Comments bool
	// Tokens asks for the tokens of each term, see Parser.Taken. The input must be a whole text.
	Tokens bool
	// Brief says that the result of Read is not used after the next call of Read or GiveBack.
	Brief bool
	// Recover makes a clause with an error end before the next line that begins another one, so that a half-written
	// clause does not swallow the next ones. Otherwise it ends at the next full stop.
	Recover bool
	// Conversion maps characters outside quotes, nil for no conversion.
	Conversion map[rune]rune

	// fixed at creation
	in    *Input
	ops   *Ops
	flags *Flags

	// kept from term to term
	names   map[string]internedName
	scratch []byte
	nodes   Nodes // of the last term, if it was a brief one
	brief   brief
	own     Input // of a parser of a text that was borrowed
	rewinds int
	readErr error // of the reader, other than io.EOF
	// again is the number of bytes that recovery has read again, mostAgain its bound.
	again, mostAgain int

	// the term being read
	ahead    []token // tokens peeked at and not consumed, the next one first
	pending  []pending
	operands []operand
	vars     []VarInfo
	varIndex map[string]int // of vars, when there are many
	spanned  spanned        // the last quoted item over several lines
	comments []Comment      // of it, when they are wanted
	nested   []Place        // see Read.Nested
	tokens   []Token        // of it, when they are wanted
	taken    int            // how many of them were consumed
	start    int            // the byte at which the last token begins
	openEnd  bool           // the end token may be missing
	synced   bool           // the input is after the end of the clause
	ended    bool           // there was an end token
	calls    bool           // there are functions on dicts
	// recovering says that an unclosed quote or comment ends with its line.
	recovering bool
}

// brief holds the parts of a brief term's Read other than its nodes.
type brief struct {
	read Read
	vars []VarInfo
}

// operand is a term whose operator or bracket is not complete yet.
type operand struct {
	term   term.Term
	prio   int
	layout *Layout
	span   *Span
	at     Place
	line   int // byte at which its line begins
}

// pendingKind says what a pending entry waits for.
type pendingKind uint8

const (
	pendTop      pendingKind = iota // the end of the clause
	pendParen                       // )
	pendArgs                        // , or ) of a compound
	pendList                        // , | or ] of a list
	pendTail                        // ] after |
	pendCurly                       // }
	pendDict                        // , or } of a dict
	pendDictCall                    // , or ) of a function on a dict
	pendPrefix                      // the operand of a prefix operator
	pendInfix                       // the right operand of an infix operator
)

// pending is an open bracket or an operator that waits for its last operand.
type pending struct {
	kind     pendingKind
	block    bool      // of a bracket: a block operator; of an operator: its block is the operand before its own
	prio     int16     // of an operator
	rightMax int16     // highest priority of the next operand
	base     int32     // operands before a bracket; the index of an operator's bracket
	name     term.Atom // operator or functor
	at       Place
	end      int // characters before what follows it, when spans are wanted
	line     int
}

func (e *pending) isOp() bool { return e.kind >= pendPrefix }

// NewParser returns a parser of in. Operators and flags are read at each token, so a change applies to the next term.
// Nil stands for the standard ones.
func NewParser(in *Input, ops *Ops, flags *Flags) *Parser {
	p := &Parser{in: in}
	p.SetConditions(ops, flags)
	return p
}

// SetConditions sets the conditions for reading the next term.
func (p *Parser) SetConditions(ops *Ops, flags *Flags) {
	if p.ops = ops; ops == nil {
		p.ops = standard
	}
	if p.flags = flags; flags == nil {
		p.flags = &Flags{}
	}
}

// parsers holds unused parsers of texts.
var parsers = sync.Pool{New: func() any { return &Parser{} }}

// BorrowParser returns a parser of a text, to be given back after use: short texts are read often, and making parsers
// would take most of the time.
func BorrowParser(text string, ops *Ops, flags *Flags) *Parser {
	p := parsers.Get().(*Parser)
	p.own = textInput("", text)
	p.in = &p.own
	p.SetConditions(ops, flags)
	return p
}

// BorrowStreamParser returns a parser of an input, to be given back like a parser of a text.
func BorrowStreamParser(in *Input, ops *Ops, flags *Flags) *Parser {
	p := parsers.Get().(*Parser)
	p.in = in
	p.SetConditions(ops, flags)
	return p
}

// The largest numbers of names and stack entries that an unused parser keeps.
const (
	mostNames   = 1 << 8
	mostEntries = 1 << 6
)

// GiveBack returns a borrowed parser, which should not have read a long text.
func (p *Parser) GiveBack() {
	if p.in.Bytes() > mostEntries*mostEntries {
		return
	}
	p.nodes.Reset()
	clear(p.brief.vars[:cap(p.brief.vars)])
	next := Parser{scratch: p.scratch, nodes: p.nodes, brief: brief{vars: p.brief.vars}}
	if len(p.names) <= mostNames {
		next.names = p.names
	}
	if cap(p.operands) <= mostEntries && cap(p.pending) <= mostEntries && cap(p.ahead) <= mostEntries {
		next.operands, next.pending, next.ahead = p.operands, p.pending, p.ahead
	}
	*p = next
	parsers.Put(p)
}

// Conditions are the parser's operators and current flags.
func (p *Parser) Conditions() (*Ops, Flags) { return p.ops, *p.flags }

// ParseTerm reads the one term that text holds; the end token may be missing. An empty text is io.EOF.
func ParseTerm(text string, ops *Ops, flags *Flags) (*Read, error) {
	p := BorrowParser(text, ops, flags)
	defer p.GiveBack()
	return p.ReadOnly()
}

// ReadOnly returns the one term that the input holds, whose full stop may be missing.
func (p *Parser) ReadOnly() (*Read, error) {
	p.openEnd = true
	read, err := p.Read()
	if err != nil {
		return nil, err
	}
	var t token
	if p.lex(&t); t.kind == tokError {
		return nil, t.err
	} else if t.kind != tokEOF {
		return nil, p.errorAt(&t, clauseEndExpected, "unexpected text after the end of the term")
	}
	return read, nil
}

// Read returns the next term, io.EOF at the end of the input, or an *Error, after which the next Read continues after
// the next end token.
func (p *Parser) Read() (*Read, error) {
	if len(p.Conversion) > 0 {
		return p.readConverted()
	}
	p.in.mark = p.in.contextStart()
	defer func() { p.in.mark = -1 }()
	var start Input
	if p.Recover {
		start = *p.in
	}
	p.nodes.Reset()
	p.ahead, p.pending, p.operands = p.ahead[:0], p.pending[:0], p.operands[:0]
	p.vars, p.varIndex, p.synced, p.ended, p.spanned.start = nil, nil, false, false, Place{}
	if p.Brief {
		p.vars = p.brief.vars[:0]
	}
	p.comments, p.nested, p.tokens, p.taken, p.calls = nil, nil, nil, 0, false
	first := p.peek(0)
	if first.kind == tokEOF {
		if p.readErr != nil {
			return nil, p.readErr
		}
		return nil, io.EOF
	}
	read := &Read{}
	if p.Brief {
		read = &p.brief.read
	}
	*read = Read{Pos: first.at.at(p.in.name)}
	if err := p.clause(); err != nil {
		if err.Incomplete && p.readErr != nil {
			return nil, p.readErr
		}
		p.resync()
		if len(p.nested) > 0 && !err.Incomplete {
			err.Msg += fmt.Sprintf("; the comment before it ended at its first */: the /* in line %d begins none",
				p.nested[0].Line)
		}
		if p.Recover {
			err = p.cutOff(err, &start)
		}
		return nil, err
	}
	read.Nested = p.nested
	read.Bytes = p.bytes()
	read.Term, read.Layout, read.Span = p.operands[0].term, p.operands[0].layout, p.operands[0].span
	p.release()
	read.Vars, read.Comments, read.End, read.DictCalls = p.vars, p.comments, p.in.Position(), p.calls
	if p.Brief && cap(p.vars) <= mostEntries {
		p.brief.vars = p.vars
	}
	return read, nil
}

// maxKept is the number of stack entries a parser keeps for its next term.
const maxKept = 1 << 10

// release drops the references in the stacks.
func (p *Parser) release() {
	clear(p.operands[:1])
	if cap(p.operands) > maxKept {
		p.operands = nil
	}
	if cap(p.pending) > maxKept {
		p.pending = nil
	}
}

// resync skips past the next end token.
func (p *Parser) resync() {
	for n := 1; !p.synced; n++ {
		p.work(n)
		t := p.next()
		p.synced = p.synced || t.kind == tokEnd || t.kind == tokEOF
	}
}

// next consumes a token.
func (p *Parser) next() (t token) {
	p.consume(&t)
	return t
}

// consume is next, and fills t in its place.
func (p *Parser) consume(t *token) {
	if len(p.ahead) == 0 {
		p.lexNoted(t)
	} else {
		*t = p.ahead[0]
		copy(p.ahead, p.ahead[1:])
		p.ahead = p.ahead[:len(p.ahead)-1]
	}
	p.noteEnd(t)
}

// Ended reports whether the last Read, if only with an error, came to an end token.
func (p *Parser) Ended() bool { return p.ended }

func (p *Parser) noteEnd(t *token) {
	p.taken++
	p.ended = p.ended || t.kind == tokEnd
	if t.kind == tokEnd || t.kind == tokEOF {
		p.synced = true
	}
}

// peek returns the token i tokens ahead. It never looks past the end of the clause.
func (p *Parser) peek(i int) *token {
	for len(p.ahead) <= i {
		if n := len(p.ahead); n > 0 {
			if last := &p.ahead[n-1]; last.kind == tokEnd || last.kind == tokEOF || last.kind == tokError {
				return last
			}
		}
		p.ahead = append(p.ahead, token{})
		p.lexNoted(&p.ahead[len(p.ahead)-1])
	}
	return &p.ahead[i]
}

const meterTokens = 1 << 9

// work calls the meter for every few hundred tokens. n tokens have been read so far.
func (p *Parser) work(n int) {
	if n > 0 && n%meterTokens == 0 && p.Meter != nil {
		p.Meter(meterTokens)
	}
}

// clause reads tokens up to the end token and leaves the term as the one operand.
func (p *Parser) clause() *Error {
	p.pending = append(p.pending, pending{kind: pendTop, rightMax: maxPriority})
	wantOperand := true
	var err *Error
	var t token
	for n := 1; len(p.pending) > 0 && err == nil; n++ {
		p.work(n)
		if n%meterTokens == 0 && p.Room != nil {
			p.Room.PollHolding(p.bytes())
		}
		p.consume(&t)
		switch {
		case t.kind == tokError:
			return t.err
		case wantOperand:
			wantOperand, err = p.operandToken(&t)
		default:
			wantOperand, err = p.operatorToken(&t)
		}
	}
	return err
}

// bytes returns the approximate size of the term read so far: the stacks, and the values of the tokens.
func (p *Parser) bytes() int {
	const tokenBytes, spanBytes = 48, 64
	size := p.taken * tokenBytes
	if p.Spans || p.Positions {
		size += p.taken * spanBytes
	}
	return size + cap(p.operands)*int(unsafe.Sizeof(operand{})) + cap(p.pending)*int(unsafe.Sizeof(pending{}))
}

func (p *Parser) top() *pending { return &p.pending[len(p.pending)-1] }

// bracket is the innermost open bracket.
func (p *Parser) bracket() *pending { return &p.pending[p.bracketIndex()] }

func (p *Parser) bracketIndex() int32 {
	if top := p.top(); top.isOp() {
		return top.base
	}
	return int32(len(p.pending) - 1)
}

func (p *Parser) open(kind pendingKind, rightMax int16, t *token) {
	if p.flags.Lenient {
		rightMax = maxPriority
	}
	p.pending = arrays.Push(p.pending, pending{kind: kind, rightMax: rightMax, base: int32(len(p.operands)),
		name: term.Atom(t.text), at: t.at, end: t.end, line: t.line})
}

func (p *Parser) pushOperand(t *token, value term.Term, prio int) {
	o := operand{term: value, prio: prio, at: t.at, line: t.line}
	if p.Positions {
		o.layout = &Layout{Pos: t.at}
	}
	if p.Spans {
		o.span = spanOf(t)
	}
	p.operands = arrays.Push(p.operands, o)
}

// operandToken handles a token where a term begins; it reports whether an operand is still wanted after it.
func (p *Parser) operandToken(t *token) (bool, *Error) {
	switch t.kind {
	case tokName, tokQuoted:
		return p.nameToken(t)
	case tokNumber:
		p.pushOperand(t, t.term, 0)
	case tokVar:
		if t.functional {
			return false, p.errorAt(t, operatorMissing, "a variable cannot be a functor: "+t.text+"("+p.lowered(t))
		}
		p.pushOperand(t, p.variable(t), 0)
		if p.beginsDict(t) {
			return p.openDict(t)
		}
	case tokString, tokBackquote:
		p.pushOperand(t, p.text(t), 0)
	case tokOpen:
		p.open(pendParen, maxPriority, t)
		return true, nil
	case tokOpenList:
		return p.emptyOr(t, tokCloseList, term.Nil, pendList)
	case tokOpenCurly:
		return p.emptyOr(t, tokCloseCurly, term.Curly, pendCurly)
	default:
		return false, p.unexpected(t)
	}
	return false, nil
}

// emptyOr handles [ and {: directly before the closing bracket they form the atoms [] and {}.
func (p *Parser) emptyOr(t *token, closing tokenKind, empty term.Atom, kind pendingKind) (bool, *Error) {
	if p.peek(0).kind != closing {
		rightMax := int16(argPriority)
		if kind == pendCurly {
			rightMax = maxPriority
		}
		p.open(kind, rightMax, t)
		return true, nil
	}
	closer := p.next()
	t.functional, t.end = closer.functional, closer.end
	t.kind, t.text, t.term = tokName, string(empty), term.Term(empty)
	return p.nameToken(t)
}

// text returns the term that a string denotes under the flags.
func (p *Parser) text(t *token) term.Term {
	quotes, ordinary := p.flags.DoubleQuotes, String
	if t.kind == tokBackquote {
		quotes, ordinary = p.flags.BackQuotes, Codes
	}
	if quotes == QuotesDefault {
		quotes = ordinary
	}
	switch quotes {
	case Atom:
		return term.Atom(t.text)
	case String:
		return term.String(t.text)
	}
	var items []term.Term
	for _, r := range t.text {
		if quotes == Codes {
			items = append(items, term.Int(r))
		} else {
			items = append(items, p.intern([]byte(string(r))).term)
		}
	}
	return term.List(items...)
}

// manyVars is the number of variables from which on an index is worthwhile.
const manyVars = 16

// variable returns the variable of that name in this clause.
func (p *Parser) variable(t *token) term.Term {
	if t.text == "_" {
		return p.newVar("_")
	}
	i := p.findVar(t.text)
	if i < 0 {
		i = len(p.vars)
		p.vars = append(p.vars, VarInfo{Name: t.text, Var: p.newVar(t.text), Pos: t.at})
		p.indexVar(t.text, i)
	}
	p.vars[i].Count++
	return p.vars[i].Var
}

func (p *Parser) newVar(name string) *term.Var {
	if !p.Brief {
		return term.NewVar(name)
	}
	v := p.nodes.Var(int64(p.taken))
	v.Name = name
	return v
}

func (p *Parser) findVar(name string) int {
	if p.varIndex != nil {
		if i, ok := p.varIndex[name]; ok {
			return i
		}
		return -1
	}
	for i := range p.vars {
		if p.vars[i].Name == name {
			return i
		}
	}
	return -1
}

func (p *Parser) indexVar(name string, i int) {
	if p.varIndex != nil {
		p.varIndex[name] = i
	} else if len(p.vars) > manyVars {
		p.varIndex = map[string]int{}
		for j := range p.vars {
			p.varIndex[p.vars[j].Name] = j
		}
	}
}

// operatorToken handles a token after a complete operand; it reports whether an operand is wanted after it.
func (p *Parser) operatorToken(t *token) (bool, *Error) {
	switch t.kind {
	case tokName, tokQuoted:
		if p.beginsCall(t) {
			return p.dictCall()
		}
		return p.infixName(t)
	case tokComma:
		return true, p.comma(t)
	case tokBar:
		return true, p.bar(t)
	case tokOpenList, tokOpenCurly:
		return p.openBlock(t)
	case tokClose, tokCloseList, tokCloseCurly:
		return p.closeBracket(t)
	case tokEnd:
		return false, p.end(t)
	case tokEOF:
		if p.openEnd {
			return false, p.end(t)
		}
		return false, p.textEnds(t)
	}
	return false, p.operatorExpected(t)
}

// comma separates arguments and elements, and is an operator elsewhere.
func (p *Parser) comma(t *token) *Error {
	switch p.bracket().kind {
	case pendArgs, pendList, pendDictCall:
		return p.reduceAll()
	case pendDict:
		if err := p.reduceAll(); err != nil {
			return err
		}
		return p.dictKey()
	case pendTail:
		return p.errorAt(t, listRest, `"]" expected after the tail of a list, got ","`)
	}
	return p.barOrComma(t, ",")
}

// bar begins the tail of a list, and is an operator elsewhere if it is declared as one.
func (p *Parser) bar(t *token) *Error {
	frame := p.bracket()
	switch frame.kind {
	case pendList:
		if err := p.reduceAll(); err != nil {
			return err
		}
		frame = p.top()
		frame.kind = pendTail
		return nil
	case pendTail:
		return p.errorAt(t, listRest, `"]" expected after the tail of a list, got "|"`)
	}
	return p.barOrComma(t, "|")
}

func (p *Parser) barOrComma(t *token, name string) *Error {
	op, ok := p.ops.Infix(term.Atom(name))
	if !ok && name == "," {
		op, ok = Op{Priority: 1000, Type: XFY, Name: ","}, true
	}
	if !ok {
		return p.operatorExpected(t)
	}
	return p.infixOp(t, op)
}

// closers is the token that closes each kind of bracket.
var closers = [...]tokenKind{pendParen: tokClose, pendArgs: tokClose, pendList: tokCloseList,
	pendTail: tokCloseList, pendCurly: tokCloseCurly, pendDict: tokCloseCurly, pendDictCall: tokClose}

// closeBracket finishes the content of a bracket; it reports whether an operand is wanted after it.
func (p *Parser) closeBracket(t *token) (bool, *Error) {
	frame := *p.bracket()
	if closers[frame.kind] != t.kind {
		return false, p.notOpen(t)
	}
	first := int(frame.base)
	if len(p.operands) > first { // else it is a dict without pairs
		if err := p.reduceAll(); err != nil {
			return false, err
		}
	}
	p.pending = p.pending[:len(p.pending)-1]
	switch frame.kind {
	case pendParen:
		o := &p.operands[len(p.operands)-1]
		o.prio = 0
	case pendArgs:
		p.build(frame.name, len(p.operands)-first, 0)
	case pendCurly:
		p.build(term.Curly, 1, 0)
	case pendDict:
		return false, p.buildDict(first-1, t)
	case pendDictCall:
		p.build(frame.name, len(p.operands)-first, 0)
		p.spanName(frame.at.Offset, frame.end)
		p.spanTo(t.end)
		p.build(term.DictCall, 2, 0)
		p.spanName(frame.at.Offset-1, frame.at.Offset)
		return false, nil
	default:
		p.buildList(first, frame.kind == pendTail)
	}
	o := &p.operands[len(p.operands)-1]
	o.at, o.line = frame.at, frame.line
	if p.Positions && frame.kind != pendParen {
		o.layout.Pos = frame.at
	}
	p.spanBracket(&frame, t)
	return p.afterBracket(&frame)
}

// buildList replaces the operands from first on by the list of them.
func (p *Parser) buildList(first int, tailed bool) {
	items := p.operands[first:]
	tail := operand{term: term.Nil}
	var span *Span
	if p.Spans {
		span = spanItems(items, tailed)
	}
	if p.Positions {
		tail.layout = &Layout{Pos: items[len(items)-1].at}
	}
	if tailed {
		tail = items[len(items)-1]
		items = items[:len(items)-1]
	}
	for i := len(items) - 1; i >= 0; i-- {
		c := p.newCompound(term.Dot, 2)
		c.Args[0], c.Args[1] = items[i].term, tail.term
		tail.term = c
		if p.Positions {
			tail.layout = &Layout{Pos: items[i].at, Args: []*Layout{items[i].layout, tail.layout}}
		}
	}
	tail.prio, tail.span = 0, span
	p.operands = append(p.operands[:first], tail)
}

// end finishes the term.
func (p *Parser) end(t *token) *Error {
	if frame := p.bracket(); frame.kind != pendTop {
		return p.errorAt(t, operatorMissing, "unexpected "+t.describe()+": "+p.opened(frame)+" is still open")
	}
	if err := p.reduceAll(); err != nil {
		return err
	}
	p.pending = p.pending[:0]
	return nil
}
