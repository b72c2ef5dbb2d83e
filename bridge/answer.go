package bridge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/bridge/wire"
)

// This file defines asking through the model, for clients that cannot ask their user: a call
// returns its question as a result, and the tool answer goes on with it.

// chooseAnswerTool returns the name of the tool answer, "" when no provider asks. If the knowledge base has a tool of
// that name, ours gets a number.
func (o *offer) chooseAnswerTool() string {
	if !slices.ContainsFunc(o.snapshot.Providers, o.elicits) {
		return ""
	}
	name := "answer"
	for i := 2; o.tools[name] != nil; i++ {
		name = "answer_" + strconv.Itoa(i)
	}
	return name
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
var answerSchema = sync.OnceValue(func() *schema.Schema {
	s, err := schema.Compile(json.RawMessage(fmt.Sprintf(answerSchemaJSON, "")))
	if err != nil {
		panic("bridge: the schema of answer: " + err.Error())
	}
	return s
})

func describeAnswer(name string) *mcp.Tool {
	return &mcp.Tool{
		Name:  name,
		Title: "Answer a question",
		Description: "Passes on the user's answer to a question that another tool has returned, " +
			"and goes on with that tool. Ask the user; do not make answers up.",
		InputSchema: json.RawMessage(fmt.Sprintf(answerSchemaJSON, `"type": "object", "additionalProperties": true, `)),
	}
}

// question is the result that asks the model. Of several open questions it has the first, since models manage one
// token better than many.
func (c *call) question(cr *clientRequest) *mcp.CallToolResult {
	open := c.unanswered()
	q := &open[max(0, slices.IndexFunc(open, func(q question) bool { return c.route(cr, &q) == viaModel }))]
	c.asked = q.key
	c.round++
	token := fmt.Sprintf("%s-%d", c.id, c.round)
	name := c.server.current.Load().answerTool
	c.server.waiting.put(c)
	if q.kind == urlKind {
		return urlQuestion(q, name, token)
	}
	text := fmt.Sprintf("This tool has a question for the user. "+
		"Ask them, then call the tool %s with the token and their answer.\n\n"+
		"Question: %s\nSchema of the answer: %s\nToken: %s", name, q.message, q.schema.JSON(), token)
	return &mcp.CallToolResult{Content: textContent(text), StructuredContent: schema.Object{}.
		With("question", q.message).With("schema", q.schema.JSON()).With("token", token).JSON()}
}

// urlQuestion asks the model to send the user to an address.
func urlQuestion(q *question, name, token string) *mcp.CallToolResult {
	address := q.request.(*mcp.ElicitParams).URL
	text := fmt.Sprintf("This tool wants the user to visit an address. "+
		"Show it to them; when they have agreed and are done, "+
		"call the tool %s with the token, or with action decline if they refuse.\n\n"+
		"Message: %s\nAddress: %s\nToken: %s", name, q.message, address, token)
	return &mcp.CallToolResult{Content: textContent(text), StructuredContent: schema.Object{}.
		With("question", q.message).With("url", address).With("token", token).JSON()}
}

// handleAnswer handles a call of the tool answer.
func (s *Server) handleAnswer(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	raw := req.Params.Arguments
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := answerSchema().Validate(raw); err != nil {
		return errorResult("The arguments do not fit the tool " + req.Params.Name + ":\n" + err.Error()), nil
	}
	var args answerArguments
	if err := json.Unmarshal(raw, &args); err != nil {
		return errorResult(err.Error()), nil
	}
	id, roundText, _ := strings.Cut(args.Token, "-")
	round, err := strconv.Atoi(roundText)
	if err != nil {
		return errorResult("This is not a token of a question; it has to be copied exactly."), nil
	}
	c, how := s.waiting.take(id)
	if how != claimTaken {
		return errorResult("No question with this token is waiting for an answer. Call the tool that asked it again."), nil
	}
	cr := newRequest(req, "", nil)
	if c.job.user != cr.user {
		s.waiting.put(c)
		return errorResult("This is a token of somebody else's question."), nil
	}
	if round == c.round {
		if err := c.takeAnswer(&args); err != nil {
			s.waiting.put(c)
			return errorResult(fmt.Sprintf("The answer does not fit the question:\n%s\n"+
				"The question is still open: call %s again with the same token.", err, req.Params.Name)), nil
		}
	}
	return s.goOn(ctx, cr, c)
}

// takeAnswer notes the model's answer to the question that it was given, unless it does not fit.
func (c *call) takeAnswer(args *answerArguments) error {
	open := c.dialogue.open
	at := slices.IndexFunc(open, func(q question) bool { return q.key == c.asked })
	if at < 0 {
		return nil
	}
	q := &open[at]
	r := reply{Key: q.key, Digest: q.digest, Action: cmp.Or(args.Action, "accept")}
	if r.Action == "accept" && q.schema != nil {
		r.Content = wrapAnswer(q, args.Answer)
		if _, err := c.formContent(q, &r); err != nil {
			return err
		}
	}
	c.past = append(c.past, r)
	return nil
}

// wrapAnswer makes an object of an answer that is only the value of the one property.
func wrapAnswer(q *question, answer json.RawMessage) json.RawMessage {
	if len(answer) == 0 || q.schema.Validate(answer) == nil {
		return answer
	}
	if names := q.schema.Properties(); len(names) == 1 && answer[0] != '{' {
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
		asks, stateless := canElicit(request.ClientCapabilities()), request.ProtocolVersion() >= wire.VersionStateless
		if asks && o.answerTool != "" {
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
