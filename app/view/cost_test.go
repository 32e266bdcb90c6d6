package view_test

import (
	"testing"
	"time"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/order"
	"foyer/app/view"
)

// costRules are rules by their two windows, in minutes before the start, and the fee; a number of late cancellations
// is waived in 30 days.
func costRules(freeUntil, lateFrom int, fee int64, forgiven int) catalog.Rules {
	r := catalog.StandardRules()
	r.Cancel = catalog.CancelRules{Allowed: true, FreeUntilMinutes: freeUntil, LateFromMinutes: lateFrom, LateFeeAmount: fee}
	r.Grace = catalog.GraceRules{Days: 30, LateCancels: forgiven}
	return r
}

// TestCancelTerms: the cost of cancelling in one sentence, by policy, price, time and earlier waivers.
func TestCancelTerms(t *testing.T) {
	t.Parallel()
	const hour, day = 60, 24 * 60
	starts := time.Date(2026, 6, 12, 18, 0, 0, 0, time.UTC)
	before := func(hours float64) time.Time { return starts.Add(-time.Duration(hours * float64(time.Hour))) }
	none, price := booking.CostBasis{}, booking.CostBasis{PriceAmount: 2395}
	withFee := booking.CostBasis{PriceAmount: 2395, FeeAmount: 49}
	used := func(s booking.CostBasis, ago ...time.Duration) booking.CostBasis {
		for _, d := range ago {
			s.WaivedAt = append(s.WaivedAt, starts.Add(-d))
		}
		return s
	}
	early := before(72)
	const freeUntil = "Free cancellation until Thu 11 Jun, 18:00; "
	refused := costRules(day, day, 500, 0)
	refused.Cancel.Allowed = false
	always := costRules(day, day, 500, 1)
	always.Grace.Days = 0
	one := day * 30 * time.Minute
	for name, c := range map[string]struct {
		rules catalog.Rules
		stake booking.CostBasis
		now   time.Time
		want  string
	}{
		// The price and no fee.
		"price, in time":               {costRules(day, day, 0, 0), price, early, freeUntil + "after that you lose $23.95."},
		"price, at the last instant":   {costRules(day, day, 0, 0), price, before(24), freeUntil + "after that you lose $23.95."},
		"price, too late":              {costRules(day, day, 0, 0), price, before(23), "If you cancel, you lose $23.95."},
		"price, nothing paid":          {costRules(day, day, 0, 0), none, early, "Free to cancel any time before it begins."},
		"price, nothing paid, late":    {costRules(day, day, 0, 0), none, before(1), "Free to cancel any time before it begins."},
		"price, service fee":           {costRules(day, day, 0, 0), withFee, early, "Until Thu 11 Jun, 18:00 you lose only the service fee of $0.49; after that you lose $24.44."},
		"price, service fee, too late": {costRules(day, day, 0, 0), withFee, before(1), "If you cancel, you lose $24.44."},
		"price back to the start":      {costRules(0, 0, 0, 0), price, early, "Free to cancel any time before it begins."},
		"service fee to the start":     {costRules(0, 0, 0, 0), withFee, early, "If you cancel, you lose only the service fee of $0.49."},
		"a fee that never comes":       {costRules(0, 0, 500, 0), price, early, "Free to cancel any time before it begins."},
		"a fee of nothing":             {costRules(0, day, 0, 1), price, before(1), "Free to cancel any time before it begins."},
		// The price and a fee, in one window.
		"both, in time":       {costRules(day, day, 500, 0), price, early, freeUntil + "after that you lose $23.95 and pay a late-cancellation fee of $5.00."},
		"both, too late":      {costRules(day, day, 500, 0), price, before(23), "If you cancel, you lose $23.95 and pay a late-cancellation fee of $5.00."},
		"both, that instant":  {costRules(day, day, 500, 0), price, before(24), "Until Thu 11 Jun, 18:00 you pay a late-cancellation fee of $5.00; after that you also lose $23.95."},
		"both, nothing paid":  {costRules(day, day, 500, 0), none, early, freeUntil + "after that you pay a late-cancellation fee of $5.00."},
		"both, free and late": {costRules(day, day, 500, 0), none, before(2), "If you cancel, you pay a late-cancellation fee of $5.00."},
		"both, service fee":   {costRules(day, day, 500, 0), withFee, early, "Until Thu 11 Jun, 18:00 you lose only the service fee of $0.49; after that you lose $24.44 and pay a late-cancellation fee of $5.00."},
		// Two windows.
		"two, in time":      {costRules(day, 12*hour, 500, 0), price, early, freeUntil + "then you lose $23.95; from Fri 12 Jun, 6:00, you also pay a late-cancellation fee of $5.00."},
		"two, between":      {costRules(day, 12*hour, 500, 0), price, before(20), "Until Fri 12 Jun, 6:00 you lose $23.95; after that you also pay a late-cancellation fee of $5.00."},
		"two, late":         {costRules(day, 12*hour, 500, 0), price, before(12), "If you cancel, you lose $23.95 and pay a late-cancellation fee of $5.00."},
		"two, nothing paid": {costRules(day, 12*hour, 500, 0), none, early, "Free cancellation until Fri 12 Jun, 6:00; after that you pay a late-cancellation fee of $5.00."},
		"the fee comes first": {costRules(12*hour, day, 500, 0), price, early,
			freeUntil + "then you pay a late-cancellation fee of $5.00; from Fri 12 Jun, 6:00, you also lose $23.95."},
		"the fee came first": {costRules(12*hour, day, 500, 0), price, before(20), "Until Fri 12 Jun, 6:00 you pay a late-cancellation fee of $5.00; after that you also lose $23.95."},
		// Waived fees.
		"the first":       {costRules(day, day, 500, 1), price, early, freeUntil + "after that you lose $23.95, and the $5.00 late-cancellation fee is waived (up to once in 30 days, and this would be the first)."},
		"the first, late": {costRules(day, day, 500, 1), price, before(1), "If you cancel, you lose $23.95, and the $5.00 late-cancellation fee is waived (up to once in 30 days, and this would be the first)."},
		"used up":         {costRules(day, day, 500, 1), used(price, one-day*time.Minute), early, freeUntil + "after that you lose $23.95 and pay a late-cancellation fee of $5.00."},
		"the second":      {costRules(day, day, 500, 2), used(none, 48*time.Hour), before(1), "If you cancel, the $5.00 late-cancellation fee is waived (up to twice in 30 days, and this would be the second)."},
		"both used up":    {costRules(day, day, 500, 2), used(none, 48*time.Hour, 50*time.Hour), before(1), "If you cancel, you pay a late-cancellation fee of $5.00."},
		"counts no more":  {costRules(day, day, 500, 1), used(price, one+2*day*time.Minute), early, freeUntil + "after that you lose $23.95, and the $5.00 late-cancellation fee is waived (up to once in 30 days, and this would be the first)."},
		"counts for an hour more": {costRules(day, day, 500, 1), used(none, one+2*time.Hour), before(3),
			"Until Fri 12 Jun, 16:00 you pay a late-cancellation fee of $5.00; after that the $5.00 late-cancellation fee is waived (up to once in 30 days, and this would be the first)."},
		"a late cancellation always": {always, used(none, 48*time.Hour), early, freeUntil + "after that the $5.00 late-cancellation fee is waived."},
		"two windows, forgiven": {costRules(day, 12*hour, 500, 1), price, early,
			freeUntil + "then you lose $23.95; from Fri 12 Jun, 6:00, you lose $23.95, and the $5.00 late-cancellation fee is waived (up to once in 30 days, and this would be the first)."},
		// Cancelling is impossible.
		"not online": {refused, price, early, "This cannot be cancelled online."},
		"begun":      {costRules(day, day, 500, 0), price, starts, ""},
	} {
		b := booking.Booking{State: booking.Confirmed, Rules: c.rules, StartsAt: starts, Currency: "USD"}
		if got := view.CancelTerms(view.Words{Now: c.now}, b, c.stake); got != c.want {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, c.want)
		}
	}
}

// TestCancelTermsOfOthers: requests, promoted waitlist entries, courses, and bookings that do not stand.
func TestCancelTermsOfOthers(t *testing.T) {
	t.Parallel()
	starts := time.Date(2026, 6, 12, 18, 0, 0, 0, time.UTC)
	week, paid := 7*24*time.Hour, booking.CostBasis{PriceAmount: 8000}
	soon, begun := starts.Add(-time.Hour), starts.Add(-2*week)
	refused := costRules(1440, 1440, 0, 0)
	refused.Cancel.Allowed = false
	for name, c := range map[string]struct {
		now    time.Time
		change func(*booking.Booking)
		want   string
	}{
		"a request":          {starts.Add(-week), func(b *booking.Booking) { b.State = booking.Requested }, "Free to withdraw until the studio answers; once confirmed, free cancellation until Thu 11 Jun, 18:00; after that you lose $80.00 and pay a late-cancellation fee of $5.00."},
		"a request, late":    {starts.Add(-2 * time.Hour), func(b *booking.Booking) { b.State = booking.Requested }, "Free to withdraw until the studio answers; once confirmed, if you cancel, you lose $80.00 and pay a late-cancellation fee of $5.00."},
		"a request for good": {starts.Add(-week), func(b *booking.Booking) { b.State, b.Rules = booking.Requested, refused }, "Free to withdraw until the studio answers; once confirmed, this cannot be cancelled online."},
		"booked late":        {starts.Add(-2 * time.Hour), func(b *booking.Booking) { b.GraceUntil = &soon }, "Free cancellation until Fri 12 Jun, 17:00; after that you lose $80.00 and pay a late-cancellation fee of $5.00."},
		"grace is over":      {starts.Add(-30 * time.Minute), func(b *booking.Booking) { b.GraceUntil = &soon }, "If you cancel, you lose $80.00 and pay a late-cancellation fee of $5.00."},
		"grace and no more":  {starts.Add(-2 * time.Hour), func(b *booking.Booking) { b.GraceUntil, b.Rules = &soon, refused }, "Free cancellation until Fri 12 Jun, 17:00; after that it cannot be cancelled online."},
		"a course":           {starts.Add(-week), func(b *booking.Booking) { b.CourseFrom = &starts }, "Free cancellation until Thu 11 Jun, 18:00; after that you lose $80.00; less than 24 hours before each date you also pay a late-cancellation fee of $5.00."},
		"a course, late":     {starts.Add(-time.Hour), func(b *booking.Booking) { b.CourseFrom = &starts }, "If you cancel, you lose $80.00; less than 24 hours before each date, as now, you also pay a late-cancellation fee of $5.00."},
		"a course has begun": {starts.Add(-3 * 24 * time.Hour), func(b *booking.Booking) { b.CourseFrom = &begun }, "If you cancel, you lose $80.00; less than 24 hours before each date you also pay a late-cancellation fee of $5.00."},
		"a course, forgiven": {starts.Add(-time.Hour), func(b *booking.Booking) { b.CourseFrom, b.Rules = &begun, costRules(1440, 1440, 500, 1) }, "If you cancel, you lose $80.00; less than 24 hours before each date, as now, the $5.00 late-cancellation fee is waived (up to once in 30 days, and this would be the first)."},
		"a course without":   {starts.Add(-week), func(b *booking.Booking) { b.CourseFrom, b.Rules = &starts, costRules(0, 0, 0, 0) }, "Free to cancel any time before its last date begins."},
		"a course for free": {starts.Add(-time.Hour), func(b *booking.Booking) {
			b.CourseFrom, b.Rules = &starts, costRules(0, 1440, 500, 0)
		}, "Free to cancel, but less than 24 hours before each date, as now, you pay a late-cancellation fee of $5.00."},
		"a course, fee first": {starts.Add(-20 * time.Hour), func(b *booking.Booking) {
			b.CourseFrom, b.Rules = &starts, costRules(720, 1440, 500, 0)
		}, "The price is refundable until Fri 12 Jun, 6:00; after that you lose $80.00; less than 24 hours before each date, as now, you also pay a late-cancellation fee of $5.00."},
		"a course that stays": {starts.Add(-week), func(b *booking.Booking) { b.CourseFrom, b.Rules = &starts, refused }, "This cannot be cancelled online."},
		"cancelled":           {starts.Add(-week), func(b *booking.Booking) { b.State = booking.Cancelled }, ""},
		"checked in":          {starts.Add(-time.Hour), func(b *booking.Booking) { b.State = booking.CheckedIn }, ""},
	} {
		b := booking.Booking{State: booking.Confirmed, Rules: costRules(1440, 1440, 500, 0), StartsAt: starts, Currency: "USD"}
		c.change(&b)
		if got := view.CancelTerms(view.Words{Now: c.now}, b, paid); got != c.want {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, c.want)
		}
	}
}

// TestCancelTermsAcrossClockChanges: a deadline in the night of a clock change is shown on the wall clock of that
// instant, as ShortWhen shows every other time.
func TestCancelTermsAcrossClockChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, start, want string }{
		{"America/New_York", "2026-03-09 02:30", "Free cancellation until Sun 8 Mar, 1:30; after that you lose $80.00."}, // 2:30 is not there that night
		{"America/New_York", "2026-11-02 01:30", "Free cancellation until Sun 1 Nov, 1:30; after that you lose $80.00."}, // of two, the second
		{"Europe/Lisbon", "2026-03-30 01:30", "Free cancellation until Sun 29 Mar, 0:30; after that you lose $80.00."},
		{"Australia/Lord_Howe", "2026-10-05 02:00", "Free cancellation until Sun 4 Oct, 1:30; after that you lose $80.00."}, // half an hour
	} {
		zone, err := civil.LoadZone(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		starts, err := time.ParseInLocation("2006-01-02 15:04", c.start, zone)
		if err != nil {
			t.Fatal(err)
		}
		w := view.Words{Now: starts.AddDate(0, 0, -5), Zone: zone}
		b := booking.Booking{State: booking.Confirmed, Rules: costRules(1440, 1440, 0, 0), StartsAt: starts, Currency: "USD"}
		got := view.CancelTerms(w, b, booking.CostBasis{PriceAmount: 8000})
		if said := "Free cancellation until " + w.ShortWhen(b.Rules.FreeUntil(starts)) + "; after that you lose $80.00."; got != c.want || got != said {
			t.Errorf("%s: %q, want %q, and the receipt says %q", c.zone, got, c.want, said)
		}
	}
}

// TestReceiptOfACourseThatLostItsFirstDate: the price comes back by the first date that takes place, as cancelling
// decides it, and one that the studio cancelled is none.
func TestReceiptOfACourseThatLostItsFirstDate(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 6, 12, 18, 0, 0, 0, time.UTC)
	second := first.Add(7 * 24 * time.Hour)
	r := order.Receipt{
		State: order.Fulfilled, Totals: order.Totals{Currency: "USD", SubtotalAmount: 8000, TotalAmount: 8000},
		Card: &order.ReceiptCard{Last4: "4242", Amount: 8000},
		Lines: []order.ReceiptLine{{
			Kind: order.Class, Quantity: 1,
			StartsAt: first, EndsAt: first.Add(time.Hour), State: booking.Confirmed, ListedAmount: 8000, CardAmount: 8000,
			Rules: costRules(1440, 1440, 0, 0),
			Dates: []booking.CourseDate{{StartsAt: first, State: booking.StudioCancelled}, {StartsAt: second, EndsAt: second.Add(time.Hour), State: booking.Confirmed}},
		}},
	}
	lines := view.ReceiptOf(view.Words{Now: first.Add(-time.Hour)}, r).Order.Lines
	if got, want := lines[0].Terms[0], "Free cancellation until Thu 18 Jun, 18:00; after that you lose $80.00."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Card, r.Lines[0].CardAmount = nil, 0
	lines = view.ReceiptOf(view.Words{Now: first.Add(-time.Hour)}, r).Order.Lines
	if got, want := lines[0].Terms[0], "Free to cancel any time before its last date begins."; got != want {
		t.Errorf("nothing was paid: %q, want %q", got, want)
	}
}
