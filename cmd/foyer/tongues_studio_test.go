package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/schedule"
	"foyer/app/waitlist"
	"foyer/policy"
)

// friend is a customer booked by the studio, newcomer joins its team, and founder opens another one.
const friend, newcomer, founder = "friend@example.com", "newcomer@harbour.example.com", "new.owner@example.com"

// must ends the walk when the studio is refused.
func (w *stroll) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %v", w.tongue.Tag(), err)
	}
}

// id is the first column of the first row.
func (w *stroll) id(sql string, args ...any) uuid.UUID {
	w.t.Helper()
	return uuid.MustParse(w.text(sql, args...))
}

// studio performs the acts of which customers and the team are notified by mail.
func (w *stroll) studio(location string) {
	w.t.Helper()
	ctx, owner, x := w.t.Context(), w.owners[0], w.x
	class := w.id("select id::text from offerings where name = 'Slow Burn'")
	free := fmt.Sprintf(`select id::text from occurrences where offering_id = $1 and state = 'scheduled' and taken = 0 and starts_at > timestamptz %q
		order by starts_at limit 1 offset `, w.clock.Now().Add(15*24*time.Hour).Format(time.RFC3339))
	free = strings.ReplaceAll(free, `"`, `'`)
	var dates []uuid.UUID
	for n := range 4 {
		dates = append(dates, w.id(free+fmt.Sprint(n), class))
	}
	who := booking.CustomerRef{Email: friend, Name: "Fred Friend"}
	made := map[uuid.UUID]booking.StudioBooking{}
	for _, date := range dates[:3] {
		b, err := x.Booking.Book(ctx, owner, booking.BookInput{Customer: who, OccurrenceID: date})
		w.must(err)
		made[date] = b.Booking
	}
	w.rest(w.t)
	moved, err := x.Booking.Reschedule(ctx, owner, booking.RescheduleInput{BookingID: made[dates[0]].ID, Target: booking.Target{OccurrenceID: dates[3]}})
	w.must(err)
	_, err = x.Schedule.CancelDate(ctx, owner, schedule.CancelDateInput{OfferingID: class, OccurrenceID: dates[1]})
	w.must(err)
	w.rest(w.t)
	_, err = x.Schedule.RestoreDate(ctx, owner, schedule.CancelDateInput{OfferingID: class, OccurrenceID: dates[1]})
	w.must(err)
	_, err = x.Schedule.Substitute(ctx, owner, schedule.SubstituteInput{
		OfferingID: class, OccurrenceID: dates[2], MemberID: w.id("select id::text from members where name = 'Jo Park'"),
		Override: true, Reason: "Ana is away",
	})
	w.must(err)
	w.rest(w.t)
	_, err = x.Booking.Cancel(ctx, owner, booking.CancelInput{BookingID: moved.Booking.ID, By: booking.ByStudio})
	w.must(err)
	_, err = x.Business.AddMember(ctx, owner, business.AddMemberInput{Email: newcomer, Name: "Nora New", Roles: []business.RoleAt{{Role: policy.Admin}}})
	w.must(err)
	w.rest(w.t)
	w.parties()
	w.answers()
	w.offers()
	w.reminds(made[dates[2]].StartsAt)
	w.late(location)
}

// parties changes how many come.
func (w *stroll) parties() {
	w.t.Helper()
	rental := w.id("select id::text from offerings where name = 'Open Reformer'")
	times, err := w.x.Availability.Times(w.t.Context(), w.owners[0].Tenant, schedule.TimesInput{OfferingID: rental})
	w.must(err)
	first := times.Days[1].Occurrences[0]
	b, err := w.x.Booking.Book(w.t.Context(), w.owners[0], booking.BookInput{
		Customer: booking.CustomerRef{Email: friend}, Time: &booking.Times{OfferingID: rental, StartsAt: first.StartsAt}, Party: 1,
	})
	w.must(err)
	two := 2
	_, err = w.x.Booking.Edit(w.t.Context(), w.owners[0], booking.EditInput{
		BookingID: b.Booking.ID, Version: b.Booking.Version, Party: &two, Difference: booking.DifferenceLater,
	})
	w.must(err)
	w.rest(w.t)
}

// answers approves one request and declines the other.
func (w *stroll) answers() {
	w.t.Helper()
	asked := `select b.id::text from bookings b join customers c on c.id = b.customer_id where c.email = $1 and b.state = 'requested' order by b.starts_at limit 1`
	owner := w.owners[1]
	w.open("/my/bookings/" + w.text(asked, walker))
	w.open(w.here() + "/cancel")
	_, err := w.x.Booking.Approve(w.t.Context(), owner, booking.ApproveInput{BookingID: w.id(asked, walker)})
	w.must(err)
	_, err = w.x.Booking.Decline(w.t.Context(), owner, booking.DeclineInput{BookingID: w.id(asked, walker)})
	w.must(err)
	w.rest(w.t)
}

// offers frees a seat for the waitlist: the offer expires, the next one is accepted. Then the studio books a customer
// from the list, and another's date is cancelled.
func (w *stroll) offers() {
	w.t.Helper()
	ctx, owner := w.t.Context(), w.owners[0]
	entry := w.id("select w.id::text from waitlist_entries w join customers c on c.id = w.customer_id where c.email = $1", walker)
	date := w.id("select occurrence_id::text from waitlist_entries where id = $1", entry)
	class := w.id("select offering_id::text from occurrences where id = $1", date)
	place := "/my/waitlist/" + w.x.Waitlist.Token(entry)
	guest := "select id::text from bookings where occurrence_id = $1 and state = 'confirmed' limit 1"
	waits := func(email string) uuid.UUID {
		person, err := w.people.Actor(ctx, email, uuid.Nil)
		w.must(err)
		person.Tenant = owner.Tenant
		e, err := w.x.Waitlist.Join(ctx, person, waitlist.JoinInput{OfferingID: class, OccurrenceID: date})
		w.must(err)
		return e.ID
	}
	other := waits(friend)
	ahead := "select id::text from waitlist_entries where occurrence_id = $1 and state = 'waiting' and id <> $2 and id <> $3"
	for w.count(strings.Replace(ahead, "id::text", "count(*)", 1), date, entry, other) > 0 { // those of the demo
		w.must(w.x.Waitlist.Remove(ctx, owner, waitlist.EntryInput{OfferingID: class, OccurrenceID: date, EntryID: w.id(ahead+" limit 1", date, entry, other)}))
	}
	_, err := w.x.Booking.Cancel(ctx, owner, booking.CancelInput{BookingID: w.id(guest, date), By: booking.ByStudio})
	w.must(err)
	w.rest(w.t)
	w.open(place)
	w.step("form[action$='/accept'] button")
	w.tab.Goto(w.url + place)
	w.look(w.here())
	w.clock.Advance(26 * time.Hour) // it passes, and goes to the next
	w.rest(w.t)
	w.open(place)
	_, err = w.x.Schedule.CancelDate(ctx, owner, schedule.CancelDateInput{OfferingID: class, OccurrenceID: date})
	w.must(err)
	w.rest(w.t)
	w.open(place)
}

// reminds lets the time come at which a booking is reminded of.
func (w *stroll) reminds(start time.Time) {
	w.t.Helper()
	w.clock.Advance(start.Add(-24*time.Hour + time.Minute).Sub(w.clock.Now()))
	w.rest(w.t)
}

// late pays after the hold has expired and the seats are booked: the payment is refunded.
func (w *stroll) late(location string) {
	w.t.Helper()
	w.choose(location, 1)
	if cart := w.here(); !strings.Contains(cart, "/pay") { // with the place that was accepted, and does not take place any more
		w.look(cart)
		cart, _, _ = strings.Cut(cart, "?")
		w.press("main form[action='" + cart + "'] button[type=submit]")
	}
	w.at("/pay")
	date := w.id("select h.id::text from (select b.occurrence_id id from bookings b where b.state = 'held' order by b.id desc limit 1) h")
	w.clock.Advance(25 * time.Minute)
	w.rest(w.t)
	for n := 0; ; n++ {
		_, err := w.x.Booking.Book(w.t.Context(), w.owners[0], booking.BookInput{
			Customer: booking.CustomerRef{Email: fmt.Sprintf("many%d@example.com", n), Name: "One of many"}, OccurrenceID: date,
		})
		if err != nil { // it is full
			break
		}
	}
	w.pays(apptest.CardGood)
	w.rest(w.t)
	w.look(w.here())
}

// count is the first column of the first row, as a number.
func (w *stroll) count(sql string, args ...any) (n int) {
	w.t.Helper()
	w.must(w.past.QueryRow(w.t.Context(), sql, args...).Scan(&n))
	return n
}

// opens opens a new studio from its invite.
func (w *stroll) opens() {
	w.t.Helper()
	w.open(strings.TrimPrefix(w.guide.InviteURL, w.url))
	w.tab.Fill("#email", "somebody.else@example.com")
	w.step("main form button[type=submit]")
	w.tab.Goto(w.guide.InviteURL)
	w.tab.Fill("#email", founder)
	w.step("main form button[type=submit]")
	w.tab.Fill("#code", w.code(founder))
	w.step("main form button[type=submit]")
	w.at("/studio")
	w.step("main form button[type=submit]")
	w.tab.Fill("[name=business]", "New Moon")
	w.tab.Fill("[name=name]", "Nina New")
	w.step("main form button[type=submit]")
	w.at("/location")
	w.step("main form button[type=submit]")
	w.tab.Fill("[name='location.name']", "Main Street")
	w.press("main form button[type=submit]")
	w.at("/welcome") // of the console, which speaks English
	w.letters(founder)
	w.tab.Goto(w.url + "/my")
	w.step("form[action='/my/sign-out'] button")
}
