package apptest

// Putting is SQL that lets a test fill tables of an old version: pg_temp.put writes a row, of which what it is not
// given has a value of its column's type. Keys and triggers are not looked at.
const Putting = `
set session_replication_role = replica;
create function pg_temp.put(t text, given jsonb) returns void language plpgsql as $f$
declare
	filled jsonb;
	names text;
begin
	select jsonb_object_agg(column_name, case data_type when 'uuid' then to_jsonb(gen_random_uuid())
		when 'jsonb' then '{}' when 'boolean' then 'false'
			when 'timestamp with time zone' then to_jsonb(now()) when 'date' then '"2026-01-02"'
				when 'bytea' then to_jsonb('\x' || md5(random()::text))
			when 'character varying' then '"usd"' when 'text' then '"x"' else '1' end) || given
		into filled from information_schema.columns where table_name = t and table_schema = 'public'
			and is_nullable = 'NO' and column_default is null;
	select string_agg(quote_ident(k), ', ') into names from jsonb_object_keys(filled) k;
	execute format('insert into %I (%s) select %2$s from jsonb_populate_record(null::%1$I, $1)', t, names) using filled;
end $f$;
`
