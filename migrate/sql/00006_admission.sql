-- What admission writes now and then. Each of these is called in the middle of the select that lets a request in, when there is
-- something to write: once an hour for a session, once a minute for a key. As a part of that statement the write would be
-- prepared to run at every request. They run with their caller's rights and name their tables in full, so that they need no
-- search_path.

-- +goose Up
-- +goose StatementBegin
create function app.slide_session(session uuid, due timestamptz, seen timestamptz, until timestamptz) returns boolean
language plpgsql
as $$
begin
	update public.sessions set seen_at = seen, expires_at = until where id = session and seen_at <= due and revoked_at is null;
	return found;
end
$$;
create function app.note_key(business uuid, key uuid, minute timestamptz) returns boolean
language plpgsql
as $$
begin
	update public.api_keys set used_at = minute where business_id = business and id = key and (used_at is null or used_at < minute);
	return found;
end
$$;
-- +goose StatementEnd
