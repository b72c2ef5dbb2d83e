package term

// Variables returns the distinct variables of a term, depth first and left to right.
func Variables(t Term) []*Var {
	var list []*Var
	seenVar := map[*Var]bool{}
	seen := map[*Compound]bool{}
	stack := []Term{t}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch t := t.(type) {
		case *Var:
			if !seenVar[t] {
				seenVar[t] = true
				list = append(list, t)
			}
		case *Compound:
			if seen[t] {
				continue
			}
			seen[t] = true
			for i := len(t.Args) - 1; i >= 0; i-- {
				stack = append(stack, t.Args[i])
			}
		}
	}
	return list
}
