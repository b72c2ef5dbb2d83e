package goals

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/debug"
)

// This file defines the tracer at the prompt: how ports are shown, and the keys that say how to go on.

// portTracer shows the ports of goals to a person. Its functions run in the goroutine of the goal, which waits.
type portTracer struct {
	debugger *debug.Debugger
	out      io.Writer
	// key waits for a key of the user, nil when there is nobody to ask: then ports are only shown.
	key func(ctx context.Context) (byte, error)
	// line reads a line that the user types. It is nil when key is.
	line func(ctx context.Context) (string, bool)
}

// newPortTracer returns a tracer that writes to a stream and asks nobody. The prompt sets key and line.
func newPortTracer(out io.Writer) *portTracer {
	t := &portTracer{debugger: &debug.Debugger{}, out: out}
	t.debugger.Stop = t.stop
	return t
}

// tracerHelp lists the keys.
const tracerHelp = `
  return space c   creep: to the next port     r   retry: call the goal again
  s   skip: to the end of the goal             f   fail
  u   up: to the end of the goal around it     i   ignore: succeed
  l   leap: to the next spy point              a   abort
  n   no debugging: run to the end             g   goals: the calls that led here
  v   variables of the clause                  e   evaluate a goal
  +   spy this predicate                       -   do not
`

// tracerKeys are the keys that go on, with the words for them.
var tracerKeys = map[byte]struct {
	word string
	kind debug.ActionKind
}{
	'\r': {"creep", debug.ActCreep}, '\n': {"creep", debug.ActCreep}, ' ': {"creep", debug.ActCreep},
	'c': {"creep", debug.ActCreep}, 's': {"skip", debug.ActSkip}, 'u': {"up", debug.ActUp},
	'l': {"leap", debug.ActLeap}, 'n': {"no debug", debug.ActNoDebug}, 'r': {"retry", debug.ActRetry},
	'f': {"fail", debug.ActFail}, 'i': {"ignore", debug.ActIgnore}, 'a': {"abort", debug.ActAbort},
	cli.CtrlC: {"abort", debug.ActAbort},
}

// stop shows a port and asks how to go on. It is the Stop of the debugger, and is called again at the same port with
// the result of a goal that was evaluated. A port that is not leashed is shown, and the goal goes on. The end of the
// input aborts the goal.
func (t *portTracer) stop(ctx context.Context, s *debug.Stop) debug.Action {
	if s.Result != nil {
		t.showResult(s.Result)
	}
	for {
		fmt.Fprint(t.out, portLine(s))
		if !s.Leashed || t.key == nil {
			fmt.Fprintln(t.out)
			return goOn(s)
		}
		fmt.Fprint(t.out, " ? ")
		key, err := t.key(ctx)
		if err != nil {
			fmt.Fprintln(t.out, "EOF: abort")
			return debug.Action{Kind: debug.ActAbort}
		}
		if known, ok := tracerKeys[key]; ok {
			fmt.Fprintln(t.out, known.word)
			return debug.Action{Kind: known.kind}
		}
		if key == 'e' {
			fmt.Fprint(t.out, "evaluate: ")
			if goal, ok := t.line(ctx); ok {
				return debug.Action{Kind: debug.ActEvaluate, Goal: goal}
			}
		}
		t.show(key, s)
	}
}

// show does what a key asks for that stays at the port. Most keys are keys of SWI-Prolog's tracer; v and e are our
// own. Afterwards the port is shown again, with the question.
func (t *portTracer) show(key byte, s *debug.Stop) {
	switch key {
	case 'g':
		fmt.Fprintln(t.out, "goals")
		for _, f := range s.Frames(0) {
			fmt.Fprintf(t.out, "  [%d] %s%s\n", f.Depth, f.Goal, placeOf(f))
		}
	case 'v':
		fmt.Fprintln(t.out, "variables")
		for _, v := range s.Variables(0) {
			fmt.Fprintf(t.out, "  %s = %s\n", v.Name, v.Text)
		}
	case '+', '-':
		predicate := s.Frames(1)[0].Predicate
		fmt.Fprintf(t.out, "%s %s\n", map[byte]string{'+': "spy", '-': "no spy"}[key], predicate)
		t.debugger.Spy(predicate, key == '+')
	case 'h', '?':
		fmt.Fprint(t.out, tracerHelp)
	default:
		fmt.Fprintln(t.out, "unknown key; h for help")
	}
}

// showResult shows how a goal ended that was evaluated at a port, with the values of its variables.
func (t *portTracer) showResult(r *debug.Evaluation) {
	switch {
	case r.Error != "":
		fmt.Fprintln(t.out, "  error:", r.Error)
	case !r.True:
		fmt.Fprintln(t.out, "  false")
	case len(r.Values) == 0:
		fmt.Fprintln(t.out, "  true")
	}
	for _, v := range r.Values {
		fmt.Fprintf(t.out, "  %s = %s\n", v.Name, v.Text)
	}
}

// goOn is the action at a port where nobody is asked: single steps go on as steps, and a spy point leaps to the next.
func goOn(s *debug.Stop) debug.Action {
	if s.Reason == "step" {
		return debug.Action{Kind: debug.ActCreep}
	}
	return debug.Action{Kind: debug.ActLeap}
}

// portLine is a port as SWI-Prolog shows it: port, depth and goal, with a star for a spy point or breakpoint.
func portLine(s *debug.Stop) string {
	mark := "   "
	if s.Reason == "spy" || s.Reason == "breakpoint" {
		mark = " * "
	}
	f, name := s.Frames(1)[0], string(s.Port)
	line := fmt.Sprintf("%s%s: (%d) %s", mark, strings.ToUpper(name[:1])+name[1:], f.Depth, f.Goal)
	if s.Port == debug.PortException {
		line += " raised " + s.Ball()
	}
	if s.Condition != "" {
		line += " [the condition: " + s.Condition + "]"
	}
	return line
}

// placeOf is the place of a goal with a blank before it, "" if it is not known.
func placeOf(f debug.StackFrame) string {
	if f.File == "" {
		return ""
	}
	return fmt.Sprintf(" at %s:%d", f.File, f.Line)
}

// aborted reports whether the user has ended a goal at a port.
func aborted(err error) bool {
	var a *engine.Aborted
	return errors.As(err, &a) && a.Reason == debug.AbortedByUser
}

// firstKey returns a reader of keys for an input without single keys, such as a pipe: the key is the first character of
// a line, and an empty line is the return key.
func firstKey(lines *cli.InputLines) func(context.Context) (byte, error) {
	return func(context.Context) (byte, error) {
		text, ok := cli.NextLine(lines)
		if !ok {
			return 0, io.EOF
		}
		return (text + "\n")[0], nil
	}
}
