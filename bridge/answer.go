package bridge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/bridge/wire"
)

// This file defines asking through the model, for clients that cannot ask their user: a call
// returns its question as a result, and the tool answer goes on with it. It goes on too with calls that have more
// questions than a client answers in one request.

// chooseAnswerTool returns the name of the tool answer, "" when no provider asks. If the knowledge base has a tool of
// that name, ours gets a number.
func (o *offer) chooseAnswerTool() string {
	if !slices.ContainsFunc(o.snapshot.Providers, o.elicits) {
		return ""
	}
	return o.freeToolName("answer")
}

// answerArguments are the arguments of the tool answer.
type answerArguments struct {
	Token  string          `json:"token"`
	Answer json.RawMessage `json:"answer"`
	Action string          `json:"action"`
}

// answerSchemaJSON is the schema of answerArguments, with a place for the type of the answer.
const answerSchemaJSON = `{
	"type": "object",
	"properties": {
		"token": {"type": "string", "description": "The token that came with the question."},
		"answer": {%s"description": "The user's answer, an object that fits the schema of the question."},
		"action": {"type": "string", "enum": ["accept", "decline", "cancel"], "default": "accept",
			"description": "decline when the user does not want to answer this question, cancel when they want to stop."}
	},
	"required": ["token"],
	"additionalProperties": false
}`

// answerSchema checks the arguments. It is more lenient than the schema that models see: where an object with one
// property is wanted, the value of that property will do.
var answerSchema = refusal.Schema("answer", fmt.Sprintf(answerSchemaJSON, ""))

func describeAnswer(name string) *mcp.Tool {
	return &mcp.Tool{
		Name:  name,
		Title: "Answer a question",
		Description: "Passes on the user's answer to a question that another tool has returned, " +
			"and goes on with that tool. Ask the user; do not make answers up. " +
			"Where a tool has asked for a call with its token alone, the user is asked elsewhere.",
		InputSchema: json.RawMessage(fmt.Sprintf(answerSchemaJSON, `"type": "object", "additionalProperties": true, `)),
	}
}

// question is the result that asks the model. Of several open questions it has the first, since models manage one
// token better than many.
func (c *call) question(cr *clientRequest) *mcp.CallToolResult {
	open := c.Unanswered()
	q := &open[max(0, slices.IndexFunc(open, func(q dialogue.Question) bool { return c.route(cr, &q) == viaModel }))]
	c.asked = q.Key
	name, token := c.server.current.Load().answerTool, c.parkForModel()
	if q.Kind == dialogue.URLKind {
		return urlQuestion(q, name, token)
	}
	text := fmt.Sprintf("This tool has a question for the user. "+
		"Ask them, then call the tool %s with the token and their answer.\n\n"+
		"Question: %s\nSchema of the answer: %s\nToken: %s", name, q.Message, q.Schema.JSON(), token)
	return &mcp.CallToolResult{Content: content.OfText(text), StructuredContent: schema.Object{}.
		With("question", q.Message).With("schema", q.Schema.JSON()).With("token", token).JSON()}
}

// parkForModel lets a call wait and returns the token for the tool answer.
func (c *call) parkForModel() string {
	c.round++
	c.server.waiting.put(c)
	return fmt.Sprintf("%s-%d", c.ID, c.round)
}

// continuation is the result of a call whose user has more to answer than the client allows in one request. The tool
// answer goes on with the call in a request of its own.
func (c *call) continuation() *mcp.CallToolResult {
	o := c.server.current.Load()
	c.server.showAnswerTool()
	c.asked = ""
	token := c.parkForModel()
	text := fmt.Sprintf("This is not finished: there are more questions for the user than one call may ask. "+
		"Call the tool %s with the token and no answer; the user is asked there.\n\nToken: %s", o.answerTool, token)
	r := &mcp.CallToolResult{Content: content.OfText(text)}
	if t := o.tools[c.job.name]; t != nil && t.listed.OutputSchema != nil {
		r.IsError = true // clients hold any other result against the schema
		return r
	}
	r.StructuredContent = schema.Object{}.With("unfinished", true).With("token", token).JSON()
	return r
}

// showAnswerTool lists the tool answer from now on also to clients that ask their user, as long as those may have to
// call it.
func (s *Server) showAnswerTool() {
	if s.answerShown.Swap(true) {
		return
	}
	s.syncing.Lock()
	defer s.syncing.Unlock()
	if name := s.current.Load().answerTool; name != "" {
		s.addTool(name) // so that the clients are told that the list has changed
	}
}

// urlQuestion asks the model to send the user to an address.
func urlQuestion(q *dialogue.Question, name, token string) *mcp.CallToolResult {
	address := q.Request.(*mcp.ElicitParams).URL
	text := fmt.Sprintf("This tool wants the user to visit an address. "+
		"Show it to them; when they have agreed and are done, "+
		"call the tool %s with the token, or with action decline if they refuse.\n\n"+
		"Message: %s\nAddress: %s\nToken: %s", name, q.Message, address, token)
	return &mcp.CallToolResult{Content: content.OfText(text), StructuredContent: schema.Object{}.
		With("question", q.Message).With("url", address).With("token", token).JSON()}
}

// handleAnswer handles a call of the tool answer.
func (s *Server) handleAnswer(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args answerArguments
	if wrong := refusal.ReadArguments(req, answerSchema(), &args); wrong != nil {
		return wrong, nil
	}
	id, roundText, _ := strings.Cut(args.Token, "-")
	round, err := strconv.Atoi(roundText)
	if err != nil {
		return refusal.Result("bad_token", "This is not a token of a question; it has to be copied exactly."), nil
	}
	c, how := s.waiting.take(id)
	if how != claimTaken {
		return refusal.Result("bad_token",
			"No question with this token is waiting for an answer. Call the tool that asked it again."), nil
	}
	cr := newRequest(req, req.Params.RequestState, req.Params.InputResponses)
	if c.job.user != cr.user {
		s.waiting.put(c)
		return refusal.Result("bad_token", "This is a token of somebody else's question."), nil
	}
	if cr.state != "" {
		if err := c.comeBack(cr); err != nil {
			s.waiting.put(c)
			return nil, err
		}
		return s.goOn(ctx, cr, c)
	}
	c.legs = 0
	if round == c.round && !(c.asked == "" && args.empty()) {
		if err := c.takeAnswer(&args); err != nil {
			s.waiting.put(c)
			return refusal.Result("bad_answer", fmt.Sprintf("The answer does not fit the question:\n%s\n"+
				"The question is still open: call %s again with the same token.", err, req.Params.Name)), nil
		}
	}
	return s.goOn(ctx, cr, c)
}

// empty reports whether there is nothing but a token.
func (a *answerArguments) empty() bool { return len(a.Answer) == 0 && a.Action == "" }

// comeBack checks the state that a client brings to a call that waits. Answers to an older question are dropped.
func (c *call) comeBack(cr *clientRequest) error {
	state, err := c.server.seal.Open(cr.state, c.job.binding)
	if err == nil && state.ID != c.ID {
		err = sealed.ErrBadState
	}
	if err != nil {
		return refusal.InvalidParams("%s", err)
	}
	if state.Round != c.round {
		cr.responses = nil
	}
	return nil
}

// takeAnswer notes the model's answer to the question that it was given, unless it does not fit.
func (c *call) takeAnswer(args *answerArguments) error {
	open := c.Asked.Open
	at := slices.IndexFunc(open, func(q dialogue.Question) bool {
		return q.Key == c.asked || c.asked == "" && q.Kind.Model
	})
	if at < 0 {
		return nil
	}
	q := &open[at]
	r := dialogue.Reply{Key: q.Key, Digest: q.Digest, Action: cmp.Or(args.Action, "accept")}
	if r.Action == "accept" && q.Schema != nil {
		r.Content = wrapAnswer(q, args.Answer)
		if _, err := c.FormContent(q, &r); err != nil {
			return err
		}
	}
	c.Past = append(c.Past, r)
	return nil
}

// wrapAnswer makes an object of an answer that is only the value of the one property.
func wrapAnswer(q *dialogue.Question, answer json.RawMessage) json.RawMessage {
	if len(answer) == 0 || q.Schema.Validate(answer) == nil {
		return answer
	}
	if names := q.Schema.Properties(); len(names) == 1 && answer[0] != '{' {
		return schema.Object{}.With(names[0], answer).JSON()
	}
	return answer
}

// fitList is a middleware that takes out of the list of tools what the client cannot use.
func (s *Server) fitList(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		list, ok := result.(*mcp.ListToolsResult)
		request, isList := req.(*mcp.ListToolsRequest)
		if err != nil || !ok || !isList {
			return result, err
		}
		o := s.current.Load()
		asks := dialogue.CanElicit(request.ClientCapabilities())
		stateless := request.ProtocolVersion() >= wire.VersionStateless
		if asks && o.answerTool != "" && !(stateless && s.answerShown.Load()) {
			list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return t.Name == o.answerTool })
		}
		for i, listed := range list.Tools {
			if t := o.tools[listed.Name]; t != nil && listed.OutputSchema != nil && !o.promises(t, asks, stateless) {
				plain := *listed
				plain.OutputSchema = nil
				list.Tools[i] = &plain
			}
		}
		return list, nil
	}
}

// promises reports whether a client may rely on the output schema of a tool. To one that cannot
// ask its user, a tool that asks may return its question instead. Clients of versions with
// sessions drop the whole list for a schema of anything but objects.
func (o *offer) promises(t *tool, asks, stateless bool) bool {
	if !asks && o.elicits(t.Provider) {
		return false
	}
	return stateless || t.output == nil || t.output.IsObject()
}
