package bookings

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/view"
)

// charging is a charge to a customer's saved card: the fee of a booking, or its price, or both.
type charging struct {
	In    owed.CollectInput
	Fee   fees.Kind // of a single fee
	Title string
	Lead  string
	Up    view.Link
}

// chargeEverything is the address's value for price and fees; chargeFee, which is empty, for the fee alone.
const (
	chargeFee        = ""
	chargeEverything = "everything"
)

// charged returns the address's value for the charge of a sale.
func (t taking) charged() string {
	if t.Of == payAll {
		return chargeEverything
	}
	return t.Of
}

// cardOf returns the name of a customer's saved card that can be charged; empty when there is none.
func (s *screens) cardOf(c *desk.Call, customer uuid.UUID) (string, error) {
	card, found, err := s.Owed.CardOf(c.Context(), c.Scope, customer)
	if err != nil || !found {
		return "", err
	}
	return ui.SavedCardName(c.UI, card), nil
}

// chargeable returns the fees that a saved card can pay, if the caller may charge one.
func (s *screens) chargeable(c *desk.Call, feeList []fees.Fee) (map[uuid.UUID]bool, error) {
	due := slices.ContainsFunc(feeList, func(p fees.Fee) bool { return p.State == fees.Due })
	if !due || !c.May("collectCustomerBalance") {
		return nil, nil
	}
	return s.Owed.Chargeable(c.Context(), c.Scope, feeList)
}

// charging reads the charge from the address.
func (s *screens) charging(c *desk.Call) (charging, error) {
	of := c.Value("of")
	if of == chargeFee {
		p, err := s.dueFee(c)
		name := ui.Who(c.UI, "", p.CustomerName, "")
		return charging{
			In: owed.CollectInput{CustomerID: p.CustomerID, FeeIDs: []uuid.UUID{p.ID}}, Fee: p.Kind, Title: c.UI.T("Charge saved card"),
			Lead: view.Joined(" · ", name, p.OfferingName, wordsAt(c, p.Zone).ShortWhen(p.StartsAt)),
			Up:   view.Link{Text: name, Href: c.To("/bookings/" + p.BookingID.String())},
		}, err
	}
	b, err := s.find(c)
	if err != nil {
		return charging{}, err
	}
	out := charging{In: owed.CollectInput{CustomerID: b.CustomerID}, Title: c.UI.T("Charge saved card"), Lead: when(c, b), Up: *up(c, b)}
	if of != payFees {
		out.In.BookingIDs = []uuid.UUID{b.ID}
	}
	if of == payPrice {
		return out, nil
	}
	feeList, err := s.feesOf(c, b.ID)
	due := slices.DeleteFunc(slices.Clone(feeList), func(f fees.Fee) bool { return f.State != fees.Due })
	if len(out.In.BookingIDs)+len(due) == 0 && c.Posts() {
		due = feeList // a repeated press: the verb returns its former result, or a refusal
	}
	for _, f := range due {
		out.In.FeeIDs = append(out.In.FeeIDs, f.ID)
	}
	if err == nil && len(out.In.BookingIDs)+len(out.In.FeeIDs) == 0 { // neither means all that the customer has due
		err = fault.Missing()
	}
	return out, err
}

// askCharge shows the amount and the card.
func (s *screens) askCharge(c *desk.Call) (ui.Screen, error) {
	in, err := s.charging(c)
	if err != nil {
		return ui.Screen{}, err
	}
	got, err := desk.Quote(c, "collectCustomerBalance", func(ctx context.Context) (owed.Collecting, error) {
		return s.Owed.Collect(ctx, c.Scope, in.In)
	})
	refused := ""
	if err != nil {
		if refused, err = c.Cannot(err); err != nil {
			return ui.Screen{}, err
		}
	}
	return ui.Screen{Title: in.Title, Lead: in.Lead, Area: "bookings", Up: &in.Up, Body: chargeBody(c, in, got, refused), Sheet: true}, nil
}

func (s *screens) charge(c *desk.Call, ctx context.Context) (desk.Done, error) {
	in, err := s.charging(c)
	if err != nil {
		return desk.Done{}, err
	}
	got, err := desk.Redeem(c, ctx, "collectCustomerBalance", func(ctx context.Context) (owed.Collecting, error) {
		return s.Owed.Collect(ctx, c.Scope, in.In)
	})
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{
		To: in.Up.Href,
		Said: c.UI.T("Charging {amount} to {card}. This takes a moment.", "amount", c.UI.Cash(got.Amount, got.Currency),
			"card", cardName(c, got)),
	}, nil
}

// outcomes returns the lines of a charge.
func (in charging) outcomes(c *desk.Call, got owed.Collecting) []ui.Outcome {
	sh := c.UI
	if in.Fee != "" {
		return []ui.Outcome{{
			Text: sh.T("Charged to {card}: {what}", "card", cardName(c, got), "what", feeFor(sh, in.Fee)), Amount: sh.Cash(got.Amount, got.Currency),
		}}
	}
	var out []ui.Outcome
	for _, l := range got.Lines {
		text := l.Label
		if l.FeeID != nil {
			text = sh.T("Fee: {what}", "what", l.Label)
		}
		out = append(out, ui.Outcome{Text: text, Amount: sh.Cash(l.Amount, got.Currency)})
	}
	return append(out, ui.Outcome{Text: sh.T("Charged to {card}", "card", cardName(c, got)), Amount: sh.Cash(got.Amount, got.Currency)})
}

// chargeOf renders the state of charging a booking's price to a card; empty without a charge.
func (r record) chargeOf(sh ui.Shell) string {
	switch {
	case r.Charge.OrderID == uuid.Nil:
		return ""
	case r.Charge.Failed != "":
		return sh.T("The card could not be charged: {why} The customer has a payment link.", "why", view.FeeTrouble(sh.Words, r.Charge.Failed).Text)
	}
	return sh.T("Charging {amount} to the saved card.", "amount", sh.Cash(r.Charge.Amount, r.Currency))
}

func cardName(c *desk.Call, got owed.Collecting) string {
	return c.UI.CardName(order.ReceiptCard{Brand: got.Card.Brand, Last4: got.Card.Last4, Wallet: got.Card.Wallet})
}

// chargeWords renders the state of charging a fee to a card; empty without a charge.
func chargeWords(c *desk.Call, f fees.Fee) string {
	switch {
	case f.State != fees.Due:
	case f.ChargeFailed != "":
		return c.UI.T("The card could not be charged: {why} The customer has a payment link.", "why", view.FeeTrouble(c.UI.Words, f.ChargeFailed).Text)
	case !f.ChargeAt.IsZero():
		return c.UI.T("Automatic charge {when} to the saved card, if there is one.", "when", wordsAt(c, f.Zone).ShortWhen(f.ChargeAt))
	}
	return ""
}
