package bookings

import (
	"context"
	"strconv"
	"strings"

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
	Price, Fees bool        // both are due: one can be chosen
	Method      tender.Kind // of the amount beyond credit
	Due         int64       // in minor units of the booking's currency
	Amount      *int64      // part of it; nil: all
	Credit      int64       // the customer's account credit
	Spend       bool        // use their credit first
	Card        string      // the saved card that can be charged instead; empty: none, or nothing due
}

// taking reads the payment from the address; by default all that is due of a booking, in cash.
func (s *screens) taking(c *desk.Call, b booking.StudioBooking) (taking, error) {
	t := taking{Of: c.Value("of"), Method: tender.Kind(c.Value("method")), Spend: c.Value("credit") != ""}
	if t.Method != tender.Other {
		t.Method = tender.Cash
	}
	m, err := s.Orders.MoneyOf(c.Context(), c.Scope.Tenant, b.Booking)
	if err != nil {
		return t, err
	}
	feeList, err := s.feesOf(c, b.ID)
	if err != nil {
		return t, err
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
	if err == nil && t.Due > 0 && c.May("collectCustomerBalance") {
		t.Card, err = s.cardOf(c, b.CustomerID)
	}
	if err == nil {
		t.Amount, err = c.Amount("amount", b.Currency)
	}
	t.In.Tenders = t.tenders()
	return t, err
}

// tenders returns the customer's credit if it is used, and then the method.
func (t taking) tenders() (out []owed.Tender) {
	rest := t.Due
	if t.Amount != nil {
		rest = *t.Amount
	}
	if n := min(t.Credit, rest); t.Spend && n > 0 {
		out, rest = append(out, owed.Tender{Method: tender.AccountCredit, Amount: n}), rest-n
	}
	if rest == 0 && len(out) > 0 {
		return out
	}
	last := owed.Tender{Method: t.Method}
	if t.Amount != nil {
		last.Amount = rest
	}
	return append(out, last)
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
	for _, n := range t.In.Tenders {
		out = append(out, view.Param{Name: "tender", Value: string(n.Method) + ":" + strconv.FormatInt(n.Amount, 10)})
	}
	return out
}

// tendersOf reads the fields of named. The note belongs to the last payment.
func tendersOf(c *desk.Call) (out []owed.Tender) {
	for _, text := range c.Values("tender") {
		method, amount, _ := strings.Cut(text, ":")
		n, err := strconv.ParseInt(amount, 10, 64)
		if err == nil {
			out = append(out, owed.Tender{Method: tender.Kind(method), Amount: n})
		}
	}
	if len(out) > 0 {
		out[len(out)-1].Note = c.Value("note")
	}
	return out
}

// apart are the fields of the form that its address lacks: the items and tenders at the time of the page.
var apart = []string{"note", "price", "fee", "tender"}

// askTake shows the amount and its items.
func (s *screens) askTake(c *desk.Call) (ui.Screen, error) {
	c.Apart(apart...)
	b, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	t, err := s.taking(c, b)
	if err != nil {
		return ui.Screen{}, err
	}
	refused := ""
	var sale owed.Sale
	if len(t.In.BookingIDs)+len(t.In.FeeIDs) == 0 {
		refused = c.UI.T("This booking has no balance due.")
	} else if sale, err = desk.Quote(c, "createSale", func(ctx context.Context) (owed.Sale, error) {
		return s.Owed.RecordPayment(ctx, c.Scope, t.In)
	}); err != nil {
		if refused, err = c.Cannot(err); err != nil {
			return ui.Screen{}, err
		}
	}
	return ui.Screen{
		Title: c.UI.T("Take payment"), Lead: when(c, b), Area: "bookings", Up: up(c, b), Body: takeBody(c, b, t, sale, refused), Sheet: true,
	}, nil
}

func (s *screens) take(c *desk.Call, ctx context.Context) (desk.Done, error) {
	c.Apart(apart...)
	b, err := s.find(c)
	if err != nil {
		return desk.Done{}, err
	}
	in := owed.PaymentInput{Tenders: tendersOf(c)}
	if c.Value("price") != "" {
		in.BookingIDs = []uuid.UUID{b.ID}
	}
	for _, text := range c.Values("fee") {
		if id, err := uuid.Parse(text); err == nil {
			in.FeeIDs = append(in.FeeIDs, id)
		}
	}
	sale, err := desk.Redeem(c, ctx, "createSale", func(ctx context.Context) (owed.Sale, error) {
		return s.Owed.RecordPayment(ctx, c.Scope, in)
	})
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{
		To: c.To(path(b, "")), Said: c.UI.T("{name} has paid {amount}.", "name", called(c.UI, b), "amount", c.UI.Cash(sale.Amount, sale.Currency)),
	}, nil
}

// paidFor returns the lines of a sale, with the amount paid for each.
func paidFor(sh ui.Shell, s owed.Sale) []ui.Outcome {
	var out []ui.Outcome
	for _, l := range s.Lines {
		text := l.Label
		if l.FeeID != nil {
			text = sh.T("Fee: {what}", "what", l.Label)
		}
		out = append(out, ui.Outcome{Text: text, Amount: sh.Cash(l.Amount, s.Currency)})
	}
	for _, t := range s.Tenders {
		if len(s.Tenders) > 1 || s.BalanceDueAmount > 0 {
			out = append(out, ui.Outcome{Text: tenderWord(sh, t.Method), Amount: sh.Cash(t.Amount, s.Currency)})
		}
	}
	if s.BalanceDueAmount > 0 {
		out = append(out, ui.Outcome{Text: sh.T("Balance due"), Amount: sh.Cash(s.BalanceDueAmount, s.Currency), Bad: true})
	}
	return out
}

// tenderWord renders a payment method.
func tenderWord(sh ui.Shell, m tender.Kind) string {
	switch m {
	case tender.Cash:
		return sh.T("Paid in cash")
	case tender.AccountCredit:
		return sh.T("Paid with account credit")
	case tender.GiftCard:
		return sh.T("Paid with a gift card")
	}
	return sh.T("Paid by card terminal or transfer")
}

// takeButton returns the label of the button.
func takeButton(sh ui.Shell, s owed.Sale) string {
	amount := sh.Cash(s.Amount, s.Currency)
	if len(s.Tenders) != 1 {
		return sh.T("Record {amount}", "amount", amount)
	}
	switch s.Tenders[0].Method {
	case tender.Cash:
		return sh.T("Take {amount} in cash", "amount", amount)
	case tender.AccountCredit:
		return sh.T("Pay {amount} with credit", "amount", amount)
	}
	return sh.T("Record {amount}", "amount", amount)
}
