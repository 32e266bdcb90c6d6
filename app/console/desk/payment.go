package desk

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/view"
	"foyer/app/web/op"
	"foyer/billing/giftcard"
	"foyer/billing/tender"
)

// errEnterAgain refuses a gift card without proof that this member entered its code lately.
var errEnterAgain = fault.Invalid(ui.FieldCode, "Enter the code of the gift card again.")

// proofAge is the time for which an entered code of a gift card counts.
const proofAge = time.Hour

// proof is the proof that a member has entered the code of a gift card. It is signed, for the member and the business.
type proof struct {
	Card  uuid.UUID `json:"c"`
	Label string    `json:"l"` // a new code of the card has another one
	Until int64     `json:"u"` // seconds of the epoch
}

// proofKey returns the name under which proofs of the caller are signed.
func (c *Call) proofKey() string { return op.ListKey("console.gift-card", c.Scope.Person()) }

// giftCard returns the gift card of the address or the form; the zero value without one. It returns an error at the
// field of the code for a proof that is forged, expired, or of another member or business.
func (c *Call) giftCard() (ui.GiftCard, error) {
	var p proof
	text := c.Value(ui.FieldCard)
	given, err := c.Desk.web.Cursors.Decode(c.proofKey(), c.Scope.Tenant, text, &p)
	if err != nil || given && c.Desk.now().Unix() >= p.Until {
		return ui.GiftCard{}, errEnterAgain
	}
	return ui.GiftCard{ID: p.Card, Label: p.Label, Proof: text}, nil
}

// EnterGiftCard lets the gift card of the form's code pay, and returns it with a notice about its balance. A code that
// cannot pay is an error at its field.
func (c *Call) EnterGiftCard(ctx context.Context, cur money.Currency) (ui.GiftCard, string, error) {
	card, err := c.Desk.GiftCards.ByCode(ctx, c.Scope, c.Value(ui.FieldCode))
	if err == nil && (card.Currency != cur || !card.Usable(c.Desk.now())) {
		err = giftcard.ErrUnusable
	}
	if f := fault.From(err); f != nil && f.Reason == giftcard.ErrUnusable.Reason {
		err = fault.Invalid(ui.FieldCode, f.Message)
	}
	if err != nil {
		return ui.GiftCard{}, "", err
	}
	out := ui.GiftCard{ID: card.ID, Label: card.Label()}
	out.Proof = c.Desk.web.Cursors.Encode(c.proofKey(), c.Scope.Tenant, proof{
		Card: out.ID, Label: out.Label, Until: c.Desk.now().Add(proofAge).Unix(),
	})
	said := c.UI.T("{card} has {amount}.",
		"card", c.UI.GiftCardNamed(out.Label), "amount", c.UI.Cash(card.Balance, card.Currency))
	return out, said, nil
}

// Payment reads a payment by one of the methods from the address or the form. The first method is the default, and
// that of a gift card's remaining amount. Its error is at a field; the payment is complete apart from it.
func (c *Call) Payment(cur money.Currency, methods ...tender.Kind) (p ui.Payment, err error) {
	chosen := func(name string, but ...tender.Kind) tender.Kind {
		m, _ := ui.ReadMethod(c.Value(name))
		if slices.Contains(methods, m) && !slices.Contains(but, m) {
			return m
		}
		return methods[0]
	}
	p = ui.Payment{Methods: methods, Method: chosen(ui.FieldMethod), Currency: cur}
	p.Remaining = chosen(ui.FieldRemaining, tender.GiftCard, owed.SavedCard, owed.PlanCredit)
	if p.Method == owed.PlanCredit {
		_, p.Plan = ui.ReadMethod(c.Value(ui.FieldMethod))
	}
	if p.Method == tender.Cash || p.Method == tender.GiftCard && p.Remaining == tender.Cash {
		p.Received, err = c.Amount(ui.FieldReceived, cur)
	}
	if p.Method == tender.GiftCard {
		var unproven error
		p.Card, unproven = c.giftCard()
		err = cmp.Or(unproven, err)
	}
	return p, err
}

// QuotePayment quotes a sale with a payment, for the operation createSale. A gift card that does not cover the amount
// pays with its whole balance, and the other method the remaining amount: p has its part then. A refusal is in the
// shell if it is at a field of the payment, with the sale but no quote if the amount is known, else in refused.
func (c *Call) QuotePayment(
	p *ui.Payment, sell func(ctx context.Context, tenders []owed.Tender) (owed.Sale, error),
) (sale owed.Sale, refused string, err error) {
	try := func(p ui.Payment) (owed.Sale, error) {
		return Quote(c, "createSale", func(ctx context.Context) (owed.Sale, error) { return sell(ctx, p.Tenders()) })
	}
	sale, err = try(*p)
	if p.CardAmount = balanceOf(err); p.CardAmount > 0 {
		sale, err = try(*p)
	}
	err = c.notPaid(atPayment(err))
	renewed := func(t owed.Tender) bool { return t.Method == tender.GiftCard && t.Label != p.Card.Label }
	if err == nil && slices.ContainsFunc(sale.Tenders, renewed) {
		p.Card, sale, err = ui.GiftCard{}, owed.Sale{}, errEnterAgain
	}
	if err == nil {
		return sale, "", nil
	}
	wrong := fieldOf(err)
	if !slices.Contains(ui.PaymentInputs, wrong) || !c.Told(err) {
		refused, err = c.Cannot(err)
		return sale, refused, err
	}
	err = nil
	if wrong == ui.FieldReceived { // the amount to pay is shown beside it
		exact := *p
		exact.Received = nil
		if sale, err = try(exact); err != nil {
			refused, err = c.Cannot(err)
		}
	}
	c.UI.Quote = ""
	return sale, refused, err
}

// fieldOf returns the first field that an error is about; empty for none.
func fieldOf(err error) string {
	if f := fault.From(err); f != nil && len(f.Fields) > 0 {
		return f.Fields[0].Field
	}
	return ""
}

// balanceOf returns the balance of a gift card that does not cover the amount; 0 for another error, or an empty card.
func balanceOf(err error) int64 {
	f := fault.From(err)
	if f == nil || f.Reason != giftcard.ErrShort.Reason {
		return 0
	}
	n, _ := f.Details["balance"].(int64)
	return n
}

var tenderField = regexp.MustCompile(`^tenders\[\d+\]\.`)

// atPayment returns an error at fields of tenders as one at those of a payment.
func atPayment(err error) error {
	if fieldOf(err) == "" {
		return err
	}
	return fault.From(err).At(func(field string) string { return tenderField.ReplaceAllString(field, "") })
}

// TenderFields returns the fields with the tenders of a quoted payment. The form that redeems the quote has them, so
// that a repeated post means the same although less is due by then.
func TenderFields(p ui.Payment) (out []view.Param) {
	for _, t := range p.Tenders() {
		out = append(out, view.Param{
			Name: ui.FieldTender, Value: string(t.Method) + ":" + strconv.FormatInt(t.Amount, 10),
		})
	}
	return out
}

// RedeemPayment runs a sale with the posted fields of TenderFields and of the payment, under its quote. The field note
// belongs to the last tender. A gift card needs its proof here again.
func (c *Call) RedeemPayment(
	ctx context.Context, p ui.Payment, sell func(ctx context.Context, tenders []owed.Tender) (owed.Sale, error),
) (owed.Sale, error) {
	var tenders []owed.Tender
	for _, text := range c.Values(ui.FieldTender) {
		method, amount, _ := strings.Cut(text, ":")
		n, err := strconv.ParseInt(amount, 10, 64)
		if err != nil {
			continue
		}
		t := owed.Tender{Method: tender.Kind(method), Amount: n}
		switch {
		case t.Method == tender.GiftCard && p.Card.ID == uuid.Nil:
			return owed.Sale{}, errEnterAgain
		case t.Method == tender.GiftCard:
			t.Source = p.Card.ID
		case t.Method == owed.PlanCredit:
			t.Source = p.Plan
		case t.Method == tender.Cash && p.Received != nil:
			t.Received = *p.Received
		}
		tenders = append(tenders, t)
	}
	if len(tenders) > 0 && p.Method != owed.PlanCredit {
		tenders[len(tenders)-1].Note = c.Value("note")
	}
	sale, err := Redeem(c, ctx, "createSale", func(ctx context.Context) (owed.Sale, error) { return sell(ctx, tenders) })
	return sale, c.notPaid(atPayment(err))
}

// notPaid returns the refusal of a plan that does not pay for a booking with its reason in words.
func (c *Call) notPaid(err error) error {
	f := fault.From(err)
	if f == nil || f.Reason != plan.ErrNotPaid.Reason {
		return err
	}
	why, _ := f.Details["why"].(string)
	switch rules.Why(why) {
	case owed.WhyNoPlan:
		return f.WithMessage(c.UI.T("The customer has no plan that pays for this booking."))
	case owed.WhySold:
		return f.WithMessage(c.UI.T("The price of this booking is in an order already. Choose another payment method."))
	case "", rules.NotChosen, rules.Behind:
		return err
	}
	return f.WithMessage(c.UI.T("This plan does not pay for this booking: {why}.", "why", c.UI.WhyNot(rules.Why(why))))
}

// PlansToPay reads the plans with which a customer can pay at the desk for bookings at a location; none without the
// right to see them.
func (c *Call) PlansToPay(customer, place uuid.UUID) (out []ui.PlanToPay, err error) {
	if !c.MayAt("listCustomerPlans", place) {
		return nil, nil
	}
	list, err := c.Desk.Plans.OfCustomer(c.Context(), c.Scope, customer)
	for _, m := range list {
		for _, g := range m.Grants {
			if m.State == plan.Active && (g.Unlimited || g.Balance > 0) {
				left := view.RemainingCredits(c.UI.Words, g.Benefit, g.Balance)
				out = append(out, ui.PlanToPay{Grant: g.ID, Text: view.Joined(", ", m.Name, left)})
			}
		}
	}
	return out, err
}
