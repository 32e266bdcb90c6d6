package agenda

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// FailedMail is a mail that was not delivered, and that has not been dismissed.
type FailedMail struct {
	ID           uuid.UUID
	Kind         string     // of the job that was to send it
	What         string     // subject of the mail; empty if its kind is enough
	Late         bool       // it expired before it could be sent; otherwise its last try was refused
	LocationID   *uuid.UUID // nil: it belongs to no location
	CustomerID   *uuid.UUID
	MemberID     *uuid.UUID
	Name         string // name of the recipient; may be empty
	Email        string
	BookingID    *uuid.UUID
	OccurrenceID *uuid.UUID
	OfferingName string // of the date that it is about; empty without one
	StartsAt     *time.Time
	CreatedAt    time.Time // when it was given up
}

// MaxMails is how many of them Today has, the newest.
const MaxMails = 10

// mailsOf selects the failed mails that a caller may see. Those of no location require a grant for all locations.
func mailsOf(sc tenancy.Scope, location uuid.UUID, cover policy.Cover) *pg.Shape {
	q := pg.NewShape(`select f.id, f.kind, f.what, f.late, f.location_id, f.customer_id, f.member_id, coalesce(c.name, m.name, '') as name,
			coalesce(c.email, m.email, '') as email, f.booking_id, f.occurrence_id, coalesce(x.name, '') as offering_name, o.starts_at, f.created_at
		from failed_mails f
		left join customers c on c.business_id = f.business_id and c.id = f.customer_id
		left join members m on m.business_id = f.business_id and m.id = f.member_id
		left join occurrences o on o.business_id = f.business_id and o.id = f.occurrence_id
		left join offerings x on x.business_id = f.business_id and x.id = o.offering_id
		where f.business_id = $1 and f.dismissed_at is null`, sc.Tenant)
	q.AndIf(location != uuid.Nil, "(f.location_id = ? or f.location_id is null)", location)
	q.AndIf(!cover.Everywhere, "f.location_id = any(?)", cover.Locations)
	q.Add(" order by f.created_at desc, f.id desc limit ?", MaxMails)
	return q
}
