package sales

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/tender"
	"foyer/policy"
)

// ReturnInput selects goods of an order that come back.
type ReturnInput struct {
	OrderID uuid.UUID
	Lines   []ReturnLine // 1 to 50
	// Refund is false for goods whose money was refunded before, or stays with the studio.
	Refund bool
	// Destination of the refund; empty: the original payment methods.
	Destination billing.Destination
	Note        string // for the studio's records; may be empty
}

// ReturnLine is a part of a line that comes back.
type ReturnLine struct {
	LineID   uuid.UUID
	Quantity int  // 1 to 999
	Restock  bool // it is for sale again
}

// returnMost bounds the number of lines of one return.
const returnMost = 50

// Validate trims the input and checks it.
func (in *ReturnInput) Validate() error {
	var c fault.Checks
	in.Destination = cmp.Or(in.Destination, billing.ToOriginal)
	c.That(in.Destination.Valid(), "destination", "Use original or account_credit.")
	money.CheckNote(&c, "note", &in.Note, false)
	c.That(len(in.Lines) >= 1, "lines", "Select the items to return.")
	c.That(len(in.Lines) <= returnMost, "lines", "Pass at most 50.")
	named := map[uuid.UUID]bool{}
	for i, l := range in.Lines {
		c.That(!named[l.LineID], fmt.Sprintf("lines[%d].lineId", i), "Pass each line once.")
		c.That(l.Quantity >= 1 && l.Quantity <= checkout.QuantityMax, fmt.Sprintf("lines[%d].quantity", i), "Use 1 to 999.")
		named[l.LineID] = true
	}
	return c.Err()
}

// Returned is a return of goods, and its effects. Amounts are in minor units of Currency.
type Returned struct {
	OrderID    uuid.UUID
	LocationID uuid.UUID
	Currency   money.Currency
	Lines      []ReturnedLine // in the order of the input
	Amount     int64          // refunded
	TaxAmount  int64          // of it: the reduction of tax payable
	Refunds    []RefundResult // one for each payment; none without a refund
}

// ReturnedLine is a line that came back.
type ReturnedLine struct {
	LineID   uuid.UUID
	Label    string
	Quantity int
	Restock  bool
	Amount   int64 // refunded of it, with tax
}

// Effects returns the effects of the return, for a quote: without the ids and times of its refunds.
func (r Returned) Effects() any {
	r.Refunds = slices.Clone(r.Refunds)
	for i := range r.Refunds {
		r.Refunds[i] = r.Refunds[i].Effects().(RefundResult)
	}
	return r
}

// Return takes goods of an order back: into the stock if they are for sale again, and refunds their share of the price
// and tax, up to what is still refundable of their lines. The shares of a line's units add up to its price. Without a
// destination a payment is refunded by its own method: the one by card first, then those at the desk, then account
// credit. Service fees are not refunded. It can be quoted.
//
// It needs payment.refund at the order's location, with the limit of Refund for each payment; an order outside the
// caller's payment.view is not found. It returns:
//
//   - policy.ErrMissingFeature
//   - a validation error
//   - a not found error, also for a line that is not one of goods of the order
//   - order.ErrAlreadyReturned
//   - ErrNothingRefundable if a refund is wanted
//   - ErrCap
//   - processor.ErrRefundDisputed
//   - the refusal of the seller of the goods
func (s *Service) Return(ctx context.Context, sc tenancy.Scope, in ReturnInput) (Returned, error) {
	if err := policy.RequireAny(sc, policy.PaymentRefund); err != nil {
		return Returned{}, err
	}
	if err := in.Validate(); err != nil {
		return Returned{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Returned, error) {
		if err := tx.Because(ctx, in.Note); err != nil {
			return Returned{}, err
		}
		g, err := order.LockGoodsTx(ctx, tx, in.OrderID)
		if err != nil {
			return Returned{}, err
		}
		if err := mayRefund(sc, g.LocationID, g.Today); err != nil {
			return Returned{}, err
		}
		return s.returnTx(ctx, tx, sc, g, in)
	})
}

// returnTx is Return of a locked order, after the checks of the caller's rights.
func (s *Service) returnTx(
	ctx context.Context, tx *pg.Tx, sc tenancy.Scope, g order.SoldGoods, in ReturnInput,
) (Returned, error) {
	back, err := in.of(g)
	if err != nil {
		return Returned{}, err
	}
	out := Returned{OrderID: g.OrderID, LocationID: g.LocationID, Currency: g.Currency}
	for _, r := range back {
		out.Lines = append(out.Lines, ReturnedLine{
			LineID: r.Line.ID, Label: r.Line.Label, Quantity: r.Quantity, Restock: r.Restock,
		})
	}
	if in.Refund && in.Destination == billing.ToCredit && g.Anonymous {
		return Returned{}, fault.Invalid("destination", "This sale has no customer with account credit.")
	}
	payments, err := s.refundable(ctx, tx, in, g.OrderID)
	if err != nil {
		return Returned{}, err
	}
	if err := s.o.Orders.LockReturnTx(ctx, tx, g, back); err != nil {
		return Returned{}, err
	}
	if err := s.refundReturn(ctx, tx, sc, in, payments, back, &out); err != nil {
		return Returned{}, err
	}
	return out, s.o.Orders.ReturnTx(ctx, tx, sc.Actor, g, in.Note, back)
}

// of returns the returns of the lines of an order. It returns order.ErrAlreadyReturned, and a not found error.
func (in ReturnInput) of(g order.SoldGoods) (back []order.ReturnInput, err error) {
	for _, want := range in.Lines {
		i := slices.IndexFunc(g.Lines, func(l order.GoodsLine) bool { return l.ID == want.LineID })
		if i < 0 {
			return nil, fault.Missing()
		}
		line := g.Lines[i]
		if left := line.Quantity - line.Returned; want.Quantity > left {
			return nil, order.ErrAlreadyReturned.With("lineId", line.ID.String()).With("returnable", left)
		}
		back = append(back, order.ReturnInput{Line: line, Quantity: want.Quantity, Restock: want.Restock})
	}
	return back, nil
}

// refundable locks the payments of an order that a return can refund; none if it refunds nothing.
func (s *Service) refundable(
	ctx context.Context, tx *pg.Tx, in ReturnInput, orderID uuid.UUID,
) (out []source, err error) {
	if !in.Refund {
		return nil, nil
	}
	ids, err := capturedOf(ctx, tx, orderID)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		r, err := s.o.Billing.RefundableTx(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		src, err := sourceOf(ctx, tx, r)
		if err != nil {
			return nil, err
		}
		out = append(out, src)
	}
	return out, nil
}

// refundReturn refunds the share of returned goods from the payments of their order, one after the other, and writes
// down what it refunded, and by which refund.
func (s *Service) refundReturn(
	ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in ReturnInput, payments []source, back []order.ReturnInput,
	out *Returned,
) error {
	if !in.Refund {
		return nil
	}
	due := make([]int64, len(back))
	for i, r := range back {
		due[i] = r.Line.Share(r.Quantity)
	}
	free := slices.Max(due) == 0
	for _, src := range payments {
		asks := src.share(back, due)
		if asks.Amount == 0 {
			continue
		}
		if err := src.capped(sc, asks.Amount); err != nil {
			return err
		}
		how := RefundInput{Reason: billing.ReasonRequested, Destination: in.Destination, Note: in.Note}
		got, err := s.refundAs(ctx, tx, sc, src, how, asks)
		if err != nil {
			return err
		}
		out.add(got, back)
	}
	if out.Amount == 0 && !free {
		return ErrNothingRefundable
	}
	return nil
}

// share returns the refund of what a payment has paid of returned goods, and takes it off the amounts that are due.
func (src source) share(back []order.ReturnInput, due []int64) billing.RefundInput {
	left := src.left
	if src.of.ByCard() {
		left = src.of.PartsAsMeant()
	}
	asks := billing.RefundInput{PaymentID: src.id}
	for i, r := range back {
		n := min(due[i], max(0, of(left, func(p tender.Part) bool { return p.Line == r.Line.ID })))
		if n > 0 {
			asks.Amount, due[i] = asks.Amount+n, due[i]-n
			asks.Lines = append(asks.Lines, tender.LineRefund{Line: r.Line.ID, Amount: n})
		}
	}
	asks = src.of.InSteps(asks)
	asks.Amount = min(asks.Amount, src.rest())
	return asks
}

// add adds a refund to the result, and to the returns that it is for.
func (out *Returned) add(got RefundResult, back []order.ReturnInput) {
	out.Refunds = append(out.Refunds, got)
	out.Amount, out.TaxAmount = out.Amount+got.Refund.Amount, out.TaxAmount+got.TaxAmount
	for _, l := range got.Lines {
		for i, r := range back {
			if l.LineID != nil && *l.LineID == r.Line.ID {
				out.Lines[i].Amount += l.Amount
				if r.RefundID == uuid.Nil {
					back[i].RefundID = got.Refund.ID
				}
			}
		}
	}
}
