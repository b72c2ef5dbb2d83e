package wiretest

import "strings"

// This file lists inputs that break a careless server.

// Malformed is an input and the replies to it, in any order.
type Malformed struct {
	Name  string
	Input string
	Want  []string
}

// Replies to messages whose id nobody knows.
const (
	ParseNull   = "null -32700"
	InvalidNull = "null -32600"
)

// MalformedLines returns what is sent by a client whose messages are lines.
func MalformedLines() []Malformed {
	return []Malformed{
		// not JSON
		{"plain text", "hello\n", []string{ParseNull}},
		{"truncated message", `{"jsonrpc":"2.0","id":7,"method":"ping"` + "\n", []string{"7 -32700"}},
		{"single quotes", `{'jsonrpc':'2.0','id':7,'method':'ping'}` + "\n", []string{ParseNull}},
		{"trailing comma", `{"jsonrpc":"2.0","id":7,"method":"ping",}` + "\n", []string{"7 -32700"}},
		{"comment", `{"jsonrpc":"2.0","id":7,"method":"ping"} // hi` + "\n", []string{"7 -32700"}},
		{"NaN", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":NaN}}` + "\n", []string{"7 -32700"}},
		{"two messages on a line", PingLine("7") + " " + PingLine("8") + "\n", []string{"7 -32700"}},
		{"carriage return between messages", PingLine("7") + "\r" + PingLine("8") + "\n", []string{"7 -32700"}},
		{"message over two lines", "{\"jsonrpc\":\"2.0\",\n\"id\":7,\"method\":\"ping\"}\n", []string{ParseNull, ParseNull}},
		{"raw tab in a string", "{\"jsonrpc\":\"2.0\",\"id\":\"a\tb\",\"method\":\"ping\"}\n", []string{ParseNull}},
		{"an HTTP request", "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n",
			[]string{ParseNull, ParseNull, ParseNull}},
		{"a log line with a colon", "note: listening\n", []string{ParseNull}},

		// bytes
		{"byte order mark before a message", "\ufeff" + PingLine("7") + "\n", []string{"7 ok"}},
		{"byte order mark alone", "\ufeff\n", nil},
		{"invalid UTF-8 in a value", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + "\xff\xfe" + `"}}` + "\n",
			[]string{"7 -32700"}},
		{"invalid UTF-8 in the id", `{"jsonrpc":"2.0","id":"` + "\xc3" + `","method":"ping"}` + "\n", []string{ParseNull}},
		{"overlong UTF-8", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + "\xc0\xaf" + `"}}` + "\n",
			[]string{"7 -32700"}},
		{"UTF-16", "\xfe\xff\x00{\x00\"\x00i\x00d\x00\"\x00:\x001\x00}\x00\n", []string{ParseNull}},
		{"NUL bytes alone", "\x00\x00\x00\n", []string{ParseNull}},
		{"NUL byte in a string", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"x\":\"a\x00b\"}}\n",
			[]string{"7 -32700"}},
		{"escaped NUL", `{"jsonrpc":"2.0","id":"a\u0000b","method":"ping"}` + "\n", []string{`"a\u0000b" ok`}},
		{"lone surrogate", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"x":"\ud800"}}}` + "\n",
			[]string{"7 ok"}},

		// space
		{"trailing spaces", PingLine("7") + "   \t\n", []string{"7 ok"}},
		{"leading spaces", "  \t" + PingLine("7") + "\n", []string{"7 ok"}},
		{"CRLF", PingLine("7") + "\r\n", []string{"7 ok"}},
		{"blank lines", "\n\r\n   \n\t\r\n", nil},

		// envelopes
		{"missing jsonrpc", `{"id":7,"method":"ping"}` + "\n", []string{"7 -32600"}},
		{"jsonrpc 1.0", `{"jsonrpc":"1.0","id":7,"method":"ping"}` + "\n", []string{"7 -32600"}},
		{"jsonrpc as a number", `{"jsonrpc":2.0,"id":7,"method":"ping"}` + "\n", []string{"7 -32600"}},
		{"empty object", "{}\n", []string{InvalidNull}},
		{"a number", "42\n", []string{InvalidNull}},
		{"a string", "\"ping\"\n", []string{InvalidNull}},
		{"true", "true\n", []string{InvalidNull}},
		{"null", "null\n", []string{InvalidNull}},
		{"neither method nor result", `{"jsonrpc":"2.0","id":7}` + "\n", []string{"7 -32600"}},
		{"wrong case of keys", `{"JSONRPC":"2.0","ID":7,"Method":"ping"}` + "\n", []string{InvalidNull}},
		{"duplicate keys", `{"jsonrpc":"2.0","id":7,"id":8,"method":"nope","method":"ping"}` + "\n", []string{"8 ok"}},
		{"unknown keys", `{"jsonrpc":"2.0","id":7,"method":"ping","extra":[1]}` + "\n", []string{"7 ok"}},

		// ids
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}` + "\n", []string{InvalidNull}},
		{"fractional id", PingLine("1.5") + "\n", []string{InvalidNull}},
		{"boolean id", PingLine("true") + "\n", []string{InvalidNull}},
		{"object as id", PingLine(`{"a":1}`) + "\n", []string{InvalidNull}},
		{"array as id", PingLine(`[1]`) + "\n", []string{InvalidNull}},
		{"id at 2^53", PingLine("9007199254740992") + "\n", []string{"9007199254740992 ok"}},
		{"id below 2^53", PingLine("-9007199254740991") + "\n", []string{"-9007199254740991 ok"}},
		{"id beyond 2^53", PingLine("-9007199254740993") + "\n", []string{"-9007199254740993 ok"}},
		{"id beyond 2^64", PingLine("18446744073709551617") + "\n", []string{"18446744073709551617 ok"}},
		{"id beyond doubles", PingLine("1e999") + "\n", []string{"1e999 ok"}},
		{"id with a point", PingLine("1.0") + "\n", []string{"1.0 ok"}},
		{"id with a point and an exponent", PingLine("1.5e1") + "\n", []string{"1.5e1 ok"}},
		{"id with an exponent", PingLine("1E3") + "\n", []string{"1E3 ok"}},
		{"id -0", PingLine("-0") + "\n", []string{"-0 ok"}},
		{"id that is a fraction with an exponent", PingLine("1e-1") + "\n", []string{InvalidNull}},
		{"id that is a long text", PingLine(`"`+strings.Repeat("x", 100_000)+`"`) + "\n",
			[]string{`"` + strings.Repeat("x", 100_000) + `" ok`}},
		{"id with a lone surrogate", PingLine(`"\ud800"`) + "\n", []string{`"\ud800" ok`}},
		{"id with characters of HTML", PingLine(`"<a>&\u2028"`) + "\n", []string{`"\u003ca\u003e\u0026\u2028" ok`}},
		{"empty string as id", PingLine(`""`) + "\n", []string{`"" ok`}},
		{"negative id", PingLine("-3") + "\n", []string{"-3 ok"}},
		{"id in use", CallLine("7", "wait") + "\n" + PingLine("7") + "\n" + CancelLine("7"), []string{InvalidNull}},
		{"bad JSON with an id in use", CallLine("7", "wait") + "\n" + `{"id":7,}` + "\n" + CancelLine("7"),
			[]string{ParseNull}},

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
		{"params of the wrong type", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}` + "\n",
			[]string{"7 -32602"}},
		{"tool unknown", CallLine("7", "nope") + "\n", []string{"7 -32602"}},
		{"arguments an array", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":[1]}}` +
			"\n", []string{"7 ok"}},
		{"cancelling without an id", `{"jsonrpc":"2.0","method":"notifications/cancelled"}` + "\n", nil},
		{"cancelling an odd id", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}` + "\n",
			nil},
		{"initialize again", strings.Replace(InitializeLine("2025-03-26"), `"init"`, "7", 1), []string{"7 -32600"}},

		// responses
		{"error with a null id", `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}}` + "\n", nil},
		{"error without an id", `{"jsonrpc":"2.0","error":{"code":-1,"message":"x"}}` + "\n", nil},
		{"error that is a string", `{"jsonrpc":"2.0","id":7,"error":"x"}` + "\n", nil},
		{"result for no request", `{"jsonrpc":"2.0","id":7,"result":{}}` + "\n", nil},
		{"result without jsonrpc", `{"id":7,"result":{}}` + "\n", nil},

		// size and depth
		{"a million brackets", strings.Repeat("[", 1_000_000) + "\n", []string{ParseNull}},
		{"a million objects", strings.Repeat(`{"a":`, 1_000_000) + "\n", []string{ParseNull}},
		{"params nested too deep", deepLine("7", 200_000), []string{"7 -32700"}},
		{"params nested deep", deepLine("7", 900), []string{"7 ok"}},
		{"a line too long, id first", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + long() + `"}}` + "\n",
			[]string{"7 -32600"}},
		{"a line too long, id last", `{"method":"ping","params":{"id":1,"x":"` + long() + `"},"jsonrpc":"2.0","id":7}` + "\n",
			[]string{"7 -32600"}},
		{"a line too long that is not JSON", long() + "\n", []string{InvalidNull}},
		{"a long number", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"x":1` +
			strings.Repeat("0", 100_000) + "}}}\n", []string{"7 ok"}},

		// batches
		{"empty batch", "[]\n", []string{InvalidNull}},
		{"batch of numbers", "[1,2]\n", []string{"null -32600 in batch of 2", "null -32600 in batch of 2"}},
		{"batch of requests", "[" + PingLine("7") + "," + PingLine("8") + "]\n",
			[]string{"7 ok in batch of 2", "8 ok in batch of 2"}},
		{"batch of notifications", `[{"jsonrpc":"2.0","method":"notifications/nope"}]` + "\n", nil},
		{"batch of everything", `[{"jsonrpc":"2.0","method":"notifications/nope"},` + PingLine("7") +
			`,{"id":8},{"jsonrpc":"2.0","id":9,"result":{}}]` + "\n",
			[]string{"7 ok in batch of 2", "8 -32600 in batch of 2"}},
		{"batch with one id twice", "[" + CallLine("7", "wait") + "," + PingLine("7") + "]\n" + CancelLine("7"),
			[]string{"null -32600 in batch of 1"}},
		{"batch in a batch", "[[" + PingLine("7") + "]]\n", []string{"null -32600 in batch of 1"}},
		{"batch too large", "[" + strings.Repeat("1,", 2000) + "1]\n", []string{InvalidNull}},
		{"batch cut off", "[" + PingLine("7") + ",\n", []string{ParseNull}},
	}
}

// MalformedHeaders returns what is sent by a client whose messages have Content-Length headers.
func MalformedHeaders() []Malformed {
	return []Malformed{
		{"plain", Headed(PingLine("7")), []string{"7 ok"}},
		{"lower case", "content-length: 43\r\n\r\n" + PingLine("7777"), []string{"7777 ok"}},
		{"no space", "Content-Length:43\r\n\r\n" + PingLine("7777"), []string{"7777 ok"}},
		{"spaces", "Content-Length \t:  43  \r\n\r\n" + PingLine("7777"), []string{"7777 ok"}},
		{"line feeds only", "Content-Length: 43\n\n" + PingLine("7777"), []string{"7777 ok"}},
		{"header after it", "Content-Length: 43\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n" +
			PingLine("7777"), []string{"7777 ok"}},
		{"header before it", "X-Trace: 5\r\nContent-Length: 43\r\n\r\n" + PingLine("7777"), []string{"7777 ok"}},
		{"twice, the last counts", "Content-Length: 5\r\nContent-Length: 43\r\n\r\n" + PingLine("7777"), []string{"7777 ok"}},
		{"byte order mark before the header", "\ufeff" + Headed(PingLine("7")), []string{"7 ok"}},
		{"byte order mark before the body", Headed("\ufeff" + PingLine("7")), []string{"7 ok"}},
		{"line break after the body", Headed(PingLine("7")) + "\r\n\r\n", []string{"7 ok"}},
		{"body with line breaks", Headed("{\"jsonrpc\":\"2.0\",\n\"id\":7,\r\n\"method\":\"ping\"}\n"), []string{"7 ok"}},
		{"body not JSON", Headed("hello"), []string{ParseNull}},
		{"body truncated", Headed(`{"jsonrpc":"2.0","id":7,`), []string{"7 -32700"}},
		{"zero", Headed(""), []string{ParseNull}},
		{"negative", "Content-Length: -5\r\n\r\n" + PingLine("7"), []string{"7 -32700"}},
		{"not a number", "Content-Length: many\r\n\r\n" + PingLine("7"), []string{"7 -32700"}},
		{"hexadecimal", "Content-Length: 0x28\r\n\r\n" + PingLine("7"), []string{"7 -32700"}},
		{"empty value", "Content-Length:\r\n\r\n" + PingLine("7"), []string{"7 -32700"}},
		{"too large to be true", "Content-Length: 99999999999\r\n\r\n" + PingLine("7"), []string{"7 -32600"}},
		{"too large for a number", "Content-Length: 99999999999999999999999\r\n\r\n" + PingLine("7"), []string{"7 -32600"}},
		{"really too large", Headed(`{"jsonrpc":"2.0","method":"ping","params":{"x":"` + long() + `"},"id":7}`),
			[]string{"7 -32600"}},
		{"a little too small", "Content-Length: 38\r\n\r\n" + PingLine("7777"), []string{ParseNull, "7777 -32700"}},
		{"much too large", "Content-Length: 100\r\n\r\n" + PingLine("7777") + Headed(PingLine("8888")),
			[]string{"7777 -32700", ParseNull}},
		{"missing", "Content-Type: application/json\r\n\r\n" + PingLine("7") + "\n", []string{ParseNull, "7 ok"}},
		{"no empty line", "Content-Length: 43\r\n" + PingLine("7777") + "\n", []string{ParseNull, "7777 ok"}},
		{"noise between", "hello\n" + Headed(PingLine("7")), []string{ParseNull, "7 ok"}},
		{"a line between", PingLine("7") + "\n" + Headed(PingLine("8")), []string{"7 ok", "8 ok"}},
		{"header without an end", "Content-Length\r\n", []string{ParseNull}},
		{"too many headers", strings.Repeat("X-A: 1\r\n", 100) + "\r\n", []string{ParseNull, ParseNull}},
		{"batch", Headed("[" + PingLine("7") + "]"), []string{"7 ok in batch of 1"}},
	}
}

// long is longer than the messages that the tests allow.
func long() string { return strings.Repeat("x", 9<<20) }

// CancelLine is a line that gives up a request.
func CancelLine(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + "}}\n"
}

func deepLine(id string, depth int) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping","params":{"_meta":{"x":` +
		strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}}}\n"
}
