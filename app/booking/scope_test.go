package booking_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/tenancy"
)

// weekly books an appointment at ten so many weeks from a day on.
func (d desk) weekly(t *testing.T, f apptest.ServiceRow, from civil.Date, weeks int, change ...func(*booking.RecurringInput)) (booking.Recurring, error) {
	t.Helper()
	in := booking.RecurringInput{Customer: booking.CustomerRef{Email: "rosa@example.com"}, OfferingID: f.ID, From: from,
		Times: &booking.RecurringTimes{At: civil.NewClock(10, 0), Count: &weeks}}
	for _, c := range change {
		c(&in)
	}
	return d.s.BookRecurring(t.Context(), d.Owner, in)
}

func (d desk) mustWeekly(t *testing.T, f apptest.ServiceRow, from civil.Date, weeks int) []uuid.UUID {
	t.Helper()
	got, err := d.weekly(t, f, from, weeks)
	if err != nil {
		t.Fatal(err)
	}
	var ids []uuid.UUID
	for _, b := range got.Bookings {
		ids = append(ids, b.BookingID)
	}
	return ids
}

// walls are the starts of the bookings that stand, on the wall clock of New York.
func (d desk) walls(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, at := range apptest.Values[time.Time](t, d.w, "select starts_at from bookings where state = 'confirmed' order by starts_at") {
		out = append(out, at.In(civil.ZoneOrUTC("America/New_York")).Format("01-02 15:04"))
	}
	return out
}

func (d desk) letterNames(t *testing.T, email string) []string {
	t.Helper()
	if _, err := d.sales.RunJobs(t); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range slices.Backward(d.sales.Mail.List(email)) {
		out = append(out, m.Subject)
	}
	return out
}

var october = civil.NewDate(2026, time.October, 25)

// An appointment every week at ten is at ten on the wall clock in winter and in summer. An unavailable time refuses
// all and is named, or is left out; each of the others is a booking of its own, and one letter lists them.
func TestRecurringTimes(t *testing.T) {
	d := open(t)
	f := d.massage(t)
	d.w.Clock.Set(time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC))
	taken := civil.Instant(october.AddDays(14), civil.NewClock(10, 30), civil.ZoneOrUTC("America/New_York"))
	if _, err := d.bookTime(t, f, taken, "ben@example.com"); err != nil {
		t.Fatal(err)
	}
	_, err := d.weekly(t, f, october, 22)
	is(t, "with a clash", err, booking.ErrClashes)
	details := refusal(t, err).Details
	clashes, _ := details["clashes"].([]booking.Clash)
	free, _ := details["free"].([]booking.FreeTime)
	if len(clashes) != 1 || clashes[0].Reason != claim.BusyStaff || clashes[0].OccurrenceID != nil || len(free) != 21 {
		t.Errorf("%+v", details)
	}
	if n := len(d.walls(t)); n != 1 {
		t.Errorf("a refusal booked something: %d", n)
	}
	got, err := d.weekly(t, f, october, 22, func(in *booking.RecurringInput) { in.OnClash = booking.ClashSkip })
	if err != nil || len(got.Bookings) != 21 || len(got.Clashes) != 1 {
		t.Fatalf("%+v (%v)", got, err)
	}
	for _, b := range got.Bookings {
		if at := b.StartsAt.In(civil.ZoneOrUTC("America/New_York")); at.Hour() != 10 || at.Minute() != 0 || at.Weekday() != time.Sunday {
			t.Errorf("one is at %s", at)
		}
		if d.claims(t, b.BookingID) != 1 || b.PriceAmount != 6000 {
			t.Errorf("%+v has %d claims", b, d.claims(t, b.BookingID))
		}
	}
	first, last := got.Bookings[0].StartsAt.UTC(), got.Bookings[20].StartsAt.UTC()
	if first.Hour() != 14 || got.Bookings[1].StartsAt.UTC().Hour() != 15 || last.Hour() != 14 {
		t.Errorf("the clocks did not change: %s to %s", first, last)
	}
	if mails := d.letterNames(t, "rosa@example.com"); !slices.Equal(mails, []string{"booked"}) {
		t.Errorf("mails: %q", mails)
	}
	class := d.class(t, 3)
	_, err = d.weekly(t, apptest.ServiceRow{OfferingRow: apptest.OfferingRow{ID: apptest.Value[uuid.UUID](t, d.w,
		"select offering_id from occurrences where id = $1", class.ID)}}, october, 2)
	if !fault.IsKind(err, fault.Validation) {
		t.Errorf("of a class: %v", err)
	}
	if _, err = d.weekly(t, f, october, booking.TimesMax+1); !fault.IsKind(err, fault.Validation) {
		t.Errorf("too many: %v", err)
	}
	d.w.CheckBooks(t)
}

// A room every week: the rented hours are available to no other customer.
func TestRecurringRental(t *testing.T) {
	d := open(t)
	d.AddHours(t, apptest.Daily(9*60, 17*60)...)
	room := d.AddSpace(t, "Sauna")
	d.AddSpaceHours(t, room, apptest.Daily(9*60, 17*60)...)
	f := d.AddRental(t, []uuid.UUID{room.ID})
	if ids := d.mustWeekly(t, f, civil.NewDate(2026, time.June, 15), 4); len(ids) != 4 || d.claims(t, ids[3]) != 1 {
		t.Errorf("%d bookings", len(ids))
	}
	_, err := d.weekly(t, f, civil.NewDate(2026, time.June, 22), 1)
	is(t, "again", err, booking.ErrClashes)
	d.w.CheckBooks(t)
}

// A recurring booking is cancelled within the scope, each by its own policy, with one letter.
func TestCancelScope(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) {
		r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount, r.Grace.LateCancels = 24*60, 1500, 0
	})
	f := d.massage(t)
	ids := d.mustWeekly(t, f, civil.NewDate(2026, time.June, 15), 5)
	cancel := func(id uuid.UUID, by booking.By, scope booking.Scope) (booking.Cancellation, error) {
		got, err := d.s.Cancel(t.Context(), d.Owner, booking.CancelInput{BookingID: id, By: by, Scope: scope})
		return got.Done, err
	}
	got, err := cancel(ids[3], booking.ByStudio, booking.ScopeFollowing)
	if err != nil || got.BookingID != ids[3] || len(got.Others) != 1 || got.Others[0].BookingID != ids[4] {
		t.Errorf("following: %+v (%v)", got, err)
	}
	if walls := d.walls(t); !slices.Equal(walls, []string{"06-15 10:00", "06-22 10:00", "06-29 10:00"}) || d.claims(t, ids[4]) != 0 {
		t.Errorf("left: %q", walls)
	}
	d.w.Clock.Set(ten(5).Add(-time.Hour)) // an hour before the first
	got, err = cancel(ids[1], booking.ByCustomer, booking.ScopeAll)
	if err != nil || got.Late || got.FeeAmount != 0 || len(got.Others) != 2 || !got.Others[0].Late || got.Others[0].FeeAmount != 1500 || got.Others[1].Late {
		t.Errorf("all: %+v (%v)", got, err)
	}
	if n := apptest.Value[int](t, d.w, "select count(*) from fees"); n != 1 || len(d.walls(t)) != 0 {
		t.Errorf("%d fees, %q stand", n, d.walls(t))
	}
	if mails := d.letterNames(t, "rosa@example.com"); !slices.Equal(mails, []string{"studio_cancelled", "cancelled"}) {
		t.Errorf("mails: %q", mails) // that they were booked does not hold any more
	}
	_, err = cancel(ids[1], booking.ByCustomer, booking.ScopeAll)
	is(t, "again", err, booking.ErrState)
	single, err := d.bookTime(t, f, ten(12), "ben@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cancel(single.Booking.ID, booking.ByStudio, booking.ScopeAll); !fault.IsKind(err, fault.Validation) {
		t.Errorf("what does not recur: %v", err)
	}
	d.w.CheckBooks(t)
}

// A customer cancels a recurring booking within a scope: each booking by its own policy, all of them or none, with
// one letter.
func TestCancelMyRecurring(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) {
		r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount, r.Grace.LateCancels = 24*60, 1500, 0
	})
	rosa := tenancy.Scope{Principal: d.w.Person(t, "rosa@example.com"), Surface: tenancy.SurfaceAPI}
	ben := tenancy.Scope{Principal: d.w.Person(t, "ben@example.com"), Surface: tenancy.SurfaceAPI}
	f := d.massage(t)
	ids := d.mustWeekly(t, f, civil.NewDate(2026, time.June, 15), 5)
	_, err := d.s.CancelMyRecurring(t.Context(), ben, ids[0], booking.ScopeAll)
	if !fault.IsKind(err, fault.NotFound) {
		t.Errorf("somebody else's: %v", err)
	}
	if _, err = d.s.CancelMyRecurring(t.Context(), rosa, ids[0], "some"); !fault.IsKind(err, fault.Validation) {
		t.Errorf("no scope: %v", err)
	}
	got, err := d.s.CancelMyRecurring(t.Context(), rosa, ids[3], booking.ScopeFollowing)
	if err != nil || got.Booking.ID != ids[3] || got.Done.BookingID != ids[3] || len(got.Done.Others) != 1 || got.Done.Others[0].BookingID != ids[4] {
		t.Errorf("following: %+v (%v)", got, err)
	}
	if got, err = d.s.CancelMyRecurring(t.Context(), rosa, ids[2], ""); err != nil || len(got.Done.Others) != 0 || len(d.walls(t)) != 2 {
		t.Errorf("one: %+v (%v), %q stand", got, err, d.walls(t))
	}
	d.w.Clock.Set(ten(5).Add(-time.Hour)) // an hour before the first
	got, err = d.s.CancelMyRecurring(t.Context(), rosa, ids[1], booking.ScopeAll)
	if sum := got.Done.Together(); err != nil || got.Done.Late || got.Done.FeeAmount != 0 || len(got.Done.Others) != 1 || !sum.Late || sum.FeeAmount != 1500 || sum.Fee != fees.Due {
		t.Errorf("all: %+v (%v)", got, err)
	}
	if starts := got.Done.Starts(); len(starts) != 2 || !starts[0].Before(starts[1]) || len(d.walls(t)) != 0 {
		t.Errorf("%v end, %q stand", starts, d.walls(t))
	}
	if mails := d.letterNames(t, "rosa@example.com"); !slices.Equal(mails, []string{"cancelled", "cancelled", "cancelled"}) {
		t.Errorf("mails: %q", mails)
	}
	_, err = d.s.CancelMyRecurring(t.Context(), rosa, ids[1], booking.ScopeAll)
	is(t, "again", err, booking.ErrState)
	single, err := d.bookTime(t, f, ten(12), "ben@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.s.CancelMyRecurring(t.Context(), ben, single.Booking.ID, booking.ScopeAll); !fault.IsKind(err, fault.Validation) {
		t.Errorf("what does not recur: %v", err)
	}
	d.w.CheckBooks(t)
}

// Fees of bookings that end together: those due are added up, and a waived one counts only where none is due.
func TestCancellationsTogether(t *testing.T) {
	due, waived := booking.Cancellation{FeeAmount: 1500, Fee: fees.Due, RefundAmount: 100}, booking.Cancellation{FeeAmount: 1500, Fee: fees.GraceWaived}
	for name, of := range map[string]struct {
		first  booking.Cancellation
		others []booking.Cancellation
		fee    int64
		state  fees.State
		back   int64
	}{
		"none":              {first: booking.Cancellation{RefundAmount: 7}, others: []booking.Cancellation{{RefundAmount: 8}}, back: 15},
		"due and due":       {due, []booking.Cancellation{due}, 3000, fees.Due, 200},
		"due and waived":    {due, []booking.Cancellation{waived}, 1500, fees.Due, 100},
		"waived and due":    {waived, []booking.Cancellation{due, waived}, 1500, fees.Due, 100},
		"waived, both":      {waived, []booking.Cancellation{waived}, 3000, fees.GraceWaived, 0},
		"nothing, then due": {booking.Cancellation{}, []booking.Cancellation{{}, due}, 1500, fees.Due, 100},
	} {
		of.first.Others = of.others
		if got := of.first.Together(); got.FeeAmount != of.fee || got.Fee != of.state || got.RefundAmount != of.back {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A recurring booking is rescheduled by as many days to the same time on the wall clock, also over a change of the
// clocks and onto its own times; all of it or nothing.
func TestRescheduleScope(t *testing.T) {
	d := open(t)
	f := d.massage(t)
	d.w.Clock.Set(time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC))
	ids := d.mustWeekly(t, f, october, 3)
	ny := civil.ZoneOrUTC("America/New_York")
	move := func(id uuid.UUID, scope booking.Scope, day civil.Date, at civil.Clock) (booking.Did[booking.Rescheduled], error) {
		return d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{
			BookingID: id, Scope: scope, Target: booking.Target{StartsAt: civil.Instant(day, at, ny)},
		})
	}
	got, err := move(ids[0], booking.ScopeAll, october.AddDays(7), civil.NewClock(10, 30))
	if err != nil || len(got.Done.Others) != 2 || got.Done.BookingID != ids[0] {
		t.Fatalf("%+v (%v)", got, err)
	}
	if walls := d.walls(t); !slices.Equal(walls, []string{"11-01 10:30", "11-08 10:30", "11-15 10:30"}) {
		t.Errorf("a week later: %q", walls)
	}
	if _, err := move(ids[0], booking.ScopeAll, october, civil.NewClock(11, 0)); err != nil {
		t.Fatal(err)
	}
	if walls := d.walls(t); !slices.Equal(walls, []string{"10-25 11:00", "11-01 11:00", "11-08 11:00"}) {
		t.Errorf("and back: %q", walls)
	}
	if mails := d.letterNames(t, "rosa@example.com"); !slices.Equal(mails, []string{"booked", "moved"}) {
		t.Errorf("mails: %q", mails) // of the two changes only the last one is valid
	}
	if _, err := d.bookTime(t, f, civil.Instant(october.AddDays(14), civil.NewClock(14, 0), ny), "ben@example.com"); err != nil {
		t.Fatal(err)
	}
	_, err = move(ids[1], booking.ScopeFollowing, october.AddDays(7), civil.NewClock(14, 0))
	is(t, "onto somebody's time", err, booking.ErrClashes)
	clashes, _ := refusal(t, err).Details["clashes"].([]booking.Clash)
	if len(clashes) != 1 || clashes[0].Reason != claim.BusyStaff || !clashes[0].StartsAt.Equal(civil.Instant(october.AddDays(14), civil.NewClock(14, 0), ny)) {
		t.Errorf("%+v", clashes)
	}
	if walls := d.walls(t); !slices.Equal(walls, []string{"10-25 11:00", "11-01 11:00", "11-08 11:00", "11-08 14:00"}) {
		t.Errorf("a refusal moved something: %q", walls)
	}
	if _, err := move(ids[1], booking.ScopeFollowing, october.AddDays(7), civil.NewClock(15, 0)); err != nil {
		t.Fatal(err)
	}
	if walls := d.walls(t); !slices.Equal(walls, []string{"10-25 11:00", "11-01 15:00", "11-08 14:00", "11-08 15:00"}) {
		t.Errorf("the following: %q", walls)
	}
	d.w.CheckBooks(t)
}

// Recurring dates of a class are rescheduled to others of its dates.
func TestRescheduleScopeOfAClass(t *testing.T) {
	d := open(t)
	dates := d.dates(t, 4, 1)
	offering := apptest.Value[uuid.UUID](t, d.w, "select offering_id from occurrences where id = $1", dates[0].ID)
	made, err := d.s.BookRecurring(t.Context(), d.Owner, booking.RecurringInput{
		Customer: booking.CustomerRef{Email: "rosa@example.com"}, OfferingID: offering, OccurrenceIDs: []uuid.UUID{dates[0].ID, dates[1].ID, dates[2].ID},
	})
	if err != nil {
		t.Fatal(err)
	}
	move := func(o apptest.OccurrenceRow) error {
		_, err := d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{BookingID: made.Bookings[0].BookingID, Scope: booking.ScopeAll, Target: to(o)})
		return err
	}
	if err := move(dates[1]); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 1, 1, 1} {
		if d.taken(t, dates[i]) != want {
			t.Errorf("date %d: %d are taken", i, d.taken(t, dates[i]))
		}
	}
	is(t, "past the last date", move(dates[2]), booking.ErrClashes)
	d.w.CheckBooks(t)
}

// Many desks book the same times at once: one gets them all, and the others nothing.
func TestRecurringRace(t *testing.T) {
	if !apptest.Guarded {
		return
	}
	d := open(t)
	f := d.massage(t)
	for round := range walks.Steps(2, 50) {
		var got atomic.Int64
		from := civil.NewDate(2026, time.June, 15).AddDays(7 * 3 * round % 60)
		all([]string{"a", "b", "c", "d", "e", "f"}, func(name string) {
			three := 3
			_, err := d.s.BookRecurring(t.Context(), d.Owner, booking.RecurringInput{
				Customer: booking.CustomerRef{Email: name + "@example.com"}, OfferingID: f.ID, From: from.AddDays(round % 7),
				Times: &booking.RecurringTimes{At: civil.NewClock(9+round%8, 0), Count: &three},
			})
			switch {
			case err == nil:
				got.Add(1)
			case !errors.Is(err, booking.ErrClashes):
				t.Error(err)
			}
		})
		if got.Load() > 1 {
			t.Errorf("%d have the same times", got.Load())
		}
		if round == 0 && got.Load() != 1 {
			t.Error("nobody has them")
		}
	}
	d.w.CheckBooks(t)
}
