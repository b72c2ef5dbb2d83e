package bridge

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
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the questions that goals put to clients: forms and addresses for the user,
// messages for the client's model, and the client's roots. It says how each is read from a
// term, what a client needs to answer it, and what its answer is to the goal.

// question is one question.
type question struct {
	// key tells the questions of a call apart, digest equal questions from others; label is
	// the key that the goal uses.
	key, digest, label string
	// message is the text of the question, or what it is about, for people.
	message string
	kind    *questionKind
	// schema is that of a form, nil for other kinds.
	schema *schema.Schema
	// request is the question as the protocol has it.
	request mcp.InputRequest
}

// questionKind is what distinguishes the kinds of questions.
type questionKind struct {
	// name is what a reply calls the kind.
	name string
	// capability is what the client has to have declared; able reports whether it has.
	capability string
	able       func(caps *mcp.ClientCapabilities) bool
	// model says that the model can ask in place of the client.
	model bool
	// send puts the question to a client that waits for us.
	send func(ctx context.Context, s *mcp.ServerSession, r mcp.InputRequest) (mcp.InputResponse, error)
	// read makes the question of the arguments of a term.
	read func(c *conversation, q *question, args []engine.Term) error
	// answer makes a term of an answer.
	answer func(c *conversation, q *question, r *reply) (engine.Term, error)
}

// The kinds of questions. They are filled in by init because their functions lead back to them.
var (
	formKind = &questionKind{name: "form", capability: "elicitation", able: canElicit, model: true, send: sendElicit}
	urlKind  = &questionKind{name: "url", capability: "elicitation.url", able: canOpenURL, model: true,
		send: sendElicit}
	samplingKind = &questionKind{name: "sampling", capability: "sampling", able: canSample, send: sendSampling}
	toolsKind    = &questionKind{name: "sampling", capability: "sampling.tools", able: canSampleTools, send: sendSampling}
	rootsKind    = &questionKind{name: "roots", capability: "roots", able: hasRoots, send: sendRoots}
)

// byPeople reports whether the user answers, who may also refuse to.
func (k *questionKind) byPeople() bool { return k.name == formKind.name || k.name == urlKind.name }

// askItems are the terms of questions by name and arity.
var askItems map[string]*questionKind

func init() {
	formKind.read, formKind.answer = (*conversation).readForm, (*conversation).formAnswer
	urlKind.read, urlKind.answer = (*conversation).readURL, (*conversation).urlAnswer
	samplingKind.read, samplingKind.answer = (*conversation).readSampling, (*conversation).sampled
	toolsKind.answer = (*conversation).sampled
	rootsKind.read, rootsKind.answer = (*conversation).readRoots, (*conversation).rootsAnswer
	askItems = map[string]*questionKind{"ask/3": formKind, "ask_url/3": urlKind, "sample/3": samplingKind,
		"roots/1": rootsKind}
}

// canElicit reports whether a client shows forms to its user. A client that declares elicitation without saying of
// which kind shows forms.
func canElicit(caps *mcp.ClientCapabilities) bool {
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

func hasRoots(caps *mcp.ClientCapabilities) bool {
	return caps != nil && (caps.RootsV2 != nil || caps.Roots.ListChanged)
}

// answerKey is the key of a context under which sendElicit waits for the answer as the client gave it.
type answerKey struct{}

// sendElicit returns the answer of a client unchecked. The SDK would check it, refuse what does not fit in
// words of its own, and not show what the client has answered.
func sendElicit(ctx context.Context, s *mcp.ServerSession, r mcp.InputRequest) (mcp.InputResponse, error) {
	var got mcp.ElicitResult
	if _, err := s.Elicit(context.WithValue(ctx, answerKey{}, &got), r.(*mcp.ElicitParams)); err != nil {
		return nil, err
	}
	return &got, nil
}

// keepAnswers is a middleware that hands answers to sendElicit, and their action alone to the SDK.
func keepAnswers(next mcp.MethodHandler) mcp.MethodHandler {
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

// reply is the answer to a question.
type reply struct {
	Key    string `json:"k"`
	Digest string `json:"d,omitempty"` // "" fits every question of this key
	// Kind is the name of a questionKind, "" for both kinds that people answer.
	Kind string `json:"t,omitempty"`
	// Action is accept, decline or cancel, for people only.
	Action string `json:"a,omitempty"`
	// Content is the content of a form, the message of a model or the roots.
	Content json.RawMessage `json:"c,omitempty"`
	// Inexact says which number of the content may have lost digits, see inexact.
	Inexact string `json:"x,omitempty"`
	// Final says that the goal gets the answer although it does not fit: the question was asked often enough.
	Final bool `json:"f,omitempty"`
	// Misfits counts the answers so far that do not fit, in the note of a question that is asked.
	Misfits int `json:"m,omitempty"`
}

// newReply notes what a client has answered to the question of a key. ok is false if it has answered nothing.
func newReply(key, digest string, got mcp.InputResponse) (r reply, ok bool) {
	r = reply{Key: key, Digest: digest}
	var content any
	switch got := got.(type) {
	case *mcp.ElicitResult:
		r.Action = got.Action
		if got.Content == nil {
			return r, true
		}
		content = got.Content
	case *mcp.CreateMessageWithToolsResult:
		r.Kind, content = samplingKind.name, got
	case *mcp.ListRootsResult:
		r.Kind, content = rootsKind.name, got
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

// maxExact is the largest number up to which all integers survive the SDK, which reads numbers as floats.
const maxExact = 1<<53 - 1

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
	return fmt.Errorf("%s: numbers beyond %d lose digits on their way here", path, int64(maxExact))
}

// inexact returns a path to a number that the SDK may have rounded, such as "order.amount", or "". It recurses as deep
// as the value, which the SDK bounds.
func inexact(path string, value any) string {
	switch value := value.(type) {
	case float64:
		if math.Abs(value) > maxExact {
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
func contentOf[T any](r *reply, what string) (got T, err error) {
	if err := json.Unmarshal(r.Content, &got); err != nil {
		return got, mcpError("bad_answer", "%s cannot be read: %s", what, err)
	}
	return got, nil
}

// answers reports whether a reply is one to the question.
func (r *reply) answers(q *question) bool {
	kind := q.kind.name
	if q.kind.byPeople() {
		kind = ""
	}
	return r.Key == q.key && (r.Digest == q.digest || r.Digest == "") && r.Kind == kind
}

// readQuestion makes a question of a term such as ask(Key, Message, Schema). A question without a key gets one by its
// number. A goal that is run again with the same answers asks in the same order, so the number is the same.
func (c *conversation) readQuestion(item engine.Term) (question, error) {
	name, args := content.Split(item)
	kind := askItems[fmt.Sprintf("%s/%d", name, len(args))]
	if kind == nil {
		return question{}, engine.TypeError("question", item)
	}
	label, ok := term.Text(args[0])
	if !ok {
		return question{}, engine.TypeError("atom", args[0])
	}
	q := question{label: label, kind: kind}
	if err := kind.read(c, &q, args[1:]); err != nil {
		return question{}, err
	}
	sum := sha256.Sum256(append([]byte(q.kind.name+"\x00"), mustMarshalRequest(q.request)...))
	q.digest = base64.RawURLEncoding.EncodeToString(sum[:9])
	q.key = c.uniqueKey(label)
	if p, ok := q.request.(*mcp.ElicitParams); ok && q.kind == urlKind {
		sum := sha256.Sum256([]byte(c.id + "\x00" + q.key))
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

// uniqueKey returns a key that no question of this run has had. Questions without one are
// q1, q2 and so on.
func (c *conversation) uniqueKey(key string) string {
	if c.dialogue.keys == nil {
		c.dialogue.keys = map[string]int{}
	}
	c.dialogue.keys[key]++
	n := c.dialogue.keys[key]
	switch {
	case key == "":
		return fmt.Sprintf("q%d", n)
	case n > 1:
		return fmt.Sprintf("%s#%d", key, n)
	}
	return key
}

// readForm reads ask(Key, Message, Schema).
func (c *conversation) readForm(q *question, args []engine.Term) error {
	q.message = content.Text(args[0])
	raw, err := c.codec.SchemaJSON(args[1])
	if err != nil {
		return mcpError("bad_question", "the schema of the question %q is not a JSON Schema: %s", spell.Shorten(q.message),
			err)
	}
	if q.schema, err = schema.Compile(raw); err != nil {
		return mcpError("bad_question", "the schema of the question %q: %s", spell.Shorten(q.message), err)
	}
	if !q.schema.IsObject() {
		return mcpError("bad_question", `the schema of the question %q has to have type-object`, spell.Shorten(q.message))
	}
	q.request = &mcp.ElicitParams{Mode: "form", Message: q.message, RequestedSchema: raw}
	return nil
}

// formAnswer is accept(Content), decline or cancel.
func (c *conversation) formAnswer(q *question, r *reply) (engine.Term, error) {
	if r.Action != "accept" {
		return c.refusal(q, r)
	}
	x, err := c.formContent(q, r)
	if err != nil {
		return nil, misfit(q, err)
	}
	return term.New("accept", x), nil
}

// formContent is the content of a form with its defaults. The error says what does not fit.
func (c *conversation) formContent(q *question, r *reply) (engine.Term, error) {
	if r.Inexact != "" {
		return nil, errInexact(r.Inexact)
	}
	content := r.Content
	if content == nil {
		content = json.RawMessage("{}")
	}
	content = q.schema.WithDefaults(content)
	if err := q.schema.ValidateForm(content); err != nil {
		return nil, err
	}
	return c.codec.FromJSON(content, nil)
}

// corrected is the question of a form which says why the last answer does not fit.
func corrected(q *question, wrong error) *mcp.ElicitParams {
	form := *q.request.(*mcp.ElicitParams)
	form.Message = q.message + "\n\nThe last answer does not fit: " + wrong.Error()
	return &form
}

// misfit is the exception of an answer that does not fit its question.
func misfit(q *question, err error) error {
	return mcpError("bad_answer", "the answer to the question %q does not fit its schema: %s", spell.Shorten(q.message),
		err)
}

// refusal is decline or cancel.
func (c *conversation) refusal(q *question, r *reply) (engine.Term, error) {
	if r.Action == "decline" || r.Action == "cancel" {
		return term.Atom(r.Action), nil
	}
	return nil, mcpError("bad_answer", "the client answered the question %q with the action %q, "+
		"which is none of accept, decline and cancel",
		spell.Shorten(q.message), spell.Shorten(r.Action))
}

// readURL reads ask_url(Key, Message, URL).
func (c *conversation) readURL(q *question, args []engine.Term) error {
	q.message = content.Text(args[0])
	address := content.Text(args[1])
	if !isWebAddress(address) {
		return mcpError("bad_question", "the address of the question %q has to be an http or https URL, it is %s",
			spell.Shorten(q.message), content.Show(args[1]))
	}
	q.request = &mcp.ElicitParams{Mode: "url", Message: q.message, URL: address}
	return nil
}

// urlAnswer is accept({}), decline or cancel.
func (c *conversation) urlAnswer(q *question, r *reply) (engine.Term, error) {
	if r.Action == "accept" {
		return term.New("accept", term.Curly), nil
	}
	return c.refusal(q, r)
}

// readRoots reads roots(Key).
func (c *conversation) readRoots(q *question, _ []engine.Term) error {
	q.message = "roots/list"
	q.request = &mcp.ListRootsParams{}
	return nil
}

// rootsAnswer is a list of root(URI, Name).
func (c *conversation) rootsAnswer(q *question, r *reply) (engine.Term, error) {
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
