// Package reasons has the parts of what Program.Why and Program.WhyNot of package engine return: why a goal has an
// answer, and why it has none. All of them can be converted to JSON.
package reasons

import (
	"fmt"

	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/term"
)

// The parts of explanations.
type (
	// Node is one line of an explanation: a fact of a proof, a clause that lacks a goal.
	Node = explain.Node
	// Graph is the nodes of an explanation.
	Graph = explain.Graph
	// Proof explains why an answer holds.
	Proof = explain.Proof
	// Truncation says which parts of a proof are missing.
	Truncation = explain.Truncation
	// Misses explains why a goal has no answer.
	Misses = explain.Misses
	// Instead are the values of one argument for which a goal has solutions.
	Instead = explain.Instead
)

// Replies answers a predicate that waits; name and args are as engine.Run.Waiting returns them.
type Replies func(name string, args []term.Term) (term.Term, error)

// FewAnswersError is the error of asking for an answer that a goal does not have. It is
// engine.ErrNoSolution.
type FewAnswersError struct {
	// Answers is how many answers the goal has.
	Answers int
}

// Error says how many answers there are.
func (e *FewAnswersError) Error() string {
	switch e.Answers {
	case 0:
		return explain.ErrNoSolution.Error()
	case 1:
		return "there is only one answer"
	}
	return fmt.Sprintf("there are only %d answers", e.Answers)
}

// Is reports whether the error is engine.ErrNoSolution.
func (e *FewAnswersError) Is(err error) bool { return err == explain.ErrNoSolution }

// NoNodeError is the error of asking for a node that a proof does not have.
type NoNodeError struct{ Node string }

// Error names the node.
func (e *NoNodeError) Error() string {
	return "the proof has no node " + e.Node + "; its name must come from a proof of the same answer"
}
