% Questions to databases for several answers of a goal at once.
:- module(system, ['$sql_blocks'/4]).

:- meta_predicate '$sql_blocks'(0, ?, +, ?).

% '$sql_blocks'(:Goal, ?Left, +Query, ?Row): calls Goal, and answers Query for several of its answers at once. It
% replaces Goal before a goal '$sql'(Query, Row). The loader makes it from goals that terminate and have no effects.
% Goal is asked for 1, 2, 4 answers and so on ahead, and the database for the rows of all of them at once. Answers
% that bind Left are not final, and the database is not asked for them.
'$sql_blocks'(Goal, Left, Query, Row) :-
    term_variables(Left-Goal, Vars),
    functor(Slots, slots, 256),
    State = block(0, 1, 2, Slots),
    copy_term_nat(answer(Vars, Row)-Goal, Answer-Copy),
    (   catch(call_cleanup(Copy, Last = true), Ball, true),
        (   nonvar(Ball)
        ->  !
        ;   '$sql_answer'(State, Answer, Size),
            (   Last == true
            ->  !
            ;   arg(2, State, Size)
            )
        )
    ;   true
    ),
    (   nonvar(Ball)
    ->  (   '$sql_block'(State, Query, Vars, Row)
        ;   throw(Ball)
        )
    ;   '$sql_block'(State, Query, Vars, Row)
    ).

% '$sql_answer'(+State, +Answer, -Size): adds an answer to State, which then has Size answers. Each answer has its own
% slot, because nb_setarg/3 would copy a whole list.
'$sql_answer'(State, Answer, Size) :-
    State = block(Size0, _, _, Slots),
    Size is Size0 + 1,
    nb_setarg(Size, Slots, Answer),
    nb_setarg(1, State, Size).

% '$sql_block'(+State, +Query, ?Vars, ?Row): returns the answers in State and empties it. The first of Vars is Left.
'$sql_block'(State, Query, Vars, Row) :-
    State = block(Size, Most, Growth, Slots),
    '$sql_answers'(Size, Slots, [], Answers, [], Asked),
    nb_setarg(1, State, 0),
    (   ( \+ Asked = [_, _|_] ; '$sql_ahead'(Query, Row, Asked) )
    ->  Next is min(256, Growth * Most),
        nb_setarg(2, State, Next)
    ;   nb_setarg(2, State, 1), % they have too many rows: no blocks any more
        nb_setarg(3, State, 1)
    ),
    '$member'(answer(Vars, _), Answers).

% '$sql_answers'(+Size, +Slots, +Behind, -Answers, +BehindAsked, -Asked): the first Size slots, with Behind behind
% them, and those of them that are answers of the whole goal.
'$sql_answers'(Size, Slots, Behind, Answers, BehindAsked, Asked) :-
    (   Size =:= 0
    ->  Answers = Behind,
        Asked = BehindAsked
    ;   arg(Size, Slots, Answer),
        Before is Size - 1,
        (   Answer = answer([Left|_], _),
            var(Left)
        ->  '$sql_answers'(Before, Slots, [Answer|Behind], Answers, [Answer|BehindAsked], Asked)
        ;   '$sql_answers'(Before, Slots, [Answer|Behind], Answers, BehindAsked, Asked)
        )
    ).
