// This file defines the measurement of loading: files of many facts, as text and as rows, read by each
// system, and looked up by each argument.
package main

import (
	"fmt"
	"io"
)

// loadSystems are compared when none are chosen: gplc takes hours for such files.
const loadSystems = "mcplogic,swipl"

// A shape is a kind of fact; it writes the arguments of number i, of which there are n.
type shape struct {
	name, about string
	args        func(i, n int) string
}

var shapes = []shape{
	{"integers", "three integers", func(i, n int) string {
		return fmt.Sprintf("%d,%d,%d", i, spread(i, n), i%1000)
	}},
	{"atoms", "three atoms, a few thousand in all", func(i, n int) string {
		return fmt.Sprintf("a%d,b%d,c%d", i%5000, spread(i, n)%3000, i%1000)
	}},
	{"names", "an atom of its own, an integer and an atom", func(i, n int) string {
		return fmt.Sprintf("name%d,%d,c%d", i, spread(i, n), i%1000)
	}},
	{"strings", "a string of its own, an integer and an atom", func(i, n int) string {
		return fmt.Sprintf("\"text %d\",%d,c%d", i, spread(i, n), i%1000)
	}},
	{"structures", "a structure, a float and a list", func(i, n int) string {
		return fmt.Sprintf("at(%d,%d),%d.5,[c%d,d]", i, spread(i, n), i%7919, i%1000)
	}},
}

// csvProgram is n rows of the shape integers in a CSV file: facts/2 here, library(csv) and assertz/1 elsewhere.
func csvProgram(n int) program {
	data := func(w io.Writer) error {
		for i := range n {
			if _, err := fmt.Fprintln(w, shapes[0].args(i, n)); err != nil {
				return err
			}
		}
		return nil
	}
	return program{name: "csv", about: "Loading rows of a CSV file: three integers", scale: 1, data: data, text: `
:- if(current_prolog_flag(mcplogic, _)).
:- facts(fact/3, 'csv.csv', []).
:- else.
:- use_module(library(csv)).
:- dynamic fact/3.
:- prolog_load_context(directory, Dir), atom_concat(Dir, '/csv.csv', File),
   forall(csv_read_file_row(File, Row, [functor(fact)]), assertz(Row)).
:- endif.
bench :- fact(A, B, C), !, write(checksum(A/B/C)), nl.
`}
}

// spread is i's place in an order that is not the order of the facts.
func spread(i, n int) int { return i * 7919 % n }

// fileOf is a file of n facts of a shape, with goals for each way of using it. It is written
// piece by piece: what this process holds counts towards the peak of the processes it starts.
func (s shape) fileOf(n int) program {
	fill := func(w io.Writer) error {
		for i := range n {
			if _, err := fmt.Fprintf(w, "fact(%s).\n", s.args(i, n)); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintf(w, "%ssize(%d).\n", loadGoals, n)
		return err
	}
	return program{name: s.name, about: "Loading facts: " + s.about, scale: 1, fill: fill}
}

// loadGoals end each file of facts. The goals for lookup are for the shape integers.
const loadGoals = `
bench :- fact(A, B, C), !, write(checksum(A/B/C)), nl.

lookup(Argument) :-
    size(N), Rounds is N // 10,
    statistics(cputime, T0),
    lookups(0, Rounds, Argument, 0, Sum),
    statistics(cputime, T),
    Seconds is T - T0,
    write(checksum(Sum)), nl, write(seconds(Seconds)), nl.

lookups(N, N, _, Sum, Sum) :- !.
lookups(I, N, Argument, Sum0, Sum) :-
    Key is I * 10,
    look(Argument, Key, Value), !,
    Sum1 is (Sum0 + Value) mod 1000003,
    J is I + 1,
    lookups(J, N, Argument, Sum1, Sum).

look(1, Key, B) :- fact(Key, B, _).
look(2, Key, A) :- fact(A, Key, _).
look(3, Key, A) :- Class is Key mod 1000, fact(A, _, Class).
`

// loadPrograms are the files of n facts that only names, and the lookups in one of them.
func loadPrograms(only string, n int) ([]program, error) {
	empty := program{name: "empty", text: "empty.\n"}
	var all []program
	for _, s := range shapes {
		p := s.fileOf(n)
		p.start = &empty
		all = append(all, p)
	}
	rows := csvProgram(n)
	rows.start = &empty
	all = append(all, rows)
	for argument := 1; argument <= 3; argument++ {
		p := all[0]
		p.file = p.name
		p.name, p.about = fmt.Sprintf("lookup-%d", argument), fmt.Sprintf("Looking facts up by argument %d", argument)
		p.goal = fmt.Sprintf("lookup(%d)", argument)
		all = append(all, p)
	}
	return named(all, only)
}
