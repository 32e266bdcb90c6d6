package terms_test

import (
	"fmt"
	"testing"
	"time"

	"foyer/app/apptest/terms"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/hosted/my"
	"foyer/app/view"
	"foyer/app/words"
)

// TestRead: the first part of a sentence has the terms for now.
func TestRead(t *testing.T) {
	for sentence, want := range map[string]terms.Told{
		"Free cancellation until Thu 11 Jun, 18:00; after that you lose $23.95 and pay a late-cancellation fee of $5.00.":                                                         {},
		"Until Fri 12 Jun, 6:00 you lose $23.95; after that you also pay a late-cancellation fee of $5.00.":                                                                       {Lost: "$23.95"},
		"Until Thu 11 Jun, 18:00 you lose only the service fee of $0.49; after that you lose $24.44.":                                                                             {Lost: "$0.49"},
		"If you cancel, you lose €1,000.50 and pay a late-cancellation fee of €5.00.":                                                                                             {Lost: "€1,000.50", Fee: "€5.00"},
		"If you cancel, you pay a late-cancellation fee of $5.00.":                                                                                                                {Fee: "$5.00"},
		"If you cancel, you lose $23.95, and the $5.00 late-cancellation fee is waived (up to once in 30 days, and this would be the first).":                                     {Lost: "$23.95", Waived: "$5.00"},
		"If you cancel, you lose $80.00; less than 24 hours before each date you also pay a late-cancellation fee of $5.00.":                                                      {Lost: "$80.00"},
		"If you cancel, you lose $80.00; less than 24 hours before each date, as now, you also pay a late-cancellation fee of $5.00.":                                             {Lost: "$80.00", Fee: "$5.00"},
		"Free to withdraw until the studio answers; once confirmed, if you cancel, you lose $80.00 and pay a late-cancellation fee of $5.00.":                                     {},
		"Free to cancel, but less than 24 hours before each date you pay a late-cancellation fee of $5.00.":                                                                       {},
		"Free to cancel, but less than 24 hours before each date, as now, you pay a late-cancellation fee of $5.00.":                                                              {Fee: "$5.00"},
		"The price is refundable until Fri 12 Jun, 6:00; after that you lose $80.00; less than 24 hours before each date, as now, you also pay a late-cancellation fee of $5.00.": {Fee: "$5.00"},
		"This cannot be cancelled online.": {Refused: true},
		"Until Fri 12 Jun, 16:00 you pay a late-cancellation fee of $5.00; after that the $5.00 late-cancellation fee is waived (up to once in 30 days, and this would be the first).": {Fee: "$5.00"},
	} {
		if got, ok := terms.Read(words.In("en"), sentence); got != want || !ok {
			t.Errorf("%q: %+v %t, want %+v", sentence, got, ok, want)
		}
	}
}

// TestAgree notices every amount that one page has and the other has not.
func TestAgree(t *testing.T) {
	booking := `<ul class="terms hint"><li>If you cancel, you lose $22.00 and pay a late-cancellation fee of $5.00.</li><li>You cannot reschedule online.</li></ul>`
	asks := func(outcomes string) string { return `<dl class="outcome">` + outcomes + `</dl>` }
	const lost, fee = `<div><dt>Not refunded</dt><dd><strong class="num bad">$22.00</strong> <span>The price came back until Fri.</span></dd></div>`,
		`<div><dt>Fee</dt><dd><strong class="num bad">$5.00</strong> <span>Due.</span></dd></div>`
	if err := terms.Agree(booking, asks(lost+fee)); err != nil {
		t.Error(err)
	}
	for name, page := range map[string]string{
		"no fee": asks(lost), "nothing lost": asks(fee), "refused": `<p>This cannot be cancelled here</p>`,
		"forgiven": asks(lost + `<div><dt>Fee</dt><dd><span>None this time: the late-cancellation fee of $5.00 is waived.</span></dd></div>`),
	} {
		if terms.Agree(booking, page) == nil {
			t.Errorf("%s: it is not noticed", name)
		}
	}
	if terms.Agree(`<ul class="terms hint"><li>Cancelling applies to the whole course.</li></ul>`, asks(lost+fee)) == nil {
		t.Error("a page without the sentence agrees")
	}
}

// TestReadInEveryLanguage: the sentence is read back in each language, for a booking and for a course, in time and
// late, with a service fee, a late-cancellation fee, and one that is waived.
func TestReadInEveryLanguage(t *testing.T) {
	starts := time.Date(2026, 6, 12, 18, 0, 0, 0, time.UTC)
	for _, l := range words.Languages() {
		for n := range 2 * 2 * 2 * 4 * 3 {
			course, withFee, sold, policy, hours := n%2 == 1, n/2%2 == 1, n/4%2 == 1, n/8%4, []int{72, 18, 1}[n/32]
			rules := catalog.StandardRules()
			rules.Cancel = catalog.CancelRules{Allowed: true, FreeUntilMinutes: 24 * 60, LateFromMinutes: []int{24, 12, 36, 24}[policy] * 60, LateFeeAmount: 500}
			rules.Grace = catalog.GraceRules{Days: 30, LateCancels: policy / 3}
			b := booking.Booking{State: booking.Confirmed, Rules: rules, StartsAt: starts, Currency: "EUR"}
			if course {
				b.CourseFrom = &starts
			}
			stake := booking.CostBasis{}
			if sold {
				stake.PriceAmount = 2395
				if withFee {
					stake.FeeAmount = 49
				}
			}
			w := view.Words{Locale: l.Tag, Now: starts.Add(-time.Duration(hours) * time.Hour)}
			amount := func(minor int64) string {
				if minor == 0 {
					return ""
				}
				return w.Money(view.Price{Minor: minor, Currency: "EUR"})
			}
			now := b.Costs(stake, w.Now)[0]
			want := terms.Told{Lost: amount(now.LostAmount), Fee: amount(now.FeeAmount), Waived: amount(now.WaivedAmount)}
			sentence := view.CancelTerms(w, b, stake)
			if got, ok := terms.Read(w.Lang(), sentence); got != want || !ok {
				t.Errorf("%s: %q: %+v %t, want %+v", l.Tag, sentence, got, ok, want)
			}
		}
	}
}

// TestAgreeInALanguage: the language is that of the page.
func TestAgreeInALanguage(t *testing.T) {
	for _, l := range words.Languages() {
		w := view.Words{Locale: l.Tag}
		agreeIn(t, w, l.Tag, "23,95 €", "5,00 €", "6,00 €")
		agreeIn(t, w, l.Tag, "$23.95", "$5.00", "$5.50")
	}
}

func agreeIn(t *testing.T, w view.Words, tag, lost, fee, other string) {
	t.Helper()
	sentence := w.T(view.CostNow, "cost", w.T(view.CostsPriceWaived, "price", lost, "fee", fee))
	booking := fmt.Sprintf(`<html lang="%s"><ul class="terms hint"><li>%s.</li></ul>`, tag, sentence)
	asks := func(forgiven string) string {
		return fmt.Sprintf(`<dl class="outcome"><div><dt>%s</dt><dd><strong>%s</strong></dd></div><div><dt>%s</dt><dd><span>%s</span></dd></div></dl>`,
			w.T(my.OutcomeLost), lost, w.T(my.OutcomeFee), w.T(my.OutcomeWaived, "when", "1.6.", "fee", forgiven))
	}
	if err := terms.Agree(booking, asks(fee)); err != nil {
		t.Error(tag, err)
	}
	if terms.Agree(booking, asks(other)) == nil {
		t.Errorf("%s: another fee is not noticed", tag)
	}
}
