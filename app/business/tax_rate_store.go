package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
	enttaxrate "foyer/ent/taxrate"
)

const selectRates = `select id, name, ppm, archived_at, version, created_at, updated_at from tax_rates where business_id = $1 and `

func lockRate(ctx context.Context, tx *pg.Tx, id uuid.UUID) (TaxRate, error) {
	return pg.Found(pg.One[TaxRate](ctx, tx, selectRates+"id = $2 for update", tx.Business(), id))
}

func shareRate(ctx context.Context, tx *pg.Tx, id uuid.UUID) (TaxRate, error) {
	return pg.Found(pg.One[TaxRate](ctx, tx, selectRates+"id = $2 for share", tx.Business(), id))
}

func listRates(ctx context.Context, r pg.Reader, in paging.In[uuid.UUID]) ([]TaxRate, error) {
	return pg.All[TaxRate](ctx, r, selectRates+"archived_at is null and id > $2 order by id limit $3",
		r.Business(), in.From(), in.Size()+1)
}

func insertRate(ctx context.Context, tx *pg.Tx, r TaxRate) error {
	return tx.Ent().TaxRate.Create().SetID(r.ID).SetBusinessID(tx.Business()).SetName(r.Name).SetPpm(r.PPM).
		SetVersion(r.Version).SetCreatedAt(r.CreatedAt).SetUpdatedAt(r.UpdatedAt).Exec(ctx)
}

// saveRate writes the columns of a rate that may change: its name and archived_at.
func saveRate(ctx context.Context, tx *pg.Tx, r TaxRate) (TaxRate, error) {
	r.Version, r.UpdatedAt = r.Version+1, tx.Now()
	return r, tx.Ent().TaxRate.Update().Where(enttaxrate.ID(r.ID)).SetName(r.Name).
		SetNillableArchivedAt(r.ArchivedAt).SetVersion(r.Version).SetUpdatedAt(r.UpdatedAt).Exec(ctx)
}
