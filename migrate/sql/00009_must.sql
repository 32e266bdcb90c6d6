-- What a statement asks of the rows that were read before it.

-- +goose Up
-- app.must(met) ends the transaction when something is not as it was read. A verb that has read a cart without locking it sends
-- its writes and the commit in one trip; this is how a write among them keeps the others from being committed (pg.ErrUnmet).
-- +goose StatementBegin
create function app.must(met boolean) returns boolean
language plpgsql
as $$
begin
	if met is not true then
		raise exception 'not as it was read' using errcode = 'FY409';
	end if;
	return true;
end
$$;
-- +goose StatementEnd
