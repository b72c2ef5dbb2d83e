% wrong: a count without an end
instalments(0, 0).
instalments(N, S) :- M is N - 1, instalments(M, T), S is T + 100.
% wrong: the factorial that every book warns of
fact(0, 1).
fact(N, F) :- M is N - 1, fact(M, G), F is N * G.
% wrong: the end comes last
power(B, N, P) :- M is N - 1, power(B, M, Q), P is B * Q.
power(_, 0, 1).
% wrong: interest for years without a bound
grows(Y, Y, A, A).
grows(Y, End, A, R) :- Y1 is Y + 1, A1 is A * 1.03, grows(Y1, End, A1, R).
% wrong: away from the end
countdown(0, done).
countdown(N, R) :- N > 0, M is N + 1, countdown(M, R).
% wrong: a lower bound for a number that grows
level(10, top).
level(N, R) :- N >= 1, M is N + 1, level(M, R).
% wrong: an upper bound for a number that falls
down(1, R, R).
down(N, A, R) :- N < 100, M is N - 2, down(M, A, R).
% wrong: negative steps
back(0).
back(N) :- M is N + -1, back(M).
% wrong: the new number is compared on the wrong side
climb(9).
climb(N) :- M is N + 1, M > 0, climb(M).
% wrong: two numbers grow
both(5, 5).
both(A, B) :- A1 is A + 1, B1 is B + 1, both(A1, B1).
% wrong: roads go round
route(A, B) :- road(A, B).
route(A, B) :- road(A, C), route(C, B).
road(leeds, york).
road(york, hull).
road(hull, leeds).
% wrong: who reports to himself
above(A, B) :- boss(A, B).
above(A, B) :- boss(A, C), above(C, B).
boss(ann, bob).
boss(bob, bob).
% wrong: the ring is walked backwards
reaches(A, B) :- link(B, A).
reaches(A, B) :- link(C, A), reaches(C, B).
link(a, b).
link(b, a).
% wrong: the facts have a kind, and those of the kind go round
flies(A, B) :- leg(air, A, B).
flies(A, B) :- leg(air, A, C), flies(C, B).
leg(air, rome, oslo).
leg(air, oslo, rome).
leg(rail, rome, bern).
% wrong: steps are counted on a round
dist(A, B, 1) :- edge(A, B).
dist(A, B, N) :- edge(A, C), dist(C, B, M), N is M + 1.
edge(a, b).
edge(b, c).
edge(c, a).
% wrong: what is left is calculated and not passed on
pay_off(Debt, _, 0) :- Debt =< 0.
pay_off(Debt, Rate, N) :- Debt > 0, _Rest is Debt - Rate, pay_off(Debt, Rate, M), N is M + 1.
% wrong: the list is passed on as it is
slot(Slots, S) :- Slots = [S|_], free(S).
slot(Slots, S) :- Slots = [_|_], slot(Slots, S).
free(s3).
% wrong: the same question behind a fact
covered(P, R) :- policy(P, R).
covered(P, R) :- policy(P, _), covered(P, R).
policy(p1, fire).
% wrong: the same question behind a comparison
owes(P, A) :- bill(P, A).
owes(P, A) :- bill(P, B), B > 10, owes(P, A).
bill(ann, 20).
% wrong: the same list behind its length
total(L, 0) :- L == [].
total(L, S) :- length(L, N), N > 0, total(L, T), S is T + 1.
% right: a count with an end
instalments(0, 0).
instalments(N, S) :- N > 0, M is N - 1, instalments(M, T), S is T + 100.
% right: the new number is compared
fact(0, 1).
fact(N, F) :- M is N - 1, M >= 0, fact(M, G), F is N * G.
% right: a cut at the end
power(_, 0, 1) :- !.
power(B, N, P) :- M is N - 1, power(B, M, Q), P is B * Q.
% right: years up to a bound
grows(Y, Y, A, A).
grows(Y, End, A, R) :- Y < End, Y1 is Y + 1, A1 is A * 1.03, grows(Y1, End, A1, R).
% right: a list that becomes shorter
nth([X|_], 0, X).
nth([_|T], N, X) :- M is N - 1, nth(T, M, X).
% right: a list that is counted
len([], N, N).
len([_|T], N0, N) :- N1 is N0 + 1, len(T, N1, N).
% right: a condition
sum(N, S) :- ( N =< 0 -> S = 0 ; M is N - 1, sum(M, T), S is T + N ).
% right: a table of facts bounds the number
price(N, P) :- level(N, P).
price(N, P) :- level(N, _), M is N + 1, price(M, P).
level(1, 10).
level(2, 20).
% right: roads that do not go round
route(A, B) :- road(A, B).
route(A, B) :- road(A, C), route(C, B).
road(leeds, york).
road(york, hull).
% right: a table
:- table route/2.
route(A, B) :- road(A, B).
route(A, B) :- road(A, C), route(C, B).
road(leeds, york).
road(york, leeds).
% right: who was visited is passed on
route(A, B, _) :- road(A, B).
route(A, B, Seen) :- road(A, C), \+ memberchk(C, Seen), route(C, B, [C|Seen]).
road(leeds, york).
road(york, leeds).
% right: the steps are bounded
route(A, B, _) :- road(A, B).
route(A, B, N) :- N > 0, M is N - 1, road(A, C), route(C, B, M).
road(leeds, york).
road(york, leeds).
% right: only the trains go round, and planes are asked for
flies(A, B) :- leg(air, A, B).
flies(A, B) :- leg(air, A, C), flies(C, B).
leg(air, rome, oslo).
leg(rail, rome, bern).
leg(rail, bern, rome).
% right: facts that may change
:- dynamic(road/2).
route(A, B) :- road(A, B).
route(A, B) :- road(A, C), route(C, B).
road(leeds, york).
road(york, leeds).
% right: what is left is passed on
pay_off(Debt, _, 0) :- Debt =< 0.
pay_off(Debt, Rate, N) :- Debt > 0, Rest is Debt - Rate, pay_off(Rest, Rate, M), N is M + 1.
% right: a loop that reads
ask(X) :- read(Y), Y \== stop, ask(X).
ask(_).
% right: a loop that takes facts away
:- dynamic(todo/1).
work(X) :- retract(todo(_)), work(X).
work(_).
todo(1).
% right: a die is thrown until it shows a six
roll(X) :- Y is random(6), Y =\= X, roll(X).
roll(_).
% right: the clock ends it
wait(Until) :- get_time(Now), Now < Until, wait(Until).
wait(_).
% right: another argument
covered(P, R) :- policy(P, R).
covered(P, R) :- policy(P, Q), part(Q, R).
part(fire, smoke).
policy(p1, fire).
% right: halves come to an end
halve(1, 0).
halve(N, S) :- N > 1, M is N // 2, halve(M, T), S is T + 1.
% right: an error is thrown at the bottom
dig(0) :- throw(bottom).
dig(N) :- M is N - 1, dig(M).
% right: text that becomes shorter
spaces([0' |T], N0, N) :- N1 is N0 + 1, spaces(T, N1, N).
spaces([], N, N).
