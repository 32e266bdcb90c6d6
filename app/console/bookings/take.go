package bookings

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/penalty"
	"foyer/app/view"
	"foyer/billing"
)

// What of a booking is paid, as the address says it.
const (
	payAll   = ""
	payPrice = "price"
	payFees  = "fees"
)

// taking is money that is about to be taken for a booking.
type taking struct {
	In          checkout.TakeInput
	Of          string
	Price, Fees bool // that both are due, one can be chosen
}

// taking reads what the address asks for: all that is due of a booking, in cash.
func (s *screens) taking(c *desk.Call, b booking.StudioBooking) (taking, error) {
	t := taking{Of: c.Value("of"), In: checkout.TakeInput{Method: billing.Method(c.Value("method")), Note: c.Value("note")}}
	if !t.In.Method.Valid() {
		t.In.Method = billing.MethodCash
	}
	m, err := s.Checkout.MoneyOf(c.Context(), c.Scope.Tenant, b.Booking)
	if err != nil {
		return t, err
	}
	fees, err := s.feesOf(c, b.ID)
	if err != nil {
		return t, err
	}
	t.Price = m.Due > 0
	if t.Price && t.Of != payFees {
		t.In.BookingIDs = []uuid.UUID{b.ID}
	}
	for _, f := range fees {
		if f.State == penalty.Due {
			t.Fees = true
			if t.Of != payPrice {
				t.In.PenaltyIDs = append(t.In.PenaltyIDs, f.ID)
			}
		}
	}
	return t, nil
}

// named are the fields of the form that say what is taken: sent twice, they mean the same although nothing is due any more.
func (t taking) named() []view.Param {
	out := []view.Param{}
	if len(t.In.BookingIDs) > 0 {
		out = append(out, view.Param{Name: "price", Value: "1"})
	}
	for _, id := range t.In.PenaltyIDs {
		out = append(out, view.Param{Name: "fee", Value: id.String()})
	}
	return out
}

// askTake says what is taken, and for what.
func (s *screens) askTake(c *desk.Call) (ui.Screen, error) {
	c.Apart("note", "price", "fee", "method")
	b, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	t, err := s.taking(c, b)
	if err != nil {
		return ui.Screen{}, err
	}
	refused := ""
	var sale checkout.Sale
	if len(t.In.BookingIDs)+len(t.In.PenaltyIDs) == 0 {
		refused = c.UI.T("Nothing is due for this booking.")
	} else if sale, err = desk.Rehearse(c, "createSale", func(ctx context.Context) (checkout.Sale, error) {
		return s.Checkout.Take(ctx, c.Scope, t.In)
	}); err != nil {
		if refused, err = c.Cannot(err); err != nil {
			return ui.Screen{}, err
		}
	}
	return ui.Screen{
		Title: c.UI.T("Take money"), Lead: when(c, b), Area: "bookings", Up: up(c, b), Body: takeBody(c, b, t, sale, refused), Sheet: true,
	}, nil
}

func (s *screens) take(c *desk.Call, ctx context.Context) (desk.Done, error) {
	c.Apart("note", "price", "fee", "method")
	b, err := s.find(c)
	if err != nil {
		return desk.Done{}, err
	}
	in := checkout.TakeInput{Method: billing.Method(c.Value("method")), Note: c.Value("note")}
	if c.Value("price") != "" {
		in.BookingIDs = []uuid.UUID{b.ID}
	}
	for _, text := range c.Values("fee") {
		if id, err := uuid.Parse(text); err == nil {
			in.PenaltyIDs = append(in.PenaltyIDs, id)
		}
	}
	sale, err := desk.Redeem(c, ctx, "createSale", func(ctx context.Context) (checkout.Sale, error) {
		return s.Checkout.Take(ctx, c.Scope, in)
	})
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{
		To: c.To(path(b, "")), Said: c.UI.T("{name} has paid {amount}.", "name", called(c.UI, b), "amount", c.UI.Cash(sale.Amount, sale.Currency)),
	}, nil
}

// paidFor are the lines of a sale, with what is paid for each.
func paidFor(sh ui.Shell, s checkout.Sale) []ui.Outcome {
	var out []ui.Outcome
	for _, l := range s.Lines {
		text := l.Label
		if l.PenaltyID != nil {
			text = sh.T("Fee: {what}", "what", l.Label)
		}
		out = append(out, ui.Outcome{Text: text, Amount: sh.Cash(l.Amount, s.Currency)})
	}
	return out
}

// takeButton names what pressing it does.
func takeButton(sh ui.Shell, s checkout.Sale) string {
	amount := sh.Cash(s.Amount, s.Currency)
	if s.Method == billing.MethodCash {
		return sh.T("Take {amount} in cash", "amount", amount)
	}
	return sh.T("{amount} is paid", "amount", amount)
}
