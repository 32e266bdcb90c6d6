package cart

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/money"
	"foyer/app/view"
)

// atPayment marks the forms of a code on the last step: they return to it, and the seats stay held.
var atPayment = view.Param{Name: "at", Value: "pay"}

// code is the code of the cart, or the field for one; its forms carry the params.
func (b *Basket) code(carry ...view.Param) CartCode {
	v := CartCode{Apply: kit.FormTo(b.path("/code"), carry...), Remove: kit.FormTo(b.path("/code/remove"), carry...)}
	if given := b.Cart.Code; given != nil {
		v.Code = given.Code
		if given.Problem != nil {
			v.Problem = codeWords(b.Shell.Words, given.Problem)
		}
	}
	return v
}

// codeStep is the page of a code's form.
func codeStep(c *fiber.Ctx) string {
	if c.FormValue(atPayment.Name) == atPayment.Value {
		return "/pay"
	}
	return ""
}

// applyCode applies the entered code to the cart. A code without an effect is shown again with the reason.
func (h *site) applyCode(c *fiber.Ctx, b *Basket) error {
	typed := strings.TrimSpace(c.FormValue("code"))
	err := b.setCode(c, typed)
	f := fault.From(err)
	switch {
	case err == nil:
		return b.see(c, codeStep(c))
	case f == nil || f.Kind != fault.Validation:
		return b.refused(c, err)
	}
	said := CartCode{Open: true, Typed: typed}
	tr := kit.FieldTrouble("code", codeWords(b.Shell.Words, f))
	if codeStep(c) != "" {
		return h.payWith(c, b, func(v *Pay) { v.Code, v.Trouble = said.With(b.code(atPayment)), tr })
	}
	v, err := b.page(c, "")
	if err != nil {
		return err
	}
	v.Code, v.Trouble = said.With(v.Code), tr
	return kit.Show(kit.Troubled(c, v.Trouble), b.Shell, CartPage(b.Shell, v))
}

// setCode sets the code of the cart. On the last step its seats stay held; in the cart a payment that began is
// abandoned, as for any other change of it.
func (b *Basket) setCode(c *fiber.Ctx, typed string) (err error) {
	if codeStep(c) != "" {
		_, err = b.Checkout.ApplyCodeAtPayment(c.UserContext(), b.Scope, b.Token, typed)
		return err
	}
	if typed != "" { // an empty code abandons no seats
		err = b.thaw(c)
	}
	if err == nil {
		_, err = b.Checkout.ApplyCode(c.UserContext(), b.Scope, b.Token, typed)
	}
	return err
}

// removeCode removes the code from the cart.
func (h *site) removeCode(c *fiber.Ctx, b *Basket) error {
	var err error
	if codeStep(c) != "" {
		_, err = h.Checkout.RemoveCodeAtPayment(c.UserContext(), b.Scope, b.Token)
	} else if err = b.thaw(c); err == nil {
		_, err = h.Checkout.RemoveCode(c.UserContext(), b.Scope, b.Token)
	}
	if err != nil {
		return b.refused(c, err)
	}
	return b.see(c, codeStep(c))
}

// codeWords explain why a code has no effect.
func codeWords(w view.Words, f *fault.Error) string {
	switch f.Reason {
	case "": // the field was empty
		return w.T("Enter a code.")
	case discount.ErrTooLittle.Reason:
		least, _ := f.Details["least"].(int64)
		currency, _ := f.Details["currency"].(string)
		return w.T("The minimum for this code is {amount}.", "amount", w.Money(view.Price{Minor: least, Currency: money.Currency(currency)}))
	}
	return w.Refusal(f)
}
