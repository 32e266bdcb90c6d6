package notice_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
)

// shop is a studio with reminders. Its processes sweep when remind is called.
type shop struct {
	*apptest.Sales
	w    *apptest.World
	told *[]notice.Notice // the reminders
}

func open(t testing.TB) shop {
	t.Helper()
	w := apptest.Open(t)
	s := shop{Sales: w.Sales(t), w: w, told: new([]notice.Notice)}
	o := apptest.NoticeOptions(w.DB, s.Mail)
	write := o.Write
	o.Write = func(n notice.Notice) mail.Message {
		if n.Kind == booking.ToldReminder {
			*s.told = append(*s.told, n)
		}
		return write(n)
	}
	s.Notice = notice.New(o)
	s.Sales.Notice = s.Notice
	s.run(t)
	return s
}

func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// run runs the waiting jobs.
func (s shop) run(t testing.TB) {
	t.Helper()
	for {
		s.Sim.Flush(t.Context())
		ran, err := s.RunJobs(t)
		if must(t, ran, err); len(ran) == 0 {
			return
		}
	}
}

// remind moves the clock, sweeps twice, as two processes do, and returns the reminders: "ada 1440 15:00".
func (s shop) remind(t testing.TB, at time.Time) []string {
	t.Helper()
	s.w.Clock.Set(at)
	if err := errors.Join(s.Notice.RemindDue(t.Context()), s.Notice.RemindDue(t.Context())); err != nil {
		t.Fatal(err)
	}
	*s.told = nil
	s.run(t)
	out := []string{}
	for _, n := range *s.told {
		who, _, _ := strings.Cut(n.To, "-")
		out = append(out, fmt.Sprintf("%s %d %s", who, n.Minutes, n.Booking.StartsAt.UTC().Format("15:04")))
	}
	slices.Sort(out)
	return out
}

func (s shop) expect(t testing.TB, what string, at time.Time, want ...string) {
	t.Helper()
	if got := s.remind(t, at); !slices.Equal(got, want) && len(got)+len(want) > 0 {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// class returns a free date.
func (s shop) class(t testing.TB, start time.Time, changes ...func(*apptest.OfferingRow)) apptest.OccurrenceRow {
	t.Helper()
	free := int64(0)
	return s.AddOccurrence(t, s.AddOffering(t, append([]func(*apptest.OfferingRow){func(o *apptest.OfferingRow) { o.Price = &free }}, changes...)...), start)
}

// book books a date on the storefront.
func (s shop) book(t testing.TB, who tenancy.Scope, o apptest.OccurrenceRow) uuid.UUID {
	t.Helper()
	token := s.Fill(t, o)
	return s.confirm(t, who, token)
}

func (s shop) confirm(t testing.TB, who tenancy.Scope, token string) uuid.UUID {
	t.Helper()
	h, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{})
	must(t, h, err)
	got, err := s.Checkout.Confirm(t.Context(), who, token)
	return must(t, got, err).Lines[0].BookingID
}

func (s shop) setting(t testing.TB, minutes ...int) error {
	t.Helper()
	house := s.w.Businesses(t)
	l, err := house.Location(t.Context(), s.Owner, s.Location.ID)
	must(t, l, err)
	_, err = house.UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{LocationID: l.ID, Version: l.Version, Reminders: &minutes})
	return err
}

const (
	hour = time.Hour
	day  = 24 * hour
)

// A customer is reminded a day and two hours before, once each, also when a job is delivered twice, and not after the
// start.
func TestReminders(t *testing.T) {
	s := open(t)
	start := apptest.Start.Add(50 * hour)
	o := s.class(t, start)
	ada, bob := s.Customer(t, "ada"), s.Customer(t, "bob")
	s.book(t, ada, o)
	s.book(t, s.Customer(t, "cleo"), s.class(t, start.Add(hour)))
	s.expect(t, "two days before", start.Add(-49*hour))
	s.expect(t, "before the day", start.Add(-day-time.Second))
	s.expect(t, "a day before", start.Add(-day), "ada 1440 14:00")
	job := notice.ReminderJob{Business: s.Business.ID, Reminder: apptest.Value[uuid.UUID](t, s.w, "select id from booking_reminders")}
	if err := errors.Join(s.Notice.MailReminder(t.Context(), job), s.Notice.MailReminder(t.Context(), job)); err != nil {
		t.Fatal(err)
	}
	s.expect(t, "a minute later", start.Add(-day+time.Minute))
	s.book(t, bob, o) // too late for the first one
	s.expect(t, "for who booked late", start.Add(-day+2*time.Minute))
	s.expect(t, "a day before another date, which is when the first has been told of", start.Add(-day+hour), "cleo 1440 15:00")
	s.expect(t, "two hours before", start.Add(-2*hour), "ada 120 14:00", "bob 120 14:00")
	s.expect(t, "when it has begun", start, "cleo 120 15:00")
	reminders := 0
	for _, m := range s.Mail.List(ada.Email) {
		if m.Subject == string(booking.ToldReminder) {
			reminders++
		}
	}
	if reminders != 2 {
		t.Errorf("ada got %d", reminders)
	}
	s.w.CheckBooks(t)
}

// Many processes sweep at the same instant: each customer is reminded once, and no sweep fails.
func TestRemindersSweptAtOnce(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "ada")
	for round := range 5 {
		start := apptest.Start.Add(time.Duration(50+3*round) * hour)
		s.book(t, ada, s.class(t, start))
		s.run(t)
		s.w.Clock.Set(start.Add(-2 * hour))
		var sweeps sync.WaitGroup
		for range 8 {
			sweeps.Go(func() {
				if err := s.Notice.RemindDue(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		sweeps.Wait()
		s.expect(t, "two hours before", start.Add(-2*hour), "ada 120 "+start.UTC().Format("15:04"))
	}
}

// A job reads current data when it runs: a booking that was cancelled or rescheduled, or has begun, gets no reminder.
func TestRemindersReadTheFactsAgain(t *testing.T) {
	for name, c := range map[string]func(s shop, ada tenancy.Scope, id uuid.UUID, o, other apptest.OccurrenceRow) error{
		"cancelled": func(s shop, ada tenancy.Scope, id uuid.UUID, _, _ apptest.OccurrenceRow) error {
			_, err := s.Booking.CancelMine(t.Context(), ada, id)
			return err
		},
		"cancelled by the studio": func(s shop, _ tenancy.Scope, _ uuid.UUID, o, _ apptest.OccurrenceRow) error {
			calendar := schedule.New(schedule.Options{DB: s.w.DB, Bookings: waitlist.Calendar(s.Booking)})
			_, err := calendar.CancelDate(t.Context(), s.Owner, schedule.CancelDateInput{
				OfferingID: apptest.Value[uuid.UUID](t, s.w, "select offering_id from occurrences where id = $1", o.ID), OccurrenceID: o.ID,
			})
			return err
		},
		"closed": func(s shop, _ tenancy.Scope, _ uuid.UUID, _, _ apptest.OccurrenceRow) error {
			house := s.w.Businesses(t, func(o *business.Options) { o.EndAheadTx = waitlist.EndAheadTx(s.Booking) })
			_, err := house.Close(t.Context(), s.Owner, business.CloseInput{CancelBookings: true})
			return err
		},
		"moved": func(s shop, _ tenancy.Scope, id uuid.UUID, _, other apptest.OccurrenceRow) error {
			_, err := s.Booking.Reschedule(t.Context(), s.Owner, booking.RescheduleInput{BookingID: id, Target: booking.Target{OccurrenceID: other.ID}})
			return err
		},
		"begun": func(s shop, _ tenancy.Scope, _ uuid.UUID, o, _ apptest.OccurrenceRow) error {
			s.w.Clock.Set(o.StartsAt)
			return nil
		},
		"not wished any more": func(s shop, _ tenancy.Scope, _ uuid.UUID, _, _ apptest.OccurrenceRow) error {
			return s.setting(t, 120)
		},
		"overtaken by the next one": func(s shop, _ tenancy.Scope, _ uuid.UUID, o, _ apptest.OccurrenceRow) error {
			s.w.Clock.Set(o.StartsAt.Add(-2 * hour))
			return s.Notice.RemindDue(t.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			start := apptest.Start.Add(50 * hour)
			ada := s.Customer(t, "ada")
			o := s.class(t, start)
			other := s.AddOccurrence(t, apptest.OfferingRow{
				ID: apptest.Value[uuid.UUID](t, s.w, "select offering_id from occurrences where id = $1", o.ID), Location: s.Location.ID,
				Minutes: 60, Capacity: 12, Online: 12,
			}, start.Add(3*day))
			id := s.book(t, ada, o)
			s.run(t)
			s.w.Clock.Set(start.Add(-day))
			if err := s.Notice.RemindDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := apptest.Value[int](t, s.w, "select count(*) from river.river_job where kind = 'booking.reminder'"); n != 1 {
				t.Fatalf("%d jobs", n)
			}
			if err := c(s, ada, id, o, other); err != nil {
				t.Fatal(err)
			}
			s.run(t)
			var got []int
			for _, n := range *s.told {
				got = append(got, n.Minutes)
			}
			if want := name == "overtaken by the next one"; want != slices.Equal(got, []int{120}) || !want && len(got) > 0 {
				t.Errorf("reminded %v", got)
			}
			if name == "moved" {
				s.expect(t, "the day before the new time", other.StartsAt.Add(-day), "ada 1440 14:00")
			}
			if s.w.CheckBooks(t); strings.HasPrefix(name, "c") {
				s.expect(t, "later", start.Add(-2*hour))
			}
		})
	}
}

// A rescheduled booking, or one of a rescheduled date, gets its reminder at the new time; a change after a reminder
// was due brings none.
func TestRemindersFollowAMove(t *testing.T) {
	s := open(t)
	start := apptest.Start.Add(50 * hour)
	ada := s.Customer(t, "ada")
	o := s.class(t, start)
	s.book(t, ada, o)
	s.expect(t, "a day before", start.Add(-day), "ada 1440 14:00")
	calendar := schedule.New(schedule.Options{DB: s.w.DB, Bookings: waitlist.Calendar(s.Booking)})
	move := func(to time.Time) {
		t.Helper()
		series := apptest.Value[uuid.UUID](t, s.w, "select offering_id from occurrences where id = $1", o.ID)
		v := apptest.Value[int64](t, s.w, "select version from occurrences where id = $1", o.ID)
		_, err := calendar.EditDate(t.Context(), s.Owner, schedule.EditDateInput{OfferingID: series, OccurrenceID: o.ID, Version: v, StartsAt: &to})
		must(t, 0, err)
		s.run(t)
	}
	later := start.Add(2 * day)
	move(later)
	s.expect(t, "two hours before the old time", start.Add(-2*hour))
	s.expect(t, "a day before the new time", later.Add(-day), "ada 1440 14:00")
	s.w.Clock.Set(later.Add(-290 * time.Minute))
	move(later.Add(-3 * hour)) // less than two hours ahead: they have just had a mail
	s.expect(t, "just told", later.Add(-289*time.Minute))
	s.expect(t, "shortly before", later.Add(-4*hour))
}

// Appointments, rentals and each date of a course have reminders, and a party gets one mail.
func TestRemindersOfEveryKind(t *testing.T) {
	s := open(t)
	s.AddHours(t)
	at := time.Date(2026, 6, 12, 15, 0, 0, 0, time.UTC)
	mia := s.AddMember(t, "Mia")
	massage := s.AddAppointment(t, []uuid.UUID{mia.ID})
	sauna := s.AddSpace(t, "Sauna")
	rental := s.AddRental(t, []uuid.UUID{sauna.ID})
	ada := s.Customer(t, "ada")
	for _, of := range []uuid.UUID{massage.ID, rental.ID} {
		_, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: ada.Email}, Time: &booking.Times{OfferingID: of, StartsAt: at}})
		must(t, 0, err)
	}
	free := int64(0)
	course, dates := s.AddCourse(t, 3, func(o *apptest.OfferingRow) { o.Price = &free })
	bob := s.Customer(t, "bob")
	c, err := s.Checkout.Create(t.Context(), s.Visitor(), checkout.CreateInput{LocationID: s.Location.ID})
	must(t, c, err)
	item, err := s.Checkout.AddItem(t.Context(), s.Visitor(), c.Token, checkout.AddItemInput{CourseID: course.ID})
	must(t, item, err)
	s.confirm(t, bob, c.Token)
	s.run(t)
	s.expect(t, "the appointment and the rental", at.Add(-day), "ada 1440 15:00", "ada 1440 15:00")
	for i, d := range dates {
		s.expect(t, fmt.Sprintf("date %d of the course", i+1), d.StartsAt.Add(-2*hour), "bob 120 12:00")
		if n := (*s.told)[0]; n.Course || !n.Booking.StartsAt.Equal(d.StartsAt) {
			t.Errorf("it is about %s", n.Booking.StartsAt)
		}
	}
	start := s.w.Clock.Now().Add(3 * day)
	o := s.class(t, start)
	cleo, token := s.Customer(t, "cleo"), s.Fill(t, o)
	_, err = s.Checkout.AddItem(t.Context(), s.Visitor(), token, checkout.AddItemInput{OccurrenceID: o.ID, Attendee: "Ben"})
	must(t, 0, err)
	s.confirm(t, cleo, token)
	s.expect(t, "friends", start.Add(-day), "cleo 1440 "+start.UTC().Format("15:04"))
	if who := (*s.told)[0].Who; !slices.Equal(who, []string{"", "Ben"}) {
		t.Errorf("it names %q", who)
	}
}

// The studio sets times and number, and a customer with a reminder gets no other when that changes.
func TestReminderSetting(t *testing.T) {
	s := open(t)
	start := apptest.Start.Add(50 * hour)
	ada := s.Customer(t, "ada")
	s.book(t, ada, s.class(t, start))
	must(t, 0, s.setting(t))
	s.expect(t, "none are wished", start.Add(-day))
	must(t, 0, s.setting(t, 90, 15, 90))
	if got := apptest.Value[string](t, s.w, "select reminders::text from locations"); got != "[90, 15]" {
		t.Errorf("kept as %s", got)
	}
	s.expect(t, "90 minutes before", start.Add(-90*time.Minute), "ada 90 14:00")
	must(t, 0, s.setting(t, 100))
	s.expect(t, "another setting", start.Add(-80*time.Minute))
	must(t, 0, s.setting(t, 15, 100))
	s.expect(t, "after a night of five minutes without a worker", start.Add(-10*time.Minute), "ada 15 14:00")
	for _, wrong := range [][]int{{14}, {20161}, {15, 30, 45, 60, 75}} {
		if s.setting(t, wrong...) == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}

// A worker catches up after a pause, with the latest due reminder and no other; records are deleted a week after the
// start.
func TestRemindersAfterANight(t *testing.T) {
	s := open(t)
	start := apptest.Start.Add(50 * hour)
	ada := s.Customer(t, "ada")
	s.book(t, ada, s.class(t, start))
	must(t, 0, s.setting(t, 150, 120, 60))
	s.expect(t, "two at once", start.Add(-115*time.Minute), "ada 120 14:00")
	s.expect(t, "the last one", start.Add(-time.Minute), "ada 60 14:00")
	late := s.class(t, start.Add(day))
	s.book(t, ada, late)
	must(t, 0, s.setting(t, 1440, 180))
	s.expect(t, "too late for a sensible one", late.StartsAt.Add(-21*hour))
	s.expect(t, "a week after", start.Add(7*day))
	if n := apptest.Value[int](t, s.w, "select count(*) from booking_reminders"); n != 2 {
		t.Errorf("%d are remembered for a week", n)
	}
	s.expect(t, "and then", start.Add(7*day+time.Second))
	if n := apptest.Value[int](t, s.w, "select count(*) from booking_reminders"); n != 0 {
		t.Errorf("%d are remembered", n)
	}
}

// A day is 1440 elapsed minutes, also on the weekends of clock changes: the mail comes an hour off by the wall clock,
// and states the booking's wall-clock start.
func TestRemindersWhenClocksChange(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	must(t, 0, err)
	for name, c := range map[string]struct{ start, due time.Time }{
		"spring": {time.Date(2027, 3, 14, 9, 0, 0, 0, zone), time.Date(2027, 3, 13, 8, 0, 0, 0, zone)},
		"autumn": {time.Date(2026, 11, 1, 9, 0, 0, 0, zone), time.Date(2026, 10, 31, 10, 0, 0, 0, zone)},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.w.Clock.Set(c.start.Add(-3 * day))
			ada := s.Customer(t, "ada")
			s.book(t, ada, s.class(t, c.start))
			s.expect(t, "just before", c.due.Add(-time.Second))
			s.expect(t, "in time", c.due, "ada 1440 "+c.start.UTC().Format("15:04"))
			if wall := (*s.told)[0].Booking.StartsAt.In(zone).Format("Mon 15:04"); wall != "Sun 09:00" {
				t.Errorf("it says %s", wall)
			}
		})
	}
}

// Reminders cost a booking nothing: no job is written with it, and the sweep takes as many trips for thirty customers
// as for one.
func TestRemindersAreCheap(t *testing.T) {
	s := open(t)
	trips := map[int]int{}
	for i, n := range []int{1, 30} {
		start := apptest.Start.Add(50*hour + time.Duration(i)*3*day)
		o := s.class(t, start, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 30, 30 })
		s.w.Clock.Set(start.Add(-2 * day))
		for j := range n {
			s.book(t, s.Customer(t, fmt.Sprintf("c%d", j)), o)
		}
		if jobs := apptest.Value[int](t, s.w, "select count(*) from river.river_job where kind = 'booking.reminder'"); jobs != 0 {
			t.Errorf("%d jobs", jobs)
		}
		s.run(t)
		s.w.Clock.Set(start.Add(-day))
		trips[n] = s.w.Statements(func() {
			if err := s.Notice.RemindDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
		if jobs := apptest.Value[int](t, s.w, "select count(*) from river.river_job where kind = 'booking.reminder'"); jobs != n {
			t.Errorf("%d jobs for %d", jobs, n)
		}
		s.run(t)
	}
	if trips[1] != trips[30] {
		t.Errorf("trips by customers: %v", trips)
	}
}
