-- The customers, for SQLite and PostgreSQL alike.
create table customers (id integer primary key, name text not null, country text, credit double precision not null);
create table contacts (customer integer not null, email text not null);
insert into customers values
  (1, 'Ada', 'de', 1000), (2, 'Bob', 'fr', 100), (3, 'Cleo', null, 5000);
insert into contacts values
  (1, 'ada@example.com'), (1, 'office@example.com'), (3, 'cleo@example.com');
