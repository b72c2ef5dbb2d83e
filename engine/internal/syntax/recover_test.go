package syntax

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recovered reads a text with recovery. It returns the clauses and the errors.
func recovered(t *testing.T, in *Input) (clauses []string, errors []*Error) {
	p := NewParser(in, nil, &Flags{Lenient: true})
	p.Recover = true
	for {
		read, err := p.Read()
		if err == io.EOF {
			return clauses, errors
		}
		if err != nil {
			var e *Error
			require.ErrorAs(t, err, &e)
			errors = append(errors, e)
			continue
		}
		clauses = append(clauses, canonical(read.Term))
	}
}

// TestHalfWritten writes clauses character by character between clauses that are right. All errors stand in the clause
// that is being written, and no other clause is lost.
func TestHalfWritten(t *testing.T) {
	right := []string{
		"% A comment (with brackets [and 'quotes.\nprice(apple, 3).\n",
		"total(Items, T) :-\n    findall(P, ( member(I, Items), price(I, P) ), Ps),\n    sum_list(Ps, T).\n",
		"/* A comment\nthat looks(like, a clause).\n*/\nusage(\"usage:\nrun it.\n\").\n",
		":- dynamic seen/1.\n",
		"greeting --> [hello], name, { true }.\n'quoted head'(0'a, 0''', \"it's\").\n",
		"label(X) :- X = 'it''s', !.\nlabel(_).\n",
	}
	written := []string{
		"may_borrow(Person, Book) :- member(Person, [ann, 'Bob'|_]), \\+ lent(Book, \"x, (y)\"), X = {a, b}.",
		"rule(A) :-\n    A > 1,\n    ( A < 3 -> foo(A, [1, 2]) ; bar ),\n    baz(A).",
		"greet(N) --> \"hello\", [N|Rest], { format(\"~w ~a\", [N, 'a b']) }.",
		":- use_module(library(lists), [append/3]).",
		"a :- 'open quote, b(X), c.",
		"long(X) :- X = \"a text\n  of two lines\" /* a comment\n  of two lines */ .",
	}
	var want []string
	for _, text := range right {
		clauses, errors := recovered(t, NewTextInput("", text))
		require.Empty(t, errors)
		want = append(want, clauses...)
	}
	wrong := 0
	for place := range len(right) + 1 {
		before, behind := strings.Join(right[:place], ""), strings.Join(right[place:], "")
		first := strings.Count(before, "\n") + 1
		for _, clause := range written {
			for n := 1; n < len(clause); n++ {
				half := clause[:n]
				clauses, errors := recovered(t, NewTextInput("", before+half+"\n"+behind))
				if len(errors) == 0 {
					continue // it goes on with the next clause, as in "a :- b,"
				}
				wrong++
				for _, e := range errors {
					require.GreaterOrEqual(t, e.Pos.Line, first, "%q\n%s", half, e)
					require.LessOrEqual(t, e.Pos.Line, first+strings.Count(half, "\n"), "%d %q\n%s", place, half, e)
				}
				require.Subset(t, clauses, want, "%d %q", place, half)
			}
		}
	}
	require.Greater(t, wrong, 1000)
}

// TestRecoverFromStream reads what TestHalfWritten reads from a reader that gives little at a time.
func TestRecoverFromStream(t *testing.T) {
	text := strings.Repeat("filler(ä).\n", 1<<14) + "broken(X) :- foo(\nz(1).\nbroken :- a b,\n  c\nz(2).\n"
	clauses, errors := recovered(t, NewTextInput("", text))
	fromStream, errorsOfStream := recovered(t, NewInput("", io.LimitReader(strings.NewReader(text), 1<<30)))
	require.Equal(t, clauses, fromStream)
	require.Equal(t, fmt.Sprint(errors), fmt.Sprint(errorsOfStream))
	require.Equal(t, []string{"z(1)", "z(2)"}, clauses[1<<14:])
	require.Len(t, errors, 2)
	require.EqualError(t, errors[0], "16385:14: foo( of 16385:14 is still open where line 16386 begins another clause")
}

// TestNoRecovery reads clauses with an error in whose text a line begins like a clause, and is none.
func TestNoRecovery(t *testing.T) {
	for _, text := range []string{
		"p :-\na,\nb c,\nd.\n",
		"p([\na-1,\nb-2\nc-3,\nd-4\n]).\n",
		"help(\"usage:\nrun fast.\nstop.\n\") :- foo bar.\n",
		"p /* usage:\nrun.\n*/ q.\n",
		"p(a,\nb c).\n",
		"p(X) :-\n( q(X),\nr(X).\n",
		"p(X) :-\nq(X),\n( r(X)\n;\ns(X),\nt(X).\n",
		"p(X) :-\n[q,\n'r s'.\n",
	} {
		clauses, errors := recovered(t, NewTextInput("", text))
		require.Empty(t, clauses, text)
		require.Len(t, errors, 1, text)
		_, err := NewParser(NewTextInput("", text), nil, &Flags{Lenient: true}).Read()
		require.EqualError(t, errors[0], err.Error())
	}
}

// TestRecoveryIsBounded reads texts in which each line may begin a clause, and few lines or none do. Recovery reads a
// few times the text again.
func TestRecoveryIsBounded(t *testing.T) {
	for _, test := range []struct {
		line string
		swi  bool
	}{
		{line: "a(1,\n"}, {line: "b([{a,\n"}, {line: "foo bar\n"}, {line: "foo(\nbar.\n"},
		{line: "foo(1, /* x\nbar(1).\n"}, {line: "foo(1, /* x\nbar(1).\n", swi: true}, {line: " foo /* x\n", swi: true},
		{line: "foo(1, 'x\nbar(1).\n"}, {line: "foo(1, \"x\nbar(1).\n"},
	} {
		text := strings.Repeat(test.line, 1<<18/len(test.line))
		most := leastAgain + (timesAgain+1)*len(text) // the last clause that is ended early may go beyond it
		var steps [2]int
		for i := range steps {
			p := NewParser(NewTextInput("", text), nil, &Flags{Lenient: true, SWI: test.swi})
			p.Recover = i == 1
			p.Meter = func(n int) { steps[i] += n }
			for err := error(nil); err != io.EOF; {
				_, err = p.Read()
			}
			require.LessOrEqual(t, p.again, most, test.line)
		}
		require.LessOrEqual(t, steps[1], steps[0]+most, test.line) // a step is a token, which has a byte at least
	}
}

// TestRecoverMany recovers each of many clauses, and a long one.
func TestRecoverMany(t *testing.T) {
	long := "long([1" + strings.Repeat(",\n1", 4*firstWindow) + "]).\n"
	clauses, errors := recovered(t, NewTextInput("", strings.Repeat("foo(\nbar.\n", 1000)+"foo(\n"+long))
	require.Len(t, errors, 1001)
	require.Len(t, clauses, 1001)
	require.True(t, strings.HasPrefix(clauses[1000], "long("))
}
