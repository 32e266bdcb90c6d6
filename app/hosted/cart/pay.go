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
	"foyer/billing"
)

// returnPath is where the processor sends the customer back to. It keeps that address, and so do others on the way: in the
// frame there is no ticket in it but a pass, which opens this one path, once.
func (b *Basket) returnPath(c *fiber.Ctx) string {
	path := b.path("/done")
	if j := web.JarOf(c); j != nil {
		return path + "?" + url.Values{view.FieldEmbed: {"1"}, kit.FieldPass: {j.Pass(path, kit.PassLife)}}.Encode()
	}
	return b.Shell.Link(path)
}

// simulatorPay is where the simulator takes the card form in the end, as stripe.js takes it from the live one. Its accounts, and no
// others, have ids that begin so: the database sees to that.
const (
	simulatorPay     = "/__sim/pay"
	simulatedAccount = "acct_sim_"
)

// testCards are the numbers people need to try the flow; the simulator knows more.
func testCards(w view.Words) []TestCard {
	return []TestCard{
		{Number: "4242 4242 4242 4242", Does: w.T("is accepted")},
		{Number: "4000 0027 6000 3184", Does: w.T("asks the bank first")},
		{Number: "4000 0000 0000 0002", Does: w.T("is declined")},
		{Number: "4000 0000 0000 9995", Does: w.T("has too little money on it")},
	}
}

// showPay is the last step. Opening it begins the payment, once however often it is opened: both card forms need what the
// processor says about it. ?why=declined explains the try that has just failed.
func (h *site) showPay(c *fiber.Ctx, b *Basket) error {
	return h.payWith(c, b, func(*Pay) {})
}

// payWith is showPay with what else there is to say.
func (h *site) payWith(c *fiber.Ctx, b *Basket, say func(*Pay)) error {
	if err := b.know(c); err != nil {
		return err
	}
	switch {
	case !b.signedIn() || b.Scope.Actor.Name == "":
		return b.Onwards(c, errStep)
	case b.Cart.PersonID == nil:
		return b.see(c, "") // nobody has held it yet
	case b.Cart.Hold == nil:
		return b.back(c, reasonOver, "")
	case len(b.asked()) > 0:
		return b.see(c, "/agreements")
	}
	if err := b.preferCredit(c); err != nil {
		return b.refused(c, err)
	}
	v := Pay{
		Asks: b.lastWord(), Order: *b.orderOf(b.kept("/pay")), Way: PayNothing, Form: kit.FormTo(b.path("/pay"), b.rest()), Credit: b.credit(), AtStudio: b.there(), Deposit: b.deposit(),
		Agreed: agree.AgreedOf(b.Scope.Tenant, b.Cart.Agreements), Code: b.code(atPayment),
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
		v.Trouble = &view.Trouble{Title: b.Shell.T("This card is not kept any more"), Text: b.Shell.T("Nothing was charged, and your spots are still held. Use another card.")}
	}
	p, err := b.start(c, b.Cart.Totals.DueNow())
	switch {
	case errors.Is(err, billing.ErrCardUnavailable):
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

// there offers to pay at the studio; nil where its rules do not. Nobody has paid yet, so cancelling costs what the rules ask for.
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

// lastWord says before the payment that the studio may still say no.
func (b *Basket) lastWord() string {
	asks := func(l checkout.Line) bool { return b.terms[l.OfferingID].Approval }
	some := slices.ContainsFunc(b.Cart.Lines, asks)
	all := some && !slices.ContainsFunc(b.Cart.Lines, func(l checkout.Line) bool { return !asks(l) })
	w, business := b.Shell.Words, b.Cart.BusinessName
	switch {
	case all && b.Cart.Totals.CreditAmount == 0 && (b.Cart.Totals.TotalAmount == 0 || !b.Cart.Card):
		return w.T("{studio} confirms each booking: you send a request now, and hear from them by mail.", "studio", business)
	case all:
		return w.T("{studio} confirms each booking. Your card is not charged now: the money is held, and taken when they say yes. You hear from them by mail.", "studio", business)
	case some:
		return w.T("A part of this is a request that {studio} confirms. What you pay now for it comes back if they say no.", "studio", business)
	}
	return ""
}

// cardForm fills in the form of the processor at work. Both come back to /done.
func (h *site) cardForm(c *fiber.Ctx, b *Basket, p checkout.Payment, v *Pay) error {
	done := h.BaseURL + b.returnPath(c)
	v.SaveConsent = b.keepWords()
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

// quoted is the hidden field with the total that the button shows.
func (b *Basket) quoted() view.Param { return quotedTotal(b.Cart.Totals.TotalAmount) }

func quotedTotal(amount int64) view.Param {
	return view.Param{Name: "total", Value: strconv.FormatInt(amount, 10)}
}

func (b *Basket) start(c *fiber.Ctx, quoted int64) (checkout.Payment, error) {
	return b.Checkout.Pay(c.UserContext(), b.Scope, b.Token, checkout.PayInput{QuotedAmount: quoted})
}

// pay takes the forms of the page itself: the one button when there is nothing to pay, and the live form's question for
// the payment's secret, whose script wants JSON.
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

// payThere takes the form that books what is to be paid at the studio.
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

// declined asks the processor why the last try failed. paid is true when it did not fail after all.
func (b *Basket) declined(c *fiber.Ctx) (tr *view.Trouble, paid bool, err error) {
	_, err = b.Checkout.Confirm(c.UserContext(), b.Scope, b.Token)
	if !errors.Is(err, checkout.ErrPaymentRequired) {
		return nil, err == nil, err
	}
	w := b.Shell.Words
	if code, _ := fault.From(err).Details["code"].(string); code != "" {
		return view.CardTrouble(w, code), false, nil
	}
	return &view.Trouble{Title: w.T("This is not paid yet"), Text: w.T("Nothing was charged, and your spots are still held.")}, false, nil
}
