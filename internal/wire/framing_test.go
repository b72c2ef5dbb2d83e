package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/wiretest"
)

func TestFindID(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"id":5,`, `5`},
		{`{"id" : "a b" , "x`, `"a b"`},
		{`{"params":{"id":1},"id":2}`, `2`},
		{`{"params":[{"id":1},"id",3],"x":"\"id\":4,","id":-2.0}`, `-2.0`},
		{`noise {"id":5} {"id":6}`, `5`},
		{`{"id":5,"id":6}`, `6`},
		{`{"id":{"id":1},"x":1}`, ``},
		{`{"id":[1]}`, ``},
		{`{"id":1.5}`, ``},
		{`{"id":null}`, ``},
		{`{"id":tru}`, ``},
		{`{"id":"a`, ``},
		{`{"id":"` + strings.Repeat("x", 300) + `"}`, ``},
		{`{"` + strings.Repeat("x", 1e6) + `":1,"id":7}`, `7`},
		{`{"id":"` + "\xff" + `"}`, ``},
		{`{"id":"\q"}`, ``},
		{`[{"id":5}]`, ``},
		{`}}}],"id":5}`, ``},
		{``, ``},
	} {
		require.Equal(t, test.want, string(FindID([]byte(test.text))), "%.60s", test.text)
		var s idScanner
		for i := range len(test.text) {
			s.scan([]byte{test.text[i]})
		}
		require.Equal(t, test.want, string(s.id()), "%.60s in pieces", test.text)
	}
}

// frames reads all frames of an input, as text.
func frames(t *testing.T, in io.Reader, want Framing, limit int) []string {
	r := newFrameReader(in, want, limit)
	var all []string
	for {
		f, err := r.next()
		if err != nil {
			require.ErrorIs(t, err, io.EOF)
			return all
		}
		text := f.framing.String() + " " + string(f.body)
		if f.fault != nil {
			text += f.fault.Text + " " + string(f.id)
		}
		all = append(all, text)
	}
}

// The messages do not depend on the pieces in which they come, and reading ends.
func FuzzFrames(f *testing.F) {
	for _, test := range append(wiretest.MalformedLines(), wiretest.MalformedHeaders()...) {
		if len(test.Input) < 2000 {
			f.Add([]byte(test.Input))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		for want := range framingNames {
			whole := frames(t, bytes.NewReader(input), Framing(want), 1000)
			pieces := frames(t, iotest.OneByteReader(bytes.NewReader(input)), Framing(want), 1000)
			require.Equal(t, whole, pieces)
			require.LessOrEqual(t, len(whole), len(input))
		}
	})
}

// A connection answers every request once with JSON and comes to its end, whatever it reads.
func FuzzConnection(f *testing.F) {
	for _, test := range append(wiretest.MalformedLines(), wiretest.MalformedHeaders()...) {
		if len(test.Input) < 2000 {
			f.Add([]byte(test.Input))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		transport := &StdioTransport{In: bytes.NewReader(input), Out: &out, MaxMessage: 1000}
		c, err := transport.Connect(t.Context())
		require.NoError(t, err)
		answerAll(t, c)
		for _, text := range frames(t, &out, Auto, DefaultMaxMessage) {
			_, body, _ := strings.Cut(text, " ")
			require.True(t, json.Valid([]byte(body)), text)
		}
	})
}

// answerAll replies to all calls as an idle server would.
func answerAll(t *testing.T, c mcp.Connection) {
	for {
		msg, err := c.Read(t.Context())
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
			require.NoError(t, c.Write(t.Context(), &jsonrpc.Response{ID: req.ID, Result: json.RawMessage("{}")}))
		}
	}
}

// BenchmarkStdio measures a session of small calls through the SDK's server, and without it.
func BenchmarkStdio(b *testing.B) {
	for _, test := range []struct {
		name  string
		serve func(ctx context.Context, in io.Reader, out io.Writer)
	}{
		{"sdk-transport", func(ctx context.Context, in io.Reader, out io.Writer) {
			transport := &mcp.IOTransport{Reader: io.NopCloser(in), Writer: discardCloser{out}}
			_ = testServer(nil).Run(ctx, transport)
		}},
		{"our-transport", func(ctx context.Context, in io.Reader, out io.Writer) {
			_ = testServer(nil).Run(ctx, &StdioTransport{In: in, Out: out})
		}},
		{"our-transport-alone", func(ctx context.Context, in io.Reader, out io.Writer) {
			c, _ := (&StdioTransport{In: in, Out: out}).Connect(ctx)
			for {
				msg, err := c.Read(ctx)
				if err != nil {
					return
				}
				if req := msg.(*jsonrpc.Request); req.IsCall() {
					_ = c.Write(ctx, &jsonrpc.Response{ID: req.ID, Result: json.RawMessage("{}")})
				}
			}
		}},
	} {
		b.Run(test.name, func(b *testing.B) {
			inReader, in := io.Pipe()
			out, outWriter := io.Pipe()
			go test.serve(b.Context(), inReader, outWriter)
			replies := json.NewDecoder(out)
			exchange := func(line string) {
				_, _ = io.WriteString(in, line)
				var reply json.RawMessage
				require.NoError(b, replies.Decode(&reply))
			}
			exchange(wiretest.InitializeLine("2025-06-18"))
			line := wiretest.CallLine("7", "echo") + "\n"
			for b.Loop() {
				exchange(line)
			}
		})
	}
}

type discardCloser struct{ io.Writer }

func (discardCloser) Close() error { return nil }
