package agenda_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/policy"
)

type world struct {
	*apptest.World
	*apptest.Sales
	s *agenda.Service
}

func open(t *testing.T) world {
	t.Helper()
	w := apptest.Open(t)
	return world{w, w.Sales(t), agenda.New(w.DB)}
}

// day is the input of Today.
func (w world) day() agenda.DatesInput {
	return agenda.DatesInput{From: w.Clock.Now().Add(-time.Hour), To: w.Clock.Now().Add(23 * time.Hour)}
}

func (w world) names(t *testing.T, sc tenancy.Scope, in agenda.DatesInput) []string {
	t.Helper()
	list, err := w.s.Dates(t.Context(), sc, in)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, d := range list {
		names = append(names, d.OfferingName)
	}
	return names
}

func named(name string) func(*apptest.OfferingRow) {
	return func(o *apptest.OfferingRow) { o.Name = name }
}

// TestDates: the dates overlapping the span, with counts, for permitted callers.
func TestDates(t *testing.T) {
	w := open(t)
	now := w.Clock.Now()
	ana := w.AddInstructor(t, "Ana")
	there := w.AddLocation(t, "Riverside")
	hers := w.AddOccurrence(t, w.AddOffering(t, named("Hers")), now.Add(-30*time.Minute), func(o *apptest.OccurrenceRow) { o.Member = &ana.ID })
	w.AddOccurrence(t, w.AddOffering(t, named("Theirs")), now.Add(2*time.Hour))
	w.AddOccurrence(t, w.AddOffering(t, named("Elsewhere"), func(o *apptest.OfferingRow) { o.Location = there.ID }), now.Add(3*time.Hour))
	w.AddOccurrence(t, w.AddOffering(t, named("Tomorrow")), now.Add(30*time.Hour))
	w.AddOccurrence(t, w.AddOffering(t, named("Cancelled")), now.Add(4*time.Hour), func(o *apptest.OccurrenceRow) { o.State = "cancelled" })

	in := w.day()
	in.From = now
	if got := w.names(t, w.Owner, in); !slices.Equal(got, []string{"Hers", "Theirs", "Elsewhere"}) {
		t.Errorf("the owner sees %q", got)
	}
	all := in
	all.Cancelled = true
	if got := w.names(t, w.Owner, all); !slices.Equal(got, []string{"Hers", "Theirs", "Elsewhere", "Cancelled"}) {
		t.Errorf("with cancelled dates: %q", got)
	}
	at := in
	at.LocationID = there.ID
	if got := w.names(t, w.Owner, at); !slices.Equal(got, []string{"Elsewhere"}) {
		t.Errorf("at one place: %q", got)
	}
	by := in
	by.MemberID = ana.ID
	if got := w.names(t, w.Owner, by); !slices.Equal(got, []string{"Hers"}) {
		t.Errorf("of one person: %q", got)
	}
	if got := w.names(t, w.Holding(there.ID, policy.BookingView), in); !slices.Equal(got, []string{"Elsewhere"}) {
		t.Errorf("somebody of one place sees %q", got)
	}
	teacher := tenancy.Scope{Principal: w.World.Person(t, ana.Access.Email), Tenant: w.Business.ID, Surface: tenancy.SurfaceConsole,
		Grants: policy.GrantsFor([]policy.Assignment{{Role: policy.Instructor}})}
	if got := w.names(t, teacher, in); !slices.Equal(got, []string{"Hers"}) {
		t.Errorf("who teaches sees %q", got)
	}
	_, err := w.s.Dates(t.Context(), w.Holding(there.ID, policy.CRMView), in)
	if !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("without the feature: %v", err)
	}
	_, err = w.s.Dates(t.Context(), w.Owner, agenda.DatesInput{From: now, To: now.Add(46 * 24 * time.Hour)})
	if !fault.IsKind(err, fault.Validation) {
		t.Errorf("too long a span: %v", err)
	}
	did, err := w.Booking.Book(t.Context(), w.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "cleo@example.com", Name: "Cleo"}, OccurrenceID: hers.ID, Party: 2, Override: true, Reason: "late"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Booking.CheckIn(t.Context(), w.Owner, did.Booking.ID); err != nil {
		t.Fatal(err)
	}
	var list []agenda.Date
	trips, _ := w.World.Sent(func() { list, err = w.s.Dates(t.Context(), w.Owner, in) })
	if err != nil || trips != 1 || list[0].Taken != 2 || list[0].CheckedIn != 2 || list[0].Customer != "" || list[0].Instructor != "Ana" {
		t.Errorf("%d trips: %+v, %v", trips, list[0], err)
	}
}

// TestNeeds: a request, a fee to be reviewed, a waitlist offer, a date without an instructor; the next to expire
// first.
func TestNeeds(t *testing.T) {
	w := open(t)
	w.SetPolicy(t, w.AddPolicy(t, func(r *catalog.Rules) {
		r.NoShow.FeeAmount, r.NoShow.ReviewMinutes, r.Waitlist.Mode = 500, 720, catalog.WaitlistOffer
	}))
	now := w.Clock.Now()
	ana := w.AddInstructor(t, "Ana")
	given := func(o *apptest.OccurrenceRow) { o.Member = &ana.ID }
	free := func(o *apptest.OfferingRow) { *o.Price = 0 }

	asked := w.AddOccurrence(t, w.AddOffering(t, named("Asked"), free), now.Add(6*time.Hour), given)
	w.SQL(t, "update offerings set approval = true where id = (select offering_id from occurrences where id = $1)", asked.ID)
	cleo := w.Customer(t, "cleo")
	token := w.Fill(t, asked)
	if _, err := w.Checkout.Hold(t.Context(), cleo, token, checkout.HoldInput{}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Checkout.Confirm(t.Context(), cleo, token); err != nil {
		t.Fatal(err)
	}

	full := w.AddOccurrence(t, w.AddOffering(t, named("Full"), free, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 1, 1 }), now.Add(26*time.Hour), given)
	seat := w.seat(t, full.ID)
	waits := w.Customer(t, "waits")
	if _, err := w.Waitlist.Join(t.Context(), waits, waitlist.JoinInput{OfferingID: apptest.Value[uuid.UUID](t, w.World, "select offering_id from occurrences where id = $1", full.ID), OccurrenceID: full.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Booking.Cancel(t.Context(), w.Owner, booking.CancelInput{BookingID: seat, By: booking.ByCustomer, FeeMode: booking.FeePolicy}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.RunJobs(t); err != nil {
		t.Fatal(err)
	}

	gone := w.AddOccurrence(t, w.AddOffering(t, named("Gone")), now.Add(-2*time.Hour), given)
	away := w.seat(t, gone.ID)
	if _, err := w.Booking.NoShow(t.Context(), w.Owner, away); err != nil {
		t.Fatal(err)
	}
	w.AddOccurrence(t, w.AddOffering(t, named("Nobody")), now.Add(3*24*time.Hour))
	w.AddOccurrence(t, w.AddOffering(t, named("Later")), now.Add(9*24*time.Hour)) // there is time

	var b agenda.Board
	var err error
	trips, _ := w.World.Sent(func() { b, err = w.s.Today(t.Context(), w.Owner, agenda.TodayInput{DatesInput: w.day()}) })
	if err != nil || trips != 1 {
		t.Fatalf("%d trips: %v", trips, err)
	}
	got := map[agenda.NeedKind]string{}
	for i, n := range b.Needs {
		got[n.Kind] = n.OfferingName
		if i > 0 && n.Until.Before(*b.Needs[i-1].Until) {
			t.Errorf("%s runs out before what stands above it", n.OfferingName)
		}
		if n.Kind == agenda.NeedReview && (n.Amount != 500 || n.BookingID == nil || *n.BookingID != away) {
			t.Errorf("the fee: %+v", n)
		}
	}
	want := map[agenda.NeedKind]string{agenda.NeedAnswer: "Asked", agenda.NeedOffer: "Full", agenda.NeedReview: "Gone", agenda.NeedInstructor: "Nobody"}
	if len(b.Needs) != 4 || len(got) != 4 {
		t.Fatalf("%+v", b.Needs)
	}
	for kind, name := range want {
		if got[kind] != name {
			t.Errorf("%s is about %q, want %q", kind, got[kind], name)
		}
	}
	here, err := w.s.Today(t.Context(), w.Holding(uuid.New(), policy.BookingView), agenda.TodayInput{DatesInput: w.day()})
	if err != nil || len(here.Needs)+len(here.Dates) != 0 {
		t.Errorf("somebody of another place sees %+v, %v", here, err)
	}
}

func (w world) seat(t *testing.T, date uuid.UUID) uuid.UUID {
	t.Helper()
	did, err := w.Booking.Book(t.Context(), w.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: uuid.NewString()[:8] + "@example.com", Name: "Mo"}, OccurrenceID: date, Override: true, Reason: "at the desk",
	})
	if err != nil {
		t.Fatal(err)
	}
	return did.Booking.ID
}
