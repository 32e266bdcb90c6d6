package cart

import (
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/giftcard"
	"foyer/app/hosted/kit"
	"foyer/app/order"
	"foyer/app/view"
	cards "foyer/billing/giftcard"
	"foyer/billing/tender"
)

// gifts offers to pay with gift cards, and shows those that do; nil for a cart that they cannot pay.
func (b *Basket) gifts() *PayGifts {
	t := b.Cart.Totals
	if t.TotalAmount == 0 || b.Cart.Sells(order.GiftCard) {
		return nil
	}
	price := func(minor int64) view.Price { return view.Price{Minor: minor, Currency: t.Currency} }
	v := &PayGifts{Form: kit.FormTo(b.path("/pay/gift-card")), Paid: price(t.PrepaidAmount()), All: t.DueNow() == 0}
	for _, s := range b.Cart.Sources {
		if s.Kind != tender.GiftCard {
			continue
		}
		g := PayGift{
			Name: b.Shell.GiftCardNamed(s.Label), Has: price(s.Amount), Pays: price(0),
			Remove: kit.FormTo(b.path("/pay/gift-card/remove"), view.Param{Name: "card", Value: s.SourceID.String()}),
		}
		for _, p := range t.Prepaid {
			if p.SourceID == s.SourceID {
				g.Pays = price(p.Amount)
			}
		}
		v.Cards = append(v.Cards, g)
	}
	return v
}

// useGiftCard handles the form with a code. A code that cannot be used is shown again with the reason.
func (h *site) useGiftCard(c *fiber.Ctx, b *Basket) error {
	typed := c.FormValue(fieldGiftCode)
	_, err := h.GiftSales.Use(c.UserContext(), b.Scope, b.Token, typed)
	f := fault.From(err)
	switch {
	case err == nil:
		return b.see(c, "/pay")
	case f == nil || !aboutCode(f):
		return b.refused(c, err)
	}
	return h.payWith(c, b, func(v *Pay) {
		if v.Gifts != nil {
			v.Gifts.Open, v.Gifts.Typed = true, typed
		}
		v.Trouble = kit.FieldTrouble(fieldGiftCode, b.Shell.Message(f.Message))
	})
}

// aboutCode reports whether a refusal is about the code, and not about the cart.
func aboutCode(f *fault.Error) bool {
	return f.Kind == fault.TooMany || errors.Is(f, cards.ErrUnusable) || errors.Is(f, giftcard.ErrBuysNone)
}

// removeGiftCard handles the form that pays without a gift card.
func (h *site) removeGiftCard(c *fiber.Ctx, b *Basket) error {
	id, err := uuid.Parse(c.FormValue("card"))
	if err != nil {
		return fault.Missing()
	}
	if _, err := h.GiftSales.Remove(c.UserContext(), b.Scope, b.Token, id); err != nil {
		return b.refused(c, err)
	}
	return b.see(c, "/pay")
}
