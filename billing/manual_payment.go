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

// Method is how somebody pays at the desk. The processor has no part in it, and neither has the platform: there is no fee (A29).
type Method string

// The methods.
const (
	MethodCash   Method = "cash"
	MethodOther  Method = "elsewhere" // by a way that the studio has of its own: its terminal, a bank transfer
	MethodCredit Method = "credit"    // with what the customer has with the studio (package credit)
)

// All lists them.
func (Method) All() []Method { return []Method{MethodCash, MethodOther, MethodCredit} }

// Valid tells whether m is one of the methods.
func (m Method) Valid() bool { return slices.Contains(m.All(), m) }

// till is where money of the method is.
func (m Method) till() ledger.Account {
	switch m {
	case MethodCash:
		return ledger.Cash
	case MethodCredit:
		return ledger.Credit
	}
	return ledger.ClearingOther
}

// ManualPaymentKind is what a manual payment is.
type ManualPaymentKind string

// The kinds.
const (
	ManualTaken  ManualPaymentKind = "taken"
	ManualRefund ManualPaymentKind = "given_back" // a part of another one, or all that was left of it
	ManualVoid   ManualPaymentKind = "void"       // another one was a mistake
)

// All lists them.
func (ManualPaymentKind) All() []ManualPaymentKind {
	return []ManualPaymentKind{ManualTaken, ManualRefund, ManualVoid}
}

// ManualPayment is money that went over the desk for an order. It never changes: what goes back is another taking.
type ManualPayment struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	OrderID    uuid.UUID
	CustomerID uuid.UUID  // of the order
	OfID       *uuid.UUID // the taking that this one takes back
	Kind       ManualPaymentKind
	Method     Method
	Amount     int64 // positive, in minor units of Currency
	Currency   money.Currency
	Note       string // the slip of the terminal; why it went back
	ActorKind  tenancy.ActorKind
	ActorName  string
	CreatedAt  time.Time
	Parts      []Part // what of the order it is for
}

// What stands against taking money back.
var (
	// ErrNotRefundable: the taking was a mistake, or that much of it is not left. details.leftAmount is what is.
	ErrNotRefundable = fault.New(fault.Conflict, "taking_over", "There is not that much left of this payment.")
	// ErrNotVoidable: a manual payment is taken for a mistake on its own day only, and before anything was refunded.
	ErrNotVoidable = fault.New(fault.Conflict, "not_voidable", "Only a payment of today of which nothing was given back can be taken for a mistake. Give it back instead.")
)

// ManualPaymentInput is money that is on the desk.
type ManualPaymentInput struct {
	LocationID uuid.UUID
	OrderID    uuid.UUID
	CustomerID uuid.UUID // of the order
	Currency   money.Currency
	Method     Method
	Note       string
	Parts      []Part // what of the order it is for: more than nothing
}

// RecordPaymentTx writes down that money was taken at the desk, and puts it into the books. The caller holds the lock of the order, and of the
// customer's credit where it is paid with that (credit.LockTx), and knows that the parts are due.
func (s *Service) RecordPaymentTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in ManualPaymentInput) (ManualPayment, error) {
	t := ManualPayment{
		ID: pg.NewID(), LocationID: in.LocationID, OrderID: in.OrderID, CustomerID: in.CustomerID, Kind: ManualTaken, Method: in.Method, Amount: Sum(in.Parts),
		Currency: in.Currency, Note: in.Note, Parts: in.Parts,
	}
	return t, writeManualPayment(ctx, tx, sc, &t)
}

// ManualPaymentTx reads a manual payment with what is left of it, which is nothing of one that was a mistake. The caller holds the lock of its order
// when it wants to change that. Not found for an unknown id, and for a manual payment that takes another one back.
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

// ManualRefundInput gives back of a manual payment.
type ManualRefundInput struct {
	PaymentID uuid.UUID
	Amount    int64
	// Lines say what for, and are no more than Amount; what they leave is spread over what is left of all.
	Lines []LineRefund
	// ToCredit keeps the money, and gives the customer credit for it.
	ToCredit bool
	Note     string
}

// RefundManualTx writes down that money was handed back over the desk, by the method by which it was taken or as credit. The caller holds the
// lock of the order. Errors: not found, ErrNotRefundable.
func (s *Service) RefundManualTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in ManualRefundInput) (ManualPayment, error) {
	if in.Amount <= 0 {
		return ManualPayment{}, fault.Invalid("amount", "Say how much goes back.")
	}
	of, left, err := ManualPaymentTx(ctx, tx, in.PaymentID)
	if err != nil {
		return ManualPayment{}, err
	}
	if rest := Sum(left); in.Amount > rest {
		return ManualPayment{}, ErrNotRefundable.With("leftAmount", rest)
	}
	method := of.Method
	if in.ToCredit {
		method = MethodCredit
	}
	return s.reverseManual(ctx, tx, sc, of, ManualRefund, method, in.Note, shareOf(left, in.Amount, in.Lines))
}

// VoidManualTx writes down that a manual payment was a mistake: what it paid for is due again. The caller holds the lock of the order, and knows
// that it is still the taking's day. Errors: not found, ErrNotVoidable.
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

// credit is what a manual payment does to the customer's credit; nothing, unless it was paid with it or refunded to it.
func (t ManualPayment) credit() (m credit.Transaction, moves bool) {
	m = credit.Transaction{
		ID: pg.NewID(), CustomerID: t.CustomerID, LocationID: t.LocationID, Currency: t.Currency, Kind: credit.Returned, Amount: t.Amount,
		ManualPaymentID: &t.ID, Note: t.Note,
	}
	if t.Kind == ManualTaken {
		m.Kind, m.Amount = credit.Spent, -t.Amount
	}
	return m, t.Method == MethodCredit
}

// entry is a manual payment as the books have it.
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
