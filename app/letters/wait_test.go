package letters_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/clock"
	"foyer/app/letters"
	"foyer/app/waitlist"
)

// TestWaitlistLetters have the next step and the deadline, and link to the page for leaving the list.
func TestWaitlistLetters(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	start := time.Date(2026, 6, 11, 13, 0, 0, 0, time.UTC)
	until := apptest.Start.Add(10 * time.Minute)
	second := 2
	wait := waitlist.CustomerEntry{
		Entry:        waitlist.Entry{State: waitlist.Waiting, Party: 1, OfferUntil: &until},
		BusinessName: "Harbour Yoga", LocationName: "Harbour", Zone: "America/New_York", Address: harbour, Currency: "USD",
		OfferingName: "Sunrise Vinyasa", Instructor: "Ana Ruiz", Space: "Studio B", StartsAt: start, EndsAt: start.Add(time.Hour),
		PriceAmount: 2200, Mode: catalog.WaitlistOffer, Position: &second, GraceUntil: &until,
		Recipient: waitlist.Recipient{Email: "rosa@example.com", Locale: "en"},
	}
	rules := catalog.StandardRules()
	rules.Cancel.LateFeeAmount, rules.Cancel.FreeUntilMinutes, rules.Cancel.LateFromMinutes = 1500, 2*24*60, 2*24*60
	became := booking.CustomerBooking{BusinessName: "Harbour Yoga", Shown: booking.Shown{
		Booking: booking.Booking{ID: uuid.MustParse("0190a1b2-0000-7000-8000-000000000001"), State: booking.Confirmed, StartsAt: start,
			EndsAt: start.Add(time.Hour), Rules: rules, Currency: "USD", GraceUntil: &until},
		Zone: "America/New_York", OfferingName: "Sunrise Vinyasa",
	}}
	w.Clock.(*clock.Fixed).Set(apptest.Start.Add(5 * time.Minute))
	const link = "https://book.example/my/waitlist/tok"
	for letter, want := range map[waitlist.LetterKind][]string{
		waitlist.LetterJoined:    {"You’re on the waitlist", "let you know", "Your position in line: 2.", link, "leave the waitlist"},
		waitlist.LetterOffered:   {"A spot is available for you", "until Wed, Jun 10, 8:10", "$22.00", "Accept spot: " + link, "leave the waitlist"},
		waitlist.LetterFree:      {"A spot is available", "The first to accept the spot gets it.", link},
		waitlist.LetterPromoted:  {"You’re booked", "$22.00 is due at the studio", "Free cancellation until Wed, Jun 10, 8:10 am; after that you pay a late-cancellation fee of $15.00.", "Reschedule or cancel: https://book.example/my/bookings/0190a1b2-", "Directions: https://"},
		waitlist.LetterExpired:   {"The spot went to the next person in line", "You stay on the waitlist", link},
		waitlist.LetterCancelled: {"cancelled", "waitlist is closed", link},
	} {
		m := w.Waitlist(waitlist.Letter{Letter: letter, CustomerEntry: wait, Token: "tok", Booking: became})
		if promoted := letter == waitlist.LetterPromoted; promoted != (len(m.Files) == 1 && strings.Contains(m.Files[0].Body, "METHOD:PUBLISH")) {
			t.Errorf("%s carries %v", letter, m.Files)
		}
		text := strings.ReplaceAll(m.Text, "\u00a0", " ")
		if m.To != "rosa@example.com" || !strings.Contains(m.Subject, "Sunrise Vinyasa") || m.HTML == "" {
			t.Errorf("%s: to %q, subject %q", letter, m.To, m.Subject)
		}
		for _, part := range append(want, "Sunrise Vinyasa", "With Ana Ruiz, Studio B", "Thursday, June 11, 9:00") {
			if !strings.Contains(text, part) {
				t.Errorf("%s lacks %q:\n%s", letter, part, text)
			}
		}
	}
	for mode, want := range map[catalog.WaitlistMode]string{
		catalog.WaitlistAuto: "we book it for you", catalog.WaitlistRace: "The first to accept it gets it.",
	} {
		wait.Mode, wait.Party, wait.Zone = mode, 2, "Nowhere/Known"
		if m := w.Waitlist(waitlist.Letter{Letter: waitlist.LetterJoined, CustomerEntry: wait, Token: "tok"}); !strings.Contains(m.Text, want) {
			t.Errorf("%s: %s", mode, m.Text)
		}
	}
}
