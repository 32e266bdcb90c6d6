package hosted

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/view"
	"foyer/billing"
)

// simulatorPay is where the simulator takes the card form, as stripe.js takes it from the live one. Its accounts, and no
// others, have ids that begin so: the database sees to that.
const (
	simulatorPay     = "/__sim/pay"
	simulatedAccount = "acct_sim_"
)

// testCards are the numbers people need to try the flow; the simulator knows more.
var testCards = []view.TestCard{
	{Number: "4242 4242 4242 4242", Does: "is accepted"},
	{Number: "4000 0027 6000 3184", Does: "asks the bank first"},
	{Number: "4000 0000 0000 0002", Does: "is declined"},
	{Number: "4000 0000 0000 9995", Does: "has too little money on it"},
}

// showPay is the last step. Opening it begins the payment, once however often it is opened: both card forms need what the
// processor says about it. ?why=declined explains the try that has just failed.
func (h *site) showPay(c *fiber.Ctx, b *basket) error {
	if err := b.know(c); err != nil {
		return err
	}
	v := view.Pay{Asks: b.lastWord(), Order: *b.orderOf(b.kept("/pay")), Way: view.PayNothing, Form: formTo(b.path("/pay"), b.quoted())}
	switch {
	case !b.signedIn() || b.Scope.Actor.Name == "":
		return b.onwards(c, errStep)
	case b.Cart.PersonID == nil:
		return b.see(c, "") // nobody has held it yet
	case b.Cart.Hold == nil:
		return b.back(c, reasonOver, "")
	case b.Cart.Totals.TotalAmount == 0:
		return b.payPage(c, v)
	case !b.Cart.Card && b.Cart.Order == nil:
		v.Way = view.PayNotOffered
		return b.payPage(c, v)
	}
	if c.Query("why") == "declined" {
		tr, paid, err := b.declined(c)
		if err != nil || paid {
			return b.settled(c, err)
		}
		v.Trouble = tr
	}
	p, err := b.start(c, b.Cart.Totals.TotalAmount)
	switch {
	case errors.Is(err, billing.ErrCardUnavailable):
		v.Way = view.PayNotOffered
		return b.payPage(c, v)
	case err != nil:
		return b.refused(c, err)
	case p.Status == billing.StatusSucceeded:
		return b.see(c, "/done")
	}
	if err := h.cardForm(c, b, p, &v); err != nil {
		return err
	}
	return b.payPage(c, v)
}

// lastWord says before the payment that the studio may still say no.
func (b *basket) lastWord() string {
	asks := func(l checkout.Line) bool { return b.terms[l.OfferingID].Approval }
	some := slices.ContainsFunc(b.Cart.Lines, asks)
	all := some && !slices.ContainsFunc(b.Cart.Lines, func(l checkout.Line) bool { return !asks(l) })
	business := b.Cart.BusinessName
	switch {
	case all && b.Cart.Totals.TotalAmount == 0:
		return business + " confirms each booking: you send a request now, and hear from them by mail."
	case all:
		return business + " confirms each booking. You pay now, and hear from them by mail. If they say no, all of it comes back."
	case some:
		return "A part of this is a request that " + business + " confirms. You pay now; what they say no to comes back."
	}
	return ""
}

// cardForm fills in the form of the processor at work. Both come back to /done.
func (h *site) cardForm(c *fiber.Ctx, b *basket, p checkout.Payment, v *view.Pay) error {
	done := h.BaseURL + b.returnPath(c)
	if strings.HasPrefix(p.AccountID, simulatedAccount) {
		v.Way, v.Tests = view.PayTest, testCards
		v.Form = formTo(simulatorPay,
			view.Param{Name: "client_secret", Value: p.ClientSecret}, view.Param{Name: "return_url", Value: done})
		v.Form.Away = true
		return nil
	}
	info, ok := money.Lookup(p.Currency)
	if !ok {
		return errors.New("hosted: a payment in an unknown currency: " + string(p.Currency))
	}
	amount, err := info.ToStripe(p.Amount)
	v.Way = view.PayLive
	v.Card = &view.LiveCard{Key: p.PublishableKey, Account: p.AccountID, Amount: amount, Return: done}
	return err
}

func (b *basket) payPage(c *fiber.Ctx, v view.Pay) error {
	return showUnder(c, view.Policy(b.Shell.Embed, v.Way == view.PayLive), view.PayPage(b.Shell, v))
}

// quoted is the hidden field with the total that the button shows.
func (b *basket) quoted() view.Param { return quotedTotal(b.Cart.Totals.TotalAmount) }

func quotedTotal(amount int64) view.Param {
	return view.Param{Name: "total", Value: strconv.FormatInt(amount, 10)}
}

func (b *basket) start(c *fiber.Ctx, quoted int64) (checkout.Payment, error) {
	return b.Checkout.Pay(c.UserContext(), b.Scope, b.Token, checkout.PayInput{QuotedAmount: quoted})
}

// pay takes the forms of the page itself: the one button when there is nothing to pay, and the live form's question for
// the payment's secret, whose script wants JSON.
func (h *site) pay(c *fiber.Ctx, b *basket) error {
	if b.Cart.Totals.TotalAmount == 0 {
		done, err := h.Checkout.Confirm(c.UserContext(), b.Scope, b.Token)
		if err != nil {
			return b.refused(c, err)
		}
		return b.receipt(c, done.Token)
	}
	if !wantsJSON(c) {
		return b.see(c, "/pay")
	}
	quoted, err := strconv.ParseInt(c.FormValue("total"), 10, 64)
	if err != nil {
		return fault.Invalid("total", "is missing")
	}
	p, err := b.start(c, quoted)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"data": fiber.Map{"clientSecret": p.ClientSecret}})
}

// declined asks the processor why the last try failed. paid is true when it did not fail after all.
func (b *basket) declined(c *fiber.Ctx) (tr *view.Trouble, paid bool, err error) {
	_, err = b.Checkout.Confirm(c.UserContext(), b.Scope, b.Token)
	if !errors.Is(err, checkout.ErrPaymentRequired) {
		return nil, err == nil, err
	}
	switch said, _ := fault.From(err).Details["message"].(string); said {
	case "":
		return &view.Trouble{Title: "This is not paid yet", Text: "Nothing was charged, and your spots are still held."}, false, nil
	case "Your card was declined.": // the title says so
		return view.Declined(""), false, nil
	default:
		return view.Declined(said), false, nil
	}
}
