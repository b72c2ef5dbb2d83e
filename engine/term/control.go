package term

// This file defines which terms are control constructs (ISO 13211-1, 7.8).

// Junction returns the two goals of a conjunction, of a disjunction, also when it is written with a bar, or of (If ->
// Then) and (If *-> Then); ok is false for any other term.
func Junction(t Term) (goals []Term, ok bool) {
	c, isCompound := t.(*Compound)
	if !isCompound || len(c.Args) != 2 {
		return nil, false
	}
	switch c.Functor {
	case ",", ";", "|", "->", "*->":
		return c.Args, true
	}
	return nil, false
}

// Control returns the goals of a control construct all of whose arguments are goals: those of a junction or of a
// negation. ok is false for any other term.
func Control(t Term) (goals []Term, ok bool) {
	if goals, ok = Is(t, "\\+", 1); ok {
		return goals, true
	}
	return Junction(t)
}
