package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/names"
	"foyer/app/pg"
)

// insertBookings writes confirmed bookings of a customer, with a copy of the rules that hold now.
func insertBookings(ctx context.Context, tx *pg.Tx, d desk, places []place, made []Booked) error {
	n := len(places)
	ids, occurrences, prices := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]int64, n)
	rules := make([]catalog.Rules, n)
	for i, p := range places {
		ids[i], occurrences[i], prices[i], rules[i] = made[i].BookingID, p.ID, made[i].PriceAmount, p.Rules
	}
	_, err := tx.Exec(ctx, `insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, group_id, state,
			online, party, attendee, attendee_key, note, starts_at, ends_at, price_amount, currency, policy, confirmed_at, version,
			created_at, updated_at)
		select x.id, @business, o.location_id, o.offering_id, o.id, @customer, @group, 'confirmed', false, @party, @attendee, @attendee_key,
			@note, o.starts_at, o.ends_at, x.price, l.currency, x.rules, @now, 1, @now, @now
		from unnest(@ids::uuid[], @occurrences::uuid[], @prices::bigint[], @rules::jsonb[]) 
			as x (id, occurrence_id, price, rules)
		join occurrences o on o.business_id = @business and o.id = x.occurrence_id
		join locations l on l.business_id = @business and l.id = o.location_id`, pg.Named{
		"business": tx.Business(), "ids": ids, "occurrences": occurrences, "prices": prices, "rules": rules,
		"customer": d.customer, "group": pg.OrNull(d.group), "party": d.party,
		"attendee": d.attendee, "attendee_key": names.Key(d.attendee), "note": d.note,
		"now": tx.Now(),
	})
	return err
}

func saveEdit(ctx context.Context, tx *pg.Tx, b Booking) error {
	_, err := tx.Exec(ctx, `update bookings set note = $3, attendee = $4, attendee_key = $8, party = $5, price_amount = $6, version = version + 1, updated_at = $7
		where business_id = $1 and id = $2`, tx.Business(), b.ID, b.Note, b.Attendee, b.Party, b.PriceAmount, tx.Now(), names.Key(b.Attendee))
	return err
}

// moveBooking reschedules a locked booking to another occurrence or time. own counts it as one of the customer's own
// reschedulings.
func moveBooking(ctx context.Context, tx *pg.Tx, b Booking, occurrence uuid.UUID, starts, ends time.Time, online, own bool) error {
	_, err := tx.Exec(ctx, `update bookings b set occurrence_id = o.id, offering_id = o.offering_id, starts_at = $4, ends_at = $5, online = $6,
			reschedules = b.reschedules + $7::boolean::integer, grace_until = null, version = b.version + 1, updated_at = $8
		from occurrences o where b.business_id = $1 and b.id = $2 and o.business_id = $1 and o.id = $3`,
		tx.Business(), b.ID, occurrence, starts, ends, online, own, tx.Now())
	return err
}

func approveBooking(ctx context.Context, tx *pg.Tx, id uuid.UUID, online bool) error {
	_, err := tx.Exec(ctx, `update bookings set state = 'confirmed', online = $3, confirmed_at = $4, version = version + 1, updated_at = $4
		where business_id = $1 and id = $2`, tx.Business(), id, online, tx.Now())
	return err
}

// endBookings writes the state that each booking ends in. Their rows are locked.
func endBookings(ctx context.Context, tx *pg.Tx, ids []uuid.UUID, states []State) error {
	_, err := tx.Exec(ctx, `update bookings b set state = x.state, cancelled_at = $4, grace_until = null, version = b.version + 1, updated_at = $4
		from unnest($2::uuid[], $3::varchar[]) as x (id, state) where b.business_id = $1 and b.id = x.id`,
		tx.Business(), ids, states, tx.Now())
	return err
}

// marks are the attendance marks of a booking; nil is none.
type marks struct{ checkedIn, review *time.Time }

func markBookings(ctx context.Context, tx *pg.Tx, ids []uuid.UUID, state State, m marks) error {
	_, err := tx.Exec(ctx, `update bookings set state = $3, checked_in_at = $4, review_at = $5, version = version + 1, updated_at = $6
		where business_id = $1 and id = any($2)`, tx.Business(), ids, state, m.checkedIn, m.review, tx.Now())
	return err
}

// CheckOutTx checks out the party of a booking. Its state, times and price stay as they were sold.
func CheckOutTx(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `update bookings set checked_out_at = $3, version = version + 1, updated_at = $3
		where business_id = $1 and id = $2`, tx.Business(), id, tx.Now())
	return err
}

// overdueRequests finds requests that have begun without an answer.
func overdueRequests(ctx context.Context, tx *pg.Tx, most int) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from bookings where business_id = $1 and state = 'requested' and starts_at <= $2
		order by id limit $3`, tx.Business(), tx.Now(), most)
}

// finished finds bookings of ended occurrences with checked-in guests, and locks those that are not locked by another
// process.
func finished(ctx context.Context, tx *pg.Tx, most int) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from bookings where business_id = $1 and state = 'checked_in' and ends_at <= $2
		order by id limit $3 for no key update skip locked`, tx.Business(), tx.Now(), most)
}

// completeBookings marks locked bookings as completed.
func completeBookings(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	_, err := tx.Exec(ctx, `update bookings set state = 'completed', version = version + 1, updated_at = $3
		where business_id = $1 and id = any($2)`, tx.Business(), ids, tx.Now())
	return err
}

// retime puts the bookings of dates at their dates' time, and returns those that were at another, as they were.
func retime(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) ([]subject, error) {
	return pg.All[subject](ctx, tx, `with was as (
			select b.id, b.state, b.starts_at from bookings b join occurrences o on o.business_id = $1 and o.id = b.occurrence_id
			where b.business_id = $1 and b.occurrence_id = any($2) and b.state in ('held', 'requested', 'confirmed', 'checked_in')
				and (b.starts_at, b.ends_at) is distinct from (o.starts_at, o.ends_at)
			order by b.id for no key update of b
		), moved as (
			update bookings b set starts_at = o.starts_at, ends_at = o.ends_at, version = b.version + 1, updated_at = $3
			from was w, occurrences o where b.business_id = $1 and b.id = w.id and o.business_id = $1 and o.id = b.occurrence_id
		)
		select id, state, starts_at from was order by id`, tx.Business(), dates, tx.Now())
}

// follow reschedules all bookings of dates, in every state, to the current times of the dates.
func follow(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) error {
	_, err := tx.Exec(ctx, `update bookings b set location_id = o.location_id, offering_id = o.offering_id, version = b.version + 1, updated_at = $3
		from occurrences o where b.business_id = $1 and b.occurrence_id = any($2) and o.business_id = $1 and o.id = b.occurrence_id`,
		tx.Business(), dates, tx.Now())
	return err
}
