package my

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"foyer/app/checkout"
	"foyer/app/hosted/kit"
	"foyer/app/view"
)

// rest is the balance due of the booking; nil when nothing is due, or no card can pay.
func (b *myBooking) rest(c *fiber.Ctx) (*PayBalance, error) {
	left, err := b.Site.Owed.BalanceDueOf(c.UserContext(), b.BusinessID, b.Booking)
	if err != nil || left == 0 {
		return nil, err
	}
	return &PayBalance{Form: kit.FormTo(b.path("/pay")), Amount: view.Price{Minor: left, Currency: b.Currency}}, nil
}

// restTerm returns when the balance due is charged to a saved card; nothing without such a charge, or after its time.
func (b *myBooking) restTerm() []string {
	first := b.StartsAt
	if len(b.Dates) > 0 {
		first = b.Dates[0].StartsAt
	}
	w := b.Shell.Words
	if at, asked := b.Rules.Deposit.BalanceDueFrom(first); asked && w.Now.Before(at) {
		return []string{w.T(view.BalanceByCard, "when", w.ShortWhen(at))}
	}
	return nil
}

// payBalance handles the form of the balance due: it redirects to the page for paying amounts due.
func (h *site) payBalance(c *fiber.Ctx, b *myBooking) error {
	token, err := h.Owed.PayBalance(c.UserContext(), b.Scope, b.ID)
	w := b.Shell.Words
	switch {
	case errors.Is(err, checkout.ErrPaymentPending):
		return b.show(c, nil, &view.Trouble{Title: w.T("Your payment is being processed"), Text: w.T("This can take a moment. There is no need to pay again.")})
	case errors.Is(err, checkout.ErrNothingToPay):
		return b.show(c, nil, &view.Trouble{Title: w.T("There is nothing to pay here"), Text: w.T("It is already paid, or no longer due.")})
	case err != nil:
		return err
	}
	return kit.See(c, b.Shell, "/receipt/"+token+"/pay")
}
