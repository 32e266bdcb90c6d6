package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/ent"
	"foyer/ent/predicate"
	enttaxrate "foyer/ent/taxrate"
)

func rateFrom(row *ent.TaxRate) TaxRate {
	return TaxRate{
		ID: row.ID, Name: row.Name, PPM: row.Ppm, ArchivedAt: utc(row.ArchivedAt), Version: row.Version,
		CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(),
	}
}

func oneRate(ctx context.Context, q *ent.TaxRateQuery) (TaxRate, error) {
	row, err := q.Only(ctx)
	if err != nil {
		return TaxRate{}, missing(err)
	}
	return rateFrom(row), nil
}

func lockRate(ctx context.Context, tx *pg.Tx, id uuid.UUID) (TaxRate, error) {
	return oneRate(ctx, tx.Ent().TaxRate.Query().Where(enttaxrate.ID(id)).ForUpdate())
}

func shareRate(ctx context.Context, tx *pg.Tx, id uuid.UUID) (TaxRate, error) {
	return oneRate(ctx, tx.Ent().TaxRate.Query().Where(enttaxrate.ID(id)).ForShare())
}

func listRates(ctx context.Context, r pg.Reader, after *uuid.UUID, most int) ([]TaxRate, error) {
	where := []predicate.TaxRate{enttaxrate.BusinessID(r.Business()), enttaxrate.ArchivedAtIsNil()}
	if after != nil {
		where = append(where, enttaxrate.IDGT(*after))
	}
	rows, err := r.Ent().TaxRate.Query().Where(where...).Order(enttaxrate.ByID()).Limit(most).All(ctx)
	list := make([]TaxRate, len(rows))
	for i, row := range rows {
		list[i] = rateFrom(row)
	}
	return list, err
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
