package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/deep"
)

const shopRules = `:- persistent(order/2, [key([1])]).
tools([add/2]).
:- mode(add(+integer, +atom), one).
:- info(add/2, [comment is 'Stores an order.', argnames is [number, item]]).
add(N, I) :- assertz(order(N, I)).
`

// shopProcess is a server with a store in a process of its own.
type shopProcess struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func startShop(t *testing.T, rules, store string) *shopProcess {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Args = []string{"mcplogic", "serve", "--store", "file:" + store, rules}
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	p := &shopProcess{cmd, in, bufio.NewScanner(out)}
	p.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"test","version":"1"}}}`)
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

// send writes a line. The process may be gone.
func (p *shopProcess) send(line string) { _, _ = io.WriteString(p.in, line+"\n") }

// TestStoreSurvivesKill kills a server with many calls under way, again and again. What it has confirmed is there.
func TestStoreSurvivesKill(t *testing.T) {
	kills := deep.Count(10, 40)
	dir := t.TempDir()
	rules, store := filepath.Join(dir, "shop.pl"), filepath.Join(dir, "store")
	require.NoError(t, os.WriteFile(rules, []byte(shopRules), 0o666))
	confirmed := map[int]bool{}
	for round := range kills {
		p := startShop(t, rules, store)
		first := round * 100_000
		go func() {
			for i := 1; i < 100_000 && p.ProcessState == nil; i++ {
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"add","arguments":`+
					`{"number":%[1]d,"item":"pear"}}}`, first+i))
			}
		}()
		killer := (*time.Timer)(nil)
		for p.out.Scan() {
			var m struct {
				ID     int
				Result struct{ IsError bool }
			}
			if json.Unmarshal(p.out.Bytes(), &m) != nil || m.ID <= first {
				continue // the answer to initialize, or a line that was cut
			}
			require.False(t, m.Result.IsError, p.out.Text())
			confirmed[m.ID] = true
			if killer == nil { // the process is at work
				killer = time.AfterFunc(time.Duration(rand.IntN(40))*time.Millisecond, func() { _ = p.Process.Kill() })
			}
		}
		_ = p.Wait()
	}
	s, err := kb.OpenStore("file:"+store, nil)
	require.NoError(t, err)
	defer s.Close()
	base, err := kb.Open(t.Context(), []string{rules}, &kb.Options{Store: s})
	require.NoError(t, err)
	program := base.Snapshot().Program
	require.NotEmpty(t, confirmed)
	for number := range confirmed {
		_, err := program.Once(t.Context(), fmt.Sprintf("order(%d, pear)", number), nil)
		require.NoError(t, err, "order %d was confirmed and is lost", number)
	}
	_, err = program.Once(t.Context(), "findall(N, order(N, _), L), length(L, Len), sort(L, S), length(S, Len)", nil)
	require.NoError(t, err, "an order is there twice")
	t.Logf("%d kills, %d calls confirmed", kills, len(confirmed))
}
