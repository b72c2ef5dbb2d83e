package explain

import "github.com/mcplogic/mcplogic/engine/term"

// This file defines proofs and misses as terms.

// Term returns proof(Nodes, More). The nodes are node(Id, Goal, By, At, From, Extra).
func (p *Proof) Term() term.Term {
	var more []term.Term
	for _, n := range p.Nodes {
		if n.Cut {
			more = append(more, term.Atom(n.ID))
		}
	}
	return term.New("proof", p.Graph.Term(), term.List(more...))
}

// Term returns the list of the nodes.
func (g *Graph) Term() term.Term {
	var nodes []term.Term
	for _, n := range g.Nodes {
		nodes = append(nodes, n.asTerm())
	}
	return term.List(nodes...)
}

func (n *Node) asTerm() term.Term {
	var from, extra []term.Term
	for _, id := range n.From {
		from = append(from, term.Atom(id))
	}
	for _, pair := range []struct{ name, text string }{
		{"says", n.Says}, {"words", n.Words}, {"note", n.Note}, {"missing", n.missing}, {"detail", n.Detail}} {
		if pair.text != "" {
			extra = append(extra, term.New(term.Atom(pair.name), term.String(pair.text)))
		}
	}
	for _, via := range n.Via {
		extra = append(extra, term.New("via", term.String(via)))
	}
	if n.Cut {
		extra = append(extra, term.Atom("cut"))
	}
	return term.New("node", term.Atom(n.ID), n.call.asTerm(), term.Atom(n.By), n.place.asTerm(), term.List(from...),
		term.List(extra...))
}

// asTerm returns the goal with its module, unless that is user.
func (g Goal) asTerm() term.Term {
	if g.Term == nil {
		return term.Atom("none")
	}
	if g.Module == "" || g.Module == "user" {
		return g.Term
	}
	return term.New(":", term.Atom(g.Module), g.Term)
}

// asTerm returns File:Line, or none.
func (p Place) asTerm() term.Term {
	if p.File == "" {
		return term.Atom("none")
	}
	return term.New(":", term.Atom(p.File), term.Int(p.Line))
}
