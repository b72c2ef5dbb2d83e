% Output to streams by with_output_to/2, a log that is a module's, messages with kinds of their own, and formats of columns.
:- use_module(log).
:- use_module(totals, [total/2, average/2]).
sale(tea, 3, 2.5).
sale(coffee, 1, 3.25).
sale(cake, 12, 1.0).
main :-
    forall(sale(What, N, Price), ( Sum is N * Price, log("~w sold for ~2f", [What, Sum]) )),
    forall(sale(What, N, Price), format("~w~t~10|~t~d~4+~t~2f~8+~n", [What, N, Price])),
    format("~`-t~22|~n"),
    total([N, P]>>sale(_, N, P), Total),
    average([N, P]>>sale(_, N, P), Average),
    format("~t~2f~22|~n~t~3e~22|~n", [Total, Average]),
    with_output_to(user_output, writeln(direct)),
    with_output_to(string(Text), ( write(in), with_output_to(user_output, writeln(out)), write(side) )),
    writeln(Text),
    catch(with_output_to(user_input, true), error(Error, _), ( print(Error), nl )),
    catch(with_output_to(nosuch, true), error(Error2, _), ( print(Error2), nl )),
    ( with_output_to(user_output, fail) -> true ; writeln(failed) ),
    shown_log.
