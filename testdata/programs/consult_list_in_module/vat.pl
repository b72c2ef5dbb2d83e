% Calls what other files of the module define.
vat(10).
with_vat(Item, Total) :- price(Item, Price), vat(Vat), Total is Price * (100 + Vat) / 100.
