package cart

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web/op"
	"foyer/billing"
	"foyer/billing/processor"
)

// savedCards offers the customer's saved cards at the studio, as the first choice; nil without any.
func (b *Basket) savedCards(c *fiber.Ctx) (*PaySaved, error) {
	cards, err := b.Checkout.SavedCards(c.UserContext(), b.Scope, b.Cart)
	return (&site{b.Site}).keptOf(b.Shell.Words, cards, kit.FormTo(b.path("/pay/kept"), b.rest())), err
}

// keptOf are saved cards with the form to pay with one; nil without any.
func (h *site) keptOf(w view.Words, cards []billing.SavedCard, form view.Form) *PaySaved {
	if len(cards) == 0 {
		return nil
	}
	v := &PaySaved{Form: form}
	for _, card := range cards {
		v.Cards = append(v.Cards, SavedCardOf(w, card, card.Expired(h.Clock.Now())))
	}
	return v
}

// consent is the customer's consent by ticking the box; nil without.
func (b *Basket) consent(c *fiber.Ctx) *billing.Consent {
	if c.FormValue("keep") != "1" {
		return nil
	}
	return &billing.Consent{Text: b.keepWords(), Version: billing.ConsentVersion}
}

func (b *Basket) keepWords() string { return ConsentWords(b.Shell.Words, b.Cart.BusinessName) }

// payTyped handles the simulator's card form on its way: it records whether to save the card, and passes the form on
// as it is.
func (h *site) payTyped(c *fiber.Ctx, b *Basket) error {
	p, err := b.choose(c, checkout.PayInput{How: &checkout.How{Consent: b.consent(c)}})
	switch {
	case err != nil:
		return b.refused(c, err)
	case p.Paid():
		return b.see(c, "/done")
	case !strings.HasPrefix(p.AccountID, simulatedAccount):
		return b.see(c, "/pay")
	}
	kit.Discreet(c)
	return c.Redirect(simulatorPay, fiber.StatusTemporaryRedirect)
}

// paySaved handles the form of the saved cards: it charges the chosen one, and redirects to the bank for
// authentication if needed. Pressed twice it leads to the same receipt.
func (h *site) paySaved(c *fiber.Ctx, b *Basket) error {
	card, err := uuid.Parse(c.FormValue("card"))
	if err != nil {
		return fault.Invalid("card", "is missing")
	}
	p, err := b.choose(c, checkout.PayInput{How: &checkout.How{CardID: card}, ReturnURL: h.BaseURL + b.returnPath(c)})
	switch {
	case errors.Is(err, processor.ErrCardRemoved):
		return kit.See(c, b.Shell, kit.Query(b.path("/pay"), "why", "gone"))
	case err != nil:
		return b.refused(c, err)
	case p.RedirectURL != "":
		kit.Discreet(c)
		return c.Redirect(p.RedirectURL, fiber.StatusSeeOther)
	case p.FailureCode != "":
		return kit.See(c, b.Shell, kit.Query(b.path("/pay"), "why", "declined"))
	}
	return b.see(c, "/done")
}

// choose begins the payment, for the total on the form's button.
func (b *Basket) choose(c *fiber.Ctx, in checkout.PayInput) (checkout.Payment, error) {
	quoted, err := strconv.ParseInt(c.FormValue("total"), 10, 64)
	if err != nil {
		return checkout.Payment{}, fault.Invalid("total", "is missing")
	}
	in.QuotedAmount = quoted
	return b.Checkout.Pay(c.UserContext(), b.Scope, b.Token, in)
}

// cardPages mount the page of the signed-in person's saved cards.
func (h *site) cardPages() {
	h.Get("/my/cards", h.Own(h.showCards))
	h.Post("/my/cards/:card/remove", op.RateStorefrontWrite, h.Own(h.removeCard))
}

// showCards is the page. ?removed= confirms a removal.
func (h *site) showCards(c *fiber.Ctx, p tenancy.Principal) error {
	cards, err := h.Checkout.MyCards(c.UserContext(), p)
	if err != nil {
		return err
	}
	sh := h.StudioShell(c)
	sh.Mine = "/my"
	if c.Query("removed") != "" {
		sh.Said = sh.T("The card is removed.")
	}
	v := Cards{Email: p.Email, Back: "/my"}
	for _, card := range cards {
		v.Cards = append(v.Cards, Card{
			SavedCard: SavedCardOf(sh.Words, card.SavedCard, card.Expired(h.Clock.Now())), Studio: card.BusinessName,
			Remove: kit.FormTo("/my/cards/" + card.ID.String() + "/remove"),
		})
	}
	return kit.Show(c, sh, CardsPage(sh, v))
}

// removeCard removes a card. If it is already gone, nothing happens.
func (h *site) removeCard(c *fiber.Ctx, p tenancy.Principal) error {
	card, err := uuid.Parse(c.Params("card"))
	if err != nil {
		return fault.Missing()
	}
	if err := h.Checkout.RemoveMyCard(c.UserContext(), p, card); err != nil && !fault.IsKind(err, fault.NotFound) {
		return err
	}
	return kit.See(c, kit.CarriedOnly(c), "/my/cards?removed=1")
}
