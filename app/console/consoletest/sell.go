package consoletest

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing"
)

// Sell sells a customer a seat of a class for 22.00, with tax and the service fee on top, by card, and returns the
// payment. The date is two days ahead; the name may be empty.
func (s *Studio) Sell(t testing.TB, name string) sales.Detail {
	t.Helper()
	return s.sell(t, uuid.NewString()[:8]+"@example.com", name, apptest.CardGood, nil)
}

// SaveCard sells a seat like Sell and saves the customer's card: a good one, or that of the simulator with number.
func (s *Studio) SaveCard(t testing.TB, email, name string, number ...string) {
	t.Helper()
	agreed := &billing.Consent{Text: "Keep my card.", Version: billing.ConsentVersion}
	s.sell(t, email, name, append(number, apptest.CardGood)[0], &checkout.How{Consent: agreed})
}

func (s *Studio) sell(t testing.TB, email, name, number string, how *checkout.How) sales.Detail {
	t.Helper()
	s.SQL(t, "update businesses set fee_mode = 'customer'")
	rate, price := s.AddTaxRate(t, "Sales tax", 88_750).ID, int64(2200)
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Price, o.TaxRate = "Evening Flow", &price, &rate })
	date := s.AddOccurrence(t, class, s.Clock.Now().Add(48*time.Hour))
	who := tenancy.Visitor(s.World.Person(t, email), s.Studio.Business.ID, tenancy.SurfaceAPI)
	buys := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	cart, err := s.Checkout.Create(t.Context(), who, checkout.CreateInput{LocationID: s.Location.ID})
	buys(err)
	_, err = s.Checkout.AddItem(t.Context(), who, cart.Token, checkout.AddItemInput{OccurrenceID: date.ID})
	buys(err)
	_, err = s.Checkout.Hold(t.Context(), who, cart.Token, checkout.HoldInput{})
	buys(err)
	held, err := s.Checkout.Cart(t.Context(), who, cart.Token)
	buys(err)
	pay, err := s.Checkout.Pay(t.Context(), who, cart.Token, checkout.PayInput{QuotedAmount: held.Totals.TotalAmount, How: how})
	buys(err)
	_, err = s.Sim.PayByCard(pay.ClientSecret, number)
	buys(err)
	done, err := s.Checkout.Confirm(t.Context(), who, cart.Token)
	buys(err)
	s.SQL(t, "update customers c set name = $2 from orders o where o.id = $1 and c.id = o.customer_id", done.OrderID, name)
	page, err := s.Services.Sales.List(t.Context(), s.Owner, sales.ListInput{OrderID: done.OrderID})
	buys(err)
	d, err := s.Services.Sales.Get(t.Context(), s.Owner, page.Items[0].ID)
	buys(err)
	return d
}
