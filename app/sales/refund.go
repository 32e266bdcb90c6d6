package sales

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
	Lines      []uuid.UUID // of its order
	ServiceFee bool        // the service fee, too
	Amount     *int64      // instead of lines; in minor units of the payment's currency
	Reason     billing.RefundReason
	Note       string // for the studio's records
}

// noteMax bounds a note, in characters.
const noteMax = 500

// Validate trims the input and checks it.
func (in *RefundInput) Validate() error {
	var c fault.Checks
	in.Note = strings.TrimSpace(in.Note)
	c.That(in.Note != "", "note", "Say why.")
	c.That(utf8.RuneCountInString(in.Note) <= noteMax, "note", "Use at most 500 characters.")
	c.That(slices.Contains(billing.OperatorReasons(), in.Reason), "reason", "Use requested, not_provided, duplicate, goodwill or other.")
	ofLines := len(in.Lines) > 0 || in.ServiceFee
	c.That(ofLines || in.Amount != nil, "amount", "Say how much goes back, or for which lines.")
	c.That(!ofLines || in.Amount == nil, "amount", "Name lines or an amount, not both.")
	c.That(in.Amount == nil || *in.Amount > 0, "amount", "Say how much goes back.")
	for i, id := range in.Lines {
		c.That(!slices.Contains(in.Lines[:i], id), fmt.Sprintf("lines[%d]", i), "Name each line once.")
	}
	return c.Err()
}

// GivenBack is a refund that was asked for, and what it does. Amounts are in minor units of Currency.
type GivenBack struct {
	Refund     Refund
	PaymentID  uuid.UUID
	Currency   money.Currency
	CardBrand  string
	CardLast4  string
	TaxAmount  int64      // of the amount: what is owed less to the state
	Lines      []LineBack // what of each line goes back; the service fee last
	LeftAmount int64      // of the payment, after it
	LocationID uuid.UUID
	Test       bool // no money moves
}

// LineBack is what of a line goes back.
type LineBack struct {
	LineID    *uuid.UUID // nil: the service fee
	Label     string     // empty for the service fee
	Amount    int64      // tax included
	TaxAmount int64
}

// Effects is what the refund does, for a quote: without its id and when it was asked for.
func (g GivenBack) Effects() any {
	g.Refund = Refund{Amount: g.Refund.Amount, FeeAmount: g.Refund.FeeAmount}
	return g
}

// Refund gives money of a card payment back to the card: what is left of the lines that are named, or an amount. The same share of the
// platform fee comes back to the studio; what the processor took for itself does not. It changes no booking, and the customer hears of it
// from their bank and finds it on the receipt. It can be quoted.
//
// It needs payment.refund at the payment's location; whoever holds its limited form gives back no more of one payment, with all refunds
// before, than the location's RefundCapAmount. A payment that payment.view does not show them is not found.
//
// Errors: policy.ErrMissingFeature; Validation; not found, also for a line that the payment is not for; ErrCap with details.cap and
// details.refunded; ErrNothingLeft; ErrAtTheDesk; billing.ErrRefundTooLarge with details.left, also for a payment that was not taken.
func (s *Service) Refund(ctx context.Context, sc tenancy.Scope, in RefundInput) (GivenBack, error) {
	if err := policy.RequireAny(sc, policy.PaymentRefund); err != nil {
		return GivenBack{}, err
	}
	if err := in.Validate(); err != nil {
		return GivenBack{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (GivenBack, error) {
		if err := tx.Because(ctx, in.Note); err != nil {
			return GivenBack{}, err
		}
		r, err := s.o.Billing.RefundableTx(ctx, tx, in.PaymentID)
		if fault.IsKind(err, fault.NotFound) {
			return GivenBack{}, s.atTheDesk(ctx, tx, sc, in.PaymentID)
		}
		if err != nil {
			return GivenBack{}, err
		}
		w, err := readWhere(ctx, tx, r.Payment)
		if err != nil {
			return GivenBack{}, err
		}
		if err := mayRefund(sc, r.Payment.LocationID, w.Today); err != nil {
			return GivenBack{}, err
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

// atTheDesk is the refusal of what was not paid by card; not found when it was not paid at all.
func (s *Service) atTheDesk(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID) error {
	p, today, err := readPayment(ctx, tx, id)
	if err == nil {
		err = mayRefund(sc, p.LocationID, today)
	}
	return fault.When(true, ErrAtTheDesk, err)
}

// refundTx is Refund of a payment that is locked, by somebody who may.
func (s *Service) refundTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, r billing.Refundable, w where, in RefundInput) (GivenBack, error) {
	left := r.Left()
	rest := of(left, all)
	ask := billing.RefundInput{PaymentID: in.PaymentID, Reason: in.Reason, Note: in.Note}
	if in.Amount != nil {
		ask.Amount = *in.Amount
	} else if err := in.lines(&ask, r.Sold, left, w); err != nil {
		return GivenBack{}, err
	}
	if back := r.Payment.Amount - rest; rest > 0 && !policy.WhereFull(sc, policy.PaymentRefund).At(r.Payment.LocationID) && back+ask.Amount > w.RefundCapAmount {
		return GivenBack{}, ErrCap.With("cap", w.RefundCapAmount).With("refunded", back).With("currency", string(r.Payment.Currency))
	}
	if rest == 0 {
		return GivenBack{}, ErrNothingLeft
	}
	got, err := s.o.Billing.RefundOfTx(ctx, tx, r, ask)
	if errors.Is(err, billing.ErrRefundTooLarge) {
		return GivenBack{}, billing.ErrRefundTooLarge.With("left", rest)
	}
	if err != nil {
		return GivenBack{}, err
	}
	p := r.Payment
	out := GivenBack{
		Refund: Refund{
			ID: got.ID, Amount: got.Amount, State: got.State, Reason: got.Reason, Note: got.Note, FeeAmount: got.FeeAmount,
			CreatedAt: got.CreatedAt, UpdatedAt: got.UpdatedAt,
		},
		PaymentID: p.ID, LocationID: p.LocationID, Currency: p.Currency, CardBrand: p.CardBrand, CardLast4: p.CardLast4, Test: p.Test(),
		LeftAmount: rest - got.Amount,
	}
	_, taxes := linesOf(w.lines, r.Sold, got.Parts)
	for _, t := range taxes {
		out.TaxAmount += t.Back
	}
	out.Lines = linesBack(w.lines, got.Parts)
	return out, nil
}

// lines makes the amounts of the lines that are named.
func (in RefundInput) lines(ask *billing.RefundInput, sold, left []billing.Part, w where) error {
	named := slices.Clone(in.Lines)
	if in.ServiceFee {
		named = append(named, uuid.Nil)
	}
	for i, id := range named {
		ofLine := func(p billing.Part) bool { return p.Line == id }
		if id != uuid.Nil && !slices.ContainsFunc(w.lines, func(l lineRow) bool { return l.ID == id }) || i < len(in.Lines) && id == uuid.Nil {
			return fault.Invalid(fmt.Sprintf("lines[%d]", i), "This is no line of the payment.")
		}
		n := of(left, ofLine)
		ask.Lines, ask.Amount = append(ask.Lines, billing.LineBack{Line: id, Amount: n}), ask.Amount+n
	}
	if ask.Amount == 0 {
		return ErrNothingLeft
	}
	return nil
}

// linesBack is what of each line goes back with parts.
func linesBack(rows []lineRow, parts []billing.Part) (out []LineBack) {
	lines, _ := linesOf(rows, parts, nil)
	for _, l := range lines {
		if l.Total > 0 {
			out = append(out, LineBack{LineID: l.ID, Label: l.Label, Amount: l.Total, TaxAmount: l.TaxAmount})
		}
	}
	return out
}

func all(billing.Part) bool { return true }
