package bridgetest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// stuckText has a tool that is stuck, one that is stuck behind its solution, and two that end.
const stuckText = `
tools([tool(stuck, stuck, 0, [description('Never ends.')]),
	tool(more, more, 1, [description('Is stuck behind its solution.')]),
       tool(fine, fine, 0, [description('Ends.')]), tool(pause, pause, 1, [description('Takes its time.')])]).
stuck :- write(before), host_wait, write(behind).
:- mode(more(-integer), zero_or_more).
:- info(more/1, [argnames is ['N']]).
more(1).
more(2) :- host_wait.
fine.
:- mode(pause(-integer), one).
:- info(pause/1, [argnames is ['N']]).
pause(1) :- sleep(0.3).
`

// Stuck is a knowledge base with a predicate in Go that heeds no limit: it returns when Release has been called,
// at the latest when the test ends.
type Stuck struct {
	*kb.Base
	// Started has a value for each call of the predicate.
	Started chan bool
	Release func()
}

// OpenStuck opens the knowledge base with the predicates of the server.
func OpenStuck(t *testing.T, predicates []engine.Predicate) *Stuck {
	t.Helper()
	released := make(chan bool)
	b := &Stuck{Started: make(chan bool, 10), Release: sync.OnceFunc(func() { close(released) })}
	t.Cleanup(b.Release)
	wait := func(*engine.Call) (bool, error) {
		b.Started <- true
		<-released
		return true, nil
	}
	file := filepath.Join(t.TempDir(), "stuck.pl")
	require.NoError(t, os.WriteFile(file, []byte(stuckText), 0o600))
	o := &kb.Options{Predicates: append(predicates, engine.Predicate{Name: "host_wait", Call: wait})}
	base, err := kb.Open(t.Context(), []string{file}, o)
	require.NoError(t, err)
	b.Base = base
	return b
}
