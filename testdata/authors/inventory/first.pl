% Stock of parts.
:- type(part, oneof([bolt, nut, gear])).
:- type(warehouse, oneof([north, south])).
:- mode(reorder(-part, -positive_integer), zero_or_more).
:- mode(value(+warehouse, -decimal(2)), one).
:- mode(receive(+part, +warehouse, +positive_integer), one).
:- info(reorder/2, [
       comment is 'Finds the parts to order.',
       arguments is [part - 'Part', quantity - 'How many']
   ]).
:- info(value/2, [
       comment is 'The value of the stock of a warehouse.',
       arguments is [warehouse - 'Warehouse', value - 'Euros']
   ]).
:- info(receive/3, [
       comment is 'Books arrived goods.',
       arguments is [part - 'Part', warehouse - 'Warehouse', quantity - 'How many arrived']
   ]).

tools([reorder/2, value/2, receive/3]).

:- dynamic(stock/3).

reorder(Part, Quantity) :-
    part(Part, _, Minimum, Box),
    available(Part, Available),
    Available < Minimum,
    Missing = 2 * Minimum - Available,
    Quantity is (Missing + Box - 1) // Box * Box.

available(Part, Available) :-
    aggregate_all(sum(Q), stock(Part, _, Q), InStock),
    on_order(Part, Ordered),
    Available is InStock + Ordered.

value(Warehouse, Value) :-
    setof(V, Part^value_of(Part, Warehouse, V), Values),
    sum_list(Values, Value).

value_of(Part, Warehouse, Value) :-
    stock(Part, Warehouse, Quantity),
    part(Part, Price, _, _),
    Value is Quantity * Price.

receive(Part, Warehouse, Quantity) :-
    part(Part, _, _, _),
    retract(stock(Part, Warehouse, Old)),
    New is Old + Quantity,
    assertz(stock(Part, Warehouse, New)).

part(bolt, 12r100, 100, 50).
part(nut, 5r100, 200, 100).
part(gear, 1490r100, 10, 1).

stock(bolt, north, 60).
stock(gear, north, 12).
stock(bolt, south, 30).
stock(nut, south, 150).

on_order(nut, 100).
