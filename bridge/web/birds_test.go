package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// headedTransport is a client's transport to a command. It frames messages with Content-Length headers. It reads them
// with the library for mail headers and not with our own reader.
type headedTransport struct{ cmd *exec.Cmd }

func (h headedTransport) Connect(context.Context) (mcp.Connection, error) {
	in, err := h.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	h.cmd.Stderr = os.Stderr
	return &headedConn{cmd: h.cmd, in: in, out: bufio.NewReader(out)}, h.cmd.Start()
}

type headedConn struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	reading sync.Mutex
	writing sync.Mutex
	closing sync.Once
}

func (c *headedConn) SessionID() string { return "" }

func (c *headedConn) Close() error {
	c.closing.Do(func() {
		_ = c.in.Close()
		c.reading.Lock() // the server has ended when the last read returns
		defer c.reading.Unlock()
		_, _ = io.Copy(io.Discard, c.out)
		_ = c.cmd.Wait()
	})
	return nil
}

func (c *headedConn) Read(context.Context) (jsonrpc.Message, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	header, err := textproto.NewReader(c.out).ReadMIMEHeader()
	if err != nil {
		return nil, io.EOF
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, fmt.Errorf("expected a length, got %v", header)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(c.out, body); err != nil {
		return nil, err
	}
	return jsonrpc.DecodeMessage(body)
}

func (c *headedConn) Write(_ context.Context, msg jsonrpc.Message) error {
	body, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err = fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// TestBirdsEverywhere runs the interview with the SDK's client over both transports, in both framings, on every
// version of the protocol, with and without a user.
func TestBirdsEverywhere(t *testing.T) {
	birds, err := filepath.Abs("../../examples/birds")
	require.NoError(t, err)
	snapshot := load(t, birds)
	w := serveSiteOf(t, birds, nil, nil, nil)
	transports := transportsOf(birds, w.url)
	for _, version := range mcp.SupportedProtocolVersions() {
		for name, transport := range transports {
			for _, elicits := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s/%s/%v", version, name, elicits), func(t *testing.T) {
					person := &bridgetest.Watcher{Snapshot: snapshot, Bird: "common_kingfisher"}
					o := &mcp.ClientOptions{}
					if elicits {
						o.ElicitationHandler = person.Answer
					}
					client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
					cs, err := client.Connect(context.Background(), transport(), &mcp.ClientSessionOptions{ProtocolVersion: version})
					require.NoError(t, err)
					defer cs.Close()
					r := bridgetest.CallTool(t, cs, "identify_bird", "")
					for !elicits && r.StructuredContent != nil {
						r = answerFor(t, person, cs, r)
					}
					require.Contains(t, bridgetest.TextsOf(r)[0], "Your bird is the common kingfisher")
					require.NotEmpty(t, person.Asked)
					require.LessOrEqual(t, len(person.Asked), 8)
				})
			}
		}
	}
}

// answerFor passes a user's answer to the server in the same way as a model.
func answerFor(t *testing.T, w *bridgetest.Watcher, cs *mcp.ClientSession, r *mcp.CallToolResult) *mcp.CallToolResult {
	t.Helper()
	asked := r.StructuredContent.(map[string]any)
	got, err := w.Answer(context.Background(),
		&mcp.ElicitRequest{Params: &mcp.ElicitParams{Message: asked["question"].(string)}})
	require.NoError(t, err)
	args, err := json.Marshal(map[string]any{"token": asked["token"], "answer": got.Content})
	require.NoError(t, err)
	return bridgetest.CallTool(t, cs, "answer", string(args))
}

// transportsOf returns the transports to a server of a folder, by name: a process with messages in lines or behind
// headers, and HTTP.
func transportsOf(folder, url string) map[string]func() mcp.Transport {
	command := func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), serveEnv+"="+folder)
		return cmd
	}
	return map[string]func() mcp.Transport{
		"lines":          func() mcp.Transport { return &mcp.CommandTransport{Command: command()} },
		"content-length": func() mcp.Transport { return headedTransport{command()} },
		"http":           func() mcp.Transport { return &mcp.StreamableClientTransport{Endpoint: url} },
	}
}
