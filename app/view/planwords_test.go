package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/discount"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/view"
)

// TestPlanLines: what a customer buys, in plain words; a name that is unknown is counted.
func TestPlanLines(t *testing.T) {
	t.Parallel()
	yin, flow := uuid.New(), uuid.New()
	names := view.NamesOf(map[uuid.UUID]string{yin: "Yin", flow: "Flow"})
	month := func(n int, first bool) plan.Validity {
		return plan.Validity{Count: n, Unit: rules.Month, FromFirstUse: first}
	}
	class := []catalog.Kind{catalog.Class}
	for want, p := range map[string]plan.Plan{
		"10 credits for all classes, valid for 3 months from the first class. At most 1 booking a day.": {
			Validity: month(3, true), Benefits: []plan.Benefit{{Credits: new(10), Kinds: class, DayMax: 1}},
		},
		"1 credit for Yin and Flow, without an end date. Yin costs 2 credits. Pays for guests too.": {
			Benefits: []plan.Benefit{{
				Credits: new(1), OfferingIDs: []uuid.UUID{yin, flow}, Costs: map[uuid.UUID]int{yin: 2}, ForGuests: true,
			}},
		},
		"Unlimited bookings for all appointments, valid for 1 month from the first appointment. For new customers.": {
			Validity: month(1, true), NewCustomers: true, Benefits: []plan.Benefit{{Kinds: []catalog.Kind{catalog.Appointment}}},
		},
		"Unlimited bookings for all classes. Not for Yin. 2 credits for Flow and 1 more. " +
			"Valid for 1 month from the purchase. At most 2 purchases per customer.": {
			Validity: month(1, false), CustomerMax: 2, Benefits: []plan.Benefit{
				{Kinds: class, ExcludedIDs: []uuid.UUID{yin}},
				{Credits: new(2), OfferingIDs: []uuid.UUID{flow, uuid.New()}},
			},
		},
		"8 credits for all classes in each billing period. Credits that are not used expire with it. For new customers.": {
			Kind: plan.Renewing, Validity: month(1, false), NewCustomers: true,
			Benefits: []plan.Benefit{{Credits: new(8), Kinds: class}},
		},
		"Unlimited bookings for all classes. 1 credit for Yin in each billing period. " +
			"Credits that are not used expire with it.": {
			Kind: plan.Renewing, Validity: month(1, false), Benefits: []plan.Benefit{
				{Kinds: class}, {Credits: new(1), OfferingIDs: []uuid.UUID{yin}},
			},
		},
		"Unlimited bookings. 2 guest passes for all classes in each billing period. " +
			"Passes that are not used expire with it.": {
			Kind: plan.Renewing, Validity: month(1, false), Benefits: []plan.Benefit{
				{}, {Credits: new(2), Kinds: class, GuestsOnly: true},
			},
		},
		"1 guest pass for all bookings, valid for 1 month from the purchase.": {
			Validity: month(1, false), Benefits: []plan.Benefit{{Credits: new(1), GuestsOnly: true}},
		},
		"": {},
	} {
		if got := strings.Join(view.PlanLines(view.Words{Locale: "en-US"}, p, names), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestRenewalTerms: what a membership costs, how it renews or ends, and what a cancellation does.
func TestRenewalTerms(t *testing.T) {
	t.Parallel()
	w := view.Words{Locale: "en-US"}
	every := func(n int, unit rules.Unit) plan.Validity { return plan.Validity{Count: n, Unit: unit} }
	for want, p := range map[string]plan.Plan{
		"The price is $80.00 a month. The membership renews until you cancel it. " +
			"If you cancel, it ends with the billing period that is paid.": {Validity: every(1, rules.Month)},
		"The first payment is $40.00, and after that the price is $80.00 a week. The membership renews until you cancel " +
			"it. It runs for at least 3 payments. If you cancel after that, it ends with the billing period that is paid.": {
			Validity: every(1, rules.Week), Renewal: plan.Renewal{IntroAmount: 4000, IntroPeriods: 1, MinPeriods: 3},
		},
		"The first 2 payments are $0.00 each, and after that the price is $80.00 every 30 days. The membership renews " +
			"until you cancel it. It runs for at least 2 payments. To end it with a billing period, cancel at least 1 day " +
			"before that period ends.": {
			Validity: every(30, rules.Day), Renewal: plan.Renewal{IntroPeriods: 2, MinPeriods: 2, NoticeDays: 1},
		},
		"The price is $80.00 every 2 years. The membership ends after 3 payments. It cannot be cancelled before that.": {
			Validity: every(2, rules.Year), Renewal: plan.Renewal{MinPeriods: 3, Ends: true},
		},
	} {
		p.PriceAmount, p.Currency = 8000, "USD"
		r := view.RenewalOf(p, catalog.Pricing{})
		if got := strings.Join(view.RenewalTerms(w, r), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if said := w.RenewalConsent(r, "Harbour Yoga", "Unlimited", true); len(said) > plan.ConsentMax ||
			strings.Contains(said, "You can cancel") == p.Ends {
			t.Errorf("the consent is %q", said)
		}
	}
}

// TestMemberDiscount: a discount as a benefit of a plan says how much is taken off what, and with which limits.
func TestMemberDiscount(t *testing.T) {
	t.Parallel()
	last, some := civil.NewDate(2026, time.July, 31), []uuid.UUID{uuid.New()}
	for want, d := range map[string]discount.Discount{
		"Members: 12.5% off bookings.": {PPM: 125_000, AppliesTo: discount.Bookings},
		"Members: 20% off some bookings. Until Jul 31, 2026.": {
			PPM: 200_000, AppliesTo: discount.Bookings, OfferingIDs: some, LastDay: &last,
		},
		"Members: 20% off some bookings. Once per customer.": {
			PPM: 200_000, AppliesTo: discount.Bookings, Weekdays: []time.Weekday{1}, CustomerUsesMax: 1,
		},
		"Members: $5 off products. For a price of $20 or more.": {Amount: 500, AppliesTo: discount.Goods, LeastAmount: 2000},
		"Members: 20% off bookings and products.":               {PPM: 200_000, AppliesTo: discount.All},
		"Members: 20% off some bookings, and off products.":     {PPM: 200_000, AppliesTo: discount.All, OfferingIDs: some},
	} {
		d.Name, d.Currency = "Members", "USD"
		if got := view.MemberDiscount(view.Words{Locale: "en-US", Zone: time.UTC}, d); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
