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
			{Name: "grants", Life: declare.Trade, Readers: []string{"app/checkout", "app/order"}},
			{Name: "memberships", Life: declare.Trade, Record: "Plan of a customer",
				Readers: []string{"app/checkout", "app/order"}},
			{Name: "plan_benefits", Life: declare.Trade, Record: "Benefit of a plan"},
			{Name: "plans", Life: declare.Trade, Record: "Plan", Readers: []string{"app/checkout"}},
			{Name: "redemptions", Life: declare.Trade, Record: "Credits"},
			{Name: "unearned_uses", Life: declare.Trade},
		},
		Refuses: map[string][]*fault.Error{
			"updatePlan":     {ErrArchived, ErrIncomplete},
			"setBenefits":    {ErrArchived, ErrIncomplete},
			"publishPlan":    {ErrIncomplete},
			"addCartItem":    {ErrUnavailable, ErrOwned, ErrNotNew},
			"holdCart":       {ErrUnavailable, ErrOwned, ErrNotNew},
			"chooseCartPlan": {ErrNotPaid},
			"createSale":     {ErrUnavailable, ErrOwned, ErrNotNew, ErrNotPaid},
			"addCompPlan":    {ErrUnavailable},
			"adjustCredits":  {ErrEnded, ErrShort},
			"extendPlan":     {ErrEnded, fault.ErrStale},
			"endPlan":        {ErrEnded, ErrUnused, fault.ErrStale},
			"returnGoods":    {ErrNotReturned},
		},
		Messages: []words.Text{
			"This plan cannot pay for this booking.",
			"This plan is for new customers.",
			"This plan is not sold here any more.",
			"You have this plan already. It can be bought only so often.",
		},
		Fields: map[string]words.Console{
			"activatedOn":  "first class",
			"costs":        "credits by offering",
			"credits":      "credits",
			"customerMax":  "purchases by a customer",
			"dayMax":       "bookings a day",
			"endsOn":       "end",
			"excludedIds":  "offerings left out",
			"forGuests":    "for guests too",
			"fromFirstUse": "valid from the first class",
			"grantId":      "credits of",
			"kinds":        "kinds of offerings",
			"newCustomers": "for new customers",
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
