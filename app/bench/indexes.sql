-- The last step of what fills the tables of the product.

-- ## indexes again
do $$ declare sql text; begin
	perform set_config('maintenance_work_mem', '512MB', true);
	for sql in select again from bench.indexes loop execute sql; end loop;
end $$;
