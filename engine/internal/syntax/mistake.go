package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the parser's messages about mistakes. A message names the expected and the actual text.

// The formal terms of syntax errors, as in SWI-Prolog.
const (
	clauseEndExpected = term.Atom("end_of_clause_expected")
	endOfClause       = term.Atom("end_of_clause")
	endOfFile         = term.Atom("end_of_file")
	floatOverflow     = term.Atom("float_overflow")
	illegalCharacter  = term.Atom("illegal_character")
	illegalCode       = term.Atom("Illegal character code")
	illegalNumber     = term.Atom("illegal_number")
	illegalUnicode    = term.Atom("Illegal \\u or \\U sequence")
	listRest          = term.Atom("list_rest")
	newlineInQuoted   = term.Atom("newline_in_quoted")
	noTerm            = term.Atom("cannot_start_term")
	openComment       = term.Atom("end_of_file_in_block_comment")
	operatorClash     = term.Atom("operator_clash")
	operatorMissing   = term.Atom("operator_expected")
	punctuationMark   = term.Atom("quoted_punctuation")
	unbalanced        = term.Atom("operator_balance")
)

// flaw is a fault within a token.
type flaw struct {
	formal term.Term
	msg    string
}

// show quotes a token that is also punctuation in a sentence.
func show(text string) string {
	if strings.Contains("()[]{},|;.", text) {
		return `"` + text + `"`
	}
	return text
}

// checkBare rejects an operator as an operand without parentheses.
func (p *Parser) checkBare(o *operand) *Error {
	if o.prio != barePrio {
		return nil
	}
	name, _ := o.term.(term.Atom)
	if !p.mustBracket(name) {
		o.prio = 0
		return nil
	}
	return p.errorAt(&token{at: o.at, line: o.line}, unbalanced, fmt.Sprintf(
		"the operator %s is an operand here and needs parentheses: (%s)", show(string(name)), name))
}

// clash reports an operator whose priority does not fit its place.
func (p *Parser) clash(t *token, op Op, limit int) *Error {
	msg := fmt.Sprintf("%s (%d) cannot take an operand of the same or a higher priority", show(string(op.Name)),
		op.Priority)
	if top := p.top(); top.isOp() {
		msg = fmt.Sprintf("%s (%d) cannot be an operand of %s, which takes up to %d",
			show(string(op.Name)), op.Priority, show(string(top.name)), limit)
	} else if op.Priority > limit {
		msg = fmt.Sprintf("an argument with %s (%d) needs parentheses", show(string(op.Name)), op.Priority)
	}
	if op.Name == "=>" {
		msg += "; for at least write >="
	}
	return p.errorAt(t, operatorClash, "operator priority clash: "+msg)
}

// tooHigh reports an operand whose priority is too high for its place.
func (p *Parser) tooHigh(o *operand, limit int) *Error {
	return p.errorAt(&token{at: o.at, line: o.line}, operatorClash, fmt.Sprintf(
		"operator priority clash: a term of priority %d needs parentheses where up to %d is allowed", o.prio, limit))
}

// opened describes an open bracket and its place.
func (p *Parser) opened(frame *pending) string {
	bracket := `"("`
	switch frame.kind {
	case pendArgs, pendDictCall:
		bracket = QuoteAtom(frame.name) + "("
	case pendList, pendTail:
		bracket = `"["`
	case pendCurly, pendDict:
		bracket = `"{"`
	}
	return fmt.Sprintf("%s of %d:%d", bracket, frame.at.Line, frame.at.Column)
}

// unexpected reports a token that cannot begin a term.
func (p *Parser) unexpected(t *token) *Error {
	if t.kind == tokEOF {
		return p.textEnds(t)
	}
	if t.kind == tokClose && p.bracket().kind == pendTop {
		return p.notOpen(t)
	}
	msg := "term expected"
	if top := p.top(); top.isOp() {
		msg += " after " + show(string(top.name))
	}
	msg += ", got " + t.describe()
	if t.kind == tokBar && p.top().isOp() && p.top().name == "|" {
		msg += ": for or write a semicolon"
	}
	return p.errorAt(t, p.noTermHere(t), msg)
}

// noTermHere returns the formal term for a token that cannot begin a term.
func (p *Parser) noTermHere(t *token) term.Term {
	switch {
	case t.kind == tokComma || t.kind == tokBar:
		return punctuationMark
	case t.kind == tokEnd:
		return p.endsEarly()
	}
	return noTerm
}

// endsEarly returns the formal term for a clause that ends where a term is expected. SWI-Prolog has a separate term if
// an operator is still open.
func (p *Parser) endsEarly() term.Term {
	if p.bracket().kind != pendTop || !p.top().isOp() {
		return endOfClause
	}
	if first := p.pending[p.bracketIndex()+1].name; first == "," || first == ";" {
		return term.New("punct", first, term.Atom("."))
	}
	return unbalanced
}

// notOpen reports a closing bracket without an opening one.
func (p *Parser) notOpen(t *token) *Error {
	msg := "unbalanced " + t.describe() + ": nothing is open"
	if frame := p.bracket(); frame.kind != pendTop {
		msg = "unbalanced " + t.describe() + ": " + p.opened(frame) + " is still open"
	}
	return p.errorAt(t, noTerm, msg)
}

// textEnds reports that the text ends inside a clause.
func (p *Parser) textEnds(t *token) *Error {
	msg := "unexpected end of file: the clause is not closed by a full stop"
	if frame := p.bracket(); frame.kind != pendTop {
		msg = "unexpected end of file: " + p.opened(frame) + " is still open"
	}
	err := p.errorAt(t, endOfFile, msg)
	if p.openEnd { // the end of the text is the end of the clause
		err.Formal = p.endsEarly()
	}
	err.Incomplete = true
	return err
}

// operatorExpected reports a second term where an operator is expected.
func (p *Parser) operatorExpected(t *token) *Error {
	msg := "operator expected, got " + t.describe()
	last := p.operands[len(p.operands)-1]
	if p.spanned.start == last.at && t.at.Line == p.spanned.end {
		return p.missingQuote(t)
	}
	name, isAtom := last.term.(term.Atom)
	switch frame := p.bracket(); {
	case t.kind == tokOpen && isAtom:
		msg = fmt.Sprintf(`operator expected: no space may stand between %s and "("`, QuoteAtom(name))
		if name == "if" {
			msg = "operator expected: a condition is written ( If -> Then ; Else )"
		}
	case t.at.Line == last.at.Line:
		msg += p.hintAt(t, name)
	case frame.kind != pendTop:
		msg += ": " + p.opened(frame) + " is still open"
	default:
		msg += ": is a comma or full stop missing before it?"
	}
	err := p.errorAt(t, operatorMissing, msg)
	if t.isName() {
		err.Names = append(err.Names, t.text)
	}
	if isAtom {
		err.Names = append(err.Names, string(name))
	}
	return err
}

// otherLanguages are operators of other languages, with their equivalents here. Longer ones come first.
var otherLanguages = []struct{ text, here string }{
	{"!==", "for not identical write \\=="},
	{"!=", "for not equal write \\== or, of numbers, =\\="},
	{"<=", "for at most write =<"},
	{"&&", "for and write a comma"},
	{"and ", "for and write a comma"},
	{"or ", "for or write a semicolon"},
	{"then ", "a condition is written ( If -> Then ; Else )"},
	{"||", "for or write a semicolon"},
	{"%=", "for the remainder write X mod Y"},
	{"+=", "a variable keeps its value: write a new one, as in Y is X + 1"},
	{"-=", "a variable keeps its value: write a new one, as in Y is X - 1"},
	{"++", "a variable keeps its value: write a new one, as in Y is X + 1"},
}

// hintAt suggests a correction for a token after an atom or another term, where an operator is expected.
func (p *Parser) hintAt(t *token, before term.Atom) string {
	line := []rune(p.lineOf(t))
	at := min(t.at.Column-1, len(line))
	rest := string(line[at:]) + " "
	if joined, ok := strings.CutPrefix(rest, "++"); ok && strings.Trim(joined, " .,)") != "" {
		return ": texts are joined by atom_concat/3 or string_concat/3, lists by append/3"
	}
	if strings.HasPrefix(rest, "?") && strings.Contains(rest, " : ") {
		return ": a condition is written ( If -> Then ; Else )"
	}
	for _, other := range otherLanguages {
		if strings.HasPrefix(rest, other.text) {
			return ": " + other.here
		}
	}
	switch {
	case at > 0 && line[at-1] == '\'' && t.isName():
		return ": a quote within quotes is written twice, as in 'it''s'"
	case before == "not":
		return `: write \+ Goal or not(Goal)`
	case before == "#" || before == "//" || before == "--":
		return ": a comment begins with %"
	case before == "mode":
		return ": the mode of a tool is written :- mode(price(+atom, -number), one)"
	case before == "if":
		return ": a condition is written ( If -> Then ; Else )"
	case before == "def" || before == "function" || before == "rule":
		return ": a clause is written Head :- Body."
	}
	var prefixes []string
	for _, op := range p.ops.All() {
		if op.Type.class() == prefixClass && len(op.Name) > 4 {
			prefixes = append(prefixes, string(op.Name))
		}
	}
	if near := spell.Nearest(string(before), prefixes); near != "" {
		return fmt.Sprintf("; did you mean %s instead of %s?", near, QuoteAtom(before))
	}
	return ""
}

// lowered suggests a name for a variable before an argument list.
func (p *Parser) lowered(t *token) string {
	first, size := utf8.DecodeRuneInString(t.text)
	if name := string(unicode.ToLower(first)) + t.text[size:]; name != t.text && !NeedsQuote(term.Atom(name)) {
		return "; predicates begin with a small letter, as in " + name + "(; a goal in a variable is called by call/N"
	}
	return ""
}

// missingQuote reports a quoted item over several lines with a term directly after it: most likely its closing quote is
// missing, and the quote that ends it opens another item. The parser continues after its first line.
func (p *Parser) missingQuote(t *token) *Error {
	begin := token{at: p.spanned.start, line: p.spanned.input.lineByte}
	err := p.errorAt(&begin, operatorMissing,
		fmt.Sprintf("the %s that begins here ends in line %d before %s: is a quote missing?",
			p.spanned.what, t.at.Line, t.describe()))
	if p.rewind(&p.spanned.input) {
		p.ahead = p.ahead[:0]
		p.synced = endsClause(err.SourceLine)
	}
	return err
}
