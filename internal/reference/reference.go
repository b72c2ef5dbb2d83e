// Package reference puts questions to ichiban/prolog, an ISO interpreter that shares nothing
// with this engine, for a second opinion on an answer and for tests.
//
// [Run] loads a text and runs a goal in an interpreter of its own. Its [Result] has the shape of what mcplogic query
// --batch prints, and its terms are written by our writer, so that the answers of both systems can be compared as text.
// The interpreter knows nothing of modules, strings, big integers or tabling; compare only what both dialects share.
package reference

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ichiban/prolog"
	ichiban "github.com/ichiban/prolog/engine"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// Result is what came of a goal.
type Result struct {
	// Solutions are the values of the variables as writeq text, without those whose names
	// begin with _, their own variables being _1, _2 and so on.
	Solutions []map[string]string `json:"solutions"`
	// Status is true, false, error or limit.
	Status string `json:"status"`
	// Error is what was thrown, as writeq text.
	Error string `json:"error"`
	// Output is what the goal printed.
	Output string `json:"output"`
}

// Limits end a run that takes too much. The memory is that of the whole process, since the
// interpreter does not count its own.
type Limits struct {
	Time   time.Duration // 0: 10 s
	Memory int64         // bytes; 0: 1 GiB
}

// Run loads a program text and runs a goal for at most max solutions, 0 being all, within the usual limits.
func Run(ctx context.Context, program, goal string, max int) Result {
	return Limits{}.Run(ctx, program, goal, max)
}

// Run is the function of this name within other limits. A run that does not heed the end of
// its time, because it is inside a predicate written in Go, is left behind.
func (l Limits) Run(ctx context.Context, program, goal string, max int) Result {
	if l.Time <= 0 {
		l.Time = 10 * time.Second
	}
	if l.Memory <= 0 {
		l.Memory = 1 << 30
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.Time, errTime)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &running{ctx: ctx, max: max}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.run(program, goal)
	}()
	watch(ctx, l.Memory, done, stop)
	return r.finish()
}

var (
	errTime   = errors.New("time")
	errMemory = errors.New("memory")
)

const (
	// maxOutput bounds what is kept of the output.
	maxOutput = 1 << 20
	// watchEvery is how often the memory is looked at.
	watchEvery = 50 * time.Millisecond
	// grace is how long a run may take to notice that it was ended.
	grace = 200 * time.Millisecond
)

// watch returns when done is closed, or a while after the context has ended. It ends the context itself when the
// process grows by more than a limit.
func watch(ctx context.Context, memory int64, done <-chan struct{}, stop context.CancelCauseFunc) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	before := allocated()
	for {
		select {
		case <-done:
			return
		case <-ctx.Done():
			select {
			case <-done:
			case <-time.After(grace):
			}
			return
		case <-tick.C:
			if allocated()-before > memory {
				stop(errMemory)
			}
		}
	}
}

func allocated() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// running is a run; it may outlive the call that began it.
type running struct {
	ctx context.Context
	max int

	mu     sync.Mutex // guards what follows
	result Result
	output host.Buffer
	ended  bool
}

// Write takes output of the goal.
func (r *running) Write(data []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.output.Max = maxOutput
	return r.output.Write(data)
}

// finish takes the result. After that the run changes nothing.
func (r *running) finish() Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.limit(context.Cause(r.ctx))
	}
	r.ended = true
	r.result.Output = r.output.String()
	if r.result.Solutions == nil {
		r.result.Solutions = []map[string]string{}
	}
	return r.result
}

// end stores how the run ended.
func (r *running) end(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.ended = true
	var ex ichiban.Exception
	switch cause := context.Cause(r.ctx); {
	case err == nil && len(r.result.Solutions) > 0:
		r.result.Status = "true"
	case err == nil:
		r.result.Status = "false"
	case cause != nil:
		r.limit(cause)
	case errors.As(err, &ex):
		r.result.Status, r.result.Error = "error", ballText(ex.Term())
	default:
		r.result.Status, r.result.Error = "error", err.Error()
	}
}

// limit stores that a limit ended the run.
func (r *running) limit(cause error) {
	r.result.Status, r.result.Error = "limit", fmt.Sprintf("error(resource_error(%v),_1)", cause)
	if !errors.Is(cause, errTime) && !errors.Is(cause, errMemory) {
		r.result.Status, r.result.Error = "error", fmt.Sprint(cause)
	}
}

// run loads and asks. Panics of the interpreter are errors of this run.
func (r *running) run(program, goal string) {
	defer func() {
		if p := recover(); p != nil {
			r.end(fmt.Errorf("the interpreter panicked: %v", p))
		}
	}()
	p := interpreter(r)
	if err := p.ExecContext(r.ctx, program); err != nil {
		r.end(fmt.Errorf("load: %w", err))
		return
	}
	r.end(r.ask(p, goal))
}

// interpreter returns a new interpreter that can neither end the process nor open files.
func interpreter(out io.Writer) *prolog.Interpreter {
	p := prolog.New(strings.NewReader(""), out)
	p.FS = os.DirFS(os.DevNull)
	p.Register1(ichiban.NewAtom("halt"), func(_ *ichiban.VM, code ichiban.Term, _ ichiban.Cont,
		env *ichiban.Env) *ichiban.Promise {
		return ichiban.Error(fmt.Errorf("halt(%v)", env.Resolve(code)))
	})
	p.Register4(ichiban.NewAtom("open"), func(_ *ichiban.VM, file, _, _, _ ichiban.Term, _ ichiban.Cont,
		env *ichiban.Env) *ichiban.Promise {
		return ichiban.Error(ichiban.PermissionError(ichiban.NewAtom("open"), ichiban.NewAtom("source_sink"), file, env))
	})
	return p
}

// ask collects solutions.
func (r *running) ask(p *prolog.Interpreter, goal string) error {
	goal = strings.TrimSuffix(strings.TrimSpace(goal), ".")
	solutions, err := p.QueryContext(r.ctx, goal+"\n.")
	if err != nil {
		return err
	}
	defer solutions.Close()
	for n := 0; r.max == 0 || n < r.max; n++ {
		if !solutions.Next() {
			return solutions.Err()
		}
		values := map[string]value{}
		if err := solutions.Scan(values); err != nil {
			return err
		}
		r.add(values)
	}
	return nil
}

// add stores a solution.
func (r *running) add(values map[string]value) {
	solution := texts(values)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.result.Solutions = append(r.result.Solutions, solution)
	}
}

// This part defines how terms of ichiban/prolog become ours.

// value is a place for the value of a variable.
type value struct{ term engine.Term }

// Scan is called by the interpreter with the value.
func (v *value) Scan(_ *ichiban.VM, t ichiban.Term, env *ichiban.Env) (err error) {
	v.term, err = convert(t, env)
	return err
}

// maxParts bounds the terms that are converted; a cyclic one has no end.
const maxParts = 1_000_000

var errTooLarge = errors.New("the term is too large, or cyclic")

// task is a term to be converted and where to.
type task struct {
	from ichiban.Term
	to   *engine.Term
}

// convert copies a term with its bindings. The name of a variable tells which one of the interpreter it is.
func convert(t ichiban.Term, env *ichiban.Env) (engine.Term, error) {
	vars := map[ichiban.Variable]*term.Var{}
	var root engine.Term
	stack := []task{{t, &root}}
	for parts := 0; len(stack) > 0; parts++ {
		if parts > maxParts {
			return nil, errTooLarge
		}
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch t := env.Resolve(top.from).(type) {
		case ichiban.Variable:
			if vars[t] == nil {
				vars[t] = term.NewVar(strconv.FormatInt(int64(t), 10))
			}
			*top.to = vars[t]
		case ichiban.Compound:
			c := &term.Compound{Functor: term.Atom(t.Functor().String()), Args: make([]engine.Term, t.Arity())}
			*top.to = c
			for i := t.Arity() - 1; i >= 0; i-- {
				stack = append(stack, task{t.Arg(i), &c.Args[i]})
			}
		case ichiban.Atom:
			*top.to = term.Atom(t.String())
		case ichiban.Integer:
			*top.to = term.Int(t)
		case ichiban.Float:
			*top.to = term.Float(t)
		default:
			*top.to = term.Atom("<stream>")
		}
	}
	return root, nil
}

// ballText is what was thrown.
func ballText(ball ichiban.Term) string {
	t, err := convert(ball, nil)
	if err != nil {
		return err.Error()
	}
	return text(t)
}

// writer is an empty program, whose operators are the standard ones.
var writer = sync.OnceValue(func() *engine.Program { return engine.New(nil) })

// text writes a term with its variables numbered.
func text(t engine.Term) string { return inner.Of(writer()).FormatNumbered(t) }

// texts writes the values of one solution with one numbering of their variables.
func texts(values map[string]value) map[string]string {
	var names []string
	for name := range values {
		if !strings.HasPrefix(name, "_") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	terms := make([]engine.Term, len(names))
	same, first := map[*term.Var]engine.Term{}, map[string]*term.Var{}
	for i, name := range names {
		terms[i] = values[name].term
		for _, v := range term.Variables(terms[i]) {
			if first[v.Name] == nil {
				first[v.Name] = v
			}
			same[v] = first[v.Name]
		}
		terms[i] = term.Rename(terms[i], same)
	}
	solution := map[string]string{}
	for i, written := range inner.Of(writer()).FormatTogether("", terms...) {
		solution[names[i]] = written
	}
	return solution
}
