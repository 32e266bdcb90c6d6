package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/ent"
	enttaxrate "foyer/ent/taxrate"
)

func rateFrom(row *ent.TaxRate) TaxRate {
	return TaxRate{
		ID: row.ID, Name: row.Name, PPM: row.Ppm, ArchivedAt: row.ArchivedAt, Version: row.Version,
		CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
}

func oneRate(ctx context.Context, q *ent.TaxRateQuery) (TaxRate, error) {
	row, err := pg.Found(q.Only(ctx))
	if err != nil {
		return TaxRate{}, err
	}
	return rateFrom(row), nil
}

func lockRate(ctx context.Context, tx *pg.Tx, id uuid.UUID) (TaxRate, error) {
	return oneRate(ctx, tx.Ent().TaxRate.Query().Where(enttaxrate.ID(id)).ForUpdate())
}

func shareRate(ctx context.Context, tx *pg.Tx, id uuid.UUID) (TaxRate, error) {
	return oneRate(ctx, tx.Ent().TaxRate.Query().Where(enttaxrate.ID(id)).ForShare())
}

func listRates(ctx context.Context, r pg.Reader, in paging.In[uuid.UUID]) ([]TaxRate, error) {
	rows, err := r.Ent().TaxRate.Query().
		Where(enttaxrate.BusinessID(r.Business()), enttaxrate.ArchivedAtIsNil(), enttaxrate.IDGT(in.From())).
		Order(enttaxrate.ByID()).Limit(in.Size() + 1).All(ctx)
	return each(rows, rateFrom), err
}

func insertRate(ctx context.Context, tx *pg.Tx, r TaxRate) error {
	return tx.Ent().TaxRate.Create().SetID(r.ID).SetBusinessID(tx.Business()).SetName(r.Name).SetPpm(r.PPM).
		SetVersion(r.Version).SetCreatedAt(r.CreatedAt).SetUpdatedAt(r.UpdatedAt).Exec(ctx)
}

// saveRate writes what may change of a rate: its name, and that it is archived.
func saveRate(ctx context.Context, tx *pg.Tx, r TaxRate) (TaxRate, error) {
	r.Version, r.UpdatedAt = r.Version+1, tx.Now()
	return r, tx.Ent().TaxRate.Update().Where(enttaxrate.ID(r.ID)).SetName(r.Name).
		SetNillableArchivedAt(r.ArchivedAt).SetVersion(r.Version).SetUpdatedAt(r.UpdatedAt).Exec(ctx)
}
