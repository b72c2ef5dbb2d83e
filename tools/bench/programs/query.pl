% A join over facts: countries of nearly equal population density.
% scale: 312

bench :- run(5000).
small :- run(15).

run(Times) :-
    (   between(1, Times, _),
        similar(_, _),
        fail
    ;   findall(A-B, similar(A, B), Pairs),
        length(Pairs, Count),
        write(checksum(Count)), nl
    ).

similar(A, B) :-
    density(A, DA),
    density(B, DB),
    DA > DB,
    20 * DA < 21 * DB.

density(Country, D) :-
    population(Country, P),
    area(Country, A),
    D is P * 100 // A.

% Thousands of people.
population(china, 1412000).
population(india, 1408000).
population(usa, 331900).
population(indonesia, 273800).
population(pakistan, 231400).
population(brazil, 214300).
population(nigeria, 213400).
population(bangladesh, 169400).
population(russia, 143400).
population(mexico, 126700).
population(japan, 125700).
population(ethiopia, 120300).
population(egypt, 109300).
population(vietnam, 97470).
population(turkey, 84780).
population(germany, 83200).
population(thailand, 71600).
population(france, 67750).
population(uk, 67330).
population(italy, 59110).
population(kenya, 53010).
population(spain, 47420).
population(poland, 37750).
population(canada, 38250).
population(australia, 25690).

% Thousands of square kilometres.
area(china, 9597).
area(india, 3287).
area(usa, 9834).
area(indonesia, 1905).
area(pakistan, 882).
area(brazil, 8516).
area(nigeria, 924).
area(bangladesh, 148).
area(russia, 17098).
area(mexico, 1964).
area(japan, 378).
area(ethiopia, 1104).
area(egypt, 1002).
area(vietnam, 331).
area(turkey, 784).
area(germany, 358).
area(thailand, 513).
area(france, 549).
area(uk, 244).
area(italy, 302).
area(kenya, 580).
area(spain, 506).
area(poland, 313).
area(canada, 9985).
area(australia, 7688).
