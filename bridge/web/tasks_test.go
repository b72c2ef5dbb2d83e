package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestTaskStream listens to a task: a client that knows none is refused, and one that does is told of its end alone.
func TestTaskStream(t *testing.T) {
	file := filepath.Join(t.TempDir(), "task.pl")
	text := "tools([tool(loop, loop, 0, [task(after(0))])]).\nloop :- repeat, fail.\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	w := serveSiteOf(t, file, nil, nil, nil)
	as := func(body string) string {
		return strings.Replace(body, `Capabilities":{}`,
			`Capabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, 1)
	}
	a := w.post(as(statelessCall("1", "loop", "")), newVersion("loop")...)
	id := a.messages[0]["result"].(map[string]any)["taskId"].(string)
	headers := []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen"}
	listen := fmt.Sprintf(`{"jsonrpc":"2.0","id":2e0,"method":"subscriptions/listen",`+
		`"params":{"notifications":{"taskIds":[%q]},%s}}`, id, wiretest.Stateless)
	require.Equal(t, -32021, w.post(listen, headers...).code())
	forged := strings.Replace(listen, `"_meta":{`, `"_meta":{"mcplogic/taskIds":["x"],`, 1)
	require.Equal(t, -32021, w.post(forged, headers...).code())

	stream, err := http.DefaultClient.Do(w.request(http.MethodPost, as(listen), headers...))
	require.NoError(t, err)
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	next := func() (m map[string]any) {
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				require.NoError(t, json.Unmarshal([]byte(text), &m))
				return m
			}
		}
		require.FailNow(t, "the stream has ended")
		return nil
	}
	ack := next()
	require.Equal(t, "notifications/subscriptions/acknowledged", ack["method"])
	require.Equal(t, map[string]any{"taskIds": []any{id}}, ack["params"].(map[string]any)["notifications"])
	cancel := as(fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"tasks/cancel","params":{"taskId":%q,%s}}`, id,
		wiretest.Stateless))
	require.Equal(t, 200, w.post(cancel, headers[0], "Mcp-Method: tasks/cancel", "Mcp-Name: "+id).status)
	told := next()
	require.Equal(t, "notifications/tasks", told["method"])
	params := told["params"].(map[string]any)
	require.Equal(t, id, params["taskId"])
	require.Equal(t, "cancelled", params["status"])
	require.Equal(t, map[string]any{"io.modelcontextprotocol/subscriptionId": 2.0}, params["_meta"])
}

// TestTaskBooked has the page show what a call has come to that was a task.
func TestTaskBooked(t *testing.T) {
	b := &callBook{}
	result := &endingTask{}
	call := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "late"}}
	_, err := b.note(func(context.Context, string, mcp.Request) (mcp.Result, error) { return result, nil })(
		t.Context(), "tools/call", call)
	require.NoError(t, err)
	require.Equal(t, "task", b.of("")[0].Result)
	result.end("completed", &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}})
	require.Equal(t, "done\n", b.of("")[0].Result)
	require.False(t, b.of("")[0].Failed)
	result.end("cancelled", nil)
	require.Equal(t, "task cancelled", b.of("")[0].Result)
	require.True(t, b.of("")[0].Failed)
}

// endingTask is a task that the test ends.
type endingTask struct {
	mcp.ResultBase
	end func(status string, r *mcp.CallToolResult)
}

func (e *endingTask) WhenOver(f func(status string, r *mcp.CallToolResult)) { e.end = f }
