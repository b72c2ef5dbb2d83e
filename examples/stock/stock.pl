% A store that says by itself what has to be ordered.

:- persistent(stock/2, [key([1])]).

% article(Article, Least, Supplier): so many of an article should always be there.
article(bolt, 100, ironworks).
article(nut, 100, ironworks).
article(gasket, 20, sealing).

left(Article, Left) :-
    article(Article, _, _),
    (   stock(Article, N)
    ->  Left = N
    ;   Left = 0
    ).

% One occurrence as long as the article is short: how many are left is no output.
reorder(Article, Supplier) :-
    article(Article, Least, Supplier),
    left(Article, Left),
    Left < Least.

% One occurrence for each change below the limit: how many are left is an output.
below(Limit, Article, Left) :-
    left(Article, Left),
    Left < Limit.

change(Article, By, Left) :-
    left(Article, Before),
    Left is Before + By,
    Left >= 0,
    retractall(stock(Article, _)),
    assertz(stock(Article, Left)).
