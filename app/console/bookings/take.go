package bookings

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fees"
	"foyer/app/owed"
	"foyer/app/view"
	"foyer/billing/tender"
)

// Parts of a booking to pay, in the address.
const (
	payAll   = ""
	payPrice = "price"
	payFees  = "fees"
)

// taking is a payment at the desk for a booking.
type taking struct {
	In          owed.PaymentInput
	Of          string
	Price, Fees bool       // both are due: one can be chosen
	Pay         ui.Payment // with the credit first
	Due         int64      // in minor units of the booking's currency
	Amount      *int64     // part of it; nil: all
	Credit      int64      // the customer's account credit
	Spend       bool       // use their credit first
	Card        string     // the saved card that can be charged instead; empty: none, or nothing due
}

// payment reads the payment by itself from the address or the form. Its error is at a field.
func payment(c *desk.Call, b booking.StudioBooking) (ui.Payment, error) {
	return c.Payment(b.Currency, tender.Cash, tender.Other, tender.GiftCard, owed.PlanCredit)
}

// taking reads the payment from the address or the form; by default all that is due of a booking, in cash. wrong is an
// error at a field.
func (s *screens) taking(c *desk.Call, b booking.StudioBooking) (t taking, wrong, err error) {
	t = taking{Of: c.Value("of"), Spend: c.Value("credit") != ""}
	t.Pay, wrong = payment(c, b)
	if t.byPlan() { // it pays for the price alone
		t.Of = payPrice
	}
	m, err := s.Orders.MoneyOf(c.Context(), c.Scope.Tenant, b.Booking)
	if err != nil {
		return t, nil, err
	}
	feeList, err := s.feesOf(c, b.ID)
	if err != nil {
		return t, nil, err
	}
	t.Price = m.Due > 0
	if t.Price && t.Of != payFees {
		t.In.BookingIDs, t.Due = []uuid.UUID{b.ID}, m.Due
	}
	for _, f := range feeList {
		if f.State == fees.Due {
			t.Fees = true
			if t.Of != payPrice {
				t.In.FeeIDs, t.Due = append(t.In.FeeIDs, f.ID), t.Due+f.Amount
			}
		}
	}
	standing, err := s.Agenda.Balance(c.Context(), c.Scope, b.CustomerID)
	for _, k := range standing {
		if k.Currency == b.Currency {
			t.Credit = k.Credit
		}
	}
	if err == nil && t.Price {
		t.Pay.Plans, err = c.PlansToPay(b.CustomerID, b.LocationID)
	}
	if err == nil && t.Due > 0 && c.May("collectCustomerBalance") {
		t.Card, err = s.cardOf(c, b.CustomerID)
	}
	var unread error
	t.Amount, unread = c.Amount(ui.FieldAmount, b.Currency)
	t.split()
	return t, cmp.Or(wrong, unread), err
}

// byPlan reports whether a plan of the customer pays.
func (t taking) byPlan() bool { return t.Pay.Method == owed.PlanCredit }

// split lets the customer's credit pay first if it is used, and the payment the remaining amount.
func (t *taking) split() {
	rest := t.Due
	if t.Amount != nil {
		rest, t.Pay.Amount = *t.Amount, *t.Amount
	}
	n := min(t.Credit, rest)
	if !t.Spend || n <= 0 {
		return
	}
	t.Pay.Before = []owed.Tender{{Method: tender.AccountCredit, Amount: n}}
	t.Pay.Covered = n == rest
	if t.Amount != nil {
		t.Pay.Amount = rest - n
	}
}

// named returns the form's fields for the items paid: a repeated post means the same although nothing is due any
// more.
func (t taking) named() []view.Param {
	out := []view.Param{}
	if len(t.In.BookingIDs) > 0 {
		out = append(out, view.Param{Name: "price", Value: "1"})
	}
	for _, id := range t.In.FeeIDs {
		out = append(out, view.Param{Name: "fee", Value: id.String()})
	}
	return append(out, desk.TenderFields(t.Pay)...)
}

// apart are the fields of the form that its address lacks: the items and tenders at the time of the page, and a code.
var apart = []string{"note", "price", "fee", ui.FieldTender, ui.FieldCode}

// takeInputs are the fields that errors are shown at.
var takeInputs = append([]string{"note", ui.FieldMethod, "of"}, ui.PaymentInputs...)

// sale returns the verb for the tenders of the payment.
func (s *screens) sale(c *desk.Call, in owed.PaymentInput) func(context.Context, []owed.Tender) (owed.Sale, error) {
	return func(ctx context.Context, tenders []owed.Tender) (owed.Sale, error) {
		in.Tenders = tenders
		return s.Owed.RecordPayment(ctx, c.Scope, in)
	}
}

// askTake shows the amount and its items.
func (s *screens) askTake(c *desk.Call) (ui.Screen, error) {
	c.Apart(apart...)
	b, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	t, wrong, err := s.taking(c, b)
	if err != nil {
		return ui.Screen{}, err
	}
	var sale owed.Sale
	refused := ""
	switch {
	case len(t.In.BookingIDs)+len(t.In.FeeIDs) == 0:
		refused = c.UI.T("This booking has no balance due.")
	case wrong != nil:
		if !c.Told(wrong) {
			err = wrong
		}
	case t.Pay.Ready():
		sale, refused, err = c.QuotePayment(&t.Pay, s.sale(c, t.In))
	}
	return ui.Screen{
		Title: c.UI.T("Take payment"), Lead: when(c, b), Area: "bookings", Up: up(c, b),
		Body: takeBody(c, b, t, sale, refused), Sheet: true,
	}, err
}

// to returns the address of the page with another payment.
func (t taking) to(c *desk.Call, b booking.StudioBooking, p ui.Payment) string {
	t.Pay = p
	var params []string
	for _, f := range t.fields(c) {
		params = append(params, f.Name, f.Value)
	}
	return c.To(path(b, "/take"), params...)
}

// fields returns the fields of the page.
func (t taking) fields(c *desk.Call) []view.Param {
	out := t.Pay.Fields()
	for _, name := range []string{"of", "credit", ui.FieldAmount} {
		if value := c.Value(name); value != "" {
			out = append(out, view.Param{Name: name, Value: value})
		}
	}
	return out
}

// useGiftCard takes the payment with the gift card of a code.
func (s *screens) useGiftCard(c *desk.Call, ctx context.Context) (desk.Done, error) {
	b, err := s.find(c)
	if err != nil {
		return desk.Done{}, err
	}
	card, said, err := c.EnterGiftCard(ctx, b.Currency)
	if err != nil {
		return desk.Done{}, err
	}
	p, _ := payment(c, b) // the page shows what is wrong besides
	p.Method, p.Card = tender.GiftCard, card
	return desk.Done{To: taking{}.to(c, b, p), Said: said, Stay: true}, nil
}

func (s *screens) take(c *desk.Call, ctx context.Context) (desk.Done, error) {
	c.Apart(apart...)
	b, err := s.find(c)
	if err != nil {
		return desk.Done{}, err
	}
	p, err := payment(c, b)
	if err != nil {
		return desk.Done{}, err
	}
	var in owed.PaymentInput
	if c.Value("price") != "" {
		in.BookingIDs = []uuid.UUID{b.ID}
	}
	for _, text := range c.Values("fee") {
		if id, err := uuid.Parse(text); err == nil {
			in.FeeIDs = append(in.FeeIDs, id)
		}
	}
	sale, err := c.RedeemPayment(ctx, p, s.sale(c, in))
	if err != nil {
		return desk.Done{}, err
	}
	if p.Method == owed.PlanCredit {
		said := c.UI.T("{name} has paid with {plan}.", "name", called(c.UI, b), "plan", sale.Tenders[0].Label)
		return desk.Done{To: c.To(path(b, "")), Said: said}, nil
	}
	amount := c.UI.Cash(sale.Amount, sale.Currency)
	said := c.UI.T("{name} has paid {amount}.", "name", called(c.UI, b), "amount", amount)
	return desk.Done{To: c.To(path(b, "")), Said: ui.ChangeDue(c.UI, said, sale)}, nil
}

// paidFor returns the lines of a sale, with the amount paid for each.
func paidFor(sh ui.Shell, s owed.Sale) []ui.Outcome {
	var out []ui.Outcome
	for _, l := range s.Lines {
		text := l.Label
		if l.FeeID != nil {
			text = sh.T("Fee: {what}", "what", l.Label)
		}
		out = append(out, ui.Outcome{Text: text, Amount: sh.Some(l.Amount, s.Currency)})
	}
	out = append(out, ui.PaidWith(sh, s)...)
	if s.BalanceDueAmount > 0 {
		out = append(out, ui.Outcome{Text: sh.T("Balance due"), Amount: sh.Cash(s.BalanceDueAmount, s.Currency), Bad: true})
	}
	return out
}

// recorded reports whether a part is paid outside Foyer.
func recorded(s owed.Sale) bool {
	return slices.ContainsFunc(s.Tenders, func(t owed.Tender) bool { return t.Method == tender.Other })
}

// takeButton returns the label of the button.
func takeButton(sh ui.Shell, s owed.Sale) string {
	amount := sh.Cash(s.Amount, s.Currency)
	if len(s.Tenders) != 1 {
		return sh.T("Record {amount}", "amount", amount)
	}
	switch s.Tenders[0].Method {
	case owed.PlanCredit:
		return sh.T("Pay with {plan}", "plan", s.Tenders[0].Label)
	case tender.Cash:
		return sh.T("Take {amount} in cash", "amount", amount)
	case tender.AccountCredit:
		return sh.T("Pay {amount} with credit", "amount", amount)
	case tender.GiftCard:
		return sh.T("Charge {amount}", "amount", amount)
	}
	return sh.T("Record {amount}", "amount", amount)
}
