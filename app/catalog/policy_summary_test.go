package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"foyer/app/catalog"
	"foyer/app/words"
)

func TestSummary(t *testing.T) {
	const day = 24 * 60
	all := catalog.StandardRules()
	all.NoticeMinutes, all.WindowDays, all.PartyMin, all.PartyMax = 90, 30, 2, 6
	all.Cancel.LateFromMinutes, all.Cancel.LateFeeAmount = 2*60, 1000
	all.NoShow.FeeAmount = 1500
	all.Reschedule.UntilMinutes, all.Reschedule.Max = 3*day, 2
	all.Grace.LateCancels, all.Grace.NoShows = 1, 2
	all.Waitlist.Mode = catalog.WaitlistAuto
	closed := catalog.StandardRules()
	closed.Cancel.Allowed, closed.Reschedule.Allowed, closed.Waitlist.Mode = false, false, catalog.WaitlistOff
	lax := catalog.StandardRules()
	lax.Cancel.FreeUntilMinutes, lax.Reschedule.UntilMinutes, lax.Waitlist.Mode = 0, 0, catalog.WaitlistRace
	for _, c := range []struct {
		name  string
		rules catalog.Rules
		kind  catalog.Kind
		want  []string
	}{
		{"standard", catalog.StandardRules(), catalog.Class, []string{
			"Cancel at least 24 hours before the start and the price is refunded. After that there is no refund.",
			"Reschedule a booking until 24 hours before the start.",
			"When it is full, there is a waitlist. When a spot opens, it is held for 10 minutes for each person in turn.",
		}},
		{"everything", all, "", []string{
			"Book at least 1 hour 30 minutes before the start.",
			"Bookings open 30 days ahead.",
			"For 2 to 6 people.",
			"Cancel at least 24 hours before the start and the price is refunded. After that there is no refund.",
			"Cancelling less than 2 hours before the start costs a late-cancellation fee of $10.00.",
			"Reschedule a booking until 3 days before the start, at most twice.",
			"If you miss a booking that you did not cancel, you pay a no-show fee of $15.00.",
			"No fee for 1 late cancellation in 90 days.",
			"No fee for 2 no-shows in 90 days.",
			"When it is full, there is a waitlist. When a spot opens, the first person in line is booked.",
		}},
		{"nothing allowed", closed, catalog.Appointment, []string{"Bookings cannot be cancelled online.", "Bookings cannot be rescheduled online."}},
		{"lax", lax, catalog.Class, []string{
			"Cancel at any time before the start and the price is refunded.",
			"Reschedule a booking until the start.",
			"When it is full, there is a waitlist. When a spot opens, the first person on the waitlist to accept it gets it.",
		}},
	} {
		if got := c.rules.Summary(c.kind, "USD", words.In("en")); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s", c.name, strings.Join(got, "\n"))
		}
	}
	if got := strings.Join(all.Summary(catalog.Class, "JPY", words.In("en")), " "); strings.Contains(got, "people.") || !strings.Contains(got, "¥1,000") {
		t.Error(got)
	}
	if got := strings.Join(all.Summary(catalog.Rental, "USD", words.In("en")), " "); strings.Contains(got, "waitlist") {
		t.Error(got)
	}
	for party, want := range map[[2]int]string{{1, 1}: "For 1 person.", {1, 4}: "For up to 4 people.", {3, 0}: "For 3 people or more.", {2, 2}: "For 2 people."} {
		r := catalog.StandardRules()
		r.PartyMin, r.PartyMax = party[0], party[1]
		if got := r.Summary(catalog.Rental, "USD", words.In("en"))[0]; got != want {
			t.Errorf("%v: %s", party, got)
		}
	}
}

// A course counts from its first date, and from its next; it has no rescheduling and no waitlist.
func TestCourseSummary(t *testing.T) {
	r := catalog.StandardRules()
	r.NoticeMinutes, r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount = 60, 2880, 1440, 500
	want := []string{
		"Book at least 1 hour before the first date.",
		"Cancel at least 2 days before the first date and the price is refunded. After that there is no refund.",
		"Cancelling less than 24 hours before the next date costs a late-cancellation fee of $5.00.",
		"A course is cancelled as a whole, and cannot be rescheduled.",
	}
	if got := r.CourseSummary("USD", words.In("en")); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The deposit is described where there is one, with its refund and the time of charging the balance due.
func TestDepositSummary(t *testing.T) {
	const deposit, kept, rest = "You pay 30% of the price as a deposit when you book, and the remaining balance at the studio. If you cancel, the remaining balance is not due.",
		"The deposit is non-refundable, however early you cancel.", "If you have a saved card with the studio, the balance due is charged to it 2 days before the start."
	for _, c := range []struct {
		d    catalog.DepositRules
		want []string
	}{
		{catalog.DepositRules{NonRefundable: true, BalanceMinutes: 2880}, nil}, {catalog.DepositRules{Percent: 30}, []string{deposit}},
		{catalog.DepositRules{Percent: 30, NonRefundable: true}, []string{deposit, kept}}, {catalog.DepositRules{Percent: 30, BalanceMinutes: 2880}, []string{deposit, rest}},
		{catalog.DepositRules{Percent: 30, NonRefundable: true, BalanceMinutes: 2880}, []string{deposit, kept, rest}},
	} {
		r := catalog.StandardRules()
		r.Deposit = c.d
		plain := catalog.StandardRules().Summary(catalog.Class, "USD", words.In("en"))
		got := slices.DeleteFunc(r.Summary(catalog.Class, "USD", words.In("en")), func(s string) bool { return slices.Contains(plain, s) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q", c.d, got)
		}
		if free := r.FinePrint(catalog.Class, false, true, "USD", words.In("en")); slices.Contains(free, kept) || slices.Contains(free, rest) {
			t.Errorf("of what costs nothing: %q", free)
		}
	}
}
