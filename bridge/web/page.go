package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/internal/webpage"
	"github.com/mcplogic/mcplogic/internal/whypage"
)

// This file defines the page at /, which shows a server to people, and the data for it.
//
// The page is static and contains nothing of the knowledge base. It calls tools like any client, so that Host, Origin
// and token are checked. Its other data can only be read.

// The paths of the page.
const (
	pagePath  = "/{$}"
	statePath = "/page/state"
	proofPath = "/page/why"
)

// addPage adds the page to the routes, unless other machines may call the server without a token.
func (h *Server) addPage(mux *http.ServeMux) {
	if h.opts.Status == nil || h.guard == nil && !h.gate.loopback {
		return
	}
	h.calls = &callBook{process: rand.Text()}
	h.server.AddReceivingMiddleware(h.calls.note)
	protected := func(handle http.HandlerFunc) http.Handler {
		if h.guard != nil {
			return h.gate.admit(h.guard.protect(handle))
		}
		return h.gate.admit(handle)
	}
	for name, view := range h.opts.Views {
		mux.Handle("GET /page/"+name, protected(func(w http.ResponseWriter, r *http.Request) { tell(w, view(r)) }))
	}
	for name, act := range h.opts.Actions {
		mux.Handle("POST /page/"+name, protected(h.action(act)))
	}
	mux.Handle("GET "+pagePath, h.gate.admit(staticPage(webpage.Page,
		webpage.Policy(webpage.Page, "'self'", "'self'", "'none'"))))
	mux.Handle("GET "+proofPath, h.gate.admit(staticPage(whypage.App,
		webpage.Policy(whypage.App, "'none'", "'none'", "'self'"))))
	mux.Handle("GET "+statePath, protected(h.state))
}

// PageURL returns the address of the page, "" if there is none.
func (h *Server) PageURL() string {
	if h.calls == nil {
		return ""
	}
	return h.baseURL() + "/"
}

// staticPage serves a page with a content security policy.
func staticPage(page, policy string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		header := w.Header()
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cache-Control", "no-cache")
		_, _ = w.Write([]byte(page))
	})
}

// state answers with the state of the server for the page.
func (h *Server) state(w http.ResponseWriter, r *http.Request) {
	status := h.opts.Status()
	user := ""
	if info := auth.TokenInfoFromContext(r.Context()); info != nil {
		user = info.UserID
	}
	_, edits := h.editor(r)
	people := map[string]string{}
	if edits {
		people = h.people()
	}
	tell(w, map[string]any{"people": people, "process": h.calls.process, "loaded": status.Loaded, "failed": status.Failed,
		"diagnostics": status.Diagnostics, "calls": h.calls.of(user), "edits": edits && len(h.opts.Actions) > 0,
		"token": h.editors != nil && !edits, "desk": h.opts.Desk, "records": h.opts.Records})
}

// Editor is a user who may edit. Owner says that the user has a token for it.
type Editor struct {
	User  string
	Owner bool
}

// editor returns the editor that a request comes from. ok is false if the request may not edit. Pages of other
// origins may never edit.
func (h *Server) editor(r *http.Request) (Editor, bool) {
	if origin := r.Header.Get("Origin"); origin != "" {
		if _, from, _ := strings.Cut(origin, "://"); !strings.EqualFold(from, r.Host) {
			return Editor{}, false
		}
	}
	if h.editors == nil {
		return Editor{}, h.guard == nil && h.gate.local(r)
	}
	token, ok := bearerToken(r)
	if !ok {
		return Editor{}, false
	}
	info, err := h.editors.verify(r.Context(), token)
	if err != nil {
		return Editor{}, false
	}
	return Editor{info.UserID, true}, true
}

// mostEdited bounds the text of an action.
const mostEdited = 64 << 20

// action serves an action of an editor. A form of a foreign page cannot send JSON, and the gate has checked the
// origin.
func (h *Server) action(act func(context.Context, Editor, json.RawMessage) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by, ok := h.editor(r)
		switch {
		case !ok:
			http.Error(w, "this needs a token of those who may edit", http.StatusForbidden)
			return
		case r.Header.Get("Content-Type") != "application/json":
			http.Error(w, "want application/json", http.StatusUnsupportedMediaType)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostEdited))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the action may take longer than the body
		value, err := act(r.Context(), by, body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		tell(w, value)
	}
}

// tell sends a value as JSON to the page.
func tell(w http.ResponseWriter, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(data)
}

// Status is the state of loading for the page.
type Status struct {
	// Loaded counts the successful loads.
	Loaded int
	// Failed says that the last load failed.
	Failed bool
	// Diagnostics are the diagnostics of the last load, as JSON.
	Diagnostics any
}

// callBook holds the last calls.
type callBook struct {
	process string // identifies the process
	mu      sync.Mutex
	count   int
	calls   []bookedCall
}

// bookedCall is a call in the form that the page shows.
type bookedCall struct {
	Number       int    `json:"number"`
	Tool         string `json:"tool"`
	Arguments    string `json:"arguments"`
	Result       string `json:"result"`
	Failed       bool   `json:"failed"`
	Milliseconds int64  `json:"milliseconds"`
	user         string
}

// The limits of callBook.
const (
	keptCalls     = 100
	shownCalls    = 20
	keptCallBytes = 2000
)

// note is a middleware that adds calls of tools to the book.
func (b *callBook) note(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, ok := req.(*mcp.CallToolRequest)
		if !ok || method != "tools/call" {
			return next(ctx, method, req)
		}
		began := time.Now()
		result, err := next(ctx, method, req)
		c := bookedCall{Tool: cutText(call.Params.Name), Arguments: cutText(string(call.Params.Arguments)),
			Milliseconds: time.Since(began).Milliseconds(), Failed: err != nil}
		if r, ok := result.(*mcp.CallToolResult); ok && r != nil && err == nil {
			c.Failed = r.IsError
			c.Result = resultText(r)
		} else if err != nil {
			c.Result = cutText(err.Error())
		}
		if call.Extra != nil && call.Extra.TokenInfo != nil {
			c.user = call.Extra.TokenInfo.UserID
		}
		number := b.add(c)
		if t, ok := result.(bridge.TaskResult); ok && err == nil {
			b.change(number, func(c *bookedCall) { c.Result = "task" })
			t.WhenOver(func(status string, r *mcp.CallToolResult) {
				b.change(number, func(c *bookedCall) { c.ended(status, r, time.Since(began)) })
			})
		}
		return result, err
	}
}

func resultText(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok && b.Len() < keptCallBytes {
			b.WriteString(cutText(t.Text))
			b.WriteByte('\n')
		}
	}
	return cutText(b.String())
}

func cutText(text string) string {
	if len(text) <= keptCallBytes {
		return text
	}
	return strings.ToValidUTF8(text[:keptCallBytes], "") + " …"
}

// ended notes the result of a call that was a task.
func (c *bookedCall) ended(status string, r *mcp.CallToolResult, took time.Duration) {
	c.Result, c.Failed, c.Milliseconds = "task "+status, r == nil || r.IsError, took.Milliseconds()
	if r != nil {
		c.Result = resultText(r)
	}
}

// change changes a call if it is still in the book.
func (b *callBook) change(number int, how func(c *bookedCall)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.calls {
		if b.calls[i].Number == number {
			how(&b.calls[i])
		}
	}
}

// add adds a call and returns its number.
func (b *callBook) add(c bookedCall) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	c.Number = b.count
	b.calls = append(b.calls, c)
	if len(b.calls) > keptCalls {
		b.calls = b.calls[1:]
	}
	return b.count
}

// of returns the last calls of a user, the newest first.
func (b *callBook) of(user string) []bookedCall {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := []bookedCall{}
	for i := len(b.calls) - 1; i >= 0 && len(list) < shownCalls; i-- {
		if b.calls[i].user == user {
			list = append(list, b.calls[i])
		}
	}
	return list
}
