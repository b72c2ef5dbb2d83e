package web

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file writes responses. It limits their time, keeps silent ones alive, and writes errors as JSON-RPC.

// codeNoSession is the JSON-RPC error code for an unknown session. Other servers use it too.
const codeNoSession = -32001

// replyWriter is an [http.ResponseWriter] for the SDK. Only it writes to the connection. The caller calls finish at
// the end.
type replyWriter struct {
	// fixed before the SDK writes
	out        http.ResponseWriter
	controller *http.ResponseController
	delays     delays
	// header is the header of the SDK. It is copied when the response begins.
	header http.Header
	// id is the id of the message that is answered, nil if it has none.
	id json.RawMessage
	// calls says that the message needs an answer.
	calls bool
	// withholds reports whether an event must not be sent. It may be nil.
	withholds func(event []byte) bool
	// begun is called with the id of a session that the response begins. It may be nil.
	begun func(id string)
	// alone says that the client accepts no events. It gets only the answer.
	alone bool

	mu    sync.Mutex // guards the following fields and out
	wrote bool
	// session is the id of the session that the response begins, "" if it begins none.
	session string
	// status is the status of an error whose text is held back, 0 if there is none.
	status int
	text   bytes.Buffer
	// streamed says that keepAlive has begun the response, as a stream of events.
	streamed bool
	silent   *time.Timer // sends the next comment; nil if no comments are sent
}

func newReplyWriter(w http.ResponseWriter, d delays) *replyWriter {
	return &replyWriter{out: w, controller: http.NewResponseController(w), delays: d, header: http.Header{}}
}

// Header returns the header of the response. Changes have an effect until the response begins.
func (w *replyWriter) Header() http.Header { return w.header }

// WriteHeader begins the response. The text of an error waits for finish.
func (w *replyWriter) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(status)
}

func (w *replyWriter) begin(status int) {
	if w.wrote {
		return
	}
	w.wrote = true
	if status >= 400 && strings.HasPrefix(w.header.Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	if w.session = w.header.Get(sessionHeader); w.session != "" && w.begun != nil {
		w.begun(w.session)
	}
	if w.alone && w.header.Get("Content-Type") == typeEvents {
		w.header.Set("Content-Type", "application/json")
	}
	w.copyHeader()
	w.out.WriteHeader(status)
}

const typeEvents = "text/event-stream"

// copyHeader copies the SDK's header to the response. It leaves out Connection if the server has set it.
func (w *replyWriter) copyHeader() {
	if w.out.Header().Get("Connection") != "" {
		w.header.Del("Connection")
	}
	maps.Copy(w.out.Header(), w.header)
	if w.header.Get("Content-Type") == typeEvents {
		w.out.Header().Set(unbuffered, "no")
	}
}

// unbuffered is a header for proxies such as nginx. With it they pass on each event at once. Otherwise they would
// wait for more events, and a question would not reach its client.
const unbuffered = "X-Accel-Buffering"

// newSession returns the session that the response has begun, or "".
func (w *replyWriter) newSession() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.session
}

// replyError finds the error in a reply of the SDK, which is a JSON text or an event.
var replyError = lazyregexp.New(`^(?:event: message\n(?:id: [^\n]*\n)?data: )?` +
	`\{"jsonrpc":"2\.0","id":(?:null|-?[0-9]+|"(?:[^"\\]|\\.)*"),"error":(\{)`)

// plainReply returns a reply of the SDK, with its error, if any, in plain words.
func plainReply(data []byte) []byte {
	at := replyError().FindSubmatchIndex(data)
	if at == nil {
		return data
	}
	d := json.NewDecoder(bytes.NewReader(data[at[2]:]))
	var told jsonrpc.Error
	if d.Decode(&told) != nil {
		return data
	}
	plain, err := json.Marshal(wire.PlainError(&told))
	if err != nil { // it was decoded from JSON
		return data
	}
	return slices.Concat(data[:at[2]], plain, data[at[2]+int(d.InputOffset()):])
}

// Write sends a piece.
func (w *replyWriter) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK)
	if w.status != 0 {
		return w.text.Write(data)
	}
	if w.withholds != nil && w.withholds(data) {
		return len(data), nil
	}
	piece := wire.Restore(plainReply(data))
	if w.alone && bytes.HasPrefix(piece, []byte("event: ")) {
		if piece = w.answerIn(piece); piece == nil {
			return len(data), nil
		}
	}
	if w.streamed && bytes.HasPrefix(piece, []byte("{")) {
		// an error that should be the whole response comes too late to set the status
		piece = slices.Concat([]byte("event: message\ndata: "), piece, []byte("\n\n"))
	}
	if err := w.send(piece); err != nil {
		return 0, err
	}
	return len(data), nil
}

// answerIn returns the message of an event if it is the answer to the request, or else nil.
func (w *replyWriter) answerIn(event []byte) []byte {
	_, message, ok := bytes.Cut(event, []byte("data: "))
	if !ok {
		return nil
	}
	if e, flaw := wire.Open(bytes.TrimSpace(message)); flaw != nil || !e.IsResponse() {
		return nil
	}
	return bytes.TrimSpace(message)
}

// send writes a piece to the connection. A client that does not read it in time loses the connection, because it
// would block all else in its session.
func (w *replyWriter) send(piece []byte) error {
	w.limit()
	defer w.unlimit()
	_, err := w.out.Write(piece)
	if w.silent != nil {
		w.silent.Reset(w.delays.silence)
	}
	return err
}

// FlushError sends what has been written.
func (w *replyWriter) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK)
	if w.status != 0 {
		return nil
	}
	w.limit()
	defer w.unlimit()
	return w.controller.Flush()
}

// limit and unlimit limit the time of the writes between them. Errors are ignored: in tests some writers have no
// deadlines.
func (w *replyWriter) limit()   { _ = w.controller.SetWriteDeadline(time.Now().Add(w.delays.write)) }
func (w *replyWriter) unlimit() { _ = w.controller.SetWriteDeadline(time.Time{}) }

// keepAlive sends comments while the SDK sends nothing. Otherwise proxies and clients close silent connections, for
// example while a user thinks about a question.
func (w *replyWriter) keepAlive() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.alone {
		return
	}
	w.silent = time.AfterFunc(w.delays.silence, w.comment)
}

func (w *replyWriter) comment() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.silent == nil || w.status != 0 {
		return
	}
	if !w.wrote {
		w.wrote, w.streamed = true, true
		w.out.Header().Set("Content-Type", typeEvents)
		w.out.Header().Set(unbuffered, "no")
		w.out.Header().Set("Cache-Control", "no-cache, no-transform")
		w.out.WriteHeader(http.StatusOK)
	}
	if w.send([]byte(": still here\n\n")) == nil {
		w.limit()
		defer w.unlimit()
		_ = w.controller.Flush() // the reading side notices a broken connection
	}
}

// finish sends an error that was held back as JSON-RPC. It also limits the time for the rest that the server sends.
func (w *replyWriter) finish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.silent != nil {
		w.silent.Stop()
		w.silent = nil
	}
	w.limit()
	switch {
	case w.status != 0:
		w.refuseHeld()
	case !w.wrote:
		w.copyHeader()
	}
}

// refuseHeld sends the error that the SDK has written as plain text.
func (w *replyWriter) refuseHeld() {
	for _, name := range []string{"Content-Type", "X-Content-Type-Options"} {
		w.header.Del(name)
	}
	w.copyHeader()
	text := strings.TrimPrefix(strings.TrimSpace(w.text.String()), http.StatusText(w.status)+": ")
	unknown := w.status == http.StatusBadRequest && strings.HasSuffix(text, " unsupported")
	switch {
	case unknown && w.calls: // the request is well-formed, but its method does not exist
		writeFault(w.out, http.StatusOK, w.id, &wire.Fault{Code: jsonrpc.CodeMethodNotFound, Text: text})
	case unknown:
		w.out.WriteHeader(http.StatusAccepted) // and ignored
	default:
		writeFault(w.out, w.status, w.id, wire.InvalidFault("%s", text))
	}
}
