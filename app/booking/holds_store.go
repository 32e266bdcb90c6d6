package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/names"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/ent/hold"
	"foyer/policy"
)

func saveExtension(ctx context.Context, tx *pg.Tx, h Hold) (bool, error) {
	n, err := tx.Ent().Hold.Update().
		Where(hold.BusinessID(tx.Business()), hold.ID(h.ID), hold.State(string(HoldLive)), hold.Extended(false), hold.ExpiresAtGT(tx.Now())).
		SetExpiresAt(h.ExpiresAt).SetExtended(true).Save(ctx)
	return n == 1, err
}

// renameSeats changes the attendee of held bookings, except where the same customer has the same seat for that
// attendee. It returns the number of changed bookings, and of held ones.
func renameSeats(ctx context.Context, tx *pg.Tx, ids []uuid.UUID, attendee string) (renamed, held int, err error) {
	type answer struct{ Renamed, Held int }
	a, err := pg.One[answer](ctx, tx, `with renamed as (
			update bookings b set attendee = $3, attendee_key = $5, version = version + 1, updated_at = $4
			where b.business_id = $1 and b.id = any($2) and b.state = 'held' and not exists (
				select from bookings x where x.business_id = $1 and x.customer_id = b.customer_id
					and x.occurrence_id = b.occurrence_id and x.id <> all($2)
					and (x.attendee = $3 or x.attendee_key = $5) and x.state in `+ActiveStatesSQL+`)
			returning b.id
		)
		select (select count(*) from renamed) as renamed,
			(select count(*) from bookings where business_id = $1 and id = any($2) and state = 'held') as held`,
		tx.Business(), ids, attendee, tx.Now(), names.Key(attendee))
	return a.Renamed, a.Held, err
}

// yielding finds the customer's holds that YieldTx ends: those past their time, and those that give way.
func yielding(ctx context.Context, tx *pg.Tx, cart, customer uuid.UUID, spans []Span) (over, others []uuid.UUID, err error) {
	n := len(spans)
	offerings, starts, ends := make([]uuid.UUID, n), make([]time.Time, n), make([]time.Time, n)
	for i, s := range spans {
		offerings[i], starts[i], ends[i] = s.OfferingID, s.StartsAt, s.StartsAt.Add(time.Duration(s.Minutes)*time.Minute)
	}
	type row struct {
		ID   uuid.UUID
		Over bool
	}
	rows, err := pg.All[row](ctx, tx, `select h.id, h.expires_at <= $4 as over from holds h
		where h.business_id = $1 and h.customer_id = $3 and h.state = 'live' and (
			h.cart_id = $2 and h.expires_at <= $4
			or h.cart_id <> $2 and exists (
				select from bookings b join occurrences o on o.business_id = $1 and o.id = b.occurrence_id and o.series_id is null
				join unnest($5::uuid[], $6::timestamptz[], $7::timestamptz[]) as s (offering_id, starts_at, ends_at)
					on s.offering_id = b.offering_id and b.starts_at < s.ends_at and b.ends_at > s.starts_at
				where b.business_id = $1 and b.hold_id = h.id and b.state = 'held' and (b.order_id is null or h.expires_at <= $4)))
		order by h.id`, tx.Business(), cart, customer, tx.Now(), offerings, starts, ends)
	for _, r := range rows {
		if r.Over {
			over = append(over, r.ID)
		} else {
			others = append(others, r.ID)
		}
	}
	return over, others, err
}

func openHolds(ctx context.Context, v *pg.View, cover policy.Cover, page paging.In[paging.Moment]) (paging.Page[OpenHold, paging.Moment], error) {
	type row struct {
		OpenHold
		OpenSeat
	}
	after := page.From() // before every hold on the first page
	s := pg.NewShape(`with h as (
			select h.*, k.location_id, exists (select from orders r where r.business_id = $1 and r.cart_id = h.cart_id and r.state = 'open') as paying
			from holds h join carts k on k.business_id = h.business_id and k.id = h.cart_id
			where h.business_id = $1 and h.state = 'live' and h.expires_at > $2 and (h.expires_at, h.id) > ($3, $4)`,
		v.Business(), v.Now(), after.At, after.ID)
	s.AndIf(!cover.Everywhere, `k.location_id = any(?)`, cover.Locations)
	s.Add(` order by h.expires_at, h.id limit ?
		)
		select h.id, h.location_id, h.customer_id, l.name as location_name, c.name as customer_name, c.email as customer_email,
			h.created_at, h.expires_at, h.paying, b.id as booking_id, b.occurrence_id, b.offering_id, f.name as offering_name, l.zone,
			b.attendee, b.starts_at, b.party
		from h
		join customers c on c.business_id = h.business_id and c.id = h.customer_id
		join locations l on l.business_id = h.business_id and l.id = h.location_id
		join bookings b on b.business_id = h.business_id and b.hold_id = h.id and b.state = 'held'
		join offerings f on f.business_id = h.business_id and f.id = b.offering_id
		order by h.expires_at, h.id, b.created_at, b.id`, page.Size()+1)
	rows, err := pg.All[row](ctx, v.Kept(), s.SQL(), s.Args()...)
	var out []OpenHold
	for _, r := range rows {
		if n := len(out); n == 0 || out[n-1].ID != r.ID {
			out = append(out, r.OpenHold)
		}
		h := &out[len(out)-1]
		h.Seats = append(h.Seats, r.OpenSeat)
	}
	return paging.Of(out, page.Size(), func(h OpenHold) paging.Moment { return paging.Moment{At: h.ExpiresAt, ID: h.ID} }), err
}
