package product

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// MoveKind is the kind of a move of stock.
type MoveKind string

// The kinds.
const (
	Receive     MoveKind = "receive"
	Sell        MoveKind = "sell"
	Return      MoveKind = "return"
	Adjust      MoveKind = "adjust" // with a reason
	TransferOut MoveKind = "transfer_out"
	TransferIn  MoveKind = "transfer_in"
	Count       MoveKind = "count"
)

// All lists them.
func (MoveKind) All() []MoveKind {
	return []MoveKind{Receive, Sell, Return, Adjust, TransferOut, TransferIn, Count}
}

// Move is a change of the stock of a variant at a location.
type Move struct {
	ID         uuid.UUID
	VariantID  uuid.UUID
	LocationID uuid.UUID
	Number     int // 1, 2, 3 … of the variant at the location
	Kind       MoveKind
	Quantity   int        // negative: less
	OnHand     int        // after it
	OrderID    *uuid.UUID // of a sale and a return
	TransferID *uuid.UUID // of both moves of a transfer
	Counted    *int       // of a count
	Reason     string     // may be empty, except of an adjustment
	ActorName  string     // empty of a sale online
	CreatedAt  time.Time
}

// The limits of a move.
const (
	QuantityMax = 99_999  // of a variant received, adjusted or transferred at once
	CountMax    = 999_999 // on hand at a location
)

// Change is what a change of stock has done.
type Change struct {
	Moves  []Move
	Levels []Level // of the locations, afterwards, in the order of the moves
}

// MovesInput selects moves of a variant, the latest first.
type MovesInput struct {
	paging.In[paging.Moment]
	ProductID, VariantID uuid.UUID
	LocationID           uuid.UUID // uuid.Nil: all locations of the caller
}

// Moves lists the stock ledger of a variant at the caller's locations with location.view. It returns a validation
// error, and a not found error for an unknown variant. A93.
func (s *Service) Moves(
	ctx context.Context, sc tenancy.Scope, in MovesInput,
) (page paging.Page[Move, paging.Moment], err error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err == nil {
		err = in.Validate()
	}
	if err != nil {
		return page, err
	}
	rows, found, err := listMoves(ctx, s.db.View(sc.Tenant), in, cover)
	return paging.Of(rows, in.Size(), func(m Move) paging.Moment { return paging.Moment{At: m.CreatedAt, ID: m.ID} }),
		fault.When(!found, fault.Missing(), err)
}

// StockInput names a variant and a location.
type StockInput struct{ ProductID, VariantID, LocationID uuid.UUID }

// ReceiveInput is stock that arrived.
type ReceiveInput struct {
	StockInput
	Quantity int
	Note     string // may be empty
}

// Receive adds stock that arrived at a location. It needs stock.manage there, also in the limited form. It returns:
//
//   - policy.ErrMissingFeature
//   - a validation error
//   - a not found error
//   - ErrUntracked, ErrVariantArchived, ErrOtherCurrency, ErrFull
//   - catalog.ErrLocationArchived
func (s *Service) Receive(ctx context.Context, sc tenancy.Scope, in ReceiveInput) (Change, error) {
	var c fault.Checks
	c.That(in.Quantity >= 1 && in.Quantity <= QuantityMax, "quantity", "Use 1 to 99999.")
	money.CheckNote(&c, "reason", &in.Note, false)
	return s.move(ctx, sc, in.StockInput, terms{}, c.Err(), func(stock) ([]Move, error) {
		return []Move{{Kind: Receive, Quantity: in.Quantity, Reason: in.Note}}, nil
	})
}

// AdjustInput corrects the stock by a difference.
type AdjustInput struct {
	StockInput
	Quantity int    // negative: less
	Reason   string // broken, used in class …
}

// Adjust adds stock, or takes it away, for a reason. It needs stock.manage at the location. It returns the errors of
// Receive, and ErrShort.
func (s *Service) Adjust(ctx context.Context, sc tenancy.Scope, in AdjustInput) (Change, error) {
	var c fault.Checks
	c.That(in.Quantity != 0 && in.Quantity >= -QuantityMax && in.Quantity <= QuantityMax, "quantity",
		"Use -99999 to 99999, and not 0.")
	money.CheckNote(&c, "reason", &in.Reason, true)
	return s.move(ctx, sc, in.StockInput, terms{full: true}, c.Err(), func(stock) ([]Move, error) {
		return []Move{{Kind: Adjust, Quantity: in.Quantity, Reason: in.Reason}}, nil
	})
}

// TransferInput moves stock to another location.
type TransferInput struct {
	StockInput
	To       uuid.UUID // the other location
	Quantity int
	Note     string // may be empty
}

// Transfer moves stock to another location of the business with the same currency. It needs stock.manage at both. It
// returns the errors of Receive, and ErrShort.
func (s *Service) Transfer(ctx context.Context, sc tenancy.Scope, in TransferInput) (Change, error) {
	var c fault.Checks
	c.That(in.Quantity >= 1 && in.Quantity <= QuantityMax, "quantity", "Use 1 to 99999.")
	c.That(in.To != uuid.Nil && in.To != in.LocationID, "toLocationId", "Select another location.")
	money.CheckNote(&c, "reason", &in.Note, false)
	return s.move(ctx, sc, in.StockInput, terms{full: true, to: in.To}, c.Err(), func(stock) ([]Move, error) {
		id := pg.NewID()
		return []Move{
			{Kind: TransferOut, Quantity: -in.Quantity, TransferID: &id, Reason: in.Note},
			{LocationID: in.To, Kind: TransferIn, Quantity: in.Quantity, TransferID: &id, Reason: in.Note},
		}, nil
	})
}

// CountInput is the stock that was counted.
type CountInput struct {
	StockInput
	Counted int
	// LastNumber is the number of the last move when it was counted (Level.LastNumber): what was sold meanwhile stays
	// sold. Nil: nothing moved meanwhile.
	LastNumber *int
	Note       string // may be empty
}

// Count writes the difference of a count to the stock at that time. It needs stock.manage at the location. It returns
// the errors of Receive except ErrVariantArchived, and ErrShort if more is held for customers than was counted.
func (s *Service) Count(ctx context.Context, sc tenancy.Scope, in CountInput) (Change, error) {
	var c fault.Checks
	c.That(in.Counted >= 0 && in.Counted <= CountMax, "quantity", "Use 0 to 999999.")
	c.That(in.LastNumber == nil || *in.LastNumber >= 0, "lastNumber", "Send the number of the last move.")
	money.CheckNote(&c, "reason", &in.Note, false)
	t, decide := counting(in.Counted, in.LastNumber, in.Note)
	return s.move(ctx, sc, in.StockInput, t, c.Err(), decide)
}

// counting returns the terms of a count, and its move.
func counting(counted int, lastNumber *int, note string) (terms, func(stock) ([]Move, error)) {
	return terms{full: true, count: true, lastNumber: lastNumber}, func(st stock) ([]Move, error) {
		if st.Then == nil {
			return nil, fault.Invalid("lastNumber", "There is no such move of this variant here.")
		}
		return []Move{{Kind: Count, Quantity: counted - *st.Then, Counted: &counted, Reason: note}}, nil
	}
}

// terms are the terms of a change of stock.
type terms struct {
	full       bool      // it needs stock.manage without a limit
	to         uuid.UUID // the second location; uuid.Nil: none
	count      bool      // also of an archived variant, and at an archived location
	lastNumber *int      // the level after this move is read; nil: the level now
}

// stock is a variant with locked levels, and its locations.
type stock struct {
	Currency money.Currency
	Tracked  bool
	Archived bool
	Then     *int // on hand after the move LastNumber; nil: there is no such move
	at       []stockedAt
}

// stockedAt is a location where a variant is stocked.
type stockedAt struct {
	ID       uuid.UUID
	Currency money.Currency
	Archived bool
}

// move writes moves of a variant, under the locks of its levels: those that decide returns. One without a location is
// at that of the input.
func (s *Service) move(
	ctx context.Context, sc tenancy.Scope, in StockInput, t terms, wrong error, decide func(stock) ([]Move, error),
) (Change, error) {
	if err := policy.RequireAny(sc, policy.StockManage); err != nil {
		return Change{}, err
	}
	if wrong != nil {
		return Change{}, wrong
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Change, error) {
		return moveTx(ctx, tx, sc, in, t, decide)
	})
}

// moveTx is move as part of a transaction.
func moveTx(
	ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in StockInput, t terms, decide func(stock) ([]Move, error),
) (Change, error) {
	locations := []uuid.UUID{in.LocationID}
	if t.to != uuid.Nil {
		locations = append(locations, t.to)
	}
	st, err := lockStock(ctx, tx, in, locations, t.lastNumber)
	if err != nil {
		return Change{}, err
	}
	if err := st.mayMove(sc, locations, t); err != nil {
		return Change{}, err
	}
	moves, err := decide(st)
	if err != nil {
		return Change{}, err
	}
	for i := range moves {
		m := &moves[i]
		m.ID, m.VariantID, m.CreatedAt, m.ActorName = pg.NewID(), in.VariantID, tx.Now(), sc.Actor.Name
		if m.LocationID == uuid.Nil {
			m.LocationID = in.LocationID
		}
	}
	levels, err := insertMoves(ctx, tx, sc.Actor, moves)
	return Change{moves, levels}, err
}

// mayMove checks the locations of a change, and the caller's grants there.
func (st stock) mayMove(sc tenancy.Scope, locations []uuid.UUID, t terms) error {
	for _, id := range locations {
		i := slices.IndexFunc(st.at, func(l stockedAt) bool { return l.ID == id })
		if i < 0 {
			return fault.Missing()
		}
		if err := policy.RequireAt(sc, policy.StockManage, id); err != nil {
			return err
		}
		if t.full && !policy.WhereFull(sc, policy.StockManage).At(id) {
			return policy.ErrMissingFeature.With("feature", string(policy.StockManage))
		}
		switch at := st.at[i]; {
		case at.Currency != st.Currency:
			return ErrOtherCurrency
		case at.Archived && !t.count && id == locations[len(locations)-1]: // stock may leave it
			return catalog.ErrLocationArchived
		}
	}
	switch {
	case !st.Tracked:
		return ErrUntracked
	case st.Archived && !t.count:
		return ErrVariantArchived
	}
	return nil
}
