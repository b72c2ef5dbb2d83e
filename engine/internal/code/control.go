package code

// This file defines which functors are control constructs (ISO 13211-1, 7.8). Everything that follows the goals of a
// body asks here, or package term when it has Go terms: the compiler, the machine, the loader and the type tests.

// Junction reports whether a functor is that of a control construct of two goals: a conjunction, a disjunction, also
// when it is written with a bar, or the condition of an if-then-else.
func Junction(f Cell) bool {
	switch f {
	case FComma, FSemi, FBar, FArrow, FSoft:
		return true
	}
	return false
}

// Control reports whether a functor is that of a control construct all of whose arguments are goals: a junction or a
// negation.
func Control(f Cell) bool { return f == FNot || Junction(f) }
