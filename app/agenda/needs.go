package agenda

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// NeedKind is the reason why an item needs attention.
type NeedKind string

// The kinds.
const (
	NeedAnswer     NeedKind = "request"       // a customer waits for a yes or no
	NeedReview     NeedKind = "fee"           // a fee to be reviewed before it is charged
	NeedOffer      NeedKind = "offer"         // a waitlist offer that expires soon
	NeedInstructor NeedKind = "no_instructor" // a date that begins soon has no instructor
)

// Need is an item that needs attention.
type Need struct {
	Kind         NeedKind
	OccurrenceID uuid.UUID
	BookingID    *uuid.UUID // of a request and a fee
	LocationID   uuid.UUID
	OfferingID   uuid.UUID
	OfferingName string
	StartsAt     time.Time
	Customer     string // the customer of the request, fee or offer; empty for a date without an instructor
	Amount       int64  // of a fee, in minor units
	Currency     string
	Until        *time.Time // the time when it expires or is decided automatically; nil: never
}

// Board is Today.
type Board struct {
	Dates   []Date // of the day
	Needs   []Need // the next to expire first; MaxNeeds at most
	Mails   []FailedMail
	Opening *Opening // nil: not requested
}

// TodayInput is the day, and the input of Opening; nil for none.
type TodayInput struct {
	DatesInput
	Opening *OpeningInput
	Beside  func(*pg.Batch, *pg.View) // queues further reads in the same trip; nil: none
}

// Limits of items that need attention.
const (
	MaxNeeds     = 50
	lookAhead    = 7 * 24 * time.Hour // for dates without an instructor
	needsColumns = `o.id as occurrence_id, o.location_id, o.offering_id, f.name as offering_name, o.starts_at`
	needsFrom    = ` join offerings f on f.business_id = o.business_id and f.id = o.offering_id`
)

// Today returns the dates of a day and the items that need attention, in one round trip. It needs booking.view, and
// shows the rows that the caller's grants open.
func (s *Service) Today(ctx context.Context, sc tenancy.Scope, in TodayInput) (b Board, err error) {
	cover, err := policy.Where(sc, policy.BookingView)
	if err == nil {
		err = in.Validate()
	}
	if err != nil {
		return b, err
	}
	v := s.db.View(sc.Tenant)
	batch := v.Batch()
	dates, needs, mails := datesOf(sc, in.DatesInput, cover), needsOf(sc, in.LocationID, v.Now(), cover), mailsOf(sc, in.LocationID, cover)
	pg.QueueAll(batch, &b.Dates, dates.SQL(), dates.Args()...)
	pg.QueueAll(batch, &b.Needs, needs.SQL(), needs.Args()...)
	pg.QueueAll(batch, &b.Mails, mails.SQL(), mails.Args()...)
	var opening Opening
	var known bool
	if in.Opening != nil && policy.Require(sc, policy.BusinessManage) == nil {
		q := openingOf(sc, *in.Opening)
		pg.QueueOne(batch, &opening, &known, q.SQL(), q.Args()...)
	}
	if in.Beside != nil {
		in.Beside(batch, v)
	}
	if err = batch.Send(ctx); known {
		b.Opening = &opening
	}
	return b, err
}

func needsOf(sc tenancy.Scope, location uuid.UUID, now time.Time, cover policy.Cover) *pg.Shape {
	q := pg.NewShape(`select * from (`, sc.Tenant, now)
	here := func() {
		q.AndIf(location != uuid.Nil, "o.location_id = ?", location)
		covered(q, "o", cover, sc.Person())
	}
	q.Add(`(select 'request' as kind, b.id as booking_id, ` + needsColumns + `, c.name as customer, 0::bigint as amount, '' as currency, o.starts_at as until
		from bookings b join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id` + needsFrom + `
		join customers c on c.business_id = b.business_id and c.id = b.customer_id
		where b.business_id = $1 and b.state = 'requested' and o.starts_at > $2`)
	here()
	q.Add(` order by o.starts_at limit ?) union all (select 'fee', b.id, `+needsColumns+`, c.name, p.amount, p.currency, p.review_until
		from fees p join bookings b on b.business_id = p.business_id and b.id = p.booking_id
		join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id`+needsFrom+`
		join customers c on c.business_id = b.business_id and c.id = b.customer_id
		where p.business_id = $1 and p.state = 'due' and p.review_until > $2`, MaxNeeds)
	here()
	q.Add(` order by p.review_until limit ?) union all (select 'offer', null::uuid, `+needsColumns+`, c.name, 0, '', w.offer_until
		from waitlist_entries w join occurrences o on o.business_id = w.business_id and o.id = w.occurrence_id`+needsFrom+`
		join customers c on c.business_id = w.business_id and c.id = w.customer_id
		where w.business_id = $1 and w.state = 'offered' and w.offer_until > $2`, MaxNeeds)
	here()
	q.Add(` order by w.offer_until limit ?) union all (select 'no_instructor', null::uuid, `+needsColumns+`, '', 0, '', o.starts_at
		from occurrences o`+needsFrom+`
		where o.business_id = $1 and o.state = 'scheduled' and o.series_id is not null and o.member_id is null and o.starts_at > $2`, MaxNeeds)
	q.And("o.starts_at < ?", now.Add(lookAhead))
	here()
	q.Add(` order by o.starts_at limit ?)) n order by n.until, n.occurrence_id limit ?`, MaxNeeds, MaxNeeds)
	return q
}
