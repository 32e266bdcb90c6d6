package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CreateLocation adds a location. Zone and currency default to the business's. Errors: policy.ErrMissingFeature
// (business.manage), Validation, ErrSlugTaken, fault.Missing for an unknown tax rate.
func (s *Service) CreateLocation(ctx context.Context, sc tenancy.Scope, in LocationInput) (Location, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Location{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Location, error) {
		b, err := BusinessOf(ctx, tx)
		if err != nil {
			return Location{}, err
		}
		in.Zone, in.Currency = firstOf(in.Zone, b.Zone), firstOf(in.Currency, b.Currency)
		var c fault.Checks
		in.check(&c, "")
		if err := c.Err(); err != nil {
			return Location{}, err
		}
		return openLocation(ctx, tx, in)
	})
}

// openLocation writes a checked location and gives it its address.
func openLocation(ctx context.Context, tx *pg.Tx, in LocationInput) (Location, error) {
	if err := rateInUse(ctx, tx, in.TaxRateID); err != nil {
		return Location{}, err
	}
	l := Location{
		ID: pg.NewID(), Name: in.Name, Zone: in.Zone, Currency: in.Currency, TaxMode: in.TaxMode, TaxRateID: in.TaxRateID,
		Address: in.Address, Website: in.Website, OtherSites: in.OtherSites, Look: defaultLook, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if err := insertLocation(ctx, tx, l); err != nil {
		return Location{}, err
	}
	var err error
	l.Slug, err = takeSlug(ctx, tx, &l.ID, in.Slug, in.Name, in.Address.City)
	return l, err
}

// rateInUse refuses a tax rate that is unknown or archived. The rate stays shared: it is not replaced meanwhile.
func rateInUse(ctx context.Context, tx *pg.Tx, id *uuid.UUID) error {
	if id == nil {
		return nil
	}
	rate, err := shareRate(ctx, tx, *id)
	if err == nil && rate.ArchivedAt != nil {
		err = fault.Missing()
	}
	return err
}
