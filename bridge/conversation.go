package bridge

import (
	"errors"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines conversations: what a goal asks, and what it was answered, whoever answers.

// conversation is the questions and answers of one goal.
type conversation struct {
	// id tells the conversation from others.
	id string
	// codec converts what the goal and its client exchange.
	codec *schema.Codec
	// past are the questions that were answered, to be answered the same way when the goal runs again.
	past []reply
	// misfits counts the answers to each question, by its key, that did not fit.
	misfits map[string]int

	// of the present run of the goal
	run      *engine.Run
	dialogue dialogue
}

// The names of the predicates that wait, see Predicates.
const (
	elicitPredicate = "$mcp_elicit"
	askPredicate    = "$mcp_ask"
	askAllPredicate = "$mcp_ask_all"
)

// dialogue is what has been asked in one run of a goal.
type dialogue struct {
	// open are the questions that the goal waits for, keyed says that it wants Key-Answer pairs.
	open  []question
	keyed bool
	// keys counts the questions of each key, to keep keys apart.
	keys map[string]int
	// declined are the digests of questions that the user has declined; cancelled is set once
	// the user has cancelled. Neither is asked again.
	declined  map[string]bool
	cancelled bool
}

// hear takes the answers that a client brings to open questions.
func (c *conversation) hear(responses mcp.InputResponseMap) {
	for i := range c.dialogue.open {
		q := &c.dialogue.open[i]
		if r, ok := newReply(q.key, q.digest, responses[q.key]); ok && r.answers(q) && c.recall(q) == nil {
			c.past = append(c.past, r)
		}
	}
}

// reopen asks again what the client has brought answers to that do not fit, a few times each.
func (c *conversation) reopen() {
	for i := range c.dialogue.open {
		q := &c.dialogue.open[i]
		r := c.recall(q)
		if r == nil || r.Final || q.schema == nil || r.Action != "accept" {
			continue
		}
		_, wrong := c.formContent(q, r)
		switch {
		case wrong == nil:
		case c.misfits[q.key]+1 >= maxAsks:
			r.Final = true
		default:
			c.past = slices.DeleteFunc(c.past, func(one reply) bool { return one.answers(q) })
			q.request = corrected(q, wrong)
			if c.misfits == nil {
				c.misfits = map[string]int{}
			}
			c.misfits[q.key]++
		}
	}
}

// recall returns the answer that a question has had already, or nil.
func (c *conversation) recall(q *question) *reply {
	for i := range c.past {
		if r := &c.past[i]; r.answers(q) {
			return r
		}
	}
	return nil
}

// repeat answers what a goal asks that runs again as it was answered before. The error for a question that was not
// asked before names it.
func (c *conversation) repeat(name string, args []engine.Term) (engine.Term, error) {
	defer func() { c.dialogue.open = nil }()
	if err := c.readQuestions(name, args); err != nil {
		return nil, err
	}
	c.recallAlike()
	if open := c.unanswered(); len(open) > 0 {
		return nil, mcpError(newQuestion, "%s", open[0].message)
	}
	return c.answer()
}

// recallAlike answers open questions as the same ones were answered under another key: an explanation may run parts of
// a goal more often than the goal did.
func (c *conversation) recallAlike() {
	for i := range c.dialogue.open {
		q := &c.dialogue.open[i]
		if c.recall(q) != nil {
			continue
		}
		for _, r := range c.past {
			if r.Digest == q.digest && r.Digest != "" {
				r.Key = q.key
				c.past = append(c.past, r)
				break
			}
		}
	}
}

// newQuestion is the kind of the error of a goal that is explained and asks what it did not ask before. Package explain
// knows it.
const newQuestion = "new_question"

// isNewQuestion reports whether an error is of this kind; message is what the goal asks.
func isNewQuestion(err error) (message string, ok bool) {
	var exception *engine.Exception
	if !errors.As(err, &exception) {
		return "", false
	}
	args, ok := term.Is(exception.Formal(), "mcp_error", 2)
	if !ok || args[0] != engine.Term(term.Atom(newQuestion)) {
		return "", false
	}
	return content.Text(args[1]), true
}

// refused reports whether the user wants to hear no more of a question.
func (c *conversation) refused(q *question) bool {
	return q.kind.byPeople() && (c.dialogue.cancelled || c.dialogue.declined[q.digest])
}

// unanswered returns the open questions that the user has to be asked.
func (c *conversation) unanswered() []question {
	var list []question
	for _, q := range c.dialogue.open {
		if r := c.recall(&q); r != nil {
			c.note(*r)
		} else if !c.refused(&q) {
			list = append(list, q)
		}
	}
	return list
}

// note remembers a refusal, so that the question is not asked again.
func (c *conversation) note(r reply) {
	switch r.Action {
	case "decline":
		if c.dialogue.declined == nil {
			c.dialogue.declined = map[string]bool{}
		}
		c.dialogue.declined[r.Digest] = true
	case "cancel":
		c.dialogue.cancelled = true
	}
}

// answer makes the term that the goal waits for.
func (c *conversation) answer() (engine.Term, error) {
	var list []engine.Term
	for i := range c.dialogue.open {
		q := &c.dialogue.open[i]
		one, err := c.answerTo(q)
		if err != nil {
			return nil, err
		}
		if !c.dialogue.keyed {
			return one, nil
		}
		list = append(list, term.New("-", term.Atom(q.label), one))
	}
	return term.List(list...), nil
}

func (c *conversation) answerTo(q *question) (engine.Term, error) {
	r := c.recall(q)
	switch {
	case r != nil && r.Inexact != "" && q.schema == nil:
		return nil, mcpError("bad_answer", "the answer to %q: %s", spell.Shorten(q.message), errInexact(r.Inexact))
	case r != nil:
		return q.kind.answer(c, q, r)
	case c.dialogue.cancelled:
		return term.Atom("cancel"), nil
	}
	return term.Atom("decline"), nil
}

// readQuestions finds out what a goal waits for; name and args are those of the predicate that waits.
func (c *conversation) readQuestions(name string, args []engine.Term) error {
	c.dialogue.keyed = name == askAllPredicate
	items := []engine.Term{args[0]}
	switch name {
	case elicitPredicate:
		items[0] = term.New("ask", term.Atom(""), args[0], args[1])
	case askAllPredicate:
		list, ok := term.Slice(args[0])
		if !ok {
			return engine.TypeError("list", args[0])
		}
		items = list
	}
	list := make([]question, 0, len(items))
	for _, item := range items {
		q, err := c.readQuestion(item)
		if err != nil {
			return err
		}
		list = append(list, q)
	}
	c.dialogue.open = list
	return nil
}

// maxAsks bounds how often a question is asked whose answers do not fit.
const maxAsks = 3

// mcpError is an exception about talking to the client. Goals may catch it as
// error(mcp_error(Kind, Text), _).
func mcpError(kind, format string, args ...any) error {
	formal := term.New("mcp_error", term.Atom(kind), term.String(fmt.Sprintf(format, args...)))
	return engine.Throw(term.New("error", formal, term.NewVar("")))
}
