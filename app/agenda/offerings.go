package agenda

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// MaxOfferings is the most offerings that one answer has.
const MaxOfferings = 500

// OfferingsInput chooses offerings; a filter that is not set chooses all.
type OfferingsInput struct {
	LocationID uuid.UUID
	Query      string // a part of the name
}

// OfferingRow is an offering as the console lists it.
type OfferingRow struct {
	ID              uuid.UUID
	LocationID      uuid.UUID
	LocationName    string
	Zone            string
	Kind            catalog.Kind
	Enrolment       catalog.Enrolment
	SoldAs          catalog.SoldAs
	Name            string
	State           catalog.State
	DurationMinutes int
	PriceAmount     *int64 // minor units of Currency; nil: not set yet
	Currency        money.Currency
	Durations       []catalog.Duration
	NextAt          *time.Time // the next date that can be attended, or is booked
	Dates           int        // upcoming dates
}

// Course reports whether one booking is for all of its dates.
func (o OfferingRow) Course() bool { return o.Enrolment == catalog.BySeries }

// Offerings returns the offerings of the places that the caller may see, archived ones too, in the order of pages,
// with their next date, in one round trip; MaxOfferings at most. It needs location.view.
func (s *Service) Offerings(ctx context.Context, sc tenancy.Scope, in OfferingsInput) ([]OfferingRow, error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err != nil {
		return nil, err
	}
	v := s.db.View(sc.Tenant)
	q := pg.NewShape(`select f.id, f.location_id, l.name as location_name, l.zone, f.kind, f.enrolment, f.sold_as, f.name, f.state, f.duration_minutes,
			f.price_amount, l.currency, f.durations, n.next_at, coalesce(n.dates, 0) as dates
		from offerings f join locations l on l.business_id = f.business_id and l.id = f.location_id and l.archived_at is null
		left join lateral (
			select min(o.starts_at) as next_at, count(*) as dates from occurrences o
			where o.business_id = $1 and o.offering_id = f.id and o.starts_at > $2 and o.state = 'scheduled'
		) n on true
		where f.business_id = $1`, sc.Tenant, v.Now())
	q.AndIf(in.LocationID != uuid.Nil, "f.location_id = ?", in.LocationID)
	if text := strings.TrimSpace(in.Query); text != "" {
		q.And("f.name ilike ?", "%"+strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)+"%")
	}
	q.AndIf(!cover.Everywhere, "f.location_id = any(?)", cover.Locations)
	q.Add(" order by f.position, lower(f.name), f.id limit ?", MaxOfferings)
	return pg.All[OfferingRow](ctx, v, q.SQL(), q.Args()...)
}
