package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines serving over a pair of byte streams.

// Predicates returns the predicates that let goals talk to the client; give them to kb.Options. A program needs them to
// be served. A goal without a client may call them too; its messages are dropped.
func Predicates() []engine.Predicate { return calls.Predicates() }

// Serve serves a knowledge base to one client over a reader and a writer until the input or ctx ends. Then running
// calls have the Grace of the options to finish before they are cancelled. Serve reloads changed files. If reloaded is
// not nil, it is called with the result of each reload. Only protocol messages are written to out. The base may still
// be loading.
func Serve(ctx context.Context, base *kb.Base, in io.Reader, out io.Writer, o *Options,
	reloaded func(kb.Change)) error {
	switch {
	case ctx == nil:
		return errNoContext
	case base == nil:
		return errors.New("the knowledge base is nil")
	}
	s := NewServer(base.Snapshot(), o)
	defer s.Close()
	defer s.Follow(ctx, base, reloaded)()
	transport := &wire.StdioTransport{In: in, Out: out, Framing: s.opts.Framing, Drain: s.opts.Grace, Hold: s.isLoading,
		Stop: ctx.Done(), Log: s.opts.Log}
	session, err := s.mcp.Connect(context.WithoutCancel(ctx), transport, nil)
	if err != nil {
		return err
	}
	err = session.Wait()
	s.FinishTasks()
	if ctx.Err() != nil || clientGone(err) {
		return nil
	}
	return err
}

// errNoContext is the error of a context that is nil.
var errNoContext = errors.New("the context is nil")

// followed is the base that a server follows, and the function that is called after each reload.
type followed struct {
	base     *kb.Base
	reloaded func(kb.Change)
}

// Follow offers the result of each load, until ctx ends or end is called. end waits for a running reload, but no longer
// than the Grace of the options. If reloaded is not nil, it is called after each reload. If the first load fails, all
// requests are refused. A nil base is never followed. A nil context panics.
func (s *Server) Follow(ctx context.Context, base *kb.Base, reloaded func(kb.Change)) (end func()) {
	if base == nil {
		return func() {}
	}
	if reloaded == nil {
		reloaded = func(kb.Change) {}
	}
	s.followed.Store(&followed{base, reloaded})
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := base.Opened(ctx); err != nil {
			s.refuseAll(err)
			return
		}
		if s.isLoading() {
			s.Sync(base.Snapshot())
		}
		looked := make(chan struct{})
		go func() {
			defer close(looked)
			s.events.Run(ctx)
		}()
		defer func() { <-looked }()
		base.Watch(ctx, func(c kb.Change) {
			s.Reloaded(ctx, c)
			reloaded(c)
		})
	}()
	return func() {
		stop()
		select {
		case <-done:
		case <-time.After(s.opts.Grace):
			s.opts.Log.Error("a load of the knowledge base was given up that did not stop")
		}
	}
}

// isLoading reports whether the first load is not over.
func (s *Server) isLoading() bool {
	select {
	case <-s.loaded:
		return false
	default:
		return true
	}
}

// refuseAll refuses all requests, because the first load has failed.
func (s *Server) refuseAll(why error) {
	s.once.Do(func() {
		s.failed = wire.InternalError("the knowledge base was not loaded: %s", why)
		close(s.loaded)
	})
}

// awaitLoad is a middleware that keeps requests waiting until the first load is over, apart from those by which a
// session begins and shows that it lives. Clients give these a few seconds, and a load may take minutes.
func (s *Server) awaitLoad(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		begins := slices.Contains([]string{"initialize", "server/discover", "ping", "logging/setLevel", wire.MethodListen},
			method) || strings.HasPrefix(method, "notifications/")
		if s.isLoading() && begins {
			return next(ctx, method, req)
		}
		if err := s.Loaded(ctx); err != nil {
			return nil, err
		}
		return next(ctx, method, req)
	}
}

// Loaded waits until the first load is over. The error says that it has failed, or that ctx has ended.
func (s *Server) Loaded(ctx context.Context) error {
	if ctx == nil {
		return errNoContext
	}
	select {
	case <-s.loaded:
		return s.failed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// clientGone reports whether an error means that the client no longer reads the output.
func clientGone(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed)
}

// Reloaded offers the result of a reload. If the reload has failed, clients that listen to the log get the errors.
func (s *Server) Reloaded(ctx context.Context, c kb.Change) {
	if c.Err == nil {
		s.offerNewest(c.Snapshot)
		s.subscribed.announceAll(ctx)
		return
	}
	const most = 100
	first, more := c.Diagnostics.First(most)
	content := map[string]any{
		"message":     "the knowledge base was saved with errors; the last good version goes on serving",
		"diagnostics": first,
	}
	if more > 0 {
		content["more"] = more
	}
	data, err := json.Marshal(content)
	if err == nil { // diagnostics are texts and numbers
		s.tellSessions(ctx, data)
	}
}

// offerNewest offers the snapshot that the server's files have now, or the given one if it follows none. Two concurrent
// reloads therefore leave the newer snapshot on offer, whichever comes last.
func (s *Server) offerNewest(snapshot *kb.Snapshot) {
	s.offer(func() *kb.Snapshot {
		if f := s.followed.Load(); f != nil {
			return f.base.Snapshot()
		}
		return snapshot
	})
}

// Reload serves the files as they are, if the server follows them.
func (h asHost) Reload(ctx context.Context) error {
	f := h.s.followed.Load()
	if f == nil {
		return errors.New("the server does not follow its files")
	}
	if c, changed := f.base.ReloadChanged(ctx); changed {
		h.s.Reloaded(ctx, c)
		f.reloaded(c)
		return c.Err
	}
	h.s.offerNewest(nil) // the watch may have loaded the files and not offered them yet
	return nil
}

// tellSessions sends a log message to every client that wants to hear errors.
func (s *Server) tellSessions(ctx context.Context, data json.RawMessage) {
	for session := range s.mcp.Sessions() {
		_ = session.Log(ctx, &mcp.LoggingMessageParams{Level: "error", Logger: "reload", Data: data}) // it may have gone
	}
}

// MetaCode is the member of _meta that has the code of a result that is an error.
const MetaCode = refusal.MetaCode

// MetaSequence is the member of _meta that names a change of the store: in a result the last change that the call may
// have seen, in a request a change that the call has to see.
const MetaSequence = calls.MetaSequence

// PrintContent prints content items for people, each on lines of its own. Data is named, not printed.
func PrintContent(w io.Writer, items []mcp.Content) { content.Print(w, items) }
