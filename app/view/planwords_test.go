package view_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/catalog"
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
		"": {},
	} {
		if got := strings.Join(view.PlanLines(view.Words{Locale: "en-US"}, p, names), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
