package bookings

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/penalty"
	"foyer/app/view"
)

// askCharge says what is charged for the fee of the booking of the address, and to which card.
func (s *screens) askCharge(c *desk.Call) (ui.Screen, error) {
	p, err := s.dueFee(c)
	if err != nil {
		return ui.Screen{}, err
	}
	got, err := desk.Rehearse(c, "collectCustomerBalance", func(ctx context.Context) (checkout.Collecting, error) { return s.charging(c, ctx, p) })
	refused := ""
	if err != nil {
		if refused, err = c.Cannot(err); err != nil {
			return ui.Screen{}, err
		}
	}
	name := ui.Who(c.UI, "", p.CustomerName, "")
	return ui.Screen{
		Title: c.UI.T("Charge the card"), Lead: view.Joined(" · ", name, p.OfferingName, wordsAt(c, p.Zone).ShortWhen(p.StartsAt)), Area: "bookings",
		Up: &view.Link{Text: name, Href: c.To("/bookings/" + p.BookingID.String())}, Body: chargeBody(c, p, got, refused), Sheet: true,
	}, nil
}

func (s *screens) charge(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.dueFee(c)
	if err != nil {
		return desk.Done{}, err
	}
	got, err := desk.Redeem(c, ctx, "collectCustomerBalance", func(ctx context.Context) (checkout.Collecting, error) { return s.charging(c, ctx, p) })
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{
		To: c.To("/bookings/" + p.BookingID.String()),
		Said: c.UI.T("{amount} is being charged to {card}. This takes a moment.", "amount", c.UI.Cash(got.Amount, got.Currency),
			"card", cardName(c, got)),
	}, nil
}

func (s *screens) charging(c *desk.Call, ctx context.Context, p penalty.Penalty) (checkout.Collecting, error) {
	return s.Checkout.Collect(ctx, c.Scope, checkout.CollectInput{CustomerID: p.CustomerID, PenaltyIDs: []uuid.UUID{p.ID}})
}

func cardName(c *desk.Call, got checkout.Collecting) string {
	return c.UI.CardName(checkout.ReceiptCard{Brand: got.Card.Brand, Last4: got.Card.Last4})
}

// chargeWords says how charging a fee to a card stands; empty when there is nothing to say.
func chargeWords(c *desk.Call, f penalty.Penalty) string {
	switch {
	case f.State != penalty.Due:
	case f.ChargeFailed != "":
		return c.UI.T("The card could not be charged: {why} The customer has a link to pay it.", "why", view.FeeTrouble(c.UI.Words, f.ChargeFailed).Text)
	case !f.ChargeAt.IsZero():
		return c.UI.T("Charged {when} to the card that the customer had you keep, if there is one.", "when", wordsAt(c, f.Zone).ShortWhen(f.ChargeAt))
	}
	return ""
}
