package dialogue

//lint:file-ignore SA1019 2026-07-28 deprecates sampling and roots, but clients of all versions have them.

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the kinds of questions: forms and addresses for the user, messages for the client's model, and the
// client's roots.

// Question is one question.
type Question struct {
	// Key identifies the question within its call. Equal questions have the same Digest. label is the key that the goal
	// uses.
	Key, Digest, label string
	// Message is the text of the question, or its subject, for people.
	Message string
	Kind    *Kind
	// Schema is the schema of a form, or nil for other kinds.
	Schema *schema.Schema
	// typ is the type of the answer to a question for one value. The value is the member value of the form, unless the
	// form itself is the value.
	typ   *schema.Type
	whole bool
	// Request is the question as the protocol has it.
	Request mcp.InputRequest
	// heeded says that the goal may have a case for the answer cancel. needs has the members of a form that the goal
	// names.
	heeded bool
	needs  []string
}

// Kind has the functions for one kind of questions.
type Kind struct {
	// name is the name of the kind in replies.
	name string
	// Capability is the capability that the client has to declare. Able reports whether the client has declared it.
	Capability string
	Able       func(caps *mcp.ClientCapabilities) bool
	// Model says that the model can ask in place of the client.
	Model bool
	// Send puts the question to a waiting client.
	Send func(ctx context.Context, s *mcp.ServerSession, r mcp.InputRequest) (mcp.InputResponse, error)
	// read makes the question from the arguments of a term.
	read func(c *Conversation, q *Question, args []engine.Term) error
	// answer makes a term from an answer.
	answer func(c *Conversation, q *Question, r *Reply) (engine.Term, error)
}

// The kinds of questions. init fills them in because their functions refer to them.
var (
	FormKind = &Kind{name: "form", Capability: "elicitation", Able: CanElicit, Model: true, Send: sendElicit}
	URLKind  = &Kind{name: "url", Capability: "elicitation.url", Able: canOpenURL, Model: true,
		Send: sendElicit}
	SamplingKind = &Kind{name: "sampling", Capability: "sampling", Able: canSample, Send: sendSampling}
	ToolsKind    = &Kind{name: "sampling", Capability: "sampling.tools", Able: canSampleTools, Send: sendSampling}
	RootsKind    = &Kind{name: "roots", Capability: "roots", Able: HasRoots, Send: sendRoots}
)

// byPeople reports whether the user answers, who may also refuse to.
func (k *Kind) byPeople() bool { return k.name == FormKind.name || k.name == URLKind.name }

// askItems are the terms of questions by name and arity.
var askItems map[string]*Kind

func init() {
	FormKind.read, FormKind.answer = (*Conversation).readForm, (*Conversation).formAnswer
	URLKind.read, URLKind.answer = (*Conversation).readURL, (*Conversation).urlAnswer
	SamplingKind.read, SamplingKind.answer = (*Conversation).readSampling, (*Conversation).sampled
	ToolsKind.answer = (*Conversation).sampled
	RootsKind.read, RootsKind.answer = (*Conversation).readRoots, (*Conversation).rootsAnswer
	askItems = map[string]*Kind{"ask/3": FormKind, "ask_value/3": FormKind, "ask_url/3": URLKind, "sample/3": SamplingKind,
		"roots/1": RootsKind}
}

// CanElicit reports whether a client shows forms to its user. A client that declares elicitation without a kind shows
// forms.
func CanElicit(caps *mcp.ClientCapabilities) bool {
	if caps == nil || caps.Elicitation == nil {
		return false
	}
	return caps.Elicitation.Form != nil || caps.Elicitation.URL == nil
}

// canOpenURL reports whether a client sends its user to addresses.
func canOpenURL(caps *mcp.ClientCapabilities) bool {
	return caps != nil && caps.Elicitation != nil && caps.Elicitation.URL != nil
}

func canSample(caps *mcp.ClientCapabilities) bool { return caps != nil && caps.Sampling != nil }

func canSampleTools(caps *mcp.ClientCapabilities) bool {
	return canSample(caps) && caps.Sampling.Tools != nil
}

func HasRoots(caps *mcp.ClientCapabilities) bool {
	return caps != nil && (caps.RootsV2 != nil || caps.Roots.ListChanged)
}

// answerKey is the key of a context under which sendElicit waits for the answer as the client gave it.
type answerKey struct{}

// sendElicit returns the answer of a client unchecked. The SDK would refuse an answer that does not fit with its own
// message, and would not show the answer.
func sendElicit(ctx context.Context, s *mcp.ServerSession, r mcp.InputRequest) (mcp.InputResponse, error) {
	var got mcp.ElicitResult
	if _, err := s.Elicit(context.WithValue(ctx, answerKey{}, &got), r.(*mcp.ElicitParams)); err != nil {
		return nil, err
	}
	return &got, nil
}

// KeepAnswers is a middleware that passes answers to sendElicit, and only their actions to the SDK.
func KeepAnswers(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		answer, ok := result.(*mcp.ElicitResult)
		got, waits := ctx.Value(answerKey{}).(*mcp.ElicitResult)
		if err != nil || !ok || !waits {
			return result, err
		}
		*got = *answer
		return &mcp.ElicitResult{Action: answer.Action}, nil
	}
}

func sendSampling(ctx context.Context, s *mcp.ServerSession, r mcp.InputRequest) (mcp.InputResponse, error) {
	return s.CreateMessageWithTools(ctx, r.(*mcp.CreateMessageWithToolsParams))
}

func sendRoots(ctx context.Context, s *mcp.ServerSession, r mcp.InputRequest) (mcp.InputResponse, error) {
	return s.ListRoots(ctx, r.(*mcp.ListRootsParams))
}

// Reply is the answer to a question.
type Reply struct {
	Key    string `json:"k"`
	Digest string `json:"d,omitempty"` // "" fits every question of this key
	// Kind is the name of a [Kind], or "" for the two kinds that people answer.
	Kind string `json:"t,omitempty"`
	// Action is "accept", "decline" or "cancel". Only people's answers have one.
	Action string `json:"a,omitempty"`
	// Content is the content of a form, the message of a model or the roots.
	Content json.RawMessage `json:"c,omitempty"`
	// Why is the reason of a missing answer that the user has not cancelled. Action is then "cancel".
	Why string `json:"w,omitempty"`
	// Inexact is the path to a number of the content that may have lost digits, see inexact.
	Inexact string `json:"x,omitempty"`
	// Final says that the goal gets the answer although it does not fit: the question was asked often enough.
	Final bool `json:"f,omitempty"`
}

// NewReply returns the reply of a client to the question with a key. ok is false if there is no answer.
func NewReply(key, digest string, got mcp.InputResponse) (r Reply, ok bool) {
	r = Reply{Key: key, Digest: digest}
	var content any
	switch got := got.(type) {
	case *mcp.ElicitResult:
		r.Action = got.Action
		if got.Content == nil {
			return r, true
		}
		content = got.Content
	case *mcp.CreateMessageWithToolsResult:
		r.Kind, content = SamplingKind.name, got
	case *mcp.ListRootsResult:
		r.Kind, content = RootsKind.name, got
	default:
		return r, false
	}
	data, err := json.Marshal(content)
	r.Content, r.Inexact = data, inexact("", content)
	if said, ok := got.(*mcp.CreateMessageWithToolsResult); ok {
		r.Inexact = inexactUse(said)
	}
	return r, err == nil // what was decoded from JSON can be encoded
}

// inexactUse returns a path to a number in the arguments that a model calls tools with, or "".
func inexactUse(said *mcp.CreateMessageWithToolsResult) string {
	for _, item := range said.Content {
		if use, ok := item.(*mcp.ToolUseContent); ok {
			if path := inexact(use.Name, use.Input); path != "" {
				return path
			}
		}
	}
	return ""
}

// errInexact is the error of an answer with a number that may have lost digits.
func errInexact(path string) error {
	return fmt.Errorf("%s: numbers beyond %d lose digits on their way here", path, int64(schema.MaxExact))
}

// inexact returns a path to a number that the SDK may have rounded, such as "order.amount", or "". It recurses as deep
// as the value, which the SDK bounds.
func inexact(path string, value any) string {
	switch value := value.(type) {
	case float64:
		if math.Abs(value) > schema.MaxExact {
			return path
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if found := inexact(strings.TrimPrefix(path+"."+name, "."), value[name]); found != "" {
				return found
			}
		}
	case []any:
		for i, item := range value {
			if found := inexact(fmt.Sprintf("%s[%d]", path, i), item); found != "" {
				return found
			}
		}
	}
	return ""
}

// contentOf reads the content of a reply.
func contentOf[T any](r *Reply, what string) (got T, err error) {
	if err := json.Unmarshal(r.Content, &got); err != nil {
		return got, Error("bad_answer", "%s cannot be read: %s", what, err)
	}
	return got, nil
}

// Unanswered is the reply for a missing answer: why says in a clause what happened. If the question is not for people,
// the goal gets an exception.
func Unanswered(q *Question, why string) (Reply, error) {
	if !q.Kind.byPeople() {
		return Reply{}, Error("unanswered", "the question %q was not answered: %s", spell.Shorten(q.Message), why)
	}
	return Reply{Key: q.Key, Digest: q.Digest, Action: actionCancel, Why: why}, nil
}

// lacks reports whether a form came back without a value that it requires.
func (r *Reply) lacks(q *Question) bool {
	return q.Schema != nil && r.Action == "accept" && q.Schema.Lacks(r.form(), q.needs) != ""
}

// form is the content of a form, or {} if there is none.
func (r *Reply) form() json.RawMessage {
	if r.Content == nil {
		return json.RawMessage("{}")
	}
	return r.Content
}

// answers reports whether a reply has the kind of the question.
func (r *Reply) answers(q *Question) bool {
	kind := q.Kind.name
	if q.Kind.byPeople() {
		kind = ""
	}
	return r.Key == q.Key && (r.Digest == q.Digest || r.Digest == "") && r.Kind == kind
}

// readQuestion makes a question from a term such as ask(Key, Message, Schema). A question without a key gets a key from
// its number. A repeated goal with the same answers asks in the same order, so the numbers are the same.
func (c *Conversation) readQuestion(item engine.Term) (Question, error) {
	name, args := content.Split(item)
	kind := askItems[fmt.Sprintf("%s/%d", name, len(args))]
	if kind == nil {
		return Question{}, engine.TermError("type_error", "question", item)
	}
	label, ok := term.Text(args[0])
	if !ok {
		return Question{}, engine.TermError("type_error", "atom", args[0])
	}
	q := Question{label: label, Kind: kind}
	read := kind.read
	if name == "ask_value" {
		read = (*Conversation).readValue
	}
	if err := read(c, &q, args[1:]); err != nil {
		return Question{}, err
	}
	sum := sha256.Sum256(append([]byte(q.Kind.name+"\x00"), mustMarshalRequest(q.Request)...))
	q.Digest = base64.RawURLEncoding.EncodeToString(sum[:9])
	q.Key = c.uniqueKey(label)
	if p, ok := q.Request.(*mcp.ElicitParams); ok && q.Kind == URLKind {
		sum := sha256.Sum256([]byte(c.ID + "\x00" + q.Key))
		p.ElicitationID = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return q, nil
}

// mustMarshalRequest is the JSON of a question, which is made of texts, numbers and JSON.
func mustMarshalRequest(r mcp.InputRequest) []byte {
	data, err := json.Marshal(r)
	if err != nil {
		panic("bridge: question: " + err.Error())
	}
	return data
}

// uniqueKey returns a key that no earlier question of this run has. Questions without a key get q1, q2 and so on.
func (c *Conversation) uniqueKey(key string) string {
	if c.Asked.keys == nil {
		c.Asked.keys = map[string]int{}
	}
	c.Asked.keys[key]++
	n := c.Asked.keys[key]
	switch {
	case key == "":
		return fmt.Sprintf("q%d", n)
	case n > 1:
		return fmt.Sprintf("%s#%d", key, n)
	}
	return key
}

// readForm reads ask(Key, Message, Schema).
func (c *Conversation) readForm(q *Question, args []engine.Term) error {
	q.Message = content.Text(args[0])
	raw, err := c.Codec.SchemaJSON(args[1])
	if err != nil {
		return Error("bad_question", "the schema of the question %q is not a JSON Schema: %s", spell.Shorten(q.Message),
			err)
	}
	return c.form(q, raw)
}

// readValue reads ask_value(Key, Message, Type).
func (c *Conversation) readValue(q *Question, args []engine.Term) (err error) {
	q.Message = content.Text(args[0])
	if q.typ, err = c.Codec.ParseType(args[1]); err != nil {
		return Error("bad_question", "the type of the question %q: %s", spell.Shorten(q.Message), err)
	}
	raw, whole := q.typ.Form(valueName)
	q.whole = whole
	if !whole {
		q.needs = []string{valueName}
	}
	if err := c.form(q, raw); err != nil {
		return err
	}
	if !q.Schema.IsFlat() {
		q.Request.(*mcp.ElicitParams).RequestedSchema = q.Schema.AsTexts()
	}
	return nil
}

// valueName is the name of the field of a form for one value.
const valueName = "value"

// form makes the question one for an object that fits a schema.
func (c *Conversation) form(q *Question, raw json.RawMessage) (err error) {
	if q.Schema, err = schema.Compile(raw); err != nil {
		return Error("bad_question", "the schema of the question %q: %s", spell.Shorten(q.Message), err)
	}
	if !q.Schema.IsObject() {
		return Error("bad_question", `the schema of the question %q has to have type-object`, spell.Shorten(q.Message))
	}
	q.Request = &mcp.ElicitParams{Mode: "form", Message: q.Message, RequestedSchema: raw}
	return nil
}

// formAnswer is accept(Content).
func (c *Conversation) formAnswer(q *Question, r *Reply) (engine.Term, error) {
	if r.Action != "accept" {
		return nil, refused(q, r)
	}
	x, err := c.FormContent(q, r)
	if err != nil {
		return nil, Misfit(q, err)
	}
	return term.New("accept", x), nil
}

// FormContent is the content of a form with its defaults. The error says what does not fit.
func (c *Conversation) FormContent(q *Question, r *Reply) (engine.Term, error) {
	if r.Inexact != "" {
		return nil, errInexact(r.Inexact)
	}
	content, _ := q.Schema.Unquote(q.Schema.WithDefaults(r.form()))
	if err := q.Schema.ValidateForm(content); err != nil {
		return nil, err
	}
	if name := q.Schema.Lacks(content, q.needs); name != "" {
		return nil, schema.Problems{{Path: name, Text: "missing"}}
	}
	switch {
	case q.typ == nil:
		return c.Codec.FromJSON(content, nil)
	case q.whole:
		return c.Codec.FromJSON(content, q.typ)
	}
	values, _, err := c.Codec.Arguments(content, schema.Params{{Name: valueName, Type: q.typ}})
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

// Misfit is the exception of an answer that does not fit its question.
func Misfit(q *Question, err error) error {
	return Error("bad_answer", "the answer to the question %q does not fit its schema: %s", spell.Shorten(q.Message),
		err)
}

// refused is the error of an unknown action.
func refused(q *Question, r *Reply) error {
	return Error("bad_answer", "the client answered the question %q with the action %q, "+
		"which is none of accept, decline and cancel",
		spell.Shorten(q.Message), spell.Shorten(r.Action))
}

// readURL reads ask_url(Key, Message, URL).
func (c *Conversation) readURL(q *Question, args []engine.Term) error {
	q.Message = content.Text(args[0])
	address := content.Text(args[1])
	if !isWebAddress(address) {
		return Error("bad_question", "the address of the question %q has to be an http or https URL, it is %s",
			spell.Shorten(q.Message), content.Show(args[1]))
	}
	q.Request = &mcp.ElicitParams{Mode: "url", Message: q.Message, URL: address}
	return nil
}

// urlAnswer is accept({}).
func (c *Conversation) urlAnswer(q *Question, r *Reply) (engine.Term, error) {
	if r.Action == "accept" {
		return term.New("accept", term.Curly), nil
	}
	return nil, refused(q, r)
}

// readRoots reads roots(Key).
func (c *Conversation) readRoots(q *Question, _ []engine.Term) error {
	q.Message = "roots/list"
	q.Request = &mcp.ListRootsParams{}
	return nil
}

// rootsAnswer is a list of root(URI, Name).
func (c *Conversation) rootsAnswer(q *Question, r *Reply) (engine.Term, error) {
	got, err := contentOf[mcp.ListRootsResult](r, "the client's roots")
	if err != nil {
		return nil, err
	}
	list := make([]engine.Term, 0, len(got.Roots))
	for _, root := range got.Roots {
		if root != nil {
			list = append(list, term.New("root", term.Atom(root.URI), term.Atom(root.Name)))
		}
	}
	return term.List(list...), nil
}

// isWebAddress reports whether a client may open an address in a browser.
func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}
