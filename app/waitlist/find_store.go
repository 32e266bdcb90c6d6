package waitlist

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/names"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/schedule"
)

func findByHash(ctx context.Context, db *pg.DB, hash []byte) (pg.Keyed, bool, error) {
	return pg.Find[pg.Keyed](ctx, db.View(uuid.Nil), `select business_id, id from app.find_waitlist_offer($1)`, hash)
}

// businessOfEntry finds the business of an entry of a person; another person's entry is not found.
func businessOfEntry(ctx context.Context, db *pg.DB, person, id uuid.UUID) (uuid.UUID, error) {
	return pg.Found(pg.One[uuid.UUID](ctx, db.View(uuid.Nil), `select business_id from app.waitlist_entry_of($1, $2)`, person, id))
}

// entryOfPerson finds the entry of a person and an attendee on the list of an offering's date: the one that may still
// get a seat, else the latest.
func entryOfPerson(ctx context.Context, tx *pg.Tx, offering, occurrence, person uuid.UUID, attendee string) (uuid.UUID, bool, error) {
	return pg.Find[uuid.UUID](ctx, tx, `select e.id from waitlist_entries e
		join customers c on c.business_id = e.business_id and c.id = e.customer_id
		where e.business_id = $1 and e.offering_id = $2 and e.occurrence_id = $3 and c.person_id = $4 and (e.attendee = $5 or e.attendee_key = $6)
		order by e.state in `+onList+` desc, e.created_at desc, e.id desc limit 1`, tx.Business(), offering, occurrence, person, attendee, names.Key(attendee))
}

// heldPlace is the booking of an accepted offer, with its hold.
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

// entryRow is an entry with the facts that its customer sees, and those that decide about them.
type entryRow struct {
	CustomerEntry
	Recipient
	schedule.Seats
	Ahead            int // entries before it
	DateState        schedule.State
	InSeries         bool
	Kind             catalog.Kind
	Enrolment        catalog.Enrolment
	OfferingState    catalog.State
	LocationArchived bool
	BusinessStatus   business.Status
}

// facts are those of the entry's date.
func (r entryRow) facts() schedule.Facts {
	return schedule.Facts{
		State: r.DateState, StartsAt: r.StartsAt, InSeries: r.InSeries, Kind: r.Kind, Enrolment: r.Enrolment, OfferingState: r.OfferingState,
		LocationArchived: r.LocationArchived, BusinessStatus: r.BusinessStatus, Zone: r.Zone, Seats: r.Seats,
	}
}

// entryRows reads entries of one business with their dates, in no order. Unlike on a booking, a former member is not
// named as instructor: they will not teach the date any more.
func entryRows(ctx context.Context, r pg.Reader, ids []uuid.UUID) ([]entryRow, error) {
	return pg.All[entryRow](ctx, r, `select `+entryColumns+`, s.name as business_name, l.name as location_name,
			l.slug as location_slug, l.zone, l.currency, l.street, l.city, l.region, l.postal_code, l.country, l.accent, f.name as offering_name, f.slug as offering_slug,
			coalesce(f.price_amount, 0) * e.party as price_amount, `+catalog.PricingSQL("f", "l", "s")+`, e.business_id,
			`+schedule.InstructorAndSpaceSQL+`, o.starts_at, o.ends_at, o.state = 'cancelled' or f.state = 'archived' as cancelled,
			o.state as date_state, o.series_id is not null as in_series, f.kind, f.enrolment, f.state as offering_state,
			l.archived_at is not null as location_archived, s.status as business_status,
			o.capacity, o.online_capacity, o.taken, o.taken_online, o.offered,
			(select count(*) from waitlist_entries a where a.business_id = e.business_id and a.occurrence_id = e.occurrence_id
				and a.state in ('waiting', 'offered') and (a.rank, a.id) < (e.rank, e.id)) as ahead,
			c.name, c.email, c.phone, `+business.ReaderLanguage+` as locale,
			b.grace_until, coalesce(b.state, '') as booking_state
		from waitlist_entries e
		join businesses s on s.business_id = e.business_id
		join locations l on l.business_id = e.business_id and l.id = e.location_id
		join offerings f on f.business_id = e.business_id and f.id = e.offering_id
		join occurrences o on o.business_id = e.business_id and o.id = e.occurrence_id
		join customers c on c.business_id = e.business_id and c.id = e.customer_id
		left join persons p on p.id = c.person_id`+schedule.InstructorJoinSQL("o.business_id", "o.member_id")+` and instructors.deactivated_at is null`+
		schedule.SpaceJoinSQL("o.business_id", "o.space_id")+`
		left join bookings b on b.business_id = e.business_id and b.id = e.booking_id
		where e.business_id = $1 and e.id = any($2)`, r.Business(), ids)
}

// entriesOfPerson finds a person's entries in all businesses, the latest first.
func entriesOfPerson(ctx context.Context, db *pg.DB, person uuid.UUID, in paging.In[paging.Moment]) ([]pg.Keyed, error) {
	var at *time.Time
	var id *uuid.UUID
	if in.After != nil {
		at, id = &in.After.At, &in.After.ID
	}
	return pg.All[pg.Keyed](ctx, db.View(uuid.Nil), `select business_id, id, created_at as at from app.waitlist_of($1, $2, $3, $4)`,
		person, at, id, in.Size()+1)
}
