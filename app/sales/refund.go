package sales

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/billing/tender"
	"foyer/policy"
)

// RefundInput describes a refund: the refundable amounts of certain lines, or an amount, which is spread over all
// refundable parts.
type RefundInput struct {
	PaymentID  uuid.UUID
	Lines      []uuid.UUID          // of its order
	ServiceFee bool                 // the service fee, too
	Amount     *int64               // instead of lines; in minor units of the payment's currency
	Reason     billing.RefundReason // empty: requested by the customer
	// Destination is the destination; empty: the original payment method.
	Destination billing.Destination
	Note        string // for the studio's records; may be empty
}

// Validate trims the input and checks it.
func (in *RefundInput) Validate() error {
	var c fault.Checks
	in.Destination, in.Reason = cmp.Or(in.Destination, billing.ToOriginal), cmp.Or(in.Reason, billing.ReasonRequested)
	c.That(in.Destination.Valid(), "destination", "Use original or account_credit.")
	money.CheckNote(&c, "note", &in.Note, false)
	c.That(slices.Contains(billing.OperatorReasons(), in.Reason), "reason", "Use requested, not_provided, duplicate, goodwill or other.")
	ofLines := len(in.Lines) > 0 || in.ServiceFee
	c.That(ofLines || in.Amount != nil, "amount", "Enter an amount, or choose lines to refund.")
	c.That(!ofLines || in.Amount == nil, "amount", "Pass lines or an amount, not both.")
	c.That(in.Amount == nil || *in.Amount > 0, "amount", "Enter the amount to refund.")
	named := map[uuid.UUID]bool{}
	for i, id := range in.Lines {
		c.That(!named[id], fmt.Sprintf("lines[%d]", i), "Pass each line once.")
		named[id] = true
	}
	return c.Err()
}

// RefundResult is a requested refund, and its effects. Amounts are in minor units of Currency.
type RefundResult struct {
	Refund           Refund
	PaymentID        uuid.UUID
	Method           Method // of the payment and the refund
	Currency         money.Currency
	CardBrand        string
	CardLast4        string
	TaxAmount        int64        // of the amount: the reduction of tax payable
	Lines            []LineRefund // the refunded amount of each line; the service fee last
	RefundableAmount int64        // of the payment, after it
	LocationID       uuid.UUID
	Test             bool // no real money is involved
}

// LineRefund is the refunded amount of a line.
type LineRefund struct {
	LineID    *uuid.UUID // nil: the service fee
	Label     string     // empty for the service fee
	Amount    int64      // tax included
	TaxAmount int64
}

// Effects returns the effects of the refund, for a quote: without its id and its time.
func (g RefundResult) Effects() any {
	g.Refund = Refund{Amount: g.Refund.Amount, FeeAmount: g.Refund.FeeAmount, Destination: g.Refund.Destination}
	return g
}

// Refund refunds a payment by its own method, or as account credit, without moving money: the refundable amounts of
// the named lines, or an amount. With a refund to a card, the same share of the platform fee is refunded to the
// studio; the processor's own fee is not. A payment at the desk is refunded there: it is recorded as done. It changes
// no booking; the customer finds it on the receipt, and a card refund on their bank statement. It can be quoted.
//
// It needs payment.refund at the payment's location; with the limited form, all refunds of one payment together are
// at most the location's RefundCapAmount. A payment outside the caller's payment.view is not found. It returns:
//
//   - policy.ErrMissingFeature
//   - a validation error
//   - a not found error, also for a line that is not in the payment
//   - ErrCap with details.cap and details.refunded
//   - ErrNothingRefundable
//   - processor.ErrRefundTooLarge with details.refundable, also for a payment that was not captured
//   - billing.ErrRefundStep for an amount that a card cannot be refunded in its currency. Amounts of lines are
//     rounded to a possible one.
func (s *Service) Refund(ctx context.Context, sc tenancy.Scope, in RefundInput) (RefundResult, error) {
	if err := policy.RequireAny(sc, policy.PaymentRefund); err != nil {
		return RefundResult{}, err
	}
	if err := in.Validate(); err != nil {
		return RefundResult{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (RefundResult, error) {
		if err := tx.Because(ctx, in.Note); err != nil {
			return RefundResult{}, err
		}
		r, err := s.o.Billing.RefundableTx(ctx, tx, in.PaymentID)
		if err != nil {
			return RefundResult{}, err
		}
		src, err := sourceOf(ctx, tx, r)
		if err != nil {
			return RefundResult{}, err
		}
		if err := mayRefund(sc, src.location, src.Today); err != nil {
			return RefundResult{}, err
		}
		return s.refundTx(ctx, tx, sc, src, in)
	})
}

// mayRefund requires both features at a payment's location.
func mayRefund(sc tenancy.Scope, location uuid.UUID, today bool) error {
	if err := policy.RequireAt(sc, policy.PaymentRefund, location); err != nil {
		return err
	}
	return seen(sc, location, today)
}

// source is a locked payment to be refunded.
type source struct {
	id, location uuid.UUID
	amount       int64
	currency     money.Currency
	sold, left   []tender.Part
	of           billing.Refundable
	where
}

// sourceOf reads what a refund of a locked payment needs besides.
func sourceOf(ctx context.Context, tx *pg.Tx, r billing.Refundable) (source, error) {
	p, t := r.Payment, r.Tender
	src := source{
		id: p.ID, location: p.LocationID, amount: p.Amount, currency: p.Currency, sold: r.Sold, left: r.Parts(), of: r,
	}
	order, at := p.OrderID, cmp.Or(p.SucceededAt, p.CreatedAt)
	if !r.ByCard() {
		src.id, src.location, src.amount, src.currency = t.ID, t.LocationID, t.Amount, t.Currency
		order, at = t.OrderID, t.CapturedAt
	}
	var err error
	src.where, err = readWhere(ctx, tx, src.location, order, at)
	return src, err
}

// rest returns the refundable amount. The refunds can exceed the payment: as credit, and by hand to the card.
func (src source) rest() int64 { return max(0, of(src.left, all)) }

// plan returns the refund's amount and lines; the amounts of lines are rounded to a possible card refund. refused is
// an error for an amount above the refundable one, above the caller's limit, or not possible for a card.
func (src source) plan(sc tenancy.Scope, in RefundInput) (asks billing.RefundInput, refused error) {
	asks.PaymentID = src.id
	if in.Amount != nil {
		asks.Amount = *in.Amount
	} else if asks.Amount, asks.Lines, refused = in.lines(src); refused != nil {
		return asks, refused
	} else if rounded := src.of.InSteps(asks); rounded.Amount > 0 {
		asks = rounded
	}
	rest := src.rest()
	if rest > 0 {
		if err := src.capped(sc, asks.Amount); err != nil {
			return asks, err
		}
	}
	switch {
	case rest == 0:
		return asks, ErrNothingRefundable
	case asks.Amount > rest:
		return asks, processor.ErrRefundTooLarge.With("refundable", rest)
	}
	return asks, src.of.CheckStep(asks.Amount)
}

// capped refuses an amount above the caller's limit for a payment, with its earlier refunds.
func (src source) capped(sc tenancy.Scope, amount int64) error {
	back := src.amount - src.rest()
	if policy.WhereFull(sc, policy.PaymentRefund).At(src.location) || back+amount <= src.RefundCapAmount {
		return nil
	}
	return ErrCap.With("cap", src.RefundCapAmount).With("refunded", back).With("currency", string(src.currency))
}

// gives returns the result of a refund of parts.
func (src source) gives(r Refund, parts []tender.Part) RefundResult {
	out := RefundResult{Refund: r, PaymentID: src.id, LocationID: src.location, Currency: src.currency, RefundableAmount: src.rest() - r.Amount}
	_, taxes := linesOf(src.where.lines, src.sold, parts)
	for _, t := range taxes {
		out.TaxAmount += t.Refunded
	}
	out.Lines = linesBack(src.where.lines, parts)
	return out
}

// refundTx is Refund of a locked payment, after the checks of the caller's rights.
func (s *Service) refundTx(
	ctx context.Context, tx *pg.Tx, sc tenancy.Scope, src source, in RefundInput,
) (RefundResult, error) {
	asks, err := src.plan(sc, in)
	if err != nil {
		return RefundResult{}, err
	}
	return s.refundAs(ctx, tx, sc, src, in, asks)
}

// refundAs refunds a locked payment as planned, for the reason and to the destination of the input.
func (s *Service) refundAs(
	ctx context.Context, tx *pg.Tx, sc tenancy.Scope, src source, in RefundInput, asks billing.RefundInput,
) (RefundResult, error) {
	asks.Reason, asks.Note, asks.By = in.Reason, in.Note, sc.Actor
	if in.Destination == billing.ToCredit {
		asks.CreditTo = &src.CustomerID
	}
	got, err := s.o.Billing.RefundOfTx(ctx, tx, src.of, asks)
	if err != nil {
		return RefundResult{}, err
	}
	out := src.gives(refundOf(got), got.Parts)
	if out.Method = Method(src.of.Tender.Kind); src.of.ByCard() {
		p := src.of.Payment
		out.Method, out.CardBrand, out.CardLast4, out.Test = ByCard, p.CardBrand, p.CardLast4, p.Test()
	}
	return out, nil
}

// lines returns the refundable amounts of the named lines, and their sum.
func (in RefundInput) lines(src source) (sum int64, out []tender.LineRefund, err error) {
	named := slices.Clone(in.Lines)
	if in.ServiceFee {
		named = append(named, uuid.Nil)
	}
	left := src.left
	if src.of.ByCard() {
		left = src.of.PartsAsMeant()
	}
	for i, id := range named {
		ofLine := func(p tender.Part) bool { return p.Line == id }
		if id != uuid.Nil && !slices.ContainsFunc(src.where.lines, func(l lineRow) bool { return l.ID == id }) || i < len(in.Lines) && id == uuid.Nil {
			return 0, nil, fault.Invalid(fmt.Sprintf("lines[%d]", i), "This is not a line of the payment.")
		}
		n := max(0, of(left, ofLine))
		out, sum = append(out, tender.LineRefund{Line: id, Amount: n}), sum+n
	}
	if sum == 0 {
		return 0, nil, ErrNothingRefundable
	}
	return sum, out, nil
}

// linesBack returns the refunded amount of each line.
func linesBack(rows []lineRow, parts []tender.Part) (out []LineRefund) {
	lines, _ := linesOf(rows, parts, nil)
	for _, l := range lines {
		if l.Total > 0 {
			out = append(out, LineRefund{LineID: l.ID, Label: l.Label, Amount: l.Total, TaxAmount: l.TaxAmount})
		}
	}
	return out
}

func all(tender.Part) bool { return true }

// refundOf returns a refund as a payment lists it.
func refundOf(r billing.RefundRequest) Refund {
	return Refund{
		ID: r.ID, Amount: r.Amount, State: r.State, Reason: r.Reason, Destination: r.Destination, Note: r.Note,
		FeeAmount: r.FeeAmount, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}
