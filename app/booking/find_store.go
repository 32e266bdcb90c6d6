package booking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

const bookingColumns = `b.id, b.location_id, b.offering_id, b.occurrence_id, b.customer_id, b.hold_id, b.order_id, b.group_id, b.state,
	b.online, b.party, b.attendee, b.note, b.starts_at, b.ends_at, b.price_amount, b.currency, b.policy, b.confirmed_at,
	b.cancelled_at, b.checked_in_at, b.checked_out_at, b.reschedules, b.review_at, b.grace_until, b.version, b.created_at, b.updated_at`

// bookingRow is a booking with the names that lists show; a query fills in those it selects.
type bookingRow struct {
	ID, LocationID, OfferingID, OccurrenceID, CustomerID uuid.UUID
	HoldID, OrderID, GroupID                             *uuid.UUID
	State                                                State
	Online                                               bool
	Party                                                int
	Attendee, Note                                       string
	StartsAt, EndsAt                                     time.Time
	PriceAmount                                          int64
	Currency                                             money.Currency
	Policy                                               []byte // null: made before there were policies
	ConfirmedAt, CancelledAt, CheckedInAt, CheckedOutAt  *time.Time
	Reschedules                                          int
	ReviewAt, GraceUntil                                 *time.Time
	Version                                              int64
	CreatedAt, UpdatedAt                                 time.Time

	BusinessName, LocationName, LocationSlug, Zone string
	OfferingName, OfferingSlug                     string
	Kind                                           catalog.Kind
	CustomerName, CustomerEmail, CustomerPhone     string
	Instructor, Space                              string
	Locale, Country                                string
	FeeDue                                         int64
	DateState                                      schedule.State
	CourseFrom                                     *time.Time
	Own                                            bool
}

func (r bookingRow) booking() Booking {
	b := Booking{
		ID: r.ID, LocationID: r.LocationID, OfferingID: r.OfferingID, OccurrenceID: r.OccurrenceID, CustomerID: r.CustomerID,
		HoldID: r.HoldID, OrderID: r.OrderID, GroupID: r.GroupID, CourseFrom: Utc(r.CourseFrom), State: r.State, Online: r.Online, Party: r.Party,
		Attendee: r.Attendee, Note: r.Note, StartsAt: r.StartsAt.UTC(), EndsAt: r.EndsAt.UTC(), PriceAmount: r.PriceAmount,
		Currency: r.Currency, Rules: KeptRules(r.Policy), ConfirmedAt: Utc(r.ConfirmedAt), CancelledAt: Utc(r.CancelledAt),
		CheckedInAt: Utc(r.CheckedInAt), CheckedOutAt: Utc(r.CheckedOutAt), Reschedules: r.Reschedules, ReviewAt: Utc(r.ReviewAt),
		GraceUntil: Utc(r.GraceUntil), Version: r.Version, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	return b
}

// KeptRules reads the copy of the policy that a booking keeps. One from before there were any has the standard rules; so
// has one that cannot be read, which the database's own writing makes impossible.
func KeptRules(kept []byte) catalog.Rules {
	if kept == nil {
		return catalog.StandardRules()
	}
	rules, err := catalog.ReadRules(kept)
	if err != nil {
		return catalog.StandardRules()
	}
	return rules
}

func Utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}

func (r bookingRow) entry() StudioBooking {
	return StudioBooking{
		Booking: r.booking(), CustomerName: r.CustomerName, CustomerEmail: r.CustomerEmail, CustomerPhone: r.CustomerPhone,
		Kind: r.Kind, OfferingName: r.OfferingName, LocationName: r.LocationName, Zone: r.Zone, Instructor: r.Instructor, Space: r.Space,
	}
}

func entries(rows []bookingRow) []StudioBooking {
	out := make([]StudioBooking, len(rows))
	for i, r := range rows {
		out[i] = r.entry()
	}
	return out
}

// entrySelect has the caller's person as $2: own is true for a session that this person teaches.
const entrySelect = `select ` + bookingColumns + `, c.name as customer_name, c.email as customer_email, c.phone as customer_phone,
		f.name as offering_name, f.kind, l.name as location_name, l.zone, coalesce(m.name, '') as instructor,
		coalesce(e.name, '') as space, ` + courseFrom + `, coalesce(m.person_id = $2 and m.deactivated_at is null, false) as own
	from bookings b
	join customers c on c.business_id = b.business_id and c.id = b.customer_id
	join offerings f on f.business_id = b.business_id and f.id = b.offering_id
	join locations l on l.business_id = b.business_id and l.id = b.location_id
	join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id
	left join members m on m.business_id = b.business_id and m.id = o.member_id
	left join spaces e on e.business_id = b.business_id and e.id = o.space_id
	where b.business_id = $1`

// list reads a part of the bookings that cover opens. Only the filters that are set become conditions, so that an index
// serves each.
func list(ctx context.Context, v *pg.View, in ListInput, cover policy.Cover, person uuid.UUID, limit int) ([]StudioBooking, error) {
	q := query{args: []any{v.Business(), person}}
	q.sql.WriteString(entrySelect)
	for _, f := range []struct {
		column string
		id     uuid.UUID
	}{
		{"b.location_id", in.LocationID}, {"b.offering_id", in.OfferingID}, {"b.occurrence_id", in.OccurrenceID},
		{"b.customer_id", in.CustomerID}, {"o.member_id", in.MemberID}, {"b.group_id", in.GroupID},
	} {
		if f.id != uuid.Nil {
			q.and(f.column+" = %s", f.id)
		}
	}
	if in.State != "" {
		q.and("b.state = %s", in.State)
	} else {
		q.and("b.state not in ('held', 'expired')")
	}
	if !in.From.IsZero() {
		q.and("b.starts_at >= %s", in.From)
	}
	if !in.To.IsZero() {
		q.and("b.starts_at < %s", in.To)
	}
	if !cover.Everywhere {
		q.and("(b.location_id = any(%s::uuid[]) or %s and coalesce(m.person_id = $2 and m.deactivated_at is null, false))",
			cover.Locations, cover.Own)
	}
	order, beyond := "desc", "<"
	if in.Ascending {
		order, beyond = "asc", ">"
	}
	if in.After != nil {
		q.and("(b.starts_at, b.id) "+beyond+" (%s, %s)", in.After.At, in.After.ID)
	}
	q.args = append(q.args, limit)
	fmt.Fprintf(&q.sql, " order by b.starts_at %s, b.id %s limit $%d", order, order, len(q.args))
	rows, err := pg.All[bookingRow](ctx, v, q.sql.String(), q.args...)
	return entries(rows), err
}

// query is a statement with its arguments, built condition by condition.
type query struct {
	sql  strings.Builder
	args []any
}

// and adds a condition; each %s stands for one of values.
func (q *query) and(condition string, values ...any) {
	places := make([]any, len(values))
	for i, v := range values {
		q.args = append(q.args, v)
		places[i] = fmt.Sprintf("$%d", len(q.args))
	}
	fmt.Fprintf(&q.sql, " and "+condition, places...)
}

func find(ctx context.Context, r pg.Reader, person, id uuid.UUID) (StudioBooking, bool, error) {
	row, err := pg.One[bookingRow](ctx, r, entrySelect+` and b.id = $3`, r.Business(), person, id)
	if errors.Is(err, pg.ErrNoRow) {
		return StudioBooking{}, false, fault.Missing()
	}
	return row.entry(), row.Own, err
}

func roster(ctx context.Context, v *pg.View, person uuid.UUID, in RosterInput, limit int) (Roster, bool, error) {
	type head struct {
		ID, OfferingID, LocationID                   uuid.UUID
		OfferingName, LocationName, Zone             string
		StartsAt, EndsAt                             time.Time
		State                                        schedule.State
		Instructor, Space                            string
		Capacity, OnlineCapacity, Taken, TakenOnline int
		Offered                                      int
		Own                                          bool
	}
	var h head
	var found bool
	var rows []bookingRow
	var after Key
	if in.After != nil {
		after = *in.After
	}
	b := v.Batch()
	pg.QueueOne(b, &h, &found, `select o.id, o.offering_id, o.location_id, f.name as offering_name, l.name as location_name, l.zone,
			o.starts_at, o.ends_at, o.state, coalesce(m.name, '') as instructor, coalesce(e.name, '') as space,
			o.capacity, o.online_capacity, o.taken, o.taken_online, o.offered,
			coalesce(m.person_id = $2 and m.deactivated_at is null, false) as own
		from occurrences o
		join offerings f on f.business_id = o.business_id and f.id = o.offering_id
		join locations l on l.business_id = o.business_id and l.id = o.location_id
		left join members m on m.business_id = o.business_id and m.id = o.member_id
		left join spaces e on e.business_id = o.business_id and e.id = o.space_id
		where o.business_id = $1 and o.id = $3`, v.Business(), person, in.OccurrenceID)
	pg.QueueAll(b, &rows, entrySelect+` and b.occurrence_id = $3 and b.state in `+Standing+`
			and ($4 or (b.created_at, b.id) > ($5, $6)) order by b.created_at, b.id limit $7`,
		v.Business(), person, in.OccurrenceID, in.After == nil, after.At, after.ID, limit)
	if err := b.Send(ctx); err != nil {
		return Roster{}, false, err
	}
	if !found {
		return Roster{}, false, fault.Missing()
	}
	return Roster{
		OccurrenceID: h.ID, OfferingID: h.OfferingID, OfferingName: h.OfferingName, LocationID: h.LocationID,
		LocationName: h.LocationName, Zone: h.Zone, StartsAt: h.StartsAt.UTC(), EndsAt: h.EndsAt.UTC(), State: h.State,
		Instructor: h.Instructor, Space: h.Space, Entries: entries(rows),
		Seats: schedule.Seats{
			Capacity: h.Capacity, OnlineCapacity: h.OnlineCapacity, Taken: h.Taken, TakenOnline: h.TakenOnline, Offered: h.Offered,
		},
	}, h.Own, nil
}

// mineKey is a booking of a person in some business.
type mineKey struct {
	BusinessID, ID uuid.UUID
	StartsAt       time.Time
}

func mine(ctx context.Context, db *pg.DB, person uuid.UUID, in MineInput, limit int) ([]mineKey, error) {
	var at *time.Time
	var id *uuid.UUID
	if in.After != nil {
		at, id = &in.After.At, &in.After.ID
	}
	none := db.View(uuid.Nil)
	return pg.All[mineKey](ctx, none, `select business_id, id, starts_at from app.bookings_of($1, $2, $3, $4, $5, $6)`,
		person, none.Now(), !in.Past, at, id, limit)
}

func businessOfMine(ctx context.Context, db *pg.DB, person, id uuid.UUID) (uuid.UUID, bool, error) {
	business, err := pg.One[uuid.UUID](ctx, db.View(uuid.Nil), `select business_id from app.booking_of($1, $2)`, person, id)
	if errors.Is(err, pg.ErrNoRow) {
		return uuid.Nil, false, nil
	}
	return business, err == nil, err
}

const visitSelect = `select ` + bookingColumns + `, s.name as business_name, l.name as location_name, l.slug as location_slug, l.zone,
	f.name as offering_name, f.slug as offering_slug, f.kind, coalesce(m.name, '') as instructor, coalesce(e.name, '') as space,
	` + courseFrom + "\n"

const visitFrom = `
	from bookings b
	join customers c on c.business_id = b.business_id and c.id = b.customer_id
	join businesses s on s.business_id = b.business_id
	join offerings f on f.business_id = b.business_id and f.id = b.offering_id
	join locations l on l.business_id = b.business_id and l.id = b.location_id
	join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id
	left join members m on m.business_id = b.business_id and m.id = o.member_id
	left join spaces e on e.business_id = b.business_id and e.id = o.space_id`

func (r bookingRow) visit(business uuid.UUID) CustomerBooking {
	return CustomerBooking{
		Booking: r.booking(), BusinessID: business, BusinessName: r.BusinessName, LocationName: r.LocationName,
		LocationSlug: r.LocationSlug, Zone: r.Zone, Kind: r.Kind, OfferingName: r.OfferingName, OfferingSlug: r.OfferingSlug,
		Instructor: r.Instructor, Space: r.Space,
	}
}

// visits reads bookings of one business by their ids, if they are this person's. In the place of a date of a course stands
// the one by which its course is listed, once.
func visits(ctx context.Context, v pg.Reader, person uuid.UUID, ids []uuid.UUID) ([]CustomerBooking, error) {
	rows, err := pg.All[bookingRow](ctx, v, visitSelect+visitFrom+`
		where b.business_id = $1 and b.id = any($2) and c.person_id = $3 and b.state not in ('held', 'expired')`,
		v.Business(), ids, person)
	if err != nil {
		return nil, err
	}
	out := make([]CustomerBooking, 0, len(rows))
	var groups []uuid.UUID
	for _, r := range rows {
		if r.CourseFrom == nil {
			out = append(out, r.visit(v.Business()))
		} else if !slices.Contains(groups, *r.GroupID) {
			groups = append(groups, *r.GroupID)
		}
	}
	courses, err := courseVisits(ctx, v, groups, rows)
	return append(out, courses...), err
}
