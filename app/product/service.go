package product

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Service manages products and their stock, and sells them: order.Seller. It is safe for concurrent use.
type Service struct{ db *pg.DB }

// New returns a Service.
func New(db *pg.DB) *Service { return &Service{db} }

// ListInput selects products in the order of their names.
type ListInput struct {
	paging.In[Key]
	State State  // empty: those that are not archived
	Query string // a part of the name, or a whole sku or barcode, in any letter case
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Check(&c)
	c.That(in.State == "" || in.State.Valid(), "state", "Use draft, published or archived.")
	checkLine(&c, "q", in.Query, NameMax)
	return c.Err()
}

// List lists products of the business. It needs location.view. Walking the pages yields every product once, also
// while others are made. A92.
func (s *Service) List(
	ctx context.Context, sc tenancy.Scope, in ListInput,
) (page paging.Page[Product, Key], err error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := list(ctx, s.db.View(sc.Tenant), in)
	return paging.Of(rows, in.Size(), func(p Product) Key { return Key{p.Name, p.ID} }), err
}

// Get returns one product in any state. It needs location.view. It returns a not found error.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Product, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Product{}, err
	}
	return find(ctx, s.db.View(sc.Tenant), id)
}

// CreateInput is a new product, as Product has it.
type CreateInput struct {
	Name, Description            string
	Currency                     money.Currency // empty: the business's
	TaxRateID, RevenueCategoryID *uuid.UUID
	Options                      []Option
}

// Create makes a draft without variants. It needs catalog.manage in the whole business, as locations share products.
// It returns a validation error, also on taxRateId and revenueCategoryId if they are not in use.
func (s *Service) Create(ctx context.Context, sc tenancy.Scope, in CreateInput) (Product, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return Product{}, err
	}
	p := Product{
		ID: pg.NewID(), Name: in.Name, Description: in.Description, State: Draft, Currency: in.Currency,
		TaxRateID: in.TaxRateID, RevenueCategoryID: in.RevenueCategoryID, Options: slices.Clone(in.Options), Version: 1,
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Product, error) {
		if p.Currency == "" {
			house, err := business.BusinessOf(ctx, tx)
			if err != nil {
				return Product{}, err
			}
			p.Currency = house.Currency
		}
		var c fault.Checks
		p.check(&c)
		if err := c.Err(); err != nil {
			return Product{}, err
		}
		if err := chosen(ctx, tx, p.TaxRateID, p.RevenueCategoryID); err != nil {
			return Product{}, err
		}
		p.CreatedAt, p.UpdatedAt = tx.Now(), tx.Now()
		return p, insert(ctx, tx, p)
	})
}

// UpdateInput changes a product; nil leaves a field unchanged.
type UpdateInput struct {
	ID                uuid.UUID
	Version           int64 // of the product that was read
	Name, Description *string
	State             *State                 // Draft or Published; of an archived product it restores it
	TaxRateID         patch.Field[uuid.UUID] // none: untaxed
	// RevenueCategoryID of later sales; none: that of products. Earlier sales keep theirs.
	RevenueCategoryID patch.Field[uuid.UUID]
	// Options replace all of them. They are told apart by their order: in an added option, the variants have its first
	// choice; with a removed one they lose theirs.
	Options *[]Option
}

// Update changes a product for carts that do not hold it. It needs catalog.manage in the whole business. It returns:
//
//   - a not found error
//   - fault.ErrStale
//   - ErrArchived, unless a state restores the product
//   - a validation error, also on options if they do not cover every variant, or tell two of them no longer apart
//   - ErrIncomplete
func (s *Service) Update(ctx context.Context, sc tenancy.Scope, in UpdateInput) (Product, error) {
	return s.change(ctx, sc, in.ID, func(tx *pg.Tx, p *Product) (bool, error) {
		if err := fault.Stale(in.Version, p.Version); err != nil {
			return false, err
		}
		if p.State == Archived && in.State == nil {
			return false, ErrArchived
		}
		return true, in.apply(ctx, tx, p)
	})
}

// apply changes a locked product and, with its options, its variants.
func (in UpdateInput) apply(ctx context.Context, tx *pg.Tx, p *Product) error {
	var rate, category *uuid.UUID // newly chosen: one that went out of use stays until another is chosen
	if in.TaxRateID.Value != nil && (p.TaxRateID == nil || *p.TaxRateID != *in.TaxRateID.Value) {
		rate = in.TaxRateID.Value
	}
	if v := in.RevenueCategoryID.Value; v != nil && (p.RevenueCategoryID == nil || *p.RevenueCategoryID != *v) {
		category = v
	}
	patch.Set(&p.Name, in.Name)
	patch.Set(&p.Description, in.Description)
	patch.Set(&p.State, in.State)
	patch.Set(&p.Options, in.Options)
	in.TaxRateID.To(&p.TaxRateID)
	in.RevenueCategoryID.To(&p.RevenueCategoryID)
	var c fault.Checks
	p.check(&c)
	c.That(in.State == nil || p.State == Draft || p.State == Published, "state", "Use draft or published.")
	if err := c.Err(); err != nil {
		return err
	}
	if err := p.incomplete(); err != nil {
		return err
	}
	if err := chosen(ctx, tx, rate, category); err != nil || in.Options == nil {
		return err
	}
	return refitVariants(ctx, tx, *p)
}

// refitVariants gives the variants of a locked product a choice of each of its new options.
func refitVariants(ctx context.Context, tx *pg.Tx, p Product) error {
	variants, err := activeVariants(ctx, tx, p.ID)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for i, v := range variants {
		v.Choices = refit(p.Options, v.Choices)
		key := label("", v.Choices)
		switch {
		case !covers(p.Options, v.Choices):
			return fault.Invalid("options", "A variant has a choice that is missing here. Change or archive it first.")
		case seen[key]:
			return fault.Invalid("options", "Two variants would have the same choices. Archive one of them first.")
		}
		seen[key], variants[i] = true, v
	}
	if err := saveOptions(ctx, tx, p); err != nil {
		return err
	}
	return saveChoices(ctx, tx, variants)
}

// Archive takes a product out of sale; what carts hold of it can still be paid. Its variants keep their SKUs and
// barcodes. It needs catalog.manage in the whole business. A second call changes nothing. It returns a not found
// error.
func (s *Service) Archive(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Product, error) {
	return s.change(ctx, sc, id, func(_ *pg.Tx, p *Product) (bool, error) {
		changed := p.State != Archived
		p.State = Archived
		return changed, nil
	})
}

// change saves edit's changes of a locked product; edit reports whether there is anything to save.
func (s *Service) change(
	ctx context.Context, sc tenancy.Scope, id uuid.UUID, edit func(*pg.Tx, *Product) (bool, error),
) (Product, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return Product{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Product, error) {
		p, err := lock(ctx, tx, id)
		if err != nil {
			return Product{}, err
		}
		changed, err := edit(tx, &p)
		if err != nil || !changed {
			return p, err
		}
		return p, save(ctx, tx, &p)
	})
}

// chosen refuses a tax rate or a revenue category that is not in use; nil is none.
func chosen(ctx context.Context, tx *pg.Tx, rate, category *uuid.UUID) error {
	if rate == nil && category == nil {
		return nil
	}
	used, err := inUse(ctx, tx, rate, category)
	if err != nil {
		return err
	}
	var c fault.Checks
	c.That(rate == nil || used.Rate, "taxRateId", "There is no such tax rate.")
	c.That(category == nil || used.Category, "revenueCategoryId", "There is no such revenue category.")
	return c.Err()
}
