// Package dialogue has the questions that goals put to clients, and their answers. It reads a question from a term,
// knows the capability that a client needs to answer it, and converts the answer for the goal. It does not decide when
// a client is asked.
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

// This file defines conversations: the questions of a goal and the answers to them, whoever answers.

// Conversation is the questions and answers of one goal.
type Conversation struct {
	// ID identifies the conversation.
	ID string
	// Codec converts the data that the goal and its client exchange.
	Codec *schema.Codec
	// Past are the answered questions. When the goal runs again, they get the same answers.
	Past []Reply
	// Misfits counts the answers to each question, by its key, that did not fit.
	Misfits map[string]int
	// Client is what is known of the answering client, or nil. ByModel says that the model asks the questions which it
	// can ask. CanModel says that the model can be asked.
	Client            *Client
	ByModel, CanModel bool

	// Run is the present run of the goal. Asked has the questions of that run.
	Run   *engine.Run
	Asked Asked
}

// The names of the waiting predicates, see bridge.Predicates.
const (
	ElicitPredicate = "$mcp_elicit"
	AskPredicate    = "$mcp_ask"
	AskAllPredicate = "$mcp_ask_all"
)

// Asked has the questions of one run of a goal.
type Asked struct {
	// Open are the questions that the goal waits for. keyed says that the goal wants Key-Answer pairs.
	Open  []Question
	keyed bool
	// keys counts the questions of each key, to keep keys apart.
	keys map[string]int
	// declined are the digests of questions that the user has declined; cancelled is set once
	// the user has cancelled. Neither is asked again.
	declined  map[string]bool
	cancelled bool
	// left are the unanswered questions, each once. news are those of them that the run has not been told of.
	left, news []Left
}

// Left is an unanswered question.
type Left struct {
	Question
	// Why says in a clause what happened instead.
	Why string
	// declined says that the user declined to answer. This counts as no, unless the goal decides otherwise.
	declined bool
}

// Client is what was observed of a client whose user is asked. Goroutines share it.
type Client struct {
	// Texts says that a form came back without a required value, so that other values are asked for as texts. Model
	// says that a form of texts came back incomplete too, so that the model has to ask.
	Texts, Model atomic.Bool
}

// Undecided returns the unanswered questions. If the goal itself says that it cannot decide, the questions that the
// user declined count too.
func (c *Conversation) Undecided(says bool) []Left {
	return slices.DeleteFunc(slices.Clone(c.Asked.left), func(l Left) bool { return l.declined && !says })
}

// leave notes an unanswered question, and tells the goal. If the goal has no case for this, no further questions are
// put to people.
func (c *Conversation) leave(q *Question, why string) engine.Term {
	l := Left{Question: *q, Why: why}
	c.list(l)
	c.Asked.news = append(c.Asked.news, l)
	c.Asked.cancelled = c.Asked.cancelled || !q.heeded
	return term.Atom(actionCancel)
}

// GoOn lets the goal continue with an answer or an error.
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

// list adds to the unanswered questions, each once.
func (c *Conversation) list(l Left) {
	if !slices.ContainsFunc(c.Asked.left, func(one Left) bool { return one.Digest == l.Digest }) {
		c.Asked.left = append(c.Asked.left, l)
	}
}

// Reask drops the answers of a run that failed because some were missing. The model is asked for the missing ones.
func (c *Conversation) Reask() {
	c.ByModel, c.Asked.Open = true, nil
	for _, l := range c.Asked.left {
		c.Asked.Open = append(c.Asked.Open, l.Question)
		c.Past = slices.DeleteFunc(c.Past, func(r Reply) bool { return r.answers(&l.Question) })
	}
}

// Hear takes a client's answers to open questions.
func (c *Conversation) Hear(responses mcp.InputResponseMap) {
	for i := range c.Asked.Open {
		q := &c.Asked.Open[i]
		if r, ok := NewReply(q.Key, q.Digest, responses[q.Key]); ok && r.answers(q) && c.recall(q) == nil {
			c.Past = append(c.Past, r)
		}
	}
}

// Reopen asks questions again whose answers do not fit, a few times each.
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

// AskAnew adds to a question what is wrong with the last answer. If a required value is missing, the client cannot show
// the form: AskAnew then asks for texts, and the next time it asks the model. It returns false if no way of asking is
// left.
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

// Repeat gives the questions of a repeated goal the same answers as before. For a new question it returns an error that
// names it.
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

// recallAlike answers open questions with the answers to equal questions under another key: an explanation may run
// parts of a goal more often than the goal did.
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

// newQuestion is the kind of the error of an explained goal that asks a new question. Package explain recognizes it.
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

// Refused reports whether the user has declined or cancelled a question before.
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

// Note remembers that a question was declined or cancelled, so that it is not asked again.
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

// The actions of people who do not answer: to decline explicitly, or to cancel without an answer.
const (
	actionDecline = "decline"
	actionCancel  = "cancel"
)

// ReadQuestions reads the questions that a goal waits for. name and args are the name and arguments of the waiting
// predicate.
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

// awaits notes the form of the answer that a goal waits for: an answer, or a list of Key-Answer pairs with one for the
// question. If the answer has to be accept(Content), the goal has no case for cancel, and needs the members that
// Content names.
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

// MaxAsks bounds how often a question is asked if the answers do not fit.
const MaxAsks = 3

// Error is an exception about talking to the client. Goals may catch it as error(mcp_error(Kind, Text), _).
func Error(kind, format string, args ...any) error {
	formal := term.New("mcp_error", term.Atom(kind), term.String(fmt.Sprintf(format, args...)))
	return engine.Throw(term.New("error", formal, term.NewVar("")))
}
