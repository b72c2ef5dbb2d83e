package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// This file sends inputs that break a careless server. Each is sent in the middle of a session with the SDK's
// server; the session must survive it and answer what can be answered.

func TestMalformedLines(t *testing.T) {
	for _, test := range wiretest.MalformedLines() {
		t.Run(test.Name, func(t *testing.T) {
			c := serve(t, &StdioTransport{MaxMessage: 8 << 20})
			c.initialize("2025-03-26")
			c.survives(test, wiretest.PingLine(`"end"`)+"\n")
		})
	}
}

func TestMalformedHeaders(t *testing.T) {
	for _, test := range wiretest.MalformedHeaders() {
		t.Run(test.Name, func(t *testing.T) {
			c := serve(t, &StdioTransport{MaxMessage: 8 << 20})
			c.send(wiretest.Headed(wiretest.InitializeLine("2025-03-26")))
			require.Equal(t, `"init" ok`, wiretest.Summary(c.next()))
			c.survives(test, wiretest.Headed(wiretest.PingLine(`"end"`)))
			for _, framing := range c.framings[:1] {
				require.Equal(t, ContentLength, framing)
			}
		})
	}
}

// survives sends the input and the end, and requires the replies to both and nothing else.
func (c *client) survives(test wiretest.Malformed, end string) {
	c.t.Helper()
	c.send(test.Input + end)
	want := append([]string{`"end" ok`}, test.Want...)
	var got []string
	for range want {
		got = append(got, wiretest.Summary(c.next()))
	}
	require.ElementsMatch(c.t, want, got)
	require.NoError(c.t, c.in.Close())
	for reply := range c.replies {
		require.Fail(c.t, "surplus reply", "%v", reply)
	}
	require.NoError(c.t, <-c.served)
}
