package view_test

import (
	"time"

	"github.com/a-h/templ"

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
	return map[string]templ.Component{
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
	}
}
