package audit

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// canonical is event e as text: the same for ever, in any time zone of the connection. jsonb keeps its members in one
// order, and escapes line feeds, so that a line feed ends an event and nothing else. Events that no assistant made are
// the text that they were before there were assistants.
const canonical = `(jsonb_build_array(e.seq, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
	e.actor_kind, e.actor_id, e.actor_name, e.surface, e.action, e.record, e.record_id, e.location_id, e.before, e.after,
		e.reason) ||
	case when e.connection_id is null then '[]' else jsonb_build_array(e.connection_id, e.client) end)::text`

// seal writes the next seal: over the events after the last one, up to the first that is too young.
func seal(ctx context.Context, tx *pg.Tx) (int, error) {
	n, _, err := pg.Find[int](ctx, tx, `with last as (
			select position, to_seq, hash from audit_seals where business_id = $1
			union all select 0, 0, ''::bytea order by position desc limit 1
		), young as (
			select min(seq) as seq from audit_events where business_id = $1 and at > $3 and seq > (select to_seq from last)
		), e as (
			select * from audit_events where business_id = $1 and seq > (select to_seq from last)
				and seq < coalesce((select seq from young), 9223372036854775807) order by seq limit $4
		), written as (
			insert into audit_seals (id, business_id, position, from_seq, to_seq, events, hash, created_at)
			select $2, $1, l.position + 1, min(e.seq), max(e.seq), count(*),
				sha256(l.hash || convert_to(string_agg(`+canonical+`, E'\n' order by e.seq), 'UTF8')), $5
			from e, last l group by l.position, l.hash
			on conflict (business_id, position) do nothing returning events
		)
		select events from written`, tx.Business(), pg.NewID(), tx.Now().Add(-sealAge), sealSize, tx.Now())
	return n, err
}

// sealRow is a seal with its recomputed hash.
type sealRow struct {
	ID       uuid.UUID
	Position int64
	ToSeq    int64
	Hash     []byte
	Events   int
	Now      []byte
	Found    int
}

// recompute reads the seals after one and computes them anew. Each covers all events since the one before, so that an
// event that was put between two shows too.
func recompute(ctx context.Context, r pg.Reader, last sealRow, limit int) ([]sealRow, error) {
	return pg.All[sealRow](ctx, r, `with s as (
			select id, position, to_seq, hash, events from audit_seals
			where business_id = $1 and position > $2 order by position limit $5
		), chain as (
			select s.*, coalesce(lag(to_seq) over w, $3) as since, coalesce(lag(hash) over w, $4) as before
			from s window w as (order by position)
		)
		select c.id, c.position, c.to_seq, c.hash, c.events, count(e.seq) as found,
			sha256(c.before || convert_to(coalesce(string_agg(`+canonical+`, E'\n' order by e.seq), ''), 'UTF8')) as now
		from chain c left join audit_events e on e.business_id = $1 and e.seq > c.since and e.seq <= c.to_seq
		group by c.id, c.position, c.to_seq, c.hash, c.events, c.before order by c.position`,
		r.Business(), last.Position, last.ToSeq, last.Hash, limit)
}
