package product

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Sellable is a variant that a location sells, as its desk finds it.
type Sellable struct {
	VariantID   uuid.UUID
	Name        string // of the product
	Choices     []string
	SKU         string
	PriceAmount int64
	Available   *int // nil: any quantity
	Exact       bool // the query is its SKU or its barcode
}

// Label returns the name of the product and its options, as a line of an order has it.
func (s Sellable) Label() string { return label(s.Name, s.Choices) }

// SellableInput selects what the desk of a location sells: by a part of the name, or a whole SKU or barcode, and the
// variants that are named.
type SellableInput struct {
	LocationID uuid.UUID
	Query      string      // empty: none but the named ones
	VariantIDs []uuid.UUID // at most 50
}

// sellableMost bounds the number of variants found by a query.
const sellableMost = 20

// Sellable finds variants for sale at a location, those with that SKU or barcode first. It needs payment.take there. It
// returns a validation error.
func (s *Service) Sellable(ctx context.Context, sc tenancy.Scope, in SellableInput) ([]Sellable, error) {
	if err := policy.RequireAt(sc, policy.PaymentTake, in.LocationID); err != nil {
		return nil, err
	}
	in.Query = strings.TrimSpace(in.Query)
	var c fault.Checks
	checkLine(&c, "q", in.Query, NameMax)
	c.That(len(in.VariantIDs) <= 50, "line", "Pass at most 50.")
	if err := c.Err(); err != nil || in.Query == "" && len(in.VariantIDs) == 0 {
		return nil, err
	}
	return sellable(ctx, s.db.View(sc.Tenant), in)
}
