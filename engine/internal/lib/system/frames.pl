% Frames and choice points as numbers, for programs that look at the stack or cut by number.
:- module(system, [
    prolog_current_frame/1,
    prolog_frame_attribute/3,
    prolog_current_choice/1
]).

% prolog_current_frame(-Frame): Frame is the number of the clause that calls this, counted from the outermost.
prolog_current_frame(Frame) :-
    '$callers'(Callers),
    '$skip_list'(Frame, Callers, _).

% prolog_frame_attribute(+Frame, +Key, -Value): Value is the value of Key for a frame: level, parent, alternative,
% parent_goal or predicate_indicator; other keys fail.
prolog_frame_attribute(Frame, Key, Value) :-
    '$must_be_number_of'(frame_reference, Frame),
    '$callers'(Callers),
    '$skip_list'(Count, Callers, _),
    Skip is Count - Frame,
    Skip >= 0,
    '$frame_at'(Skip, Callers, Caller),
    '$frame_attribute'(Key, Frame, Caller, Value).

'$frame_at'(0, [Caller|_], Found) :- !, Found = Caller.
'$frame_at'(N, [_|Callers], Caller) :- M is N - 1, '$frame_at'(M, Callers, Caller).

'$must_be_number_of'(Type, X) :-
    (   integer(X)
    ->  true
    ;   var(X)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(Type, X), _))
    ).

'$frame_attribute'(level, Frame, _, Frame).
'$frame_attribute'(parent, Frame, _, Parent) :- Frame > 1, Parent is Frame - 1.
'$frame_attribute'(predicate_indicator, _, caller(Indicator, _, _), Indicator).
'$frame_attribute'(context_module, _, caller(Module:_, _, _), Module).
'$frame_attribute'(top, Frame, _, Bool) :- ( Frame =:= 1 -> Bool = true ; Bool = false ).
'$frame_attribute'(hidden, _, _, false).

% prolog_current_choice(-Choice): Choice is the number of the newest choice point.
prolog_current_choice(Choice) :- '$choice_point'(Choice).
