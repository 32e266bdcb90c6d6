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
	MethodCash      Method = "cash"
	MethodElsewhere Method = "elsewhere" // by a way that the studio has of its own: its terminal, a bank transfer
	MethodCredit    Method = "credit"    // with what the customer has with the studio (package credit)
)

// All lists them.
func (Method) All() []Method { return []Method{MethodCash, MethodElsewhere, MethodCredit} }

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
	return ledger.ClearingElsewhere
}

// TakingKind is what a taking is.
type TakingKind string

// The kinds.
const (
	Taken     TakingKind = "taken"
	GivenBack TakingKind = "given_back" // a part of another one, or all that was left of it
	Void      TakingKind = "void"       // another one was a mistake
)

// All lists them.
func (TakingKind) All() []TakingKind { return []TakingKind{Taken, GivenBack, Void} }

// Taking is money that went over the desk for an order. It never changes: what goes back is another taking.
type Taking struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	OrderID    uuid.UUID
	CustomerID uuid.UUID  // of the order
	OfID       *uuid.UUID // the taking that this one takes back
	Kind       TakingKind
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
	// ErrTakingOver: the taking was a mistake, or that much of it is not left. details.leftAmount is what is.
	ErrTakingOver = fault.New(fault.Conflict, "taking_over", "There is not that much left of this payment.")
	// ErrNotVoidable: a taking is taken for a mistake on its own day only, and before anything was given back.
	ErrNotVoidable = fault.New(fault.Conflict, "not_voidable", "Only a payment of today of which nothing was given back can be taken for a mistake. Give it back instead.")
)

// TakeInput is money that is on the desk.
type TakeInput struct {
	LocationID uuid.UUID
	OrderID    uuid.UUID
	CustomerID uuid.UUID // of the order
	Currency   money.Currency
	Method     Method
	Note       string
	Parts      []Part // what of the order it is for: more than nothing
}

// TakeTx writes down that money was taken at the desk, and puts it into the books. The caller holds the lock of the order, and of the
// customer's credit where it is paid with that (credit.LockTx), and knows that the parts are due.
func (s *Service) TakeTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in TakeInput) (Taking, error) {
	t := Taking{
		ID: pg.NewID(), LocationID: in.LocationID, OrderID: in.OrderID, CustomerID: in.CustomerID, Kind: Taken, Method: in.Method, Amount: Sum(in.Parts),
		Currency: in.Currency, Note: in.Note, Parts: in.Parts,
	}
	return t, writeTaking(ctx, tx, sc, &t)
}

// TakingTx reads a taking with what is left of it, which is nothing of one that was a mistake. The caller holds the lock of its order
// when it wants to change that. Not found for an unknown id, and for a taking that takes another one back.
func TakingTx(ctx context.Context, r pg.Reader, id uuid.UUID) (t Taking, left []Part, err error) {
	t, backs, err := readTaking(ctx, r, id)
	if err != nil {
		return Taking{}, nil, err
	}
	left = t.Parts
	for _, b := range backs {
		left = Without(left, b.Parts)
	}
	return t, slices.DeleteFunc(slices.Clone(left), func(p Part) bool { return p.Amount <= 0 }), nil
}

// BackInput gives back of a taking.
type BackInput struct {
	TakingID uuid.UUID
	Amount   int64
	// Lines say what for, and are no more than Amount; what they leave is spread over what is left of all.
	Lines []LineBack
	// ToCredit keeps the money, and gives the customer credit for it.
	ToCredit bool
	Note     string
}

// GiveBackTx writes down that money was handed back over the desk, by the method by which it was taken or as credit. The caller holds the
// lock of the order. Errors: not found, ErrTakingOver.
func (s *Service) GiveBackTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in BackInput) (Taking, error) {
	if in.Amount <= 0 {
		return Taking{}, fault.Invalid("amount", "Say how much goes back.")
	}
	of, left, err := TakingTx(ctx, tx, in.TakingID)
	if err != nil {
		return Taking{}, err
	}
	if rest := Sum(left); in.Amount > rest {
		return Taking{}, ErrTakingOver.With("leftAmount", rest)
	}
	method := of.Method
	if in.ToCredit {
		method = MethodCredit
	}
	return s.takeBack(ctx, tx, sc, of, GivenBack, method, in.Note, shareOf(left, in.Amount, in.Lines))
}

// VoidTx writes down that a taking was a mistake: what it paid for is due again. The caller holds the lock of the order, and knows
// that it is still the taking's day. Errors: not found, ErrNotVoidable.
func (s *Service) VoidTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, note string) (Taking, error) {
	of, left, err := TakingTx(ctx, tx, id)
	if err != nil {
		return Taking{}, err
	}
	if Sum(left) != of.Amount {
		return Taking{}, ErrNotVoidable
	}
	return s.takeBack(ctx, tx, sc, of, Void, of.Method, note, of.Parts)
}

func (s *Service) takeBack(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, of Taking, kind TakingKind, method Method, note string, parts []Part) (Taking, error) {
	t := Taking{
		ID: pg.NewID(), LocationID: of.LocationID, OrderID: of.OrderID, CustomerID: of.CustomerID, OfID: &of.ID, Kind: kind, Method: method, Amount: Sum(parts),
		Currency: of.Currency, Note: note, Parts: parts,
	}
	return t, writeTaking(ctx, tx, sc, &t)
}

// credit is what a taking does to the customer's credit; nothing, unless it was paid with it or given back to it.
func (t Taking) credit() (m credit.Move, moves bool) {
	m = credit.Move{
		ID: pg.NewID(), CustomerID: t.CustomerID, LocationID: t.LocationID, Currency: t.Currency, Kind: credit.Returned, Amount: t.Amount,
		TakingID: &t.ID, Note: t.Note,
	}
	if t.Kind == Taken {
		m.Kind, m.Amount = credit.Spent, -t.Amount
	}
	return m, t.Method == MethodCredit
}

// entry is a taking as the books have it.
func (t Taking) entry() ledger.Entry {
	at := ledger.Place{LocationID: t.LocationID, Currency: t.Currency, At: t.CreatedAt}
	switch t.Kind {
	case GivenBack:
		return ledger.DeskBack(at, t.ID, t.Method.till(), postings(t.Parts))
	case Void:
		return ledger.DeskVoid(at, t.ID, t.Method.till(), postings(t.Parts))
	}
	return ledger.DeskSale(at, t.ID, t.Method.till(), postings(t.Parts))
}
