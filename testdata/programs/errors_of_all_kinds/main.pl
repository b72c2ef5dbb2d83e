% What errors say that built-in predicates throw, caught and shown one by one.
safe(G) :- catch(( call(G) -> true ; writeln(failed) ), E, ( handle(E) )).
handle(error(type_error(T, V), _)) :- !, format("type ~w ~q~n", [T, V]).
handle(error(E, _)) :- !, format("error ~q~n", [E]).
handle(E) :- format("ball ~q~n", [E]).
res(G, R) :- catch(( G -> R = true ; R = false ), E, R = ex(E)).
main :- safe(succ(_, 0)), safe(1 =:= a), safe(nb_getval(nokey, _)),
    safe(number_vars(_)), safe(setof(X3, foo:bar(X3), _)), safe(throw(_)), safe(call(_)), safe(length(L, L)), safe(length(a, _)), safe(length(_, -1)),
    safe(msort(a, _)), safe(sort([a|_], _)), safe(term_to_atom(_, 'a b')),
    safe(tab(-1)), nl, safe(char_code(_, _)), safe(sub_atom(_, _, _, _, _)), safe(number_string(_, "abc")), safe(op(1300, xfx, a)),
    res(setup_call_cleanup(write(a), fail, write(b)), R1), print(R1), nl,
    res(setup_call_cleanup(true, throw(x), throw(y)), R2), print(R2), nl,
    res(catch(throw(a), b, true), R3), print(R3), nl,
    res(( catch(member(Y, [1,2,3]), _, true), Y > 1, throw(found(Y)) ), R4), print(R4), nl,
    res(call_cleanup(fail, writeln(cleanup)), R5), print(R5), nl,
    res(findall(Z, ( member(Z, [1,2]), Z > 1, throw(in(Z)) ), _), R6), print(R6), nl,
    res(forall(member(W, [1,a]), integer(W)), R7), print(R7), nl,
    res(ignore(throw(q)), R8), print(R8), nl,
    res(\+ throw(n), R9), print(R9), nl,
    res(catch(type_error(foo, bar), error(E1, _), throw(E1)), R10), print(R10), nl,
    res(catch(must_be(list, [a|b]), error(E2, _), throw(E2)), R12), print(R12), nl,
    safe(call_with_depth_limit(true, 10, D)), print(D), nl, safe(string_concat(_, _, _)), safe(nth0(a, [b], _)), safe(nth1(_, foo, _)), safe(atomic_list_concat(_, _)),
    safe(atomic_list_concat(_, ',', _)), safe(sumlist([a], _)), safe(max_list([], _)), safe(last([], _)), safe(assertz(_)), safe(assertz((_ :- true))), safe(retract((atom(_) :- true))), safe(abolish(foo/a)), safe(abolish(atom/1)),
    safe(current_op(_, _, 1)), safe(copy_term(_, _)), safe(number_codes(_, [])), safe(atom_chars(_, [a|_])), safe(atom_chars(_, [a, f(b)])), safe(atom_chars(_, [a, bc])),
    safe(_ is 1/0), safe(_ is 1 mod 0), safe(_ is 1.0/0), safe(_ is sqrt(-1)), safe(_ is acos(2)), safe(_ is 1 << a), safe(_ is 1.5 mod 2), safe(_ is max(1, a)),
    safe(_ is 2 ** -1), safe(_ is 0 ** -1), safe(_ is 0.0 / 0), safe(_ is integer("a")), safe(_ is "a"), safe(_ is [1]), safe(_ is [1, 2]), safe(_ is a), safe(_ is foo(1, 2)), safe(_ is msb(-1)), safe(_ is gcd(1.0, 2)).
