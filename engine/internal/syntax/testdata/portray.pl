a.
"str".
'A b'.
f(A, _, A).
_.
a :-
    b.
a :-
    b,
    c.
a :-
    b,
    c,
    d.
a :-
    (   b
    ;   c
    ).
a :-
    (   b
    ->  c
    ;   d
    ).
a :-
    (   b
    ->  c
    ).
a :-
    (   b
    *-> c
    ;   d
    ).
a :-
    (   b
    ;   c
    ;   d
    ).
a :-
    (   b
    ->  c
    ;   d
    ->  e
    ;   f
    ).
a :-
    x,
    (   b
    ->  c,
        d
    ;   e
    ),
    y.
a :-
    \+ b.
a :-
    \+ ( b,
         c
       ).
a :-
    \+ (   b
       ;   c
       ).
a :-
    \+ \+ b.
a :-
    findall(A,
            ( p(A),
              q(A)
            ),
            B),
    r(B).
a :-
    forall(p(A), q(A)).
a :-
    forall(( p(A),
             q
           ),
           ( q(A),
             r
           )).
a :-
    catch(( b,
            c
          ),
          _,
          ( d,
            e
          )).
a :-
    call(( b,
           c
         )).
a :-
    once(( b,
           c
         )).
:- a,
   b.
?- a,
   b.
a -->
    b,
    c.
a -->
    b,
    { c
    },
    [d].
a -->
    b,
    { c,
      d
    },
    "str",
    !,
    e.
a -->
    (   b
    ;   c
    ).
a -->
    (   b
    ->  c
    ;   d
    ).
a,
b.
(   a
;   b
).
(   a
->  b
).
[a, b, c].
{ a,
  b
}.
a :-
    b=c,
    A=B,
    C is A+1,
    C=B.
f(A, _, _, A).
f(A) :-
    g(A, B),
    h(B, _).
a :-
    !.
a :-
    !,
    b.
a :-
    _.
a :-
    _,
    _.
a :-
    m:b.
m:a :-
    b.
a =>
    b,
    c.
a, g =>
    b.
a, b :-
    c.
a :-
    (   b
    ->  c
    ;   d
    ),
    e.
a :-
    (   (   b
        ;   c
        )
    ->  d
    ;   e
    ).
a :-
    (   b,
        c
    ->  (   d
        ;   e
        )
    ;   f
    ).
a :-
    (   x
    ;   y
    ),
    z.
a :-
    p(:-).
a :-
    p((c:-d)).
a :-
    p((c, d)).
a :-
    p((c;d)).
a :-
    p({x, y}).
a :-
    [x, y].
a :-
    (   b
    ->  c
    ;   d
    ),
    !.
a :-
    (   b
    ->  (   c
        ->  d
        ;   e
        )
    ;   f
    ).
a :-
    (   b
    ->  c
    ),
    d.
f(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccccccccc, ddddd).
[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccccccccc, ddddd].
a :-
    f(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,
      bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
      cccccccccccccccccccccccccccccc,
      ddddd),
    x.
a :-
    format("~w~n", [x]),
    _=[1, 2|A],
    p(A).
a :-
    _== -1.
-a.
1-2.
:- .
- .
a :-
    b,
    \+ c,
    !,
    d.
a :-
    b is 1+2.
a :-
    A=..[a|B],
    call(A, B).
a :-
    _-_=A,
    A.
f(x=y, (z:-w)).
[a=b, (c:-d)].
a :-
    aggregate_all(count,
                  ( p,
                    q
                  ),
                  A),
    b(A).
a :-
    findall(A-B, member(A-B, [1-2]), C),
    x(C).
a :-
    setof(A, B^p(A, B), C),
    x(C).
a :-
    setof(A, B^(p(A, B), q), C),
    x(C).
a :-
    (   b,
        c
    ->  d,
        e
    ;   f,
        g
    ),
    h.
a :-
    (   b
    ;   c
    ),
    d.
a :-
    \+ (   b
       ->  c
       ;   d
       ).
a :-
    if(b, c, d).
"a" :-
    b.
a -->
    [].
a -->
    "abc",
    b.
a, [x] -->
    b.
a -->
    \+ b,
    c.
a -->
    { b
    },
    !.
a -->
    call(b, c),
    _.
a :-
    { b
    }.
a :-
    { b,
      c
    }.
{ a
}.
a :-
    (   true
    ;   b
    ).
p :-
    A=f(_, B, _),
    q(A, B).
:- use_module(library(lists)).
a:b.
'hello world'(x).
10000000000.0.
"a\nb".
'a\nb'.
a :-
    'B'(x),
    'C'.
(a:-b) :-
    c.
a :-
    b,
    c,
    d,
    e.
a :-
    @(b, c).
a :-
    between(1, 10, A),
    (   A>5
    ->  writeln(big)
    ;   A>3
    ->  writeln(mid)
    ;   writeln(small)
    ),
    fail.
a :-
    catch(p, _, true).
a :-
    catch(p,
          A,
          ( print(A),
            nl
          )).
a :-
    forall(member(A, [1, 2]),
           ( writeln(A),
             nl
           )).
a :-
    not(( b,
          c
        )).
a :-
    call_cleanup(( b,
                   c
                 ),
                 ( d,
                   e
                 )).
a :-
    maplist([A]>>(p(A), q(A)), B),
    r(B).
a :-
    maplist([A, B]>>(B is A*2), _, C),
    r(C).
a :-
    with_output_to(string(A),
                   ( p,
                     q
                   )),
    r(A).
