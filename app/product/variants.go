package product

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// VariantsInput selects variants of a product in the order of their creation.
type VariantsInput struct {
	paging.In[uuid.UUID]
	ProductID uuid.UUID
	Archived  bool // archived ones instead of active ones
}

// Variants lists variants with their stock at the caller's locations. It needs location.view, and report.finance in
// the whole business to see what they cost. It returns a validation error, and a not found error.
func (s *Service) Variants(
	ctx context.Context, sc tenancy.Scope, in VariantsInput,
) (page paging.Page[Variant, uuid.UUID], err error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err == nil {
		err = in.Validate()
	}
	if err != nil {
		return page, err
	}
	rows, found, err := listVariants(ctx, s.db.View(sc.Tenant), in, cover)
	if err := fault.When(!found, fault.Missing(), err); err != nil {
		return page, err
	}
	for i := range rows {
		hideCost(sc, &rows[i])
	}
	return paging.Of(rows, in.Size(), func(v Variant) uuid.UUID { return v.ID }), nil
}

// Variant returns a variant of a product, archived or not, as Variants does. It returns a not found error.
func (s *Service) Variant(ctx context.Context, sc tenancy.Scope, product, id uuid.UUID) (Variant, error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err != nil {
		return Variant{}, err
	}
	v, err := findVariant(ctx, s.db.View(sc.Tenant), product, id, cover)
	hideCost(sc, &v)
	return v, err
}

// hideCost removes the cost of a variant unless the caller may see it.
func hideCost(sc tenancy.Scope, v *Variant) {
	if policy.Require(sc, policy.ReportFinance) != nil {
		v.CostAmount = nil
	}
}

// CreateVariantInput is a new variant, as Variant has it.
type CreateVariantInput struct {
	ProductID    uuid.UUID
	Choices      []string
	SKU, Barcode string
	PriceAmount  int64
	CostAmount   *int64
	Track        bool
	BelowZero    bool
}

// CreateVariant adds a variant to a product; if that is published, it is for sale at once. It needs catalog.manage in
// the whole business, and with a cost report.finance there. It returns:
//
//   - a not found error
//   - ErrArchived
//   - a validation error, also on choices if they are not one of each option of the product
//   - ErrVariantExists, ErrSKUInUse, ErrBarcodeInUse
//   - ErrTooManyVariants
func (s *Service) CreateVariant(ctx context.Context, sc tenancy.Scope, in CreateVariantInput) (Variant, error) {
	v := Variant{
		ID: pg.NewID(), ProductID: in.ProductID, Choices: in.Choices, SKU: in.SKU, Barcode: in.Barcode,
		PriceAmount: in.PriceAmount, CostAmount: in.CostAmount, BelowZero: in.BelowZero, Version: 1, Levels: []Level{},
	}
	return s.editVariant(ctx, sc, in.ProductID, in.CostAmount != nil, func(tx *pg.Tx, p Product) (Variant, error) {
		if p.State == Archived {
			return v, ErrArchived
		}
		if err := v.fits(p); err != nil {
			return v, err
		}
		if p.Variants >= VariantsMax {
			return v, ErrTooManyVariants
		}
		v.CreatedAt, v.UpdatedAt = tx.Now(), tx.Now()
		if in.Track {
			v.TrackedAt = &v.CreatedAt
		}
		return v, insertVariant(ctx, tx, v)
	})
}

// editVariant changes a variant of a locked product. costs reports whether its cost is set.
func (s *Service) editVariant(
	ctx context.Context, sc tenancy.Scope, product uuid.UUID, costs bool, edit func(*pg.Tx, Product) (Variant, error),
) (Variant, error) {
	err := policy.Require(sc, policy.CatalogManage)
	if err == nil && costs {
		err = policy.Require(sc, policy.ReportFinance)
	}
	if err != nil {
		return Variant{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Variant, error) {
		p, err := lock(ctx, tx, product)
		if err != nil {
			return Variant{}, err
		}
		v, err := edit(tx, p)
		hideCost(sc, &v)
		return v, err
	})
}

// fits checks a variant, and that it has one choice of each option of its product.
func (v *Variant) fits(p Product) error {
	var c fault.Checks
	v.check(&c)
	c.That(covers(p.Options, v.Choices), "choices", "Select one choice of each option of the product.")
	return c.Err()
}

// UpdateVariantInput changes a variant; nil leaves a field unchanged.
type UpdateVariantInput struct {
	ProductID, ID uuid.UUID
	Version       int64 // of the variant that was read
	Choices       *[]string
	SKU, Barcode  *string // empty: none
	PriceAmount   *int64
	CostAmount    patch.Field[int64]
	Track         *bool // stock that is tracked again begins with the levels of before: count it
	BelowZero     *bool
	Archived      *bool // false restores it
}

// UpdateVariant changes a variant for carts that do not hold it: those keep its price, and can be paid even when it is
// archived. It needs catalog.manage in the whole business, and for the cost report.finance there. It returns:
//
//   - a not found error
//   - fault.ErrStale
//   - ErrArchived; ErrVariantArchived, unless it is restored
//   - a validation error, also on choices if they are not one of each option of the product
//   - ErrVariantExists, ErrSKUInUse, ErrBarcodeInUse
//   - ErrTooManyVariants for one that is restored
//   - ErrShort if it may no longer be sold below zero, and is
func (s *Service) UpdateVariant(ctx context.Context, sc tenancy.Scope, in UpdateVariantInput) (Variant, error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err != nil {
		return Variant{}, err
	}
	return s.editVariant(ctx, sc, in.ProductID, in.CostAmount.Set, func(tx *pg.Tx, p Product) (Variant, error) {
		was, err := lockVariant(ctx, tx, in.ProductID, in.ID, cover)
		if err != nil {
			return Variant{}, err
		}
		if err := fault.Stale(in.Version, was.Version); err != nil {
			return Variant{}, err
		}
		restored := was.ArchivedAt != nil && in.Archived != nil && !*in.Archived
		switch {
		case p.State == Archived:
			return Variant{}, ErrArchived
		case was.ArchivedAt != nil && !restored:
			return Variant{}, ErrVariantArchived
		case restored && p.Variants >= VariantsMax:
			return Variant{}, ErrTooManyVariants
		}
		v := in.applied(was, tx)
		if v.ArchivedAt == nil {
			err = v.fits(p)
		}
		if err == nil {
			err = saveVariant(ctx, tx, &v)
		}
		if err == nil && v.BelowZero != was.BelowZero {
			err = setBelowZero(ctx, tx, v)
		}
		return v, err
	})
}

// applied returns the variant as it would be.
func (in UpdateVariantInput) applied(v Variant, tx *pg.Tx) Variant {
	now := tx.Now()
	patch.Set(&v.Choices, in.Choices)
	v.Choices = slices.Clone(v.Choices)
	patch.Set(&v.SKU, in.SKU)
	patch.Set(&v.Barcode, in.Barcode)
	patch.Set(&v.PriceAmount, in.PriceAmount)
	in.CostAmount.To(&v.CostAmount)
	patch.Set(&v.BelowZero, in.BelowZero)
	if in.Track != nil && *in.Track != (v.TrackedAt != nil) {
		v.TrackedAt = nil
		if *in.Track {
			v.TrackedAt = &now
		}
	}
	if in.Archived != nil && *in.Archived != (v.ArchivedAt != nil) {
		v.ArchivedAt = nil
		if *in.Archived {
			v.ArchivedAt = &now
		}
	}
	return v
}
