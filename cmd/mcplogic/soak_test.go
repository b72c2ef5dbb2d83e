package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/heaptest"
)

// This file defines the soak: many calls of all kinds by several clients, each value of which is checked, while a file
// is saved again and again. MCPLOGIC_CALLS is how many calls there are.

const soakRules = `:- dynamic(count/1).
capabilities([elicitation]).
tools([double/2, fails/1, throws/1, bump/1, spell/2, many/2, ask/2, slow/0, reset/0]).
:- mode(double(+integer, -integer), one).
:- info(double/2, [comment is 'Doubles a number.', argnames is [number, doubled]]).
double(N, M) :- M is N*2.
:- mode(fails(+integer), zero_or_one).
:- info(fails/1, [comment is 'Fails.', argnames is [number]]).
fails(_) :- fail.
:- mode(throws(+integer), one).
:- info(throws/1, [comment is 'Throws.', argnames is [number]]).
throws(N) :- throw(error(soak(N), _)).
:- mode(bump(-integer), one).
:- info(bump/1, [comment is 'Counts.', argnames is [number]]).
bump(N) :- retract(count(M)), N is M+1, assertz(count(N)).
:- mode(spell(+atom, -atom), one).
:- info(spell/2, [comment is 'Turns a word round.', argnames is [word, turned]]).
spell(W, R) :- atom_chars(W, L), reverse(L, M), atom_chars(R, M).
:- mode(many(+integer, -integer), zero_or_more).
:- info(many/2, [comment is 'Numbers.', argnames is [limit, number]]).
many(L, N) :- between(1, L, N).
:- mode(ask(+integer, -integer), one).
:- info(ask/2, [comment is 'Asks for a number.', argnames is [number, sum]]).
ask(N, S) :- mcp_elicit('How much?', {type-object, properties-{n-{type-integer}}}, accept({n-M})), S is N+M.
:- mode(reset, one).
:- info(reset/0, [comment is 'Begins to count anew.']).
reset :- retractall(count(_)), assertz(count(0)).
:- mode(slow, one).
:- info(slow/0, [comment is 'Takes long.']).
slow :- sleep(30).
resources([resource('soak://value', value, 'A value.', 'text/plain')]).
resource_read('soak://value', _, contents([text_content('soak://value', 'text/plain', seventeen)])).
prompts([prompt(greet, 'Greets.', [argument(name, 'Whom.', true)])]).
prompt_get(greet, [name-N], messages([message(user, text(T))])) :- atom_concat('Hello ', N, T).
`

// soaker is one client of the soak.
type soaker struct {
	session *mcp.ClientSession
	words   int
	bumped  *atomic.Int64
}

// soakClient connects a client that answers every question with 5.
func soakClient(t *testing.T, transport mcp.Transport, version string) *mcp.ClientSession {
	client := mcp.NewClient(&mcp.Implementation{Name: "soak", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"n": 5}}, nil
		}})
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	return session
}

// call calls a tool and returns a value of its structured content, or its text if it is an error.
func (s *soaker) call(ctx context.Context, tool, args, value string) (string, error) {
	r, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		return "", err
	}
	if r.IsError {
		return r.Content[0].(*mcp.TextContent).Text, nil
	}
	content, _ := r.StructuredContent.(map[string]any)
	return fmt.Sprint(content[value]), nil
}

// step makes call number i and returns what is wrong with its result, or nil.
func (s *soaker) step(ctx context.Context, i int) error {
	switch i % 10 {
	case 0:
		got, err := s.call(ctx, "fails", fmt.Sprintf(`{"number":%d}`, i), "")
		return expect(got, err, "no solution")
	case 1:
		got, err := s.call(ctx, "throws", fmt.Sprintf(`{"number":%d}`, i), "")
		return expect(got, err, fmt.Sprintf("soak(%d)", i))
	case 2:
		_, err := s.call(ctx, "bump", `{}`, "number")
		s.bumped.Add(1)
		return err
	case 3:
		s.words++
		got, err := s.call(ctx, "spell", fmt.Sprintf(`{"word":"w%dx%d"}`, i, s.words), "turned")
		return expect(got, err, "x")
	case 4:
		got, err := s.call(ctx, "many", `{"limit":7}`, "solutions")
		return expect(got, err, "number:7")
	case 5:
		got, err := s.call(ctx, "ask", fmt.Sprintf(`{"number":%d}`, i), "sum")
		return expect(got, err, strconv.Itoa(i+5))
	case 6:
		r, err := s.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "soak://value"})
		if err != nil {
			return err
		}
		return expect(r.Contents[0].Text, nil, "seventeen")
	case 7:
		r, err := s.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: "greet", Arguments: map[string]string{"name": "Ann"}})
		if err != nil {
			return err
		}
		return expect(r.Messages[0].Content.(*mcp.TextContent).Text, nil, "Hello Ann")
	case 8:
		return s.cancelled(ctx, i)
	}
	got, err := s.call(ctx, "double", fmt.Sprintf(`{"number":%d}`, i), "doubled")
	return expect(got, err, strconv.Itoa(2*i))
}

// cancelled makes a call that is given up, now and then, as it costs a moment.
func (s *soaker) cancelled(ctx context.Context, i int) error {
	if i%100 != 8 {
		got, err := s.call(ctx, "double", `{"number":"no"}`, "")
		return expect(got, err, "number")
	}
	short, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
	defer cancel()
	if _, err := s.call(short, "slow", `{}`, ""); err == nil {
		return errors.New("a call was answered that had been given up")
	}
	return nil
}

// expect returns an error unless a text holds another.
func expect(got string, err error, want string) error {
	if err == nil && !strings.Contains(got, want) {
		err = fmt.Errorf("got %q, want %q", got, want)
	}
	return err
}

// soak makes calls by some clients at the same time, and saves a file meanwhile.
func soak(t *testing.T, dir string, n int, sessions []*mcp.ClientSession) {
	var next, bumped atomic.Int64
	var all sync.WaitGroup
	for _, session := range sessions {
		all.Go(func() {
			s := &soaker{session: session, bumped: &bumped}
			for i := int(next.Add(1)); i <= n; i = int(next.Add(1)) {
				if err := s.step(t.Context(), i); err != nil {
					t.Errorf("call %d: %s", i, err)
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; int(next.Load()) <= n && !t.Failed(); i++ {
			text := fmt.Sprintf("version(%d).\n", i)
			if err := os.WriteFile(filepath.Join(dir, "version.pl"), []byte(text), 0o666); err != nil {
				t.Error(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	all.Wait()
	<-done
	if t.Failed() {
		return
	}
	s := &soaker{session: sessions[0]}
	got, err := s.call(t.Context(), "bump", `{}`, "number")
	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(int(bumped.Load())+1), got, "each count is there once")
}

// callsOf is how many calls a test makes: what MCPLOGIC_CALLS says, or many in deep tests.
func callsOf(t testing.TB, few, many int) int {
	return deep.Number(t, "MCPLOGIC_CALLS", deep.Count(few, many))
}

// flat runs a soak in four parts and checks that the memory in use does not grow from the second on, and that no
// goroutine and no descriptor is left when the server has ended.
func flat(t *testing.T, calls int, start func(dir string) (sessions []*mcp.ClientSession, stop func())) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "soak.pl"), []byte(soakRules), 0o666))
	goroutines, descriptors := runtime.NumGoroutine(), openDescriptors()
	sessions, stop := start(dir)
	first := 0
	for part := range 4 {
		resetCount(t, sessions[0])
		soak(t, dir, calls/4, sessions)
		if t.Failed() {
			break
		}
		used := int(heaptest.InUse())
		t.Logf("after %d calls: %d KiB", (part+1)*(calls/4), used>>10)
		if part == 1 {
			first = used
		}
		if part > 1 {
			require.Less(t, used, first+first/4+4<<20, "memory grows")
		}
	}
	stop()
	for range 2000 { // what is about to end may take a moment
		if runtime.NumGoroutine() <= goroutines && openDescriptors() <= descriptors {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("left: %d goroutines, where there were %d, %d descriptors, where there were %d", runtime.NumGoroutine(),
		goroutines, openDescriptors(), descriptors)
}

// resetCount makes the counter begin again at 0.
func resetCount(t *testing.T, session *mcp.ClientSession) {
	s := &soaker{session: session}
	_, err := s.call(t.Context(), "reset", `{}`, "")
	require.NoError(t, err)
}

// openDescriptors returns the number of open descriptors, or 0 where the system does not tell.
func openDescriptors() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

func TestSoakStdio(t *testing.T) {
	flat(t, callsOf(t, 500, 3000), func(dir string) ([]*mcp.ClientSession, func()) {
		stdin, in := io.Pipe()
		out, stdout := io.Pipe()
		code := make(chan int, 1)
		go func() {
			code <- execute(context.Background(), []string{"serve", dir}, stdin, stdout, io.Discard)
			stdout.Close()
		}()
		session := soakClient(t, &mcp.IOTransport{Reader: out, Writer: in}, "2025-11-25")
		return []*mcp.ClientSession{session, session, session}, func() {
			session.Close()
			in.Close()
			require.Equal(t, cli.ExitDone, <-code)
		}
	})
}

func TestSoakHTTP(t *testing.T) {
	flat(t, callsOf(t, 500, 3000), func(dir string) ([]*mcp.ClientSession, func()) {
		s := serveHTTPIn(t, "0", dir)
		var sessions []*mcp.ClientSession
		transport := &mcp.StreamableClientTransport{Endpoint: s.url}
		for _, version := range []string{"2025-11-25", "2026-07-28", "2025-11-25", "2026-07-28"} {
			sessions = append(sessions, soakClient(t, transport, version))
		}
		return sessions, func() {
			for _, session := range sessions {
				session.Close()
			}
			s.stop()
			require.Equal(t, cli.ExitDone, <-s.code)
		}
	})
}
