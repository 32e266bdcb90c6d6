package booking_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/policy"
)

// house is a studio with two locations and bookings in both: two by Ada at the first (one in the instructor's
// occurrence), one by Bob at the second, and one held seat.
type house struct {
	desk
	north            uuid.UUID
	instructor       tenancy.Scope
	ada, bob         cart
	taught, own, far uuid.UUID // bookings
	held             uuid.UUID
	class, farClass  apptest.OccurrenceRow
}

func furnish(t *testing.T) house {
	t.Helper()
	h := house{desk: open(t)}
	h.north = h.AddLocation(t, "North").ID
	h.instructor = h.Join(t, "instructor@example.com", apptest.Everywhere(policy.Instructor))
	member := apptest.Value[uuid.UUID](t, h.w, "select id from members where person_id = $1", h.instructor.Person())
	h.ada, h.bob = h.cart(t), h.cart(t)
	h.class = h.desk.class(t, 5, func(o *apptest.OccurrenceRow) { o.Member = &member })
	other := h.AddOccurrence(t, h.AddOffering(t), apptest.Start.Add(24*time.Hour))
	h.farClass = h.AddOccurrence(t, h.AddOffering(t, func(o *apptest.OfferingRow) { o.Location = h.north }), apptest.Start.Add(72*time.Hour))
	book := func(c cart, o apptest.OccurrenceRow, at uuid.UUID) uuid.UUID {
		h.Location.ID = at
		hold := h.mustHold(t, c, seat(o))
		if !h.confirm(t, c, hold, h.order(t, hold, "fulfilled")) {
			t.Fatal("not confirmed")
		}
		return hold.Seats[0].BookingID
	}
	first := h.Location.ID
	h.taught = book(h.ada, h.class, first)
	h.own = book(h.again(t, h.ada), other, first)
	h.far = book(h.bob, h.farClass, h.north)
	h.Location.ID = first
	h.held = h.mustHold(t, h.again(t, h.bob), seat(h.class)).Seats[0].BookingID
	return h
}

func ids(p paging.Page[booking.StudioBooking, paging.Moment]) []uuid.UUID {
	out := []uuid.UUID{}
	for _, e := range p.Items {
		out = append(out, e.ID)
	}
	return out
}

func TestListFollowsTheGrants(t *testing.T) {
	h := furnish(t)
	for name, c := range map[string]struct {
		sc   tenancy.Scope
		want []uuid.UUID
	}{
		"owner":                {h.Owner, []uuid.UUID{h.far, h.taught, h.own}},
		"desk at the first":    {h.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, h.Location.ID)), []uuid.UUID{h.taught, h.own}},
		"manager of the north": {h.Join(t, "north@example.com", apptest.At(policy.Manager, h.north)), []uuid.UUID{h.far}},
		"instructor":           {h.instructor, []uuid.UUID{h.taught}},
		"accountant":           {h.Join(t, "books@example.com", apptest.Everywhere(policy.Accountant)), []uuid.UUID{h.far, h.taught, h.own}},
	} {
		page, err := h.s.List(t.Context(), c.sc, booking.ListInput{})
		if err != nil || !slices.Equal(ids(page), c.want) {
			t.Errorf("%s sees %v (%v), want %v", name, ids(page), err, c.want)
		}
		for _, id := range []uuid.UUID{h.taught, h.own, h.far} {
			_, err := h.s.Get(t.Context(), c.sc, id)
			if open := slices.Contains(c.want, id); open != (err == nil) || !open && !errors.Is(err, policy.ErrMissingFeature) {
				t.Errorf("%s gets %s: %v", name, id, err)
			}
		}
		if _, err := h.s.Get(t.Context(), c.sc, pg.NewID()); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s, unknown id: %v", name, err)
		}
	}
	marketer := h.Join(t, "ads@example.com", apptest.Everywhere(policy.Marketer))
	if _, err := h.s.List(t.Context(), marketer, booking.ListInput{}); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("marketer: %v", err)
	}
	if _, err := h.s.Get(t.Context(), marketer, h.own); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("marketer: %v", err)
	}
	stranger := h.w.Studio(t)
	if page, err := h.s.List(t.Context(), stranger.Owner, booking.ListInput{}); err != nil || len(page.Items) != 0 {
		t.Errorf("another studio sees %v (%v)", ids(page), err)
	}
	if _, err := h.s.Get(t.Context(), stranger.Owner, h.own); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("another studio: %v", err)
	}
}

func TestListFilters(t *testing.T) {
	h := furnish(t)
	customer := apptest.Value[uuid.UUID](t, h.w, "select customer_id from bookings where id = $1", h.taught)
	for name, c := range map[string]struct {
		in   booking.ListInput
		want []uuid.UUID
	}{
		"location":   {booking.ListInput{LocationID: h.north}, []uuid.UUID{h.far}},
		"customer":   {booking.ListInput{CustomerID: customer}, []uuid.UUID{h.taught, h.own}},
		"occurrence": {booking.ListInput{OccurrenceID: h.class.ID}, []uuid.UUID{h.taught}},
		"offering": {booking.ListInput{OfferingID: apptest.Value[uuid.UUID](t, h.w, "select offering_id from occurrences where id = $1", h.farClass.ID)},
			[]uuid.UUID{h.far}},
		"member":    {booking.ListInput{MemberID: *h.class.Member}, []uuid.UUID{h.taught}},
		"held":      {booking.ListInput{State: booking.Held}, []uuid.UUID{h.held}},
		"from":      {booking.ListInput{From: apptest.Start.Add(48 * time.Hour)}, []uuid.UUID{h.far, h.taught}},
		"to":        {booking.ListInput{To: apptest.Start.Add(48 * time.Hour)}, []uuid.UUID{h.own}},
		"ascending": {booking.ListInput{Ascending: true}, []uuid.UUID{h.own, h.taught, h.far}},
	} {
		page, err := h.s.List(t.Context(), h.Owner, c.in)
		if err != nil || !slices.Equal(ids(page), c.want) {
			t.Errorf("%s: %v (%v), want %v", name, ids(page), err, c.want)
		}
	}
	for _, in := range []booking.ListInput{
		{Page: paging.In[paging.Moment]{Limit: -1}}, {Page: paging.In[paging.Moment]{Limit: paging.Max + 1}}, {State: "gone"}, {From: apptest.Start, To: apptest.Start},
	} {
		if _, err := h.s.List(t.Context(), h.Owner, in); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

// A94, A95. Page by page, in both directions, each booking once, although more are made on the way.
func TestA94_Pages(t *testing.T) {
	h := furnish(t)
	for _, ascending := range []bool{false, true} {
		in := booking.ListInput{Ascending: ascending, Page: paging.In[paging.Moment]{Limit: 1}}
		var seen []uuid.UUID
		for {
			var page paging.Page[booking.StudioBooking, paging.Moment]
			trips := h.w.Statements(func() {
				var err error
				if page, err = h.s.List(t.Context(), h.Owner, in); err != nil {
					t.Fatal(err)
				}
			})
			if trips != 1 {
				t.Errorf("%d round trips", trips)
			}
			seen = append(seen, ids(page)...)
			if in.Page.After = page.Next; page.Next == nil {
				break
			}
		}
		want := []uuid.UUID{h.far, h.taught, h.own}
		if ascending {
			slices.Reverse(want)
		}
		if !slices.Equal(seen, want) {
			t.Errorf("saw %v, want %v", seen, want)
		}
	}
}

func TestGetShowsNames(t *testing.T) {
	h := furnish(t)
	e, err := h.s.Get(t.Context(), h.Owner, h.taught)
	if err != nil {
		t.Fatal(err)
	}
	if e.CustomerName != h.ada.person.Name || e.CustomerEmail != h.ada.person.Email || e.OfferingName != "Morning Yoga" ||
		e.Zone != "America/New_York" || e.LocationName != "Harbour" || e.State != booking.Confirmed || e.ConfirmedAt == nil ||
		!e.Online || e.PriceAmount != 2200 || e.StartsAt.Location() != time.UTC {
		t.Errorf("%+v", e)
	}
}

func TestRoster(t *testing.T) {
	h := furnish(t)
	desk := h.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, h.north))
	r, err := h.s.RosterOf(t.Context(), h.instructor, booking.RosterInput{OccurrenceID: h.class.ID})
	if err != nil || len(r.Entries.Items) != 2 || r.Entries.Items[0].ID != h.taught || r.Entries.Items[1].ID != h.held || r.Taken != 2 || r.Capacity != 5 ||
		r.OfferingName != "Morning Yoga" || r.Entries.Next != nil {
		t.Errorf("%+v (%v)", r, err)
	}
	first, err := h.s.RosterOf(t.Context(), h.Owner, booking.RosterInput{OccurrenceID: h.class.ID, Page: paging.In[paging.Moment]{Limit: 1}})
	if err != nil || len(first.Entries.Items) != 1 || first.Entries.Next == nil {
		t.Fatalf("%+v (%v)", first, err)
	}
	second, err := h.s.RosterOf(t.Context(), h.Owner, booking.RosterInput{OccurrenceID: h.class.ID, Page: paging.In[paging.Moment]{Limit: 1, After: first.Entries.Next}})
	if err != nil || len(second.Entries.Items) != 1 || second.Entries.Items[0].ID != h.held || second.Entries.Next != nil {
		t.Errorf("%+v (%v)", second, err)
	}
	for name, sc := range map[string]tenancy.Scope{"another location": desk, "not their occurrence": h.instructor} {
		if _, err := h.s.RosterOf(t.Context(), sc, booking.RosterInput{OccurrenceID: h.farClass.ID}); (name == "another location") != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := h.s.RosterOf(t.Context(), h.Owner, booking.RosterInput{OccurrenceID: pg.NewID()}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
	if _, err := h.s.RosterOf(t.Context(), h.Owner, booking.RosterInput{OccurrenceID: h.class.ID, Page: paging.In[paging.Moment]{Limit: 201}}); !fault.IsKind(err, fault.Validation) {
		t.Errorf("too long a page: %v", err)
	}
}

// The upcoming dates of an offering: bookings prevent archiving; dates and waitlists are archived with it.
func TestUpcomingBeforeArchiving(t *testing.T) {
	h := furnish(t)
	ask := func(o apptest.OccurrenceRow) catalog.Ahead {
		t.Helper()
		offering := apptest.Value[uuid.UUID](t, h.w, "select offering_id from occurrences where id = $1", o.ID)
		got, err := in(t, h.desk, func(tx *pg.Tx) (catalog.Ahead, error) {
			return waitlist.ArchiveOfferingTx(t.Context(), tx, h.Owner, offering)
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if a := ask(h.class); a.Bookings == 0 || a.Dates != 1 {
		t.Errorf("%+v", a)
	}
	if a := ask(h.desk.class(t, 3)); a != (catalog.Ahead{Dates: 1}) {
		t.Errorf("nobody is booked: %+v", a)
	}
	h.w.Clock.Advance(30 * 24 * time.Hour)
	if a := ask(h.class); a != (catalog.Ahead{}) {
		t.Errorf("a class that is over: %+v", a)
	}
}
