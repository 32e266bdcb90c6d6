package order

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// Sold is QueueSold, for billing.Orders.
func (s *Service) Sold(b *pg.Batch, tx *pg.Tx, order uuid.UUID) func() ([]tender.Part, error) {
	return QueueSold(b, tx, order)
}

// QueueSold queues the reading of the parts of an order that a card pays, and returns them once that is sent: of each
// line its amount less discounts, and its tax, then the service fee and its tax.
func QueueSold(b *pg.Batch, r pg.Reader, order uuid.UUID) func() ([]tender.Part, error) {
	parts := tender.ByCard(b, r, order)
	return func() ([]tender.Part, error) {
		if len(*parts) == 0 {
			return nil, fault.Missing()
		}
		return *parts, nil
	}
}

// split returns the parts of an order that a card pays, and those of each prepaid amount, which has a share of every
// line: the service fee is for amounts paid by card. With a deposit, each pays its amounts of the lines.
func split(rows []soldPart, prepaid []tender.Prepaid) (card []tender.Part, by [][]tender.Part) {
	all := partsOf(rows)
	if rows[0].DueAmount > 0 {
		card = shareOfLines(all, rows, func(r soldPart) int64 { return r.CardAmount })
		card = append(card, partsOfLine(all, uuid.Nil)...)
		left := tender.Without(all, card)
		for i := range prepaid {
			parts := shareOfLines(left, rows, func(r soldPart) int64 { return r.PrepaidAmounts[i] })
			left, by = tender.Without(left, parts), append(by, parts)
		}
		return card, by
	}
	left := slices.DeleteFunc(slices.Clone(all), func(p tender.Part) bool { return p.Line == uuid.Nil })
	for _, p := range prepaid {
		parts := tender.Share(left, p.Amount)
		all, left, by = tender.Without(all, parts), tender.Without(left, parts), append(by, parts)
	}
	return slices.DeleteFunc(all, func(p tender.Part) bool { return p.Amount == 0 }), by
}

// UnpaidParts returns the amounts due of an order: of those of its lines, or of all if that is nil, less earlier
// payments of them.
func UnpaidParts(ctx context.Context, tx *pg.Tx, order uuid.UUID, lines []uuid.UUID) ([]tender.Part, error) {
	b := tx.Batch()
	sold := soldLines(b, tx, order)
	paid := tender.Paid(b, tx, order)
	later := paidLater(b, tx, order)
	if err := b.Send(ctx); err != nil {
		return nil, err
	}
	parts := partsOf(*sold)
	if lines != nil {
		parts = slices.DeleteFunc(parts, func(p tender.Part) bool { return !slices.Contains(lines, p.Line) })
	}
	parts = tender.Without(tender.Without(parts, *paid), later())
	return slices.DeleteFunc(parts, func(p tender.Part) bool { return p.Amount <= 0 }), nil
}

// shareOfLines spreads an amount of each line over its remaining parts: its income, and its tax.
func shareOfLines(left []tender.Part, rows []soldPart, amount func(soldPart) int64) (parts []tender.Part) {
	for _, r := range rows {
		parts = append(parts, tender.Share(partsOfLine(left, r.LineID), amount(r))...)
	}
	return parts
}

// partsOfLine returns the parts of one line; of uuid.Nil, those of the service fee.
func partsOfLine(parts []tender.Part, line uuid.UUID) []tender.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p tender.Part) bool { return p.Line != line })
}

// soldPart is a line of an order with the order's data for partsOf, and of one that is being written for split.
type soldPart struct {
	LineID           uuid.UUID
	ListedAmount     int64
	DiscountAmount   int64
	TaxAmount        int64
	TaxRateID        *uuid.UUID
	TaxPpm           int64
	TaxMode          business.TaxMode
	OrderTaxAmount   int64
	ServiceFeeAmount int64

	IncomeAccount ledger.Account // frozen at the sale

	// Of an order that is being written: what is due at the studio, and beside that the amounts of the line paid with it.
	DueAmount, CardAmount int64
	PrepaidAmounts        []int64
}

// partsOf splits the lines of one order. Tax beyond that of the lines is inside its service fee, or on top of it.
func partsOf(lines []soldPart) []tender.Part {
	var parts []tender.Part
	add := func(line uuid.UUID, a ledger.Account, amount int64) {
		if amount != 0 {
			parts = append(parts, tender.Part{Line: line, Account: a, Amount: amount})
		}
	}
	order, items := lines[0], make([]Item, len(lines))
	inside := order.TaxMode == business.TaxInclusive
	fee, feeTax := order.ServiceFeeAmount, order.OrderTaxAmount
	for i, l := range lines {
		items[i].ListedAmount, items[i].DiscountedAmount = l.ListedAmount, l.DiscountAmount
		net := items[i].Net()
		if inside {
			net -= l.TaxAmount
		}
		add(l.LineID, l.IncomeAccount, net)
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
