package checkout_test

import (
	"slices"
	"testing"
	"time"

	"foyer/app/waitlist"
	"foyer/billing/processor"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// course is a course of so many dates at a price, with so many seats on each.
func (s shop) course(t testing.TB, dates int, price int64, capacity int) (apptest.OfferingRow, []apptest.OccurrenceRow) {
	t.Helper()
	return s.AddCourse(t, dates, func(o *apptest.OfferingRow) { o.Price, o.Capacity, o.Online = &price, capacity, capacity })
}

// enrol is a cart with a course.
func (s shop) enrol(t testing.TB, course apptest.OfferingRow) string {
	t.Helper()
	token := s.Fill(t)
	_, err := s.Checkout.AddItem(t.Context(), s.Visitor(), token, checkout.AddItemInput{CourseID: course.ID})
	return must(t, token, err)
}

func (s shop) cart(t testing.TB, token string) checkout.Cart {
	t.Helper()
	c, err := s.Checkout.Cart(t.Context(), s.Visitor(), token)
	return must(t, c, err)
}

// seats are taken, on each of the dates.
func (s shop) seats(t testing.TB, dates []apptest.OccurrenceRow) []int {
	t.Helper()
	out := make([]int, len(dates))
	for i, d := range dates {
		out[i] = s.taken(t, d)
	}
	return out
}

func all(n, dates int) []int { return slices.Repeat([]int{n}, dates) }

// bookings of a course: the number in each state, the number of groups, and their price together.
func (s shop) enrolled(t testing.TB, course apptest.OfferingRow) string {
	t.Helper()
	return apptest.Value[string](t, s.w, `select coalesce(string_agg(state || ' ' || n || ' in ' || groups || ' for ' || price, ', ' order by state), '') from (
		select state, count(*) as n, count(distinct group_id) as groups, sum(price_amount) as price from bookings where offering_id = $1 group by state) b`, course.ID)
}

// A course is one line of a cart and one of the order: one price, one tax, one application fee; and a booking for
// each of its dates.
func TestCourseBought(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 4, 8000, 3)
	ada, token := s.Customer(t, "Ada"), s.enrol(t, course)
	c := s.cart(t, token)
	if len(c.Lines) != 1 || c.Totals.TotalAmount != 8000 {
		t.Fatalf("%d lines for %d", len(c.Lines), c.Totals.TotalAmount)
	}
	l := c.Lines[0]
	if !l.Course || len(l.Dates) != 4 || l.Spots != 3 || l.Problem != "" || !l.StartsAt.Equal(dates[0].StartsAt) || l.BookingID != nil {
		t.Errorf("the line: %+v", l)
	}
	for i, d := range l.Dates {
		if d.OccurrenceID != dates[i].ID || !d.StartsAt.Equal(dates[i].StartsAt) {
			t.Errorf("date %d: %+v", i, d)
		}
	}
	h := s.hold(t, ada, token)
	if again := s.hold(t, ada, token); len(h.Seats) != 4 || again.ID != h.ID || !slices.Equal(s.seats(t, dates), all(1, 4)) {
		t.Errorf("%d seats, taken: %v", len(h.Seats), s.seats(t, dates))
	}
	if got := s.enrolled(t, course); got != "held 4 in 1 for 8000" {
		t.Errorf("held: %s", got)
	}
	if l := s.cart(t, token).Lines[0]; l.BookingID == nil || len(l.Dates) != 4 || l.Dates[3].BookingID == nil || l.ListedAmount != 8000 {
		t.Errorf("the held line: %+v", l)
	}
	p := s.pay(t, ada, token, 8000)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	r := s.confirm(t, ada, token)
	if len(r.Lines) != 1 || r.Lines[0].ListedAmount != 8000 || len(r.Lines[0].Dates) != 4 || r.Lines[0].State != booking.Confirmed ||
		!r.Lines[0].StartsAt.Equal(dates[0].StartsAt) {
		t.Errorf("the receipt: %+v", r.Lines)
	}
	if got := s.enrolled(t, course); got != "confirmed 4 in 1 for 8000" {
		t.Errorf("confirmed: %s", got)
	}
	if fee := apptest.Value[string](t, s.w, "select count(*) || ' ' || sum(fee_amount) from payments"); fee != "1 160" {
		t.Errorf("application fees: %s", fee)
	}
	s.jobs(t)
	if got := s.mails(ada); !slices.Equal(got, []string{"booked"}) {
		t.Errorf("mails: %v", got)
	}
	s.check(t)
}

// Joining after the beginning is for the upcoming dates, at the full price; the line follows the calendar until it is
// held and has the held dates from then on.
func TestCourseJoinedLate(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 4, 8000, 3)
	ada, token := s.Customer(t, "Ada"), s.enrol(t, course)
	s.w.Clock.Set(dates[0].StartsAt)
	l := s.cart(t, token).Lines[0]
	if len(l.Dates) != 3 || !l.StartsAt.Equal(dates[1].StartsAt) || l.ListedAmount != 8000 || l.Problem != "" {
		t.Fatalf("after the first date: %+v", l)
	}
	s.w.Clock.Set(dates[1].StartsAt.Add(-time.Minute))
	s.hold(t, ada, token)
	s.w.Clock.Advance(2 * time.Minute) // the second begins while it is held
	s.AddOccurrence(t, course, dates[3].StartsAt.AddDate(0, 0, 7))
	l = s.cart(t, token).Lines[0]
	if len(l.Dates) != 3 || l.BookingID == nil || l.Problem != "" || !l.StartsAt.Equal(dates[1].StartsAt) {
		t.Errorf("the held line: %+v", l)
	}
	p := s.pay(t, ada, token, 8000)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	if r := s.confirm(t, ada, token); len(r.Lines[0].Dates) != 3 {
		t.Errorf("the receipt: %+v", r.Lines)
	}
	s.w.Clock.Set(dates[3].StartsAt.AddDate(0, 0, 7))
	_, err := s.Checkout.AddItem(t.Context(), s.Visitor(), s.Fill(t), checkout.AddItemInput{CourseID: course.ID})
	refused(t, "a course that is over", err, booking.ErrStarted)
	s.check(t)
}

// A74. A course is booked with all of its dates or not at all: a single date is refused, and one that is full keeps
// the whole from being held and is named.
func TestA74_CourseWholeOrNot(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 4, 8000, 1)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	add := func(in checkout.AddItemInput) error {
		_, err := s.Checkout.AddItem(t.Context(), s.Visitor(), s.Fill(t), in)
		return err
	}
	err := add(checkout.AddItemInput{OccurrenceID: dates[1].ID})
	refused(t, "a single date", err, booking.ErrCourse)
	if detail(err, "offeringId") != course.ID.String() {
		t.Errorf("a single date: %v", detail(err, "offeringId"))
	}
	class := s.class(t, 2200, 1)
	classOf := apptest.Value[uuid.UUID](t, s.w, "select offering_id from occurrences where id = $1", class.ID)
	for what, in := range map[string]checkout.AddItemInput{
		"a class": {CourseID: classOf}, "nothing": {}, "both": {CourseID: course.ID, OccurrenceID: dates[0].ID},
	} {
		if err := add(in); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := add(checkout.AddItemInput{CourseID: uuid.New()}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
	s.w.SQL(t, "update offerings set state = 'draft' where id = $1", course.ID)
	refused(t, "a draft", add(checkout.AddItemInput{CourseID: course.ID}), booking.ErrNotBookable)
	s.w.SQL(t, "update offerings set state = 'published' where id = $1", course.ID)

	token := s.enrol(t, course)
	_, err = s.Checkout.AddItem(t.Context(), s.Visitor(), token, checkout.AddItemInput{CourseID: course.ID})
	refused(t, "twice", err, booking.ErrDuplicate)
	for _, i := range []int{1, 3} {
		_, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
			Customer: booking.CustomerRef{Email: "guest@example.com"}, OccurrenceID: dates[i].ID, Override: true, Reason: "a trial lesson",
		})
		must(t, 0, err)
	}
	if l := s.cart(t, token).Lines[0]; l.Spots != 0 {
		t.Errorf("%d spots", l.Spots)
	}
	_, err = s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	refused(t, "two dates full", err, booking.ErrFull)
	full, _ := detail(err, "dates").([]booking.FreeDate)
	if len(full) != 2 || full[0].OccurrenceID != dates[1].ID || full[1].OccurrenceID != dates[3].ID || !full[1].StartsAt.Equal(dates[3].StartsAt) {
		t.Errorf("full: %+v", full)
	}
	if got := s.seats(t, dates); !slices.Equal(got, []int{0, 1, 0, 1}) {
		t.Errorf("after the refusal: %v", got)
	}
	s.w.SQL(t, "update occurrences set capacity = 5, online_capacity = 5 where offering_id = $1", course.ID)
	s.hold(t, ada, token)
	rival := s.enrol(t, course)
	s.hold(t, bob, rival)
	again := s.enrol(t, course)
	s.hold(t, ada, again) // the same person in another cart: the first one's hold gives way
	if got := s.seats(t, dates); !slices.Equal(got, []int{2, 3, 2, 3}) {
		t.Errorf("two hold it: %v", got)
	}
	s.check(t)
}

// The held dates of a course are released together: with its line, with the cart, with the time; and it is renamed
// together.
func TestCourseReleased(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 3, 8000, 5)
	class := s.class(t, 2200, 5)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, class)
	for _, who := range []string{"", "Max"} {
		_, err := s.Checkout.AddItem(t.Context(), ada, token, checkout.AddItemInput{CourseID: course.ID, Attendee: who})
		must(t, 0, err)
	}
	s.hold(t, ada, token)
	c := s.cart(t, token)
	if len(c.Lines) != 3 || c.Totals.TotalAmount != 18200 || !slices.Equal(s.seats(t, dates), all(2, 3)) {
		t.Fatalf("%d lines for %d, taken %v", len(c.Lines), c.Totals.TotalAmount, s.seats(t, dates))
	}
	_, err := s.Checkout.UpdateItem(t.Context(), ada, token, c.Lines[2].ItemID, checkout.UpdateItemInput{})
	refused(t, "renamed to somebody who is in it", err, booking.ErrDuplicate)
	_, err = s.Checkout.UpdateItem(t.Context(), ada, token, c.Lines[2].ItemID, checkout.UpdateItemInput{Attendee: "Moritz"})
	must(t, 0, err)
	if n := apptest.Value[int](t, s.w, "select count(*) from bookings where attendee = 'Moritz' and state = 'held'"); n != 3 {
		t.Errorf("%d bookings were renamed", n)
	}
	_, err = s.Checkout.RemoveItem(t.Context(), ada, token, c.Lines[1].ItemID)
	must(t, 0, err)
	if got := s.seats(t, dates); !slices.Equal(got, all(1, 3)) || s.taken(t, class) != 1 {
		t.Errorf("one taken out: %v", got)
	}
	c = s.cart(t, token)
	_, err = s.Checkout.RemoveItem(t.Context(), ada, token, c.Lines[0].ItemID)
	must(t, 0, err)
	_, err = s.Checkout.RemoveItem(t.Context(), ada, token, c.Lines[1].ItemID)
	must(t, 0, err)
	if n := apptest.Value[int](t, s.w, "select count(*) from holds where state = 'live'"); n != 0 || !slices.Equal(s.seats(t, dates), all(0, 3)) {
		t.Errorf("%d holds, taken %v", n, s.seats(t, dates))
	}
	token = s.enrol(t, course)
	s.hold(t, ada, token)
	s.w.Clock.Advance(booking.HoldLife)
	must(t, 0, s.Booking.ExpireDue(t.Context()))
	if got := s.seats(t, dates); !slices.Equal(got, all(0, 3)) {
		t.Errorf("expired: %v", got)
	}
	s.hold(t, ada, token)
	must(t, 0, s.Checkout.Release(t.Context(), ada, token))
	if got := s.seats(t, dates); !slices.Equal(got, all(0, 3)) {
		t.Errorf("released: %v", got)
	}
	s.check(t)
}

// A payment after the hold expired takes all dates again, or all of it is refunded.
func TestCoursePaidLate(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 3, 8000, 1)
	ready := func(who tenancy.Scope) string {
		token := s.enrol(t, course)
		s.hold(t, who, token)
		p := s.pay(t, who, token, 8000)
		s.PayCard(t, p.ClientSecret, apptest.CardGood)
		s.w.Clock.Advance(booking.HoldLife)
		must(t, 0, s.Booking.ExpireDue(t.Context()))
		return token
	}
	ada := s.Customer(t, "Ada")
	token := ready(ada)
	_, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: "guest@example.com"}, OccurrenceID: dates[2].ID, Override: true, Reason: "a trial lesson",
	})
	must(t, 0, err)
	_, err = s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "one date gone", err, checkout.ErrRefunded)
	s.jobs(t)
	if got := s.seats(t, dates); !slices.Equal(got, []int{0, 0, 1}) || s.Refunded(t) != 8000 {
		t.Errorf("taken %v, %d back", got, s.Refunded(t))
	}
	s.w.SQL(t, "update occurrences set capacity = 2, online_capacity = 2 where id = $1", dates[2].ID)
	bob := s.Customer(t, "Bob")
	if r := s.confirm(t, bob, ready(bob)); len(r.Lines[0].Dates) != 3 || r.Lines[0].State != booking.Confirmed {
		t.Errorf("taken again: %+v", r.Lines)
	}
	s.check(t)
}

// A course with approval is requested, approved and declined as a whole.
func TestCourseWithApproval(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 3, 8000, 1)
	s.w.SQL(t, "update offerings set approval = true where id = $1", course.ID)
	ask := func(who tenancy.Scope) uuid.UUID {
		token := s.enrol(t, course)
		s.hold(t, who, token)
		p := s.pay(t, who, token, 8000)
		s.PayCard(t, p.ClientSecret, apptest.CardGood)
		r := s.confirm(t, who, token)
		return r.Lines[0].Dates[1].BookingID
	}
	ada, bob, cid := s.Customer(t, "Ada"), s.Customer(t, "Bob"), s.Customer(t, "Cid")
	first, second, third := ask(ada), ask(bob), ask(cid)
	if got := s.enrolled(t, course); got != "requested 9 in 3 for 24000" || !slices.Equal(s.seats(t, dates), all(0, 3)) {
		t.Fatalf("%s, taken %v", got, s.seats(t, dates))
	}
	_, err := s.Booking.Approve(t.Context(), s.Owner, booking.ApproveInput{BookingID: first})
	must(t, 0, err)
	_, err = s.Booking.Approve(t.Context(), s.Owner, booking.ApproveInput{BookingID: second})
	refused(t, "the second", err, booking.ErrFull)
	if full, _ := detail(err, "dates").([]booking.FreeDate); len(full) != 3 {
		t.Errorf("full: %+v", full)
	}
	_, err = s.Booking.Decline(t.Context(), s.Owner, booking.DeclineInput{BookingID: second, Reason: "full"})
	must(t, 0, err)
	if back := s.refunds(t); !slices.Equal(back, []int64{8000}) {
		t.Errorf("declined: %d back", back)
	}
	s.w.Clock.Set(dates[0].StartsAt) // the third is undecided
	must(t, 0, s.Booking.CompleteDue(t.Context()))
	if got := s.enrolled(t, course); got != "confirmed 3 in 1 for 8000, declined 6 in 2 for 16000" || !slices.Equal(s.seats(t, dates), all(1, 3)) {
		t.Errorf("%s, taken %v", got, s.seats(t, dates))
	}
	_, err = s.Booking.Approve(t.Context(), s.Owner, booking.ApproveInput{BookingID: third})
	refused(t, "too late", err, booking.ErrState)
	s.jobs(t)
	for who, want := range map[string][]string{ada.Email: {"approved", "booked"}, bob.Email: {"declined"}, cid.Email: {"declined"}} {
		var got []string
		for _, m := range s.Mail.List(who) {
			got = append(got, m.Subject)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %v", who, got)
		}
	}
	if got := s.cards(t); got != [3]int64{8000, 0, 0} {
		t.Errorf("taken, back, held: %v", got)
	}
	s.check(t)
}

// The customer's cart is refused, and nothing is kept, when a date of the course is cancelled between looking and
// holding; the next look is for the others.
func TestCourseChangesUnderway(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 3, 0, 1)
	calendar := schedule.New(schedule.Options{DB: s.w.DB, Bookings: waitlist.Calendar(s.Booking), Cards: processor.EnvSimulated})
	ada, token := s.Customer(t, "Ada"), s.enrol(t, course)
	_, err := calendar.CancelDate(t.Context(), s.Owner, schedule.CancelDateInput{OfferingID: course.ID, OccurrenceID: dates[0].ID})
	must(t, 0, err)
	if l := s.cart(t, token).Lines[0]; len(l.Dates) != 2 || l.Problem != "" || !l.StartsAt.Equal(dates[1].StartsAt) {
		t.Errorf("without the first: %+v", l)
	}
	s.hold(t, ada, token)
	_, err = calendar.CancelDate(t.Context(), s.Owner, schedule.CancelDateInput{OfferingID: course.ID, OccurrenceID: dates[1].ID})
	must(t, 0, err)
	_, err = s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "a date that was held was cancelled", err, booking.ErrHoldExpired)
	s.hold(t, ada, token)
	if r := s.confirm(t, ada, token); len(r.Lines[0].Dates) != 1 {
		t.Errorf("%+v", r.Lines)
	}
	if got := s.seats(t, dates); !slices.Equal(got, []int{0, 0, 1}) {
		t.Errorf("taken %v", got)
	}
	s.check(t)
}
