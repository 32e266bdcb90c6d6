package cart

import (
	"github.com/gofiber/fiber/v2"

	"foyer/app/hosted/kit"
	"foyer/app/view"
)

// deposit offers to pay the full price instead of a deposit, or the reverse; nil without a deposit, or if no card can
// pay the balance due.
func (b *Basket) deposit() *PayDeposit {
	d, t := b.Cart.Deposit, b.Cart.Totals
	if d == nil || !b.Cart.Card && t.DueNow() > 0 {
		return nil
	}
	price := func(minor int64) view.Price { return view.Price{Minor: minor, Currency: t.Currency} }
	v := &PayDeposit{InFull: d.InFull, Now: price(d.NowAmount), Full: price(d.FullAmount), Later: price(t.DueLaterAmount), BalanceDueAt: d.BalanceDueAt}
	full := "1"
	if d.InFull {
		full = "0"
	}
	v.Form = kit.FormTo(b.path("/pay/deposit"), view.Param{Name: "full", Value: full})
	return v
}

// chooseDeposit handles the form of the deposit: the full price is paid now, or a deposit.
func (h *site) chooseDeposit(c *fiber.Ctx, b *Basket) error {
	if _, err := b.Checkout.PayInFull(c.UserContext(), b.Scope, b.Token, c.FormValue("full") == "1"); err != nil {
		return b.refused(c, err)
	}
	return b.see(c, "/pay")
}
