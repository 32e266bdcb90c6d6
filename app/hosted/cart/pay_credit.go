package cart

import (
	"github.com/gofiber/fiber/v2"

	"foyer/app/hosted/kit"
	"foyer/app/money"
	"foyer/app/view"
)

// preferCredit lets account credit pay first, unless the customer has chosen otherwise or a payment is in progress.
func (b *Basket) preferCredit(c *fiber.Ctx) (err error) {
	if k := b.Cart.Credit; k == nil || k.Use != nil || b.Cart.Order != nil {
		return nil
	}
	b.Cart, err = b.Checkout.UseCredit(c.UserContext(), b.Scope, b.Token, true)
	return err
}

// credit offers account credit, or to pay without it; nil without credit that could pay.
func (b *Basket) credit() *PayCredit {
	k, t := b.Cart.Credit, b.Cart.Totals
	if k == nil || t.TotalAmount == 0 {
		return nil
	}
	price := func(minor int64) view.Price { return view.Price{Minor: minor, Currency: t.Currency} }
	v := &PayCredit{Has: price(k.FreeAmount), Pays: price(t.CreditAmount()), All: t.CreditAmount() > 0 && t.DueNow() == 0}
	use := "1"
	if info, known := money.Lookup(t.Currency); known && t.CreditAmount() > 0 && k.FreeAmount > t.CreditAmount() &&
		t.DueNow() > 0 {
		v.Least = &view.Price{Minor: info.MinCharge, Currency: t.Currency} // or credit would pay more of it
	}
	switch {
	case t.CreditAmount() > 0:
		use = "0"
	case k.Use != nil && *k.Use: // it cannot pay: the amount for a card would be too small, or no card can pay
		return nil
	}
	v.Form = kit.FormTo(b.path("/pay/credit"), view.Param{Name: "use", Value: use})
	return v
}

// chooseCredit handles the form of the credit: it pays first, or does not.
func (h *site) chooseCredit(c *fiber.Ctx, b *Basket) error {
	if _, err := b.Checkout.UseCredit(c.UserContext(), b.Scope, b.Token, c.FormValue("use") == "1"); err != nil {
		return b.refused(c, err)
	}
	return b.see(c, "/pay")
}

// creditPays reports whether the signed-in person has credit that pays all of the cart, before they hold it.
func (b *Basket) creditPays(c *fiber.Ctx) (bool, error) {
	if !b.signedIn() {
		return false, nil
	}
	has, err := b.Checkout.CreditOf(c.UserContext(), b.Scope, b.Cart)
	return has > 0 && has >= b.Cart.Totals.Now(), err
}

// rest is the hidden field with the amount on the pay button.
func (b *Basket) rest() view.Param { return quotedTotal(b.Cart.Totals.DueNow()) }
