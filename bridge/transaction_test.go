package bridge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// TestConflicts lets many calls change the same fact at the same time.
func TestConflicts(t *testing.T) {
	const clients, calls = 4, 25
	s := NewServer(load(t, "testdata/kb/counter.pl"), &Options{Concurrent: clients})
	var wg sync.WaitGroup
	for range clients {
		cs := connect(t, s, "2025-11-25", nil)
		wg.Go(func() {
			for range calls {
				r, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "increment"})
				if err != nil || r.IsError {
					t.Errorf("increment: %v %v", err, r)
				}
			}
		})
	}
	wg.Wait()
	cs := connect(t, s, "2025-11-25", nil)
	require.Equal(t, []string{fmt.Sprintf("n: %d", clients*calls)},
		bridgetest.TextsOf(bridgetest.CallTool(t, cs, "value", "")))
}

// TestSlowGetsThrough runs calls that take their time beside one that changes the same fact all the time: they lose
// once.
func TestSlowGetsThrough(t *testing.T) {
	late := besideIncrements(t, &Options{Concurrent: 4}, 3)
	for _, r := range late {
		require.False(t, r.IsError, bridgetest.TextsOf(r))
	}
}

// TestOneTimeForAllAttempts gives such a call time for one attempt and a half.
func TestOneTimeForAllAttempts(t *testing.T) {
	late := besideIncrements(t, &Options{Concurrent: 4, Limits: engine.Limits{Time: 150 * time.Millisecond}}, 1)
	require.True(t, late[0].IsError, bridgetest.TextsOf(late[0]))
}

// TestCheckThenAdd lets several calls check at the same time that there is no such person, and add one.
func TestCheckThenAdd(t *testing.T) {
	const clients, names = 4, 10
	s := NewServer(load(t, "testdata/kb/counter.pl"), &Options{Concurrent: clients})
	var wg sync.WaitGroup
	var added atomic.Int64
	for range clients {
		cs := connect(t, s, "2025-11-25", nil)
		wg.Go(func() {
			for i := range names {
				if r := bridgetest.CallTool(t, cs, "register", fmt.Sprintf(`{"name": "%d"}`, i)); !r.IsError {
					added.Add(1)
				}
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, names, added.Load())
}

// besideIncrements calls increment_late n times at once while another client increments without pause, and returns the
// results.
func besideIncrements(t *testing.T, o *Options, n int) []*mcp.CallToolResult {
	s := NewServer(load(t, "testdata/kb/counter.pl"), o)
	ctx, cancel := context.WithCancel(t.Context())
	busy := make(chan struct{})
	other := connect(t, s, "2025-11-25", nil)
	go func() {
		defer close(busy)
		for ctx.Err() == nil {
			other.CallTool(ctx, &mcp.CallToolParams{Name: "increment"})
		}
	}()
	results := make([]*mcp.CallToolResult, n)
	var wg sync.WaitGroup
	for i := range results {
		cs := connect(t, s, "2025-11-25", nil)
		wg.Go(func() { results[i] = bridgetest.CallTool(t, cs, "increment_late", "") })
	}
	wg.Wait()
	cancel()
	<-busy
	return results
}

// TestOvertaken changes a fact while another call that has changed it asks its user: that one
// runs again on the new state, and its user is not asked again.
func TestOvertaken(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			s := NewServer(load(t, "testdata/kb/counter.pl"), &Options{Concurrent: 1})
			other := connect(t, s, version, nil)
			u := &user{answers: []*mcp.ElicitResult{yes}}
			cs := connect(t, s, version, &mcp.ClientOptions{
				ElicitationHandler: func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					if _, err := other.CallTool(ctx, &mcp.CallToolParams{Name: "increment"}); err != nil {
						return nil, err
					}
					return u.answer(ctx, req)
				}})
			require.Equal(t, []string{"2/accept({answer-yes})"},
				bridgetest.TextsOf(bridgetest.CallTool(t, cs, "increment_slowly", "")))
			require.Len(t, u.asked, 1)
			require.Equal(t, []string{"n: 2"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "value", "")))
		})
	}
}

// TestOvertakenAfterReload reloads while a call that has changed a fact asks its user, and then changes the fact: the
// call runs again on the new program, since the old one keeps the fact as it was.
func TestOvertakenAfterReload(t *testing.T) {
	const text = `
		:- dynamic(n/1).
		tools([tool(next, next, 1), tool(next_slowly, next_slowly, 0)]).
		capabilities([elicitation]).
		:- mode(next(-integer), one).
		:- info(next/1, [comment is 'Adds one.', argnames is [n]]).
		next(N) :- ( retract(n(N0)) -> true ; N0 = 0 ), N is N0 + 1, assertz(n(N)).
		:- mode(next_slowly, one).
		:- info(next_slowly/0, [comment is 'Adds one and asks whether that is right.']).
		next_slowly.
		tool_call(next_slowly, _, Elicit, text(Text)) :-
			next(N),
			call(Elicit, 'Sure?', {type-object, properties-{answer-{type-string}}}, _),
			term_to_atom(N, Text).`
	before, after := loadText(t, text), loadText(t, text)
	s := NewServer(before, nil)
	other := connect(t, s, "2025-11-25", nil)
	require.Equal(t, []string{"n: 1"}, bridgetest.TextsOf(bridgetest.CallTool(t, other, "next", "")))
	asked := 0
	cs := connect(t, s, "2025-11-25", &mcp.ClientOptions{
		ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			after.Program.Inherit(before.Program)
			s.Sync(after)
			_, err := other.CallTool(ctx, &mcp.CallToolParams{Name: "next"})
			return yes, err
		}})
	require.Equal(t, []string{"3"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "next_slowly", "")))
	require.Equal(t, 1, asked)
	require.Equal(t, []string{"n: 4"}, bridgetest.TextsOf(bridgetest.CallTool(t, other, "next", "")))
}

// TestNothingCommitted takes back what calls did that went wrong.
func TestNothingCommitted(t *testing.T) {
	cs := connect(t, NewServer(load(t, "testdata/kb/counter.pl"), nil), "2025-11-25", nil)
	for _, tool := range []string{"increment_and_fail", "increment_and_throw", "increment_and_err"} {
		require.True(t, bridgetest.CallTool(t, cs, tool, "").IsError)
		require.Equal(t, []string{"n: 0"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "value", "")), tool)
	}
}

// TestCancel stops a goal that loops: the next call gets its place at once.
func TestCancel(t *testing.T) {
	o := &Options{Concurrent: 1, Limits: engine.Limits{Time: time.Hour}} // by which the next call would wait
	base, begun := openTold(t, loopText)
	cs := connect(t, NewServer(base.Snapshot(), o), "2025-11-25", nil)
	for range 2 {
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error)
		go func() {
			_, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "loop"})
			ended <- err
		}()
		<-begun
		cancel()
		require.Error(t, <-ended)
	}
}

// TestUnknownTool is an error of the protocol, not of a tool.
func TestUnknownTool(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		cs := connect(t, NewServer(load(t, "testdata/kb/counter.pl"), nil), version, nil)
		_, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "no_such_tool"})
		requireInvalid(t, err)
	}
}

// TestCleanupsAreCommitted takes the first of several solutions: the cleanup goal of the others runs before the commit.
func TestCleanupsAreCommitted(t *testing.T) {
	const text = `
		tools([tool(first, first, 1, [description('The first.')]), tool(done, done, 1, [description('What was cleaned up.')]),
			tool(bad, bad, 1, [description('Its cleanup throws.')])]).
		:- mode(first(-integer), one).
		:- mode(done(-integer), zero_or_more).
		:- mode(bad(-integer), one).
		:- dynamic done/1.
		first(X) :- setup_call_cleanup(true, member(X, [1, 2, 3]), assertz(done(X))).
		bad(X) :- setup_call_cleanup(true, member(X, [1, 2, 3]), (assertz(done(4)), throw(cleanup_failed))).`
	cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25", nil)
	require.False(t, bridgetest.CallTool(t, cs, "first", "").IsError)
	r := bridgetest.CallTool(t, cs, "bad", "")
	require.True(t, r.IsError)
	require.Contains(t, bridgetest.TextsOf(r)[0], "cleanup_failed")
	require.Len(t, bridgetest.CallTool(t, cs, "done", "").StructuredContent.(map[string]any)["solutions"], 1)
}

// TestPlaceInTurn has a call lose in its turn, too: it runs again before a call that waits for the only place, since
// others wait for the end of the turn.
func TestPlaceInTurn(t *testing.T) {
	var base *kb.Snapshot
	var other *mcp.ClientSession
	var order []string // a place guards it
	ended, runs := make(chan bool), 0
	lose := func(*engine.Call) (bool, error) {
		runs++
		switch runs {
		case 2:
			go func() {
				defer close(ended)
				_, _ = other.CallTool(context.Background(), &mcp.CallToolParams{Name: "pass"})
			}()
			time.Sleep(50 * time.Millisecond) // if the other call takes longer to wait, this test sees nothing
		case 3:
			order = append(order, "change")
			return true, nil
		}
		_, err := base.Program.Once(context.Background(), "retract(n(N)), M is N+1, assertz(n(M))",
			&engine.RunOptions{Transaction: true})
		return true, err
	}
	pass := func(*engine.Call) (bool, error) {
		order = append(order, "pass")
		return true, nil
	}
	file := filepath.Join(t.TempDir(), "kb.pl")
	require.NoError(t, os.WriteFile(file, []byte(`:- dynamic(n/1).
n(0).
tools([tool(change, change, 0, [description('Changes n/1.')]), tool(pass, passing, 0, [description('Passes.')])]).
change :- retract(n(_)), lose, assertz(n(-1)).
passing :- pass.
`), 0o600))
	base = bridgetest.Load(t, append(Predicates(), engine.Predicate{Name: "lose", Call: lose},
		engine.Predicate{Name: "pass", Call: pass}), file)
	s := NewServer(base, &Options{Concurrent: 1})
	other = connect(t, s, "2025-11-25", nil)
	r := bridgetest.CallTool(t, connect(t, s, "2025-11-25", nil), "change", "")
	require.False(t, r.IsError, bridgetest.TextsOf(r))
	<-ended
	require.Equal(t, []string{"change", "pass"}, order)
}
