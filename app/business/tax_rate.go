package business

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// TaxRate is a rate of sales tax. Its figure never changes: old orders and the ledger refer to it.
type TaxRate struct {
	ID         uuid.UUID
	Name       string // as receipts print it
	PPM        int    // parts per million: 8.25 % is 82500
	ArchivedAt *time.Time
	Version    int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// TaxRateInput creates a tax rate.
type TaxRateInput struct {
	Name string
	PPM  int
}

// Validate trims and checks the input.
func (in *TaxRateInput) Validate() error {
	var c fault.Checks
	checkLine(&c, "name", &in.Name, MaxRateName)
	checkPPM(&c, in.PPM)
	return c.Err()
}

func checkPPM(c *fault.Checks, ppm int) {
	c.That(ppm >= 0 && ppm <= MaxTaxPPM, "ppm", fmt.Sprintf("Use 0 to %d parts per million.", MaxTaxPPM))
}

// CreateTaxRate adds a tax rate to the business. Errors: policy.ErrMissingFeature (business.manage), Validation.
func (s *Service) CreateTaxRate(ctx context.Context, sc tenancy.Scope, in TaxRateInput) (TaxRate, error) {
	return change(ctx, s, sc, policy.Require(sc, policy.BusinessManage), in.Validate, func(tx *pg.Tx) (TaxRate, error) {
		rate := newRate(tx, in.Name, in.PPM)
		return rate, insertRate(ctx, tx, rate)
	})
}

func newRate(tx *pg.Tx, name string, ppm int) TaxRate {
	return TaxRate{ID: pg.NewID(), Name: name, PPM: ppm, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
}

// TaxRates lists the tax rates in use. Errors: policy.ErrMissingFeature (location.view), Validation on limit.
func (s *Service) TaxRates(ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID]) (page paging.Page[TaxRate, uuid.UUID], err error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listRates(ctx, s.o.DB.View(sc.Tenant), in)
	return paging.Of(rows, in.Size(), func(r TaxRate) uuid.UUID { return r.ID }), err
}

// UpdateTaxRateInput changes a tax rate. A nil field is unchanged.
type UpdateTaxRateInput struct {
	TaxRateID uuid.UUID
	Version   int64 // of the rate that was read
	Name      *string
	PPM       *int
}

// Validate trims and checks what was given.
func (in *UpdateTaxRateInput) Validate() error {
	var c fault.Checks
	checkLine(&c, "name", in.Name, MaxRateName)
	if in.PPM != nil {
		checkPPM(&c, *in.PPM)
	}
	return c.Err()
}

// ErrRateArchived is returned for a change of a rate with a successor.
var ErrRateArchived = fault.New(fault.Conflict, "tax_rate_archived", "This tax rate has been replaced.")

// UpdateTaxRate renames a rate, or replaces it: a new figure is a new rate with a new id, the old one is archived,
// and locations and offerings change to the new one in the same transaction. It returns the current rate. Errors:
//
//   - fault.Missing
//   - policy.ErrMissingFeature (business.manage)
//   - Validation
//   - fault.ErrStale
//   - ErrRateArchived
func (s *Service) UpdateTaxRate(ctx context.Context, sc tenancy.Scope, in UpdateTaxRateInput) (TaxRate, error) {
	return change(ctx, s, sc, policy.Require(sc, policy.BusinessManage), in.Validate, func(tx *pg.Tx) (TaxRate, error) {
		rate, err := lockRate(ctx, tx, in.TaxRateID)
		if err != nil {
			return TaxRate{}, err
		}
		if rate.ArchivedAt != nil {
			return TaxRate{}, ErrRateArchived
		}
		if err := fault.Stale(in.Version, rate.Version); err != nil {
			return TaxRate{}, err
		}
		old := rate
		patch.Set(&rate.Name, in.Name)
		patch.Set(&rate.PPM, in.PPM)
		if rate.PPM != old.PPM {
			return s.replaceRate(ctx, tx, old, rate)
		}
		return saveRate(ctx, tx, rate)
	})
}

// replaceRate replaces old with a rate of another figure.
func (s *Service) replaceRate(ctx context.Context, tx *pg.Tx, old, changed TaxRate) (TaxRate, error) {
	now := tx.Now()
	old.ArchivedAt = &now
	if _, err := saveRate(ctx, tx, old); err != nil {
		return TaxRate{}, err
	}
	rate := newRate(tx, changed.Name, changed.PPM)
	if err := insertRate(ctx, tx, rate); err != nil {
		return TaxRate{}, err
	}
	if err := moveDefaultRate(ctx, tx, old.ID, rate.ID); err != nil {
		return TaxRate{}, err
	}
	return rate, s.o.ReplaceTaxRateTx(ctx, tx, old.ID, rate.ID)
}
