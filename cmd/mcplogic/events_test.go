package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/pgtest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

const alarmRules = `
:- persistent(seen/1, [key([1])]).
events([event(alarm, alarm/1)]).
:- mode(alarm(-integer), zero_or_more).
:- info(alarm/1, [comment is 'Something was seen.', argnames is [n]]).
alarm(N) :- seen(N).
tools([see/1]).
:- mode(see(+integer), one).
:- info(see/1, [comment is 'Notes something.', argnames is [n]]).
see(N) :- ( seen(N) -> true ; assertz(seen(N)) ).
`

const alarmToken = "token-0123456789abcdef"

// alarmServer is a server over HTTP that is started again when it has been killed.
type alarmServer struct {
	*testing.T
	port   int
	args   []string
	stderr *lockedBuilder

	mu  sync.Mutex
	cmd *exec.Cmd
}

// start starts the server, unless it runs.
func (s *alarmServer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd != nil {
		return
	}
	s.cmd = exec.Command(os.Args[0])
	s.cmd.Args, s.cmd.Stderr = append([]string{"mcplogic", "serve", "--http", strconv.Itoa(s.port)}, s.args...), s.stderr
	require.NoError(s, s.cmd.Start())
}

// kill ends the server as a crash does.
func (s *alarmServer) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		s.cmd = nil
	}
}

// ask sends a request and returns its result.
func (s *alarmServer) ask(method, name, params string) (result map[string]any, err error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"name":%q,%s,%s}}`, method, name, params,
		wiretest.Stateless)
	req, err := http.NewRequestWithContext(s.Context(), http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d/mcp", s.port),
		bytes.NewReader([]byte(body)))
	require.NoError(s, err)
	for key, value := range map[string]string{"Authorization": "Bearer " + alarmToken, "Accept": "application/json",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name} {
		req.Header.Set(key, value)
	}
	resp, err := (&http.Client{Timeout: wiretest.Patience}).Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var m struct {
		Result map[string]any
		Error  json.RawMessage
	}
	if err := json.NewDecoder(resp.Body).Decode(&m); err != nil {
		return nil, err
	}
	if m.Result == nil || m.Result["isError"] == true {
		return nil, fmt.Errorf("%s %v", m.Error, m.Result)
	}
	return m.Result, nil
}

// until asks one server after the other, until one answers.
func until(t *testing.T, all []*alarmServer, method, name, params string) map[string]any {
	t.Helper()
	err := errors.New("nobody was asked")
	var result map[string]any
	for range 600 {
		if result, err = all[rand.IntN(len(all))].ask(method, name, params); err == nil {
			return result
		}
		time.Sleep(50 * time.Millisecond)
	}
	require.NoError(t, err, "%s", all[0].stderr)
	return nil
}

// TestEventsSurvive kills servers of one PostgreSQL while what they watch occurs. Somebody who polls them in turn hears
// of each occurrence once, and so does a receiver that drops what it has by its name.
func TestEventsSurvive(t *testing.T) {
	pg := pgtest.Start(t)
	alarms, kills := deep.Count(40, 400), deep.Count(4, 30)
	dir := t.TempDir()
	rules, tokens := filepath.Join(dir, "alarm.pl"), filepath.Join(dir, "tokens")
	require.NoError(t, os.WriteFile(rules, []byte(alarmRules), 0o666))
	require.NoError(t, os.WriteFile(tokens, []byte(alarmToken+"\n"), 0o600))

	var mu sync.Mutex
	posted, posts := map[string]float64{}, 0
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Data struct{ N float64 } }
		data, _ := io.ReadAll(r.Body)
		if json.Unmarshal(data, &body) != nil || rand.IntN(10) == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		posted[r.Header.Get("Webhook-Id")] = body.Data.N
		posts++
	}))
	defer receiver.Close()

	first := freePorts(t, 3)
	var all []*alarmServer
	for i := range 3 {
		s := &alarmServer{T: t, port: first + i, stderr: &lockedBuilder{}, args: []string{"--store", pg.Address,
			"--token-file", tokens, "--allow-callback", receiver.URL, rules}}
		t.Cleanup(s.kill)
		s.start()
		all = append(all, s)
	}
	r := until(t, all, "events/poll", "alarm", `"arguments":{}`)
	require.Empty(t, r["events"])
	cursor := r["cursor"]
	hook := fmt.Sprintf(`"arguments":{},"cursor":%q,"delivery":{"mode":"webhook","url":%q,`+
		`"secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`, cursor, receiver.URL)
	until(t, all, "events/subscribe", "alarm", hook)

	done := make(chan struct{})
	var trouble sync.WaitGroup
	trouble.Go(func() {
		for range kills {
			select {
			case <-time.After(time.Duration(100+rand.IntN(300)) * time.Millisecond):
			case <-done:
			}
			s := all[rand.IntN(len(all))]
			s.kill()
			s.start()
		}
	})
	heard, names := map[float64]int{}, map[string]bool{}
	poll := func() {
		r := until(t, all, "events/poll", "alarm", fmt.Sprintf(`"arguments":{},"cursor":%q,"maxEvents":7`, cursor))
		require.Equal(t, false, r["truncated"])
		cursor = r["cursor"]
		for _, one := range r["events"].([]any) {
			o := one.(map[string]any)
			require.False(t, names[o["eventId"].(string)], "an occurrence was told twice")
			names[o["eventId"].(string)] = true
			heard[o["data"].(map[string]any)["n"].(float64)]++
		}
	}
	for n := range alarms {
		until(t, all, "tools/call", "see", fmt.Sprintf(`"arguments":{"n":%d}`, n))
		if n%3 == 0 {
			poll()
		}
	}
	close(done)
	trouble.Wait()
	for ends := time.Now().Add(wiretest.Patience); len(heard) < alarms && time.Now().Before(ends); {
		poll()
	}
	require.Len(t, heard, alarms)
	for n, times := range heard {
		require.Equal(t, 1, times, "alarm %v", n)
	}
	until(t, all, "events/subscribe", "alarm", hook)
	received := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(posted)
	}
	require.Eventually(t, func() bool { return received() == alarms }, 2*wiretest.Patience, 50*time.Millisecond)
	each := map[float64]int{}
	for name, n := range posted {
		require.True(t, names[name], "what is posted has the names of what is polled")
		each[n]++
	}
	require.Len(t, each, alarms)
	t.Logf("%d occurrences, %d posts taken, %d kills", alarms, posts, kills)
}
