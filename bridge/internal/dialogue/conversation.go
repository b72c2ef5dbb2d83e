// Package dialogue has the questions that goals put to clients and what they are answered: how each is read from a
// term, what a client needs to answer it, and what its answer is to the goal. It does not say when a client is asked.
package dialogue

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines conversations: what a goal asks, and what it was answered, whoever answers.

// Conversation is the questions and answers of one goal.
type Conversation struct {
	// ID tells the conversation from others.
	ID string
	// Codec converts what the goal and its client exchange.
	Codec *schema.Codec
	// Past are the questions that were answered, to be answered the same way when the goal runs again.
	Past []Reply
	// Misfits counts the answers to each question, by its key, that did not fit.
	Misfits map[string]int
	// Client is what is known of who answers, nil: nothing. ByModel says that questions which the model can ask are
	// its to ask, CanModel that it can be asked.
	Client            *Client
	ByModel, CanModel bool

	// Run is the present run of the goal, Asked what it has asked.
	Run   *engine.Run
	Asked Asked
}

// The names of the predicates that wait, see bridge.Predicates.
const (
	ElicitPredicate = "$mcp_elicit"
	AskPredicate    = "$mcp_ask"
	AskAllPredicate = "$mcp_ask_all"
)

// Asked is what has been asked in one run of a goal.
type Asked struct {
	// Open are the questions that the goal waits for, keyed says that it wants Key-Answer pairs.
	Open  []Question
	keyed bool
	// keys counts the questions of each key, to keep keys apart.
	keys map[string]int
	// declined are the digests of questions that the user has declined; cancelled is set once
	// the user has cancelled. Neither is asked again.
	declined  map[string]bool
	cancelled bool
	// left are the questions that nobody has answered, each once, and news those that the run has yet to hear of.
	left, news []Left
}

// Left is a question that nobody has answered.
type Left struct {
	Question
	// Why says in a clause what happened instead.
	Why string
	// declined says that the user would not answer. That is no, unless the goal says something else.
	declined bool
}

// Client is what has been seen of a client whose user is asked. Goroutines share it.
type Client struct {
	// Texts says that a form has come back without a value that it requires, so that values which are no texts are
	// asked for as texts. Model says that these came back so too, and that the model has to ask.
	Texts, Model atomic.Bool
}

// Undecided returns the questions that nobody has answered. A goal may say itself that it cannot decide; then those
// that the user has declined count too.
func (c *Conversation) Undecided(says bool) []Left {
	return slices.DeleteFunc(slices.Clone(c.Asked.left), func(l Left) bool { return l.declined && !says })
}

// leave notes a question that nobody has answered, and answers the goal. Once a goal has had no case for that, nothing
// else is asked of people: nobody is there.
func (c *Conversation) leave(q *Question, why string) engine.Term {
	l := Left{Question: *q, Why: why}
	c.list(l)
	c.Asked.news = append(c.Asked.news, l)
	c.Asked.cancelled = c.Asked.cancelled || !q.heeded
	return term.Atom(actionCancel)
}

// GoOn lets the goal go on with an answer, or with an error in place of it.
func (c *Conversation) GoOn(answer engine.Term, err error) error {
	for _, l := range c.Asked.news {
		c.Run.LeaveUnanswered(spell.Shorten(l.Message), l.Why)
	}
	c.Asked.Open, c.Asked.news = nil, nil
	if err != nil {
		return c.Run.ResumeError(err)
	}
	c.Run.Resume(answer)
	return nil
}

// list adds to the questions that nobody has answered, each once.
func (c *Conversation) list(l Left) {
	if !slices.ContainsFunc(c.Asked.left, func(one Left) bool { return one.Digest == l.Digest }) {
		c.Asked.left = append(c.Asked.left, l)
	}
}

// Reask gives up the answers of a run that came to nothing for the lack of some. The model is asked for these.
func (c *Conversation) Reask() {
	c.ByModel, c.Asked.Open = true, nil
	for _, l := range c.Asked.left {
		c.Asked.Open = append(c.Asked.Open, l.Question)
		c.Past = slices.DeleteFunc(c.Past, func(r Reply) bool { return r.answers(&l.Question) })
	}
}

// Hear takes the answers that a client brings to open questions.
func (c *Conversation) Hear(responses mcp.InputResponseMap) {
	for i := range c.Asked.Open {
		q := &c.Asked.Open[i]
		if r, ok := NewReply(q.Key, q.Digest, responses[q.Key]); ok && r.answers(q) && c.recall(q) == nil {
			c.Past = append(c.Past, r)
		}
	}
}

// Reopen asks again what the client has brought answers to that do not fit, a few times each.
func (c *Conversation) Reopen() {
	for i := range c.Asked.Open {
		q := &c.Asked.Open[i]
		r := c.recall(q)
		if r == nil || r.Final || q.Schema == nil || r.Action != "accept" {
			continue
		}
		_, wrong := c.FormContent(q, r)
		switch {
		case wrong == nil:
		case c.Misfits[q.Key]+1 >= MaxAsks, !c.AskAnew(q, r, wrong):
			r.Final = true
		default:
			c.Past = slices.DeleteFunc(c.Past, func(one Reply) bool { return one.answers(q) })
			if c.Misfits == nil {
				c.Misfits = map[string]int{}
			}
			c.Misfits[q.Key]++
		}
	}
}

// AskAnew makes a question say what is wrong with the last answer. An answer without a required value comes of a client
// that cannot show the form: it is asked for texts, and the next time its model is. It returns false if nobody is left
// to be asked.
func (c *Conversation) AskAnew(q *Question, r *Reply, wrong error) bool {
	form := *q.Request.(*mcp.ElicitParams)
	form.Message = q.Message + "\n\nThe last answer does not fit: " + wrong.Error()
	if r.lacks(q) && c.Client != nil {
		if c.Client.Texts.Swap(true) {
			c.Client.Model.Store(true)
			return c.CanModel
		}
		form.RequestedSchema = q.Schema.AsTexts()
	}
	q.Request = &form
	return true
}

// recall returns the answer that a question has had already, or nil.
func (c *Conversation) recall(q *Question) *Reply {
	for i := range c.Past {
		if r := &c.Past[i]; r.answers(q) {
			return r
		}
	}
	return nil
}

// Repeat answers what a goal asks that runs again as it was answered before. The error for a question that was not
// asked before names it.
func (c *Conversation) Repeat(name string, args []engine.Term) (engine.Term, error) {
	defer func() { c.Asked.Open = nil }()
	if err := c.ReadQuestions(name, args); err != nil {
		return nil, err
	}
	c.recallAlike()
	if open := c.Unanswered(); len(open) > 0 {
		return nil, Error(newQuestion, "%s", open[0].Message)
	}
	return c.Answer()
}

// recallAlike answers open questions as the same ones were answered under another key: an explanation may run parts of
// a goal more often than the goal did.
func (c *Conversation) recallAlike() {
	for i := range c.Asked.Open {
		q := &c.Asked.Open[i]
		if c.recall(q) != nil {
			continue
		}
		for _, r := range c.Past {
			if r.Digest == q.Digest && r.Digest != "" {
				r.Key = q.Key
				c.Past = append(c.Past, r)
				break
			}
		}
	}
}

// newQuestion is the kind of the error of a goal that is explained and asks what it did not ask before. Package explain
// knows it.
const newQuestion = "new_question"

// IsNewQuestion reports whether an error is of this kind; message is what the goal asks.
func IsNewQuestion(err error) (message string, ok bool) {
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

// Refused reports whether the user wants to hear no more of a question.
func (c *Conversation) Refused(q *Question) bool {
	return q.Kind.byPeople() && (c.Asked.cancelled || c.Asked.declined[q.Digest])
}

// Unanswered returns the open questions that the user has to be asked.
func (c *Conversation) Unanswered() []Question {
	var list []Question
	for _, q := range c.Asked.Open {
		if r := c.recall(&q); r != nil {
			c.Note(*r)
		} else if !c.Refused(&q) {
			list = append(list, q)
		}
	}
	return list
}

// Note remembers a refusal, so that the question is not asked again.
func (c *Conversation) Note(r Reply) {
	switch r.Action {
	case actionDecline:
		if c.Asked.declined == nil {
			c.Asked.declined = map[string]bool{}
		}
		c.Asked.declined[r.Digest] = true
	case actionCancel:
		c.Asked.cancelled = c.Asked.cancelled || r.Why == ""
	}
}

// Answer makes the term that the goal waits for.
func (c *Conversation) Answer() (engine.Term, error) {
	var list []engine.Term
	for i := range c.Asked.Open {
		q := &c.Asked.Open[i]
		one, err := c.answerTo(q)
		if err != nil {
			return nil, err
		}
		if !c.Asked.keyed {
			return one, nil
		}
		list = append(list, term.New("-", term.Atom(q.label), one))
	}
	return term.List(list...), nil
}

func (c *Conversation) answerTo(q *Question) (engine.Term, error) {
	r := c.recall(q)
	switch {
	case r != nil && r.Inexact != "" && q.Schema == nil:
		return nil, Error("bad_answer", "the answer to %q: %s", spell.Shorten(q.Message), errInexact(r.Inexact))
	case r != nil && r.Action == actionCancel && r.Why != "" && q.heeded:
		c.leave(q, r.Why)
		return nil, Error("unanswered", "the question %q was not answered: %s", spell.Shorten(q.Message), r.Why)
	case r != nil && r.Action == actionCancel:
		return c.leave(q, cmp.Or(r.Why, "the user cancelled it")), nil
	case r != nil && r.lacks(q):
		if answer := c.leave(q, "the answer came without a value that the question requires"); !q.heeded {
			return answer, nil
		}
		return q.Kind.answer(c, q, r)
	case r != nil && r.Action != actionDecline:
		return q.Kind.answer(c, q, r)
	case c.Asked.cancelled:
		return c.leave(q, "it was not put, as an earlier one was not answered"), nil
	}
	c.list(Left{Question: *q, Why: "the user declined to answer it", declined: true})
	return term.Atom(actionDecline), nil
}

// The actions of people who do not answer: one refuses, the other says nothing.
const (
	actionDecline = "decline"
	actionCancel  = "cancel"
)

// ReadQuestions finds out what a goal waits for; name and args are the name and arguments of the predicate that waits.
func (c *Conversation) ReadQuestions(name string, args []engine.Term) error {
	c.Asked.keyed = name == AskAllPredicate
	items := []engine.Term{args[0]}
	switch name {
	case ElicitPredicate:
		items[0] = term.New("ask", term.Atom(""), args[0], args[1])
	case AskAllPredicate:
		list, ok := term.Slice(args[0])
		if !ok {
			return engine.TermError("type_error", "list", args[0])
		}
		items = list
	}
	list := make([]Question, 0, len(items))
	for i, item := range items {
		q, err := c.readQuestion(item)
		if err != nil {
			return err
		}
		q.awaits(args[len(args)-1], i, c.Asked.keyed)
		if form, ok := q.Request.(*mcp.ElicitParams); ok && q.Schema != nil && c.Client != nil && c.Client.Texts.Load() {
			form.RequestedSchema = q.Schema.AsTexts()
		}
		list = append(list, q)
	}
	c.Asked.Open = list
	return nil
}

// awaits notes what a goal waits for: an answer, or a list of Key-Answer pairs of which the question has one. Where an
// answer is to be accept(Content), the goal has no case for cancel, and needs the members that Content names.
func (q *Question) awaits(answer engine.Term, i int, keyed bool) {
	if keyed {
		list, _ := term.Slice(answer)
		if i >= len(list) {
			q.heeded = true
			return
		}
		answer = list[i]
		if pair, ok := term.Is(answer, "-", 2); ok {
			answer = pair[1]
		}
	}
	_, unbound := answer.(*term.Var)
	q.heeded = unbound || answer == engine.Term(term.Atom(actionCancel))
	accepted, _ := term.Is(answer, "accept", 1)
	if accepted == nil || q.Schema == nil {
		return
	}
	members, _ := term.CurlyItems(accepted[0])
	for _, m := range members {
		if pair, ok := term.Is(m, "-", 2); ok {
			if name, ok := term.Text(pair[0]); ok && slices.Contains(q.Schema.Properties(), name) {
				q.needs = append(q.needs, name)
			}
		}
	}
}

// MaxAsks bounds how often a question is asked whose answers do not fit.
const MaxAsks = 3

// Error is an exception about talking to the client. Goals may catch it as error(mcp_error(Kind, Text), _).
func Error(kind, format string, args ...any) error {
	formal := term.New("mcp_error", term.Atom(kind), term.String(fmt.Sprintf(format, args...)))
	return engine.Throw(term.New("error", formal, term.NewVar("")))
}
