package checkout

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/ledger"
)

// Sold is QueueSold, for billing.Orders.
func (s *Service) Sold(b *pg.Batch, tx *pg.Tx, order uuid.UUID) func() ([]billing.Part, error) {
	return QueueSold(b, tx, order)
}

// QueueSold queues that the lines of an order are read, and gives the parts of its payment once that is sent: of each line what it brings
// in without what was taken off it, and its tax, then the service fee and its tax. They are all of the order's total, but for what is paid
// with account credit and, where something is due at the studio, what is paid there.
func QueueSold(b *pg.Batch, r pg.Reader, order uuid.UUID) func() ([]billing.Part, error) {
	rows := soldLines(b, r, order)
	return func() ([]billing.Part, error) {
		if len(*rows) == 0 {
			return nil, fault.Missing()
		}
		return byCard(*rows), nil
	}
}

// byCard is what of the parts of an order is paid by card: of one with a deposit, that of each line and the service fee; else all that is
// not paid with account credit.
func byCard(rows []soldPart) (parts []billing.Part) {
	all, order := partsOf(rows), rows[0]
	switch {
	case order.DueAmount > 0:
		parts = shareOfLines(all, rows, func(r soldPart) int64 { return r.CardAmount })
		parts = append(parts, partsOfLine(all, uuid.Nil)...)
	case order.OrderCreditAmount > 0:
		parts = billing.Without(all, byCredit(rows, order.OrderCreditAmount))
		parts = slices.DeleteFunc(parts, func(p billing.Part) bool { return p.Amount == 0 })
	default:
		parts = all
	}
	return parts
}

// byCredit is what of the parts of an order is paid with account credit when it is booked: a share of every line. The service fee is for
// what is paid by card.
func byCredit(rows []soldPart, credit int64) []billing.Part {
	all := partsOf(rows)
	if rows[0].DueAmount > 0 {
		return shareOfLines(billing.Without(all, byCard(rows)), rows, func(r soldPart) int64 { return r.CreditAmount })
	}
	lines := slices.DeleteFunc(all, func(p billing.Part) bool { return p.Line == uuid.Nil })
	return billing.Share(lines, credit)
}

// atDesk is what of the parts of an order is not paid when it is booked, or was paid then with account credit.
func atDesk(rows []soldPart) []billing.Part {
	all := partsOf(rows)
	if rows[0].DueAmount == 0 {
		return all
	}
	return slices.DeleteFunc(billing.Without(all, byCard(rows)), func(p billing.Part) bool { return p.Amount == 0 })
}

// shareOfLines spreads an amount of each line over what its parts have left: what it brings in, and its tax.
func shareOfLines(left []billing.Part, rows []soldPart, amount func(soldPart) int64) (parts []billing.Part) {
	for _, r := range rows {
		parts = append(parts, billing.Share(partsOfLine(left, r.LineID), amount(r))...)
	}
	return parts
}

// partsOfLine are the parts of one line; of uuid.Nil, those of the service fee.
func partsOfLine(parts []billing.Part, line uuid.UUID) []billing.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p billing.Part) bool { return p.Line != line })
}

// soldPart is a line of an order with what partsOf needs of the order.
type soldPart struct {
	LineID           uuid.UUID
	Kind             catalog.Kind
	ListedAmount     int64
	DiscountAmount   int64
	TaxAmount        int64
	TaxRateID        *uuid.UUID
	TaxPpm           int64
	TaxMode          business.TaxMode
	OrderTaxAmount   int64
	ServiceFeeAmount int64

	// Where something of the order is due at the studio: what of the line is paid when it is booked.
	CardAmount, CreditAmount int64

	OrderCreditAmount, DueAmount int64
}

// incomes are the accounts of what lines bring in, by kind.
var incomes = map[catalog.Kind]ledger.Account{
	catalog.Class: ledger.IncomeClass, catalog.Appointment: ledger.IncomeSession, catalog.Rental: ledger.IncomeSpace,
}

// partsOf takes the lines of one order apart. What its tax is more than theirs is inside its service fee, or on top of it.
func partsOf(lines []soldPart) []billing.Part {
	var parts []billing.Part
	add := func(line uuid.UUID, a ledger.Account, amount int64) {
		if amount != 0 {
			parts = append(parts, billing.Part{Line: line, Account: a, Amount: amount})
		}
	}
	order, items := lines[0], make([]Item, len(lines))
	inside := order.TaxMode == business.TaxInclusive
	fee, feeTax := order.ServiceFeeAmount, order.OrderTaxAmount
	for i, l := range lines {
		items[i].ListedAmount, items[i].DiscountedAmount = l.ListedAmount, l.DiscountAmount
		net := items[i].net()
		if inside {
			net -= l.TaxAmount
		}
		add(l.LineID, incomes[l.Kind], net)
		if l.TaxRateID != nil {
			items[i].Tax = &Tax{RateID: *l.TaxRateID, PPM: l.TaxPpm}
			add(l.LineID, ledger.Tax(*l.TaxRateID), l.TaxAmount)
			feeTax -= l.TaxAmount
		}
	}
	if inside {
		fee -= feeTax
	}
	add(uuid.Nil, ledger.IncomeBookingFee, fee)
	q := Quote{}
	for _, rate := range ratesOf(items) {
		q.Totals.Taxes = append(q.Totals.Taxes, TaxTotal{Tax: rate})
	}
	q.spreadServiceTax(items, feeTax)
	for _, t := range q.Totals.Taxes {
		add(uuid.Nil, ledger.Tax(t.RateID), t.Amount)
	}
	return parts
}
