package waitlist

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// lineLimit limits the waiting entries of one round. Later ones are processed by the next.
const lineLimit = 1000

// lineOf reads the waiting entries of a date in their order, with the obstacle of each.
func lineOf(ctx context.Context, r pg.Reader, d date) ([]candidate, error) {
	return pg.All[candidate](ctx, r, `select e.id, e.customer_id, e.party, case
			when exists (select from bookings b where b.business_id = $1 and b.customer_id = e.customer_id and b.occurrence_id = $2
				and `+booking.SameAttendeeSQL("b", "e")+` and b.state <> 'held' and b.state in `+booking.ActiveStatesSQL+`) then 'booked'
			when exists (select from bookings b where b.business_id = $1 and b.customer_id = e.customer_id and b.occurrence_id = $2
				and `+booking.SameAttendeeSQL("b", "e")+` and b.state = 'held') then 'held'
			when exists (select from bookings b where b.business_id = $1 and b.customer_id = e.customer_id and b.occurrence_id <> $2
				and `+booking.SameAttendeeSQL("b", "e")+` and b.state in ('confirmed', 'checked_in') and b.starts_at < $4 and b.ends_at > $3) then 'overlaps'
			else '' end as obstacle
		from waitlist_entries e where e.business_id = $1 and e.occurrence_id = $2 and e.state = 'waiting'
		order by e.rank, e.id limit $5`, r.Business(), d.ID, d.StartsAt, d.EndsAt, lineLimit)
}

// lockCustomers locks customers' records in the order of their ids. A booking for a customer locks theirs, before any
// occurrence.
func lockCustomers(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `select from customers where business_id = $1 and id = any($2) order by id for no key update`,
		tx.Business(), ids)
	return err
}

// offerSeats keeps seats for an entry that waits, until an instant; false when there are none.
func offerSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, entry uuid.UUID, until time.Time, why string) (bool, error) {
	n, err := pg.One[int](ctx, tx, `with w as (
			select e.id, e.party, e.occurrence_id from waitlist_entries e
			where e.business_id = @business and e.id = @entry and e.state = 'waiting' for no key update
		), seat as (
			update occurrences o set offered = o.offered + w.party from w
			where o.business_id = @business and o.id = w.occurrence_id and o.state = 'scheduled' and o.starts_at > @now and `+booking.RoomFor+`
			returning o.id
		), entry as (
			update waitlist_entries e set state = 'offered', offered_at = @now, offer_until = @until, version = e.version + 1, updated_at = @now
			from w, seat where e.business_id = @business and e.id = w.id
			returning e.id
		), changes as (
			select @transition::uuid as id, id as entry_id, 'waiting' as from_state, 'offered' as to_state from entry
		), `+logged+`
		select count(*) from entry`,
		booking.Noting(tx, sc, pg.Named{
			"why": why, "online": true, "entry": entry, "until": until, "transition": pg.NewID(),
		}))
	return n == 1, err
}

// seating is the booking of an entry.
type seating struct {
	Entry      uuid.UUID
	Transition booking.Transition // TransitionPromote books it, TransitionHold holds it under Hold
	Online     bool               // it counts among the seats sold online
	Hold       *booking.Hold      // with TransitionHold
	Price      int64              // for the whole party
	Grace      *time.Time
	Why        string
}

// seat turns an entry into a booking, in one statement: it occupies the seats on offer to it, or available ones, and
// writes the booking, its first transition and the entry's. ok is false when the entry neither waits nor has an open
// offer, or when there is no room: nothing is changed then. The caller has the locks of the customer and of the
// occurrence.
func (d date) seat(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in seating) (id uuid.UUID, ok bool, err error) {
	id = pg.NewID()
	var confirmed *time.Time
	if now := tx.Now(); in.Transition == booking.TransitionPromote {
		confirmed = &now
	}
	var hold, cart, person *uuid.UUID
	var until *time.Time
	if in.Hold != nil {
		hold, cart, person, until = &in.Hold.ID, &in.Hold.CartID, &in.Hold.PersonID, &in.Hold.ExpiresAt
	}
	n, err := pg.One[int](ctx, tx, `with w as (
			select e.* from waitlist_entries e where e.business_id = @business and e.id = @entry
				and (e.state = 'waiting' or e.state = 'offered' and e.offer_until > @now) for no key update
		), seat as (
			update occurrences o set taken = o.taken + w.party,
				taken_online = o.taken_online + case when @online then w.party else 0 end,
				offered = o.offered - case w.state when 'offered' then w.party else 0 end
			from w
			where o.business_id = @business and o.id = w.occurrence_id and o.state = 'scheduled' and o.starts_at > @now
				and (w.state = 'offered' or `+booking.RoomFor+`)
			returning o.id, o.location_id, o.offering_id, o.starts_at, o.ends_at
		), kept as (
			insert into holds (id, business_id, cart_id, person_id, customer_id, state, created_at, expires_at, extended)
			select @hold, @business, @cart, @person, w.customer_id, 'live', @now, @expires, false from w, seat where @hold::uuid is not null
		), booked as (
			insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, hold_id, state, online, party,
				attendee, attendee_key, starts_at, ends_at, price_amount, currency, policy, confirmed_at, grace_until, version, created_at, updated_at)
			select @booking, @business, s.location_id, s.offering_id, s.id, w.customer_id, @hold, @state, @online, w.party,
				w.attendee, w.attendee_key, s.starts_at, s.ends_at, @price, @currency, @rules, @confirmed, @grace, 1, @now, @now from w, seat s
		), transitions as (
			select @transition::uuid as id, @booking::uuid as booking_id, '' as from_state, @state as to_state, null::timestamptz as was, @reason as reason, '' as note
			from seat
		), `+booking.Noted+`, entry as (
			update waitlist_entries e set state = 'promoted', booking_id = @booking, offer_until = null, version = e.version + 1, updated_at = @now
			from w, seat where e.business_id = @business and e.id = w.id
		), changes as (
			select @change::uuid as id, w.id as entry_id, w.state as from_state, 'promoted' as to_state from w, seat
		), `+logged+`
		select count(*) from seat`,
		booking.Noting(tx, sc, pg.Named{
			"why": in.Why, "online": in.Online, "entry": in.Entry, "booking": id, "state": in.Transition.To(), "hold": hold, "cart": cart,
			"person": person, "expires": until, "price": in.Price, "currency": d.Currency, "rules": d.Rules, "confirmed": confirmed,
			"grace": in.Grace, "transition": pg.NewID(), "reason": in.Transition, "change": pg.NewID(),
		}))
	return id, n == 1, err
}

// price returns the listed price for a party.
func (d date) price(party int) int64 {
	if d.PriceAmount == nil {
		return 0
	}
	return *d.PriceAmount * int64(party)
}

// overlapping lists the customer's waiting entries at other dates that overlap d, for the same attendee as the entry,
// if one of the two has DropIfPromoted.
func overlapping(ctx context.Context, tx *pg.Tx, w Entry, d date) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select e.id from waitlist_entries e
		join occurrences o on o.business_id = e.business_id and o.id = e.occurrence_id
		where e.business_id = @business and e.customer_id = @customer and (e.attendee = @attendee or e.attendee_key = @key)
			and e.id <> @entry and e.occurrence_id <> @date and e.state = 'waiting' and (e.drop_if_promoted or @drop)
			and o.starts_at < @ends and o.ends_at > @starts
		order by e.id`, pg.Named{
		"business": tx.Business(), "customer": w.CustomerID, "attendee": w.Attendee, "key": names.Key(w.Attendee), "entry": w.ID, "date": d.ID,
		"drop": w.DropIfPromoted, "starts": d.StartsAt, "ends": d.EndsAt,
	})
}

// lateOffers lists the entries of a date with an expired offer.
func lateOffers(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from waitlist_entries
		where business_id = $1 and occurrence_id = $2 and state = 'offered' and offer_until <= $3 order by rank, id`,
		tx.Business(), occurrence, tx.Now())
}

// listsOf locks these occurrences in the order of their ids and lists the entries there that may still get a seat.
func listsOf(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) ([]uuid.UUID, error) {
	if _, err := tx.Exec(ctx, `select from occurrences where business_id = $1 and id = any($2) order by id for no key update`,
		tx.Business(), occurrences); err != nil {
		return nil, err
	}
	return pg.All[uuid.UUID](ctx, tx, `select id from waitlist_entries where business_id = $1 and occurrence_id = any($2)
		and state in `+onList+` order by occurrence_id, rank, id`, tx.Business(), occurrences)
}

// dueLists finds the dates whose waitlist has a round due, of all businesses: because of released seats, the end of
// the list, or an expired offer. found is the larger number of rounds and of offers read.
func dueLists(ctx context.Context, db *pg.DB, limit int) (due map[uuid.UUID][]uuid.UUID, found int, err error) {
	var rounds, offers []pg.Keyed
	none := db.View(uuid.Nil)
	b := none.Batch()
	pg.QueueAll(b, &rounds, `select business_id, occurrence_id as id from app.due_rounds($1, $2)`, none.Now(), limit)
	pg.QueueAll(b, &offers, `select business_id, id from app.due_offers($1, $2)`, none.Now(), limit)
	if err := b.Send(ctx); err != nil {
		return nil, 0, err
	}
	due = pg.ByBusiness(rounds)
	for business, ids := range pg.ByBusiness(offers) {
		more, err := pg.All[uuid.UUID](ctx, db.View(business), `select distinct occurrence_id from waitlist_entries
			where business_id = $1 and id = any($2)`, business, ids)
		if err != nil {
			return nil, 0, err
		}
		for _, id := range more {
			if !slices.Contains(due[business], id) {
				due[business] = append(due[business], id)
			}
		}
	}
	return due, max(len(rounds), len(offers)), nil
}

// dueAt narrows occurrences down to those whose waitlist has a round due.
func dueAt(ctx context.Context, v *pg.View, occurrences []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, v, `select occurrence_id from waitlist_rounds
			where business_id = $1 and occurrence_id = any($2) and due_at <= $3
		union select occurrence_id from waitlist_entries
			where business_id = $1 and occurrence_id = any($2) and state = 'offered' and offer_until <= $3
		order by 1`, v.Business(), occurrences, v.Now())
}
