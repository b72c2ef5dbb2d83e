package engine_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
)

// endlessTexts are texts whose second line is reached and never ends.
var endlessTexts = []struct{ name, text, what string }{
	{"directive", ":- repeat, fail.\n", "directive"},
	{"directive that catches", ":- repeat, catch((repeat, fail), _, fail).\n", "directive"},
	{"initialization", ":- initialization((repeat, fail)).\n", "initialization goal"},
	{"initialization now", ":- initialization((repeat, fail), now).\n", "directive"},
	{"condition", ":- if((repeat, fail)).\n:- endif.\n", "condition"},
	{"term_expansion", "term_expansion(a, _) :- repeat, fail.\na.\na.\na.\n", "term_expansion"},
	{"goal_expansion", "goal_expansion(a, _) :- repeat, fail.\nb :- a, a, a.\n", "goal_expansion"},
	{"grammar", "dcg_translate_rule(_, _) :- repeat, fail.\na --> b.\n", "grammar"},
	{"assertions", ":- dynamic(f/1).\n:- repeat, assertz(f(x)), fail.\n", "directive"},
}

// TestLoadTime loads endless texts. Each gives one error at its place that names the limit, and the rest of the text is
// not loaded.
func TestLoadTime(t *testing.T) {
	for _, test := range endlessTexts {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := engine.New(&engine.Options{Directives: engine.Limits{Time: 100 * time.Millisecond}})
			err := p.Load(t.Context(), source.File{Name: "a.pl", Text: "p.\n" + test.text + "q(.\n"},
				source.File{Name: "b.pl", Text: "r(.\n"})
			require.Error(t, err)
			require.False(t, engine.Inner(p).Complete())
			limits := 0
			for _, d := range p.Diagnostics().Errors() {
				if d.Code == "syntax" && d.File == "a.pl" && test.name == "initialization" {
					continue // it runs after the texts
				}
				if test.name == "initialization" && d.File == "b.pl" {
					continue
				}
				limits++
				require.Equal(t, "limit", d.Code)
				require.Equal(t, test.what+" took more than 100ms, the limit of goals that loading runs", d.Message)
				require.Equal(t, "a.pl", d.File)
				require.NotZero(t, d.Line)
				require.Equal(t, 1, d.Column)
			}
			require.Equal(t, 1, limits)
		})
	}
}

// TestLoadLimits loads endless texts by all functions that make programs, under the default limit and under others.
func TestLoadLimits(t *testing.T) {
	t.Parallel()
	require.Equal(t, 10*time.Second, engine.DirectiveLimits(nil).Time)
	require.Equal(t, 10*time.Second, engine.DirectiveLimits(&engine.Options{}).Time)
	require.Zero(t, engine.DirectiveLimits(&engine.Options{Directives: engine.Limits{Time: -1}}).Time)

	const text, at = "p.\n:- repeat, fail.\n", "endless.pl:2:1: error: "
	done, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	for _, test := range []struct {
		name   string
		ctx    context.Context
		limits engine.Limits
		want   string
	}{
		{"time", t.Context(), engine.Limits{Time: 50 * time.Millisecond}, at + "directive took more than 50ms, the limit"},
		{"inferences", t.Context(), engine.Limits{Inferences: 1000}, at + "directive took more than 1000 calls, the limit"},
		{"done", done, engine.Limits{}, "error: loading was stopped here: enough"},
		{"nil", nil, engine.Limits{}, "the context is nil"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := &engine.Options{Directives: test.limits}
			p, err := engine.LoadText(test.ctx, "endless.pl", text, o)
			require.Nil(t, p)
			require.ErrorContains(t, err, test.want)
			p, err = engine.LoadFS(test.ctx, fstest.MapFS{"endless.pl": {Data: []byte(text)}}, o)
			require.Nil(t, p)
			require.ErrorContains(t, err, test.want)
		})
	}
	_, err := engine.LoadFS(t.Context(), nil, nil)
	require.ErrorIs(t, err, fs.ErrInvalid)
	p := engine.New(nil)
	var none context.Context
	_, err = p.Once(none, "true", nil)
	require.ErrorContains(t, err, "the context is nil")
}

// TestLoadMemory loads a directive that builds without end.
func TestLoadMemory(t *testing.T) {
	t.Parallel()
	p := engine.New(&engine.Options{Directives: engine.Limits{Memory: 16 << 20}})
	err := p.Load(t.Context(), source.File{Name: "a.pl", Text: "p.\n:- length(L, 10_000_000), L = [].\n"})
	require.ErrorContains(t, err, "a.pl:2:1: error: directive took more than 16 MiB of memory, the limit of goals that "+
		"loading runs")
}

// TestLoadStopped ends loads that have no end, by their context.
func TestLoadStopped(t *testing.T) {
	for _, test := range endlessTexts {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			begun := engine.Predicate{Name: "begun", Call: func(*engine.Call) (bool, error) {
				time.AfterFunc(20*time.Millisecond, func() { cancel(errors.New("enough")) }) // the endless directive has begun
				return true, nil
			}}
			p := engine.New(&engine.Options{Predicates: []engine.Predicate{begun}})
			err := p.Load(ctx, source.File{Name: "a.pl", Text: "p.\n:- begun.\n" + test.text})
			require.ErrorContains(t, err, "error: loading was stopped here: enough")
			require.Len(t, p.Diagnostics().Errors(), 1)
			require.False(t, engine.Inner(p).Complete())
		})
	}
}

// TestLoadStoppedReading ends a load within a text, and before another.
func TestLoadStoppedReading(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	stop := engine.Predicate{Name: "stop", Call: func(*engine.Call) (bool, error) { cancel(); return true, nil }}
	p := engine.New(&engine.Options{Predicates: []engine.Predicate{stop}})
	err := p.Load(ctx, source.File{Name: "a.pl", Text: "p.\n:- stop.\nq.\nr(.\n"},
		source.File{Name: "b.pl", Text: "r(.\n"})
	require.ErrorContains(t, err, "a.pl:2:1: error: loading was stopped here: context canceled")
	require.Len(t, p.Diagnostics(), 1)
	require.ErrorContains(t, engine.New(nil).Load(ctx, source.File{Name: "a.pl", Text: "p.\n"}), "loading was stopped")
}

// TestConsultStopped loads a runaway from a goal. The limit of the goal ends it, and the program goes on.
func TestConsultStopped(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"bad.pl": {Data: []byte(":- repeat, fail.\n")}, "good.pl": {Data: []byte(":- true.\np.\n")}}
	p := engine.New(&engine.Options{Files: engine.FilesOf(files)})
	require.NoError(t, p.Load(t.Context()))
	var printed strings.Builder
	for limit := 200 * time.Millisecond; printed.Len() == 0; limit *= 2 { // the directive begins late on a busy machine
		_, err := p.Once(t.Context(), "consult('bad.pl')", &engine.RunOptions{Limits: engine.Limits{Time: limit},
			Error: &printed})
		var ex *engine.Exception
		require.ErrorAs(t, err, &ex, printed.String())
		require.Equal(t, "time", ex.Limit())
	}
	require.Contains(t, printed.String(), "bad.pl:1:1: error: loading was stopped here")
	_, err := p.Once(t.Context(), "consult('good.pl'), p", nil)
	require.NoError(t, err)
}
