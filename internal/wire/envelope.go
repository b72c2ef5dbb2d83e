package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/nesting"
)

// This file defines how the text of a message becomes a JSON-RPC message or a fault, and how
// the id of a message that cannot be read is found all the same.

// Fault is what is wrong with a message, as a JSON-RPC error has it.
type Fault struct {
	Code int
	Text string
}

func parseFault(format string, args ...any) *Fault {
	return &Fault{jsonrpc.CodeParseError, fmt.Sprintf("parse error: "+format, args...)}
}

// InvalidFault is a fault of a message that is JSON but no request.
func InvalidFault(format string, args ...any) *Fault {
	return &Fault{jsonrpc.CodeInvalidRequest, fmt.Sprintf("invalid request: "+format, args...)}
}

// InternalError is a JSON-RPC error about something that is no fault of the client.
func InternalError(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf(format, args...)}
}

// Reply is the JSON-RPC error response for f; a nil id is written as null.
func (f *Fault) Reply(id json.RawMessage) json.RawMessage {
	if id == nil {
		id = json.RawMessage("null")
	}
	type wireError struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	data, _ := json.Marshal(struct { // two numbers, a string and a checked id: it cannot fail
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   wireError       `json:"error"`
	}{"2.0", id, wireError{f.Code, f.Text}})
	return data
}

// CheckText reports what keeps text from being read as JSON.
func CheckText(text []byte) *Fault {
	if at := invalidUTF8(text); at >= 0 {
		return parseFault("byte %d is not UTF-8", at)
	}
	if nesting.Depth(text) > nesting.Max {
		return parseFault("nested deeper than %d levels", nesting.Max)
	}
	var raw json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return parseFault("%s", err)
	}
	return nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// Envelope is a message taken apart. Keys count as they are written: "ID" is not "id".
type Envelope struct {
	fields map[string]json.RawMessage
	// ID is the id when it is one that a reply can carry, else nil.
	ID json.RawMessage
	// Changed says that the SDK has to get another text than that of the message.
	Changed bool
}

// Open takes one message apart, which is known to be JSON.
func Open(raw json.RawMessage) (Envelope, *Fault) {
	var e Envelope
	if err := json.Unmarshal(raw, &e.fields); err != nil || e.fields == nil {
		return e, InvalidFault("expected an object, got %s", Excerpt(raw))
	}
	e.ID = usableID(e.fields["id"])
	return e, nil
}

// Message returns the request, notification or response in e.
func (e *Envelope) Message() (jsonrpc.Message, *Fault) {
	if version := string(e.fields["jsonrpc"]); version != `"2.0"` {
		return nil, InvalidFault(`expected "jsonrpc": "2.0", got %s`, orNothing(version))
	}
	if _, ok := e.fields["method"]; ok {
		return e.request()
	}
	if e.IsResponse() {
		return e.response()
	}
	return nil, InvalidFault("expected a method, a result or an error")
}

// Field returns the value of a key, nil when it is not there.
func (e *Envelope) Field(key string) json.RawMessage { return e.fields[key] }

// IsResponse reports whether e looks like an answer to a request of the server. Such a message is never answered;
// otherwise two programs might send each other errors for ever.
func (e *Envelope) IsResponse() bool {
	_, hasMethod := e.fields["method"]
	_, hasResult := e.fields["result"]
	_, hasError := e.fields["error"]
	return !hasMethod && (hasResult || hasError)
}

func (e *Envelope) request() (jsonrpc.Message, *Fault) {
	req := &jsonrpc.Request{}
	if err := json.Unmarshal(e.fields["method"], &req.Method); err != nil || string(e.fields["method"]) == "null" {
		return nil, InvalidFault("expected a string as method, got %s", Excerpt(e.fields["method"]))
	}
	if raw, ok := e.fields["id"]; ok {
		if e.ID == nil {
			return nil, InvalidFault("expected an id that is a string or an integer, got %s", Excerpt(raw))
		}
		req.ID = requestID(e.ID)
		e.Changed = !plainToken(e.ID)
	}
	if params := e.fields["params"]; len(params) > 0 && string(params) != "null" {
		if params[0] != '{' && params[0] != '[' {
			return nil, InvalidFault("expected an object as params, got %s", Excerpt(params))
		}
		req.Params = objects(params, "arguments", "_meta")
		CarryFilter(req)
		markTokens(req)
		carryID(req)
		e.Changed = e.Changed || !bytes.Equal(req.Params, params)
	} else if req.Method == "skills/list" || req.Method == "events/list" {
		req.Params = json.RawMessage("{}")
		e.Changed = true
	} else if strings.HasPrefix(req.Method, "skills/") || strings.HasPrefix(req.Method, "tasks/") ||
		strings.HasPrefix(req.Method, "events/") {
		return nil, InvalidFault(`missing required "params"`) // the SDK says so of its own methods only
	}
	return req, nil
}

// objects returns a value with {} in the place of []: itself, and its members of these names. Some languages have one
// value for both, and write it so.
func objects(raw json.RawMessage, names ...string) json.RawMessage {
	if !emptyArray().Match(raw) {
		return raw
	}
	if raw[0] == '[' {
		return json.RawMessage("{}")
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return raw
	}
	changed := false
	for _, name := range names {
		if value := members[name]; len(value) > 0 && value[0] == '[' {
			members[name] = objects(value)
			changed = true
		}
	}
	var answers map[string]json.RawMessage
	if json.Unmarshal(members["inputResponses"], &answers) == nil && answers != nil {
		for key, answer := range answers {
			answers[key] = objects(answer, "content", "_meta")
		}
		members["inputResponses"], _ = json.Marshal(answers)
		changed = true
	}
	if fixed, err := json.Marshal(members); err == nil && changed {
		return fixed
	}
	return raw
}

// emptyArray finds a value that is an empty array, or has one as a member.
var emptyArray = lazyregexp.New(`(?:^|:)\s*\[\s*\]`)

func (e *Envelope) response() (jsonrpc.Message, *Fault) {
	if e.ID == nil {
		return nil, InvalidFault("a response without an id: %s", Excerpt(e.fields["error"]))
	}
	resp := &jsonrpc.Response{ID: makeID(e.ID), Result: objects(e.fields["result"], "_meta")}
	if bytes.Contains(resp.Result, []byte(`"action"`)) { // else content is a list
		resp.Result = objects(resp.Result, "content")
	}
	e.Changed = !bytes.Equal(resp.Result, e.fields["result"])
	if raw := e.fields["error"]; len(raw) > 0 && string(raw) != "null" {
		wire := &jsonrpc.Error{}
		if err := json.Unmarshal(raw, wire); err != nil {
			wire = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "malformed error: " + Excerpt(raw)}
		}
		resp.Error = wire
	}
	return resp, nil
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return Excerpt([]byte(text))
}

// MethodCancelled is the notification that gives up a request.
const MethodCancelled = "notifications/cancelled"

// CancelledID returns the id of the request that a notification gives up; ok is false for other messages. The request
// is not to be answered then.
func CancelledID(req *jsonrpc.Request) (id jsonrpc.ID, ok bool) {
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if req.Method != MethodCancelled || json.Unmarshal(req.Params, &params) != nil {
		return id, false
	}
	raw := usableID(params.RequestID)
	if raw == nil {
		return id, false
	}
	return requestID(raw), true
}

// SplitBatch returns the elements of an array of at most maxBatch elements.
func SplitBatch(raw json.RawMessage) ([]json.RawMessage, *Fault) {
	// Counting commas first bounds the memory that the slice of elements takes.
	if n := countElements(raw, maxBatch); n > maxBatch {
		return nil, InvalidFault("a batch of more than %d messages", maxBatch)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, parseFault("%s", err)
	}
	if len(all) == 0 {
		return nil, InvalidFault("an empty batch")
	}
	return all, nil
}

// maxBatch bounds the messages of one batch, and so the replies that one line can cause.
const maxBatch = 1000

// countElements counts the commas at the top level of an array, plus one, up to limit+1.
func countElements(raw []byte, limit int) int {
	depth, count, inString := 0, 1, false
	for i := 0; i < len(raw) && count <= limit; i++ {
		switch c := raw[i]; {
		case c == '"':
			inString = !inString
		case inString && c == '\\':
			i++
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth == 1:
			count++
		}
	}
	return count
}

// idScanner looks for the member "id" of the first object in a text that comes in pieces
// and need not be JSON. It keeps no more than a short token.
type idScanner struct {
	depth             int
	inString, escaped bool
	// token is the scalar being read in the object itself; key is set between ':' and ','.
	token []byte
	key   string
	found []byte
	// done is set when the first object or array has ended.
	done bool
}

// maxIDToken bounds keys and ids worth keeping.
const maxIDToken = 256

// FindID returns the id in a text that could not be read, or nil.
func FindID(text []byte) []byte {
	var s idScanner
	s.scan(text)
	return s.id()
}

// scan reads on and returns how many bytes it took, fewer than all when the value ended.
func (s *idScanner) scan(text []byte) int {
	for i, c := range text {
		if s.done {
			return i
		}
		if s.inString {
			s.stringByte(c)
		} else {
			s.plainByte(c)
		}
	}
	return len(text)
}

func (s *idScanner) stringByte(c byte) {
	s.keep(c)
	switch {
	case s.escaped:
		s.escaped = false
	case c == '\\':
		s.escaped = true
	case c == '"':
		s.inString = false
	}
}

func (s *idScanner) plainByte(c byte) {
	switch c {
	case '"':
		s.inString = true
		s.keep(c)
	case '{', '[':
		s.depth++
		s.token = s.token[:0]
	case '}', ']':
		s.endMember()
		if s.depth > 0 {
			s.depth--
			s.done = s.depth == 0
		}
	case ':':
		if s.depth == 1 {
			s.key, s.token = string(s.token), s.token[:0]
		}
	case ',':
		s.endMember()
	case ' ', '\t', '\r', '\n':
	default:
		s.keep(c)
	}
}

func (s *idScanner) keep(c byte) {
	if s.depth == 1 && len(s.token) <= maxIDToken {
		s.token = append(s.token, c)
	}
}

func (s *idScanner) endMember() {
	if s.depth != 1 {
		return
	}
	if s.key == `"id"` && len(s.token) <= maxIDToken {
		s.found = append([]byte(nil), s.token...)
	}
	s.key, s.token = "", s.token[:0]
}

// id returns the id found, when a reply can carry it.
func (s *idScanner) id() []byte {
	if utf8.Valid(s.found) {
		return usableID(s.found)
	}
	return nil
}
