package cart

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/agree"
	"foyer/app/hosted/kit"
	"foyer/app/money"
	"foyer/app/view"
	"foyer/app/web"
	"foyer/billing/processor"
)

// returnPath is the processor's return address for the customer. The processor stores that address, and so do others
// on the way: in the frame it has no ticket but a pass, good for this one path, once.
func (b *Basket) returnPath(c *fiber.Ctx) string {
	path := b.path("/done")
	if j := web.JarOf(c); j != nil {
		return path + "?" + url.Values{view.FieldEmbed: {"1"}, kit.FieldPass: {j.Pass(path, kit.PassLife)}}.Encode()
	}
	return b.Shell.Link(path)
}

// simulatorPay is the final target of the simulator's card form, the counterpart of stripe.js for the live one. Only
// its accounts have ids that begin so: the database ensures that.
const (
	simulatorPay     = "/__sim/pay"
	simulatedAccount = "acct_sim_"
)

// testCards are the card numbers for trying the flow; the simulator has more.
func testCards(w view.Words) []TestCard {
	return []TestCard{
		{Number: "4242 4242 4242 4242", Does: w.T("is accepted")},
		{Number: "4000 0027 6000 3184", Does: w.T("requires authentication")},
		{Number: "4000 0000 0000 0002", Does: w.T("is declined")},
		{Number: "4000 0000 0000 9995", Does: w.T("has insufficient funds")},
	}
}

// showPay is the last step. Opening it begins the payment, once however often it is opened: both card forms need the
// processor's payment. ?why=declined explains a failed attempt.
func (h *site) showPay(c *fiber.Ctx, b *Basket) error {
	return h.payWith(c, b, func(*Pay) {})
}

// payWith is showPay with changes to the page.
func (h *site) payWith(c *fiber.Ctx, b *Basket, say func(*Pay)) error {
	if err := b.know(c); err != nil {
		return err
	}
	switch {
	case !b.signedIn() || b.Scope.Actor.Name == "":
		return b.Onwards(c, errStep)
	case b.Cart.PersonID == nil:
		return b.see(c, "") // it is not held yet
	case b.Cart.Hold == nil:
		return b.back(c, reasonOver, "")
	case len(b.asked()) > 0:
		return b.see(c, "/agreements")
	}
	if err := b.preferCredit(c); err != nil {
		return b.refused(c, err)
	}
	plans, err := b.pays(c)
	if err != nil {
		return b.refused(c, err)
	}
	v := Pay{
		Approval: b.lastWord(), Order: *b.orderOf(b.kept("/pay")), Way: PayNothing,
		Form:  kit.FormTo(b.path("/pay"), b.rest()),
		Gifts: b.gifts(), Credit: b.credit(), AtStudio: b.there(), Deposit: b.deposit(), Items: !b.Cart.HasSeats(),
		Agreed: agree.AgreedOf(b.Scope.Tenant, b.Cart.Agreements), Code: b.code(atPayment), Plans: plans,
		Renewals: b.renewals(),
	}
	say(&v)
	kit.Troubled(c, v.Trouble)
	switch {
	case b.Cart.Totals.DueNow() == 0:
		return b.payPage(c, v)
	case !b.Cart.Card && b.Cart.Order == nil:
		return b.payWithoutCard(c, v)
	}
	if c.Query("why") == "declined" {
		tr, paid, err := b.declined(c)
		if err != nil || paid {
			return b.settled(c, err)
		}
		v.Trouble = tr
	}
	if c.Query("why") == "gone" {
		v.Trouble = &view.Trouble{Title: b.Shell.T("This card is no longer saved"), Text: b.spots(
			"Nothing was charged, and your spots are still held. Use another card.",
			"Nothing was charged, and your items are still held. Use another card.")}
	}
	p, err := b.start(c, b.Cart.Totals.DueNow())
	switch {
	case errors.Is(err, processor.ErrCardUnavailable):
		return b.payWithoutCard(c, v)
	case err != nil:
		return b.refused(c, err)
	case p.Paid():
		return b.see(c, "/done")
	}
	if err := h.cardForm(c, b, p, &v); err != nil {
		return err
	}
	if v.Saved, err = b.savedCards(c); err != nil {
		return err
	}
	return b.payPage(c, v)
}

// payWithoutCard is the last step of an order that no card can pay: it is paid at the studio, or not here.
func (b *Basket) payWithoutCard(c *fiber.Ctx, v Pay) error {
	v.Way = PayNotOffered
	if b.Cart.Least > 0 {
		v.Least = &view.Price{Minor: b.Cart.Least, Currency: b.Cart.Totals.Currency}
	}
	if t := b.Cart.AtStudio; t != nil {
		v.Order.Bill = view.BillOf(b.Shell.Words, *t, kit.Counted(b.Shell.Words, b.Cart.Lines))
	}
	return b.payPage(c, v)
}

// there offers to pay at the studio; nil where its rules do not. Nothing is paid yet, so cancelling costs as much as
// the rules set.
func (b *Basket) there() *PayAtStudio {
	t := b.Cart.AtStudio
	if t == nil {
		return nil
	}
	v := &PayAtStudio{
		Form:  kit.FormTo(b.path("/at-studio"), quotedTotal(t.TotalAmount)),
		Total: view.TotalOf(*t),
	}
	for _, l := range b.Cart.Lines {
		for _, said := range b.costs(l, booking.CostBasis{}) {
			if !slices.Contains(v.Terms, said) {
				v.Terms = append(v.Terms, said)
			}
		}
	}
	return v
}

// lastWord is the notice before payment that the studio may still decline.
func (b *Basket) lastWord() string {
	asks := func(l checkout.Line) bool { return b.terms[l.OfferingID].Approval }
	some := slices.ContainsFunc(b.Cart.Lines, asks)
	all := some && !slices.ContainsFunc(b.Cart.Lines, func(l checkout.Line) bool { return !asks(l) })
	w, business := b.Shell.Words, b.Cart.BusinessName
	switch {
	case all && b.Cart.Totals.PrepaidAmount() == 0 && (b.Cart.Totals.TotalAmount == 0 || !b.Cart.Card):
		return w.T("{studio} approves each booking: you send a request now, and hear from them by e-mail.", "studio", business)
	case all:
		return w.T("{studio} approves each booking. Your card is authorized now, and charged only when they approve. You hear from them by e-mail.", "studio", business)
	case some:
		return w.T("Part of this is a request that {studio} approves or declines. If they decline, the amount you pay for it now is refunded.", "studio", business)
	}
	return ""
}

// cardForm fills in the form of the active processor. Both return to /done.
func (h *site) cardForm(c *fiber.Ctx, b *Basket, p checkout.Payment, v *Pay) error {
	done := h.BaseURL + b.returnPath(c)
	if !b.renews() { // else the card is saved anyway
		v.SaveConsent = b.keepWords()
	}
	if strings.HasPrefix(p.AccountID, simulatedAccount) {
		v.Way, v.Tests = PayTest, testCards(b.Shell.Words)
		v.Form = kit.FormTo(b.path("/pay/card"), b.rest(),
			view.Param{Name: "client_secret", Value: p.ClientSecret}, view.Param{Name: "return_url", Value: done})
		return nil
	}
	info, ok := money.Lookup(p.Currency)
	if !ok {
		return errors.New("hosted: a payment in an unknown currency: " + string(p.Currency))
	}
	amount, err := info.ToStripe(p.Amount)
	v.Way = PayLive
	v.Card = &LiveCard{Key: p.PublishableKey, Account: p.AccountID, Amount: amount, Return: done, Held: p.OnApproval}
	return err
}

func (b *Basket) payPage(c *fiber.Ctx, v Pay) error {
	return kit.ShowUnder(c, view.Policy(b.Shell.Embed, v.Way == PayLive), PayPage(b.Shell, v))
}

// quoted is the hidden field with the total on the button.
func (b *Basket) quoted() view.Param { return quotedTotal(b.Cart.Totals.TotalAmount) }

func quotedTotal(amount int64) view.Param {
	return view.Param{Name: "total", Value: strconv.FormatInt(amount, 10)}
}

func (b *Basket) start(c *fiber.Ctx, quoted int64) (checkout.Payment, error) {
	return b.Checkout.Pay(c.UserContext(), b.Scope, b.Token, checkout.PayInput{QuotedAmount: quoted})
}

// pay handles the forms of the page itself: the one button for a total of zero, and the live form's request for the
// payment's secret, in JSON.
func (h *site) pay(c *fiber.Ctx, b *Basket) error {
	if b.Cart.Totals.DueNow() == 0 {
		done, err := h.Checkout.Confirm(c.UserContext(), b.Scope, b.Token)
		if err != nil {
			return b.refused(c, err)
		}
		return b.receipt(c, done.Token)
	}
	if !kit.WantsJSON(c) {
		return b.see(c, "/pay")
	}
	p, err := b.choose(c, checkout.PayInput{How: &checkout.How{Consent: b.consent(c)}})
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"data": fiber.Map{"clientSecret": p.ClientSecret}})
}

// payThere handles the form that books for payment at the studio.
func (h *site) payThere(c *fiber.Ctx, b *Basket) error {
	quoted, err := strconv.ParseInt(c.FormValue("total"), 10, 64)
	if err != nil {
		return fault.Invalid("total", "is missing")
	}
	done, err := b.Checkout.BookAtStudio(c.UserContext(), b.Scope, b.Token, quoted)
	if err != nil {
		return b.refused(c, err)
	}
	return b.receipt(c, done.Token)
}

// declined asks the processor why the last attempt failed. paid is true when it did not fail after all.
func (b *Basket) declined(c *fiber.Ctx) (tr *view.Trouble, paid bool, err error) {
	_, err = b.Checkout.Confirm(c.UserContext(), b.Scope, b.Token)
	if !errors.Is(err, checkout.ErrPaymentRequired) {
		return nil, err == nil, err
	}
	w := b.Shell.Words
	if code, _ := fault.From(err).Details["code"].(string); code != "" {
		return view.CardTrouble(w, code, b.Cart.HasSeats()), false, nil
	}
	return &view.Trouble{Title: w.T("This is not paid yet"), Text: b.spots(
		"Nothing was charged, and your spots are still held.", "Nothing was charged, and your items are still held."),
	}, false, nil
}
