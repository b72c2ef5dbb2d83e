package wire

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file defines how the ids and progress tokens of a client come back to it as it has written them. It also defines
// the mending of initialize requests and how a transport that serves several clients tells the handlers whose request
// they handle. The SDK reads numbers as floats and writes texts anew. What it would change passes it as a text with a
// mark.

// tokenMark begins such a text. No client can guess it.
var tokenMark = "mcplogic:" + rand.Text() + ":"

// usableID returns raw when it is a text or an integer, else nil.
func usableID(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if raw[0] == '"' {
		if json.Valid(raw) {
			return raw
		}
		return nil
	}
	var n float64
	if wholeNumber().Match(raw) || raw[0] != 'n' && json.Unmarshal(raw, &n) == nil && n == math.Trunc(n) &&
		math.Abs(n) < 1<<53 {
		return raw
	}
	return nil
}

// wholeNumber matches integers of any size. Integers with a decimal point are distinguished from fractions only up to
// 2^53.
var wholeNumber = lazyregexp.New(`^-?(?:0|[1-9][0-9]*)(?:[eE]\+?[0-9]+)?$`)

// plainToken reports whether the SDK writes an id or token as it was.
func plainToken(raw json.RawMessage) bool {
	if raw[0] == '"' {
		var text string
		return json.Unmarshal(raw, &text) == nil && !strings.ContainsRune(text, '\ufffd') // as which it has lone surrogates
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == string(raw) && n < 1<<53 && n > -1<<53
}

// marked returns an id or token as the text by which it passes the SDK.
func marked(raw json.RawMessage) string { return tokenMark + hex.EncodeToString(raw) }

// requestID converts the id of a request that usableID let pass.
func requestID(raw json.RawMessage) jsonrpc.ID {
	if !plainToken(raw) {
		raw, _ = json.Marshal(marked(raw))
	}
	return makeID(raw)
}

// makeID converts an id that usableID let pass. In a response numbers count, not how they are written: the requests are
// ours.
func makeID(raw json.RawMessage) jsonrpc.ID {
	var value any
	_ = json.Unmarshal(raw, &value) // a valid string or number
	id, _ := jsonrpc.MakeID(value)
	return id
}

// markTokens marks what a request names that the SDK would change: its progress token, and the id that it gives up.
func markTokens(req *jsonrpc.Request) {
	name := "progressToken"
	if req.Method == MethodCancelled {
		name = "requestId"
	}
	if !bytes.Contains(req.Params, []byte(`"`+name+`"`)) {
		return
	}
	var params, meta map[string]json.RawMessage
	if json.Unmarshal(req.Params, &params) != nil {
		return // the SDK refuses it
	}
	members := params
	if name == "progressToken" {
		_ = json.Unmarshal(params["_meta"], &meta) // what is no object is refused
		members = meta
	}
	raw := usableID(members[name])
	if raw == nil || plainToken(raw) {
		return
	}
	members[name], _ = json.Marshal(marked(raw))
	if meta != nil {
		params["_meta"], _ = json.Marshal(meta)
	}
	req.Params, _ = json.Marshal(params)
}

// restoreTokens returns a message with ids and tokens as the client has written them.
func restoreTokens(data []byte) []byte {
	mark := []byte(`"` + tokenMark)
	for {
		before, rest, found := bytes.Cut(data, mark)
		if !found {
			return data
		}
		digits, after, _ := bytes.Cut(rest, []byte(`"`))
		raw, _ := hex.DecodeString(string(digits)) // marked has written them
		data = bytes.Join([][]byte{before, raw, after}, nil)
	}
}

// This part defines how what the extensions for tasks and events add to messages passes the SDK. It knows neither the
// member taskIds of a subscription nor their notifications, and does not tell handlers the id of a request.

// MetaTaskIDs is the key in _meta of the tasks that a subscription wants to hear about.
const MetaTaskIDs = "mcplogic/taskIds"

// MetaEvents is the key in _meta of whether a subscription wants to hear of the list of events.
const MetaEvents = "mcplogic/eventsListChanged"

// CarryFilter moves what a subscription wants of tasks and events to where the SDK leaves it alone. It reports whether
// it has changed the request.
func CarryFilter(req *jsonrpc.Request) bool {
	if req.Method != MethodListen {
		return false
	}
	var params, wanted, meta map[string]json.RawMessage
	if json.Unmarshal(req.Params, &params) != nil {
		return false
	}
	_ = json.Unmarshal(params["notifications"], &wanted) // what is no object is refused later
	if json.Unmarshal(params["_meta"], &meta) != nil || meta == nil {
		meta = map[string]json.RawMessage{}
	}
	changed := false
	for member, key := range map[string]string{"taskIds": MetaTaskIDs, "eventsListChanged": MetaEvents} {
		value, asks := wanted[member]
		_, forged := meta[key]
		delete(meta, key)
		if asks {
			meta[key] = value
		}
		changed = changed || asks || forged
	}
	if !changed {
		return false
	}
	params["_meta"], _ = json.Marshal(meta) // of JSON
	req.Params, _ = json.Marshal(params)
	return true
}

// MetaRequestID is the key in _meta of the id of a request for a stream of events.
const MetaRequestID = "mcplogic/requestId"

// carryID notes the id of a request for a stream of events where its handler finds it.
func carryID(req *jsonrpc.Request) {
	var params, meta map[string]json.RawMessage
	if req.Method != MethodStream || json.Unmarshal(req.Params, &params) != nil || params == nil {
		return
	}
	if json.Unmarshal(params["_meta"], &meta) != nil || meta == nil {
		meta = map[string]json.RawMessage{}
	}
	meta[MetaRequestID], _ = json.Marshal(req.ID.Raw())
	params["_meta"], _ = json.Marshal(meta) // of JSON
	req.Params, _ = json.Marshal(params)
}

// A notification that the SDK does not know goes through it as that of progress, whose params begin with what it is to
// be.
const (
	MethodProgress = "notifications/progress"
	MethodTask     = "notifications/tasks"
	asProgress     = `"method":"` + MethodProgress + `","params":{"mcplogic/method":"`
)

// Mark is the member with which such params begin.
type Mark struct {
	Method string `json:"mcplogic/method"`
}

// maxMarkAt bounds where in a message or event the method of a notification stands.
const maxMarkAt = 100

// A hint that means nothing beside the one that a tool only reads, as the SDK writes it, and without it.
const (
	idleHint     = `"annotations":{"idempotentHint":false,"openWorldHint":false,"readOnlyHint":true}`
	idleOpenHint = `"annotations":{"idempotentHint":false,"readOnlyHint":true}`
)

// PlainHints returns listed tools without that hint.
func PlainHints(data []byte) []byte {
	for _, hint := range []string{idleHint, idleOpenHint} {
		if bytes.Contains(data, []byte(hint)) {
			data = bytes.ReplaceAll(data, []byte(hint), []byte(strings.Replace(hint, `"idempotentHint":false,`, "", 1)))
		}
	}
	return data
}

// Restore returns a message, or an event with one, as its receiver has to see it: the SDK writes notifications that it
// does not know as another one, a hint of tools that only read, and marks of tokens.
func Restore(data []byte) []byte {
	data = PlainHints(restoreTokens(data))
	head := data[:min(len(data), maxMarkAt+len(asProgress))]
	before, _, found := bytes.Cut(head, []byte(asProgress))
	method, params, whole := bytes.Cut(data[min(len(data), len(before)+len(asProgress)):], []byte(`",`))
	if !found || !whole {
		return data
	}
	return slices.Concat(before, []byte(`"method":"`), method, []byte(`","params":{`), params)
}

const (
	// VersionStateless is the first protocol version without initialize.
	VersionStateless = "2026-07-28"
	// versionLatestStateful is what initialize negotiates when asked for anything unknown.
	versionLatestStateful = "2025-11-25"
)

// RepairInitialize is a receiving middleware for an [mcp.Server]. It concerns clients that ask to initialize an unknown
// version, or a version without initialize. The SDK offers them the latest version, but remembers the one asked for and
// behaves as if both had agreed on it: questions to the user fail and list changes are lost. The middleware replaces
// the version asked for by the one that will be agreed on.
func RepairInitialize(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if params, ok := req.GetParams().(*mcp.InitializeParams); ok && params != nil &&
			!canInitialize(params.ProtocolVersion) {
			params.ProtocolVersion = versionLatestStateful
		}
		return next(ctx, method, req)
	}
}

func canInitialize(version string) bool {
	return version < VersionStateless && slices.Contains(mcp.SupportedProtocolVersions(), version)
}

type clientKey struct{}

// WithClient returns a context for what runs on behalf of a client, who is a user or a network address.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// ClientOf returns the client of [WithClient], "" where there is only one.
func ClientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}

// This part rewrites errors of the SDK for clients: with a meaningful code, without Go types, and without the data that
// the client has sent, which may be secret and long.

// PlainError returns an error as clients get it.
func PlainError(err error) *jsonrpc.Error {
	plain := jsonrpc.Error{Message: err.Error()}
	var coded *jsonrpc.Error
	if errors.As(err, &coded) {
		plain.Code, plain.Data = coded.Code, coded.Data
	}
	cause := unreadableParams().FindStringSubmatch(plain.Message)
	switch {
	case cause != nil:
		plain.Code, plain.Message = jsonrpc.CodeInvalidParams, "invalid params: "+paramsProblem(cause[1])
	case plain.Code == mcp.CodeHeaderMismatch && strings.HasPrefix(plain.Message, "failed to extract name "):
		// The header may well be right.
		plain.Code, plain.Message = jsonrpc.CodeInvalidParams, "invalid params: they are not those of the method"
	case plain.Code == 0: // errors of the SDK without a code complain about the request
		plain.Code = jsonrpc.CodeInvalidRequest
	}
	return &plain
}

// unreadableParams matches what the SDK says of params that it cannot read, and keeps the cause.
var unreadableParams = lazyregexp.New(
	`(?s)^(?:handling '[^']*': )?(?:invalid params: )?unmarshaling "(?:[^"\\]|\\.)*" into a ` +
		`\*(?:mcp|bridge|tasks)\.\w+: (.*)$`)

// unfitParam matches the cause when a value is not of its type.
var unfitParam = lazyregexp.New(`(?s)^json: cannot unmarshal .* into Go (?:struct field ` +
	`(?:(?:mcp|bridge|tasks)\.)?\w+\.(\S+)|value) of type (.+)$`)

// paramsProblem says in plain words why params cannot be read.
func paramsProblem(cause string) string {
	if unfit := unfitParam().FindStringSubmatch(cause); unfit != nil {
		name := unfit[1]
		if name == "" {
			name = "params"
		}
		return fmt.Sprintf("expected %s as %s", nameOfType(unfit[2]), name)
	}
	if strings.Contains(cause, "mcp.") || strings.Contains(cause, " Go ") {
		return "they are not those of the method"
	}
	return cause
}

// nameOfType is what JSON calls the values of a type of Go.
func nameOfType(goType string) string {
	switch goType = strings.TrimLeft(goType, "*"); {
	case goType == "string":
		return "a string"
	case goType == "bool":
		return "a boolean"
	case strings.HasPrefix(goType, "[]"):
		return "an array"
	case strings.HasPrefix(goType, "int"), strings.HasPrefix(goType, "uint"), strings.HasPrefix(goType, "float"):
		return "a number"
	}
	return "an object"
}
