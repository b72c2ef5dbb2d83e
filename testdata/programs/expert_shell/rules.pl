if has(X, fur) and gives(X, milk) then mammal(X).
if mammal(X) and eats(X, meat) then carnivore(X).
if carnivore(X) and color(X, tawny) and has(X, stripes) then kind(X, tiger).
if mammal(X) and not carnivore(X) then kind(X, grazer).
fact has(t, fur).
fact gives(t, milk).
fact eats(t, meat).
fact color(t, tawny).
fact has(t, stripes).
fact has(c, fur).
fact gives(c, milk).
