package booking

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

// site is where something is, and whether the caller teaches it.
type site struct {
	LocationID uuid.UUID
	Own        bool
}

func siteOf(ctx context.Context, r pg.Reader, sql string, args ...any) (uuid.UUID, bool, error) {
	s, err := pg.One[site](ctx, r, sql, args...)
	if errors.Is(err, pg.ErrNoRow) {
		err = fault.Missing()
	}
	return s.LocationID, s.Own, err
}

func dateSite(ctx context.Context, r pg.Reader, person, occurrence uuid.UUID) (uuid.UUID, bool, error) {
	return siteOf(ctx, r, `select o.location_id, coalesce(m.person_id = $3 and m.deactivated_at is null, false) as own
		from occurrences o left join members m on m.business_id = o.business_id and m.id = o.member_id
		where o.business_id = $1 and o.id = $2`, r.Business(), occurrence, person)
}

// offeringSite is dateSite for what has no dates yet: it is the caller's own when they are who was asked for.
func offeringSite(ctx context.Context, r pg.Reader, person, offering uuid.UUID, member *uuid.UUID) (uuid.UUID, bool, error) {
	return siteOf(ctx, r, `select f.location_id, coalesce(m.person_id = $3 and m.deactivated_at is null, false) as own
		from offerings f left join members m on m.business_id = f.business_id and m.id = $4
		where f.business_id = $1 and f.id = $2`, r.Business(), offering, person, member)
}

// lockRecord locks a customer's record; an unknown one is not found.
func lockRecord(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	rows, err := pg.All[uuid.UUID](ctx, tx, `select id from customers where business_id = $1 and id = $2 for no key update`, tx.Business(), id)
	if err == nil && len(rows) == 0 {
		err = fault.Missing()
	}
	return err
}

// insertBookings writes confirmed bookings of a customer, with a copy of the rules that hold now.
func insertBookings(ctx context.Context, tx *pg.Tx, d desk, places []place, made []Booked) error {
	n := len(places)
	ids, occurrences, prices := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]int64, n)
	rules := make([]string, n)
	for i, p := range places {
		kept, err := json.Marshal(p.Rules)
		if err != nil {
			return err
		}
		ids[i], occurrences[i], prices[i], rules[i] = made[i].BookingID, p.ID, made[i].PriceAmount, string(kept)
	}
	var group *uuid.UUID
	if d.group != uuid.Nil {
		group = &d.group
	}
	_, err := tx.Exec(ctx, `insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, group_id, state,
			online, party, attendee, note, starts_at, ends_at, price_amount, currency, policy, confirmed_at, version, created_at, updated_at)
		select x.id, $1, o.location_id, o.offering_id, o.id, $6, $7, 'confirmed', false, $8, $9, $10, o.starts_at, o.ends_at, x.price,
			l.currency, x.rules::jsonb, $11, 1, $11, $11
		from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::text[]) as x (id, occurrence_id, price, rules)
		join occurrences o on o.business_id = $1 and o.id = x.occurrence_id
		join locations l on l.business_id = $1 and l.id = o.location_id`,
		tx.Business(), ids, occurrences, prices, rules, d.customer, group, d.party, d.attendee, d.note, tx.Now())
	return err
}

// datesOf finds the dates of a rule, by their start: one more than RecurringMax when there are too many.
func datesOf(ctx context.Context, tx *pg.Tx, in RecurringInput) ([]uuid.UUID, error) {
	days := make([]int, len(in.Weekdays))
	for i, d := range in.Weekdays {
		days[i] = int(d)
	}
	var series *uuid.UUID
	if in.SeriesID != uuid.Nil {
		series = &in.SeriesID
	}
	return pg.All[uuid.UUID](ctx, tx, `select o.id from occurrences o
		where o.business_id = $1 and o.offering_id = $2 and o.series_id is not null and ($3::uuid is null or o.series_id = $3)
			and o.local_date between $4 and $5 and (cardinality($6::integer[]) = 0 or extract(dow from o.local_date)::integer = any($6))
		order by o.starts_at, o.id limit $7`,
		tx.Business(), in.OfferingID, series, in.From, in.Until, days, RecurringMax+1)
}
