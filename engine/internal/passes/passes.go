// Package passes changes clauses before they are compiled. Lambdas become predicates. Functions on dicts become
// goals. Constraints become arithmetic if possible. Under the flag occurs_check unifications check for cyclic terms.
// A pass takes the terms of a clause and returns others. Passes do not depend on the loader, and only [Lambdas] keeps
// state.
package passes
