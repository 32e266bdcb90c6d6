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
		"The price is $80.00 a month. Joining fee: $25.00, once. A payment that is due on a weekend is charged on the next " +
			"weekday. A payment that is 10 days late costs a fee of $15.00. The membership renews until you cancel it. " +
			"If you cancel, it ends with the billing period that is paid.": {
			Validity: every(1, rules.Month), Renewal: plan.Renewal{Terms: plan.Terms{
				JoiningAmount: 2500, OnWeekdays: true, LateAmount: 1500, LateDays: 10,
			}},
		},
		"The price is $80.00 a month. Payments are due on day 1 of the month. You first pay $120.00 for the days until then " +
			"and the whole period after them. The membership renews until you cancel it. " +
			"If you cancel, it ends with the billing period that is paid.": {
			Validity: every(1, rules.Month), Today: new(civil.NewDate(2026, time.June, 16)),
			Renewal: plan.Renewal{BillingDay: 1, Terms: plan.Terms{JoiningWhole: true}},
		},
		"The price is $80.00 a month. The membership renews until you cancel it. It runs for at least 6 payments. You can " +
			"end it before that, with the billing period that is paid, for a fee of $25.00. If you cancel on or before day 25 " +
			"of a month, it ends with that month, and otherwise with the next one.": {
			Validity: every(1, rules.Month), Renewal: plan.Renewal{MinPeriods: 6, Terms: plan.Terms{
				NoticeBy: 25, EndAmount: 2500,
			}},
		},
		"The price is $80.00 a month. The membership renews until you cancel it. To end it with a quarter of the year, " +
			"cancel at least 1 month before the quarter ends.": {
			Validity: every(1, rules.Month), Renewal: plan.Renewal{Terms: plan.Terms{NoticeMonths: 1, EndsQuarter: true}},
		},
		"The price is $80.00 a month. The membership renews until you cancel it. It runs for 12 payments, and then for 12 " +
			"more each time, unless you cancel it before. To end it then, cancel at least 3 months and 2 days before.": {
			Validity: every(1, rules.Month), Renewal: plan.Renewal{MinPeriods: 12, NoticeDays: 2, Terms: plan.Terms{
				NoticeMonths: 3, TermRenews: true,
			}},
		},
		"The price is $80.00 a month. The membership ends after 6 payments. You can end it before that, with the billing " +
			"period that is paid, for 50% of the remaining payments.": {
			Validity: every(1, rules.Month), Renewal: plan.Renewal{MinPeriods: 6, Ends: true, Terms: plan.Terms{EndPPM: 500_000}},
		},
		"The price is $80.00 a month. The membership renews until you cancel it. To end it with a billing period, cancel " +
			"at least 3 months before that period ends. By law, you can end it on any day, with at most 1 month of notice. " +
			"You can withdraw within 14 days of joining by telling the studio. What you use until then is not refunded.": {
			Validity: every(1, rules.Month), Renewal: plan.Renewal{Terms: plan.Terms{NoticeMonths: 3}}, Name: "DE",
		},
	} {
		p.PriceAmount, p.Currency = 8000, "USD"
		r := view.RenewalOf(p, catalog.Pricing{TaxCountry: p.Name})
		if got := strings.Join(view.RenewalTerms(w, r), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if said := w.RenewalConsent(r, "Harbour Yoga", "Unlimited", true); len(said) > plan.ConsentMax ||
			strings.Contains(said, "You can cancel under") == (p.Ends && p.Terms == plan.Terms{}) {
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
