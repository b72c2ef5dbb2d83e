% Decisions on loans.
:- type(decision, oneof([granted, manual, refused])).
:- type(reason, oneof([barred, income, score, amount, ok])).
:- mode(loan(+atom, +decimal(2), -decision, -reason), zero_or_one).
:- mode(refused(-atom), zero_or_more).
:- info(loan/4, [
       comment is 'Decides whether a customer may have a loan.',
       arguments is [
           customer - 'Name, as in the data',
           amount - 'Euros',
           decision - 'Decision',
           reason - 'Why'
       ],
       examples is ['Small' - loan(ann, 100, D, R) - {D = granted, R = ok}]
   ]).
:- info(refused/1, [comment is 'Finds customers who get no loan at all.', arguments is [customer - 'Name']]).

tools([loan/4, refused/1]).

loan(Customer, Amount, Decision, Reason) :-
    customer(Customer, Income),
    (   barred(Customer)
    ->  Decision = refused,
        Reason = barred
    ;   Amount > 5 * Income
    ->  Decision = refused,
        Reason = income
    ;   score_of(Customer, Score),
        Score < 400
    ->  Decision = refused,
        Reason = score
    ;   Score < 600
    ->  Decision = manual,
        Reason = score
    ;   Amount > 20000
    ->  Decision = manual,
        Reason = amount
    ;   Decision = granted,
        Reason = ok
    ).

refused(Customer) :-
    barred(Customer).
refused(Customer) :-
    score_of(Customer, Score),
    Score < 400.

score_of(Customer, Score) :-
    score(Customer, Score),
    !.
score_of(_, 500).

customer(ann, 3000).
customer(bob, 1000).
customer(cid, 5000).
customer(dee, 8000).
customer(eli, 2000).

score(ann, 720).
score(bob, 399).
score(dee, 600).
score(eli, 800).

barred(eli).
