% never: no end of the list
sum_items([item(_, P)|T], S) :- sum_items(T, S0), S is S0 + P.
% missed: nothing stops below zero
installments(0, _, []).
installments(N, A, [A|T]) :- M is N - 1, installments(M, A, T).
% never: the same list again
count_paid([], 0).
count_paid([paid|T], N) :- count_paid(T, M), N is M + 1.
count_paid([open|T], N) :- count_paid([open|T], N).
% left_recursion: the relation is asked of itself first
reports_to(A, B) :- reports_to(A, C), manager(C, B).
reports_to(A, B) :- manager(A, B).
manager(ann, bob).
manager(bob, eva).
% left_recursion: it is symmetric
partner(A, B) :- partner(B, A).
partner(ann, bob).
% left_recursion: the two rules ask each other
eligible(P) :- insured(P).
insured(P) :- eligible(P).
% endless: it counts upwards for ever
compound(Y, Y, A, A).
compound(Y, End, A, R) :- Y1 is Y + 1, A1 is A * 1.03, compound(Y1, End, A1, R).
% endless: away from the end
countdown(0, done).
countdown(N, R) :- N > 0, M is N + 1, countdown(M, R).
% endless: the roads go round
route(A, B) :- road(A, B).
route(A, B) :- road(A, C), route(C, B).
road(leeds, york).
road(york, hull).
road(hull, leeds).
% missed: the base case wants a list of one
total_weight([W], W).
total_weight([W|T], S) :- total_weight(T, S0), S is S0 + W.
total_weight([], none).
% endless: the amount does not change
pay_off(Debt, _, 0) :- Debt =< 0.
pay_off(Debt, Rate, N) :- Debt > 0, _Rest is Debt - Rate, pay_off(Debt, Rate, M), N is M + 1.
% endless: the rest is the whole
find_slot(Slots, S) :- Slots = [S|_], free(S).
find_slot(Slots, S) :- Slots = [_|_], find_slot(Slots, S).
free(s3).
