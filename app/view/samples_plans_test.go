package view_test

import (
	"maps"
	"time"

	"github.com/a-h/templ"

	"foyer/app/fault"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/my"
	store "foyer/app/hosted/shop"
	"foyer/app/view"
)

// covered is what pays for a seat that a pack covers, beside a pass that does not.
func covered() *cart.SeatPlan {
	return &cart.SeatPlan{
		ID: "1", Name: "Sunrise Vinyasa, Fri 20 Nov, 6:30", Paid: "Paid with 10-class pack: 1 credit", Choice: true,
		Form: post("/cart/abc/items/1/plan"), Options: []cart.PlanChoice{
			{Value: "a", Name: "10-class pack", Note: "7 credits left", Chosen: true},
			{Value: "b", Name: "Monthly pass", Note: "Already used on this day", Off: true},
			{Value: "price", Name: "Pay the price: $22.00"},
		},
	}
}

// plans are the pages about plans.
func plans(sh view.Shell) map[string]templ.Component {
	sold := store.Plans{Shop: "/shop/harbour", Plans: []store.Plan{
		{ID: "1", Name: "10-class pack", Text: "For all levels.", Price: "$180", Form: post("/shop/harbour/plans"),
			Lines: []string{"10 credits for all classes, valid for 3 months from the first class.",
				"Workshop costs 2 credits."}},
		{ID: "2", Name: "Monthly pass", Price: "$120", Form: post("/shop/harbour/plans"),
			Lines: []string{"Unlimited bookings for all classes, valid for 1 month from the purchase.",
				"At most 1 booking a day."}},
	}}
	refused := sold
	refused.Trouble = &view.Trouble{Title: "This was not added to your cart", Text: "This plan is for new customers."}
	paid := pay(cart.PayNothing)
	paid.Order.Lines[0].Plan = covered().Paid
	paid.Plans = &cart.PayPlans{Seats: []*cart.SeatPlan{covered()}, Shop: "/shop/harbour/plans"}
	short := pay(cart.PayTest)
	short.Plans = &cart.PayPlans{
		Shop: "/shop/harbour/plans",
		Seats: []*cart.SeatPlan{
			{ID: "1", Name: "Sunrise Vinyasa, Fri 20 Nov, 6:30", Options: []cart.PlanChoice{
				{Value: "a", Name: "10-class pack", Note: "Ends before this booking", Off: true},
			}},
			{ID: "2", Name: "Reformer Basics, Fri 20 Nov, 9:00", Form: post("/cart/abc/items/2/plan")},
		},
		Sale: []cart.PlanOnSale{{ID: "2", Name: "Monthly pass", Price: "$120", Form: post("/cart/abc/plans")}},
	}
	pack := my.Plan{
		Name: "10-class pack", Studio: "Harbour Yoga", Left: []string{"7 credits left"}, Until: "Valid until 20 Feb 2027",
		Href: "/my/plans/1", Book: "/harbour",
	}
	ended := pack
	ended.Name, ended.Left, ended.Until = "Intro offer", nil, "Ended on 1 Nov"
	change := func(label, item, credits, left string) my.CreditChange {
		return my.CreditChange{At: now.Add(-time.Hour), Zone: lisbon, Label: label, Item: item, Credits: credits,
			Balance: left}
	}
	all := memberships(sh, pack)
	maps.Copy(all, map[string]templ.Component{
		"plans":         store.PlansPage(sh, sold),
		"plans-refused": store.PlansPage(sh, refused),
		"plans-none":    store.PlansPage(sh, store.Plans{Shop: "/shop/harbour"}),
		"pay-plan":      cart.PayPage(sh, paid),
		"pay-plan-not":  cart.PayPage(sh, short),
		"my-plans": my.PlansPage(sh, my.Plans{Email: "ana@example.com", Active: []my.Plan{pack},
			Ended: []my.Plan{ended}}),
		"my-plans-none": my.PlansPage(sh, my.Plans{Email: "ana@example.com"}),
		"my-plan": my.PlanPage(sh, my.History{Plan: pack, Receipt: "/receipt/abc", More: "/my/plans/1?before=x",
			Changes: []my.CreditChange{
				change("Booking", "Sunrise Vinyasa, Fri 20 Nov, 6:30", "−1 credit", "7 credits left"),
				change("Purchase", "", "+10 credits", "10 credits left"),
			}}),
	})
	return all
}

// memberships are the pages about memberships that renew.
func memberships(sh view.Shell, owned my.Plan) map[string]templ.Component {
	const consent = "Harbour Yoga saves the card that you pay with, and charges it at the start of each billing period " +
		"of Unlimited. The price is $80.00 a month. The membership renews until you cancel it. If you cancel, it ends with " +
		"the billing period that is paid."
	one := store.Membership{
		Plan: store.Plan{ID: "3", Name: "Unlimited", Text: "For all levels.", Price: "$80 a month",
			Form: post("/shop/harbour/plans/3"), Lines: []string{"Unlimited bookings.", "The price is $80.00 a month."}},
		Plans: "/shop/harbour/plans", Consent: consent, Agreed: "abc",
	}
	unticked := one
	unticked.Trouble = &view.Trouble{Fields: []fault.Field{{Field: "consent", Message: "Tick the box to agree."}}}
	paid := pay(cart.PayTest)
	paid.Items, paid.SaveConsent = true, ""
	paid.Renewals = "Harbour Yoga saves the card that you pay with for the renewals that you agreed to."
	owned.Name, owned.Left, owned.Until = "Unlimited", []string{"Unlimited bookings"}, "Renews until you cancel it"
	owned.Cancel = "/my/plans/1/cancel"
	due := owned
	owned.Notes = []string{"Next payment: $80.00 on 20 Dec, charged to Visa ending 4242."}
	due.Notes, due.Late = []string{
		"A payment of $80.00 has been overdue since 10 Nov. Until you pay it, the plan pays for no more bookings.",
		"If it is not paid before 24 Nov, the membership ends.",
	}, true
	due.Pay, due.Agree = "/receipt/abc/pay", "/my/plans/1/agree"
	cancel := my.CancelPlan{
		Name: "Unlimited", Studio: "Harbour Yoga", Plan: "/my/plans/1", Form: post("/my/plans/1/cancel"),
		Points: []my.Outcome{
			{Label: "Last day", Text: "Wednesday 9 December. You can book with it until then."},
			{Label: "Payments", Amount: new(usd(16000)), Text: "2 more payments are due until then.", Bad: true},
		},
	}
	booked := cancel
	booked.Form = view.Form{}
	booked.Booked = "This membership pays for 2 bookings after its last day. Cancel those bookings first."
	agree := my.Agree{
		Name: "Unlimited", Studio: "Harbour Yoga", Consent: consent, Card: "Visa ending 4242", Plan: "/my/plans/1",
		Form: post("/my/plans/1/agree"),
	}
	cardless := agree
	cardless.Card = ""
	cardless.NoCard = "You have no saved card with Harbour Yoga. Until you save one, you get a link to pay by e-mail."
	return map[string]templ.Component{
		"membership":               store.MembershipPage(sh, one),
		"membership-unticked":      store.MembershipPage(sh, unticked),
		"pay-membership":           cart.PayPage(sh, paid),
		"my-memberships":           my.PlansPage(sh, my.Plans{Email: "ana@example.com", Active: []my.Plan{due, owned}}),
		"my-membership":            my.PlanPage(sh, my.History{Plan: due}),
		"my-membership-agree":      my.AgreePage(sh, agree),
		"my-membership-agree-none": my.AgreePage(sh, cardless),
		"my-membership-cancel":     my.CancelPlanPage(sh, cancel),
		"my-membership-booked":     my.CancelPlanPage(sh, booked),
	}
}
