// Package browsertest is a browser without a window that tests drive.
package browsertest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// This file defines the browser: Chromium, whose debugging protocol comes as messages over two pipes, each
// of which ends with a zero byte.

// Browser is a page in a Chromium of its own.
type Browser struct {
	t       *testing.T
	out     *os.File
	in      *bufio.Reader
	session string
	last    int
}

// message is one of the protocol.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// Start starts Chromium with an empty page. The test is skipped unless deep tests are asked for, and without Chromium.
func Start(t *testing.T) *Browser {
	t.Helper()
	const what = "pages in a browser"
	deep.Skip(t, what)
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		deep.Missing(t, what, "there is no Chromium; on Debian: apt-get install chromium")
	}
	theirIn, out, err := os.Pipe()
	require.NoError(t, err)
	in, theirOut, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--remote-debugging-pipe", "--window-size=1200,900", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // 3 and 4
	require.NoError(t, cmd.Start())
	theirIn.Close()
	theirOut.Close()
	b := &Browser{t: t, out: out, in: bufio.NewReader(in)}
	t.Cleanup(func() {
		out.Close() // it ends with the pipe
		done := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		done.Stop()
		in.Close()
	})
	var target struct{ TargetID string }
	b.Do("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.Do("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	b.Do("Page.enable", nil, nil)
	return b
}

// Do sends a command and reads its result.
func (b *Browser) Do(method string, params, result any) {
	b.t.Helper()
	b.last++
	data, err := json.Marshal(message{ID: b.last, Session: b.session, Method: method, Params: params})
	require.NoError(b.t, err)
	_, err = b.out.Write(append(data, 0))
	require.NoError(b.t, err)
	for {
		raw, err := b.in.ReadBytes(0)
		require.NoError(b.t, err)
		var m message
		require.NoError(b.t, json.Unmarshal(bytes.TrimSuffix(raw, []byte{0}), &m))
		if m.ID != b.last {
			continue // an event
		}
		require.Empty(b.t, string(m.Error), method)
		if result != nil {
			require.NoError(b.t, json.Unmarshal(m.Result, result))
		}
		return
	}
}

// Open goes to a page and waits until it is there.
func (b *Browser) Open(url string) {
	b.t.Helper()
	b.Do("Page.navigate", map[string]any{"url": url}, nil)
	there := func() bool { return b.Eval(`document.readyState`) == "complete" && b.Eval(`location.href`) == url }
	require.Eventually(b.t, there, time.Minute, 10*time.Millisecond)
}

// Eval returns the value of an expression, which may be a promise.
func (b *Browser) Eval(expression string) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.Do("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	require.Empty(b.t, string(r.ExceptionDetails), expression)
	return r.Result.Value
}

// Press presses and releases keys.
func (b *Browser) Press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		params := map[string]any{"type": "keyDown", "key": key}
		if len(key) == 1 {
			params["text"] = key
		}
		b.Do("Input.dispatchKeyEvent", params, nil)
		b.Do("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
	}
}

// Screenshot writes the upper part of what the page shows to a file, as PNG. On a phone it is what the window shows.
func (b *Browser) Screenshot(file string) {
	b.t.Helper()
	var shot struct{ Data string }
	clip := map[string]any{"x": 0, "y": b.Eval("scrollY"), "width": 1200, "height": 560, "scale": 0.75}
	if width := b.Eval("innerWidth").(float64); width < 600 {
		clip["width"], clip["height"], clip["scale"] = width, b.Eval("innerHeight"), 1
	}
	b.Do("Page.captureScreenshot", map[string]any{"format": "png", "clip": clip}, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(file, data, 0o644))
}

// Await waits until an expression is true.
func (b *Browser) Await(expression string) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); b.Eval(expression) != true; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("waited for %s; the page shows:\n%v", expression, b.Eval("document.body.innerText"))
		}
	}
}
