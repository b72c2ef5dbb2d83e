package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines the endpoint for MCP messages. It checks and changes a request before the SDK sees it.

// endpoint is the handler of the one path for MCP.
type endpoint struct {
	*Server
	stateful, stateless http.Handler
}

// The headers that the endpoint reads.
const (
	versionHeader = "Mcp-Protocol-Version"
	nameHeader    = "Mcp-Name"
	sessionHeader = "Mcp-Session-Id"
	eventHeader   = "Last-Event-Id"
)

// metaVersion is the key of the version in requests without sessions.
const metaVersion = "io.modelcontextprotocol/protocolVersion"

// codeBusy is the JSON-RPC error code for clients that should come back later.
const codeBusy = -32000

// ServeHTTP serves a request if the limits of its client allow it.
func (p *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	leave, ok := p.clients.enter(clientOf(r))
	if !ok {
		refuseBusy(w, http.StatusTooManyRequests, "too many requests of this client")
		return
	}
	defer leave()
	r.Header.Del(exchangeHeader)
	reply := newReplyWriter(w, p.delays)
	defer reply.finish()
	reply.alone = fitAccept(r)
	switch r.Method {
	case http.MethodPost:
		p.post(reply, r)
	case http.MethodGet:
		p.listen(reply, r)
	case http.MethodDelete:
		p.delete(reply, r)
	default:
		p.stateful.ServeHTTP(reply, r) // the SDK refuses it
	}
}

// fitAccept sets the headers Accept and Content-Type to values that the SDK requires. The SDK is stricter than RFC
// 9110 and than clients. A request without Accept accepts everything, and one without Content-Type has JSON.
// fitAccept reports whether the client accepts only JSON and no events.
func fitAccept(r *http.Request) (alone bool) {
	accepted := strings.ToLower(strings.Join(r.Header.Values("Accept"), ","))
	events := accepted == "" || strings.Contains(accepted, "*/*") || strings.Contains(accepted, typeEvents) ||
		strings.Contains(accepted, "text/*")
	alone = r.Method == http.MethodPost && !events &&
		(strings.Contains(accepted, "application/json") || strings.Contains(accepted, "application/*"))
	if events || alone {
		r.Header.Set("Accept", "application/json, "+typeEvents)
	}
	if r.Method == http.MethodPost && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json") // a recipient may guess it (RFC 9110, section 8.3)
	}
	return alone
}

func refuseBusy(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Retry-After", "1")
	writeFault(w, status, nil, &wire.Fault{Code: codeBusy, Text: text})
}

func writeFault(w http.ResponseWriter, status int, id json.RawMessage, f *wire.Fault) {
	data := f.Reply(id)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data) // an error means that the client has gone
}

// post serves messages of a client.
func (p *endpoint) post(w *replyWriter, r *http.Request) {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		writeFault(w, http.StatusUnsupportedMediaType, nil, wire.InvalidFault("the body is to come without Content-Encoding"))
		return
	}
	if body, ok := p.readBody(w, r); ok {
		p.postBody(w, r, body)
	}
}

// postBody serves the messages in a body.
func (p *endpoint) postBody(w *replyWriter, r *http.Request, body []byte) {
	m, flaw := readPost(body)
	w.id, w.calls = m.id, m.calls
	switch {
	case flaw != nil:
		writeFault(w, http.StatusBadRequest, m.id, flaw)
		return
	case m.calls && p.stopping.Load():
		w.Header().Set("Connection", "close")
		refuseBusy(w, http.StatusServiceUnavailable, errStopping.Error())
		return
	}
	r = r.WithContext(r.Context()) // a copy: the HTTP server reads the body of the original while it responds
	if m.body != nil {
		body = m.body
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	session := r.Header.Get(sessionHeader)
	switch {
	case m.version >= wire.VersionStateless || r.Header.Get(versionHeader) >= wire.VersionStateless:
		flaw := decodeName(r.Header)
		if flaw == nil {
			flaw = m.checkTask(r.Header)
		}
		if flaw != nil {
			writeFault(w, http.StatusBadRequest, m.id, flaw)
			return
		}
		p.exchange(w, r, p.stateless, "", m)
	case session == "":
		p.open(w, r, m)
	default:
		p.use(w, r, session, func() { p.answer(w, r, session, m) })
	}
}

// decodeName decodes a name in the header that is in Base64, because the SDK compares the header with the name in the
// message. Names that are not ASCII, and those with blanks at an end, come as =?base64?...?=.
func decodeName(h http.Header) *wire.Fault {
	encoded, ok := strings.CutPrefix(h.Get(nameHeader), "=?base64?")
	if ok {
		encoded, ok = strings.CutSuffix(encoded, "?=")
	}
	if !ok {
		return nil
	}
	name, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || !utf8.Valid(name) {
		return &wire.Fault{Code: mcp.CodeHeaderMismatch,
			Text: "header mismatch: the " + nameHeader + " header is no text in Base64"}
	}
	h.Set(nameHeader, string(name))
	return nil
}

// taskMethods holds the methods about a task. A header names the task, so that a proxy can find the server that has
// it.
var taskMethods = map[string]bool{"tasks/get": true, "tasks/update": true, "tasks/cancel": true}

// checkTask compares the header with the name of the task. The SDK checks the headers of other methods.
func (m *posted) checkTask(h http.Header) *wire.Fault {
	switch name := strings.TrimSpace(h.Get(nameHeader)); {
	case m.task == nil || name != "" && name == *m.task:
		return nil
	case name == "":
		return &wire.Fault{Code: mcp.CodeHeaderMismatch,
			Text: "the header " + nameHeader + " with the name of the task is missing"}
	}
	return &wire.Fault{Code: mcp.CodeHeaderMismatch,
		Text: "header mismatch: the header " + nameHeader + " has another value than taskId"}
}

// readBody reads the body of a request, up to a limit of size. The connection has a deadline for that, which readBody
// removes afterwards. If it returns false, it has already written an error.
func (p *endpoint) readBody(w *replyWriter, r *http.Request) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w.out, r.Body, p.opts.MaxBody))
	if err == nil {
		_ = w.controller.SetReadDeadline(time.Time{})
		return wire.Trim(body), true
	}
	var tooLong *http.MaxBytesError
	status, text := http.StatusBadRequest, "the body ended early"
	switch {
	case errors.As(err, &tooLong):
		status, text = http.StatusRequestEntityTooLarge,
			"the body is longer than "+strconv.FormatInt(tooLong.Limit, 10)+" bytes"
	case errors.Is(err, os.ErrDeadlineExceeded):
		status, text = http.StatusRequestTimeout, "the body took too long"
	}
	w.Header().Set("Connection", "close")
	writeFault(w, status, nil, wire.InvalidFault("%s", text))
	return nil, false
}

// posted describes the messages in a body.
type posted struct {
	id json.RawMessage // the id of a single message, nil if it has none
	// calls says that a message needs an answer. stream says that the answer is a stream that stays open.
	calls, stream bool
	// task is the task that the message names, nil for other methods.
	task *string
	// version is the version in the message, "" if it has none.
	version string
	// body replaces the body for the SDK, nil for no change.
	body []byte
	// due holds the ids of the requests, and givenUp the ids of earlier requests that these messages cancel.
	due, givenUp []jsonrpc.ID
}

// readPost reads the messages of a body. All must be well-formed.
func readPost(body []byte) (posted, *wire.Fault) {
	if flaw := wire.CheckText(body); flaw != nil {
		return posted{id: wire.FindID(body)}, flaw
	}
	if body[0] != '[' {
		return readOne(body)
	}
	all, flaw := wire.SplitBatch(body)
	if flaw != nil {
		return posted{}, flaw
	}
	var sum posted
	for i, one := range all {
		m, flaw := readOne(one)
		if flaw != nil {
			return posted{}, flaw
		}
		sum.calls = sum.calls || m.calls
		if m.body != nil {
			all[i] = m.body
			sum.body, _ = json.Marshal(all)
		}
		sum.due, sum.givenUp = append(sum.due, m.due...), append(sum.givenUp, m.givenUp...)
	}
	return sum, nil
}

func readOne(raw json.RawMessage) (posted, *wire.Fault) {
	e, flaw := wire.Open(raw)
	if flaw != nil {
		return posted{}, flaw
	}
	m := posted{id: e.ID}
	if e.IsResponse() {
		m.id = nil // it is a response, so that an error is no answer to it
	}
	msg, flaw := e.Message()
	if flaw != nil {
		return m, flaw
	}
	m.calls = m.id != nil
	if req, ok := msg.(*jsonrpc.Request); ok {
		m.noteRequest(req)
	}
	if e.Changed {
		m.body, _ = jsonrpc.EncodeMessage(msg) // it was decoded
	}
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
		Task json.RawMessage            `json:"taskId"`
	}
	if json.Unmarshal(e.Field("params"), &params) == nil {
		_ = json.Unmarshal(params.Meta[metaVersion], &m.version) // a version that is no text is refused later
		if m.task != nil {
			_ = json.Unmarshal(params.Task, m.task)
		}
	}
	return m, nil
}

// noteRequest sets the fields that depend on the method of a request or notification.
func (m *posted) noteRequest(req *jsonrpc.Request) {
	m.stream = m.calls && (req.Method == wire.MethodListen || req.Method == wire.MethodStream)
	if taskMethods[req.Method] {
		m.task = new(string)
	}
	if req.IsCall() {
		m.due = []jsonrpc.ID{req.ID}
	} else if id, ok := wire.CancelledID(req); ok {
		m.givenUp = []jsonrpc.ID{id}
	}
}

// open serves a request without a session. The request may begin one.
func (p *endpoint) open(w *replyWriter, r *http.Request, m posted) {
	done, ok := p.sessions.start()
	if !ok {
		refuseBusy(w, http.StatusServiceUnavailable, "too many sessions")
		return
	}
	defer done()
	w.begun = func(id string) { p.sessions.add(id, userOf(r)) }
	p.exchange(w, r, p.stateful, "", m)
	if id := w.newSession(); id != "" && p.session(id) == nil {
		p.sessions.remove(id) // it did not begin
	}
}

// use serves a request of a session.
func (p *endpoint) use(w *replyWriter, r *http.Request, session string, serve func()) {
	done, ok := p.sessions.use(session, userOf(r))
	if !ok {
		writeFault(w, http.StatusNotFound, w.id,
			&wire.Fault{Code: codeNoSession, Text: "session not found; initialize a new one"})
		return
	}
	defer done()
	w.withholds = func(event []byte) bool { return p.events.withholds(session, event) }
	serve()
	if w.status == http.StatusNotFound {
		p.sessions.remove(session) // the SDK has ended it
	}
}

// answer serves a request of a session, unless the client cancels it meanwhile.
func (p *endpoint) answer(w *replyWriter, r *http.Request, session string, m posted) {
	p.events.cancel(session, m.givenUp)
	for _, call := range m.givenUp {
		p.exchanges.cancelCall(session, call)
	}
	answered := p.events.expect(session, m.due)
	p.exchange(w, r, p.stateful, session, m)
	if r.Context().Err() == nil { // otherwise the client may come back
		answered()
	}
}

// exchange passes a request to the SDK and returns when the response has ended. In a session the calls of the request
// may outlive the connection for a while.
func (p *endpoint) exchange(w *replyWriter, r *http.Request, serve http.Handler, session string, m posted) {
	if !m.calls {
		serve.ServeHTTP(w, r)
		return
	}
	w.keepAlive()
	e := p.exchanges.begin(r, session, m)
	if p.events.isCancelled(session, e.call) {
		e.cancel(errCancelled)
	}
	if m.stream {
		ctx, cancel := p.streamContext(r, e)
		defer cancel()
		r = r.WithContext(ctx)
	}
	defer func() { p.exchanges.leave(e, r.Context().Err() != nil) }()
	serve.ServeHTTP(w, r)
}

// listen serves a stream of a session.
func (p *endpoint) listen(w *replyWriter, r *http.Request) {
	session := r.Header.Get(sessionHeader)
	if session == "" || r.Header.Get(versionHeader) >= wire.VersionStateless {
		p.without(w, r)
		return
	}
	if p.stopping.Load() {
		refuseBusy(w, http.StatusServiceUnavailable, errStopping.Error())
		return
	}
	p.use(w, r, session, func() {
		if p.events.over(session, r.Header.Get(eventHeader)) {
			w.WriteHeader(http.StatusNoContent) // so the client does not come again
			return
		}
		w.keepAlive()
		e := p.exchanges.begin(r, session, posted{stream: true})
		defer p.exchanges.leave(e, false)
		ctx, cancel := p.streamContext(r, e)
		defer cancel()
		if r.Header.Get(eventHeader) != "" {
			defer p.exchanges.resume(session)()
		}
		p.stateful.ServeHTTP(w, r.WithContext(ctx))
	})
}

// without passes on a request about a session that names none, which the SDK refuses.
func (p *endpoint) without(w *replyWriter, r *http.Request) {
	if r.Header.Get(versionHeader) >= wire.VersionStateless {
		p.stateless.ServeHTTP(w, r)
		return
	}
	p.stateful.ServeHTTP(w, r)
}

// streamContext returns the context of a stream. It ends when the connection or the exchange ends, or when the user
// is not admitted any more.
func (p *endpoint) streamContext(r *http.Request, e *exchange) (context.Context, func()) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(e.ctx, cancel)
	if p.guard != nil {
		go p.guard.watch(ctx, cancel)
	}
	return ctx, func() { stop(); cancel() }
}

// delete ends a session and its calls, because the client asks for it.
func (p *endpoint) delete(w *replyWriter, r *http.Request) {
	session := r.Header.Get(sessionHeader)
	if session == "" || r.Header.Get(versionHeader) >= wire.VersionStateless {
		p.without(w, r)
		return
	}
	p.use(w, r, session, func() {
		p.sessions.remove(session)
		p.exchanges.cancelSession(session, errDeleted)
		p.stateful.ServeHTTP(w, r)
	})
}

var errDeleted = errors.New("the client has ended the session")
