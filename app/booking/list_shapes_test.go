package booking_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// listed is one statement for every list, with all conditions in it: the reference for List with any filters.
const listed = `select b.id from bookings b
	join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id
	left join members m on m.business_id = b.business_id and m.id = o.member_id
	where b.business_id = $1 and ($2::uuid is null or b.location_id = $2) and ($3::uuid is null or b.offering_id = $3)
		and ($4::uuid is null or b.occurrence_id = $4) and ($5::uuid is null or b.customer_id = $5)
		and ($6::uuid is null or o.member_id = $6) and ($7::uuid is null or b.group_id = $7)
		and ($8 = '' and b.state not in ('held', 'expired') or b.state = $8)
		and ($9::timestamptz is null or b.starts_at >= $9) and ($10::timestamptz is null or b.starts_at < $10)
		and ($11 or b.location_id = any($12) or $13 and coalesce(m.person_id = $14 and m.deactivated_at is null, false)) `

// full is a studio with bookings that differ in everything that a filter can select.
type full struct {
	house
	customers, groups, bookings, members, offerings []uuid.UUID

	dates  []apptest.OccurrenceRow
	scopes []tenancy.Scope
}

var everyState = []string{"held", "expired", "requested", "confirmed", "cancelled", "no_show", "completed"}

func fill(t *testing.T, r *rand.Rand) full {
	t.Helper()
	f := full{house: furnish(t)}
	both := f.Join(t, "both@example.com", apptest.Everywhere(policy.Instructor), apptest.At(policy.FrontDesk, f.north))
	gone := f.Join(t, "gone@example.com", apptest.Everywhere(policy.Instructor))
	f.w.SQL(t, "update members set deactivated_at = now() where person_id = $1", gone.Person())
	f.members = apptest.Values[uuid.UUID](t, f.w, "select id from members where person_id = any($1)",
		[]uuid.UUID{f.instructor.Person(), both.Person(), gone.Person()})
	for i, at := range []uuid.UUID{f.Location.ID, f.Location.ID, f.north} {
		o := f.AddOffering(t, func(o *apptest.OfferingRow) { o.Location, o.Capacity = at, 100 })
		f.offerings = append(f.offerings, o.ID)
		for j := range 4 {
			f.dates = append(f.dates, f.AddOccurrence(t, o, apptest.Start.Add(time.Duration(24+i+j*5)*time.Hour), func(o *apptest.OccurrenceRow) {
				if j < len(f.members) {
					o.Member = &f.members[j]
				}
			}))
		}
	}
	f.customers, f.groups = apptest.Values[uuid.UUID](t, f.w, "select distinct customer_id from bookings"), pg.NewIDs(3)
	for range 80 {
		id, date := pg.NewID(), f.dates[r.IntN(len(f.dates))]
		var group *uuid.UUID
		if n := r.IntN(5); n < len(f.groups) {
			group = &f.groups[n]
		}
		f.w.SQL(t, `insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, group_id, attendee, state, online,
				starts_at, ends_at, price_amount, currency, created_at, updated_at)
			select $1::uuid, o.business_id, o.location_id, o.offering_id, o.id, $3::uuid, $4::uuid, $1::uuid::text, $5, false, o.starts_at, o.ends_at, 0, 'USD', $6, $6
			from occurrences o where o.id = $2`, id, date.ID, f.customers[r.IntN(len(f.customers))], group,
			everyState[r.IntN(len(everyState))], f.w.Clock.Now().Add(time.Duration(r.IntN(5))*time.Second))
		f.bookings = append(f.bookings, id)
	}
	f.scopes = []tenancy.Scope{
		f.Owner, f.Owner, f.w.Studio(t).Owner, f.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, f.Location.ID)),
		f.Join(t, "north@example.com", apptest.At(policy.FrontDesk, f.north)), f.instructor, both, gone,
	}
	return f
}

// asked sets the filters whose bits are set.
func (f full) asked(r *rand.Rand, filters int) (in booking.ListInput) {
	one := func(ids []uuid.UUID) uuid.UUID { return ids[r.IntN(len(ids))] }
	date := f.dates[r.IntN(len(f.dates))]
	for i, set := range []func(){
		func() { in.LocationID = one([]uuid.UUID{f.Location.ID, f.north}) },
		func() { in.OfferingID = one(f.offerings) },
		func() { in.OccurrenceID = date.ID },
		func() { in.CustomerID = one(f.customers) },
		func() { in.MemberID = one(f.members) },
		func() { in.GroupID = one(f.groups) },
		func() { in.State = booking.State(everyState[r.IntN(len(everyState))]) },
		func() { in.From = apptest.Start.Add(time.Duration(r.IntN(48)) * time.Hour) },
		func() { in.To = apptest.Start.Add(time.Duration(48+r.IntN(48)) * time.Hour) },
	} {
		if filters>>i&1 == 1 {
			set()
		}
	}
	in.Ascending, in.Page.Limit = r.IntN(2) == 1, r.IntN(20)
	if r.IntN(3) == 0 {
		in.Page.After = &paging.Moment{At: apptest.Start.Add(time.Duration(24+r.IntN(20)) * time.Hour), ID: one(f.bookings)}
	}
	return in
}

// want returns the result of the one statement, with one row more than the page has.
func (f full) want(t *testing.T, sc tenancy.Scope, in booking.ListInput) []uuid.UUID {
	t.Helper()
	set := func(id uuid.UUID) *uuid.UUID {
		if id == uuid.Nil {
			return nil
		}
		return &id
	}
	at := func(v time.Time) *time.Time {
		if v.IsZero() {
			return nil
		}
		return &v
	}
	cover, err := policy.Where(sc, policy.BookingView)
	if err != nil {
		t.Fatal(err)
	}
	order, beyond := "desc", "<"
	if in.Ascending {
		order, beyond = "asc", ">"
	}
	args := []any{sc.Tenant, set(in.LocationID), set(in.OfferingID), set(in.OccurrenceID), set(in.CustomerID), set(in.MemberID),
		set(in.GroupID), string(in.State), at(in.From), at(in.To), cover.Everywhere, cover.Locations, cover.Own, sc.Person()}
	text := listed
	if in.Page.After != nil {
		args = append(args, in.Page.After.At, in.Page.After.ID)
		text += fmt.Sprintf("and (b.starts_at, b.id) %s ($15, $16) ", beyond)
	}
	return apptest.Values[uuid.UUID](t, f.w, fmt.Sprintf("%s order by b.starts_at %s, b.id %s limit %d", text, order, order, in.Page.Size()+1), args...)
}

// TestListAgrees: every combination of filters returns the rows of one statement with all conditions, and the same
// columns of each booking as reading it alone.
func TestListAgrees(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	f := fill(t, r)
	const combinations = 1 << 9
	found := 0
	for range walks.Steps(1, 8) {
		for filters := range combinations {
			sc, in := f.scopes[r.IntN(len(f.scopes))], f.asked(r, filters)
			want := f.want(t, sc, in)
			more := len(want) > in.Page.Size()
			want = want[:min(len(want), in.Page.Size())]
			page, err := f.s.List(t.Context(), sc, in)
			if err != nil || !slices.Equal(ids(page), want) || more != (page.Next != nil) {
				t.Fatalf("%+v: %v, more %v (%v), want %v, more %v", in, ids(page), page.Next != nil, err, want, more)
			}
			found += len(want)
			if len(want) > 0 {
				i := r.IntN(len(want))
				if one, err := f.s.Get(t.Context(), sc, want[i]); err != nil || fmt.Sprintf("%+v", one) != fmt.Sprintf("%+v", page.Items[i]) {
					t.Errorf("got %+v (%v), listed %+v", one, err, page.Items[i])
				}
			}
		}
	}
	if found < combinations/4 {
		t.Errorf("all lists together have %d bookings only", found)
	}
}

// Every list of the studio's is one trip, however many rows it has.
func TestListsTakeOneTrip(t *testing.T) {
	t.Parallel()
	f := fill(t, rand.New(rand.NewPCG(1, 2)))
	front := f.Join(t, "front@example.com", apptest.At(policy.FrontDesk, f.Location.ID))
	for name, list := range map[string]func() (int, error){
		"bookings": func() (int, error) {
			p, err := f.s.List(t.Context(), f.Owner, booking.ListInput{})
			return len(p.Items), err
		},
		"of whom they teach": func() (int, error) {
			p, err := f.s.List(t.Context(), f.instructor, booking.ListInput{})
			return len(p.Items), err
		},
		"roster": func() (int, error) {
			p, err := f.s.RosterOf(t.Context(), f.Owner, booking.RosterInput{OccurrenceID: f.class.ID})
			return len(p.Entries.Items), err
		},
		"holds": func() (int, error) {
			p, err := f.s.OpenHolds(t.Context(), f.Owner, paging.In[paging.Moment]{})
			return len(p.Items), err
		},
		"holds at a location": func() (int, error) {
			p, err := f.s.OpenHolds(t.Context(), front, paging.In[paging.Moment]{})
			return len(p.Items), err
		},
	} {
		var n int
		var err error
		if trips := f.w.Statements(func() { n, err = list() }); trips != 1 || n == 0 || err != nil {
			t.Errorf("%s: %d rows in %d trips (%v)", name, n, trips, err)
		}
	}
}
