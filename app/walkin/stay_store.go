package walkin

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// lockRooms locks the rooms of an offering with their parts, in the order of their ids, as every booking of them
// does: facts read in a later statement stay true. The offering cannot be archived meanwhile, nor the business
// closed.
func lockRooms(ctx context.Context, tx *pg.Tx, location, offering uuid.UUID) error {
	_, err := tx.Exec(ctx, `with recursive inside (id) as (
			select x.space_id from offering_spaces x where x.business_id = $1 and x.location_id = $2 and x.offering_id = $3
			union select s.id from inside i join spaces s on s.business_id = $1 and s.parent_id = i.id
		)
		select s.id from businesses h, offerings f, inside i join spaces s on s.business_id = $1 and s.id = i.id
		where h.business_id = $1 and f.business_id = $1 and f.id = $3 order by s.id`+roomsLocked, tx.Business(), location, offering)
	return err
}

// noWalkins returns the reason why an offering has no walk-ins: it does not exist, or takes none.
func noWalkins(ctx context.Context, tx *pg.Tx, location, offering uuid.UUID) error {
	there, err := pg.One[bool](ctx, tx, `select exists (select from offerings where business_id = $1 and location_id = $2 and id = $3)`,
		tx.Business(), location, offering)
	switch {
	case err != nil:
		return err
	case !there:
		return fault.Missing()
	}
	return booking.ErrNotBookable.WithMessage("This offering takes no walk-ins.")
}

// walkinSeat is a party that comes in.
type walkinSeat struct {
	availability.Placement
	Occurrence uuid.UUID // that was opened for it
	Customer   uuid.UUID
	Currency   money.Currency
}

// stayColumns and stayJoins read a stay in a shared space of bookings b. @business. It always has a space: without
// one it is no stay.
var (
	stayColumns = `b.id as booking_id, b.location_id, b.offering_id, f.name as offering_name, b.occurrence_id, b.customer_id,
		c.name as customer_name, b.attendee, s.id as space_id, s.name as space, b.party, b.state, b.starts_at, b.ends_at,
		b.price_amount, owed.due as due_amount, b.currency, b.checked_in_at,
		b.checked_out_at, b.version`
	stayJoins = ` join customers c on c.business_id = @business and c.id = b.customer_id
		join offerings f on f.business_id = @business and f.id = b.offering_id and f.kind = 'rental' and f.sold_as = 'person'
		join occurrences o on o.business_id = @business and o.id = b.occurrence_id and o.series_id is null
		join spaces s on s.business_id = @business and s.id = o.space_id` + order.DueJoinsOf("@business")
)

// seatWalkin books the seats of an occurrence, checks the party in and reads the stay: one statement, with both
// transitions.
func seatWalkin(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, w walkinSeat) (Stay, error) {
	both := []booking.Transition{booking.TransitionBook, booking.TransitionCheckIn}
	return pg.One[Stay](ctx, tx, `with taken as (
			update occurrences set taken = taken + @party where business_id = @business and id = @occurrence
			returning id, location_id, offering_id, starts_at, ends_at
		), booked as (
			insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online, party,
				starts_at, ends_at, price_amount, currency, policy, confirmed_at, checked_in_at, version, created_at, updated_at)
			select @booking, @business, t.location_id, t.offering_id, t.id, @customer, @state, false, @party, t.starts_at, t.ends_at, @price, @currency,
				coalesce(p.rules, @rules::jsonb), @now, @now, 1, @now, @now
			from taken t join offerings f on f.business_id = @business and f.id = t.offering_id
				join locations l on l.business_id = @business and l.id = t.location_id
				left join policies p on p.business_id = @business and p.id = coalesce(f.policy_id, l.policy_id)
			returning *
		), transitions as (
			select m.id, @booking::uuid as booking_id, m.from_state, m.to_state, null::timestamptz as was, m.reason, '' as note
			from unnest(@transitions::uuid[], @from::varchar[], @to::varchar[], @reasons::varchar[]) as m (id, from_state, to_state, reason)
		), `+booking.Noted+`
		select `+stayColumns+` from booked b`+stayJoins,
		booking.Noting(tx, sc, pg.Named{
			"booking": pg.NewID(), "occurrence": w.Occurrence, "customer": w.Customer, "party": w.Party, "state": both[1].To(),
			"price": w.PriceAmount, "currency": w.Currency, "rules": catalog.StandardRules(),
			"transitions": pg.NewIDs(len(both)), "from": []booking.State{both[0].From(), both[1].From()},
			"to": []booking.State{both[0].To(), both[1].To()}, "reasons": both,
		}))
}

// lockStay reads a stay of a location for a change: the booking stays locked. A stay that is being changed is read
// after that. A booking that is not a stay, or does not exist, is not found.
func lockStay(ctx context.Context, tx *pg.Tx, location, id uuid.UUID) (Stay, error) {
	return pg.Found(pg.One[Stay](ctx, tx, `select `+stayColumns+` from bookings b`+stayJoins+`
		where b.business_id = @business and b.location_id = @location and b.id = @id and b.state not in ('held', 'expired')
		for no key update of b`, pg.Named{"business": tx.Business(), "location": location, "id": id}))
}

// leave ends the claims of a stay with this minute. A claim that would be empty, or has not begun, is deleted.
func leave(ctx context.Context, tx *pg.Tx, stay Stay) (Stay, error) {
	now := tx.Now()
	if err := booking.CheckOutTx(ctx, tx, stay.BookingID); err != nil {
		return stay, err
	}
	err := claim.ShortenTx(ctx, tx, stay.OccurrenceID, minuteOf(now))
	stay.CheckedOutAt, stay.Version = &now, stay.Version+1
	return stay, err
}

// lockDoor keeps a location's row and returns its version. An unknown one is not found.
func lockDoor(ctx context.Context, tx *pg.Tx, location uuid.UUID) (int64, error) {
	return pg.Found(pg.One[int64](ctx, tx, `select version from locations where business_id = $1 and id = $2 for no key update`,
		tx.Business(), location))
}

// Stay is one stay of a party: a booking that began on arrival.
type Stay struct {
	BookingID    uuid.UUID
	LocationID   uuid.UUID
	OfferingID   uuid.UUID
	OfferingName string
	OccurrenceID uuid.UUID
	CustomerID   uuid.UUID
	CustomerName string // may be empty
	Attendee     string // the desk's name for a customer without an address, from when they all shared one record
	SpaceID      uuid.UUID
	Space        string
	Party        int
	State        booking.State
	StartsAt     time.Time
	EndsAt       time.Time // as sold
	PriceAmount  int64     // minor units of Currency, for the whole party
	DueAmount    int64     // due at the desk
	Currency     money.Currency
	CheckedInAt  *time.Time
	CheckedOutAt *time.Time // checked out early
	Version      int64
}
