package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file serves MCP over HTTP, with and without sessions at one address, and stops the server. It also defines the
// certificate of a server. It reads the files again when they change.

// Path is the path of the server's only endpoint for MCP.
const Path = "/mcp"

// Options configures a [Server]. nil stands for the zero value. The comment of each field says what its zero value
// means.
type Options struct {
	// Address is the address at which the server listens, as HOST:PORT. At a loopback address only clients of this
	// machine reach it. "": a loopback address.
	Address string
	// PublicURL is the URL of the endpoint for clients if it is not at Address, such as behind a proxy. "":
	// http://ADDRESS/mcp, or https.
	PublicURL string
	// AllowHosts holds further host names by which clients may call the server. "*" allows any.
	AllowHosts []string
	// AllowOrigins holds origins of web pages, such as https://app.example.org, whose scripts may call the server.
	// "*" allows any. Pages of the server's own origin always may.
	AllowOrigins []string

	// TokenFile names a file of bearer tokens, one a line. It is read again when it changes. "": no such tokens.
	TokenFile string
	// OAuth makes the server accept the access tokens of an authorization server. nil: none.
	OAuth *OAuthOptions
	// User returns the user of a request, for a program with its own authorization, such as a cookie or a value that
	// an earlier handler has put into the context. If it returns an error, the request is refused with that error. It
	// is called again while a stream is open. TokenFile and OAuth must not be set together with User. Without any of
	// the three everybody may call the server, without a user name.
	User func(r *http.Request) (user string, err error)
	// CertFile and KeyFile hold a certificate and its key for TLS, in PEM. They are read again when
	// they change. "": no TLS.
	CertFile, KeyFile string

	// MaxBody is the largest size of a request in bytes. 0: 4 MiB.
	MaxBody int64
	// MaxConnections is the largest number of connections. At the limit a new connection replaces the one that has
	// been idle longest. A quarter of the files that the process may open are always kept for other uses. 0: 4096.
	MaxConnections int
	// MaxSessions is the largest number of sessions. 0: 1000.
	MaxSessions int
	// MaxRequests is the largest number of open requests of one client, streams included. A client is a user, or
	// without authorization a network address. 0: 1000.
	MaxRequests int
	// Rate is the number of requests per second that one client may make on average. A burst may use the rate of ten
	// seconds. 0: no limit.
	Rate float64
	// ClientIdle is how long a session lives without a request or an open stream. 0: 5 minutes.
	ClientIdle time.Duration
	// CallIdle is how long a call in a session goes on after its connection has gone. The client may come back within
	// this time. 0: 30 s.
	CallIdle time.Duration

	// Health returns an error that /healthz reports. nil: none.
	Health func() error
	// Status returns the state of loading for the page at /. nil: there is no page. There is also no page if other
	// machines may call the server without a token.
	Status func() Status
	// Views holds further data for the page, which reads them as JSON at /page/NAME. They are the graph of calls,
	// decision tables, and the schema of the facts that may be assumed for a call of a tool, which the query of the
	// request names.
	Views map[string]func(r *http.Request) any
	// Actions holds the actions of editors on the page, by POST to /page/NAME with a JSON text.
	Actions map[string]func(ctx context.Context, by Editor, body json.RawMessage) (any, error)
	// Desk says that the rules can be edited, Records that calls are recorded.
	Desk, Records bool
	// EditTokenFile names a file with the bearer tokens of users who may use Actions. They may read, too. "":
	// everybody may, if only this machine reaches the server, there is no proxy and no tokens are needed. Otherwise
	// nobody may.
	EditTokenFile string
	// Metrics serves /metrics for clients that may call tools. nil: there are no metrics.
	Metrics http.Handler
	// Grace is how long running calls may go on after the server is stopped. 0: 5 s.
	Grace time.Duration
	// Log receives errors. nil: they are dropped.
	Log *slog.Logger
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	c.Address = cmp.Or(c.Address, "127.0.0.1:0")
	c.MaxBody = cmp.Or(c.MaxBody, 4<<20)
	c.MaxSessions = cmp.Or(c.MaxSessions, 1000)
	c.MaxRequests = cmp.Or(c.MaxRequests, 1000)
	c.ClientIdle = cmp.Or(c.ClientIdle, 5*time.Minute)
	c.CallIdle = cmp.Or(c.CallIdle, 30*time.Second)
	c.Grace = cmp.Or(c.Grace, 5*time.Second)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// endpoint returns the URL of the server for clients.
func (o *Options) endpoint() (*url.URL, error) {
	if o.PublicURL != "" {
		u, err := url.Parse(o.PublicURL)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.RawQuery != "" || u.Fragment != "" {
			return nil, fmt.Errorf("the public URL %q is none like https://kb.example.org%s", o.PublicURL, Path)
		}
		return u, nil
	}
	host, port, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("the address %q: %w", o.Address, err)
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		if o.OAuth != nil {
			return nil, fmt.Errorf("access tokens are for one URL, and %s is none; "+
				"say with a public URL where clients find the server", o.Address)
		}
		if host, err = os.Hostname(); err != nil {
			host = "localhost"
		}
	}
	u := &url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: Path}
	if o.CertFile != "" {
		u.Scheme = "https"
	}
	return u, nil
}

// delays holds the limits of time for a client.
type delays struct {
	header time.Duration // for the head of a request
	body   time.Duration // for the rest of a request
	write  time.Duration // for reading one piece of a response
	idle   time.Duration // between two requests on a connection
	// silence is the time without a message after which a stream sends a comment.
	silence time.Duration
}

var usualDelays = delays{header: 10 * time.Second, body: 30 * time.Second, write: 30 * time.Second,
	idle: 2 * time.Minute, silence: 25 * time.Second}

// maxHeader bounds the head of a request. Access tokens can be long.
const maxHeader = 64 << 10

// Server is an HTTP endpoint of a server of the SDK. Goroutines share it.
type Server struct {
	// fixed when it is made
	server   *mcp.Server
	opts     Options
	delays   delays
	url      *url.URL
	log      *slog.Logger
	gate     *gate
	guard    *guard     // nil: everybody is let in
	editors  *tokenFile // nil: no token lets edit
	sessions *sessionTable
	clients  *clientTable
	tls      *tls.Config // nil: no TLS
	handler  http.Handler
	calls    *callBook // nil: there is no page

	stopping  atomic.Bool
	exchanges *exchangeTable
	events    *eventStore
}

// NewServer makes the endpoint of a server. A server has at most one. o may be nil.
func NewServer(s *mcp.Server, o *Options) (*Server, error) {
	if s == nil {
		return nil, errors.New("the server is nil")
	}
	h := &Server{server: s, opts: o.withDefaults(), delays: usualDelays}
	h.log = h.opts.Log
	var err error
	if h.url, err = h.opts.endpoint(); err != nil {
		return nil, err
	}
	if h.gate, err = newGate(&h.opts, h.url); err != nil {
		return nil, err
	}
	if h.guard, err = newGuard(&h.opts, h.url, h.log); err != nil {
		return nil, err
	}
	if h.opts.EditTokenFile != "" {
		if h.editors, err = openTokenFile(h.opts.EditTokenFile, h.log); err != nil {
			return nil, err
		}
		if h.guard != nil {
			h.guard.verifiers = append(h.guard.verifiers, h.editors)
		}
	}
	if h.opts.CertFile != "" {
		c, err := openCertificate(h.opts.CertFile, h.opts.KeyFile, h.log)
		if err != nil {
			return nil, err
		}
		h.tls = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.current}
	}
	h.exchanges = newExchangeTable(h.opts.CallIdle)
	h.events = newEventStore()
	h.sessions = newSessionTable(h.opts.MaxSessions, h.opts.ClientIdle, h.endSession)
	h.clients = newClientTable(h.opts.MaxRequests, h.opts.Rate)
	s.AddReceivingMiddleware(h.exchanges.bind)
	h.handler = h.routes()
	return h, nil
}

// URL returns the URL of the endpoint for clients.
func (h *Server) URL() string { return h.url.String() }

// ServeHTTP answers one request.
func (h *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.handler.ServeHTTP(w, r) }

// routes returns the chain of handlers for a request.
func (h *Server) routes() http.Handler {
	p := h.endpoint()
	var messages http.Handler = p
	if h.guard != nil {
		messages = h.guard.protect(messages)
	}
	mux := http.NewServeMux()
	mux.Handle(Path, h.gate.admit(messages))
	mux.Handle(Path+"/{$}", h.gate.admit(messages)) // as clients write it that put addresses together
	mux.HandleFunc("GET /healthz", h.health)
	if h.guard != nil && h.guard.metadata != nil {
		metadata := h.gate.admit(h.guard.metadata)
		mux.Handle(metadataPath, metadata)
		mux.Handle(metadataPath+"/", metadata)
	}
	h.addAPI(mux, p)
	h.addPage(mux)
	if metrics := h.opts.Metrics; metrics != nil {
		if h.guard != nil {
			metrics = h.guard.protect(metrics)
		}
		mux.Handle("GET /metrics", h.gate.admit(metrics))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		controller := http.NewResponseController(w)
		// The connection may still have the deadline of the last response.
		_ = controller.SetWriteDeadline(time.Time{})
		if r.ContentLength != 0 {
			// The HTTP server reads the rest of a body before it sends a response. For a refused request that is all
			// of it. The endpoint removes the deadline after it has read the body.
			_ = controller.SetReadDeadline(time.Now().Add(h.delays.body))
		}
		if len(r.TransferEncoding) > 0 {
			// The HTTP server drops a Content-Length beside Transfer-Encoding. A proxy may have used it and be wrong
			// about the begin of the next request (RFC 9112, section 6.1).
			w.Header().Set("Connection", "close")
		}
		mux.ServeHTTP(w, r)
	})
}

// health says whether the server takes requests.
func (h *Server) health(w http.ResponseWriter, _ *http.Request) {
	if h.stopping.Load() {
		http.Error(w, "stopping", http.StatusServiceUnavailable)
		return
	}
	if h.opts.Health != nil {
		if err := h.opts.Health(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
	}
	_, _ = w.Write([]byte("ok\n"))
}

// endpoint is the handler of MCP messages.
func (h *Server) endpoint() *endpoint {
	get := func(*http.Request) *mcp.Server { return h.server }
	// The gate checks the hosts. It knows more of them than the SDK.
	return &endpoint{
		Server: h,
		stateful: mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
			Logger: h.log, EventStore: h.events, MaxRequestBodyBytes: h.opts.MaxBody, DisableLocalhostProtection: true}),
		stateless: mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
			Logger: h.log, Stateless: true, MaxRequestBodyBytes: h.opts.MaxBody, DisableLocalhostProtection: true,
			PropagateRequestCancellation: true}),
	}
}

// session returns the session of the SDK with an id, or nil.
func (h *Server) session(id string) *mcp.ServerSession {
	for session := range h.server.Sessions() {
		if session.ID() == id {
			return session
		}
	}
	return nil
}

// endSession closes a session of the SDK and cancels its calls.
func (h *Server) endSession(id string, why error) {
	h.exchanges.cancelSession(id, why)
	if session := h.session(id); session != nil {
		_ = session.Close() // waits for the calls that were cancelled
	}
}

var errStopping = errors.New("the server is stopping")

// Serve answers the requests of a listener until ctx ends. Then it ends streams, and cancels calls that still run
// after Options.Grace.
func (h *Server) Serve(ctx context.Context, l net.Listener) error {
	switch {
	case ctx == nil:
		return errors.New("the context is nil")
	case l == nil:
		return errors.New("the listener is nil")
	}
	bounded := newBoundedListener(l, connectionBound(h.opts.MaxConnections))
	server := &http.Server{
		Handler: h, ConnState: bounded.note, ReadHeaderTimeout: h.delays.header, IdleTimeout: h.delays.idle,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       slog.NewLogLogger(h.log.Handler(), slog.LevelDebug),
		TLSConfig:      h.tls,
	}
	served := make(chan error, 1)
	go func() {
		if h.tls != nil {
			served <- server.ServeTLS(bounded, "", "")
			return
		}
		served <- server.Serve(bounded)
	}()
	select {
	case err := <-served:
		h.stop(server)
		return err
	case <-ctx.Done():
		h.stop(server)
		<-served
		return nil
	}
}

// lastAnswers is the limit of time for the answers of cancelled calls. Calls stop within milliseconds. The server
// does not wait longer than a second for others.
const lastAnswers = 2 * time.Second

// stop ends serving.
func (h *Server) stop(server *http.Server) {
	h.stopping.Store(true)
	h.exchanges.cancelStreams(errStopping)
	grace := h.opts.Grace
	timer := time.AfterFunc(grace, func() { h.exchanges.cancelAll(errStopping) })
	defer timer.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), grace+lastAnswers)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		_ = server.Close()
	}
	h.exchanges.cancelAll(errStopping)
	h.sessions.endAll(errStopping)
}

// certificate holds the certificate that was read last.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	pair    *tls.Certificate
	changed time.Time // the time of the file when it was read
}

func openCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log}
	return c, c.load()
}

func (c *certificate) load() error {
	info, err := os.Stat(c.certFile)
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return err
	}
	c.pair, c.changed = &pair, info.ModTime()
	return nil
}

// current returns the certificate in the files. If it cannot be read, it returns the last valid one.
func (c *certificate) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if info, err := os.Stat(c.certFile); err != nil || !info.ModTime().Equal(c.changed) {
		if err := c.load(); err != nil {
			c.log.Error("the certificate was not renewed", "reason", err)
		}
	}
	return c.pair, nil
}
