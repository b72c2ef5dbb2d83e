package bridge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file lists inputs that break a careless server. Each is sent in the middle of a session
// with the SDK's server; the session must survive it and answer what can be answered.

// malformed is an input and the replies to it, in any order.
type malformed struct {
	name  string
	input string
	want  []string
}

const (
	parseNull   = "null -32700"
	invalidNull = "null -32600"
)

var malformedLines = []malformed{
	// not JSON
	{"plain text", "hello\n", []string{parseNull}},
	{"truncated message", `{"jsonrpc":"2.0","id":7,"method":"ping"` + "\n", []string{"7 -32700"}},
	{"single quotes", `{'jsonrpc':'2.0','id':7,'method':'ping'}` + "\n", []string{parseNull}},
	{"trailing comma", `{"jsonrpc":"2.0","id":7,"method":"ping",}` + "\n", []string{"7 -32700"}},
	{"comment", `{"jsonrpc":"2.0","id":7,"method":"ping"} // hi` + "\n", []string{"7 -32700"}},
	{"NaN", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":NaN}}` + "\n", []string{"7 -32700"}},
	{"two messages on a line", pingLine("7") + " " + pingLine("8") + "\n", []string{"7 -32700"}},
	{"carriage return between messages", pingLine("7") + "\r" + pingLine("8") + "\n", []string{"7 -32700"}},
	{"message over two lines", "{\"jsonrpc\":\"2.0\",\n\"id\":7,\"method\":\"ping\"}\n", []string{parseNull, parseNull}},
	{"raw tab in a string", "{\"jsonrpc\":\"2.0\",\"id\":\"a\tb\",\"method\":\"ping\"}\n", []string{parseNull}},
	{"an HTTP request", "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n",
		[]string{parseNull, parseNull, parseNull}},
	{"a log line with a colon", "note: listening\n", []string{parseNull}},

	// bytes
	{"byte order mark before a message", "\ufeff" + pingLine("7") + "\n", []string{"7 ok"}},
	{"byte order mark alone", "\ufeff\n", nil},
	{"invalid UTF-8 in a value", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + "\xff\xfe" + `"}}` + "\n", []string{"7 -32700"}},
	{"invalid UTF-8 in the id", `{"jsonrpc":"2.0","id":"` + "\xc3" + `","method":"ping"}` + "\n", []string{parseNull}},
	{"overlong UTF-8", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + "\xc0\xaf" + `"}}` + "\n", []string{"7 -32700"}},
	{"UTF-16", "\xfe\xff\x00{\x00\"\x00i\x00d\x00\"\x00:\x001\x00}\x00\n", []string{parseNull}},
	{"NUL bytes alone", "\x00\x00\x00\n", []string{parseNull}},
	{"NUL byte in a string", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"x\":\"a\x00b\"}}\n", []string{"7 -32700"}},
	{"escaped NUL", `{"jsonrpc":"2.0","id":"a\u0000b","method":"ping"}` + "\n", []string{`"a\u0000b" ok`}},
	{"lone surrogate", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"x":"\ud800"}}}` + "\n", []string{"7 ok"}},

	// space
	{"trailing spaces", pingLine("7") + "   \t\n", []string{"7 ok"}},
	{"leading spaces", "  \t" + pingLine("7") + "\n", []string{"7 ok"}},
	{"CRLF", pingLine("7") + "\r\n", []string{"7 ok"}},
	{"blank lines", "\n\r\n   \n\t\r\n", nil},

	// envelopes
	{"missing jsonrpc", `{"id":7,"method":"ping"}` + "\n", []string{"7 -32600"}},
	{"jsonrpc 1.0", `{"jsonrpc":"1.0","id":7,"method":"ping"}` + "\n", []string{"7 -32600"}},
	{"jsonrpc as a number", `{"jsonrpc":2.0,"id":7,"method":"ping"}` + "\n", []string{"7 -32600"}},
	{"empty object", "{}\n", []string{invalidNull}},
	{"a number", "42\n", []string{invalidNull}},
	{"a string", "\"ping\"\n", []string{invalidNull}},
	{"true", "true\n", []string{invalidNull}},
	{"null", "null\n", []string{invalidNull}},
	{"neither method nor result", `{"jsonrpc":"2.0","id":7}` + "\n", []string{"7 -32600"}},
	{"wrong case of keys", `{"JSONRPC":"2.0","ID":7,"Method":"ping"}` + "\n", []string{invalidNull}},
	{"duplicate keys", `{"jsonrpc":"2.0","id":7,"id":8,"method":"nope","method":"ping"}` + "\n", []string{"8 ok"}},
	{"unknown keys", `{"jsonrpc":"2.0","id":7,"method":"ping","extra":[1]}` + "\n", []string{"7 ok"}},

	// ids
	{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}` + "\n", []string{invalidNull}},
	{"fractional id", pingLine("1.5") + "\n", []string{invalidNull}},
	{"boolean id", pingLine("true") + "\n", []string{invalidNull}},
	{"object as id", pingLine(`{"a":1}`) + "\n", []string{invalidNull}},
	{"array as id", pingLine(`[1]`) + "\n", []string{invalidNull}},
	{"id beyond 2^53", pingLine("9007199254740993") + "\n", []string{invalidNull}},
	{"id beyond doubles", pingLine("1e999") + "\n", []string{invalidNull}},
	{"empty string as id", pingLine(`""`) + "\n", []string{`"" ok`}},
	{"negative id", pingLine("-3") + "\n", []string{"-3 ok"}},
	{"id in use", callLine("7", "wait") + "\n" + pingLine("7") + "\n" + cancelLine("7"), []string{invalidNull}},
	{"bad JSON with an id in use", callLine("7", "wait") + "\n" + `{"id":7,}` + "\n" + cancelLine("7"), []string{parseNull}},

	// methods and params
	{"method null", `{"jsonrpc":"2.0","id":7,"method":null}` + "\n", []string{"7 -32600"}},
	{"method a number", `{"jsonrpc":"2.0","id":7,"method":5}` + "\n", []string{"7 -32600"}},
	{"method empty", `{"jsonrpc":"2.0","id":7,"method":""}` + "\n", []string{"7 -32601"}},
	{"method unknown", `{"jsonrpc":"2.0","id":7,"method":"nope"}` + "\n", []string{"7 -32601"}},
	{"notification unknown", `{"jsonrpc":"2.0","method":"notifications/nope"}` + "\n", nil},
	{"params a string", `{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}` + "\n", []string{"7 -32600"}},
	{"params a number", `{"jsonrpc":"2.0","id":7,"method":"ping","params":1}` + "\n", []string{"7 -32600"}},
	{"params an array", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}` + "\n", []string{"7 -32602"}},
	{"params null", `{"jsonrpc":"2.0","id":7,"method":"ping","params":null}` + "\n", []string{"7 ok"}},
	{"params of the wrong type", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}` + "\n", []string{"7 -32602"}},
	{"tool unknown", callLine("7", "nope") + "\n", []string{"7 -32602"}},
	{"arguments an array", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":[1]}}` + "\n", []string{"7 ok"}},
	{"cancelling without an id", `{"jsonrpc":"2.0","method":"notifications/cancelled"}` + "\n", nil},
	{"cancelling an odd id", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}` + "\n", nil},
	{"initialize again", strings.Replace(initializeLine("2025-03-26"), `"init"`, "7", 1), []string{"7 -32600"}},

	// responses
	{"error with a null id", `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}}` + "\n", nil},
	{"error without an id", `{"jsonrpc":"2.0","error":{"code":-1,"message":"x"}}` + "\n", nil},
	{"error that is a string", `{"jsonrpc":"2.0","id":7,"error":"x"}` + "\n", nil},
	{"result for no request", `{"jsonrpc":"2.0","id":7,"result":{}}` + "\n", nil},
	{"result without jsonrpc", `{"id":7,"result":{}}` + "\n", nil},

	// size and depth
	{"a million brackets", strings.Repeat("[", 1_000_000) + "\n", []string{parseNull}},
	{"a million objects", strings.Repeat(`{"a":`, 1_000_000) + "\n", []string{parseNull}},
	{"params nested too deep", deepLine("7", 200_000), []string{"7 -32700"}},
	{"params nested deep", deepLine("7", 900), []string{"7 ok"}},
	{"a line too long, id first", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + long + `"}}` + "\n", []string{"7 -32600"}},
	{"a line too long, id last", `{"method":"ping","params":{"id":1,"x":"` + long + `"},"jsonrpc":"2.0","id":7}` + "\n", []string{"7 -32600"}},
	{"a line too long that is not JSON", long + "\n", []string{invalidNull}},
	{"a long number", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"x":1` + strings.Repeat("0", 100_000) + "}}}\n", []string{"7 ok"}},

	// batches
	{"empty batch", "[]\n", []string{invalidNull}},
	{"batch of numbers", "[1,2]\n", []string{"null -32600 in batch of 2", "null -32600 in batch of 2"}},
	{"batch of requests", "[" + pingLine("7") + "," + pingLine("8") + "]\n", []string{"7 ok in batch of 2", "8 ok in batch of 2"}},
	{"batch of notifications", `[{"jsonrpc":"2.0","method":"notifications/nope"}]` + "\n", nil},
	{"batch of everything", `[{"jsonrpc":"2.0","method":"notifications/nope"},` + pingLine("7") + `,{"id":8},{"jsonrpc":"2.0","id":9,"result":{}}]` + "\n",
		[]string{"7 ok in batch of 2", "8 -32600 in batch of 2"}},
	{"batch with one id twice", "[" + callLine("7", "wait") + "," + pingLine("7") + "]\n" + cancelLine("7"), []string{"null -32600 in batch of 1"}},
	{"batch in a batch", "[[" + pingLine("7") + "]]\n", []string{"null -32600 in batch of 1"}},
	{"batch too large", "[" + strings.Repeat("1,", 2000) + "1]\n", []string{invalidNull}},
	{"batch cut off", "[" + pingLine("7") + ",\n", []string{parseNull}},
}

// malformedHeaders are sent by a client whose messages have Content-Length headers.
var malformedHeaders = []malformed{
	{"plain", headed(pingLine("7")), []string{"7 ok"}},
	{"lower case", "content-length: 43\r\n\r\n" + pingLine("7777"), []string{"7777 ok"}},
	{"no space", "Content-Length:43\r\n\r\n" + pingLine("7777"), []string{"7777 ok"}},
	{"spaces", "Content-Length \t:  43  \r\n\r\n" + pingLine("7777"), []string{"7777 ok"}},
	{"line feeds only", "Content-Length: 43\n\n" + pingLine("7777"), []string{"7777 ok"}},
	{"header after it", "Content-Length: 43\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n" + pingLine("7777"), []string{"7777 ok"}},
	{"header before it", "X-Trace: 5\r\nContent-Length: 43\r\n\r\n" + pingLine("7777"), []string{"7777 ok"}},
	{"twice, the last counts", "Content-Length: 5\r\nContent-Length: 43\r\n\r\n" + pingLine("7777"), []string{"7777 ok"}},
	{"byte order mark before the header", "\ufeff" + headed(pingLine("7")), []string{"7 ok"}},
	{"byte order mark before the body", headed("\ufeff" + pingLine("7")), []string{"7 ok"}},
	{"line break after the body", headed(pingLine("7")) + "\r\n\r\n", []string{"7 ok"}},
	{"body with line breaks", headed("{\"jsonrpc\":\"2.0\",\n\"id\":7,\r\n\"method\":\"ping\"}\n"), []string{"7 ok"}},
	{"body not JSON", headed("hello"), []string{parseNull}},
	{"body truncated", headed(`{"jsonrpc":"2.0","id":7,`), []string{"7 -32700"}},
	{"zero", headed(""), []string{parseNull}},
	{"negative", "Content-Length: -5\r\n\r\n" + pingLine("7"), []string{"7 -32700"}},
	{"not a number", "Content-Length: many\r\n\r\n" + pingLine("7"), []string{"7 -32700"}},
	{"hexadecimal", "Content-Length: 0x28\r\n\r\n" + pingLine("7"), []string{"7 -32700"}},
	{"empty value", "Content-Length:\r\n\r\n" + pingLine("7"), []string{"7 -32700"}},
	{"too large to be true", "Content-Length: 99999999999\r\n\r\n" + pingLine("7"), []string{"7 -32600"}},
	{"too large for a number", "Content-Length: 99999999999999999999999\r\n\r\n" + pingLine("7"), []string{"7 -32600"}},
	{"really too large", headed(`{"jsonrpc":"2.0","method":"ping","params":{"x":"` + long + `"},"id":7}`), []string{"7 -32600"}},
	{"a little too small", "Content-Length: 38\r\n\r\n" + pingLine("7777"), []string{parseNull, "7777 -32700"}},
	{"much too large", "Content-Length: 100\r\n\r\n" + pingLine("7777") + headed(pingLine("8888")), []string{"7777 -32700", parseNull}},
	{"missing", "Content-Type: application/json\r\n\r\n" + pingLine("7") + "\n", []string{parseNull, "7 ok"}},
	{"no empty line", "Content-Length: 43\r\n" + pingLine("7777") + "\n", []string{parseNull, "7777 ok"}},
	{"noise between", "hello\n" + headed(pingLine("7")), []string{parseNull, "7 ok"}},
	{"a line between", pingLine("7") + "\n" + headed(pingLine("8")), []string{"7 ok", "8 ok"}},
	{"header without an end", "Content-Length\r\n", []string{parseNull}},
	{"too many headers", strings.Repeat("X-A: 1\r\n", 100) + "\r\n", []string{parseNull, parseNull}},
	{"batch", headed("[" + pingLine("7") + "]"), []string{"7 ok in batch of 1"}},
}

// long is longer than the messages that the tests allow.
var long = strings.Repeat("x", 9<<20)

func cancelLine(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + "}}\n"
}

func deepLine(id string, depth int) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping","params":{"_meta":{"x":` +
		strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}}}\n"
}

func TestMalformedLines(t *testing.T) {
	for _, test := range malformedLines {
		t.Run(test.name, func(t *testing.T) {
			c := serve(t, &StdioTransport{MaxMessage: 8 << 20})
			c.initialize("2025-03-26")
			c.survives(test, pingLine(`"end"`)+"\n")
		})
	}
}

func TestMalformedHeaders(t *testing.T) {
	for _, test := range malformedHeaders {
		t.Run(test.name, func(t *testing.T) {
			c := serve(t, &StdioTransport{MaxMessage: 8 << 20})
			c.send(headed(initializeLine("2025-03-26")))
			require.Equal(t, `"init" ok`, summary(c.next()))
			c.survives(test, headed(pingLine(`"end"`)))
			for _, framing := range c.framings[:1] {
				require.Equal(t, ContentLength, framing)
			}
		})
	}
}

// survives sends the input and the end, and requires the replies to both and nothing else.
func (c *client) survives(test malformed, end string) {
	c.t.Helper()
	c.send(test.input + end)
	want := append([]string{`"end" ok`}, test.want...)
	var got []string
	for range want {
		got = append(got, summary(c.next()))
	}
	require.ElementsMatch(c.t, want, got)
	require.NoError(c.t, c.in.Close())
	for reply := range c.replies {
		require.Fail(c.t, "surplus reply", "%v", reply)
	}
	require.NoError(c.t, <-c.served)
}
