package product

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Stocked is a variant with its stock at one location.
type Stocked struct {
	ID        uuid.UUID
	ProductID uuid.UUID
	Name      string   // of the product
	Choices   []string // one of each option
	SKU       string   `db:",null"`
	Barcode   string   `db:",null"`
	Currency  money.Currency
	Tracked   bool
	OnHand    int
	Held      int
	// LastNumber is the number of the last move: a count with it (CountInput.LastNumber) keeps later sales.
	LastNumber int
}

// LookupInput selects variants: the one with a code, and those with ids.
type LookupInput struct {
	LocationID uuid.UUID
	Code       string // a SKU or a barcode of a variant that is not archived; empty: none
	VariantIDs []uuid.UUID
}

// Lookup reads variants with their stock at a location, the one with the code first. Of a barcode and a SKU that are
// equal, the barcode has the variant. It needs location.view at the location. Unknown codes and ids are left out.
func (s *Service) Lookup(ctx context.Context, sc tenancy.Scope, in LookupInput) ([]Stocked, error) {
	if err := policy.RequireAt(sc, policy.LocationView, in.LocationID); err != nil {
		return nil, err
	}
	in.Code = strings.TrimSpace(in.Code)
	if len(in.Code) > BarcodeMax {
		in.Code = ""
	}
	return lookup(ctx, s.db.View(sc.Tenant), in)
}

// BatchMax is the maximum number of variants in a BatchInput.
const BatchMax = 200

// BatchInput is a delivery to a location, or a count there, of several variants.
type BatchInput struct {
	LocationID uuid.UUID
	Kind       MoveKind // Receive or Count
	Items      []BatchItem
	Note       string // may be empty
}

// BatchItem is one variant of a BatchInput.
type BatchItem struct {
	ProductID, VariantID uuid.UUID
	Quantity             int  // received, or counted
	LastNumber           *int // of a count: CountInput.LastNumber
}

// ChangeStock is Receive or Count of several variants in one transaction: of all of them, or of none. It returns the
// changes in the order of the items, and the errors of those verbs, with the item in the name of the field:
// items[0].quantity. A refusal that is about no field names items[0].
func (s *Service) ChangeStock(ctx context.Context, sc tenancy.Scope, in BatchInput) ([]Change, error) {
	if err := policy.RequireAny(sc, policy.StockManage); err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) ([]Change, error) {
		out := make([]Change, len(in.Items))
		for _, i := range in.order() {
			it := in.Items[i]
			m := Move{Kind: Receive, Quantity: it.Quantity, Reason: in.Note}
			t, decide := terms{}, func(stock) ([]Move, error) { return []Move{m}, nil }
			if in.Kind == Count {
				t, decide = counting(it.Quantity, it.LastNumber, in.Note)
			}
			at := StockInput{ProductID: it.ProductID, VariantID: it.VariantID, LocationID: in.LocationID}
			var err error
			if out[i], err = moveTx(ctx, tx, sc, at, t, decide); err != nil {
				return nil, ofItem(i, err)
			}
		}
		return out, nil
	})
}

// order returns the indexes of the items in the order in which all changes lock variants.
func (in BatchInput) order() []int {
	out := make([]int, len(in.Items))
	for i := range out {
		out[i] = i
	}
	slices.SortFunc(out, func(a, b int) int {
		return slices.Compare(in.Items[a].VariantID[:], in.Items[b].VariantID[:])
	})
	return out
}

// check checks the numbers and trims the note.
func (in *BatchInput) check() error {
	var c fault.Checks
	c.That(in.Kind == Receive || in.Kind == Count, "kind", "Use receive or count.")
	c.That(len(in.Items) > 0 && len(in.Items) <= BatchMax, "items", "Use 1 to 200 items.")
	money.CheckNote(&c, "note", &in.Note, false)
	seen := map[uuid.UUID]bool{}
	for i, it := range in.Items {
		at := fmt.Sprintf("items[%d].", i)
		if in.Kind == Count {
			c.That(it.Quantity >= 0 && it.Quantity <= CountMax, at+"quantity", "Use 0 to 999999.")
			c.That(it.LastNumber == nil || *it.LastNumber >= 0, at+"lastNumber", "Send the number of the last move.")
		} else {
			c.That(it.Quantity >= 1 && it.Quantity <= QuantityMax, at+"quantity", "Use 1 to 99999.")
		}
		c.That(!seen[it.VariantID], at+"variantId", "This variant is listed twice.")
		seen[it.VariantID] = true
	}
	return c.Err()
}

// ofItem names the item that a refusal is about.
func ofItem(i int, err error) error {
	f := fault.From(err)
	if f == nil || f.Kind == fault.Internal || f.Kind == fault.Forbidden {
		return err
	}
	at := fmt.Sprintf("items[%d]", i)
	if len(f.Fields) == 0 {
		return f.And(at, f.Message)
	}
	return f.At(func(field string) string { return at + "." + field })
}
