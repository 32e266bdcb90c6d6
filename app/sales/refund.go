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
	"foyer/policy"
)

// RefundInput says how much of a payment goes back: what is left of certain lines, or an amount, which is spread over all that is left.
type RefundInput struct {
	PaymentID  uuid.UUID
	Lines      []uuid.UUID          // of its order
	ServiceFee bool                 // the service fee, too
	Amount     *int64               // instead of lines; in minor units of the payment's currency
	Reason     billing.RefundReason // empty: the customer asked for it
	// Destination is where it goes; empty: where it came from.
	Destination billing.Destination
	Note        string // for the studio's records; may be empty
}

// Validate trims the input and checks it.
func (in *RefundInput) Validate() error {
	var c fault.Checks
	in.Destination, in.Reason = cmp.Or(in.Destination, billing.ToOriginal), cmp.Or(in.Reason, billing.ReasonRequested)
	c.That(in.Destination.Valid(), "destination", "Use original or credit.")
	money.CheckNote(&c, "note", &in.Note, false)
	c.That(slices.Contains(billing.OperatorReasons(), in.Reason), "reason", "Use requested, not_provided, duplicate, goodwill or other.")
	ofLines := len(in.Lines) > 0 || in.ServiceFee
	c.That(ofLines || in.Amount != nil, "amount", "Say how much goes back, or for which lines.")
	c.That(!ofLines || in.Amount == nil, "amount", "Name lines or an amount, not both.")
	c.That(in.Amount == nil || *in.Amount > 0, "amount", "Say how much goes back.")
	named := map[uuid.UUID]bool{}
	for i, id := range in.Lines {
		c.That(!named[id], fmt.Sprintf("lines[%d]", i), "Name each line once.")
		named[id] = true
	}
	return c.Err()
}

// RefundResult is a refund that was asked for, and what it does. Amounts are in minor units of Currency.
type RefundResult struct {
	Refund           Refund
	PaymentID        uuid.UUID
	Method           Method // by which it was paid, and goes back
	Currency         money.Currency
	CardBrand        string
	CardLast4        string
	TaxAmount        int64        // of the amount: what is owed less to the state
	Lines            []LineRefund // what of each line goes back; the service fee last
	RefundableAmount int64        // of the payment, after it
	LocationID       uuid.UUID
	Test             bool // no money moves
}

// LineRefund is what of a line goes back.
type LineRefund struct {
	LineID    *uuid.UUID // nil: the service fee
	Label     string     // empty for the service fee
	Amount    int64      // tax included
	TaxAmount int64
}

// Effects is what the refund does, for a quote: without its id and when it was asked for.
func (g RefundResult) Effects() any {
	g.Refund = Refund{Amount: g.Refund.Amount, FeeAmount: g.Refund.FeeAmount, Destination: g.Refund.Destination}
	return g
}

// Refund gives money of a payment back by the means by which it was paid, or as account credit, for which no money moves: what is left of
// the lines that are named, or an amount. With what goes back to a card, the same share of the platform fee comes back to the studio; what
// the processor took for itself does not. What was paid at the desk is handed back there: it is written down as done. It changes no
// booking; the customer finds it on the receipt, and hears of a card's from their bank. It can be quoted.
//
// It needs payment.refund at the payment's location; whoever holds its limited form gives back no more of one payment, with all refunds
// before, than the location's RefundCapAmount. A payment that payment.view does not show them is not found.
//
// Errors: policy.ErrMissingFeature; Validation; not found, also for a line that the payment is not for; ErrCap with details.cap and
// details.refunded; ErrNothingRefundable; billing.ErrRefundTooLarge with details.left, also for a payment that was not taken;
// billing.ErrRefundStep for an amount that a card cannot get back in its currency. What is left of lines is rounded to one that it can.
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
		if fault.IsKind(err, fault.NotFound) {
			return s.refundManual(ctx, tx, sc, in)
		}
		if err != nil {
			return RefundResult{}, err
		}
		w, err := readWhere(ctx, tx, r.Payment.LocationID, r.Payment.OrderID, cmp.Or(r.Payment.SucceededAt, r.Payment.CreatedAt))
		if err != nil {
			return RefundResult{}, err
		}
		if err := mayRefund(sc, r.Payment.LocationID, w.Today); err != nil {
			return RefundResult{}, err
		}
		return s.refundTx(ctx, tx, sc, r, w, in)
	})
}

// mayRefund asks for both features at a payment's location.
func mayRefund(sc tenancy.Scope, location uuid.UUID, today bool) error {
	if err := policy.RequireAt(sc, policy.PaymentRefund, location); err != nil {
		return err
	}
	return seen(sc, location, today)
}

// source is a locked payment that is to give something back.
type source struct {
	id, location uuid.UUID
	amount       int64
	currency     money.Currency
	sold, left   []billing.Part
	// card is the payment that a card made; nil: it was taken at the desk.
	card *billing.Refundable
	where
}

// rest is what is left of it. More can have gone back than was paid: as credit, and by hand to the card.
func (src source) rest() int64 { return max(0, of(src.left, all)) }

// plan says how much is refunded, and for which lines; what is left of lines is rounded to what a card can get back. refused is what is not
// left, more than the caller may refund, or an amount that no card can get back.
func (src source) plan(sc tenancy.Scope, in RefundInput) (asks billing.RefundInput, refused error) {
	asks.PaymentID = src.id
	if in.Amount != nil {
		asks.Amount = *in.Amount
	} else if asks.Amount, asks.Lines, refused = in.lines(src); refused != nil {
		return asks, refused
	} else if src.card != nil {
		if rounded := src.card.InSteps(asks); rounded.Amount > 0 {
			asks = rounded
		}
	}
	rest := src.rest()
	if back := src.amount - rest; rest > 0 && !policy.WhereFull(sc, policy.PaymentRefund).At(src.location) && back+asks.Amount > src.RefundCapAmount {
		return asks, ErrCap.With("cap", src.RefundCapAmount).With("refunded", back).With("currency", string(src.currency))
	}
	switch {
	case rest == 0:
		return asks, ErrNothingRefundable
	case asks.Amount > rest:
		return asks, billing.ErrRefundTooLarge.With("left", rest)
	case src.card != nil:
		refused = src.card.CheckStep(asks.Amount)
	}
	return asks, refused
}

// gives is what giving parts of it back does.
func (src source) gives(r Refund, parts []billing.Part) RefundResult {
	out := RefundResult{Refund: r, PaymentID: src.id, LocationID: src.location, Currency: src.currency, RefundableAmount: src.rest() - r.Amount}
	_, taxes := linesOf(src.where.lines, src.sold, parts)
	for _, t := range taxes {
		out.TaxAmount += t.Refunded
	}
	out.Lines = linesBack(src.where.lines, parts)
	return out
}

// refundTx is Refund of a card payment that is locked, by somebody who may.
func (s *Service) refundTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, r billing.Refundable, w where, in RefundInput) (RefundResult, error) {
	p := r.Payment
	src := source{id: p.ID, location: p.LocationID, amount: p.Amount, currency: p.Currency, sold: r.Sold, left: r.Parts(), card: &r, where: w}
	asks, err := src.plan(sc, in)
	if err != nil {
		return RefundResult{}, err
	}
	asks.Reason, asks.Note = in.Reason, in.Note
	if in.Destination == billing.ToCredit {
		asks.CreditTo = &w.CustomerID
	}
	got, err := s.o.Billing.RefundOfTx(ctx, tx, r, asks)
	if err != nil {
		return RefundResult{}, err
	}
	out := src.gives(Refund{
		ID: got.ID, Amount: got.Amount, State: got.State, Reason: got.Reason, Destination: got.Destination, Note: got.Note, FeeAmount: got.FeeAmount,
		CreatedAt: got.CreatedAt, UpdatedAt: got.UpdatedAt,
	}, got.Parts)
	out.Method, out.CardBrand, out.CardLast4, out.Test = ByCard, p.CardBrand, p.CardLast4, p.Test()
	return out, nil
}

// lines are what is left of the lines that are named, and all of it.
func (in RefundInput) lines(src source) (sum int64, out []billing.LineRefund, err error) {
	named := slices.Clone(in.Lines)
	if in.ServiceFee {
		named = append(named, uuid.Nil)
	}
	left := src.left
	if src.card != nil {
		left = src.card.PartsAsMeant()
	}
	for i, id := range named {
		ofLine := func(p billing.Part) bool { return p.Line == id }
		if id != uuid.Nil && !slices.ContainsFunc(src.where.lines, func(l lineRow) bool { return l.ID == id }) || i < len(in.Lines) && id == uuid.Nil {
			return 0, nil, fault.Invalid(fmt.Sprintf("lines[%d]", i), "This is no line of the payment.")
		}
		n := max(0, of(left, ofLine))
		out, sum = append(out, billing.LineRefund{Line: id, Amount: n}), sum+n
	}
	if sum == 0 {
		return 0, nil, ErrNothingRefundable
	}
	return sum, out, nil
}

// linesBack is what of each line goes back with parts.
func linesBack(rows []lineRow, parts []billing.Part) (out []LineRefund) {
	lines, _ := linesOf(rows, parts, nil)
	for _, l := range lines {
		if l.Total > 0 {
			out = append(out, LineRefund{LineID: l.ID, Label: l.Label, Amount: l.Total, TaxAmount: l.TaxAmount})
		}
	}
	return out
}

func all(billing.Part) bool { return true }
