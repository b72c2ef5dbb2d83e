% Lambda expressions: Parameters>>Body, Free/Lambda and \X^Body.
%
% A lambda is copied before each call, so its variables are fresh every time. Variables in Free, and variables that
% have a value at the call, are shared with the clause around it.
:- module(yall, [
    (>>)/2,
    (>>)/3,
    (>>)/4,
    (>>)/5,
    (>>)/6,
    (>>)/7,
    (>>)/8,
    (>>)/9,
    (/)/2,
    (/)/3,
    (/)/4,
    (/)/5,
    (/)/6,
    (/)/7,
    (/)/8,
    (/)/9,
    (\)/1,
    (\)/2,
    (\)/3,
    (\)/4,
    (\)/5,
    (\)/6,
    (\)/7,
    (^)/3,
    (^)/4,
    (^)/5,
    (^)/6,
    (^)/7,
    (^)/8,
    (^)/9,
    is_lambda/1,
    lambda_calls/2,
    lambda_calls/3
]).

:- meta_predicate
    '>>'(?, 0),
    '>>'(?, 1, ?),
    '>>'(?, 2, ?, ?),
    '>>'(?, 3, ?, ?, ?),
    '>>'(?, 4, ?, ?, ?, ?),
    '>>'(?, 5, ?, ?, ?, ?, ?),
    '>>'(?, 6, ?, ?, ?, ?, ?, ?),
    '>>'(?, 7, ?, ?, ?, ?, ?, ?, ?),
    '/'(?, 0),
    '/'(?, 1, ?),
    '/'(?, 2, ?, ?),
    '/'(?, 3, ?, ?, ?),
    '/'(?, 4, ?, ?, ?, ?),
    '/'(?, 5, ?, ?, ?, ?, ?),
    '/'(?, 6, ?, ?, ?, ?, ?, ?),
    '/'(?, 7, ?, ?, ?, ?, ?, ?, ?),
    \(^),
    \(1, ?),
    \(2, ?, ?),
    \(3, ?, ?, ?),
    \(4, ?, ?, ?, ?),
    \(5, ?, ?, ?, ?, ?),
    \(6, ?, ?, ?, ?, ?, ?),
    ^(?, 0, ?),
    ^(?, 1, ?, ?),
    ^(?, 2, ?, ?, ?),
    ^(?, 3, ?, ?, ?, ?),
    ^(?, 4, ?, ?, ?, ?, ?),
    ^(?, 5, ?, ?, ?, ?, ?, ?),
    ^(?, 6, ?, ?, ?, ?, ?, ?, ?).

% >>(?Parameters, :Lambda, ...): calls a copy of Lambda with the parameters bound to the arguments.
'>>'(Params, Body) :-
    call_lambda(Params, Body, []).

'>>'(Params, Body, A1) :-
    call_lambda(Params, Body, [A1]).

'>>'(Params, Body, A1, A2) :-
    call_lambda(Params, Body, [A1, A2]).

'>>'(Params, Body, A1, A2, A3) :-
    call_lambda(Params, Body, [A1, A2, A3]).

'>>'(Params, Body, A1, A2, A3, A4) :-
    call_lambda(Params, Body, [A1, A2, A3, A4]).

'>>'(Params, Body, A1, A2, A3, A4, A5) :-
    call_lambda(Params, Body, [A1, A2, A3, A4, A5]).

'>>'(Params, Body, A1, A2, A3, A4, A5, A6) :-
    call_lambda(Params, Body, [A1, A2, A3, A4, A5, A6]).

'>>'(Params, Body, A1, A2, A3, A4, A5, A6, A7) :-
    call_lambda(Params, Body, [A1, A2, A3, A4, A5, A6, A7]).

% /(?Free, :Lambda, ...): calls Lambda, sharing the variables of Free with the clause.
'/'(Free, Lambda) :-
    call_free(Free, Lambda, []).

'/'(Free, Lambda, A1) :-
    call_free(Free, Lambda, [A1]).

'/'(Free, Lambda, A1, A2) :-
    call_free(Free, Lambda, [A1, A2]).

'/'(Free, Lambda, A1, A2, A3) :-
    call_free(Free, Lambda, [A1, A2, A3]).

'/'(Free, Lambda, A1, A2, A3, A4) :-
    call_free(Free, Lambda, [A1, A2, A3, A4]).

'/'(Free, Lambda, A1, A2, A3, A4, A5) :-
    call_free(Free, Lambda, [A1, A2, A3, A4, A5]).

'/'(Free, Lambda, A1, A2, A3, A4, A5, A6) :-
    call_free(Free, Lambda, [A1, A2, A3, A4, A5, A6]).

'/'(Free, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    call_free(Free, Lambda, [A1, A2, A3, A4, A5, A6, A7]).

% \X^Body: the lambda is copied, then X takes the first argument.
% \(:Lambda, ...): calls Lambda with its first parameter renamed.
\(Lambda) :-
    copy_term_nat(Lambda, Copy),
    apply_args(Copy, []).

\(Lambda, A1) :-
    copy_term_nat(Lambda, Copy),
    apply_args(Copy, [A1]).

\(Lambda, A1, A2) :-
    copy_term_nat(Lambda, Copy),
    apply_args(Copy, [A1, A2]).

\(Lambda, A1, A2, A3) :-
    copy_term_nat(Lambda, Copy),
    apply_args(Copy, [A1, A2, A3]).

\(Lambda, A1, A2, A3, A4) :-
    copy_term_nat(Lambda, Copy),
    apply_args(Copy, [A1, A2, A3, A4]).

\(Lambda, A1, A2, A3, A4, A5) :-
    copy_term_nat(Lambda, Copy),
    apply_args(Copy, [A1, A2, A3, A4, A5]).

\(Lambda, A1, A2, A3, A4, A5, A6) :-
    copy_term_nat(Lambda, Copy),
    apply_args(Copy, [A1, A2, A3, A4, A5, A6]).

% ^(?Parameter, :Lambda, ?A, ...): calls Lambda with Parameter bound to A.
^(A1, Body, A1) :-
    apply_args(Body, []).

^(A1, Body, A1, A2) :-
    apply_args(Body, [A2]).

^(A1, Body, A1, A2, A3) :-
    apply_args(Body, [A2, A3]).

^(A1, Body, A1, A2, A3, A4) :-
    apply_args(Body, [A2, A3, A4]).

^(A1, Body, A1, A2, A3, A4, A5) :-
    apply_args(Body, [A2, A3, A4, A5]).

^(A1, Body, A1, A2, A3, A4, A5, A6) :-
    apply_args(Body, [A2, A3, A4, A5, A6]).

^(A1, Body, A1, A2, A3, A4, A5, A6, A7) :-
    apply_args(Body, [A2, A3, A4, A5, A6, A7]).

call_lambda(Params, Body, Args) :-
    copy_lambda(Params, Body, Params1, Body1),
    bind_params(Params1, Args, Extra, Params>>Body),
    apply_args(Body1, Extra).

% The copy is spared when there is nothing to rename.
copy_lambda(Params, Body, List, Body1) :-
    nonvar(Params),
    Params = Free/_,
    !,
    copy_term_nat(Free/Params/Body, Free/Params1/Body1),
    Params1 = _/List.
copy_lambda(Params, Body, Params1, Body1) :-
    (   ground(Params/Body)
    ->  Params1 = Params,
        Body1 = Body
    ;   copy_term_nat(Params/Body, Params1/Body1)
    ).

call_free(Free, Lambda, Args) :-
    copy_term_nat(Free/Lambda, Free/Copy),
    strip_lambda(Copy, Args, Extra, Body),
    apply_args(Body, Extra).

strip_lambda(Module:Lambda, Args, Extra, Module:Body) :-
    nonvar(Lambda),
    !,
    strip_lambda(Lambda, Args, Extra, Body).
strip_lambda(Params>>Body, Args, Extra, Body) :-
    !,
    bind_params(Params, Args, Extra, Params>>Body).
strip_lambda(Body, Args, Args, Body).

% bind_params(+Params, +Args, -Extra, +Lambda): Extra are the arguments beyond the parameters of Lambda, which must not be more.
bind_params(Params, _, _, _) :-
    var(Params),
    !,
    instantiation_error(Params).
bind_params([], Extra, Extra, _) :-
    !.
bind_params([Param|Params], Args, Extra, Lambda) :-
    !,
    bind_param(Args, Param, Params, Extra, Lambda).
bind_params(Params, _, _, _) :-
    type_error(lambda_parameters, Params).

bind_param([], _, _, _, Lambda) :-
    domain_error(lambda_parameters, Lambda).
bind_param([Arg|Args], Arg, Params, Extra, Lambda) :-
    bind_params(Params, Args, Extra, Lambda).

% One argument is taken at a time, so that each step knows its clause by the first argument.
apply_args(Body, Args) :-
    apply_0(Args, Body).

apply_0([], Body) :- call(Body).
apply_0([A1|As], Body) :- apply_1(As, Body, A1).

apply_1([], Body, A1) :- call(Body, A1).
apply_1([A2|As], Body, A1) :- apply_2(As, Body, A1, A2).

apply_2([], Body, A1, A2) :- call(Body, A1, A2).
apply_2([A3|As], Body, A1, A2) :- apply_3(As, Body, A1, A2, A3).

apply_3([], Body, A1, A2, A3) :- call(Body, A1, A2, A3).
apply_3([A4|As], Body, A1, A2, A3) :- apply_4(As, Body, A1, A2, A3, A4).

apply_4([], Body, A1, A2, A3, A4) :- call(Body, A1, A2, A3, A4).
apply_4([A5|As], Body, A1, A2, A3, A4) :- apply_5(As, Body, A1, A2, A3, A4, A5).

apply_5([], Body, A1, A2, A3, A4, A5) :- call(Body, A1, A2, A3, A4, A5).
apply_5([A6|As], Body, A1, A2, A3, A4, A5) :- apply_6(As, Body, A1, A2, A3, A4, A5, A6).

apply_6([], Body, A1, A2, A3, A4, A5, A6) :- call(Body, A1, A2, A3, A4, A5, A6).
apply_6([A7|As], Body, A1, A2, A3, A4, A5, A6) :- apply_7(As, Body, A1, A2, A3, A4, A5, A6, A7).

apply_7([], Body, A1, A2, A3, A4, A5, A6, A7) :- call(Body, A1, A2, A3, A4, A5, A6, A7).

% is_lambda(?Term): Term is a lambda expression.
is_lambda(Term) :-
    compound(Term),
    is_lambda_term(Term).

is_lambda_term(Params>>_) :-
    lambda_params(Params).
is_lambda_term(_/Lambda) :-
    is_lambda(Lambda).

lambda_params(Params) :-
    var(Params),
    !,
    fail.
lambda_params(_/Params) :-
    !,
    is_list(Params).
lambda_params(Params) :-
    is_list(Params).

% lambda_calls(+Lambda, -Goal), lambda_calls(+Lambda, +ExtraArgs, -Goal): the goal that a call would run.
lambda_calls(Lambda, Goal) :-
    lambda_calls(Lambda, 0, Goal).

lambda_calls(Lambda, Extra, Goal) :-
    (   integer(Extra)
    ->  length(Args, Extra)
    ;   Args = Extra
    ),
    copy_term_nat(Lambda, Copy),
    lambda_goal(Copy, Args, Rest, Body),
    extend(Body, Rest, Goal).

lambda_goal(Params0>>Body, Args, Rest, Body) :-
    ( Params0 = _/Params -> true ; Params = Params0 ),
    bind_params(Params, Args, Rest, Params0>>Body).
lambda_goal(_/Lambda, Args, Rest, Body) :-
    strip_lambda(Lambda, Args, Rest, Body).

extend(Goal, [], Goal) :-
    !.
extend(Goal0, Extra, Goal) :-
    '$add_arguments'(Goal0, Extra, Goal).
