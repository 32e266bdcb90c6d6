package checkout_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/schedule"
	"foyer/app/waitlist"
)

// house is the studio's own verbs, wired as the program wires them.
func (s shop) house(t testing.TB) apptest.BusinessService {
	t.Helper()
	return s.w.Businesses(t, func(o *business.Options) { o.ArchiveLocationTx = s.Services.Catalog.ArchiveLocationTx })
}

// moveTo archives the studio's location, and lets its upcoming dates go on at another.
func (s shop) moveTo(t testing.TB, to uuid.UUID) (business.ArchivedLocation, error) {
	t.Helper()
	return s.house(t).ArchiveLocation(t.Context(), s.Owner, business.ArchiveLocationInput{LocationID: s.Location.ID, TransferTo: &to, Reason: "We move."})
}

// Paid bookings go on at another location: the same bookings at the same times, a course with a begun date among
// them, and cancelling refunds the same amount. A payment for a seat whose hold ended takes it there.
func TestArchivedLocationContinuesAtAnother(t *testing.T) {
	s := open(t)
	west := s.AddLocation(t, "West")
	course, dates := s.course(t, 3, 8000, 5)
	class := s.class(t, 2200, 5)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	group := s.buy(t, ada, course)
	s.jobs(t)
	s.w.Clock.Set(dates[0].StartsAt.Add(time.Minute))
	class = s.AddOccurrence(t, apptest.OfferingRow{ID: apptest.Value[uuid.UUID](t, s.w, "select offering_id from occurrences where id = $1", class.ID),
		Location: s.Location.ID, Minutes: 60, Capacity: 5, Online: 5}, s.w.Clock.Now().Add(48*time.Hour))
	token, p := s.ready(t, ben, class)
	got, err := s.moveTo(t, west.ID)
	if must(t, got, err).Content.Transferred != (business.Transferred{Offerings: 2, Dates: 3, Bookings: 2}) || got.Content.Offerings != 2 {
		t.Errorf("%+v", got.Content)
	}
	s.jobs(t)
	if mails := s.mails(ada); !slices.Equal(mails[len(mails)-1:], []string{"relocated"}) || slices.Index(mails, "relocated") != len(mails)-1 {
		t.Errorf("Ada is told %q", mails)
	}
	where := apptest.Values[string](t, s.w, `select l.name || ' ' || f.name from bookings b join locations l on l.id = b.location_id
		join offerings f on f.id = b.offering_id where b.group_id is not null order by b.starts_at`)
	if len(group) != 3 || len(where) != 3 || where[0][:4] == "West" || where[1][:4] != "West" || where[2][:4] != "West" {
		t.Errorf("the course is at %q", where)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.jobs(t)
	if b := s.confirm(t, ben, token); len(b.Lines) != 1 || s.taken(t, class) != 1 {
		t.Errorf("Ben has %+v, and %d are taken", b.Lines, s.taken(t, class))
	}
	done, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: group[2], By: booking.ByStudio})
	if must(t, done, err).Done.RefundAmount != 8000 || len(done.Done.Dates) != 2 {
		t.Errorf("%+v", done.Done)
	}
	s.check(t)
}

// Series go on where they are: the next dates are written there and not here, and nothing is written twice.
func TestMovingASeries(t *testing.T) {
	s := open(t)
	west := s.AddLocation(t, "West")
	calendar := schedule.New(schedule.Options{DB: s.w.DB, Bookings: waitlist.Calendar(s.Booking)})
	o := s.AddOffering(t)
	made, err := calendar.CreateSeries(t.Context(), s.Owner, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: schedule.Rule{
		Freq: schedule.Weekly, Every: 1, Weekdays: []time.Weekday{s.w.Clock.Now().Weekday()}, Start: civil.LocalDate(s.w.Clock.Now(), time.UTC), At: 18 * 60, Minutes: 60,
	}})
	if err != nil {
		t.Fatal(err)
	}
	before := apptest.Values[time.Time](t, s.w, "select starts_at from occurrences where series_id = $1 order by 1", made.Series.ID)
	if _, err := s.moveTo(t, west.ID); err != nil {
		t.Fatal(err)
	}
	s.w.Clock.Advance(21 * 24 * time.Hour)
	if err := calendar.Materialise(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := apptest.Values[time.Time](t, s.w, "select starts_at from occurrences where location_id = $1 order by 1", west.ID)
	if len(after) != len(before)+3 || !slices.EqualFunc(before, after[:len(before)], time.Time.Equal) {
		t.Errorf("%d dates, and now %d", len(before), len(after))
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from occurrences where location_id = $1", s.Location.ID); n != 0 {
		t.Errorf("%d dates are written at the old place", n)
	}
	s.check(t)
}

// A room of the same name that is occupied at that time is a conflict, and then nothing is relocated.
func TestMovingIntoABusyRoom(t *testing.T) {
	s := open(t)
	west := s.AddLocation(t, "West")
	here, there := s.AddSpace(t, "Room"), s.AddSpace(t, "Room", func(in *business.SpaceInput) { in.LocationID = west.ID })
	for _, x := range []struct {
		at    uuid.UUID
		space uuid.UUID
	}{{s.Location.ID, here.ID}, {west.ID, there.ID}} {
		o := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Location = x.at })
		d := s.AddOccurrence(t, o, s.w.Clock.Now().Add(48*time.Hour), func(r *apptest.OccurrenceRow) { r.Space = &x.space })
		s.w.SQL(t, `insert into claims (id, business_id, occurrence_id, space_id, starts_at, ends_at, exclusive)
			select gen_random_uuid(), business_id, id, space_id, starts_at, ends_at, true from occurrences where id = $1`, d.ID)
	}
	_, err := s.moveTo(t, west.ID)
	refused(t, "a busy room", err, claim.ErrSpaceBusy)
	if n := apptest.Value[int](t, s.w, "select count(*) from occurrences where location_id = $1", s.Location.ID); n != 1 {
		t.Errorf("%d dates are here", n)
	}
	s.w.SQL(t, "update claims set starts_at = ends_at, ends_at = ends_at + interval '1 hour' where space_id = $1", there.ID)
	s.w.SQL(t, "update occurrences set starts_at = ends_at, ends_at = ends_at + interval '1 hour' where space_id = $1", there.ID)
	if _, err = s.moveTo(t, west.ID); err != nil {
		t.Error(err)
	}
	s.check(t)
}

// A location is relocated while people hold seats, book and wait there: every seat is at the new location, none at
// the old, and no date is lost.
func TestArchivedLocationAgainstConcurrentUse(t *testing.T) {
	s := open(t)
	for range walks.Steps(5, 50) {
		from := s.AddLocation(t, "From")
		to := s.AddLocation(t, "To")
		at := s
		at.Studio.Location = from
		o := at.AddOffering(t, func(o *apptest.OfferingRow) { o.Location, o.Capacity, o.Online = from.ID, 3, 3 })
		d := at.AddOccurrence(t, o, s.w.Clock.Now().Add(48*time.Hour))
		var done sync.WaitGroup
		for _, name := range []string{"Ada", "Ben", "Cleo", "Dan"} {
			done.Go(func() {
				who := s.Customer(t, name)
				_, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: who.Email}, OccurrenceID: d.ID})
				if f := fault.From(err); err != nil && (f == nil || f.Kind == fault.Internal) {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		done.Go(func() {
			if _, err := at.moveTo(t, to.ID); err != nil {
				t.Error(err)
			}
		})
		done.Wait()
		if id := apptest.Value[uuid.UUID](t, s.w, "select location_id from occurrences where id = $1", d.ID); id != to.ID {
			t.Error("the date has not moved")
		}
		if n := s.taken(t, d); apptest.Guarded && n != 3 {
			t.Errorf("%d of 3 seats are taken", n)
		}
	}
	if apptest.Guarded {
		s.check(t)
	}
}
