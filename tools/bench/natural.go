package main

// This file defines natural questions to a library: rules as people write them, and the statement that somebody who
// knows SQL writes instead. Each has one number as its answer.

// naturalQuery is a question: N of name(N), and the value of the statement.
type naturalQuery struct{ name, rule, sql string }

const naturalTables = `; set search_path to mcplogic_bench;
create table reader(id integer primary key, name text not null, town integer not null,
	joined date not null);
insert into reader select i, 'reader' || i, i % 20, date '2015-01-01' + i % 3000
	from generate_series(1, 20000) i;
create table book(id integer primary key, title text not null, shelf text not null,
	price numeric(10, 2) not null);
insert into book select i, 'About ' || i, chr(97 + i % 5), i % 1000 * 0.37 from generate_series(1, 10000) i;
create table loan(id integer primary key, reader integer not null, book integer not null,
	days integer not null, day date not null, fine double precision not null);
insert into loan select i, i * 7919 % 20000 + 1, i * 6101 % 10000 + 1, i % 60,
	date '2020-01-01' + i % 1500, i % 97 * 0.25 from generate_series(1, 200000) i;
create table cites(a integer not null, b integer not null);
insert into cites select i, i * 2 % 50000 + 1 from generate_series(1, 50000) i
	union all select i, (i * 2 + 1) % 50000 + 1 from generate_series(1, 50000) i;
create table part(whole integer not null, piece integer not null, n integer not null);
insert into part select i / 3, i, i % 4 + 1 from generate_series(1, 3000) i;
create index on loan(reader); create index on loan(day);
create index on loan(book); create index on cites(a);
create index on part(whole); create index on part(piece); create index on reader(town);
create view late as select id, reader, days from loan where days > 55;
analyze`

const naturalFacts = `
:- facts(reader/4, sql(bench, 'mcplogic_bench.reader', [id, name, town, joined])).
:- facts(book/3, sql(bench, 'mcplogic_bench.book', [id, title, shelf])).
:- facts(loan/6, sql(bench, 'mcplogic_bench.loan', [id, reader, book, days, day, fine])).
:- facts(cites/2, sql(bench, 'mcplogic_bench.cites', [a, b])).
:- facts(part/3, sql(bench, 'mcplogic_bench.part', [whole, piece, n])).
:- facts(priced/2, sql(bench, 'mcplogic_bench.book', [id, price]), [types([integer, decimal])]).
:- facts(late/3, sql(bench, 'mcplogic_bench.late', [id, reader, days])).
:- facts(visitor/2, sql(other, 'mcplogic_bench.reader', [id, town])).
long(R, D) :- loan(_, R, _, D, _, _), D > 57.
long_in(T, R) :- long(R, _), reader(R, _, T, _).
:- table linked/2.
linked(X, Y) :- cites(X, Y).
linked(X, Y) :- linked(X, Z), cites(Z, Y).
needs(W, N, N0) :- part(W, _, Q), N is N0 * Q.
needs(W, N, N0) :- part(W, P, Q), N1 is N0 * Q, needs(P, N, N1).
busy(R) :- loan(_, R, _, 59, _, _).
busy(R) :- loan(_, R, _, 0, _, F), F > 20.
:- table same/2, above/2.
same(X, Y) :- part(P, X, _), part(P, Y, _).
same(X, Y) :- part(P, X, _), same(P, Q), part(Q, Y, _).
above(X, Y) :- part(X, Y, _).
above(X, Y) :- part(X, Z, _), above(Z, Y).
`

var naturalQueries = []naturalQuery{
	{"one_row",
		`one_row(N) :- reader(77, _, N, _).`,
		`select town from reader where id = 77`},
	{"joined_rows",
		`joined_rows(N) :- aggregate_all(count, (reader(R, _, 3, _), loan(_, R, _, D, _, _), D > 50), N).`,
		`select count(*) from reader r, loan l where r.town = 3 and l.reader = r.id and l.days > 50`},
	{"behind_rules",
		`behind_rules(N) :- aggregate_all(count, long_in(_, _), N).`,
		`select count(*) from loan l, reader r where l.days > 57 and l.reader = r.id`},
	{"lists",
		`lists(N) :- findall(L, (reader(R, _, 5, _), findall(B, loan(_, R, B, _, _, _), L)), Ls), length(Ls, N).`,
		`select count(cardinality(x.a)) from (select array(select book from loan l where l.reader = r.id) a from
			reader r where town = 5) x`},
	{"sums",
		`sums(N) :- findall(S, (reader(R, _, _, _), aggregate_all(sum(D), loan(_, R, _, D, _, _), S)), Ss),
			sum_list(Ss, N).`,
		`select sum(s)::int8 from (select coalesce((select sum(days) from loan l where l.reader = r.id), 0) s from
			reader r) x`},
	{"having",
		`having(N) :- aggregate_all(count, (reader(R, _, _, _), aggregate_all(count, loan(_, R, _, _, _, _), C), C >
			9), N).`,
		`select count(*) from (select reader from loan group by reader having count(*) > 9) x`},
	{"without",
		`without(N) :- aggregate_all(count, (reader(R, _, _, _), \+ (loan(_, R, B, D, _, _), D > 40, book(B, _, c))),
			N).`,
		`select count(*) from reader r where not exists (select 1 from loan l, book b where l.reader = r.id and
			l.days > 40 and b.id = l.book and b.shelf = 'c')`},
	{"each",
		`each(N) :- aggregate_all(count, (reader(R, _, _, _), forall(loan(_, R, _, D, _, _), D > 3)), N).`,
		`select count(*) from reader r where not exists (select 1 from loan l where l.reader = r.id and not l.days >
			3)`},
	{"any",
		`any(N) :- aggregate_all(count, (reader(R, _, _, _), once(loan(_, R, _, _, _, _))), N).`,
		`select count(*) from reader r where exists (select 1 from loan l where l.reader = r.id)`},
	{"longest",
		`longest(N) :- findall(D, (reader(R, _, 4, _), limit(1, order_by([desc(D)], loan(_, R, _, D, _, _)))), Ds),
			sum_list(Ds, N).`,
		`select sum(d)::int8 from reader r, lateral (select days d from loan l where l.reader = r.id order by days
			desc limit 1) x where town = 4`},
	{"or_else",
		`or_else(N) :- findall(B, (reader(R, _, 6, _), ( loan(_, R, B, 7, _, _) -> true ; B = 0 )), Bs), length(Bs,
			N).`,
		`select count(*) from reader r left join lateral (select 1 from loan l where l.reader = r.id and days = 7
			limit 1) x on true where town = 6`},
	{"different",
		`different(N) :- aggregate_all(count, distinct(R, loan(_, R, _, 5, _, _)), N).`,
		`select count(distinct reader) from loan where days = 5`},
	{"in_month",
		`in_month(N) :- aggregate_all(count, (loan(_, _, _, _, D, _), sub_atom(D, 0, 7, _, '2021-03')), N).`,
		`select count(*) from loan where day >= '2021-03-01' and day < '2021-04-01'`},
	{"in_days",
		`in_days(N) :- aggregate_all(count, (loan(_, _, _, _, D, _), D @>= '2021-03-01', D @< '2021-03-04'), N).`,
		`select count(*) from loan where day >= '2021-03-01' and day < '2021-03-04'`},
	{"begins",
		`begins(N) :- aggregate_all(count, (reader(_, M, _, _), sub_atom(M, 0, _, _, reader19)), N).`,
		`select count(*) from reader where name like 'reader19%'`},
	{"contains",
		`contains(N) :- aggregate_all(count, (book(_, T, _), once(sub_atom(T, _, _, _, '77'))), N).`,
		`select count(*) from book where title like '%77%'`},
	{"computed",
		`computed(N) :- aggregate_all(count, (loan(_, _, _, D, _, _), D * 2 + 1 > 117), N).`,
		`select count(*) from loan where days * 2 + 1 > 117`},
	{"remainder",
		`remainder(N) :- aggregate_all(count, (loan(I, _, _, _, _, _), I mod 50000 =:= 31), N).`,
		`select count(*) from loan where id % 50000 = 31`},
	{"other",
		`other(N) :- aggregate_all(count, (book(_, _, S), S \== a), N).`,
		`select count(*) from book where shelf <> 'a'`},
	{"one_of",
		`one_of(N) :- aggregate_all(count, (loan(_, _, _, D, _, _), ( D =:= 1 ; D =:= 59 )), N).`,
		`select count(*) from loan where days = 1 or days = 59`},
	{"page",
		`page(N) :- findall(I, limit(10, offset(1000, order_by([desc(I)], loan(I, _, _, _, _, _)))), Is),
			sum_list(Is, N).`,
		`select sum(id)::int8 from (select id from loan order by id desc limit 10 offset 1000) x`},
	{"most",
		`most(N) :- aggregate_all(max(D), loan(_, _, _, D, _, _), N).`,
		`select max(days) from loan`},
	{"top",
		`top(N) :- findall(I, limit(10, order_by([desc(I)], loan(I, _, _, _, _, _))), Is), sum_list(Is, N).`,
		`select sum(id)::int8 from (select id from loan order by id desc limit 10) x`},
	{"reach",
		`reach(N) :- aggregate_all(count, linked(1, _), N).`,
		`with recursive r(x) as (select b from cites where a = 1 union select c.b from r join cites c on c.a = r.x)
			select count(*) from r`},
	{"pieces",
		`pieces(N) :- findall(Q, needs(1, Q, 1), Qs), sum_list(Qs, N).`,
		`with recursive r(p, q) as (select piece, n::int8 from part where whole = 1 union all select p.piece, r.q *
			p.n from r join part p on p.whole = r.p) select sum(q)::int8 from r`},
	{"rank",
		`rank(N) :- aggregate_all(count, (part(W, _, 4), W < 200, aggregate_all(count, (part(V, _, 4), V > W), C), C
			> 700), N).`,
		`select count(*) from part a where a.n = 4 and whole < 200 and (select count(*) from part b where b.n = 4 and
			b.whole > a.whole) > 700`},
	{"fines",
		`fines(N) :- aggregate_all(sum(F), loan(_, _, _, _, _, F), S), N is round(S).`,
		`select round(sum(fine))::int8 from loan`},
	{"prices",
		`prices(N) :- aggregate_all(sum(P), priced(_, P), S), N is round(S).`,
		`select round(sum(price))::int8 from book`},
	{"top_fines",
		`top_fines(N) :- findall(I, limit(10, order_by([desc(F), asc(I)], loan(I, _, _, _, _, F))), Is),
			sum_list(Is, N).`,
		`select sum(id)::int8 from (select id from loan order by fine desc, id limit 10) x`},
	{"last_reader",
		`last_reader(N) :- aggregate_all(max(I, R), loan(I, R, _, _, _, _), max(_, N)).`,
		`select reader from loan order by id desc limit 1`},
	{"by_shelf",
		`by_shelf(N) :- findall(C, (distinct(S, book(_, _, S)), aggregate_all(count, book(_, _, S), C)), Cs),
			max_list(Cs, N).`,
		`select max(c) from (select count(*) c from book group by shelf) x`},
	{"aggregated",
		`aggregated(N) :- findall(C, aggregate(count, I^T^book(I, T, _), C), Cs), max_list(Cs, N).`,
		`select max(c) from (select count(*) c from book group by shelf) x`},
	{"last_three",
		`last_three(N) :- findall(I, (reader(R, _, 7, _), limit(3, order_by([desc(I)], loan(I, R, _, _, _, _)))),
			Is), sum_list(Is, N).`,
		`select sum(i)::int8 from reader r, lateral (select id i from loan l where l.reader = r.id order by id
			desc limit 3) x where town = 7`},
	{"left_join",
		`left_join(N) :- aggregate_all(count, (reader(R, _, 8, _), ( loan(_, R, B, 9, _, _) ; \+ loan(_, R, _, 9,
			_, _), B = 0 )), N).`,
		`select count(*) from reader r left join loan l on l.reader = r.id and l.days = 9 where r.town = 8`},
	{"same_day",
		`same_day(N) :- aggregate_all(count, (reader(R, _, 3, J), reader(S, _, 3, J), R < S), N).`,
		`select count(*) from reader a, reader b where a.town = 3 and b.town = 3 and a.joined = b.joined and a.id
			< b.id`},
	{"lower_case",
		`lower_case(N) :- aggregate_all(count, (reader(_, M, _, _), downcase_atom(M, L), sub_atom(L, 0, _, _,
			reader18)), N).`,
		`select count(*) from reader where lower(name) like 'reader18%'`},
	{"not_thirty",
		`not_thirty(N) :- aggregate_all(count, (loan(_, _, _, D, _, _), D =\= 30), N).`,
		`select count(*) from loan where days <> 30`},
	{"either",
		`either(N) :- aggregate_all(count, busy(_), N).`,
		`select count(*) from (select 1 from loan where days = 59 union all select 1 from loan where days = 0 and
			fine > 20) x`},
	{"classes",
		`classes(N) :- aggregate_all(count, (loan(_, _, _, D, _, _), ( D > 50 -> K = late ; D > 30 -> K = slow ;
			K = good ), K == slow), N).`,
		`select count(*) from loan where case when days > 50 then 'late' when days > 30 then 'slow' else 'good'
			end = 'slow'`},
	{"two_databases",
		`two_databases(N) :- aggregate_all(count, (visitor(R, 2), loan(_, R, _, 3, _, _)), N).`,
		`select count(*) from reader r, loan l where r.town = 2 and l.reader = r.id and l.days = 3`},
	{"facts_here",
		`facts_here(N) :- aggregate_all(count, (chosen(R), loan(_, R, _, D, _, _), D > 20), N).`,
		`select count(*) from loan where reader % 40 = 0 and reader <= 20000 and days > 20`},
	{"of_view",
		`of_view(N) :- aggregate_all(count, (late(_, R, _), reader(R, _, 3, _)), N).`,
		`select count(*) from late l, reader r where r.id = l.reader and r.town = 3`},
	{"generation",
		`generation(N) :- aggregate_all(count, same(40, _), N).`,
		`with recursive s(x, y) as (select a.piece, b.piece from part a, part b where a.whole = b.whole union
			select a.piece, b.piece from s, part a, part b where a.whole = s.x and b.whole = s.y) select count(*)
			from s where x = 40`},
	{"all_above",
		`all_above(N) :- aggregate_all(count, above(_, _), N).`,
		`with recursive a(x, y) as (select whole, piece from part union select p.whole, a.y from a, part p where
			p.piece = a.x) select count(*) from a`},
	{"never",
		`never(N) :- aggregate_all(count, (book(B, _, _), \+ loan(_, _, B, 3, _, _)), N).`,
		`select count(*) from book b where not exists (select 1 from loan l where l.book = b.id and l.days = 3)`},
	{"newest",
		`newest(N) :- findall(I, limit(5, order_by([desc(J), asc(I)], reader(I, _, _, J))), Is), sum_list(Is, N).`,
		`select sum(id)::int8 from (select id from reader order by joined desc, id limit 5) x`},
	{"average",
		`average(N) :- aggregate_all(r(count, sum(D)), loan(_, _, _, D, _, _), r(C, S)), N is S // C.`,
		`select sum(days) / count(*) from loan`},
	{"is_there",
		`is_there(N) :- ( loan(_, R, _, D, _, _), D > 58, reader(R, _, 3, _) -> N = 1 ; N = 0 ).`,
		`select case when exists (select 1 from loan l, reader r where l.days > 58 and r.id = l.reader and r.town
			= 3) then 1 else 0 end`},
	{"by_town",
		`by_town(N) :- findall(M, (distinct(T, reader(_, _, T, _)), aggregate_all(max(F), (reader(R, _, T, _),
			loan(_, R, _, _, _, F)), M)), Ms), sum_list(Ms, S), N is round(S).`,
		`select round(sum(m))::int8 from (select max(fine) m from reader r, loan l where l.reader = r.id group by
			town) x`},
	{"next_loan",
		`next_loan(N) :- findall(I, (reader(R, _, 9, _), aggregate_all(min(J), (loan(J, R, _, _, _, _), J >
			100000), I)), Is), sum_list(Is, N).`,
		`select sum(i)::int8 from (select min(l.id) i from reader r, loan l where r.town = 9 and l.reader = r.id
			and l.id > 100000 group by r.id) x`},
}
