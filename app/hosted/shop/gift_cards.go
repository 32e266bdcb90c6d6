package shop

import (
	"cmp"
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/giftcard"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/kit"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/words"
	cards "foyer/billing/giftcard"
)

// giftCardsPath is the address of the gift cards of a studio.
func giftCardsPath(home string) string { return kit.ShopPath(home) + "/gift-cards" }

// giftCards is the page that sells gift cards.
func (h *site) giftCards(c *fiber.Ctx, at kit.Location, slug string) error {
	return h.showGiftCards(c, at, slug, filled{}, nil)
}

// filled is what was entered on the page.
type filled struct {
	Suggested, Amount                     string
	Recipient, Email, Sender, Message, On string
}

func filledOf(c *fiber.Ctx) filled {
	return filled{
		Suggested: c.FormValue(fieldSuggested), Amount: c.FormValue(fieldAmount), Recipient: c.FormValue(fieldRecipient),
		Email: c.FormValue(fieldEmail), Sender: c.FormValue(fieldSender), Message: c.FormValue(fieldMessage),
		On: c.FormValue(fieldOn),
	}
}

// showGiftCards is that page after a form with a problem.
func (h *site) showGiftCards(c *fiber.Ctx, at kit.Location, slug string, typed filled, tr kit.Trouble) error {
	return h.ShowAnew(c, kit.Public{At: at, Slug: slug, Make: func(ctx context.Context) (kit.Made, error) {
		t, err := h.GiftSales.OfferedAt(ctx, at.Tenant, at.Location)
		if err != nil {
			return kit.Made{}, err
		}
		s, err := h.StudioAt(ctx, at)
		if err != nil {
			return kit.Made{}, err
		}
		path := giftCardsPath(s.Home())
		sh := h.PublicShell(c, s, path)
		if _, sh.Bar, err = h.CartBar(c, s, sh.Words); err != nil {
			return kit.Made{}, err
		}
		today := civil.LocalDate(sh.Now, s.Clock)
		v := GiftCards{
			filled: typed, Home: s.Home(), Shop: kit.ShopPath(s.Home()), Balance: path + "/balance", Trouble: tr.In(sh.Words),
			Sold: t.SoldOnline, Today: today.String(), Last: today.AddDays(giftcard.DeliveryDays).String(),
		}
		price := func(n int64) string { return sh.MoneyShort(view.Price{Minor: n, Currency: t.Currency}) }
		for _, n := range t.Amounts {
			v.Amounts = append(v.Amounts, view.Option{Value: strconv.FormatInt(n, 10), Text: price(n)})
		}
		v.Bounds = sh.T("From {least} to {most}", "least", price(t.LeastAmount), "most", price(t.MostAmount))
		if t.ExpiresMonths != nil {
			v.Ends = sh.N(*t.ExpiresMonths, "It can be used for {n} month.", "It can be used for {n} months.")
		}
		if v.Sold {
			sh.CSRF = h.TokenOf(c)
			v.Form = kit.FormTo(path)
		}
		return kit.Made{Studio: s, Shell: sh, Content: GiftCardsPage(sh, v), ForOne: true}, nil
	}})
}

// addGiftCard puts a gift card into this browser's cart, and shows the cart.
func (h *site) addGiftCard(c *fiber.Ctx) error {
	at, err := h.formLocation(c)
	if err != nil {
		return err
	}
	typed := filledOf(c)
	b, err := h.putGiftCard(c, at, typed)
	if f := fault.From(err); f != nil && f.Kind != fault.Internal {
		return h.showGiftCards(c, at, "", typed, giftCardTrouble(f))
	}
	if err != nil {
		return err
	}
	return b.Show(c)
}

func (h *site) putGiftCard(c *fiber.Ctx, at kit.Location, typed filled) (*cart.Basket, error) {
	in, err := h.newCard(c, at, typed)
	if err != nil {
		return nil, err
	}
	is := func(l checkout.Line) bool { return l.Kind == order.GiftCard }
	return cart.Put(h.Site, c, at, is, func(ctx context.Context, sc tenancy.Scope, token string) (checkout.Cart, error) {
		return h.GiftSales.Add(ctx, sc, token, in)
	})
}

// newCard reads the form.
func (h *site) newCard(c *fiber.Ctx, at kit.Location, typed filled) (giftcard.NewCard, error) {
	t, err := h.GiftSales.OfferedAt(c.UserContext(), at.Tenant, at.Location)
	if err != nil {
		return giftcard.NewCard{}, err
	}
	in := giftcard.NewCard{
		RecipientEmail: typed.Email, RecipientName: typed.Recipient, SenderName: typed.Sender, Message: typed.Message,
		Locale: cmp.Or(h.Speech(c), words.English),
	}
	if typed.Suggested != "" && typed.Suggested != otherAmount {
		in.Amount, _ = strconv.ParseInt(typed.Suggested, 10, 64)
	} else if info, known := money.Lookup(t.Currency); known {
		if in.Amount, err = info.Parse(typed.Amount); err != nil {
			return in, fault.Invalid("amount", "Enter an amount within the limits of this studio.")
		}
	}
	if typed.On != "" {
		if in.DeliverOn, err = civil.ParseDate(typed.On); err != nil {
			return in, fault.Invalid("deliverOn", "Choose a date within a year.")
		}
	}
	return in, nil
}

// giftCardTrouble says why a card was not added: at its field, if it has one.
func giftCardTrouble(f *fault.Error) kit.Trouble {
	return func(w view.Words) *view.Trouble {
		t := &view.Trouble{Title: w.T("This was not added to your cart"), Text: w.Message(f.Message)}
		for _, x := range f.Fields {
			if name, ok := fieldOf[x.Field]; ok {
				t.Fields = append(t.Fields, fault.Field{Field: name, Message: w.Message(x.Message)})
			}
			t.Text = ""
		}
		return t
	}
}

// fieldOf are the form's names of the fields of giftcard.NewCard.
var fieldOf = map[string]string{
	"amount": fieldAmount, "recipientName": fieldRecipient, "recipientEmail": fieldEmail, "senderName": fieldSender,
	"message": fieldMessage, "deliverOn": fieldOn,
}

// giftCardBalance is the page that shows the balance of a card for its code.
func (h *site) giftCardBalance(c *fiber.Ctx, at kit.Location, slug string) error {
	return h.showBalance(c, at, slug, nil, nil)
}

// askBalance answers the form.
func (h *site) askBalance(c *fiber.Ctx) error {
	at, err := h.formLocation(c)
	if err != nil {
		return err
	}
	sc, err := h.ScopeOf(c, at.Tenant)
	if err != nil {
		return err
	}
	card, err := h.GiftSales.Balance(c.UserContext(), sc, c.FormValue(fieldCode))
	if f := fault.From(err); f != nil && f.Kind != fault.Internal {
		return h.showBalance(c, at, "", nil, func(w view.Words) *view.Trouble {
			return kit.FieldTrouble(fieldCode, w.Message(f.Message))
		})
	}
	if err != nil {
		return err
	}
	return h.showBalance(c, at, "", &card, nil)
}

func (h *site) showBalance(c *fiber.Ctx, at kit.Location, slug string, card *cards.Card, tr kit.Trouble) error {
	return h.ShowAnew(c, kit.Public{At: at, Slug: slug, Make: func(ctx context.Context) (kit.Made, error) {
		s, err := h.StudioAt(ctx, at)
		if err != nil {
			return kit.Made{}, err
		}
		path := giftCardsPath(s.Home()) + "/balance"
		sh := h.PublicShell(c, s, path)
		sh.CSRF = h.TokenOf(c)
		v := GiftCardBalance{GiftCards: giftCardsPath(s.Home()), Form: kit.FormTo(path), Trouble: tr.In(sh.Words)}
		if card != nil {
			v.Name = sh.GiftCardNamed(card.Label())
			v.Amount = sh.Money(view.Price{Minor: card.Balance, Currency: card.Currency})
			if !card.ExpiresAt.IsZero() {
				v.Ends = sh.GiftCardEnds(card.ExpiresAt)
			}
		}
		return kit.Made{Studio: s, Shell: sh, Content: GiftCardBalancePage(sh, v), ForOne: true}, nil
	}})
}

// formLocation is the location of a form: forms are on pages with the current address.
func (h *site) formLocation(c *fiber.Ctx) (kit.Location, error) {
	at, moved, err := h.LocationOf(c)
	if err == nil && moved != "" {
		err = fault.Missing()
	}
	return at, err
}
