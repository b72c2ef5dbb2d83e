% Goals without an answer, and the rules that they are of. What a miss says would be enough has to be so.
% goal: ship(2)
% goal: ship(3)
% goal: ship(4)
% goal: ship(9)
% goal: may(cid, read, doc)
% goal: may(bob, delete, doc)
% goal: may(bo, write, doc)
% goal: can_take(tom, alg2)
% goal: can_take(amy, alg1)
% goal: route(a, e)
% goal: route(c, X)
% goal: good(tom)
% goal: rich(x)
% goal: biggest(q, M)
% goal: cheap(pin)
% goal: cheap(hat)
% goal: adult(kim)
% goal: adult(ned)
% goal: pays_less(jo)
% goal: pays_less(amy)
% goal: team_ok(red)
% goal: team_ok(green)
% goal: free(r1)
% goal: free(r3)
% goal: hello(fr)
% goal: all_ok([1, 2, 3])
% goal: popular(tea)
% goal: status(u1, gold)
:- dynamic blocked/1.
% shipping
ship(O) :- order(O, Item, N), stock(Item, S), S >= N, address(O, A), deliverable(A), \+ blocked(O).
order(1, pen, 5). order(2, ink, 3). order(3, pad, 1). order(4, cup, 2).
stock(pen, 9). stock(ink, 2). stock(pad, 4).
address(1, rome). address(2, oslo). address(3, bern).
deliverable(rome). deliverable(oslo).
% access
may(U, Act, R) :- role(U, Role), grants(Role, Act, R), active(U).
role(ann, admin). role(bob, editor). role(cid, reader).
grants(admin, delete, doc). grants(editor, write, doc). grants(reader, read, doc).
active(ann). active(bob).
% course
can_take(S, C) :- course(C, _), forall(prereq(C, P), passed(S, P)), \+ passed(S, C).
course(alg2, 5). course(alg1, 3). prereq(alg2, alg1). prereq(alg2, logic).
passed(tom, alg1). passed(amy, alg1). passed(amy, logic).
% route, tabled
:- table route/2.
route(A, B) :- leg(A, B).
route(A, B) :- route(A, C), leg(C, B).
leg(a, b). leg(b, c). leg(d, e).
% => 
grade(N, G), N >= 90 => G = a.
grade(N, G), N >= 80 => G = b.
grade(_, G) => G = f.
good(S) :- score(S, N), grade(N, a).
score(tom, 85). score(amy, 95).
% dcg
cmd(go(D)) --> [go], dir(D).
cmd(take(X)) --> [take], item(X).
dir(north) --> [north]. dir(south) --> [south].
item(X) --> [X], { thing(X) }.
thing(lamp). thing(key).
% aggregates
rich(P) :- aggregate_all(sum(A), account(P, A), S), S >= 100.
account(x, 50). account(x, 40). account(y, 200).
biggest(P, M) :- aggregate_all(max(A), account(P, A), M), M > 60.
% or, if
price(I, P) :- ( sale(I) -> base(I, B), P is B // 2 ; base(I, P) ).
cheap(I) :- price(I, P), P < 10.
sale(hat). base(hat, 30). base(bag, 12).
% mixed facts and rules
adult(zed).
adult(P) :- born(P, Y), Y =< 2000.
born(kim, 2010). born(lee, 1990).
% two ways
pays_less(P) :- student(P), enrolled(P).
pays_less(P) :- senior(P).
student(jo). student(ed). enrolled(ed). senior(max).
% lists
team_ok(T) :- members(T, Ms), length(Ms, N), N >= 3, memberchk(lead, Ms).
members(red, [ann, bob]). members(blue, [ann, bob, cid]).
% catch
safe_div(X, Y, Z) :- catch(Z is X / Y, error(evaluation_error(_), _), fail).
% nested negation
free(R) :- room(R), \+ booked(R, today).
room(r1). room(r2). booked(r1, today).
% strings
hello(X) :- greeting(X, S), string_concat("hi ", _, S).
greeting(en, "hi there"). greeting(fr, "salut").
% maplist
all_ok(L) :- maplist(ok, L).
ok(1). ok(2).
% findall+member
popular(B) :- findall(P, likes(P, B), Ps), length(Ps, N), N > 2.
likes(a, tea). likes(b, tea). likes(a, pie).
% cut
status(X, gold) :- points(X, P), P > 100, !.
status(X, silver) :- points(X, P), P > 50, !.
status(_, none).
points(u1, 70). points(u2, 120).
