//go:build mcptrace

package machine

import (
	"bufio"
	"fmt"
	"os"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines the trace of the loop, for builds with the tag mcptrace.

const tracing = true

// trace writes the instruction at p to standard error, with p, the top of the heap and the newest choice point.
// Instructions that the loop takes in one go with their predecessor have no line.
func (m *Machine) trace(p, h int) {
	out := bufio.NewWriterSize(os.Stderr, 256)
	defer out.Flush()
	fmt.Fprintf(out, "p %d h %d b %d  %s\n", p, h, m.b, code.Disassemble(m.code, p))
}
