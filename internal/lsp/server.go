// Package lsp is a language server for Prolog files: it tells editors what mcplogic knows about them.
//
// [Run] serves one editor over a stream, by the Language Server Protocol 3.17. What it knows comes from two sources.
// An index (index.go, workspace.go) has the predicates that each text defines and uses; it is made of the tokens and
// terms of the text alone, at once after each change, and a clause with an error is only missing itself. Loads
// (loads.go) give the diagnostics of mcplogic check, of the texts as the editor has them; they run beside the
// requests. A text that changes is loaded alone at once, its folder when nobody types.
//
// Requests are answered one after the other. One lock guards the documents; the index has a lock of its own.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"

	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// Options say how texts are loaded.
type Options struct {
	// Load are the options of loads. nil: the defaults.
	Load *kb.Options
	// Version is shown to the editor.
	Version string
	// Log takes what is wrong with the server itself. nil: it is dropped.
	Log io.Writer
}

// maxMessage is the size of the largest message. A document is sent as a whole when it is opened.
const maxMessage = 128 << 20

// ErrNoShutdown is returned when the editor ends the server without having asked it to shut down.
var ErrNoShutdown = errors.New("the editor has gone without a request shutdown")

// server serves one editor.
type server struct {
	o   Options
	ctx context.Context

	writing  sync.Mutex
	out      io.Writer
	indexing sync.Mutex // held while a large text is indexed

	// mu is held while a message is handled and while diagnostics are published. It guards what follows.
	mu             sync.Mutex
	began, stopped bool
	registers      bool // the editor takes registrations of watched files
	snippets       bool // the editor takes snippets in completions
	commands       bool // the editor has the commands of code lenses
	versioned      bool // the editor takes edits of versions
	roots          []string
	docs           map[string]*document // by path

	// fixed at creation
	space *workspace
	loads *loader
}

// Run serves an editor until its stream ends, it says exit, or the context is done.
func Run(ctx context.Context, in io.Reader, out io.Writer, o *Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{ctx: ctx, out: out, docs: map[string]*document{}, space: newWorkspace()}
	if o != nil {
		s.o = *o
	}
	s.loads = newLoader(s)
	defer s.loads.wait()
	defer cancel()
	messages := wire.NewMessages(in, wire.Auto, maxMessage)
	type one struct {
		body  []byte
		fault *wire.Fault
		err   error
	}
	next := make(chan one)
	go func() {
		for {
			body, fault, err := messages.Next()
			select {
			case next <- one{body, fault, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-next:
			switch {
			case errors.Is(m.err, io.EOF):
				return s.ended()
			case m.err != nil:
				return m.err
			case m.fault != nil:
				s.reply(nil, nil, &responseError{Code: m.fault.Code, Message: m.fault.Text})
			case s.message(m.body):
				return s.ended()
			}
		}
	}
}

// ended returns the result of Run when the editor has gone.
func (s *server) ended() error {
	if s.stopped || !s.began {
		return nil
	}
	return ErrNoShutdown
}

// message handles a message or a batch of them. It reports whether that ends the server.
func (s *server) message(body []byte) (ends bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var m incoming
	if err := json.Unmarshal(body, &m); err != nil {
		s.reply(nil, nil, &responseError{codeInvalidRequest, "invalid request: " + err.Error()})
		return false
	}
	switch {
	case m.Method == "exit":
		return true
	case m.Method == "" && len(m.Result)+len(m.Error) > 0: // the answer to a request of ours
	case m.Method == "":
		s.reply(m.ID, nil, &responseError{codeInvalidRequest, "invalid request: there is no method"})
	case m.ID == nil:
		s.notification(&m)
	default:
		result, err := s.request(&m)
		s.reply(m.ID, result, err)
	}
	return false
}

func (s *server) request(m *incoming) (result any, failed *responseError) {
	defer s.rescue(m.Method, &failed)
	switch {
	case m.Method == "initialize" && s.began:
		return nil, &responseError{codeInvalidRequest, "the server is initialized already"}
	case m.Method != "initialize" && !s.began:
		return nil, &responseError{codeNotInitialized, "the first request must be initialize"}
	case s.stopped:
		return nil, &responseError{codeInvalidRequest, "the server is shut down"}
	}
	handle, ok := requests[m.Method]
	if !ok {
		return nil, &responseError{codeMethodNotFound, "there is no method " + m.Method}
	}
	result, err := handle(s, m.Params)
	if err != nil {
		failed = &responseError{codeRequestFailed, err.Error()}
		if known := (*responseError)(nil); errors.As(err, &known) {
			failed = known
		}
		return nil, failed
	}
	return result, nil
}

// notification handles a notification. Its errors are dropped, as no response is due.
func (s *server) notification(m *incoming) {
	var failed *responseError
	defer s.rescue(m.Method, &failed)
	if !s.began || s.stopped {
		return
	}
	if handle, ok := notifications[m.Method]; ok {
		if _, err := handle(s, m.Params); err != nil {
			s.log("%s: %s", m.Method, err)
		}
	}
}

// rescue makes a crash in a handler an error of the request. The texts of an editor must not be lost for it.
func (s *server) rescue(method string, failed **responseError) {
	if r := recover(); r != nil {
		s.log("%s: %v\n%s", method, r, debug.Stack())
		*failed = &responseError{codeInternalError, fmt.Sprintf("internal error: %v", r)}
	}
}

func (s *server) log(format string, args ...any) {
	if s.o.Log != nil {
		fmt.Fprintf(s.o.Log, format+"\n", args...)
	}
}

func (s *server) reply(id json.RawMessage, result any, failed *responseError) {
	if id == nil {
		id = json.RawMessage("null")
	}
	m := response{Version: "2.0", ID: id, Error: failed}
	if failed == nil {
		data, err := json.Marshal(result)
		if err != nil {
			m.Error = &responseError{codeInternalError, err.Error()}
		} else {
			m.Result = data
		}
	}
	s.send(m)
}

// sendDiagnostics sends the diagnostics of a text.
func (s *server) sendDiagnostics(p publishParams) {
	s.send(outgoing{Version: "2.0", Method: "textDocument/publishDiagnostics", Params: p})
}

// send writes a message. An editor that has gone is noticed by the end of the input.
func (s *server) send(m any) {
	data, err := json.Marshal(m)
	if err != nil {
		s.log("%v", err)
		return
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := wire.WriteHeaded(s.out, data); err != nil {
		s.log("%v", err)
	}
}

// handler handles the parameters of a method.
type handler func(s *server, params json.RawMessage) (any, error)

// on returns the handler that reads parameters of a type.
func on[P any](f func(s *server, p *P) (any, error)) handler {
	return func(s *server, params json.RawMessage) (any, error) {
		p := new(P)
		if len(params) > 0 {
			if err := json.Unmarshal(params, p); err != nil {
				return nil, &responseError{codeInvalidParams, "invalid parameters: " + err.Error()}
			}
		}
		return f(s, p)
	}
}

// onText returns the handler of a method about a document, which has to be open.
func onText[P interface{ uri() string }](f func(s *server, d *document, p P) (any, error)) handler {
	return on(func(s *server, p *P) (any, error) {
		d, err := s.document((*p).uri())
		if err != nil {
			return nil, err
		}
		return f(s, d, *p)
	})
}

// The methods that the server has.
var (
	requests      map[string]handler
	notifications map[string]handler
)

func init() { // they refer to what refers to them
	requests = map[string]handler{
		"initialize":                        on((*server).initialize),
		"shutdown":                          on((*server).shutdown),
		"textDocument/completion":           onText((*server).completion),
		"textDocument/hover":                onText((*server).hover),
		"textDocument/inlayHint":            onText((*server).inlayHints),
		"textDocument/signatureHelp":        onText((*server).signatureHelp),
		"textDocument/definition":           onText((*server).definition),
		"textDocument/references":           onText((*server).references),
		"textDocument/documentHighlight":    onText((*server).highlight),
		"textDocument/documentSymbol":       onText((*server).documentSymbols),
		"workspace/symbol":                  on((*server).workspaceSymbols),
		"textDocument/prepareRename":        onText((*server).prepareRename),
		"textDocument/rename":               onText((*server).rename),
		"textDocument/codeAction":           onText((*server).codeActions),
		"textDocument/codeLens":             onText((*server).codeLenses),
		"textDocument/formatting":           onText((*server).formatting),
		"textDocument/rangeFormatting":      onText((*server).rangeFormatting),
		"textDocument/prepareCallHierarchy": onText((*server).prepareCallHierarchy),
		"callHierarchy/incomingCalls":       on((*server).incomingCalls),
		"callHierarchy/outgoingCalls":       on((*server).outgoingCalls),
		"workspace/willRenameFiles":         on((*server).willRenameFiles),
		"textDocument/foldingRange":         onText((*server).folding),
		"textDocument/semanticTokens/full":  onText((*server).semanticTokens),
		"mcplogic/tests":                    on((*server).tests),
	}
	notifications = map[string]handler{
		"initialized":                         on((*server).initialized),
		"textDocument/didOpen":                on((*server).didOpen),
		"textDocument/didChange":              onText((*server).didChange),
		"textDocument/didSave":                on((*server).didSave),
		"textDocument/didClose":               onText((*server).didClose),
		"workspace/didChangeWatchedFiles":     on((*server).didChangeFiles),
		"workspace/didChangeWorkspaceFolders": on((*server).didChangeFolders),
	}
}
