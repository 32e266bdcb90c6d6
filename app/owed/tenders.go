package owed

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/tender"
)

// takeAll records the payment of each order, by each tender.
func (s *Service) takeAll(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in PaymentInput, d deskDue, orders []orderDue) (Sale, error) {
	out := Sale{
		OrderID: d.made.ID, LocationID: d.place.LocationID, CustomerID: d.place.CustomerID, Walkin: d.walkin,
		Currency: d.place.Currency, Lines: d.lines(), Goods: soldGoods(d.made), Plans: soldPlans(d.made),
	}
	for i, o := range orders {
		parts, err := order.UnpaidParts(ctx, tx, o.id, o.lines)
		if err != nil {
			return Sale{}, err
		}
		orders[i].parts = parts
		out.BalanceDueAmount += tender.Sum(parts)
	}
	tenders, err := in.split(out.BalanceDueAmount)
	if err != nil {
		return Sale{}, err
	}
	if err := s.enough(ctx, tx, d, tenders); err != nil {
		return Sale{}, err
	}
	out.ChangeAmount, err = change(tenders)
	if err != nil {
		return Sale{}, err
	}
	for _, t := range tenders {
		for i, o := range orders {
			n := min(t.Amount-sumOfManual(out.Payments, t.Method), tender.Sum(o.parts))
			if n == 0 {
				continue
			}
			parts := tender.Share(o.parts, n)
			orders[i].parts = tender.Without(o.parts, parts)
			taken, err := s.billing.RecordPaymentTx(ctx, tx, sc, billing.ManualPaymentInput{
				LocationID: out.LocationID, OrderID: o.id, CustomerID: out.CustomerID, Currency: out.Currency, Method: t.Method,
				Source: t.Source, Label: t.Label, Note: t.Note, Parts: parts,
			})
			if err != nil {
				return Sale{}, err
			}
			out.Payments = append(out.Payments, taken)
		}
		out.Amount += t.Amount
		out.BalanceDueAmount -= t.Amount
	}
	out.Tenders = tenders
	paid, err := fees.PaidTx(ctx, tx, in.FeeIDs)
	if err = fault.When(!paid, fees.ErrNotDue, err); err != nil {
		return Sale{}, err
	}
	return out, nil
}

// split returns the amount of each tender.
func (in PaymentInput) split(due int64) ([]Tender, error) {
	if due == 0 && in.sells() > 0 && len(in.BookingIDs)+len(in.FeeIDs) == 0 {
		return nil, in.nothing()
	}
	if due == 0 {
		return nil, checkout.ErrNothingToPay
	}
	tenders, left := slices.Clone(in.Tenders), due
	for i, t := range tenders {
		if t.Amount == 0 {
			tenders[i].Amount = left
		}
		if left -= tenders[i].Amount; left < 0 || tenders[i].Amount == 0 {
			return nil, ErrMoreThanDue.With("dueAmount", due)
		}
	}
	switch {
	case left > 0 && len(in.FeeIDs) > 0:
		return nil, ErrFeesInFull.With("dueAmount", due)
	case left > 0 && in.sells() > 0:
		return nil, ErrGoodsInFull.With("dueAmount", due)
	}
	return tenders, nil
}

// nothing refuses amounts for goods that are free.
func (in PaymentInput) nothing() error {
	for _, t := range in.Tenders {
		if t.Amount+t.Received > 0 {
			return ErrMoreThanDue.With("dueAmount", int64(0))
		}
	}
	return nil
}

// change returns the cash that goes back to the customer.
func change(tenders []Tender) (sum int64, err error) {
	var c fault.Checks
	for i, t := range tenders {
		if t.Received > 0 {
			c.That(t.Received >= t.Amount, fmt.Sprintf("tenders[%d].receivedAmount", i), tooLittle)
			sum += t.Received - t.Amount
		}
	}
	return sum, c.Err()
}

// enough locks what tenders are paid from, and names them. It returns the refusal if it is not enough.
func (s *Service) enough(ctx context.Context, tx *pg.Tx, d deskDue, tenders []Tender) error {
	inOrder := make([]*Tender, len(tenders))
	for i := range tenders {
		inOrder[i] = &tenders[i]
	}
	slices.SortFunc(inOrder, func(a, b *Tender) int { return tender.SourceOrder(a.Method, b.Method) })
	for _, t := range inOrder {
		source := s.billing.Sources()[t.Method]
		if source == nil {
			continue
		}
		b := tx.Batch()
		read := source.Lock(b, tx, []tender.Request{{
			SourceID: t.Source, CustomerID: d.place.CustomerID, Currency: d.place.Currency,
		}})
		if err := b.Send(ctx); err != nil {
			return err
		}
		has := read()[0]
		if has.Amount < t.Amount {
			return source.Short(has.Amount)
		}
		t.Label = has.Label
	}
	return nil
}

func sumOfManual(list []tender.Tender, m tender.Kind) (sum int64) {
	for _, t := range list {
		if t.Kind == m {
			sum += t.Amount
		}
	}
	return sum
}

// lines returns the amounts due, in the order of the input.
func (d deskDue) lines() (out []SaleLine) {
	for _, l := range d.unpaid {
		out = append(out, SaleLine{BookingID: l.BookingID, Label: l.Label, Amount: l.Amount})
	}
	return append(out, d.linesOf(d.sale())...)
}

// linesOf returns the amounts of an order of some of it.
func (d deskDue) linesOf(o order.Draft) []SaleLine {
	out := make([]SaleLine, 0, len(o.Lines))
	for _, l := range o.Lines {
		if l.Subject != uuid.Nil {
			continue
		}
		line := SaleLine{
			BookingID: l.BookingID, FeeID: l.Fee, Label: l.Label, Amount: order.LineDue(o.Totals.TaxMode, l.Net(), l.TaxAmount),
		}
		for _, f := range d.fees {
			if l.Fee != nil && f.ID == *l.Fee {
				line.BookingID = f.BookingID
			}
		}
		out = append(out, line)
	}
	return out
}
