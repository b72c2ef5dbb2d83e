package bridge

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
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

// recall returns the answer that a question has had already, or nil.
func (c *conversation) recall(q *question) *reply {
	for i := range c.past {
		if r := &c.past[i]; r.answers(q) {
			return r
		}
	}
	return nil
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
	case r != nil:
		return q.kind.answer(c, q, r)
	case c.dialogue.cancelled:
		return term.Atom("cancel"), nil
	}
	return term.Atom("decline"), nil
}

// readQuestions finds out what the goal waits for.
func (c *conversation) readQuestions() error {
	name, args := c.run.Waiting()
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
