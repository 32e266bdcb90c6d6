package waitlist

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// waiterPlace is where an entry is.
type waiterPlace struct {
	BusinessID, ID uuid.UUID
}

func findWaiter(ctx context.Context, db *pg.DB, hash []byte) (waiterPlace, bool, error) {
	p, err := pg.One[waiterPlace](ctx, db.View(uuid.Nil), `select business_id, id from app.find_waitlist_offer($1)`, hash)
	if errors.Is(err, pg.ErrNoRow) {
		return waiterPlace{}, false, nil
	}
	return p, err == nil, err
}

func businessOfWaiter(ctx context.Context, db *pg.DB, person, id uuid.UUID) (uuid.UUID, bool, error) {
	business, err := pg.One[uuid.UUID](ctx, db.View(uuid.Nil), `select business_id from app.waitlist_entry_of($1, $2)`, person, id)
	if errors.Is(err, pg.ErrNoRow) {
		return uuid.Nil, false, nil
	}
	return business, err == nil, err
}

// entryOfPerson finds the entry of a person and an attendee on the list of an offering's date: the one that may still get
// a seat, else the latest.
func entryOfPerson(ctx context.Context, tx *pg.Tx, offering, occurrence, person uuid.UUID, attendee string) (uuid.UUID, bool, error) {
	id, err := pg.One[uuid.UUID](ctx, tx, `select e.id from waitlist_entries e
		join customers c on c.business_id = e.business_id and c.id = e.customer_id
		where e.business_id = $1 and e.offering_id = $2 and e.occurrence_id = $3 and c.person_id = $4 and e.attendee = $5
		order by e.state in `+onList+` desc, e.created_at desc, e.id desc limit 1`, tx.Business(), offering, occurrence, person, attendee)
	if errors.Is(err, pg.ErrNoRow) {
		return uuid.Nil, false, nil
	}
	return id, err == nil, err
}

// heldPlace is the booking of an accepted place, with its hold.
type heldPlace struct {
	State     booking.State
	OrderID   *uuid.UUID
	CartID    *uuid.UUID
	ExpiresAt *time.Time
}

func placeOf(ctx context.Context, r pg.Reader, booking uuid.UUID) (heldPlace, error) {
	return pg.One[heldPlace](ctx, r, `select b.state, b.order_id, h.cart_id, h.expires_at from bookings b
		left join holds h on h.business_id = b.business_id and h.id = b.hold_id
		where b.business_id = $1 and b.id = $2`, r.Business(), booking)
}

// dateFacts are those of an entry's date. The state of the date is read beside them: State is the entry's.
type dateFacts struct{ schedule.Facts }

// waitRow is an entry with what its customer is told about it.
type waitRow struct {
	Entry
	dateFacts
	DateState                                          schedule.State
	BusinessName, LocationName, LocationSlug, Currency string
	OfferingName, OfferingSlug, Instructor, Space      string
	EndsAt                                             time.Time
	PriceAmount                                        *int64
	Ahead                                              int
	CustomerName, CustomerEmail, CustomerPhone, Locale string
	Country                                            string
	GraceUntil                                         *time.Time
	BookingState                                       *string
}

// waitsOf reads entries of one business with what they are about, in no order.
func waitsOf(ctx context.Context, r pg.Reader, ids []uuid.UUID) ([]waitRow, error) {
	return pg.All[waitRow](ctx, r, `select `+waiterColumns+`, s.name as business_name, l.name as location_name,
			l.slug as location_slug, l.zone, l.currency, l.country, f.name as offering_name, f.slug as offering_slug, f.price_amount,
			coalesce(m.name, '') as instructor, coalesce(sp.name, '') as space, o.starts_at, o.ends_at,
			o.state as date_state, o.series_id is not null as in_series, f.kind, f.enrolment, f.state as offering_state,
			l.archived_at is not null as location_archived, s.status as business_status, o.capacity, o.online_capacity, o.taken, o.taken_online, o.offered,
			(select count(*) from waitlist_entries a where a.business_id = e.business_id and a.occurrence_id = e.occurrence_id
				and a.state in ('waiting', 'offered') and (a.rank, a.id) < (e.rank, e.id)) as ahead,
			c.name as customer_name, c.email as customer_email, c.phone as customer_phone, coalesce(p.locale, 'en') as locale,
			b.grace_until, b.state as booking_state
		from waitlist_entries e
		join businesses s on s.business_id = e.business_id
		join locations l on l.business_id = e.business_id and l.id = e.location_id
		join offerings f on f.business_id = e.business_id and f.id = e.offering_id
		join occurrences o on o.business_id = e.business_id and o.id = e.occurrence_id
		join customers c on c.business_id = e.business_id and c.id = e.customer_id
		left join persons p on p.id = c.person_id
		left join members m on m.business_id = o.business_id and m.id = o.member_id and m.deactivated_at is null
		left join spaces sp on sp.business_id = o.business_id and sp.id = o.space_id
		left join bookings b on b.business_id = e.business_id and b.id = e.booking_id
		where e.business_id = $1 and e.id = any($2)`, r.Business(), ids)
}

// myWaits finds a person's entries in all businesses, the latest first.
func myWaits(ctx context.Context, db *pg.DB, person uuid.UUID, after *booking.Key, limit int) ([]waitKey, error) {
	var at *time.Time
	var id *uuid.UUID
	if after != nil {
		at, id = &after.At, &after.ID
	}
	return pg.All[waitKey](ctx, db.View(uuid.Nil), `select business_id, id, created_at from app.waitlist_of($1, $2, $3, $4)`,
		person, at, id, limit)
}

// waitKey is an entry of a person in some business.
type waitKey struct {
	BusinessID, ID uuid.UUID
	CreatedAt      time.Time
}
