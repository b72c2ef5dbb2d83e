% Colours of terminals. No colours are written.
:- module(ansi_term, [
    ansi_format/3
]).

% ansi_format(+Attributes, +Format, +Arguments): format/2; the attributes, such as bold or fg(red), have no effect.
ansi_format(_, Format, Arguments) :-
    format(Format, Arguments).
