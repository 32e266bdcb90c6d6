-- What wall.go compares with. It comes after the indexes, which the copy is to have, too.

-- ## a copy of the customers without a wall
create schema bare;
grant usage on schema bare to foyer_app;
create table bare.customers (like public.customers including all);
insert into bare.customers select * from public.customers order by ctid;
grant select on bare.customers to foyer_app;
