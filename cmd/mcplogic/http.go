package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/bridge/web"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the flags of mcplogic serve for HTTP, and serving over it.

// httpFlags holds the flags that say how to serve over HTTP. They count only together with --http.
type httpFlags struct {
	// Where the endpoint is, and under which names.
	address, public string
	hosts, origins  []string
	callbacks       []string

	// Who may call: clients with a token of a file, or of an authorization server. Without tokens and issuer anybody
	// who reaches the address may call.
	tokens, editors  string // files
	issuer, audience string
	scopes           []string

	// Secrets, each a file. Without cert and key there is no TLS.
	cert, key, stateKey string

	// noPage leaves out the page at /.
	noPage bool
	paths  []string // of the knowledge base, for the page
	desk   pageDesk

	// Bounds. body is that of one request, in bytes. requests and rate are for each client, connections and sessions for
	// all clients together. rate is in requests a second, 0 for no limit.
	body                 settings.Size
	connections          int
	sessions, requests   int
	rate                 float64
	clientIdle, callIdle time.Duration
}

func (h *httpFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&h.address, "http", "", "serve over HTTP at this address; a port alone is one of this machine only")
	flags.StringVar(&h.public, "public-url", "", "URL of the endpoint as clients see it, when a proxy stands before it")
	flags.StringArrayVar(&h.hosts, "allow-host", nil,
		"further host name by which clients may call; * is any; may be repeated")
	flags.StringArrayVar(&h.origins, "allow-origin", nil,
		"origin of web pages that may call, such as https://app.example.org; * is any; may be repeated")
	flags.StringArrayVar(&h.callbacks, "allow-callback", nil,
		"where events may be posted: a URL stands for all below it, * for all public ones with https; may be repeated")
	flags.StringVar(&h.tokens, "token-file", "", "let in only clients with a bearer token of this file, one a line")
	flags.StringVar(&h.editors, "edit-token-file", "",
		"let only those edit at the page who have a bearer token of this file, one a line; they may read, too")
	flags.StringVar(&h.issuer, "oauth-issuer", "", "let in clients with an access token of this authorization server")
	flags.StringVar(&h.audience, "oauth-audience", "",
		"what access tokens must be issued for; default the URL of the endpoint")
	flags.StringArrayVar(&h.scopes, "oauth-scope", nil, "scope that access tokens must have; may be repeated")
	flags.StringVar(&h.stateKey, "state-key-file", "",
		"file with a secret by which servers, or one that restarts, go on with calls that wait for their client")
	flags.StringVar(&h.cert, "tls-cert", "", "file with the certificate for TLS, in PEM")
	flags.StringVar(&h.key, "tls-key", "", "file with the key of the certificate")
	flags.BoolVar(&h.noPage, "no-page", false, "no page at / for people with a browser")
	h.body = 4 << 20
	flags.Var(&h.body, "max-body", "largest request over HTTP")
	flags.IntVar(&h.connections, "max-connections", 4096, "most connections over HTTP at a time")
	flags.IntVar(&h.sessions, "max-sessions", 1000, "most sessions over HTTP at a time")
	flags.IntVar(&h.requests, "max-requests", 1000, "most open requests of one client at a time")
	flags.Float64Var(&h.rate, "rate", 0, "most requests a second of one client; 0: no limit")
	flags.DurationVar(&h.clientIdle, "client-idle", 5*time.Minute, "how long a session lives that is not used")
	flags.DurationVar(&h.callIdle, "call-idle", 30*time.Second, "how long a call goes on when its client has gone")
}

// check returns an error for flags that contradict each other or lack one that they need.
func (h *httpFlags) check(flags *pflag.FlagSet) error {
	if h.address == "" {
		return needHTTP(flags)
	}
	switch {
	case (h.cert == "") != (h.key == ""):
		return errors.New("--tls-cert and --tls-key belong together")
	case h.issuer == "" && (h.audience != "" || len(h.scopes) > 0):
		return errors.New("--oauth-audience and --oauth-scope need --oauth-issuer")
	}
	return nil
}

// needHTTP returns an error for a flag that is given without --http. Ignoring it would leave somebody believing that
// the server is protected.
func needHTTP(flags *pflag.FlagSet) error {
	if given := settings.FirstGiven(flags, (&httpFlags{}).add); given != "" {
		return fmt.Errorf("--%s needs --http", given)
	}
	return nil
}

// options returns what the flags say, for a server that listens at an address. OAuth is nil without an
// issuer, and then no access token is accepted.
func (h *httpFlags) options(address string) *web.Options {
	o := &web.Options{Address: address, PublicURL: h.public, AllowHosts: h.hosts, AllowOrigins: h.origins,
		TokenFile: h.tokens, EditTokenFile: h.editors, CertFile: h.cert, KeyFile: h.key,
		MaxBody: int64(h.body), MaxConnections: h.connections,
		MaxSessions: h.sessions, MaxRequests: h.requests, Rate: h.rate, ClientIdle: h.clientIdle, CallIdle: h.callIdle}
	if h.issuer != "" {
		o.OAuth = &web.OAuthOptions{Issuer: h.issuer, Audience: h.audience, Scopes: h.scopes}
	}
	return o
}

// shortestKey is the least number of bytes of a secret. Shorter ones could be guessed, and whoever has the
// secret can forge the state of a waiting call.
const shortestKey = 32

// readKey reads a secret from a file, without the white space around it. Without a file it returns nil, for
// which the bridge makes a secret that lives as long as the process.
func readKey(file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	key, err := os.ReadFile(file)
	if err == nil && len(bytes.TrimSpace(key)) < shortestKey {
		err = fmt.Errorf("%s: a key has at least %d bytes", file, shortestKey)
	}
	return bytes.TrimSpace(key), err
}

// listenAddress completes an address. A port alone, with or without a colon, means this machine only, so that a
// server is never reachable from outside by accident.
func listenAddress(text string) string {
	if !strings.Contains(text, ":") {
		text = ":" + text
	}
	if strings.HasPrefix(text, ":") {
		return "127.0.0.1" + text
	}
	return text
}

// serveHTTP serves a knowledge base over HTTP, which may still be loading, until the context ends. It listens before it
// prints, because port 0 stands for any port, and the listener alone knows which. When the context ends, running tasks
// are finished before it returns. All messages go to standard error.
func serveHTTP(cmd *cobra.Command, base *kb.Base, o *bridge.Options, h *httpFlags, watching *observers) error {
	var err error
	if o.StateKey, err = readKey(h.stateKey); err != nil {
		return err
	}
	if len(h.callbacks) > 0 {
		if o.Callbacks, err = bridge.NewCallbacks(h.callbacks); err != nil {
			return fmt.Errorf("--allow-callback: %w", err)
		}
	}
	l, err := net.Listen("tcp", listenAddress(h.address))
	var unknown *net.DNSError
	if errors.As(err, &unknown) || errors.As(err, new(*net.AddrError)) {
		return fmt.Errorf("--http %s: %w; want a port, as 8080, or a host and a port, as 0.0.0.0:8080", h.address, err)
	}
	if err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	server := bridge.NewServer(base.Snapshot(), o)
	defer server.Close()
	options := h.options(namedAddress(l, h.address))
	options.Grace, options.Log, options.Health = o.Grace, o.Log, server.Health
	loads := &loadStatus{}
	if watching.book != nil {
		options.Metrics = watching.book
	}
	if !h.noPage {
		options.Status = loads.status
		h.desk.base, h.desk.server, h.desk.paths = base, server, h.paths
		defer h.desk.end()
		options.Views, options.Actions = h.desk.views(), h.desk.actions()
		options.Desk, options.Records = server.HasDesk(), h.desk.record != ""
	}
	endpoint, err := web.NewServer(server.MCP(), options)
	if err != nil {
		_ = l.Close()
		return err
	}
	if o.Callbacks != nil {
		o.Callbacks.Revoked = endpoint.Revoked
	}
	opened := func() {
		if base.Opened(cmd.Context()) != nil {
			return
		}
		fmt.Fprintf(stderr, "Serving %s at %s\n", cli.Summary(base.Snapshot()), endpoint.URL())
		h.warn(stderr, l.Addr())
		if page := endpoint.PageURL(); page != "" {
			fmt.Fprintf(stderr, "To look at it in a browser: %s\n", page)
		}
		// The first load happened before there was anybody to follow it.
		loads.note(kb.Change{Diagnostics: base.Snapshot().Diagnostics})
	}
	if base.Snapshot() != nil {
		opened()
	} else {
		fmt.Fprintf(stderr, "Loading at %s\n", endpoint.URL())
		go opened()
	}
	defer server.Follow(cmd.Context(), base, func(c kb.Change) {
		loads.note(c)
		h.desk.loaded(cmd.Context())
		watching.reloaded(c)
		cli.TellReload(stderr, c)
	})()
	finished := make(chan struct{})
	defer context.AfterFunc(cmd.Context(), func() {
		server.FinishTasks()
		close(finished)
	})()
	err = endpoint.Serve(cmd.Context(), l)
	if cmd.Context().Err() != nil {
		<-finished
	}
	return err
}

// loadStatus holds the result of the last load, for the page. The goroutine that watches the files writes it, requests
// for the page read it.
type loadStatus struct {
	mu   sync.Mutex
	last web.Status
}

// note stores the result of a load. A load that failed is not counted: what was loaded before goes on serving.
func (l *loadStatus) note(c kb.Change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last.Failed, l.last.Diagnostics = c.Err != nil, c.Diagnostics
	if c.Err == nil {
		l.last.Loaded++
	}
}

// status returns a copy. Its diagnostics are shared and never changed.
func (l *loadStatus) status() web.Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// namedAddress returns the address of a listener with the host that the user named. The listener itself knows an IP
// address only, which certificates seldom name.
func namedAddress(l net.Listener, asked string) string {
	host, _, err := net.SplitHostPort(listenAddress(asked))
	if err != nil || host == "" {
		return l.Addr().String()
	}
	// The port is the listener's: the user may have asked for port 0, which stands for any.
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return l.Addr().String()
	}
	return net.JoinHostPort(host, port)
}

// warn prints what a server lacks that other machines can reach: tokens, or TLS. It serves all the same: a proxy in
// front may see to both.
func (h *httpFlags) warn(w io.Writer, address net.Addr) {
	if tcp, ok := address.(*net.TCPAddr); !ok || tcp.IP.IsLoopback() {
		return
	}
	if h.tokens == "" && h.issuer == "" {
		fmt.Fprintf(w, "mcplogic: warning: whoever reaches %s may call the tools; see --token-file and --oauth-issuer\n",
			address)
	}
	if h.cert == "" {
		fmt.Fprintf(w, "mcplogic: warning: what is sent to %s can be read on its way, tokens too; "+
			"see --tls-cert, or put a proxy with TLS before it\n", address)
	}
}
