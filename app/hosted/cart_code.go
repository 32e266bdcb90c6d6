package hosted

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/view"
)

// code is the code that the cart has, or the field for one.
func (b *basket) code() view.CartCode {
	v := view.CartCode{Apply: formTo(b.path("/code")), Remove: formTo(b.path("/code/remove"))}
	if given := b.Cart.Code; given != nil {
		v.Code = given.Code
		if given.Problem != nil {
			v.Problem = codeWords(b.Shell.Words, given.Problem)
		}
	}
	return v
}

// applyCode gives the cart the code that was typed. One that takes nothing off comes back with the reason.
func (h *site) applyCode(c *fiber.Ctx, b *basket) error {
	err := b.thaw(c)
	if err == nil {
		_, err = h.Checkout.ApplyCode(c.UserContext(), b.Scope, b.Token, c.FormValue("code"))
	}
	f := fault.From(err)
	switch {
	case err == nil:
		return b.see(c, "")
	case f == nil || f.Kind != fault.Validation:
		return b.refused(c, err)
	}
	v, err := b.page(c, "")
	if err != nil {
		return err
	}
	v.Code.Code, v.Code.Typed, v.Code.Open = "", strings.TrimSpace(c.FormValue("code")), true
	v.Trouble = fieldTrouble("code", codeWords(b.Shell.Words, f))
	return show(troubled(c, v.Trouble), b.Shell, view.CartPage(b.Shell, v))
}

// removeCode takes the code out of the cart.
func (h *site) removeCode(c *fiber.Ctx, b *basket) error {
	err := b.thaw(c)
	if err == nil {
		_, err = h.Checkout.RemoveCode(c.UserContext(), b.Scope, b.Token)
	}
	if err != nil {
		return b.refused(c, err)
	}
	return b.see(c, "")
}

// codeWords say why a code takes nothing off.
func codeWords(w view.Words, f *fault.Error) string {
	switch f.Reason {
	case "": // nothing was typed
		return w.T("Type a code.")
	case discount.ErrTooLittle.Reason:
		least, _ := f.Details["least"].(int64)
		currency, _ := f.Details["currency"].(string)
		return w.T("This code is for {amount} or more.", "amount", w.Money(view.Price{Minor: least, Currency: money.Currency(currency)}))
	}
	return w.Refusal(f)
}
