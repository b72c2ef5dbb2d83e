package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/tools/pgtest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// counterRules count, with a conflict between any two calls, and keep which calls there were.
const counterRules = `:- persistent([called/1, count/2], [key([1])]).
tools([bump/2, add/1, total/1, calls/1]).
:- mode(bump(+integer, -integer), one).
:- info(bump/2, [comment is 'Counts a call.', argnames is [call, n]]).
bump(Call, N) :- ( retract(count(all, M)) -> true ; M = 0 ), N is M+1, assertz(count(all, N)), assertz(called(Call-N)).
:- mode(add(+integer), one).
:- info(add/1, [comment is 'Keeps a call.', argnames is [call]]).
add(Call) :- assertz(called(Call)).
:- mode(total(-integer), one).
:- info(total/1, [comment is 'The count.', argnames is [n]]).
total(N) :- ( count(all, N) -> true ; N = 0 ).
:- mode(calls(-list(term)), one).
:- info(calls/1, [comment is 'All calls, in their order.', argnames is [calls]]).
calls(Cs) :- findall(C, called(C), Cs).
`

// relay passes bytes between servers and a database, as long as nobody cuts it.
type relay struct {
	net.Listener
	target string

	mu    sync.Mutex
	conns map[net.Conn]bool
	still chan struct{} // closed while bytes pass
}

func startRelay(t *testing.T, target string) *relay {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &relay{Listener: l, target: target, conns: map[net.Conn]bool{}, still: make(chan struct{})}
	close(r.still)
	t.Cleanup(func() { l.Close(); r.drop() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go r.pass(c)
		}
	}()
	return r
}

func (r *relay) pass(from net.Conn) {
	to, err := net.Dial("tcp", r.target)
	if err != nil {
		from.Close()
		return
	}
	r.mu.Lock()
	r.conns[from], r.conns[to] = true, true
	r.mu.Unlock()
	for _, pair := range [][2]net.Conn{{from, to}, {to, from}} {
		go func() {
			data := make([]byte, 1<<14)
			for {
				n, err := pair[0].Read(data)
				r.mu.Lock()
				still := r.still
				r.mu.Unlock()
				<-still
				if n > 0 {
					_, _ = pair[1].Write(data[:n])
				}
				if err != nil {
					break
				}
			}
			pair[0].Close()
			pair[1].Close()
		}()
	}
}

// drop closes all connections.
func (r *relay) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		c.Close()
	}
	clear(r.conns)
}

// hold keeps all bytes back for a time. They arrive late.
func (r *relay) hold(d time.Duration) {
	still := make(chan struct{})
	r.mu.Lock()
	r.still = still
	r.mu.Unlock()
	time.Sleep(d)
	close(still)
}

// counterServer is a server that is started again when it has been killed.
type counterServer struct {
	*testing.T
	args []string

	mu      sync.Mutex
	session *mcp.ClientSession
	process *os.Process
	stderr  *lockedBuilder
}

type lockedBuilder struct {
	sync.Mutex
	strings.Builder
}

func (b *lockedBuilder) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Builder.Write(p)
}

// connected returns a session with the server, which is started if it does not run. nil: it could not be.
func (s *counterServer) connected() *mcp.ClientSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		return s.session
	}
	cmd := exec.CommandContext(s.Context(), os.Args[0])
	cmd.Args, cmd.Stderr = append([]string{"mcplogic", "serve"}, s.args...), s.stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(s.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil
	}
	s.session, s.process = session, cmd.Process
	return session
}

// kill ends the server as a crash does.
func (s *counterServer) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		_ = s.process.Kill()
		_ = s.session.Close()
		s.session = nil
	}
}

// call calls a tool. An error says nothing of what has been stored.
func (s *counterServer) call(tool string, args map[string]any, seen *string) (map[string]any, error) {
	session := s.connected()
	if session == nil {
		return nil, io.ErrUnexpectedEOF
	}
	ctx, cancel := context.WithTimeout(s.Context(), wiretest.Patience)
	defer cancel()
	p := &mcp.CallToolParams{Name: tool, Arguments: args}
	if seen != nil && *seen != "" {
		p.Meta = mcp.Meta{bridge.MetaSequence: *seen}
	}
	r, err := session.CallTool(ctx, p)
	if err != nil {
		s.mu.Lock()
		if s.session == session && ctx.Err() == nil {
			s.session = nil
		}
		s.mu.Unlock()
		return nil, err
	}
	if r.IsError {
		return nil, fmt.Errorf("%s", r.Content[0].(*mcp.TextContent).Text)
	}
	if name, ok := r.Meta[bridge.MetaSequence].(string); ok && seen != nil {
		*seen = name
	}
	structured, _ := r.StructuredContent.(map[string]any)
	return structured, nil
}

// operation is a call of the counter that was answered.
type operation struct {
	from, to time.Duration
	n        int  // what it has answered
	reads    bool // it has not changed the counter
	client   int
}

// requireLinear fails unless the answers are those that a counter could have given when each call takes effect at one
// moment between its beginning and its end. Reads answer from an older state; those of one client never go back, nor
// behind its own changes. Calls without an answer may have counted or not.
func requireLinear(t *testing.T, history []operation) {
	t.Helper()
	slices.SortFunc(history, func(a, b operation) int { return cmp.Compare(a.n, b.n) })
	var before time.Duration // no change with a smaller number began later
	for i, o := range history {
		if o.reads {
			continue
		}
		for _, other := range history[:i] {
			require.False(t, !other.reads && other.n == o.n, "two calls were answered %d", o.n)
		}
		before = max(before, o.from)
		require.LessOrEqual(t, before, o.to, "%d was answered before a call began that was answered less", o.n)
	}
	slices.SortStableFunc(history, func(a, b operation) int { return cmp.Compare(a.from, b.from) })
	seen := map[int]int{}
	for _, o := range history {
		require.GreaterOrEqual(t, o.n, seen[o.client], "client %d has seen a newer state", o.client)
		seen[o.client] = o.n
	}
}

// TestReplicasSurvive kills servers and their database and cuts the connections between them, with many calls under way
// that conflict. Each call that was answered is there, once. The log and all servers come to the same facts.
func TestReplicasSurvive(t *testing.T) {
	pg := pgtest.Start(t)
	calls, servers := callsOf(t, 200, 600), 3
	host := strings.Split(strings.TrimPrefix(pg.Address, "postgres://postgres@"), "/")[0]
	rules := filepath.Join(t.TempDir(), "counter.pl")
	require.NoError(t, os.WriteFile(rules, []byte(counterRules), 0o666))
	var all []*counterServer
	var relays []*relay
	for i := range servers {
		r := startRelay(t, host)
		address := strings.Replace(pg.Address, host, r.Addr().String(), 1)
		if i == 1 {
			address += "?listen=off&poll=50ms"
		}
		relays = append(relays, r)
		s := &counterServer{T: t, stderr: &lockedBuilder{}, args: []string{"--store", address, rules}}
		t.Cleanup(s.kill)
		all = append(all, s)
	}
	for _, s := range all {
		require.NotNil(t, s.connected(), s.stderr)
	}

	var mu sync.Mutex
	var history []operation
	added, answered := map[int]bool{}, atomic.Int64{}
	began := time.Now()
	ended := make(chan struct{})
	var clients sync.WaitGroup
	for client := range 2 * servers {
		clients.Go(func() {
			seen := ""
			for i := 0; answered.Load() < int64(calls); i++ {
				s := all[(client+i/7)%servers] // a client goes from one server to the next
				id := client*1_000_000 + i
				from := time.Since(began)
				var err error
				var got map[string]any
				switch i % 4 {
				case 0, 1:
					got, err = s.call("bump", map[string]any{"call": id}, &seen)
				case 2:
					_, err = s.call("add", map[string]any{"call": id}, &seen)
				case 3:
					got, err = s.call("total", nil, &seen)
				}
				if err != nil {
					time.Sleep(20 * time.Millisecond)
					continue
				}
				answered.Add(1)
				mu.Lock()
				if n, ok := got["n"].(float64); ok {
					history = append(history, operation{from, time.Since(began), int(n), i%4 == 3, client})
				} else {
					added[id] = true
				}
				mu.Unlock()
			}
		})
	}
	go func() {
		clients.Wait()
		close(ended)
	}()
	for round := 0; ; round++ {
		select {
		case <-ended:
		case <-time.After(time.Duration(100+rand.IntN(300)) * time.Millisecond):
			switch i := rand.IntN(servers); round % 5 {
			case 0:
				all[i].kill()
			case 1:
				relays[i].drop()
			case 2:
				relays[i].hold(time.Duration(rand.IntN(500)) * time.Millisecond)
			case 3:
				pg.Kill(t)
				pg.Run(t)
			}
			continue
		}
		t.Logf("%d calls answered, %d rounds of trouble, %s", answered.Load(), round, time.Since(began))
		break
	}
	requireLinear(t, history)
	requireSameCalls(t, all, pg.Address, rules, added, history)
}

// requireSameCalls fails unless all servers and one that starts now have the same calls in the same order, and these
// hold each that was answered once.
func requireSameCalls(
	t *testing.T, all []*counterServer, address, rules string, added map[int]bool, history []operation,
) {
	fresh := &counterServer{T: t, stderr: &lockedBuilder{}, args: []string{"--store", address, rules}}
	t.Cleanup(fresh.kill)
	var want []any
	var seen string
	require.Eventually(t, func() bool { // a server that was killed last starts
		seen = ""
		got, err := fresh.call("calls", nil, &seen)
		want, _ = got["calls"].([]any)
		return err == nil && len(want) > 0
	}, wiretest.Patience, 100*time.Millisecond, fresh.stderr)
	for i, s := range all {
		require.Eventually(t, func() bool {
			at := seen
			got, err := s.call("calls", nil, &at)
			if err != nil {
				return false
			}
			require.Equal(t, want, got["calls"], "server %d", i)
			return true
		}, wiretest.Patience, 100*time.Millisecond, s.stderr)
	}
	count := map[string]int{}
	for _, c := range want {
		count[fmt.Sprint(c)]++
	}
	for id := range added {
		require.Equal(t, 1, count[strconv.Itoa(id)], "call %d was answered", id)
	}
	numbers := map[string]int{}
	for text, n := range count {
		require.Equal(t, 1, n, "%s is there %d times", text, n)
		if _, number, ok := strings.Cut(text, "-"); ok {
			numbers[number]++
		}
	}
	for _, o := range history {
		if !o.reads {
			require.Equal(t, 1, numbers[strconv.Itoa(o.n)], "the count %d was answered", o.n)
		}
	}
}

// freePorts returns the first of n ports in a row that are free, below those that the system gives to connections.
func freePorts(t *testing.T, n int) int {
	for range 100 {
		first, free := 20_000+rand.IntN(10_000), 0
		for ; free < n; free++ {
			l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", first+free))
			if err != nil {
				break
			}
			l.Close()
		}
		if free == n {
			return first
		}
	}
	require.Fail(t, "no free ports")
	return 0
}

// TestReplicasScript runs the script of examples/orders and asks its two servers in turn, as a proxy does.
func TestReplicasScript(t *testing.T) {
	pg := pgtest.Start(t)
	crm := ordersDatabase(t)
	binary := filepath.Join(t.TempDir(), "mcplogic") // the test runs the command when it has this name
	require.NoError(t, os.Symlink(os.Args[0], binary))
	port := freePorts(t, 3)
	script := exec.Command("../../examples/orders/replicas.sh", pg.Address, crm, strconv.Itoa(port))
	script.Env = append(os.Environ(), "MCPLOGIC="+binary)
	script.Stdout, script.Stderr = t.Output(), t.Output()
	script.WaitDelay = 10 * time.Second
	require.NoError(t, script.Start())
	t.Cleanup(func() {
		_ = script.Process.Signal(syscall.SIGTERM)
		_ = script.Wait()
	})
	var asked atomic.Int64
	proxy := httptest.NewServer(&httputil.ReverseProxy{Director: func(r *http.Request) {
		r.URL.Scheme, r.URL.Host = "http", fmt.Sprintf("127.0.0.1:%d", port+1+int(asked.Add(1)%2))
		r.Host = r.URL.Host
	}, ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }})
	t.Cleanup(proxy.Close)
	for server := range 2 {
		require.Eventually(t, func() bool {
			r, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/healthz", port+1+server))
			if err != nil {
				return false
			}
			r.Body.Close()
			return r.StatusCode == http.StatusOK
		}, wiretest.Patience, 50*time.Millisecond)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: proxy.URL + "/mcp"}, nil)
	require.NoError(t, err)
	defer session.Close()
	seen := mcp.Meta{}
	call := func(tool string, args map[string]any) string {
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args, Meta: maps.Clone(seen)})
		require.NoError(t, err)
		if name, ok := r.Meta[bridge.MetaSequence].(string); ok {
			seen[bridge.MetaSequence] = name
		}
		return r.Content[0].(*mcp.TextContent).Text
	}
	for number := range 2 { // the credit is 1000
		text := call("place_order", map[string]any{"Customer": 1, "Item": "oak table", "Count": 1})
		require.Contains(t, text, fmt.Sprintf("Number: %d\n", number+1))
	}
	require.Contains(t, call("place_order", map[string]any{"Customer": 1, "Item": "oak table", "Count": 1}),
		"840.0+420.0=<1000.0")
	for range 2 { // at either server
		require.Contains(t, call("order_cost", map[string]any{"Customer": 1}), "Number: 2\n")
	}
}

// interviewRules ask several questions in one call, which changes facts.
const interviewRules = `:- persistent([visit/1, said/2]).
capabilities([elicitation]).
tools([interview/2, said/2, visits/1]).
:- mode(interview(+atom, -list(integer)), one).
:- info(interview/2, [comment is 'Asks four questions.', argnames is [name, answers]]).
interview(Name, Ns) :-
    assertz(visit(Name)),
    numlist(1, 4, Is),
    maplist(ask(Name), Is, Ns),
    assertz(said(Name, Ns)).
ask(Name, I, N) :-
    format(atom(Message), "~w, question ~w?", [Name, I]),
    mcp_elicit(Message, {type-object, properties-{n-{type-integer}}, required-[n]}, accept({n-N})).
:- mode(said(+atom, -list(integer)), nondet).
:- info(said/2, [comment is 'What was said.', argnames is [name, answers]]).
:- mode(visits(-integer), one).
:- info(visits/1, [comment is 'Counts the visits.', argnames is [n]]).
visits(N) :- aggregate_all(count, visit(_), N).
`

// webServer is a server of HTTP in a process of its own.
type webServer struct {
	*testing.T
	port    int
	args    []string
	process *exec.Cmd
}

// start starts a server and waits until it answers.
func (s *webServer) start() {
	s.Helper()
	s.process = exec.CommandContext(s.Context(), os.Args[0])
	s.process.Args = append([]string{"mcplogic", "serve", "--http", fmt.Sprintf("127.0.0.1:%d", s.port)}, s.args...)
	s.process.Stderr = s.Output()
	s.process.WaitDelay = time.Second
	require.NoError(s, s.process.Start())
	require.Eventually(s, func() bool {
		r, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/healthz", s.port))
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusOK
	}, wiretest.Patience, 20*time.Millisecond)
}

// kill ends the server as a crash does.
func (s *webServer) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// TestReplicasInterview asks a user questions from two servers behind one address, whose calls go to them in turn. The
// one that has asked is killed before its answer comes. What the call has changed is there once, and a client that
// brings the number of the last change that it saw sees that change at each server.
func TestReplicasInterview(t *testing.T) {
	pg := pgtest.Start(t)
	dir := t.TempDir()
	rules, key := filepath.Join(dir, "rules.pl"), filepath.Join(dir, "key")
	require.NoError(t, os.WriteFile(rules, []byte(interviewRules), 0o666))
	require.NoError(t, os.WriteFile(key, []byte("a key that two servers have in common"), 0o600))
	var servers []*webServer
	var at atomic.Int64 // the server that is asked
	first := freePorts(t, 2)
	for i := range 2 {
		s := &webServer{T: t, port: first + i, args: []string{"--store", pg.Address, "--state-key-file", key, rules}}
		s.start()
		t.Cleanup(s.kill)
		servers = append(servers, s)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Director: func(r *http.Request) {
		r.URL.Scheme, r.URL.Host = "http", fmt.Sprintf("127.0.0.1:%d", servers[at.Load()].port)
		r.Host = r.URL.Host
	}, ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }})
	t.Cleanup(proxy.Close)
	var asked []string
	between := func(int) {}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked = append(asked, r.Params.Message)
			n := len(asked)
			between(n)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"n": n * n}}, nil
		}})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: proxy.URL + "/mcp"}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	seen := mcp.Meta{}
	call := func(tool, name string) any {
		p := &mcp.CallToolParams{Name: tool, Meta: maps.Clone(seen)}
		if name != "" {
			p.Arguments = map[string]any{"name": name}
		}
		r, err := session.CallTool(t.Context(), p)
		require.NoError(t, err)
		require.False(t, r.IsError, "%v", r.Content)
		if name, ok := r.Meta[bridge.MetaSequence].(string); ok {
			seen[bridge.MetaSequence] = name
		}
		return r.StructuredContent
	}
	other := func() *webServer { return servers[at.Swap(1-at.Load())] } // the one that was asked until now
	for i, tt := range []struct {
		name    string
		between func(n int)
	}{
		{"ann", func(int) {}},
		{"bob", func(int) { other() }},
		{"cid", func(n int) {
			asker := other()
			asker.kill()
			asker.start()
		}},
	} {
		asked, between = []string{}, tt.between
		call("interview", tt.name)
		require.Equal(t, []string{tt.name + ", question 1?", tt.name + ", question 2?", tt.name + ", question 3?",
			tt.name + ", question 4?"}, asked)
		for range 2 { // at either server
			require.Equal(t, map[string]any{"answers": []any{1.0, 4.0, 9.0, 16.0}}, call("said", tt.name))
			require.Equal(t, map[string]any{"n": float64(i + 1)}, call("visits", ""))
			other()
		}
	}
	// A server that was killed comes back and knows what was changed meanwhile.
	servers[0].kill()
	at.Store(1)
	asked, between = []string{}, func(int) {}
	call("interview", "dan")
	servers[0].start()
	at.Store(0)
	require.Equal(t, map[string]any{"n": 4.0}, call("visits", ""))
	require.NotEmpty(t, seen)
}

// TestReplicasReplay records three servers of one store whose calls conflict, one of which is killed and comes back, in
// the database and in a folder. Another process replays the record to the same answers: each call is shown the facts of
// its moment. Facts that other servers have stored are among them, and facts of its own process that do not last.
func TestReplicasReplay(t *testing.T) {
	pg := pgtest.Start(t)
	rules := filepath.Join(t.TempDir(), "counter.pl")
	text := strings.Replace(counterRules, "calls/1]", "calls/1, mine/1]", 1) + `:- dynamic own/1.
:- mode(mine(-list(integer)), one).
:- info(mine/1, [comment is 'How often this process was asked.', argnames is [calls]]).
mine(L) :- aggregate_all(count, own(_), N), assertz(own(N)), findall(M, own(M), L).
`
	require.NoError(t, os.WriteFile(rules, []byte(text), 0o666))
	for n, record := range []string{pg.Address, filepath.Join(t.TempDir(), "record")} {
		const servers, callers = 3, 6
		calls := callsOf(t, 40, 1000)
		var all []*counterServer
		for range servers {
			s := &counterServer{T: t, stderr: &lockedBuilder{},
				args: []string{"--store", pg.Address, "--decisions", record, rules}}
			t.Cleanup(s.kill)
			all = append(all, s)
			require.NotNil(t, s.connected(), s.stderr)
		}
		var answered atomic.Int64
		round := func(first int) {
			var clients sync.WaitGroup
			for client := range callers {
				clients.Go(func() {
					for i := range calls {
						id := first + client*1_000_000 + i
						tool := []string{"bump", "total", "add", "calls", "mine", "total"}[i%6]
						args := map[string]any{}
						if tool == "bump" || tool == "add" {
							args["call"] = id
						}
						if _, err := all[(client+i/7)%servers].call(tool, args, nil); err == nil {
							answered.Add(1)
						} else if !strings.Contains(err.Error(), "conflict") {
							t.Error(tool, err)
						}
					}
				})
			}
			clients.Wait()
		}
		round(100_000 * (2*n + 1))
		all[1].kill()
		round(100_000 * (2*n + 2))
		for _, s := range all {
			s.mu.Lock()
			require.NoError(t, s.session.Close(), s.stderr)
			s.session = nil
			s.mu.Unlock()
		}
		require.Greater(t, answered.Load(), int64(callers*calls))
		want := fmt.Sprintf("%d calls replayed, 0 different\n", answered.Load())
		require.Equal(t, want, run(t, cli.ExitDone, "replay", record))
	}
}
