-- The role that "foyer backup" connects as. It sees the rows of all businesses and can change none. Run once as a superuser,
-- connected to the database Foyer uses; from Postgres 16 on, as a role that may itself bypass row-level security and make
-- roles. Give it a password (or another way to sign in) afterwards: alter role foyer_backup password '…'.
do $$
begin
	if not exists (select from pg_roles where rolname = 'foyer_backup') then
		create role foyer_backup login nosuperuser bypassrls nocreatedb nocreaterole;
	end if;
end $$;
grant pg_read_all_data to foyer_backup;
alter role foyer_backup set default_transaction_read_only = on;
grant connect on database {database} to foyer_backup;
