package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

const selectCategories = `select id, name, archived_at, version, created_at, updated_at
	from revenue_categories where business_id = $1 and `

func findCategory(ctx context.Context, r pg.Reader, id uuid.UUID) (RevenueCategory, error) {
	return pg.Found(pg.One[RevenueCategory](ctx, r, selectCategories+"id = $2", r.Business(), id))
}

// lockCategory reads a revenue category and locks its row until the transaction ends.
func lockCategory(ctx context.Context, tx *pg.Tx, id uuid.UUID) (RevenueCategory, error) {
	return pg.Found(pg.One[RevenueCategory](ctx, tx, selectCategories+"id = $2 for no key update", tx.Business(), id))
}

func listCategories(ctx context.Context, r pg.Reader, in RevenueCategoriesInput) ([]RevenueCategory, error) {
	return pg.All[RevenueCategory](ctx, r, selectCategories+`(archived_at is not null) = $2 and id > $3
		order by id limit $4`, r.Business(), in.Archived, in.From(), in.Size()+1)
}

var categoryConstraints = map[string]error{"revenue_categories_name_key": ErrCategoryName}

func insertCategory(ctx context.Context, tx *pg.Tx, c RevenueCategory) error {
	_, err := tx.Exec(ctx, `insert into revenue_categories (id, business_id, name, version, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6)`, c.ID, tx.Business(), c.Name, c.Version, c.CreatedAt, c.UpdatedAt)
	return pg.Map(err, categoryConstraints)
}

// saveCategory writes a changed revenue category as its next version. The row is locked by lockCategory.
func saveCategory(ctx context.Context, tx *pg.Tx, c RevenueCategory) (RevenueCategory, error) {
	c.Version, c.UpdatedAt = c.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update revenue_categories set name = $3, archived_at = $4, version = $5, updated_at = $6
		where business_id = $1 and id = $2`, tx.Business(), c.ID, c.Name, c.ArchivedAt, c.Version, c.UpdatedAt)
	return c, pg.Map(err, categoryConstraints)
}
