package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// pause is how long the tool of that name takes.
const pause = 75 * time.Millisecond

// testServer is the SDK's server with the tools the tests call: echo answers at once, wait
// answers when release is closed or the call is cancelled, pause takes a moment for one call
// after the other, ask questions the user.
func testServer(release chan struct{}) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	server.AddReceivingMiddleware(RepairInitialize)
	add := func(name string, handle func(ctx context.Context, req *mcp.CallToolRequest) (string, error)) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				text, err := handle(ctx, req)
				if err != nil {
					return nil, err
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
			})
	}
	add("echo", func(_ context.Context, req *mcp.CallToolRequest) (string, error) {
		return "echo " + string(req.Params.Arguments), nil
	})
	add("wait", func(ctx context.Context, _ *mcp.CallToolRequest) (string, error) {
		select {
		case <-release:
			return "released", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	})
	var one sync.Mutex
	add("pause", func(context.Context, *mcp.CallToolRequest) (string, error) {
		one.Lock()
		defer one.Unlock()
		time.Sleep(pause)
		return "", nil
	})
	add("ask", func(ctx context.Context, req *mcp.CallToolRequest) (string, error) {
		result, err := req.Session.Elicit(ctx, &mcp.ElicitParams{
			Message: "Who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
		})
		if err != nil {
			return "failed: " + err.Error(), nil
		}
		return result.Action, nil
	})
	return server
}

// client is the other end of a served transport: raw bytes in, messages out.
type client struct {
	t        *testing.T
	in       *io.PipeWriter
	replies  chan map[string]any
	served   chan error
	release  chan struct{}
	cancel   context.CancelFunc
	framings []Framing
	mu       sync.Mutex
}

// serve runs the test server behind transport, whose In and Out it sets.
func serve(t *testing.T, transport *StdioTransport) *client {
	t.Helper()
	inReader, inWriter := io.Pipe()
	outReader, outWriter := io.Pipe()
	transport.In, transport.Out = inReader, outWriter
	ctx, cancel := context.WithCancel(t.Context())
	c := &client{
		t: t, in: inWriter, replies: make(chan map[string]any, 5000),
		served: make(chan error, 1), release: make(chan struct{}), cancel: cancel,
	}
	server := testServer(c.release)
	go func() {
		err := server.Run(ctx, transport)
		_ = outWriter.Close()
		c.served <- err
	}()
	go c.collect(outReader)
	t.Cleanup(func() {
		cancel()
		_ = inWriter.Close()
	})
	return c
}

// collect reads the server's messages in either framing until it stops.
func (c *client) collect(out io.Reader) {
	defer close(c.replies)
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		framing := Lines
		if length, ok := strings.CutPrefix(string(line), "Content-Length: "); ok {
			framing = ContentLength
			n, err := strconv.Atoi(strings.TrimSpace(length))
			if err != nil {
				return
			}
			line = make([]byte, n+2)
			if _, err := io.ReadFull(in, line); err != nil {
				return
			}
		}
		c.mu.Lock()
		c.framings = append(c.framings, framing)
		c.mu.Unlock()
		c.deliver(line)
	}
}

// deliver passes on a message, or each of a batch.
func (c *client) deliver(data []byte) {
	all, err := wiretest.Decode(data)
	if err != nil {
		all = []map[string]any{{"not JSON": string(data)}}
	}
	for _, one := range all {
		if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
			one["in batch of"] = len(all)
		}
		c.replies <- one
	}
}

func (c *client) send(text string) {
	c.t.Helper()
	_, err := io.WriteString(c.in, text)
	require.NoError(c.t, err)
}

func (c *client) next() map[string]any {
	c.t.Helper()
	select {
	case reply, ok := <-c.replies:
		require.True(c.t, ok, "the server has ended")
		return reply
	case <-time.After(wiretest.Patience):
		require.Fail(c.t, "no reply came")
		return nil
	}
}

// initialize opens a session and returns the result.
func (c *client) initialize(version string) map[string]any {
	c.t.Helper()
	c.send(wiretest.InitializeLine(version))
	result, ok := c.next()["result"].(map[string]any)
	require.True(c.t, ok)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	return result
}

// rest closes the input and returns the summaries of all further replies.
func (c *client) rest() []string {
	c.t.Helper()
	require.NoError(c.t, c.in.Close())
	got := []string{}
	for reply := range c.replies {
		got = append(got, wiretest.Summary(reply))
	}
	require.NoError(c.t, <-c.served)
	return got
}

func TestEndOfInput(t *testing.T) {
	for _, test := range []struct {
		name  string
		input string
		want  []string
	}{
		{"nothing", "", []string{}},
		{"last line without newline", wiretest.PingLine("7"), []string{"7 ok"}},
		{"in a line", `{"jsonrpc":"2.0","id":7,"met`, []string{"7 -32700"}},
		{"in headers", "Content-Length: 40\r\n", []string{wiretest.ParseNull}},
		{"before a body", "Content-Length: 40\r\n\r\n", []string{wiretest.ParseNull}},
		{"in a body", "Content-Length: 400\r\n\r\n" + `{"jsonrpc":"2.0","id":7,"method":"x"`, []string{"7 -32700"}},
		{"before a body too long", "Content-Length: 99999999999\r\n\r\n" + `{"id":7,"me`, []string{"7 -32600"}},
		{"many requests", lines(200), replies(200)},
		{"a question nobody can answer", wiretest.CallLine("7", "ask") + "\n", []string{"1 elicitation/create", "7 ok"}},
		{"two questions", wiretest.CallLine("7", "ask") + "\n" + wiretest.CallLine("8", "ask") + "\n",
			[]string{"1 elicitation/create", "2 elicitation/create", "7 ok", "8 ok"}},
		{"a batch", "[" + wiretest.PingLine("7") + "," + wiretest.CallLine("8", "echo") + "]",
			[]string{"7 ok in batch of 2", "8 ok in batch of 2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := serve(t, &StdioTransport{})
			c.initialize("2025-03-26")
			c.send(test.input)
			require.ElementsMatch(t, test.want, c.rest())
		})
	}
}

// lines is n calls, replies what answers to them.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(wiretest.CallLine(strconv.Itoa(i), "echo") + "\n")
	}
	return b.String()
}

func replies(n int) []string {
	var all []string
	for i := range n {
		all = append(all, strconv.Itoa(i)+" ok")
	}
	return all
}

// Everything comes in one piece and the input ends at once, as with echo '...' | server.
func TestPipedInput(t *testing.T) {
	for _, framed := range []func(string) string{func(s string) string { return s + "\n" }, wiretest.Headed} {
		var input strings.Builder
		input.WriteString(framed(strings.TrimSpace(wiretest.InitializeLine("2025-11-25"))))
		want := []string{`"init" ok`}
		for i := range 3 * maxOpen {
			input.WriteString(framed(wiretest.CallLine(strconv.Itoa(i), "echo")))
			want = append(want, strconv.Itoa(i)+" ok")
		}
		c := serve(t, &StdioTransport{})
		c.send(input.String())
		require.ElementsMatch(t, want, c.rest())
	}
}

func TestPendingCallsAreAnsweredAfterTheEnd(t *testing.T) {
	c := serve(t, &StdioTransport{})
	c.initialize("2025-11-25")
	for _, id := range []string{"1", "2", "3"} {
		c.send(wiretest.CallLine(id, "wait") + "\n")
	}
	require.NoError(t, c.in.Close())
	time.AfterFunc(20*time.Millisecond, func() { close(c.release) })
	got := []string{wiretest.Summary(c.next()), wiretest.Summary(c.next()), wiretest.Summary(c.next())}
	require.ElementsMatch(t, []string{"1 ok", "2 ok", "3 ok"}, got)
	require.NoError(t, <-c.served)
}

func TestDrainBoundsPendingCalls(t *testing.T) {
	c := serve(t, &StdioTransport{Drain: 50 * time.Millisecond})
	c.initialize("2025-11-25")
	c.send(wiretest.CallLine("1", "wait") + "\n" + wiretest.CallLine("2", "wait") + "\n" + wiretest.CancelLine("2"))
	require.NoError(t, c.in.Close())
	last := c.next()
	require.Equal(t, "1 -32603", wiretest.Summary(last))
	require.Contains(t, last["error"].(map[string]any)["message"], "the input has ended")
	require.NoError(t, <-c.served)
}

// As long as calls are answered, others may go on.
func TestDrainWaitsForProgress(t *testing.T) {
	const drain = time.Second
	c := serve(t, &StdioTransport{Drain: drain})
	c.initialize("2025-11-25")
	c.send(wiretest.CallLine("1", "wait") + "\n")
	const calls = 2 * drain / pause
	for i := range calls {
		c.send(wiretest.CallLine(strconv.Itoa(100+int(i)), "pause") + "\n")
	}
	require.NoError(t, c.in.Close())
	for range calls {
		require.Contains(t, wiretest.Summary(c.next()), " ok")
	}
	close(c.release)
	require.Equal(t, "1 ok", wiretest.Summary(c.next()))
	require.NoError(t, <-c.served)
}

func TestContextEndsPendingCalls(t *testing.T) {
	for _, closed := range []bool{false, true} {
		c := serve(t, &StdioTransport{})
		c.initialize("2025-11-25")
		c.send(wiretest.CallLine("1", "wait") + "\n" + wiretest.PingLine("2") + "\n")
		require.Equal(t, "2 ok", wiretest.Summary(c.next()))
		if closed {
			require.NoError(t, c.in.Close())
		}
		c.cancel()
		select {
		case err := <-c.served:
			if !closed || err != nil { // the call may end first, and with it what there was to wait for
				require.ErrorIs(t, err, context.Canceled)
			}
		case <-time.After(wiretest.Patience):
			require.Fail(t, "the server goes on")
		}
	}
}

func TestCancelledCallsHaveNoReply(t *testing.T) {
	c := serve(t, &StdioTransport{})
	c.initialize("2025-11-25")
	c.send(wiretest.CallLine("1", "wait") + "\n" + wiretest.CallLine(`"two"`, "wait") + "\n" +
		wiretest.CallLine("3", "wait") + "\n")
	c.send(wiretest.CallLine("9007199254740993", "wait") + "\n" + wiretest.CallLine("1.0", "wait") + "\n")
	c.send(wiretest.CancelLine("1") + wiretest.CancelLine(`"two"`) + wiretest.CancelLine("99") +
		wiretest.CancelLine("9007199254740993") + wiretest.CancelLine("1.0"))
	c.send(wiretest.PingLine("4") + "\n")
	require.Equal(t, "4 ok", wiretest.Summary(c.next()))
	close(c.release)
	require.Equal(t, []string{"3 ok"}, c.rest())
}

func TestCancelledCallsInABatch(t *testing.T) {
	c := serve(t, &StdioTransport{})
	c.initialize("2025-03-26")
	c.send("[" + wiretest.CallLine("1", "wait") + "," + wiretest.PingLine("2") + "]\n" + wiretest.CancelLine("1"))
	require.Equal(t, []string{"2 ok in batch of 1"}, c.rest())
}

// A cancelled subscription is answered, and does not keep the server from ending.
func TestListenStreams(t *testing.T) {
	listen := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{` + wiretest.Stateless +
			`,"notifications":{"toolsListChanged":true}}}` + "\n"
	}
	c := serve(t, &StdioTransport{})
	c.send(listen("1") + listen("2"))
	require.Equal(t, "null notifications/subscriptions/acknowledged", wiretest.Summary(c.next()))
	require.Equal(t, "null notifications/subscriptions/acknowledged", wiretest.Summary(c.next()))
	c.send(wiretest.CancelLine("1"))
	require.Contains(t, wiretest.Summary(c.next()), "1 ")
	c.send(listen("1e3"))
	meta := c.next()["params"].(map[string]any)["_meta"]
	require.Equal(t, map[string]any{"io.modelcontextprotocol/subscriptionId": 1e3}, meta)
	c.rest()
}

func TestBatchesEndedWithAVersion(t *testing.T) {
	for version, want := range map[string]string{
		"2024-11-05": "7 ok in batch of 1", "2025-03-26": "7 ok in batch of 1",
		"2025-06-18": wiretest.InvalidNull, "2025-11-25": wiretest.InvalidNull,
	} {
		c := serve(t, &StdioTransport{})
		c.initialize(version)
		c.send("[" + wiretest.PingLine("7") + "]\n")
		require.Equal(t, []string{want}, c.rest(), version)
	}
}

func TestForcedFraming(t *testing.T) {
	for _, test := range []struct {
		framing Framing
		input   string
		want    []string
		replies Framing
	}{
		{Lines, wiretest.Headed(wiretest.PingLine("7")) + "\n", []string{wiretest.ParseNull, "7 ok"}, Lines},
		{ContentLength, wiretest.PingLine("7") + "\n" + wiretest.Headed(wiretest.PingLine("8")),
			[]string{"7 -32700", "8 ok"}, ContentLength},
	} {
		c := serve(t, &StdioTransport{Framing: test.framing})
		c.send(test.input)
		require.ElementsMatch(t, test.want, c.rest(), test.framing)
		for _, framing := range c.framings {
			require.Equal(t, test.replies, framing)
		}
	}
}

func TestRepliesFollowTheFraming(t *testing.T) {
	c := serve(t, &StdioTransport{})
	for _, input := range []string{wiretest.PingLine("1") + "\n", wiretest.Headed(wiretest.PingLine("2")), "noise\n",
		wiretest.PingLine("3") + "\n"} {
		c.send(input)
		c.next()
	}
	require.Equal(t, []Framing{Lines, ContentLength, ContentLength, Lines}, c.framings)
	c.rest()
}

func TestParseFraming(t *testing.T) {
	for _, f := range []Framing{Auto, Lines, ContentLength} {
		got, err := ParseFraming(f.String())
		require.NoError(t, err)
		require.Equal(t, f, got)
	}
	_, err := ParseFraming("smoke")
	require.ErrorContains(t, err, "content-length")
}

// brokenPipe is an output that nobody reads.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestBrokenOutputEndsTheSession(t *testing.T) {
	in, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- testServer(nil).Run(t.Context(), &StdioTransport{In: in, Out: brokenPipe{}})
	}()
	_, err := io.WriteString(out, wiretest.CallLine("1", "wait")+"\nnoise\n")
	require.NoError(t, err)
	select {
	case <-served:
	case <-time.After(wiretest.Patience):
		require.Fail(t, "the server goes on")
	}
}

func TestConnectNeedsStreams(t *testing.T) {
	_, err := (&StdioTransport{In: strings.NewReader("")}).Connect(t.Context())
	require.Error(t, err)
}

// A client that asks to initialize a version without initialize gets one that works: the
// server can still ask it questions.
func TestRepairInitialize(t *testing.T) {
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "2099-01-01": "2025-11-25", "": "2025-11-25", "zebra": "2025-11-25",
	} {
		t.Run(asked, func(t *testing.T) {
			c := serve(t, &StdioTransport{})
			require.Equal(t, want, c.initialize(asked)["protocolVersion"])
			c.send(wiretest.CallLine("1", "ask") + "\n")
			require.Equal(t, "1 elicitation/create", wiretest.Summary(c.next()))
			c.send(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}` + "\n")
			require.Equal(t, []string{"1 ok"}, c.rest())
		})
	}
}

// Calls wait for their turn once too many are open, but answers still come through.
func TestReadingPausesButTakesAnswers(t *testing.T) {
	c := serve(t, &StdioTransport{})
	c.initialize("2025-11-25")
	go func() {
		for i := range maxOpen + 10 {
			c.send(wiretest.CallLine(strconv.Itoa(i), "ask") + "\n")
		}
	}()
	for range maxOpen + 10 {
		require.Contains(t, wiretest.Summary(c.next()), "elicitation/create")
	}
	go func() {
		for i := range maxOpen + 10 {
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"action":"decline"}}`+"\n", i+1))
		}
	}()
	for range maxOpen + 10 {
		require.Contains(t, wiretest.Summary(c.next()), " ok")
	}
	require.Empty(t, c.rest())
}

// What has been sent before the transport is stopped is read, and what comes later is not.
func TestStopReadsWhatWasSent(t *testing.T) {
	in, client, err := os.Pipe()
	require.NoError(t, err)
	defer client.Close()
	const sent = 3
	for id := range sent {
		_, err := fmt.Fprintf(client, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", id)
		require.NoError(t, err)
	}
	stop := make(chan struct{})
	close(stop)
	var out bytes.Buffer
	conn, err := (&StdioTransport{In: in, Out: &out, Stop: stop}).Connect(t.Context())
	require.NoError(t, err)
	for range sent {
		msg, err := conn.Read(t.Context())
		require.NoError(t, err)
		pong := &jsonrpc.Response{ID: msg.(*jsonrpc.Request).ID, Result: json.RawMessage(`{}`)}
		require.NoError(t, conn.Write(t.Context(), pong))
	}
	_, err = conn.Read(t.Context())
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, sent, strings.Count(out.String(), `"result"`))
}
