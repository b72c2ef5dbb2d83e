package explain

import "github.com/mcplogic/mcplogic/engine/term"

// This file defines proofs and misses as terms.

// Term is proof(Nodes, More): nodes are node(Id, Goal, By, At, From, Extra).
func (p *Proof) Term() term.Term {
	var nodes, more []term.Term
	for _, n := range p.Nodes {
		nodes = append(nodes, n.asTerm())
		if n.Cut {
			more = append(more, term.Atom(n.ID))
		}
	}
	return term.New("proof", term.List(nodes...), term.List(more...))
}

func (n *Node) asTerm() term.Term {
	var from, extra []term.Term
	for _, id := range n.From {
		from = append(from, term.Atom(id))
	}
	for _, pair := range []struct{ name, text string }{{"says", n.Says}, {"note", n.Note}, {"missing", n.missing}} {
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

// asTerm is the goal with its module, unless that is user.
func (g Goal) asTerm() term.Term {
	if g.Term == nil {
		return term.Atom("none")
	}
	if g.Module == "" || g.Module == "user" {
		return g.Term
	}
	return term.New(":", term.Atom(g.Module), g.Term)
}

// asTerm is File:Line, or none.
func (p Place) asTerm() term.Term {
	if p.File == "" {
		return term.Atom("none")
	}
	return term.New(":", term.Atom(p.File), term.Int(p.Line))
}

// Term is a list of misses as terms.
func (m *Misses) Term() term.Term { return missTerms(m.Misses) }

// missTerms is a list of miss(Goal, At, Held, Total, Failed, Extra).
func missTerms(misses []*Miss) term.Term {
	var list []term.Term
	for _, m := range misses {
		list = append(list, m.asTerm())
	}
	return term.List(list...)
}

func (m *Miss) asTerm() term.Term {
	extra := []term.Term{term.New("kind", term.Atom(m.Kind)), term.New("detail", term.Atom(m.what())),
		term.New("says", term.String(m.Line()))}
	for _, near := range m.Near {
		extra = append(extra, term.New("near", term.String(near)))
	}
	if len(m.Because) > 0 {
		extra = append(extra, term.New("because", missTerms(m.Because)))
	}
	var held []term.Term
	for _, text := range m.Held {
		held = append(held, term.String(text))
	}
	return term.New("miss", m.call.asTerm(), m.place.asTerm(), term.List(held...), term.Int(m.Total),
		m.failedGoal.asTerm(), term.List(extra...))
}
