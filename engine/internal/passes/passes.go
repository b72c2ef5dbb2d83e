// Package passes changes clauses before they are compiled: lambdas become predicates, functions on dicts become goals,
// constraints become arithmetic where they can, and unifications check for cyclic terms where a flag wants that. A pass
// takes the terms of a clause and returns others. It knows no loader; [Lambdas] alone keeps what it has done.
package passes
