package cart

import (
	"errors"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web/op"
	"foyer/billing"
	"foyer/billing/processor"
)

// feePages mount the page for paying a fee, or the price of bookings, after a failed charge of the saved card, or a
// balance due. Every bearer of its link may pay.
func (h *site) feePages() {
	h.Get("/receipt/:token/pay", h.showFee)
	h.Post("/receipt/:token/pay", op.RateStorefrontWrite, h.payFee)
	h.Post("/receipt/:token/pay/kept", op.RateStorefrontWrite, h.payOwedSaved)
	h.Get("/receipt/:token/paid", h.feePaid)
}

// feeScope is the scope of the bearer of the link in the path, and of the signed-in person.
func (h *site) feeScope(c *fiber.Ctx) (tenancy.Scope, error) {
	tenant, found, err := h.Orders.FindReceipt(c.UserContext(), c.Params("token"))
	if err = fault.When(!found, fault.Missing(), err); err != nil {
		return tenancy.Scope{}, err
	}
	return h.ScopeOf(c, tenant)
}

// showFee is the page. Opening it begins the payment, once however often it is opened. ?why=declined explains a
// failed attempt, ?why=gone a saved card that no longer exists.
func (h *site) showFee(c *fiber.Ctx) error {
	sc, err := h.feeScope(c)
	if err != nil {
		return err
	}
	p, err := h.Owed.Pay(c.UserContext(), sc, c.Params("token"))
	if err != nil {
		return h.noFee(c, err)
	}
	if p.Status == processor.StatusSucceeded {
		return kit.See(c, h.StudioShell(c), feePath(c, "/paid"))
	}
	s, err := h.StudioOf(c, kit.Location{Tenant: sc.Tenant, Location: p.Receipt.LocationID})
	if err != nil {
		return err
	}
	sh := h.ShellOf(c, s, "")
	sh.CSRF = h.TokenOf(c)
	v := FeePay{Price: !p.Receipt.OfFee(), For: sh.DueFor(p.Receipt)}
	v.Plan = slices.ContainsFunc(p.Receipt.Lines, func(l order.ReceiptLine) bool { return l.Kind == order.Plan })
	v.Fee, v.Order.Bill.Total = true, view.Price{Minor: p.Amount, Currency: p.Currency}
	switch why := c.Query("why"); {
	case why == "declined" && p.FailureCode != "":
		v.Trouble = view.FeeTrouble(sh.Words, p.FailureCode)
	case why == "gone":
		v.Trouble = &view.Trouble{Title: sh.T("This card is no longer saved"), Text: sh.T("Nothing was charged. Use another card.")}
	}
	if err := h.feeForm(c, sh, p, &v.Pay); err != nil {
		return err
	}
	cards, err := h.Owed.CardsFor(c.UserContext(), sc, c.Params("token"))
	if err != nil {
		return err
	}
	v.Saved = h.keptOf(sh.Words, cards, kit.FormTo(feePath(c, "/pay/kept")))
	return kit.ShowUnder(c, view.Policy(sh.Embed, v.Way == PayLive), FeePayPage(sh, v))
}

// feeForm fills in the form of the active processor. Both return to /paid.
func (h *site) feeForm(c *fiber.Ctx, sh view.Shell, p owed.Payment, v *Pay) error {
	done := h.BaseURL + feePath(c, "/paid")
	v.Form = kit.FormTo(feePath(c, "/pay"))
	if strings.HasPrefix(p.AccountID, simulatedAccount) {
		v.Way, v.Tests = PayTest, testCards(sh.Words)
		v.Form.Hidden = append(v.Form.Hidden, view.Param{Name: "client_secret", Value: p.ClientSecret}, view.Param{Name: "return_url", Value: done})
		return nil
	}
	info, ok := money.Lookup(p.Currency)
	if !ok {
		return errors.New("hosted: a fee in an unknown currency: " + string(p.Currency))
	}
	amount, err := info.ToStripe(p.Amount)
	v.Way = PayLive
	v.Card = &LiveCard{Key: p.PublishableKey, Account: p.AccountID, Amount: amount, Return: done}
	return err
}

// payFee handles the form: it passes the simulator's on as it is, and answers the live one's script with the
// payment's secret.
func (h *site) payFee(c *fiber.Ctx) error {
	sc, err := h.feeScope(c)
	if err != nil {
		return err
	}
	p, err := h.Owed.Pay(c.UserContext(), sc, c.Params("token"))
	switch {
	case kit.WantsJSON(c) && err == nil:
		return c.JSON(fiber.Map{"data": fiber.Map{"clientSecret": p.ClientSecret}})
	case kit.WantsJSON(c):
		return err
	case err != nil:
		return h.noFee(c, err)
	case !strings.HasPrefix(p.AccountID, simulatedAccount):
		return kit.See(c, h.StudioShell(c), feePath(c, "/pay"))
	}
	return c.Redirect(simulatorPay, fiber.StatusTemporaryRedirect)
}

// payOwedSaved handles the form of the saved cards: it charges the chosen one, and redirects to the bank for
// authentication if needed. Pressed twice it leads to the same receipt.
func (h *site) payOwedSaved(c *fiber.Ctx) error {
	sc, err := h.feeScope(c)
	if err != nil {
		return err
	}
	card, err := uuid.Parse(c.FormValue("card"))
	if err != nil {
		return fault.Invalid("card", "is missing")
	}
	p, err := h.Owed.PaySaved(c.UserContext(), sc, c.Params("token"), card, h.BaseURL+feePath(c, "/paid"))
	switch {
	case errors.Is(err, processor.ErrCardRemoved):
		return kit.See(c, h.StudioShell(c), kit.Query(feePath(c, "/pay"), "why", "gone"))
	case errors.Is(err, checkout.ErrNothingToPay):
		return kit.See(c, h.StudioShell(c), feePath(c, "/paid"))
	case err != nil:
		return h.noFee(c, err)
	case p.RedirectURL != "":
		kit.Discreet(c)
		return c.Redirect(p.RedirectURL, fiber.StatusSeeOther)
	case p.FailureCode != "":
		return kit.See(c, h.StudioShell(c), kit.Query(feePath(c, "/pay"), "why", "declined"))
	}
	return kit.See(c, h.StudioShell(c), feePath(c, "/paid"))
}

// feePaid is the return address of the card form and the bank: it asks the processor whether the payment succeeded.
func (h *site) feePaid(c *fiber.Ctx) error {
	sc, err := h.feeScope(c)
	if err != nil {
		return err
	}
	err = h.Owed.Paid(c.UserContext(), sc, c.Params("token"))
	sh := h.StudioShell(c)
	switch {
	case err == nil:
		return kit.See(c, sh, feePath(c, ""))
	case errors.Is(err, checkout.ErrNothingToPay):
		return h.noFee(c, err)
	case errors.Is(err, checkout.ErrPaymentRequired):
		return kit.See(c, sh, kit.Query(feePath(c, "/pay"), "why", "declined"))
	case errors.Is(err, checkout.ErrPaymentPending):
		return kit.Show(c, sh, kit.ProblemPage(sh, kit.Problem{
			Title: sh.T("Your payment is being processed"), Text: sh.T("This can take a moment. There is no need to pay again."),
			Links: []view.Link{{Text: sh.T("Check again"), Href: feePath(c, "/paid")}},
		}))
	}
	return err
}

// noFee explains why there is nothing to pay.
func (h *site) noFee(c *fiber.Ctx, err error) error {
	sh := h.StudioShell(c)
	p := kit.Problem{Links: []view.Link{{Text: sh.T("My bookings"), Href: "/my"}}}
	switch {
	case errors.Is(err, checkout.ErrNothingToPay):
		p.Title, p.Text = sh.T("There is nothing to pay here"), sh.T("It is already paid, or no longer due.")
	case errors.Is(err, billing.ErrBelowCardMinimum):
		p.Title, p.Text = sh.T("This amount is too small for a card"), sh.T("Nothing was charged. Pay it at the studio.")
	case errors.Is(err, processor.ErrCardUnavailable), errors.Is(err, billing.ErrPaymentCanceled):
		p.Title, p.Text = sh.T("This cannot be paid here at the moment"), sh.T("Nothing was charged. Try again later, or pay at the studio.")
	default:
		return err
	}
	return kit.Show(c, sh, kit.ProblemPage(sh, p))
}

func feePath(c *fiber.Ctx, more string) string { return "/receipt/" + c.Params("token") + more }
