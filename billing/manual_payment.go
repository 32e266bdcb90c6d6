package billing

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/credit"
	"foyer/billing/ledger"
)

// Method is a payment method at the desk. Neither the processor nor the platform has a part in it: there is no fee
// (A29).
type Method string

// The methods.
const (
	MethodCash   Method = "cash"
	MethodOther  Method = "elsewhere" // a method of the studio's own: its terminal, a bank transfer
	MethodCredit Method = "credit"    // account credit (package credit)
)

// All returns all methods.
func (Method) All() []Method { return []Method{MethodCash, MethodOther, MethodCredit} }

// Valid reports whether m is one of the methods.
func (m Method) Valid() bool { return slices.Contains(m.All(), m) }

// till returns the ledger account of the method's money.
func (m Method) till() ledger.Account {
	switch m {
	case MethodCash:
		return ledger.Cash
	case MethodCredit:
		return ledger.Credit
	}
	return ledger.ClearingOther
}

// ManualPaymentKind is the kind of a manual payment.
type ManualPaymentKind string

// The kinds.
const (
	ManualReceived ManualPaymentKind = "received"
	ManualRefund   ManualPaymentKind = "refunded" // a refund of another one, in full or in part
	ManualVoid     ManualPaymentKind = "void"     // another one was a mistake
)

// All returns all kinds.
func (ManualPaymentKind) All() []ManualPaymentKind {
	return []ManualPaymentKind{ManualReceived, ManualRefund, ManualVoid}
}

// ManualPayment is a payment of an order at the desk. It never changes: a refund or void is another manual payment.
type ManualPayment struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	OrderID    uuid.UUID
	CustomerID uuid.UUID  // of the order
	OfID       *uuid.UUID // the manual payment that this one refunds or voids
	Kind       ManualPaymentKind
	Method     Method
	Amount     int64 // positive, in minor units of Currency
	Currency   money.Currency
	Note       string // the terminal's receipt; the reason of a refund
	ActorKind  tenancy.ActorKind
	ActorName  string
	CreatedAt  time.Time
	Parts      []Part // of the order
}

// Errors of refunding and voiding manual payments.
var (
	// ErrNotRefundable means that the manual payment is void, or its refundable amount is too small.
	// details.leftAmount is the refundable amount.
	ErrNotRefundable = fault.New(fault.Conflict, "taking_over", "The amount is larger than the refundable amount of this payment.")
	// ErrNotVoidable means that a manual payment is not of today, or has refunds.
	ErrNotVoidable = fault.New(fault.Conflict, "not_voidable", "Only a payment of today without refunds can be voided. Refund it instead.")
)

// ManualPaymentInput is a payment at the desk.
type ManualPaymentInput struct {
	LocationID uuid.UUID
	OrderID    uuid.UUID
	CustomerID uuid.UUID // of the order
	Currency   money.Currency
	Method     Method
	Note       string
	Parts      []Part // of the order: at least one
}

// RecordPaymentTx records a payment at the desk, and books it. The caller holds the lock of the order, and of the
// customer's credit for that method (credit.LockTx), and has checked that the parts are due.
func (s *Service) RecordPaymentTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in ManualPaymentInput) (ManualPayment, error) {
	t := ManualPayment{
		ID: pg.NewID(), LocationID: in.LocationID, OrderID: in.OrderID, CustomerID: in.CustomerID, Kind: ManualReceived, Method: in.Method, Amount: Sum(in.Parts),
		Currency: in.Currency, Note: in.Note, Parts: in.Parts,
	}
	return t, writeManualPayment(ctx, tx, sc, &t)
}

// ManualPaymentTx reads a manual payment with its refundable parts; a void one has none. The caller holds the lock of
// its order before a change. It returns a not found error for an unknown id, and for a manual payment that refunds or
// voids another one.
func ManualPaymentTx(ctx context.Context, r pg.Reader, id uuid.UUID) (t ManualPayment, left []Part, err error) {
	t, backs, err := readManualPayment(ctx, r, id)
	if err != nil {
		return ManualPayment{}, nil, err
	}
	left = t.Parts
	for _, b := range backs {
		left = Without(left, b.Parts)
	}
	return t, slices.DeleteFunc(slices.Clone(left), func(p Part) bool { return p.Amount <= 0 }), nil
}

// ManualRefundInput is a refund of a manual payment.
type ManualRefundInput struct {
	PaymentID uuid.UUID
	Amount    int64
	// Lines are the amounts by line, no more than Amount in all; the remainder is spread over all refundable parts.
	Lines []LineRefund
	// ToCredit refunds as account credit instead of money.
	ToCredit bool
	Note     string
}

// RefundManualTx records a refund at the desk, by the payment's own method or as credit. The caller holds the lock of
// the order. It returns a not found error for an unknown payment, and ErrNotRefundable.
func (s *Service) RefundManualTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in ManualRefundInput) (ManualPayment, error) {
	if in.Amount <= 0 {
		return ManualPayment{}, fault.Invalid("amount", "Enter the amount to refund.")
	}
	of, left, err := ManualPaymentTx(ctx, tx, in.PaymentID)
	if err != nil {
		return ManualPayment{}, err
	}
	if refundable := Sum(left); in.Amount > refundable {
		return ManualPayment{}, ErrNotRefundable.With("leftAmount", refundable)
	}
	method := of.Method
	if in.ToCredit {
		method = MethodCredit
	}
	return s.reverseManual(ctx, tx, sc, of, ManualRefund, method, in.Note, shareOf(left, in.Amount, in.Lines))
}

// VoidManualTx records that a manual payment was a mistake: its parts are due again. The caller holds the lock of the
// order, and has checked that it is still the payment's day. It returns a not found error for an unknown payment, and
// ErrNotVoidable.
func (s *Service) VoidManualTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, note string) (ManualPayment, error) {
	of, left, err := ManualPaymentTx(ctx, tx, id)
	if err != nil {
		return ManualPayment{}, err
	}
	if Sum(left) != of.Amount {
		return ManualPayment{}, ErrNotVoidable
	}
	return s.reverseManual(ctx, tx, sc, of, ManualVoid, of.Method, note, of.Parts)
}

func (s *Service) reverseManual(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, of ManualPayment, kind ManualPaymentKind, method Method, note string, parts []Part) (ManualPayment, error) {
	t := ManualPayment{
		ID: pg.NewID(), LocationID: of.LocationID, OrderID: of.OrderID, CustomerID: of.CustomerID, OfID: &of.ID, Kind: kind, Method: method, Amount: Sum(parts),
		Currency: of.Currency, Note: note, Parts: parts,
	}
	return t, writeManualPayment(ctx, tx, sc, &t)
}

// credit returns the credit transaction of a manual payment; none, unless it was paid with credit or refunded to it.
func (t ManualPayment) credit() (m credit.Transaction, moves bool) {
	m = credit.Transaction{
		ID: pg.NewID(), CustomerID: t.CustomerID, LocationID: t.LocationID, Currency: t.Currency, Kind: credit.Refunded, Amount: t.Amount,
		ManualPaymentID: &t.ID, Note: t.Note,
	}
	if t.Kind == ManualReceived {
		m.Kind, m.Amount = credit.Spent, -t.Amount
	}
	return m, t.Method == MethodCredit
}

// entry returns the ledger entry of a manual payment.
func (t ManualPayment) entry() ledger.Entry {
	at := ledger.Context{LocationID: t.LocationID, Currency: t.Currency, At: t.CreatedAt}
	switch t.Kind {
	case ManualRefund:
		return ledger.ManualRefund(at, t.ID, t.Method.till(), postings(t.Parts))
	case ManualVoid:
		return ledger.ManualVoid(at, t.ID, t.Method.till(), postings(t.Parts))
	}
	return ledger.ManualPayment(at, t.ID, t.Method.till(), postings(t.Parts))
}
