package catalog_test

import (
	"slices"
	"testing"

	"foyer/app/catalog"
	"foyer/app/words"
)

// TestFinePrint: both windows are one sentence, the first one, also for free offerings and courses; no other sentence
// of Summary is lost.
func TestFinePrint(t *testing.T) {
	rules := func(freeUntil, lateFrom int, fee int64) catalog.Rules {
		r := catalog.StandardRules()
		r.Cancel = catalog.CancelRules{Allowed: true, FreeUntilMinutes: freeUntil, LateFromMinutes: lateFrom, LateFeeAmount: fee}
		return r
	}
	refused := rules(1440, 1440, 500)
	refused.Cancel.Allowed = false
	for name, c := range map[string]struct {
		rules        catalog.Rules
		course, free bool
		want         string
	}{
		"price":             {rules(1440, 1440, 0), false, false, "Cancel until 24 hours before the start and the price is refunded. After that there is no refund."},
		"price and fee":     {rules(1440, 1440, 500), false, false, "Cancel until 24 hours before the start and the price is refunded. After that there is no refund, and you pay a late-cancellation fee of $5.00."},
		"two windows":       {rules(2880, 120, 500), false, false, "Cancel until 2 days before the start and the price is refunded. After that there is no refund, and less than 2 hours before the start you also pay a late-cancellation fee of $5.00."},
		"the fee first":     {rules(120, 2880, 500), false, false, "Cancel until 2 days before the start and the price is refunded. After that you pay a late-cancellation fee of $5.00, and less than 2 hours before the start there is also no refund."},
		"fee alone":         {rules(0, 120, 500), false, false, "Cancel at any time before the start and the price is refunded. If you cancel less than 2 hours before the start, you pay a late-cancellation fee of $5.00."},
		"neither":           {rules(0, 0, 500), false, false, "Cancel at any time before the start and the price is refunded."},
		"free, and a fee":   {rules(1440, 120, 500), false, true, "Cancel free of charge until 2 hours before the start. After that you pay a late-cancellation fee of $5.00."},
		"free, and none":    {rules(1440, 1440, 0), false, true, "Cancel free of charge at any time before the start."},
		"refused":           {refused, false, false, "Bookings cannot be cancelled online."},
		"a course":          {rules(1440, 1440, 500), true, false, "Cancel until 24 hours before the first date and the price is refunded. After that there is no refund, and less than 24 hours before each date you also pay a late-cancellation fee of $5.00."},
		"a course, no fee":  {rules(1440, 1440, 0), true, false, "Cancel until 24 hours before the first date and the price is refunded. After that there is no refund."},
		"a course for free": {rules(1440, 1440, 500), true, true, "Cancel free of charge until 24 hours before each date. After that you pay a late-cancellation fee of $5.00."},
	} {
		if got := c.rules.FinePrint(catalog.Class, c.course, c.free, "USD", words.In("en")); got[0] != c.want {
			t.Errorf("%s: %q, want %q", name, got[0], c.want)
		}
	}
	r := rules(1440, 1440, 500)
	r.NoticeMinutes, r.Grace, r.NoShow.FeeAmount = 120, catalog.GraceRules{Days: 30, LateCancels: 1}, 1500
	for _, kind := range catalog.Kind("").All() {
		told, all := r.FinePrint(kind, false, false, "USD", words.In("en")), r.Summary(kind, "USD", words.In("en"))
		for _, line := range all {
			if cancelling := line == all[1] || line == all[2]; !cancelling && !slices.Contains(told[1:], line) {
				t.Errorf("%s: %q is lost of %q", kind, line, told)
			}
		}
	}
	if told, all := r.FinePrint(catalog.Class, true, false, "USD", words.In("en")), r.CourseSummary("USD", words.In("en")); len(told) != len(all)-1 {
		t.Errorf("of a course: %q, and in the API %q", told, all)
	}
}
