-- Foyer's roles. Run once as an administrator, connected to the database Foyer will use. Give the three login roles
-- passwords (or another way to sign in) afterwards: alter role foyer_app password '…'.
do $$
begin
	if not exists (select from pg_roles where rolname = 'foyer_lookup') then
		create role foyer_lookup nologin nosuperuser nobypassrls nocreatedb nocreaterole;
	end if;
	if not exists (select from pg_roles where rolname = 'foyer_owner') then
		create role foyer_owner login nosuperuser nobypassrls nocreatedb nocreaterole;
	end if;
	if not exists (select from pg_roles where rolname = 'foyer_app') then
		create role foyer_app login nosuperuser nobypassrls nocreatedb nocreaterole;
	end if;
	if not exists (select from pg_roles where rolname = 'foyer_job') then
		create role foyer_job login nosuperuser nobypassrls nocreatedb nocreaterole;
	end if;
end $$;
grant foyer_lookup to foyer_owner;
alter database {database} owner to foyer_owner;
alter schema public owner to foyer_owner;
revoke all on schema public from public;
revoke all on database {database} from public;
grant connect on database {database} to foyer_app, foyer_job;
