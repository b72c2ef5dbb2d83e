package web

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines plain HTTP, for programs that do not speak MCP: POST /api/tools/NAME calls a tool. Each request
// becomes an MCP message without a session, and the endpoint serves it like all others. The response is the
// structured content of the result, or a problem (RFC 9457).

// The paths of plain HTTP.
const (
	toolsPath   = "/api/tools/"
	openAPIPath = "/openapi.json"
)

const typeProblem = "application/problem+json"

// addAPI adds plain HTTP to the routes.
func (h *Server) addAPI(mux *http.ServeMux, p *endpoint) {
	for path, route := range map[string]struct {
		method string
		handle func(*replyWriter, *http.Request)
	}{toolsPath + "{name}": {http.MethodPost, p.callPlainly}, openAPIPath: {http.MethodGet, p.describe}} {
		var served http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			leave, ok := p.clients.enter(clientOf(r))
			if !ok {
				refuseBusy(w, http.StatusTooManyRequests, "too many requests of this client")
				return
			}
			defer leave()
			reply := newReplyWriter(w, p.delays)
			defer reply.finish()
			if r.Method != route.method && !(r.Method == http.MethodHead && route.method == http.MethodGet) {
				w.Header().Set("Allow", route.method)
				writeProblem(w, &problem{Status: http.StatusMethodNotAllowed, Detail: "want " + route.method})
				return
			}
			route.handle(reply, r)
		})
		if h.guard != nil {
			served = h.guard.protect(served)
		}
		mux.Handle(path, asProblems(h.gate.admit(served)))
	}
}

// problem is an error in the form of RFC 9457. docs/diagnostics.md lists the codes.
type problem struct {
	Type   string `json:"type,omitempty"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Code   string `json:"code,omitempty"`
	// Data holds further data of the error, such as the open questions of an undecided call.
	Data json.RawMessage `json:"data,omitempty"`
}

// codePages is the address of the page that has a section for each code.
const codePages = "https://github.com/mcplogic/mcplogic/blob/main/docs/diagnostics.md#"

func writeProblem(w http.ResponseWriter, p *problem) {
	p.Title = http.StatusText(p.Status)
	if p.Code != "" {
		p.Type, p.Title = codePages+p.Code, strings.ReplaceAll(p.Code, "_", " ")
	}
	data, err := json.Marshal(p)
	if err != nil { // the data was decoded from JSON
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Del("Content-Length")
	header.Set("Content-Type", typeProblem)
	header.Set("Cache-Control", "no-store")
	if p.Status == http.StatusServiceUnavailable && header.Get("Retry-After") == "" {
		header.Set("Retry-After", "1")
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(data, '\n')) // an error means that the client has gone
}

// problemWriter holds back an error of the gate, the guard or the endpoint. asProblems then writes it as a problem.
type problemWriter struct {
	http.ResponseWriter
	status int // of the error that is held back, 0 if there is none
	text   bytes.Buffer
}

// Unwrap serves [http.ResponseController].
func (w *problemWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader begins the response, unless it is an error to hold back.
func (w *problemWriter) WriteHeader(status int) {
	if status >= 400 && w.Header().Get("Content-Type") != typeProblem {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a piece, or holds it back.
func (w *problemWriter) Write(data []byte) (int, error) {
	if w.status != 0 {
		return w.text.Write(data)
	}
	return w.ResponseWriter.Write(data)
}

// asProblems returns a handler that writes the errors of another one as problems.
func asProblems(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w := &problemWriter{ResponseWriter: out}
		next.ServeHTTP(w, r)
		if w.status != 0 {
			detail := strings.TrimSpace(w.text.String())
			if e, flaw := wire.Open(w.text.Bytes()); flaw == nil {
				detail = errorIn(&e).Message
			}
			writeProblem(out, &problem{Status: w.status, Detail: detail})
		}
	})
}

// errorIn returns the error of a response, an empty one if there is none.
func errorIn(e *wire.Envelope) (told jsonrpc.Error) {
	_ = json.Unmarshal(e.Field("error"), &told)
	return told
}

// memoryReply keeps the response to a message in memory.
type memoryReply struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header is the header of the answer.
func (m *memoryReply) Header() http.Header { return m.header }

// WriteHeader notes the status.
func (m *memoryReply) WriteHeader(status int) { m.status = status }

// Write keeps a piece.
func (m *memoryReply) Write(data []byte) (int, error) { return m.body.Write(data) }

// plainMessage is the MCP message that is made of a request of plain HTTP.
type plainMessage struct {
	method string
	params map[string]any
	header http.Header // the headers in addition to those of every message
}

// ask sends a message to the endpoint for the client of a request. wrong is nil if there is a result.
func (p *endpoint) ask(r *http.Request, m *plainMessage) (result json.RawMessage, code int64, wrong *problem) {
	m.params["_meta"] = metaOf(r)
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": m.method, "params": m.params})
	if err != nil {
		return nil, 0, &problem{Status: http.StatusBadRequest, Detail: err.Error()}
	}
	inner := r.WithContext(r.Context())
	inner.Method = http.MethodPost
	inner.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, " + typeEvents},
		versionHeader: {wire.VersionStateless}, "Mcp-Method": {m.method}}
	maps.Copy(inner.Header, m.header)
	inner.Body, inner.ContentLength = http.NoBody, int64(len(body))
	out := &memoryReply{header: http.Header{}, status: http.StatusOK}
	reply := newReplyWriter(out, p.delays)
	reply.alone = true
	p.postBody(reply, inner, body)
	reply.finish()
	e, flaw := wire.Open(out.body.Bytes())
	if flaw != nil {
		return nil, 0, &problem{Status: http.StatusInternalServerError, Detail: "there is no answer: " + flaw.Text}
	}
	if result = e.Field("result"); result != nil {
		return result, 0, nil
	}
	told := errorIn(&e)
	status := out.status
	if status < 400 || told.Code == jsonrpc.CodeInvalidParams {
		status = statusOf(&told)
	}
	return nil, told.Code, &problem{Status: status, Detail: told.Message, Data: told.Data}
}

// statusOf returns the HTTP status for a JSON-RPC error.
func statusOf(told *jsonrpc.Error) int {
	switch {
	case told.Code == jsonrpc.CodeInvalidParams && strings.HasPrefix(told.Message, "unknown tool"):
		return http.StatusNotFound
	case told.Code == jsonrpc.CodeInvalidParams:
		return http.StatusBadRequest
	case told.Code == jsonrpc.CodeInternalError:
		return http.StatusInternalServerError
	case told.Code == codeBusy:
		return http.StatusServiceUnavailable
	}
	return http.StatusUnprocessableEntity // an error that the rules have chosen
}

// Headers of plain HTTP with headerPrefix stand for members of _meta with metaPrefix.
const (
	metaPrefix   = "mcplogic/"
	headerPrefix = "Mcplogic-"
)

// metaOf returns the _meta of a message. It declares that the client can be asked. decide then cancels each question.
func metaOf(r *http.Request) map[string]any {
	meta := map[string]any{metaVersion: wire.VersionStateless,
		"io.modelcontextprotocol/clientInfo": map[string]any{
			"name": cmp.Or(strings.ToValidUTF8(r.UserAgent(), "?"), "http"), "version": ""},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{"elicitation": map[string]any{}}}
	if trace := r.Header.Get("Traceparent"); trace != "" {
		meta["traceparent"] = trace
	}
	if sequence := r.Header.Get(headerPrefix + "Sequence"); sequence != "" {
		meta[metaPrefix+"sequence"] = sequence
	}
	return meta
}

// headerText returns a value in the form of an MCP header: in Base64 if it is not plain ASCII.
func headerText(text string) string {
	if text == strings.TrimSpace(text) && !strings.HasPrefix(text, "=?") &&
		!strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// plainResult holds the members of a result that plain HTTP needs.
type plainResult struct {
	Content    json.RawMessage            `json:"content"`
	Structured json.RawMessage            `json:"structuredContent"`
	IsError    bool                       `json:"isError"`
	Meta       map[string]json.RawMessage `json:"_meta"`
	Requests   map[string]json.RawMessage `json:"inputRequests"`
	State      json.RawMessage            `json:"requestState"`
}

// maxRounds bounds the rounds of questions of a call. Each round may have many questions.
const maxRounds = 100

// callPlainly calls a tool.
func (p *endpoint) callPlainly(w *replyWriter, r *http.Request) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if given := r.Header.Get("Content-Type"); given != "" && (err != nil || kind != "application/json") &&
		!strings.HasSuffix(kind, "+json") && r.ContentLength != 0 {
		writeProblem(w.out, &problem{Status: http.StatusUnsupportedMediaType,
			Detail: "want the arguments as application/json"})
		return
	}
	body, ok := p.readBody(w, r)
	if !ok {
		return
	}
	if len(body) == 0 {
		body = []byte("{}")
	}
	if flaw := wire.CheckText(body); flaw != nil {
		writeProblem(w.out, &problem{Status: http.StatusBadRequest, Detail: flaw.Text})
		return
	}
	name := strings.ToValidUTF8(r.PathValue("name"), "\uFFFD")
	m := &plainMessage{"tools/call", map[string]any{"name": name, "arguments": json.RawMessage(body)},
		http.Header{nameHeader: {headerText(name)}}}
	result, wrong := p.decide(r, m)
	if wrong == nil {
		wrong = result.problem()
		result.putHeaders(w.out.Header())
	}
	if wrong != nil {
		writeProblem(w.out, wrong)
		return
	}
	w.tellPlainly(result.body())
}

// decide calls a tool. It cancels each question, so that a result that depends on it is undecided. If the endpoint
// rejects the call because of missing headers, decide adds those for the arguments that the schema of the tool marks.
func (p *endpoint) decide(r *http.Request, m *plainMessage) (*plainResult, *problem) {
	for range maxRounds {
		raw, code, wrong := p.ask(r, m)
		if wrong != nil && code == codeHeaders && p.addHeaders(r, m) {
			raw, _, wrong = p.ask(r, m)
		}
		if wrong != nil {
			return nil, wrong
		}
		result := &plainResult{}
		if err := json.Unmarshal(raw, result); err != nil {
			return nil, &problem{Status: http.StatusInternalServerError, Detail: err.Error()}
		}
		if len(result.Requests) == 0 {
			return result, nil
		}
		answers := map[string]any{}
		for key := range result.Requests {
			answers[key] = map[string]string{"action": "cancel"}
		}
		m.params["inputResponses"], m.params["requestState"] = answers, result.State
	}
	return nil, &problem{Status: http.StatusConflict, Code: "undecided", Detail: "the call asks again and again"}
}

// statusOfCode maps codes to HTTP statuses. A code that is not here means a mistake in the rules and has status 500.
var statusOfCode = map[string]int{
	"bad_arguments": http.StatusBadRequest, "bad_cursor": http.StatusBadRequest, "bad_token": http.StatusBadRequest,
	"bad_answer": http.StatusBadRequest, "no_such_tool": http.StatusBadRequest,
	"failed": http.StatusUnprocessableEntity, "refused": http.StatusUnprocessableEntity,
	"undefined": http.StatusUnprocessableEntity, "not_explained": http.StatusUnprocessableEntity,
	"result_size": http.StatusUnprocessableEntity, "not_loaded": http.StatusUnprocessableEntity,
	"not_saved": http.StatusUnprocessableEntity, "": http.StatusUnprocessableEntity,
	"undecided": http.StatusConflict, "conflict": http.StatusConflict,
	"busy": http.StatusServiceUnavailable, "given_up": http.StatusServiceUnavailable,
	"aborted": http.StatusServiceUnavailable, "not_stored": http.StatusServiceUnavailable,
	"not_recorded": http.StatusServiceUnavailable, "behind": http.StatusServiceUnavailable,
	"time_limit": http.StatusGatewayTimeout,
}

// problem returns the problem of the call, nil if there is none.
func (result *plainResult) problem() *problem {
	if !result.IsError {
		return nil
	}
	p := &problem{Status: http.StatusInternalServerError, Data: result.Structured}
	_ = json.Unmarshal(result.Meta[metaPrefix+"code"], &p.Code) // a result of other tools has none
	if status, ok := statusOfCode[p.Code]; ok {
		p.Status = status
	}
	var items []struct{ Text string }
	_ = json.Unmarshal(result.Content, &items)
	var texts []string
	for _, item := range items {
		if item.Text != "" {
			texts = append(texts, item.Text)
		}
	}
	p.Detail = strings.Join(texts, "\n")
	return p
}

// putHeaders writes the members of _meta of a result into headers: the digest of the rules, the last change of the
// store and the name of the record.
func (result *plainResult) putHeaders(h http.Header) {
	for name, value := range result.Meta {
		var text string
		if short, ok := strings.CutPrefix(name, metaPrefix); ok && json.Unmarshal(value, &text) == nil {
			h.Set(headerPrefix+short, text)
		}
	}
}

// body returns the structured content, or an object with the items.
func (result *plainResult) body() []byte {
	if result.Structured != nil {
		return result.Structured
	}
	return slices.Concat([]byte(`{"content":`), result.Content, []byte("}"))
}

// tellPlainly sends the response.
func (w *replyWriter) tellPlainly(body []byte) {
	header := w.out.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrote = true
	_ = w.send(append(body, '\n')) // an error means that the client has gone
}

// baseURL returns the address of the server, without the path of the endpoint.
func (h *Server) baseURL() string { return strings.TrimSuffix(h.url.String(), Path) }

// codeHeaders is the JSON-RPC error code for headers that differ from the message.
const codeHeaders = -32020

// addHeaders adds the headers that repeat arguments, for a tool that requires them. It returns false if there are
// none.
func (p *endpoint) addHeaders(r *http.Request, m *plainMessage) bool {
	list, wrong := p.listTools(r)
	if wrong != nil {
		return false
	}
	at := slices.IndexFunc(list, func(t *plainTool) bool { return t.Name == m.params["name"] })
	if at < 0 {
		return false
	}
	before := len(m.header)
	addArguments(m.header, list[at].Input, m.params["arguments"].(json.RawMessage))
	return len(m.header) > before
}

// addArguments adds headers for the arguments that a schema marks.
func addArguments(h http.Header, schema, arguments json.RawMessage) {
	var marks struct{ Properties map[string]json.RawMessage }
	var values map[string]json.RawMessage
	if json.Unmarshal(schema, &marks) != nil || json.Unmarshal(arguments, &values) != nil {
		return
	}
	for name, property := range marks.Properties {
		var marked struct {
			Header string `json:"x-mcp-header"`
		}
		value := values[name]
		if _ = json.Unmarshal(property, &marked); marked.Header == "" || value == nil || string(value) == "null" {
			addArguments(h, property, value)
			continue
		}
		text := string(value)
		_ = json.Unmarshal(value, &text) // other values than strings stay as they are
		h.Set("Mcp-Param-"+marked.Header, headerText(text))
	}
}

// plainTool holds the members of a tool that plain HTTP needs.
type plainTool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema"`
}

// listTools lists the tools that the client of a request sees.
func (p *endpoint) listTools(r *http.Request) (list []*plainTool, wrong *problem) {
	m := &plainMessage{method: "tools/list", params: map[string]any{}}
	for {
		raw, _, wrong := p.ask(r, m)
		if wrong != nil {
			return nil, wrong
		}
		var page struct {
			Tools []*plainTool
			Next  string `json:"nextCursor"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, &problem{Status: http.StatusInternalServerError, Detail: err.Error()}
		}
		if list = append(list, page.Tools...); page.Next == "" {
			return list, nil
		}
		m.params["cursor"] = page.Next
	}
}

// This part defines the description of plain HTTP, in OpenAPI 3.1.

// object is an object of JSON.
type object = map[string]any

// describe answers with the description.
func (p *endpoint) describe(w *replyWriter, r *http.Request) {
	raw, _, wrong := p.ask(r, &plainMessage{method: "server/discover", params: map[string]any{}})
	var list []*plainTool
	if wrong == nil {
		list, wrong = p.listTools(r)
	}
	var server struct {
		Instructions string
		Meta         map[string]json.RawMessage `json:"_meta"`
	}
	var data []byte
	if wrong == nil {
		_ = json.Unmarshal(raw, &server)
		var err error
		if data, err = json.Marshal(p.openAPI(list, server.Meta, server.Instructions)); err != nil {
			wrong = &problem{Status: http.StatusInternalServerError, Detail: err.Error()}
		}
	}
	if wrong != nil {
		writeProblem(w.out, wrong)
		return
	}
	w.tellPlainly(data)
}

// openAPI describes tools. meta is the description that the server gives of itself.
func (p *endpoint) openAPI(list []*plainTool, meta map[string]json.RawMessage, instructions string) object {
	var about struct{ Name, Title, Version string }
	_ = json.Unmarshal(meta["io.modelcontextprotocol/serverInfo"], &about)
	info := object{"title": cmp.Or(about.Title, about.Name, "mcplogic"), "version": cmp.Or(about.Version, "0")}
	if instructions != "" {
		info["description"] = instructions
	}
	schemas := object{"Problem": problemSchema}
	paths := object{}
	for _, t := range list {
		paths[toolsPath+t.Name] = object{"post": t.operation(schemas)}
	}
	components, security := object{"schemas": schemas}, []object{}
	if p.guard != nil && p.guard.user == nil {
		components["securitySchemes"] = object{"token": object{"type": "http", "scheme": "bearer"}}
		security = append(security, object{"token": []string{}})
	}
	return object{"openapi": "3.1.0", "info": info, "servers": []object{{"url": p.baseURL()}}, "paths": paths,
		"components": components, "security": security}
}

var problemSchema = json.RawMessage(`{"type":"object","description":"An error, as RFC 9457 has it.",` +
	`"properties":{"type":{"type":"string","description":"Where the code is explained."},"title":{"type":"string"},` +
	`"status":{"type":"integer"},"detail":{"type":"string","description":"What went wrong, in words."},` +
	`"code":{"type":"string","description":"The code of the error, such as failed or bad_arguments."},` +
	`"data":{"description":"What else there is, such as the questions of a call that is not decided."}},` +
	`"required":["title","status","detail"]}`)

// operation describes the calls of a tool. It adds its schemas.
func (t *plainTool) operation(schemas object) object {
	failure := object{"description": "The call was refused or has failed.",
		"content": object{typeProblem: object{"schema": object{"$ref": "#/components/schemas/Problem"}}}}
	answer := object{"description": "The structured content of the result, or else its items."}
	if t.Output != nil {
		answer["description"] = "The answer."
	}
	answer["content"] = object{"application/json": object{"schema": addSchema(schemas, t.Name+".result", t.Output)}}
	input := object{"application/json": object{"schema": addSchema(schemas, t.Name+".arguments", t.Input)}}
	var wanted struct{ Required []string }
	_ = json.Unmarshal(t.Input, &wanted)
	operation := object{"operationId": t.Name, "summary": cmp.Or(t.Title, t.Name),
		"requestBody": object{"required": len(wanted.Required) > 0, "content": input},
		"responses":   object{"200": answer, "4XX": failure, "5XX": failure}}
	if t.Description != "" {
		operation["description"] = t.Description
	}
	return operation
}

// addSchema adds a schema to the components and returns a reference to it. For a nil schema it returns a schema that
// accepts anything. References within the schema then lead to its place in the description.
func addSchema(schemas object, name string, schema json.RawMessage) object {
	if schema == nil {
		return object{}
	}
	at := "#/components/schemas/" + name
	schemas[name] = schema
	if bytes.Contains(schema, []byte(`"$ref"`)) {
		decoder := json.NewDecoder(bytes.NewReader(schema))
		decoder.UseNumber()
		var value any
		if decoder.Decode(&value) == nil {
			moveReferences(value, at)
			schemas[name] = value
		}
	}
	return object{"$ref": at}
}

// moveReferences changes the references to parts of a schema when the schema moves to another place.
func moveReferences(value any, at string) {
	switch v := value.(type) {
	case object:
		for name, member := range v {
			if text, ok := member.(string); ok && name == "$ref" && (text == "#" || strings.HasPrefix(text, "#/")) {
				v[name] = at + text[1:]
			}
			moveReferences(member, at)
		}
	case []any:
		for _, member := range v {
			moveReferences(member, at)
		}
	}
}
