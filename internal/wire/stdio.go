package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file defines the transport over a pair of byte streams. The SDK's own ends the session at
// the first malformed message and loses the replies that are pending at the end of the input.

// DefaultMaxMessage is how long a message may be unless a transport says otherwise.
const DefaultMaxMessage = 16 << 20

// maxOpen is how many requests may be unanswered before the transport stops reading. While a request of the server is
// unanswered the transport reads on, since its answer may come next.
const maxOpen = 1000

// MethodListen and MethodStream are the requests that stay open until they are cancelled.
const (
	MethodListen = "subscriptions/listen"
	MethodStream = "events/stream"
)

// StdioTransport is an [mcp.Transport] over a reader and a writer, such as the standard streams. It answers malformed
// messages with JSON-RPC errors and continues. When the input ends, it answers pending requests. It withholds replies
// to cancelled requests. It serves one connection.
type StdioTransport struct {
	In  io.Reader
	Out io.Writer
	// Framing of the input; Auto, the zero value, recognises it. Replies use the same.
	Framing Framing
	// MaxMessage bounds the bytes of one message; 0 means DefaultMaxMessage.
	MaxMessage int
	// Drain bounds the wait for pending requests after the input has ended. The time begins anew whenever one of them
	// is answered. When it is up the rest are cancelled and have as long again to stop. 0: as long as they need.
	Drain time.Duration
	// Hold reports whether requests cannot be answered yet: then that time does not begin. nil: they always can.
	Hold func() bool
	// Stop, when it is closed, ends the connection as the end of the input does: only messages that have been sent
	// already are read, and pending requests have the time of Drain. It may be nil.
	Stop <-chan struct{}
	// Log gets malformed messages. It may be nil.
	Log *slog.Logger
}

// Connect starts reading. The connection ends when ctx does, even while requests are
// pending. When In is an io.Closer the connection closes it at its end.
func (t *StdioTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	if t.In == nil || t.Out == nil {
		return nil, errors.New("a stdio transport needs both a reader and a writer")
	}
	in := &idleReader{in: t.In}
	c := &stdioConn{
		in: in, out: t.Out, log: cmp.Or(t.Log, slog.New(slog.DiscardHandler)), drain: t.Drain, hold: t.Hold,
		stopped: t.Stop, framing: t.Framing,
		frames: make(chan frame), wake: make(chan struct{}, 1), closed: make(chan struct{}),
		pending: map[jsonrpc.ID]*openRequest{}, asked: map[jsonrpc.ID]bool{},
	}
	c.stop = context.AfterFunc(ctx, func() { _ = c.Close() })
	go c.pump(newFrameReader(in, t.Framing, cmp.Or(max(t.MaxMessage, 0), DefaultMaxMessage)))
	return c, nil
}

// openRequest is a request of the client that has no reply yet.
type openRequest struct {
	method    string
	cancelled bool
	// givenUp says that the input ended too long ago.
	givenUp bool
	// batch is where the reply goes, nil when it stands alone.
	batch *replyBatch
}

// holds reports whether the end of the input waits for the reply.
func (r *openRequest) holds() bool { return r.method != MethodListen && r.method != MethodStream }

// replyBatch collects the replies to the messages of one array.
type replyBatch struct {
	waiting int
	replies []json.RawMessage
}

// idleReader is an input that knows whether all of it has been read.
type idleReader struct {
	in    io.Reader
	moves atomic.Int64 // odd while a read waits
}

// Read reads from the input.
func (r *idleReader) Read(p []byte) (int, error) {
	r.moves.Add(1)
	defer r.moves.Add(1)
	return r.in.Read(p)
}

// stdioConn is the connection of a StdioTransport.
type stdioConn struct {
	// fixed when it is made
	in     *idleReader
	out    io.Writer
	log    *slog.Logger
	drain  time.Duration
	hold   func() bool   // or nil
	frames chan frame    // closed when the input ends
	wake   chan struct{} // told when what Read waits for may have changed
	stop   func() bool

	closing sync.Once
	closed  chan struct{}

	// of Read alone
	stopped <-chan struct{}  // nil once it is closed
	settled <-chan time.Time // when to look whether all that had been sent is read, nil before it is closed
	moves   int64            // of the input when that was done last
	closes  time.Time        // when nothing more is read
	timeUp  <-chan time.Time // when Read gives up pending requests, nil before the input ends

	writing sync.Mutex // held during one Write to out

	mu      sync.Mutex // guards what follows
	framing Framing    // of replies
	version string     // negotiated by initialize, "" before
	pending map[jsonrpc.ID]*openRequest
	open    int                 // pending requests that hold, until their reply is written
	asked   map[jsonrpc.ID]bool // requests of the server without an answer
	queue   []jsonrpc.Message   // what Read returns next
	ended   bool                // the input has
	// endReason is why.
	endReason string
	// answered is when the input ended, or when a request was answered after that.
	answered time.Time
}

// SessionID is empty: a pair of streams has one session.
func (c *stdioConn) SessionID() string { return "" }

// Close ends the connection; a Read that waits returns. It may be called more than once.
func (c *stdioConn) Close() error {
	c.closing.Do(func() {
		close(c.closed)
		c.stop()
		if in, ok := c.in.in.(io.Closer); ok {
			_ = in.Close() // nothing can be done about a reader that does not close
		}
	})
	return nil
}

// pump moves frames from the input to Read, so that Read can wait for other things too.
func (c *stdioConn) pump(r *frameReader) {
	defer close(c.frames)
	for {
		f, err := r.next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				c.log.Debug("reading ended", "error", err)
			}
			return
		}
		select {
		case c.frames <- f:
		case <-c.closed:
			return
		}
	}
}

// Read returns the next well-formed message. It returns io.EOF when the input has ended
// and every request is answered, or when the connection is closed.
func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		msg, frames, done := c.upcoming()
		if msg != nil {
			return msg, nil
		}
		if done {
			return nil, io.EOF
		}
		select {
		case f, ok := <-frames:
			if ok {
				c.accept(f)
				continue
			}
			c.finish("the input has ended")
		case <-c.stopped:
			c.stopped, c.settled, c.closes = nil, time.After(settleTime), time.Now().Add(mostSettling)
		case <-c.settled:
			c.settle()
		case <-c.wake:
		case <-c.timeUp:
			wait := c.giveUp()
			if wait <= 0 {
				return nil, io.EOF
			}
			c.timeUp = time.After(wait)
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// A server that stops reads what clients have sent before. That is over when a read waits for settleTime, or after
// mostSettling, since a client may go on sending.
const (
	settleTime   = 25 * time.Millisecond
	mostSettling = time.Second
)

// settle ends the input once all that had been sent is read.
func (c *stdioConn) settle() {
	moves := c.in.moves.Load()
	if idle := moves&1 == 1 && moves == c.moves; idle || time.Now().After(c.closes) {
		c.settled = nil
		c.finish("the server is stopping")
		return
	}
	c.moves, c.settled = moves, time.After(settleTime)
}

// upcoming returns what Read has to do: return a message, wait for frames (nil when none should be taken now), or end.
func (c *stdioConn) upcoming() (msg jsonrpc.Message, frames <-chan frame, done bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) > 0 {
		msg, c.queue = c.queue[0], c.queue[1:]
		return msg, nil, false
	}
	if c.ended {
		return nil, nil, c.open == 0
	}
	if c.open >= maxOpen && len(c.asked) == 0 {
		return nil, nil, false
	}
	return nil, c.frames, false
}

func (c *stdioConn) notify() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// finish ends the input, for a reason: from now on pending requests have the time of drain. The server's requests can
// no longer be answered.
func (c *stdioConn) finish(reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	if c.drain > 0 {
		c.timeUp = time.After(c.drain)
	}
	c.ended, c.endReason, c.answered = true, reason, time.Now()
	for id := range c.asked {
		c.queue = append(c.queue, unansweredResponse(id, reason))
	}
	clear(c.asked)
}

// giveUp cancels the pending requests as the client would, unless one was answered less than drain ago. It returns
// how long to wait next, 0 if there is nothing left to cancel.
func (c *stdioConn) giveUp() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hold != nil && c.hold() {
		c.answered = time.Now()
	}
	if left := c.drain - time.Since(c.answered); left > 0 {
		return left
	}
	wait := time.Duration(0)
	for id, open := range c.pending {
		if !open.holds() || open.givenUp {
			continue
		}
		open.givenUp, wait = true, c.drain
		params, err := json.Marshal(map[string]any{"requestId": id.Raw(), "reason": c.endReason})
		if err == nil { // an id is a text or a number
			c.queue = append(c.queue, &jsonrpc.Request{Method: MethodCancelled, Params: params})
		}
	}
	return wait
}

// CodeEnded is the code of the answer to a request of the server that the client can no longer answer.
const CodeEnded = -32099

// unansweredResponse is that answer.
func unansweredResponse(id jsonrpc.ID, reason string) jsonrpc.Message {
	return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: CodeEnded, Message: reason}}
}

// accept queues the messages of a frame, and answers what is wrong with them.
func (c *stdioConn) accept(f frame) {
	flaw, id := f.fault, f.id
	if flaw == nil {
		if flaw = CheckText(f.body); flaw != nil {
			id = FindID(f.body)
		}
	}
	c.adoptFraming(f.framing, flaw == nil)
	switch {
	case flaw != nil:
		c.refuse(flaw, c.unusedID(id), nil)
	case f.body[0] == '[':
		c.acceptBatch(f.body)
	default:
		c.acceptMessage(f.body, nil)
	}
}

// adoptFraming makes replies use the client's framing. A malformed message decides only when nothing else did before.
func (c *stdioConn) adoptFraming(framing Framing, wellFormed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if framing != Auto && (wellFormed || c.framing == Auto) {
		c.framing = framing
	}
}

// acceptBatch queues the messages of an array. Only 2025-03-26 has batches: clients of later versions may not send
// them. As long as the version is not known they may.
func (c *stdioConn) acceptBatch(raw json.RawMessage) {
	c.mu.Lock()
	version := c.version
	c.mu.Unlock()
	if version >= "2025-06-18" {
		c.refuse(InvalidFault("protocol version %s has no batches", version), nil, nil)
		return
	}
	all, flaw := SplitBatch(raw)
	if flaw != nil {
		c.refuse(flaw, nil, nil)
		return
	}
	batch := &replyBatch{waiting: len(all)}
	for _, one := range all {
		c.acceptMessage(one, batch)
	}
}

// acceptMessage queues one message, or answers what is wrong with it.
func (c *stdioConn) acceptMessage(raw json.RawMessage, batch *replyBatch) {
	e, flaw := Open(raw)
	var msg jsonrpc.Message
	if flaw == nil {
		msg, flaw = e.Message()
	}
	switch {
	case flaw != nil && e.IsResponse():
		c.log.Warn("a malformed answer was ignored", "fault", flaw.Text)
		c.messageDone(batch, nil)
	case flaw != nil:
		c.refuse(flaw, c.unusedID(e.ID), batch)
	default:
		c.admit(msg, e.ID, batch)
	}
}

// admit queues a well-formed message. A request is noted as open; an answer or a cancellation ends one.
func (c *stdioConn) admit(msg jsonrpc.Message, rawID json.RawMessage, batch *replyBatch) {
	req, isRequest := msg.(*jsonrpc.Request)
	if isRequest && req.IsCall() && !c.register(req, batch) {
		c.refuse(InvalidFault("the id %s is that of a request without a reply yet", rawID), nil, batch)
		return
	}
	if !isRequest || !req.IsCall() {
		c.messageDone(batch, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if resp, ok := msg.(*jsonrpc.Response); ok {
		delete(c.asked, resp.ID)
	} else if id, ok := CancelledID(req); ok && c.pending[id] != nil {
		c.pending[id].cancelled = true
	}
	c.queue = append(c.queue, msg)
}

// register notes an open request; it returns false when its id is in use.
func (c *stdioConn) register(req *jsonrpc.Request, batch *replyBatch) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[req.ID] != nil {
		return false
	}
	open := &openRequest{method: req.Method, batch: batch}
	c.pending[req.ID] = open
	if open.holds() {
		c.open++
	}
	return true
}

// unusedID returns raw unless a request with this id waits for its reply, which an error
// for another message must not answer.
func (c *stdioConn) unusedID(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[requestID(raw)] != nil {
		return nil
	}
	return raw
}

// refuse answers a malformed message.
func (c *stdioConn) refuse(flaw *Fault, id json.RawMessage, batch *replyBatch) {
	c.log.Warn("a malformed message was refused", "fault", flaw.Text)
	reply := flaw.Reply(id)
	if batch != nil {
		c.messageDone(batch, reply)
	} else {
		_ = c.send(reply) // a failure has closed the connection
	}
}

// messageDone notes that one message of a batch is dealt with. reply is nil if the message has none. After the last
// message the replies of the batch are sent.
func (c *stdioConn) messageDone(batch *replyBatch, reply json.RawMessage) {
	if batch == nil {
		return
	}
	c.mu.Lock()
	batch.waiting--
	if reply != nil {
		batch.replies = append(batch.replies, reply)
	}
	complete := batch.waiting == 0 && len(batch.replies) > 0
	c.mu.Unlock()
	if complete {
		data, err := json.Marshal(batch.replies)
		if err != nil { // replies are encoded messages
			c.log.Error("a batch of replies was lost", "error", err)
			return
		}
		_ = c.send(data) // a failure has closed the connection
	}
}

// Write sends a message of the server, or drops it when it is the reply to a cancelled request.
func (c *stdioConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if resp, ok := msg.(*jsonrpc.Response); ok {
		return c.reply(resp)
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	req, _ := msg.(*jsonrpc.Request) // there is no third kind
	defer c.noteSent(req, c.noteAsked(req))
	return c.send(data)
}

// noteAsked notes what a request or notification of the server means for its open requests.
// It reports whether the client can still answer.
func (c *stdioConn) noteAsked(req *jsonrpc.Request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if req.IsCall() && !c.ended {
		c.asked[req.ID] = true
	} else if id, ok := CancelledID(req); ok {
		delete(c.asked, id)
	}
	return !c.ended
}

// noteSent answers a request of the server in place of a client that cannot.
func (c *stdioConn) noteSent(req *jsonrpc.Request, answerable bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if req.IsCall() && !answerable {
		c.queue = append(c.queue, unansweredResponse(req.ID, c.endReason))
	}
	c.notify()
}

func (c *stdioConn) reply(resp *jsonrpc.Response) error {
	c.mu.Lock()
	open := c.pending[resp.ID]
	delete(c.pending, resp.ID) // before the reply is out: then the client may use the id again
	c.mu.Unlock()
	if open == nil {
		c.log.Warn("a reply to no request was dropped", "id", resp.ID.Raw())
		return nil
	}
	defer c.release(open)
	if open.cancelled && open.holds() {
		c.messageDone(open.batch, nil)
		return nil
	}
	if open.givenUp && resp.Error != nil {
		resp = &jsonrpc.Response{ID: resp.ID, Error: InternalError("the request was given up, because %s", c.endReason)}
	}
	data, err := encodeReply(resp)
	if err != nil {
		return err
	}
	if open.method == "initialize" {
		c.noteVersion(resp.Result)
	}
	if open.batch != nil {
		c.messageDone(open.batch, data)
		return nil
	}
	return c.send(data)
}

// release ends what an answered request held back.
func (c *stdioConn) release(open *openRequest) {
	if !open.holds() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
	c.answered = time.Now()
	c.notify()
}

func (c *stdioConn) noteVersion(result json.RawMessage) {
	var r struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if json.Unmarshal(result, &r) == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.version = r.ProtocolVersion
	}
}

// encodeReply encodes a reply, with its error in plain words.
func encodeReply(resp *jsonrpc.Response) (json.RawMessage, error) {
	if resp.Error != nil {
		plain := *resp
		plain.Error = PlainError(resp.Error)
		resp = &plain
	}
	return jsonrpc.EncodeMessage(resp)
}

// send writes one message in the client's framing, in a single write.
func (c *stdioConn) send(data []byte) error {
	c.mu.Lock()
	framing := c.framing
	c.mu.Unlock()
	data = Restore(data)
	if framing == ContentLength {
		data = append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(data)), data...)
	} else {
		data = append(data, '\n')
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.out.Write(data); err != nil {
		_ = c.Close() // never fails
		return fmt.Errorf("writing a message: %w", err)
	}
	return nil
}
