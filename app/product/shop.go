package product

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/media"
)

// Listing is the public view of a published product at a location.
type Listing struct {
	ID          uuid.UUID
	Name        string
	Description string // plain text
	Currency    money.Currency
	Options     []Option
	Variants    []ListedVariant // that the location sells, at least one
	Photos      []media.Photo   // the cover first
	catalog.Pricing
}

// ListedVariant is the public view of a variant.
type ListedVariant struct {
	ID          uuid.UUID `json:"id"`
	Choices     []string  `json:"choices"` // one of each option
	PriceAmount int64     `json:"price_amount"`
	Stock       *int      `json:"stock"` // that is available; nil: any quantity
}

// Available reports whether at least one can be bought.
func (v ListedVariant) Available() bool { return v.Stock == nil || *v.Stock > 0 }

// Left returns the number that is available, if it is a Few; nil otherwise.
func (v ListedVariant) Left() *int {
	if v.Stock == nil || *v.Stock > Few {
		return nil
	}
	left := max(0, *v.Stock)
	return &left
}

// ListedInput selects products of a location in the order of their names.
type ListedInput struct {
	paging.In[Key]
	LocationID uuid.UUID
	ProductID  uuid.UUID // uuid.Nil: all of them
}

// ListedProduct returns a published product of a location, as Listed does. One that the location does not sell is not
// found.
func (s *Service) ListedProduct(ctx context.Context, business, location, id uuid.UUID) (Listing, error) {
	page, err := s.Listed(ctx, business, ListedInput{LocationID: location, ProductID: id})
	if err == nil && len(page.Items) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return Listing{}, err
	}
	return page.Items[0], nil
}

// SoldAtIn reads whether a location sells any product, as part of the caller's batch.
func SoldAtIn(business, location uuid.UUID, yes *bool) func(*pg.Batch) {
	return func(b *pg.Batch) {
		var found bool
		pg.QueueOne(b, yes, &found, `select exists (`+listedSQL+`)`, business, location)
	}
}

// Listed returns the published products of a location with the variants that it sells, also those that are sold out,
// in one round trip. A location that is unknown or archived, and any of a closed business, is not found.
func (s *Service) Listed(
	ctx context.Context, business uuid.UUID, in ListedInput,
) (page paging.Page[Listing, Key], err error) {
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, found, err := listed(ctx, s.db.View(business), in)
	for i := range rows {
		rows[i].Deposit = catalog.DepositRules{} // goods have none
	}
	return paging.Of(rows, in.Size(), func(l Listing) Key { return Key{l.Name, l.ID} }),
		fault.When(!found, fault.Missing(), err)
}
