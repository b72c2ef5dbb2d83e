package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// user answers questions one after the other, the last answer again and again.
type user struct {
	answers []*mcp.ElicitResult
	asked   []string
}

func (u *user) answer(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	u.asked = append(u.asked, req.Params.Message)
	return u.answers[min(len(u.asked), len(u.answers))-1], nil
}

func accept(content string) *mcp.ElicitResult {
	var m map[string]any
	if err := json.Unmarshal([]byte(content), &m); err != nil {
		panic(err)
	}
	return &mcp.ElicitResult{Action: "accept", Content: m}
}

var (
	yes     = accept(`{"answer": "yes"}`)
	no      = accept(`{"answer": "no"}`)
	decline = &mcp.ElicitResult{Action: "decline"}
	cancel  = &mcp.ElicitResult{Action: "cancel"}
)

// TestAsk asks on every version of the protocol and gives every kind of answer.
func TestAsk(t *testing.T) {
	snapshot := load(t, "testdata/kb/asking.pl")
	for _, version := range mcp.SupportedProtocolVersions() {
		for _, test := range []struct {
			tool    string
			answers []*mcp.ElicitResult
			text    string
			asked   string
		}{
			{"ask_name", []*mcp.ElicitResult{accept(`{"name": "Ada"}`)}, "Hello, Ada!", "What is your name?"},
			{"ask_name", []*mcp.ElicitResult{decline}, "No name provided.", "What is your name?"},
			{"ask_name", []*mcp.ElicitResult{cancel}, "No name provided.", "What is your name?"},
			{"ask_twice", []*mcp.ElicitResult{yes, no}, "accept({answer-yes})/accept({answer-no})", "First? Second?"},
			{"ask_twice", []*mcp.ElicitResult{decline, no}, "decline/accept({answer-no})", "First? Second?"},
			{"ask_twice", []*mcp.ElicitResult{cancel, no}, "cancel/cancel", "First?"},
			{"insist", []*mcp.ElicitResult{yes}, "1/accept({answer-yes})", "Please?"},
			{"insist", []*mcp.ElicitResult{decline}, "5/decline", "Please?"},
			{"insist", []*mcp.ElicitResult{cancel}, "5/cancel", "Please?"},
			{"by_library", []*mcp.ElicitResult{yes}, "answer: accept({answer-yes})", "Really?"},
			{"catches", []*mcp.ElicitResult{accept(`{"answer": "perhaps"}`)}, "caught(WHY)", "Hm?"},
			{"catches", []*mcp.ElicitResult{accept(`{}`)}, "caught(WHY)", "Hm?"},
			{"catches", []*mcp.ElicitResult{{Action: "shrug"}}, "caught(bad_answer)", "Hm?"},
		} {
			t.Run(version+"/"+test.tool+"/"+test.text, func(t *testing.T) {
				if version >= wire.VersionStateless && strings.HasPrefix(test.text, "caught(WHY") {
					t.Skip("the SDK's client of this version does not pass such an answer on")
				}
				u := &user{answers: test.answers}
				cs := connect(t, NewServer(snapshot, nil), version, &mcp.ClientOptions{ElicitationHandler: u.answer})
				r := bridgetest.CallTool(t, cs, test.tool, "")
				got := regexp.MustCompile(`caught\((bad_answer|unanswered)\)`).ReplaceAllString(bridgetest.TextsOf(r)[0],
					"caught(WHY)")
				want := strings.Replace(test.text, "caught(bad_answer)", "caught(WHY)", 1)
				require.Equal(t, want, got)
				require.False(t, r.IsError)
				require.Equal(t, test.asked, strings.Join(u.asked, " "))
			})
		}
	}
}

// TestAskBoth asks two questions in one round.
func TestAskBoth(t *testing.T) {
	snapshot := load(t, "testdata/kb/asking.pl")
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		ask := func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if req.Params.Message == "Left?" {
				return yes, nil
			}
			return no, nil
		}
		cs := connect(t, NewServer(snapshot, nil), version, &mcp.ClientOptions{ElicitationHandler: ask})
		r := bridgetest.CallTool(t, cs, "ask_both", "")
		require.Equal(t, []string{"answers: [left-accept({answer-yes}),right-accept({answer-no})]"}, bridgetest.TextsOf(r),
			version)
	}
}

// TestAskFaults covers questions and clients that are at fault.
func TestAskFaults(t *testing.T) {
	snapshot := load(t, "testdata/kb/asking.pl")
	never := func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	fails := func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return nil, errors.New("the dialog did not open")
	}
	nonsense := func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return accept(`{"nome": 7}`), nil
	}
	for _, test := range []struct {
		name, tool, version string
		ask                 func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)
		text                string
	}{
		{"never", "ask_name", "2025-11-25", never, "Question: What is your name?\nSchema of the answer: " +
			`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}` +
			"\nAsked of the user: nobody answered within 0.05 s"},
		{"fails", "ask_name", "2025-11-25", fails, "the dialog did not open"},
		{"nonsense", "ask_name", "2025-11-25", nonsense, "does not match requested schema"},
		{"bad schema", "bad_schema", "2025-11-25", never, `The schema of the question "What?"`},
		{"bad schema", "bad_schema", "2026-07-28", never, `The schema of the question "What?"`},
	} {
		t.Run(test.name+test.version, func(t *testing.T) {
			s := NewServer(snapshot, &Options{AskTime: 50 * time.Millisecond})
			cs := connect(t, s, test.version, &mcp.ClientOptions{ElicitationHandler: test.ask})
			r := bridgetest.CallTool(t, cs, test.tool, "")
			require.True(t, r.IsError)
			require.Contains(t, bridgetest.TextsOf(r)[0], test.text)
			require.Contains(t, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "count_greeted", ""))[0], "count: 0")
		})
	}
}

// byHand is a client of 2026-07-28 whose rounds the test does itself.
func byHand(t *testing.T, s *Server) *mcp.ClientSession {
	t.Helper()
	return connect(t, s, "2026-07-28", &mcp.ClientOptions{
		ElicitationHandler: (&user{}).answer,
		MultiRoundTrip:     &mcp.MultiRoundTripOptions{Disabled: true},
	})
}

// answered is a call of ask_twice with an answer to one of its questions.
func answered(state, key string, answer *mcp.ElicitResult) *mcp.CallToolParams {
	p := &mcp.CallToolParams{Name: "ask_twice", RequestState: state}
	if key != "" {
		p.InputResponses = mcp.InputResponseMap{key: answer}
	}
	return p
}

func mustCall(t *testing.T, cs *mcp.ClientSession, p *mcp.CallToolParams) *mcp.CallToolResult {
	t.Helper()
	r, err := cs.CallTool(context.Background(), p)
	require.NoError(t, err)
	return r
}

func requireInvalid(t *testing.T, err error) {
	t.Helper()
	var wire *jsonrpc.Error
	require.ErrorAs(t, err, &wire)
	require.Equal(t, int64(jsonrpc.CodeInvalidParams), wire.Code)
}

const bothYes = "accept({answer-yes})/accept({answer-yes})"

// TestRounds goes through the rounds of a call on 2026-07-28: in order, with a missing answer,
// with a state of an older round, and again after the end.
func TestRounds(t *testing.T) {
	cs := byHand(t, NewServer(load(t, "testdata/kb/asking.pl"), nil))
	first := mustCall(t, cs, answered("", "", nil))
	require.True(t, first.NeedsInput())
	require.Equal(t, "First?", first.InputRequests["q1"].(*mcp.ElicitParams).Message)

	again := mustCall(t, cs, answered(first.RequestState, "", nil))
	require.Equal(t, "First?", again.InputRequests["q1"].(*mcp.ElicitParams).Message)

	second := mustCall(t, cs, answered(again.RequestState, "q1", yes))
	require.Equal(t, "Second?", second.InputRequests["q2"].(*mcp.ElicitParams).Message)

	older := mustCall(t, cs, answered(again.RequestState, "q2", no))
	require.Equal(t, "Second?", older.InputRequests["q2"].(*mcp.ElicitParams).Message)

	last := mustCall(t, cs, answered(older.RequestState, "q2", yes))
	require.Equal(t, []string{bothYes}, bridgetest.TextsOf(last))

	_, err := cs.CallTool(context.Background(), answered(older.RequestState, "q2", yes))
	requireInvalid(t, err)
	require.Equal(t, []string{"count: 1"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "count_greeted", "")))
}

// TestReplay goes on with a call that does not wait any more: it has expired, it was given up
// for others, or it waited in another server with the same key.
func TestReplay(t *testing.T) {
	snapshot := func() *kb.Snapshot { return load(t, "testdata/kb/asking.pl") }
	key := []byte("a key that two servers share")
	for _, test := range []struct {
		name string
		o    Options
		lose func(t *testing.T, s *Server, cs *mcp.ClientSession) *mcp.ClientSession
	}{
		{"expired", Options{AskTime: time.Millisecond},
			func(t *testing.T, s *Server, cs *mcp.ClientSession) *mcp.ClientSession {
				require.Eventually(t, func() bool { return s.Waiting() == 0 }, wiretest.Patience, time.Millisecond)
				return cs
			}},
		{"given up", Options{MaxWaiting: 1}, func(t *testing.T, s *Server, cs *mcp.ClientSession) *mcp.ClientSession {
			require.True(t, mustCall(t, cs, answered("", "", nil)).NeedsInput())
			return cs
		}},
		{"other server", Options{StateKey: key}, func(t *testing.T, s *Server, cs *mcp.ClientSession) *mcp.ClientSession {
			return byHand(t, NewServer(snapshot(), &Options{StateKey: key}))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := NewServer(snapshot(), &test.o)
			cs := byHand(t, s)
			first := mustCall(t, cs, answered("", "", nil))
			second := mustCall(t, cs, answered(first.RequestState, "q1", yes))
			cs = test.lose(t, s, cs)
			last := mustCall(t, cs, answered(second.RequestState, "q2", yes))
			require.Equal(t, []string{bothYes}, bridgetest.TextsOf(last))
			require.Equal(t, []string{"count: 1"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "count_greeted", "")))
		})
	}
}

// TestReplicas asks two servers with the same key in turn. The one that is asked holds the call at an older round
// than its client has come to.
func TestReplicas(t *testing.T) {
	const text = `
:- dynamic(seen/1).
capabilities([elicitation]).
tools([tool(several, several, 1, [description('Asks five questions.')]),
	tool(seen, count_seen, 1, [description('Counts.')])]).
:- mode(several(-string), one).
:- info(several/1, [argnames is ['Answers']]).
several(Answers) :-
    assertz(seen(it)),
    findall(I, between(1, 5, I), Is),
    maplist(ask_one, Is, As),
    term_string(As, Answers).
ask_one(I, A) :-
    format(atom(Message), "Question ~w?", [I]),
    mcp_elicit(Message, {type-object, properties-{n-{type-integer}}, required-[n]}, accept({n-A})).
:- mode(count_seen(-integer), one).
:- info(count_seen/1, [argnames is ['N']]).
count_seen(N) :- findall(X, seen(X), Xs), length(Xs, N).
`
	o := &Options{StateKey: []byte("a key that two servers share")}
	servers := []*Server{NewServer(loadText(t, text), o), NewServer(loadText(t, text), o)}
	clients := []*mcp.ClientSession{byHand(t, servers[0]), byHand(t, servers[1])}
	p := &mcp.CallToolParams{Name: "several"}
	for i := 1; i <= 5; i++ {
		r := mustCall(t, clients[i%2], p)
		key := fmt.Sprintf("q%d", i)
		require.Contains(t, r.InputRequests, key)
		require.Equal(t, fmt.Sprintf("Question %d?", i), r.InputRequests[key].(*mcp.ElicitParams).Message)
		p = &mcp.CallToolParams{Name: "several", RequestState: r.RequestState,
			InputResponses: mcp.InputResponseMap{key: accept(fmt.Sprintf(`{"n": %d}`, i*i))}}
	}
	last := mustCall(t, clients[0], p)
	require.Equal(t, []string{"Answers: [1,4,9,16,25]"}, bridgetest.TextsOf(last))
	require.Equal(t, []string{"N: 1"}, bridgetest.TextsOf(bridgetest.CallTool(t, clients[0], "seen", "")))
	require.Equal(t, 0, servers[0].Waiting())
}

// TestNonsense brings answers that fit no schema on 2026-07-28, where nothing else checks them.
func TestNonsense(t *testing.T) {
	for _, test := range []struct {
		answer *mcp.ElicitResult
		text   string
		again  int
	}{
		{accept(`{"answer": 7}`), `answer: expected a string, got the number 7`, 2},
		{&mcp.ElicitResult{Action: "shrug"}, `with the action "shrug"`, 0},
	} {
		o := &Options{StateKey: []byte("a key that two servers share")}
		servers := []*Server{NewServer(load(t, "testdata/kb/asking.pl"), o), NewServer(load(t, "testdata/kb/asking.pl"), o)}
		for other := range servers { // the answers go to the server that asks, or to two in turn
			clients := []*mcp.ClientSession{byHand(t, servers[0]), byHand(t, servers[other])}
			r := mustCall(t, clients[0], answered("", "", nil))
			again := -1
			for ; r.NeedsInput() && again < 5; again++ {
				if message := r.InputRequests["q1"].(*mcp.ElicitParams).Message; again >= 0 {
					require.Contains(t, message, "First?\n\nThe last answer does not fit: "+test.text)
				}
				r = mustCall(t, clients[(again+2)%2], answered(r.RequestState, "q1", test.answer))
			}
			require.Equal(t, test.again, again)
			require.True(t, r.IsError)
			require.Contains(t, bridgetest.TextsOf(r)[0], test.text)
			require.Equal(t, []string{"count: 0"}, bridgetest.TextsOf(bridgetest.CallTool(t, clients[0], "count_greeted", "")))
		}
	}
}

// TestSecondThoughts brings a wrong answer on 2026-07-28 and then a right one.
func TestSecondThoughts(t *testing.T) {
	cs := byHand(t, NewServer(load(t, "testdata/kb/asking.pl"), nil))
	r := mustCall(t, cs, answered("", "", nil))
	r = mustCall(t, cs, answered(r.RequestState, "q1", accept(`{"answer": "perhaps"}`)))
	r = mustCall(t, cs, answered(r.RequestState, "q1", yes))
	require.Equal(t, "Second?", r.InputRequests["q2"].(*mcp.ElicitParams).Message)
	r = mustCall(t, cs, answered(r.RequestState, "q2", yes))
	require.Equal(t, []string{bothYes}, bridgetest.TextsOf(r))
}

// TestAnswerDefaults fills in what answers leave out, on 2026-07-28 and by the model, where the SDK
// does not.
func TestAnswerDefaults(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/asking.pl"), nil)
	cs := byHand(t, s)
	for content, want := range map[string]string{
		`{}`:                            "answer: accept({count-3})",
		`{"unit": "kg"}`:                "answer: accept({unit-kg,count-3})",
		`{"count": 5, "unit": "pound"}`: "answer: accept({count-5,unit-pound})",
	} {
		first := mustCall(t, cs, &mcp.CallToolParams{Name: "with_defaults"})
		r := mustCall(t, cs, &mcp.CallToolParams{Name: "with_defaults", RequestState: first.RequestState,
			InputResponses: mcp.InputResponseMap{"q1": accept(content)}})
		require.Equal(t, []string{want}, bridgetest.TextsOf(r))
	}
	mute := connect(t, s, "2025-11-25", nil)
	r := bridgetest.CallTool(t, mute, "with_defaults", "")
	r = bridgetest.CallTool(t, mute, "answer", `{"token": "`+tokenOf(t, r)+`", "answer": {}}`)
	require.Equal(t, []string{"answer: accept({count-3})"}, bridgetest.TextsOf(r))
}

// TestModelAnswersWrong lets the model mend an answer: the question stays open, and what was answered before is kept.
func TestModelAnswersWrong(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		cs := connect(t, NewServer(load(t, "testdata/kb/asking.pl"), nil), version, nil)
		r := bridgetest.CallTool(t, cs, "ask_twice", "")
		r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+tokenOf(t, r)+`", "answer": "yes"}`)
		token := tokenOf(t, r)
		for _, wrong := range []string{`, "answer": {"answer": "Yes I think so"}`, `, "answer": "perhaps"`,
			`, "answer": {}`, ``} {
			r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+token+`"`+wrong+`}`)
			require.True(t, r.IsError)
			require.Contains(t, bridgetest.TextsOf(r)[0], `expected one of "yes", "no"`)
			require.Contains(t, bridgetest.TextsOf(r)[0], "call answer again with the same token")
		}
		r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+token+`", "answer": "yes"}`)
		require.Equal(t, []string{bothYes}, bridgetest.TextsOf(r))
		require.Equal(t, []string{"count: 1"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "count_greeted", "")))
	}
}

// unchecked makes a client pass on answers that do not fit: its own SDK refuses them where it has the schema.
func unchecked(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if elicit, ok := req.(*mcp.ElicitRequest); ok {
			elicit.Params.RequestedSchema = nil
		}
		return next(ctx, method, req)
	}
}

// TestWrongAnswers brings answers that fit no schema in versions with sessions. The question is asked again and says
// what was wrong; in the end the goal gets bad_answer.
func TestWrongAnswers(t *testing.T) {
	perhaps := accept(`{"answer": "perhaps"}`)
	const hint = "Hm?\n\nThe last answer does not fit: answer: expected one of \"yes\", \"no\", got the string \"perhaps\""
	for _, test := range []struct {
		answers []*mcp.ElicitResult
		text    string
		asked   []string
	}{
		{[]*mcp.ElicitResult{perhaps, yes}, "accept({answer-yes})", []string{"Hm?", hint}},
		{[]*mcp.ElicitResult{perhaps, decline}, "decline", []string{"Hm?", hint}},
		{[]*mcp.ElicitResult{perhaps}, "caught(bad_answer)", []string{"Hm?", hint, hint}},
	} {
		u := &user{answers: test.answers}
		cs := connect(t, NewServer(load(t, "testdata/kb/asking.pl"), nil), "2025-11-25",
			&mcp.ClientOptions{ElicitationHandler: u.answer}, unchecked)
		require.Equal(t, []string{test.text}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "catches", "")))
		require.Equal(t, test.asked, u.asked)
	}
	u := &user{answers: []*mcp.ElicitResult{perhaps}}
	cs := connect(t, NewServer(load(t, "testdata/kb/asking.pl"), nil), "2025-11-25",
		&mcp.ClientOptions{ElicitationHandler: u.answer})
	require.Equal(t, []string{"caught(bad_answer)"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "catches", "")),
		"its SDK refuses it")
}

// TestNullAnswers answers an optional property with null, which counts as left out.
func TestNullAnswers(t *testing.T) {
	const text = `:- use_module(library(mcp)).
capabilities([tools, elicitation]).
:- mode(pays(-any), one).
:- info(pays/1, [comment is 'What a person pays.']).
tools([tool(pays, pays, 1)]).
pays(X) :-
    mcp_elicit('Pay?', {type-object, properties-{amount-{type-integer}, ok-{type-boolean}}, required-[amount]}, X).
`
	u := &user{answers: []*mcp.ElicitResult{accept(`{"amount": 5, "ok": null}`)}}
	cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25", &mcp.ClientOptions{ElicitationHandler: u.answer},
		unchecked)
	require.Contains(t, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "pays", ""))[0], "accept({amount-5})")
	require.Len(t, u.asked, 1)
}

// TestWrongAnswerUncaught ends a call whose question got no answer that fits: in words, once, with the code of that.
func TestWrongAnswerUncaught(t *testing.T) {
	const text = `:- use_module(library(mcp)).
capabilities([tools, elicitation]).
:- mode(votes(+atom), zero_or_one).
:- info(votes/1, [comment is 'Whether a person votes.', argnames is [person]]).
tools([tool(votes, votes, 1)]).
votes(_) :- mcp_elicit('How old?', {type-object, properties-{age-{type-integer}}}, accept({age-N})), N > 17.
`
	u := &user{answers: []*mcp.ElicitResult{accept(`{"age": "old"}`)}}
	cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25", &mcp.ClientOptions{ElicitationHandler: u.answer},
		unchecked)
	r := bridgetest.CallTool(t, cs, "votes", `{"person": "ann"}`)
	require.True(t, r.IsError)
	require.Equal(t, "bad_answer", r.Meta["mcplogic/code"])
	require.Regexp(t, `^The answer to the question "How old\?" does not fit its schema: age: expected an integer, `+
		`got the string "old"\.\n  at [^\n]*:6: votes/1$`, bridgetest.TextsOf(r)[0])
	require.Len(t, u.asked, 3)
}

// TestBadState refuses states that were not given out for the call.
func TestBadState(t *testing.T) {
	cs := byHand(t, NewServer(load(t, "testdata/kb/asking.pl"), nil))
	state := mustCall(t, cs, answered("", "", nil)).RequestState
	for _, bad := range []string{"x", ".", state + "x", "x" + state, strings.ToUpper(state)} {
		_, err := cs.CallTool(context.Background(), answered(bad, "q1", yes))
		requireInvalid(t, err)
	}
	p := answered(state, "q1", yes)
	p.Name = "ask_name"
	_, err := cs.CallTool(context.Background(), p)
	requireInvalid(t, err)
}

// TestResponsesWithoutState uses answers that come with a first request.
func TestResponsesWithoutState(t *testing.T) {
	cs := byHand(t, NewServer(load(t, "testdata/kb/asking.pl"), nil))
	r := mustCall(t, cs, answered("", "q1", yes))
	require.Contains(t, r.InputRequests, "q2")
}

// TestModelAsks lets the model pass on the answers of a user whose client shows no forms.
func TestModelAsks(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			cs := connect(t, NewServer(load(t, "testdata/kb/asking.pl"), nil), version, nil)
			list, err := cs.ListTools(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, "answer", list.Tools[0].Name)

			r := bridgetest.CallTool(t, cs, "ask_twice", "")
			require.False(t, r.IsError)
			require.Contains(t, bridgetest.TextsOf(r)[0], "Question: First?")
			first := tokenOf(t, r)
			r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+first+`", "answer": {"answer": "yes"}}`)
			require.Contains(t, bridgetest.TextsOf(r)[0], "Question: Second?")
			second := tokenOf(t, r)
			r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+second+`", "answer": "yes"}`)
			require.Equal(t, []string{bothYes}, bridgetest.TextsOf(r))

			for _, token := range []string{first, second, "nonsense", ""} {
				r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+token+`", "answer": "yes"}`)
				require.True(t, r.IsError)
			}
			require.Equal(t, []string{"count: 1"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "count_greeted", "")))

			r = bridgetest.CallTool(t, cs, "ask_name", "")
			r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+tokenOf(t, r)+`", "action": "decline"}`)
			require.Equal(t, []string{"No name provided."}, bridgetest.TextsOf(r))
		})
	}
}

func tokenOf(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	var asked struct {
		Token string `json:"token"`
	}
	require.NoError(t, json.Unmarshal([]byte(structureOf(t, r)), &asked))
	return asked.Token
}

// TestAnswerListed lists the tool answer from the start, if rules may ask.
func TestAnswerListed(t *testing.T) {
	for _, test := range []struct {
		file   string
		ask    bool
		listed bool
	}{
		{"testdata/kb/asking.pl", true, true},
		{"testdata/kb/asking.pl", false, true},
		{"testdata/kb/results.pl", false, false},
	} {
		var o mcp.ClientOptions
		if test.ask {
			o.ElicitationHandler = (&user{}).answer
		}
		cs := connect(t, NewServer(load(t, test.file), nil), "2025-11-25", &o)
		list, err := cs.ListTools(context.Background(), nil)
		require.NoError(t, err)
		found := false
		for _, tool := range list.Tools {
			found = found || tool.Name == "answer"
		}
		require.Equal(t, test.listed, found, "%+v", test)
	}
}

// TestAskElsewhere asks while a prompt is written and a resource read.
func TestAskElsewhere(t *testing.T) {
	ctx := context.Background()
	s := NewServer(load(t, "testdata/kb/asking.pl"), nil)
	for _, version := range mcp.SupportedProtocolVersions() {
		cs := connect(t, s, version,
			&mcp.ClientOptions{ElicitationHandler: (&user{answers: []*mcp.ElicitResult{yes}}).answer})
		prompt, err := cs.GetPrompt(ctx, &mcp.GetPromptParams{Name: "asking"})
		require.NoError(t, err)
		require.Equal(t, "accept({answer-yes})", prompt.Messages[0].Content.(*mcp.TextContent).Text)
		contents, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "x://asking"})
		require.NoError(t, err)
		require.Equal(t, "accept({answer-yes})", contents.Contents[0].Text)

		mute := connect(t, s, version, nil)
		_, err = mute.GetPrompt(ctx, &mcp.GetPromptParams{Name: "asking"})
		code := int64(jsonrpc.CodeInternalError)
		if version >= wire.VersionStateless {
			code = mcp.CodeMissingRequiredClientCapabilities
		}
		requireCode(t, err, code, "This client cannot ask its user")
	}
}

// TestLongInterview asks more questions than clients answer in one request. The test plays the model, which goes on
// with the tool answer.
func TestLongInterview(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		for _, n := range []int{8, 9, 10, 12, 40} {
			for _, tool := range []string{"ask", "ask_in_detail"} {
				asked := 0
				cs := connect(t, NewServer(load(t, "testdata/kb/long.pl"), nil), version, &mcp.ClientOptions{
					ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
						asked++
						return accept(fmt.Sprintf(`{"n": %d}`, asked*asked)), nil
					}})
				r := bridgetest.CallTool(t, cs, tool, fmt.Sprintf(`{"N": %d}`, n))
				made := 1
				for ; strings.Contains(bridgetest.TextsOf(r)[0], "Token: "); made++ {
					_, token, _ := strings.Cut(bridgetest.TextsOf(r)[0], "Token: ")
					r = bridgetest.CallTool(t, cs, "answer", fmt.Sprintf(`{"token": %q}`, token))
				}
				require.False(t, r.IsError, bridgetest.TextsOf(r))
				require.Equal(t, n, asked)
				require.Contains(t, bridgetest.TextsOf(r)[0], fmt.Sprintf(",%d]", n*n))
				want := 1
				if version >= wire.VersionStateless {
					want = 1 + (n-1)/calls.MaxLegs
				}
				require.Equal(t, want, made, "%s of %d", tool, n)
				require.Contains(t, toolNames(t, cs), "answer")
			}
		}
	})
}

// TestLongInterviewByHand goes on with a long interview by the tool answer: with an answer of the model, with states
// that are none, with a token of another round, and after the end.
func TestLongInterviewByHand(t *testing.T) {
	cs := byHand(t, NewServer(load(t, "testdata/kb/long.pl"), nil))
	p := &mcp.CallToolParams{Name: "ask", Arguments: json.RawMessage(`{"N": 12}`)}
	step := func(i int) *mcp.CallToolResult {
		r := mustCall(t, cs, p)
		if key := fmt.Sprintf("q%d", i); r.InputRequests[key] != nil {
			p.RequestState = r.RequestState
			p.InputResponses = mcp.InputResponseMap{key: accept(fmt.Sprintf(`{"n": %d}`, i))}
		}
		return r
	}
	for i := 1; i <= calls.MaxLegs; i++ {
		require.True(t, step(i).NeedsInput())
	}
	state := p.RequestState
	r := step(calls.MaxLegs + 1)
	require.False(t, r.NeedsInput())
	token := tokenOf(t, r)
	wrong := bridgetest.CallTool(t, cs, "answer", `{"token": "`+token+`", "answer": {"n": "ten"}}`)
	require.True(t, wrong.IsError)
	require.Contains(t, bridgetest.TextsOf(wrong)[0], "expected an integer")
	p = &mcp.CallToolParams{Name: "answer", Arguments: json.RawMessage(`{"token": "` + token + `", "answer": {"n": 10}}`)}
	r = step(11)
	require.Contains(t, r.InputRequests, "q11")
	for _, bad := range []string{state[1:], "nonsense", state[:len(state)-1]} {
		other := *p
		other.RequestState = bad
		_, err := cs.CallTool(context.Background(), &other)
		requireInvalid(t, err)
	}
	require.Contains(t, step(12).InputRequests, "q12")
	require.Equal(t, []string{"[1,2,3,4,5,6,7,8,9,10,11,12]"}, bridgetest.TextsOf(step(13)))
	require.True(t, step(14).IsError, "no question waits")
}

// TestLargeNumbers answers with numbers about the largest that the SDK does not round.
func TestLargeNumbers(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		for number, exact := range map[string]bool{"9007199254740991": true, "-9007199254740991": true,
			"9007199254740992": false, "-9007199254740993": false, "1e30": false} {
			u := &user{answers: []*mcp.ElicitResult{accept(`{"n": ` + number + `}`)}}
			cs := connect(t, NewServer(load(t, "testdata/kb/long.pl"), nil), version,
				&mcp.ClientOptions{ElicitationHandler: u.answer})
			r := bridgetest.CallTool(t, cs, "ask", `{"N": 1}`)
			require.Equal(t, !exact, r.IsError, number)
			if exact {
				require.Equal(t, []string{"[" + number + "]"}, bridgetest.TextsOf(r))
			} else {
				require.Contains(t, bridgetest.TextsOf(r)[0], "n: numbers beyond 9007199254740991 lose digits")
			}
		}
	})
}

// TestExactModelAnswer passes on a large number by the tool answer, whose arguments nobody rounds.
func TestExactModelAnswer(t *testing.T) {
	cs := connect(t, NewServer(load(t, "testdata/kb/long.pl"), nil), "2026-07-28", nil)
	token := tokenOf(t, bridgetest.CallTool(t, cs, "ask", `{"N": 1}`))
	r := bridgetest.CallTool(t, cs, "answer", `{"token": "`+token+`", "answer": {"n": 9007199254740993}}`)
	require.Equal(t, []string{"[9007199254740993]"}, bridgetest.TextsOf(r))
}
