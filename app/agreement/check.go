package agreement

import "foyer/app/declare"

// counted checks acceptances: each document has a text, copies match their hashes, and an acceptance that staff
// recorded for a booking is of that booking's customer.
var counted = declare.Check{
	Name: "agreements", Title: "Agreements",
	About: "Every document has a text, stored texts are unchanged, and every signature for a booking is by its customer.",
	SQL: `select 'agreement_documents', d.id, 'copy ' || d.copy_number, 'none' from agreement_documents d
	where d.business_id = $1 and not exists (select from agreement_copies k where k.business_id = $1 and k.document_id = d.id and k.number = d.copy_number)
	union all
	select 'agreement_copies', k.id, encode(k.sha256, 'hex'), encode(sha256(convert_to(k.body, 'UTF8')), 'hex') from agreement_copies k
	where k.business_id = $1 and k.kind = 'text' and k.sha256 <> sha256(convert_to(k.body, 'UTF8'))
	union all
	select 'agreement_copies', k.id, t ->> 'sha256', encode(sha256(convert_to(t ->> 'body', 'UTF8')), 'base64')
	from agreement_copies k, jsonb_array_elements(k.translations) t
	where k.business_id = $1 and decode(t ->> 'sha256', 'base64') is distinct from sha256(convert_to(t ->> 'body', 'UTF8'))
	union all
	select 'agreement_acceptances', a.id, 'agreed to in ' || a.language, 'no such words' from agreement_acceptances a
	join agreement_copies k on k.business_id = $1 and k.id = a.copy_id
	where a.business_id = $1 and a.language <> '' and not k.translations @> jsonb_build_array(jsonb_build_object('language', a.language))
	union all
	select 'agreement_acceptances', a.id, 'a booking of customer ' || a.customer_id, 'of customer ' || b.customer_id
	from agreement_acceptances a join bookings b on b.business_id = $1 and b.id = a.booking_id
	where a.business_id = $1 and b.customer_id <> a.customer_id`,
}
