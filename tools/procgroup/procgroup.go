// Package procgroup ends a child process together with the processes that it has started.
//
// Call [Own] before the command starts and [Kill] to end it. Where there are no process groups Kill ends the
// child alone.
package procgroup

import "os/exec"

// Own gives the command a process group of its own. Call it before the command starts.
func Own(cmd *exec.Cmd) { own(cmd) }

// Kill ends the command and everything that it has started.
func Kill(cmd *exec.Cmd) error { return kill(cmd) }
