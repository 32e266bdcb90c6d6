package plan

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/plan",
		Tables: []declare.Table{
			{Name: "cycles", Life: declare.Trade, Record: "Billing period", Readers: []string{"app/owed"}},
			{Name: "grants", Life: declare.Trade, Readers: []string{"app/checkout", "app/order"}},
			{Name: "memberships", Life: declare.Trade, Record: "Plan of a customer",
				Readers: []string{"app/checkout", "app/order"}},
			{Name: "plan_benefits", Life: declare.Trade, Record: "Benefit of a plan"},
			{Name: "plans", Life: declare.Trade, Record: "Plan", Readers: []string{"app/checkout"}},
			{Name: "redemptions", Life: declare.Trade, Record: "Credits"},
			{Name: "freezes", Life: declare.Trade, Record: "Freezes"},
			{Name: "plan_changes", Life: declare.Trade, Record: "Changes of plan"},
			{Name: "unearned_uses", Life: declare.Trade},
		},
		Refuses: map[string][]*fault.Error{
			"updatePlan":     {ErrArchived, ErrIncomplete},
			"setBenefits":    {ErrArchived, ErrIncomplete},
			"publishPlan":    {ErrIncomplete},
			"addCartItem":    {ErrUnavailable, ErrOwned, ErrNotNew, ErrConsent},
			"holdCart":       {ErrUnavailable, ErrOwned, ErrNotNew, ErrConsent},
			"chooseCartPlan": {ErrNotPaid},
			"createSale":     {ErrUnavailable, ErrOwned, ErrNotNew, ErrNotPaid, ErrNoPeriod},
			"addCompPlan":    {ErrUnavailable},
			"adjustCredits":  {ErrEnded, ErrShort},
			"extendPlan":     {ErrEnded, ErrRenews, fault.ErrStale},
			"endPlan":        {ErrEnded, ErrRenews, ErrUnused, fault.ErrStale},
			"cancelPlan":     {ErrEnded, ErrNotRenewing, ErrCanceled, ErrBooked, fault.ErrStale},
			"cancelMyPlan":   {ErrEnded, ErrNotRenewing, ErrCanceled, ErrBooked, fault.ErrStale},
			"renewMyPlan":    {ErrEnded, ErrNotRenewing},
			"returnGoods":    {ErrNotReturned},
		},
		Messages: []words.Text{
			"This plan cannot pay for this booking.",
			"Agree to the renewals of this membership first.",
			"This membership already has an end.",
			"This membership pays for bookings after its end. Cancel them first.",
			"This plan does not renew.",
			"This plan has ended.",
			"This plan is for new customers.",
			"This plan is not sold here any more.",
			"You have this plan already. It can be bought only so often.",
		},
		Fields: map[string]words.Console{
			"activatedOn":  "first class",
			"canceledAt":   "canceled",
			"consentText":  "consent to renewals",
			"consentedAt":  "consent given",
			"costs":        "credits by offering",
			"credits":      "credits",
			"customerMax":  "purchases by a customer",
			"dayMax":       "bookings a day",
			"ends":         "ends by itself",
			"endsOn":       "end",
			"excludedIds":  "offerings left out",
			"forGuests":    "for guests too",
			"fromFirstUse": "valid from the first class",
			"grantId":      "credits of",
			"introAmount":  "introductory price",
			"introPeriods": "periods at that price",
			"kinds":        "kinds of offerings",
			"membershipId": "membership of",
			"minPeriods":   "least periods",
			"newCustomers": "for new customers",
			"noticeDays":   "days of notice",
			"number":       "number",
			"planId":       "plan",
			"sold":         "terms",
			"startsOn":     "start",
			"upcomingMax":  "bookings at once",
			"validCount":   "length",
			"validUnit":    "unit of the length",
			"weekMax":      "bookings a week",
		},
		Checks: checks,
	}
}
