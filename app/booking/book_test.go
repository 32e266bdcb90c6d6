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
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/paging"
	"foyer/policy"
)

// The studio books for a customer: a seat of all there are, paid later, with a copy of the rules.
func TestBook(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount = 777 })
	o := d.class(t, 2)
	d.w.SQL(t, "update occurrences set online_capacity = 0 where id = $1", o.ID)
	desk := d.Holding(d.Location.ID, policy.BookingManage)
	got, err := d.s.Book(t.Context(), desk, booking.BookInput{
		Customer: booking.CustomerRef{Email: " Rosa@Example.com ", Name: "Rosa"}, OccurrenceID: o.ID, Note: "first visit",
	})
	if err != nil || got.Done.PriceAmount != 2200 || got.Done.Currency != "USD" || got.Done.Party != 1 || len(got.Done.Overridden) != 0 {
		t.Fatalf("%+v (%v)", got, err)
	}
	row := apptest.Value[string](t, d.w, `select b.state || ' ' || b.online || ' ' || b.note || ' ' || (b.order_id is null) || ' ' || c.email || ' '
		|| (b.policy -> 'cancel' ->> 'lateFeeAmount') from bookings b join customers c on c.id = b.customer_id where b.id = $1`, got.Booking.ID)
	if row != "confirmed false first visit true rosa@example.com 777" {
		t.Errorf("booking: %s", row)
	}
	if m := d.transitions(t, got.Booking.ID); !slices.Equal(m, []string{"booked"}) {
		t.Errorf("transitions: %q", m)
	}
	if _, err := d.sales.RunJobs(t); err != nil || len(d.sales.Mail.List("rosa@example.com")) != 1 {
		t.Errorf("not mailed (%v)", err)
	}
	customer := apptest.Value[uuid.UUID](t, d.w, "select customer_id from bookings where id = $1", got.Booking.ID)
	_, err = d.s.Book(t.Context(), desk, booking.BookInput{Customer: booking.CustomerRef{CustomerID: customer}, OccurrenceID: o.ID})
	is(t, "again", err, booking.ErrDuplicate)
	if _, err = d.s.Book(t.Context(), desk, booking.BookInput{Customer: booking.CustomerRef{CustomerID: customer}, OccurrenceID: o.ID, Attendee: "Max"}); err != nil {
		t.Errorf("somebody she brings: %v", err)
	}
	_, err = d.s.Book(t.Context(), desk, booking.BookInput{Customer: booking.CustomerRef{CustomerID: customer}, OccurrenceID: o.ID, Attendee: "MAX\u200b"})
	is(t, "the same one again", err, booking.ErrDuplicate)
	_, err = d.s.Book(t.Context(), desk, booking.BookInput{Customer: booking.CustomerRef{Email: "ben@example.com"}, OccurrenceID: o.ID})
	is(t, "a third", err, booking.ErrFull)
	if n := apptest.Value[int](t, d.w, "select count(*) from persons where email = 'ben@example.com'"); n != 0 {
		t.Error("a refusal left a person behind")
	}
	d.w.CheckBooks(t)
}

// Overriding a rule needs a feature and a reason, and returns the overridden rules.
func TestBookOverride(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.NoticeMinutes = 24 * 60 })
	desk := d.Holding(d.Location.ID, policy.BookingManage)
	for name, c := range map[string]struct {
		ahead time.Duration
		taken int
		want  *fault.Error
		over  string
	}{
		"full":    {48 * time.Hour, 3, booking.ErrFull, "capacity"},
		"begun":   {0, 0, booking.ErrStarted, "started"},
		"at once": {time.Hour, 0, booking.ErrTooLate, "notice"},
	} {
		f := d.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 3, 3 })
		o := d.AddOccurrence(t, f, apptest.Start.Add(c.ahead), func(o *apptest.OccurrenceRow) { o.Taken, o.TakenOnline = c.taken, c.taken })
		in := booking.BookInput{Customer: booking.CustomerRef{Email: "rosa@example.com"}, OccurrenceID: o.ID}
		_, err := d.s.Book(t.Context(), desk, in)
		is(t, name, err, c.want)
		in.Override = true
		if _, err := d.s.Book(t.Context(), d.Owner, in); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%s without a reason: %v", name, err)
		}
		in.Reason = "an old friend"
		_, err = d.s.Book(t.Context(), desk, in)
		forbidden(t, name, err)
		got, err := d.s.Book(t.Context(), d.Owner, in)
		if err != nil || !slices.Equal(got.Done.Overridden, []string{c.over}) {
			t.Errorf("%s: %+v (%v)", name, got, err)
		}
	}
	o := d.class(t, 3, func(o *apptest.OccurrenceRow) { o.State = "cancelled" })
	_, err := d.s.Book(t.Context(), d.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "rosa@example.com"}, OccurrenceID: o.ID, Override: true, Reason: "x"})
	is(t, "a cancelled date", err, booking.ErrCancelled)
}

func TestBookRefuses(t *testing.T) {
	d := open(t)
	o := d.class(t, 3)
	who := booking.CustomerRef{Email: "rosa@example.com"}
	instructor := d.Join(t, "instructor@example.com", apptest.Everywhere(policy.Instructor))
	_, err := d.s.Book(t.Context(), instructor, booking.BookInput{Customer: who, OccurrenceID: o.ID})
	forbidden(t, "somebody else's session", err)
	_, err = d.s.Book(t.Context(), d.Holding(d.AddLocation(t, "Elsewhere").ID, policy.BookingManage), booking.BookInput{Customer: who, OccurrenceID: o.ID})
	forbidden(t, "another location", err)
	for name, in := range map[string]booking.BookInput{
		"nobody":       {OccurrenceID: o.ID},
		"two":          {Customer: booking.CustomerRef{Email: "a@example.com", CustomerID: uuid.New()}, OccurrenceID: o.ID},
		"nothing":      {Customer: who},
		"no address":   {Customer: booking.CustomerRef{Email: "rosa"}, OccurrenceID: o.ID},
		"absurd party": {Customer: who, OccurrenceID: o.ID, Party: 1001},
	} {
		if _, err := d.s.Book(t.Context(), d.Owner, in); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, in := range map[string]booking.BookInput{
		"unknown date":     {Customer: who, OccurrenceID: uuid.New()},
		"unknown customer": {Customer: booking.CustomerRef{CustomerID: uuid.New()}, OccurrenceID: o.ID},
		"unknown offering": {Customer: who, Time: &booking.Times{OfferingID: uuid.New(), StartsAt: apptest.Start}},
	} {
		if _, err := d.s.Book(t.Context(), d.Owner, in); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// One customer, many dates: the list of clashes comes first, and either the other dates are booked or none.
func TestBookRecurring(t *testing.T) {
	d := open(t)
	dates := d.dates(t, 6, 1)
	offering := apptest.Value[uuid.UUID](t, d.w, "select offering_id from occurrences where id = $1", dates[0].ID)
	d.made(t, dates[2])
	d.w.SQL(t, "update occurrences set state = 'cancelled' where id = $1", dates[4].ID)
	first := civil.Date{Year: 2026, Month: 6, Day: 12}
	in := booking.RecurringInput{Customer: booking.CustomerRef{Email: "rosa@example.com"}, OfferingID: offering, From: first, Until: first.AddDays(30)}
	_, err := d.s.BookRecurring(t.Context(), d.Owner, in)
	is(t, "with clashes", err, booking.ErrClashes)
	f := fault.From(err)
	clashes, _ := f.Details["clashes"].([]booking.Clash)
	free, _ := f.Details["free"].([]booking.FreeDate)
	if len(clashes) != 2 || *clashes[0].OccurrenceID != dates[2].ID || clashes[0].Reason != "full" || clashes[1].Reason != "cancelled" || len(free) != 4 {
		t.Errorf("%+v", f.Details)
	}
	if n := apptest.Value[int](t, d.w, "select sum(taken) from occurrences"); n != 1 {
		t.Error("a refusal booked something")
	}
	in.OnClash = booking.ClashSkip
	got, err := d.s.BookRecurring(t.Context(), d.Owner, in)
	if err != nil || len(got.Bookings) != 4 || len(got.Clashes) != 2 || !got.Bookings[0].StartsAt.Equal(dates[0].StartsAt) {
		t.Fatalf("%+v (%v)", got, err)
	}
	if n := apptest.Value[int](t, d.w, "select count(*) from bookings where group_id = $1 and state = 'confirmed'", got.GroupID); n != 4 {
		t.Errorf("%d bookings in the group", n)
	}
	_, err = d.s.BookRecurring(t.Context(), d.Owner, in)
	is(t, "when nothing is left", err, booking.ErrClashes)

	// By weekday, and by list.
	other := d.dates(t, 10, 5)
	in.OfferingID = apptest.Value[uuid.UUID](t, d.w, "select offering_id from occurrences where id = $1", other[0].ID)
	in.Weekdays = []time.Weekday{time.Monday}
	if got, err := d.s.BookRecurring(t.Context(), d.Owner, in); err != nil || len(got.Bookings) != 1 || got.Bookings[0].StartsAt.Weekday() != time.Monday {
		t.Errorf("%+v (%v)", got, err)
	}
	list := booking.RecurringInput{Customer: in.Customer, OfferingID: in.OfferingID, OccurrenceIDs: []uuid.UUID{other[1].ID, other[0].ID}}
	if got, err := d.s.BookRecurring(t.Context(), d.Owner, list); err != nil || len(got.Bookings) != 2 || got.Bookings[0].OccurrenceID != other[0].ID {
		t.Errorf("%+v (%v)", got, err)
	}
	list.OccurrenceIDs = []uuid.UUID{dates[0].ID}
	if _, err := d.s.BookRecurring(t.Context(), d.Owner, list); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("a date of another class: %v", err)
	}
	in.From, in.Until = first.AddDays(90), first.AddDays(99)
	if _, err := d.s.BookRecurring(t.Context(), d.Owner, in); !fault.IsKind(err, fault.Validation) {
		t.Errorf("no dates: %v", err)
	}
	in.From, in.Until = first, first.AddDays(-1)
	if _, err := d.s.BookRecurring(t.Context(), d.Owner, in); !fault.IsKind(err, fault.Validation) {
		t.Errorf("inverted: %v", err)
	}
	d.w.CheckBooks(t)
}

// Note, attendee and party: under the version that was read.
func TestEdit(t *testing.T) {
	d := open(t)
	o := d.class(t, 3)
	_, id := d.made(t, o)
	version := func() int64 { return apptest.Value[int64](t, d.w, "select version from bookings where id = $1", id) }
	note, who, three, four := " bring a mat ", "Max", 3, 4
	e, err := d.s.Edit(t.Context(), d.Owner, booking.EditInput{BookingID: id, Version: version(), Note: &note, Attendee: &who, Party: &three,
		Difference: booking.DifferenceWaive, Reason: "friends of the house"})
	if err != nil || e.Note != "bring a mat" || e.Attendee != "Max" || e.Party != 3 || d.taken(t, o) != 3 || e.PriceAmount != 2200 {
		t.Fatalf("%+v (%v)", e, err)
	}
	_, err = d.s.Edit(t.Context(), d.Owner, booking.EditInput{BookingID: id, Version: e.Version - 1, Note: &note})
	is(t, "an old copy", err, fault.ErrStale)
	if fault.From(err).Details["version"] != e.Version {
		t.Errorf("%+v", fault.From(err).Details)
	}
	_, err = d.s.Edit(t.Context(), d.Owner, booking.EditInput{BookingID: id, Version: version(), Party: &four})
	is(t, "more than there is room for", err, booking.ErrFull)
	one := 1
	if _, err := d.s.Edit(t.Context(), d.Owner, booking.EditInput{BookingID: id, Version: version(), Party: &one}); err != nil || d.taken(t, o) != 1 {
		t.Errorf("%v, %d taken", err, d.taken(t, o))
	}
	if _, err := d.s.Cancel(t.Context(), d.Owner, booking.CancelInput{BookingID: id, By: booking.ByStudio}); err != nil {
		t.Fatal(err)
	}
	_, err = d.s.Edit(t.Context(), d.Owner, booking.EditInput{BookingID: id, Version: version(), Party: &three})
	is(t, "a booking that is over", err, booking.ErrState)
	if _, err := d.s.Edit(t.Context(), d.Owner, booking.EditInput{BookingID: id, Version: version(), Note: &note}); err != nil {
		t.Errorf("a note on it: %v", err)
	}
	d.w.CheckBooks(t)
}

// Bulk calls: each row has its own result.
func TestBulk(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) {
		r.Cancel.LateFeeAmount = 1500
		r.Grace = catalog.GraceRules{Days: 30, LateCancels: 1}
	})
	o, other := d.class(t, 9), d.class(t, 9)
	_, a := d.made(t, o)
	_, b := d.made(t, other)
	_, gone := d.made(t, o)
	if _, err := d.s.Cancel(t.Context(), d.Owner, booking.CancelInput{BookingID: gone, By: booking.ByStudio}); err != nil {
		t.Fatal(err)
	}
	unknown := uuid.New()
	d.w.Clock.Advance(40 * time.Hour)
	in, err := d.s.BulkCheckIn(t.Context(), d.Owner, []uuid.UUID{b, gone, unknown, a})
	if err != nil || len(in.Rows) != 4 || in.Rows[0].BookingID != b || *in.Rows[0].Done != booking.CheckedIn ||
		in.Rows[1].Refusal.Reason != "state" || in.Rows[2].Refusal.Kind != fault.NotFound || *in.Rows[3].Done != booking.CheckedIn {
		t.Fatalf("%+v (%v)", in, err)
	}
	_, c := d.made(t, o)
	_, e := d.made(t, other)
	out, err := d.s.BulkCancel(t.Context(), d.Owner, []uuid.UUID{c, a, e, unknown}, booking.CancelInput{By: booking.ByCustomer})
	if err != nil || out.Rows[0].Done.State != booking.LateCancelled || out.Rows[1].Refusal.Reason != "state" ||
		out.Rows[2].Done.Fee != fees.GraceWaived || out.Rows[3].Refusal.Kind != fault.NotFound {
		t.Fatalf("%+v (%v)", out, err)
	}
	if d.taken(t, o) != 1 || d.taken(t, other) != 1 {
		t.Errorf("%d and %d are taken", d.taken(t, o), d.taken(t, other))
	}
	for name, ids := range map[string][]uuid.UUID{"none": nil, "twice": {a, a}, "too many": make([]uuid.UUID, 201)} {
		if _, err := d.s.BulkCheckIn(t.Context(), d.Owner, ids); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = d.s.BulkCancel(t.Context(), d.Holding(d.Location.ID, policy.BookingView), []uuid.UUID{a}, booking.CancelInput{By: booking.ByStudio})
	if !errors.Is(err, policy.ErrMissingFeature) {
		t.Error(err)
	}
	d.w.CheckBooks(t)
}

// Live holds are seen where the caller may manage bookings.
func TestOpenHolds(t *testing.T) {
	d := open(t)
	o := d.class(t, 9)
	h := d.mustHold(t, d.cart(t), seat(o), booking.Seat{OccurrenceID: o.ID, Attendee: "Max"})
	d.w.Clock.Advance(time.Minute)
	d.mustHold(t, d.cart(t), seat(o))
	page, err := d.s.OpenHolds(t.Context(), d.Owner, paging.In[paging.Moment]{Limit: 1})
	if err != nil || len(page.Items) != 1 || page.Items[0].ID != h.ID || len(page.Items[0].Seats) != 2 || page.Items[0].Seats[1].Attendee != "Max" || page.Next == nil {
		t.Fatalf("%+v (%v)", page, err)
	}
	if page, err = d.s.OpenHolds(t.Context(), d.Owner, paging.In[paging.Moment]{Limit: 1, After: page.Next}); err != nil || len(page.Items) != 1 || page.Next != nil {
		t.Errorf("%+v (%v)", page, err)
	}
	if page, err := d.s.OpenHolds(t.Context(), d.Holding(d.AddLocation(t, "Elsewhere").ID, policy.BookingManage), paging.In[paging.Moment]{}); err != nil || len(page.Items) != 0 {
		t.Errorf("elsewhere: %+v (%v)", page, err)
	}
	d.w.Clock.Advance(booking.HoldLife)
	if page, err := d.s.OpenHolds(t.Context(), d.Owner, paging.In[paging.Moment]{}); err != nil || len(page.Items) != 0 {
		t.Errorf("over: %+v (%v)", page, err)
	}
}

// Fees are listed, and let pass with a reason.
func TestListAndWaiveFees(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount = 1500 })
	o := d.class(t, 9)
	for range 3 {
		c, id := d.made(t, o)
		d.w.Clock.Advance(24 * time.Hour)
		if _, err := d.s.CancelMine(t.Context(), d.me(c), id); err != nil {
			t.Fatal(err)
		}
		d.w.Clock.Advance(-24*time.Hour + time.Second)
	}
	clerk := d.Holding(d.Location.ID, policy.PaymentTake)
	page, err := fees.New(d.w.DB).List(t.Context(), clerk, fees.ListInput{State: fees.Due, Page: paging.In[paging.Moment]{Limit: 2}})
	if err != nil || len(page.Items) != 2 || page.Next == nil || page.Items[0].Amount != 1500 || page.Items[0].Kind != fees.LateCancel {
		t.Fatalf("%+v (%v)", page, err)
	}
	rest, err := fees.New(d.w.DB).List(t.Context(), clerk, fees.ListInput{Page: paging.In[paging.Moment]{Limit: 2, After: page.Next}})
	if err != nil || len(rest.Items) != 1 || rest.Next != nil {
		t.Errorf("%+v (%v)", rest, err)
	}
	p := page.Items[0]
	_, err = fees.New(d.w.DB).Waive(t.Context(), clerk, fees.WaiveInput{FeeID: p.ID, Version: p.Version + 1, Reason: "ill"})
	is(t, "an old copy", err, fault.ErrStale)
	if _, err := fees.New(d.w.DB).Waive(t.Context(), clerk, fees.WaiveInput{FeeID: p.ID, Version: p.Version}); !fault.IsKind(err, fault.Validation) {
		t.Errorf("no reason: %v", err)
	}
	got, err := fees.New(d.w.DB).Waive(t.Context(), clerk, fees.WaiveInput{FeeID: p.ID, Version: p.Version, Reason: "ill"})
	if err != nil || got.State != fees.Waived || got.Reason != "ill" {
		t.Errorf("%+v (%v)", got, err)
	}
	_, err = fees.New(d.w.DB).Waive(t.Context(), clerk, fees.WaiveInput{FeeID: p.ID, Version: got.Version, Reason: "ill"})
	is(t, "twice", err, fees.ErrNotDue)
	_, err = fees.New(d.w.DB).Waive(t.Context(), d.Holding(d.Location.ID, policy.BookingManage), fees.WaiveInput{FeeID: p.ID, Version: 1, Reason: "ill"})
	forbidden(t, "without the feature", err)
	if _, err := fees.New(d.w.DB).Waive(t.Context(), clerk, fees.WaiveInput{FeeID: uuid.New(), Reason: "ill"}); !fault.IsKind(err, fault.NotFound) {
		t.Error(err)
	}
}
