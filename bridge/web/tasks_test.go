package web

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/wiretest"
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
	listen := fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen",`+
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
