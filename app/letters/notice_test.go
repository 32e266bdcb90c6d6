package letters_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/clock"
	"foyer/app/letters"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/schedule"
)

var harbour = business.Address{Street: "12 Quay Street", City: "Portland", Country: "US"}

// A studio's changes of a booking are written in words and figures, on the wall clock of its location.
func TestNoticeLetters(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	nine := time.Date(2026, 6, 11, 13, 0, 0, 0, time.UTC)
	told := func(what booking.NoticeKind, change func(*notice.Notice)) mail.Message {
		n := notice.Notice{Kind: what, To: "ana@example.com", Locale: "en", Address: harbour, Accent: "#0b7285", Booking: booking.CustomerBooking{
			BusinessName: "Harbour Yoga", Shown: booking.Shown{
				Booking:      booking.Booking{ID: uuid.MustParse("0190a1b2-0000-7000-8000-000000000001"), StartsAt: nine, EndsAt: nine.Add(time.Hour), PriceAmount: 2200, Currency: "USD", State: booking.Confirmed, Rules: catalog.StandardRules()},
				LocationName: "Harbour", Zone: "America/New_York", Kind: catalog.Class, OfferingName: "Sunrise Vinyasa", Instructor: "Ana Ruiz",
			},
		}}
		if change != nil {
			change(&n)
		}
		return w.Notice(n)
	}
	team := func(what schedule.NoticeKind) mail.Message {
		return w.Team(notice.TeamNotice{What: what, To: "ana@example.com", BusinessName: "Harbour Yoga", LocationName: "Harbour",
			Zone: "Nowhere/Known", OfferingName: "Sunrise Vinyasa", StartsAt: nine, EndsAt: nine.Add(time.Hour)})
	}
	for name, c := range map[string]struct {
		mail mail.Message
		want []string
	}{
		"booked": {told(booking.ToldBooked, func(n *notice.Notice) { n.AtStudioAmount = 2200 }), []string{"You’re booked", "Sunrise Vinyasa", "9:00 to 10:00", "With Ana Ruiz, Harbour",
			"$22.00, due at the studio", "Free to cancel any time before it begins.", "https://book.example/my"}},
		"booked, and something is to be agreed to": {told(booking.ToldBooked, func(n *notice.Notice) {
			n.Outstanding, n.Booking.BusinessID = true, uuid.MustParse("0190a1b2-0000-7000-8000-000000000002")
		}),
			[]string{"Harbour Yoga requires your agreement before your visit.", "Read and agree: https://book.example/my/agreements/0190a1b2-0000-7000-8000-000000000002\nReschedule or cancel: "}},
		"not in Portuguese alone": {told(booking.ToldReminder, func(n *notice.Notice) { n.Outstanding, n.Locale = true, "pt" }), []string{"Harbour Yoga", "https://book.example/my/agreements/"}},
		"approved": {told(booking.ToldApproved, func(n *notice.Notice) { n.CostBasis.PriceAmount = 2395 }),
			[]string{"Your booking is confirmed", "has approved your request", "Free cancellation until Wed, Jun 10, 9:00 am; after that you lose $23.95."}},
		"declined": {told(booking.ToldDeclined, func(n *notice.Notice) { n.RefundAmount, n.Words = 2400, "not for beginners" }),
			[]string{"declined", "“not for beginners”", "A refund of $24.00"}},
		"moved": {told(booking.ToldRescheduled, func(n *notice.Notice) { was := nine.Add(-time.Hour); n.WasAt = &was }), []string{"was rescheduled", "Previously: Thu, Jun 11, 8:00", "Free to cancel any time before it begins."}},
		"relocated": {told(booking.ToldRelocated, func(n *notice.Notice) { n.Words = "The roof leaks." }),
			[]string{"has a new location", "The time has not changed.", "“The roof leaks.”"}},
		"party": {told(booking.ToldParty, func(n *notice.Notice) { n.Booking.Party, n.MoreAmount = 3, 4400 }),
			[]string{"has changed", "It is now for 3 people.", "An additional $44.00 is due at the studio."}},
		"several": {told(booking.ToldBooked, func(n *notice.Notice) {
			n.Several, n.AtStudioAmount, n.Booking.OrderID = true, 6000, nil
			n.Booking.Dates = []booking.CourseDate{{State: n.Booking.State, StartsAt: nine, EndsAt: nine.Add(time.Hour)},
				{State: n.Booking.State, StartsAt: nine.AddDate(0, 0, 7), EndsAt: nine.AddDate(0, 0, 7).Add(time.Hour)}, {State: booking.Cancelled, StartsAt: nine.AddDate(0, 0, 14)}}
		}), []string{"Jun 11", "Jun 18", "$60.00 each time, due at the studio."}},
		"late": {told(booking.ToldCancelled, func(n *notice.Notice) { n.Booking.State, n.FeeAmount = booking.LateCancelled, 1500 }),
			[]string{"late cancellation", "A fee of $15.00 is due"}},
		"late, paid by credits": {told(booking.ToldCancelled, func(n *notice.Notice) {
			n.Booking.State, n.LostPlan, n.LostCredits = booking.LateCancelled, "10-class pack", 2
		}), []string{"late cancellation", "2 credits of 10-class pack are not returned."}},
		"late, paid by a pass": {told(booking.ToldCancelled, func(n *notice.Notice) {
			n.Booking.State, n.LostPlan = booking.LateCancelled, "Monthly"
		}), []string{"late cancellation", "It still counts for Monthly."}},
		"paid at the desk": {told(booking.ToldCancelled, func(n *notice.Notice) { n.DeskAmount, n.CreditAmount = 2200, 500 }),
			[]string{"The studio refunds your $22.00 at the desk.", "$5.00 is refunded as account credit with the studio."}},
		"friend": {told(booking.ToldCancelled, func(n *notice.Notice) { n.Booking.Attendee = "Ben" }), []string{"Harbour · Ben"}},
		"alone": {told(booking.ToldCancelled, func(n *notice.Notice) { n.Booking.LocationName = n.Booking.BusinessName }),
			[]string{"With Ana Ruiz\n"}},
		"off":         {told(booking.ToldStudioCancelled, nil), []string{"The studio cancelled your booking", "Harbour Yoga is sorry"}},
		"substituted": {told(booking.ToldSubstituted, nil), []string{"Your instructor has changed"}},
		"room": {told(booking.ToldRoom, func(n *notice.Notice) { n.Booking.Space, n.Words = "Loft", "The hall is being painted." }),
			[]string{"Your room has changed", "The time has not changed.", "Loft", "“The hall is being painted.”"}},
		"moved to another room and instructor": {told(booking.ToldRescheduled, func(n *notice.Notice) { n.NewInstructor, n.NewRoom = true, true }),
			[]string{"was rescheduled", "The instructor has changed.", "The room has changed."}},
		"restored": {told(booking.ToldRestored, nil), []string{"Back on the schedule", "To attend, book it again"}},
		"reminder": {told(booking.ToldReminder, func(n *notice.Notice) {
			n.Who, n.CostBasis.PriceAmount, n.CostBasis.DueAmount = []string{""}, 2395, 2200
		}), []string{
			"Due at the studio: $22.00.", "See you tomorrow", "Free cancellation until Wed, Jun 10, 9:00 am; after that you lose $23.95.", "Reschedule or cancel: https://book.example/my/bookings/0190a1b2-",
			"Directions: https://www.openstreetmap.org/search?query=Harbour+Yoga%2C+12+Quay+Street"}},
		"reminder of two": {told(booking.ToldReminder, func(n *notice.Notice) { n.Who, n.CostBasis.PriceAmount = []string{"Ben", ""}, 2395 }), []string{
			"2 people · you and Ben", "For each person: free cancellation until Wed", "Reschedule or cancel: https://book.example/my\n"}},
		"given": {team(schedule.NoticeGiven), []string{"You are scheduled to teach", "13:00 to 14:00"}},
		"taken": {team(schedule.NoticeUnassigned), []string{"You are no longer scheduled to teach"}},
	} {
		if c.mail.To != "ana@example.com" || c.mail.Subject == "" || c.mail.HTML == "" {
			t.Errorf("%s: to %q, subject %q", name, c.mail.To, c.mail.Subject)
		}
		text := strings.ReplaceAll(c.mail.Text, "\u00a0", " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
	}
}

// TestNoticeOfACourse has the cost of cancelling the whole course, counted from its next date, also in a letter about
// a past one.
func TestNoticeOfACourse(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	rules := catalog.StandardRules()
	rules.Cancel.LateFeeAmount = 500
	first, next := apptest.Start.Add(-24*time.Hour), apptest.Start.Add(6*24*time.Hour)
	n := notice.Notice{Kind: booking.ToldRescheduled, To: "ana@example.com", Booking: booking.CustomerBooking{Shown: booking.Shown{
		Booking: booking.Booking{StartsAt: first, EndsAt: first.Add(time.Hour), CourseFrom: &first, Currency: "USD", State: booking.Confirmed, Rules: rules},
		Dates:   []booking.CourseDate{{State: booking.Confirmed, StartsAt: first}, {State: booking.Confirmed, StartsAt: next}},
	}}, CostBasis: booking.CostBasis{PriceAmount: 8000}}
	const want = "If you cancel, you lose $80.00; less than 24 hours before each date you also pay a late-cancellation fee of $5.00."
	for _, text := range []string{w.Notice(n).Text, w.Notice(n).HTML} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
}
