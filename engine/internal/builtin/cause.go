package builtin

// This file defines how a run remembers the Go errors that it has thrown as terms. So errors.Is and errors.As work on
// the exception of a query although a term has carried it through Prolog.

// cause is a Go error and the ball that it was thrown as.
type cause struct {
	ball string
	err  error
}

// maxCauses is how many errors a run remembers. A goal that catches an error and goes on does not need it any more; a
// goal that throws it again does so before many others.
const maxCauses = 16

// NoteCause remembers that an error was thrown as a ball, given as text.
func (x *IO) NoteCause(ball string, err error) {
	if len(x.causes) == maxCauses {
		copy(x.causes, x.causes[1:])
		x.causes = x.causes[:maxCauses-1]
	}
	x.causes = append(x.causes, cause{ball, err})
}

// HasCauses reports whether the run has thrown a Go error.
func (x *IO) HasCauses() bool { return len(x.causes) > 0 }

// Cause returns the error that was last thrown as a ball, or nil.
func (x *IO) Cause(ball string) error {
	for i := len(x.causes) - 1; i >= 0; i-- {
		if x.causes[i].ball == ball {
			return x.causes[i].err
		}
	}
	return nil
}
