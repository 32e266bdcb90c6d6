package plan_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/discount"
	"foyer/app/order"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/product"
	"foyer/app/tenancy"
)

// offer makes a discount of 20 % for bookings and goods, for members of plans.
func (s studio) offer(t testing.TB, code string, plans ...plan.Plan) discount.Discount {
	t.Helper()
	in := discount.CreateInput{Name: "Members", Code: code, PPM: 200_000, AppliesTo: discount.All, Combines: true}
	for _, p := range plans {
		in.PlanIDs = append(in.PlanIDs, p.ID)
	}
	d, err := s.Services.Discount.Create(t.Context(), s.Owner, in)
	return must(t, d, err)
}

// appointments has a plan pay for appointments alone, so that a class has a price.
func appointments(in plan.CreateInput) plan.CreateInput {
	in.Benefits[0].Kinds = []catalog.Kind{catalog.Appointment}
	return in
}

// goods is a product for 10.00, as an item of a cart.
func (s studio) goods(t testing.TB) order.CartItem {
	t.Helper()
	p, err := s.Services.Products.Create(t.Context(), s.Owner, product.CreateInput{Name: "Mat"})
	must(t, 0, err)
	v, err := s.Services.Products.CreateVariant(t.Context(), s.Owner,
		product.CreateVariantInput{ProductID: p.ID, PriceAmount: 1000})
	must(t, 0, err)
	state := product.Published
	_, err = s.Services.Products.Update(t.Context(), s.Owner,
		product.UpdateInput{ID: p.ID, Version: p.Version, State: &state})
	must(t, 0, err)
	return order.CartItem{Kind: order.Product, Subject: v.ID, Quantity: 1}
}

func (s studio) total(t testing.TB, who tenancy.Scope, token string) int64 {
	t.Helper()
	c, err := s.Checkout.Cart(t.Context(), who, token)
	return must(t, c, err).Totals.TotalAmount
}

// price is what a class at 22.00 costs a person.
func (s studio) price(t testing.TB, who tenancy.Scope) int64 {
	t.Helper()
	token := s.Fill(t, s.class(t, 2200))
	s.hold(t, who, token)
	total := s.total(t, who, token)
	must(t, 0, s.Checkout.Release(t.Context(), who, token))
	return total
}

// A discount for members is taken off the bookings and goods of the members of its plans alone, once their cart is
// held. The price that they accept before does not count.
func TestDiscountForMembers(t *testing.T) {
	t.Parallel()
	s := open(t)
	gold, silver := s.published(t, appointments(monthly(0, 6000))), s.published(t, appointments(pack(3, 3000)))
	s.offer(t, "", gold, silver)
	ada, bob, cem, eve := s.Customer(t, "Ada"), s.Customer(t, "Bob"), s.Customer(t, "Cem"), s.Customer(t, "Eve")
	s.joined(t, ada, gold, apptest.CardGood)
	s.bought(t, bob, silver)
	s.bought(t, cem, s.published(t, appointments(pack(5, 5000))))
	mat := s.goods(t)
	for _, x := range []struct {
		name         string
		who          tenancy.Scope
		class, goods int64
	}{{"Ada", ada, 1760, 800}, {"Bob", bob, 1760, 800}, {"Cem", cem, 2200, 1000}, {"Eve", eve, 2200, 1000}} {
		expect(t, "a class of "+x.name, s.price(t, x.who), x.class)
		token := s.Fill(t)
		_, err := s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token, mat)
		must(t, 0, err)
		expect(t, "not held by "+x.name, s.total(t, x.who, token), 1000)
		s.hold(t, x.who, token)
		expect(t, "goods of "+x.name, s.total(t, x.who, token), x.goods)
	}

	token := s.Fill(t, s.class(t, 2200))
	_, err := s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token, mat)
	must(t, 0, err)
	quoted := s.total(t, ada, token)
	_, err = s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{QuotedAmount: &quoted})
	must(t, 0, err)
	got := s.paid(t, ada, token, 2560)
	expect(t, "discount", got.Totals.DiscountAmount, 640)
	expect(t, "name", got.Totals.Discounts[0].Name, "Members")
	s.check(t)
}

// The code of members is theirs alone, and is entered for a cart that they hold.
func TestCodeForMembers(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.published(t, appointments(pack(3, 3000)))
	s.offer(t, "GOLD", p)
	ada, eve := s.Customer(t, "Ada"), s.Customer(t, "Eve")
	s.bought(t, ada, p)
	token := s.Fill(t, s.class(t, 2200))
	_, err := s.Checkout.ApplyCode(t.Context(), s.Visitor(), token, "gold")
	refused(t, "a visitor", err, discount.ErrMembers)
	s.hold(t, ada, token)
	expect(t, "without it", s.total(t, ada, token), 2200)
	c, err := s.Checkout.ApplyCodeAtPayment(t.Context(), ada, token, "gold")
	expect(t, "with it", must(t, c, err).Totals.TotalAmount, 1760)
	token = s.Fill(t, s.class(t, 2200))
	s.hold(t, eve, token)
	_, err = s.Checkout.ApplyCodeAtPayment(t.Context(), eve, token, "gold")
	refused(t, "another customer", err, discount.ErrMembers)
}

// The discount ends with the membership: also between the hold of a cart and its payment.
func TestDiscountEndsWithMembership(t *testing.T) {
	t.Parallel()
	s := open(t)
	comp := appointments(pack(1, 0))
	comp.Kind, comp.SoldOnline, comp.Validity = plan.Comp, false, plan.Validity{Count: 1, Unit: rules.Day}
	p := s.published(t, comp)
	s.offer(t, "", p)
	ada := s.Customer(t, "Ada")
	s.price(t, ada) // she has a record now
	customer := apptest.Value[uuid.UUID](t, s.w, "select id from customers where person_id = $1", ada.Person())
	m, err := s.Plans.AddComp(t.Context(), s.Owner,
		plan.CompInput{CustomerID: customer, PlanID: p.ID, LocationID: s.Location.ID})
	must(t, 0, err)
	token := s.Fill(t, s.class(t, 2200))
	s.hold(t, ada, token)
	expect(t, "held", s.total(t, ada, token), 1760)
	_, err = s.Plans.End(t.Context(), s.Owner, customer, m.ID, m.Version)
	must(t, 0, err)
	_, err = s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 1760})
	refused(t, "to pay", err, checkout.ErrPriceChanged)
	s.paid(t, ada, token, 2200)

	// Its last day, and the one after it, before the sweep that ends it.
	_, err = s.Plans.AddComp(t.Context(), s.Owner,
		plan.CompInput{CustomerID: customer, PlanID: p.ID, LocationID: s.Location.ID})
	must(t, 0, err)
	expect(t, "its last day", s.price(t, ada), 1760)
	s.w.Clock.Advance(24 * time.Hour)
	expect(t, "the day after", s.price(t, ada), 2200)
	s.check(t)
}

// A frozen membership gives no discount on the days of its freeze.
func TestNoDiscountWhileFrozen(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.published(t, appointments(monthly(2, 6000)))
	s.offer(t, "", p)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, p, apptest.CardGood)
	freeze := func(from civil.Date, until *civil.Date) {
		t.Helper()
		_, err := s.Plans.Freeze(t.Context(), s.Owner, plan.FreezeInput{
			CustomerID: m.CustomerID, MembershipID: m.ID, StartsOn: from, EndsOn: until,
		})
		must(t, 0, err)
	}
	until := m.StartsOn.AddDays(2)
	freeze(m.StartsOn.AddDays(1), &until)
	expect(t, "the day before", s.price(t, ada), 1760)
	s.w.Clock.Advance(24 * time.Hour)
	expect(t, "frozen", s.price(t, ada), 2200)
	s.w.Clock.Advance(24 * time.Hour)
	expect(t, "the day after", s.price(t, ada), 1760)
	freeze(until, nil)
	expect(t, "without an end", s.price(t, ada), 2200)
}

// A membership that is past due is none for discounts; in its days of grace it is one.
func TestNoDiscountPastDue(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.published(t, appointments(monthly(2, 6000)))
	s.offer(t, "", p)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, p, cardDeclinesSaved)
	expect(t, "paid", s.price(t, ada), 1760)
	s.goes(t, 33)
	expect(t, "in the days of grace", s.price(t, ada), 1760)
	s.goes(t, 1)
	expect(t, "past due", s.mine(t, ada)[0].Next.PastDue, true)
	expect(t, "price", s.price(t, ada), 2200)
	s.check(t)
}

// Only plans of the business can be named.
func TestDiscountForUnknownPlan(t *testing.T) {
	t.Parallel()
	s := open(t)
	own, foreign := s.published(t, pack(3, 3000)), uuid.New()
	in := discount.CreateInput{Name: "Members", PPM: 200_000, PlanIDs: []uuid.UUID{own.ID, foreign}}
	_, err := s.Services.Discount.Create(t.Context(), s.Owner, in)
	expect(t, "to make", apptest.Wrong(err), "planIds")
	in.PlanIDs = []uuid.UUID{own.ID, own.ID}
	d, err := s.Services.Discount.Create(t.Context(), s.Owner, in)
	must(t, 0, err)
	d, err = s.Services.Discount.Get(t.Context(), s.Owner, d.ID)
	expect(t, "plans", len(must(t, d, err).PlanIDs), 1)
	_, err = s.Services.Discount.Update(t.Context(), s.Owner,
		discount.UpdateInput{ID: d.ID, Version: d.Version, PlanIDs: &[]uuid.UUID{foreign}})
	expect(t, "to change", apptest.Wrong(err), "planIds")
	d, err = s.Services.Discount.Update(t.Context(), s.Owner,
		discount.UpdateInput{ID: d.ID, Version: d.Version, PlanIDs: &[]uuid.UUID{}})
	expect(t, "for all", len(must(t, d, err).PlanIDs), 0)
}

// Guest passes of a membership pay for the seats of guests alone; the rest of it pays for the customer's own.
func TestGuestPasses(t *testing.T) {
	t.Parallel()
	s := open(t)
	in := monthly(0, 6000)
	in.Benefits = append(in.Benefits, plan.Benefit{Credits: new(2), GuestsOnly: true})
	p := s.published(t, in)
	expect(t, "guests only", p.Benefits[1].GuestsOnly && !p.Benefits[0].GuestsOnly, true)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, p, apptest.CardGood)
	unlimited, passes := m.Grants[0].ID, m.Grants[1].ID
	class := s.class(t, 2200)
	token := s.Fill(t)
	_, err := s.Checkout.AddItem(t.Context(), ada, token, checkout.AddItemInput{OccurrenceID: class.ID, People: 4})
	must(t, 0, err)
	s.hold(t, ada, token)
	c, err := s.Checkout.Cart(t.Context(), ada, token)
	must(t, 0, err)
	expect(t, "total", c.Totals.TotalAmount, 2200) // of the third guest
	for i, want := range []uuid.UUID{unlimited, passes, passes} {
		expect(t, "grant", c.Lines[i].Cover.GrantID, want)
	}
	expect(t, "the third guest", c.Lines[3].Cover == nil, true)
	expect(t, "credits", c.Lines[1].Cover.Credits, 1)
	options, err := s.Checkout.CompatiblePlans(t.Context(), ada, token)
	must(t, 0, err)
	expect(t, "of the customer", whyOf(options[0], passes), rules.GuestsOnly)
	expect(t, "of a guest", whyOf(options[1], unlimited), rules.NoGuestPass)
	expect(t, "of the third", whyOf(options[3], passes), rules.NoCredits)
	_, err = s.Checkout.ChoosePlan(t.Context(), ada, token, options[0].ItemID, checkout.PlanChoice{GrantID: passes})
	refused(t, "a pass for herself", err, plan.ErrNotPaid)

	got := s.paid(t, ada, token, 2200)
	expect(t, "passes", s.mine(t, ada)[0].Grants[1].Balance, 0)
	_, err = s.Booking.Cancel(t.Context(), s.Owner,
		booking.CancelInput{BookingID: got.Lines[1].BookingID, By: booking.ByStudio})
	must(t, 0, err)
	expect(t, "after a cancellation", s.mine(t, ada)[0].Grants[1].Balance, 1)
	s.check(t)
}

// whyOf is the reason that a grant does not pay for a seat.
func whyOf(o checkout.PlanOptions, grant uuid.UUID) rules.Why {
	for _, p := range o.Owned {
		if p.GrantID == grant {
			return p.Why
		}
	}
	return "none"
}

// A benefit of guest passes has a number of credits, and is not for the customer too.
func TestGuestPassesAreCredits(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, b := range []plan.Benefit{{GuestsOnly: true}, {Credits: new(2), GuestsOnly: true, ForGuests: true}} {
		in := pass(9000)
		in.Benefits = []plan.Benefit{b}
		_, err := s.Plans.Create(t.Context(), s.Owner, in)
		expect(t, "field", apptest.Wrong(err), "benefits[0].guestsOnly")
	}
}
