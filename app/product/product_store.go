package product

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/ent"
	entproduct "foyer/ent/product"
)

const selectProducts = `select p.id, p.name, p.description, p.state, p.currency, p.tax_rate_id, p.revenue_category_id,
		p.version, p.created_at, p.updated_at, ` + optionsSQL + ` as options,
		(select count(*) from product_variants v
			where v.business_id = $1 and v.product_id = p.id and v.archived_at is null)::int as variants
	from products p where p.business_id = $1`

// optionsSQL selects the options of a product p of the business $1.
const optionsSQL = `coalesce((
		select jsonb_agg(jsonb_build_object('name', o.name, 'choices', o.choices) order by o.position)
		from product_options o where o.business_id = $1 and o.product_id = p.id), '[]')`

func find(ctx context.Context, r pg.Reader, id uuid.UUID) (Product, error) {
	return pg.Found(pg.One[Product](ctx, r, selectProducts+` and p.id = $2`, r.Business(), id))
}

// lock reads a product under its lock, which every change of it and of its variants takes first.
func lock(ctx context.Context, tx *pg.Tx, id uuid.UUID) (p Product, err error) {
	var found bool
	b := tx.Batch()
	pg.QueueExec(b, `select from products where business_id = $1 and id = $2 for no key update`, tx.Business(), id)
	pg.QueueOne(b, &p, &found, selectProducts+` and p.id = $2`, tx.Business(), id)
	if err = b.Send(ctx); err == nil && !found {
		err = pg.ErrNoRow
	}
	return pg.Found(p, err)
}

func list(ctx context.Context, v *pg.View, in ListInput) ([]Product, error) {
	s := pg.NewShape(selectProducts, v.Business())
	if in.State == "" {
		s.And(`p.state <> 'archived'`)
	} else {
		s.And(`p.state = ?`, in.State)
	}
	if q := strings.TrimSpace(in.Query); q != "" {
		s.And(`(p.name ilike ? or exists (select from product_variants v
			where v.business_id = $1 and v.product_id = p.id and v.archived_at is null
				and (lower(v.sku) = lower(?) or `+gtinSQL+` = ?)))`, likeOf(q), q, gtin(q))
	}
	key := in.From()
	s.And(`(lower(p.name), p.id) > (lower(?), ?)`, key.Name, key.ID)
	s.Add(` order by lower(p.name), p.id limit ?`, in.Size()+1)
	return pg.All[Product](ctx, v.Kept(), s.SQL(), s.Args()...)
}

// likeOf returns the pattern of texts that contain a text.
func likeOf(q string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(q) + "%"
}

// gtinSQL is the barcode of a variant v as it is compared, and gtin one that is looked for: a scanner reads the twelve
// digits of a UPC-A also as the thirteen of an EAN-13 that begins with 0.
const gtinSQL = `(case when v.barcode_kind = 'upc_a' then '0' || v.barcode else v.barcode end)`

func gtin(code string) string {
	if kind, ok := barcodeKind(code); ok && kind == UPCA {
		return "0" + code
	}
	return code
}

// insert writes a new product with its options.
func insert(ctx context.Context, tx *pg.Tx, p Product) error {
	err := tx.Ent().Product.Create().SetID(p.ID).SetBusinessID(tx.Business()).SetName(p.Name).
		SetDescription(p.Description).SetState(string(p.State)).
		SetCurrency(string(p.Currency)).SetNillableTaxRateID(p.TaxRateID).
		SetNillableRevenueCategoryID(p.RevenueCategoryID).SetVersion(p.Version).
		SetCreatedAt(p.CreatedAt).SetUpdatedAt(p.UpdatedAt).Exec(ctx)
	if err != nil || len(p.Options) == 0 {
		return err
	}
	return saveOptions(ctx, tx, p)
}

// save writes a changed product as its next version, without its options. The row is locked.
func save(ctx context.Context, tx *pg.Tx, p *Product) error {
	p.Version, p.UpdatedAt = p.Version+1, tx.Now()
	u := tx.Ent().Product.Update().Where(entproduct.BusinessID(tx.Business()), entproduct.ID(p.ID)).
		SetName(p.Name).SetDescription(p.Description).SetState(string(p.State)).
		SetVersion(p.Version).SetUpdatedAt(p.UpdatedAt)
	setOrClear(p.TaxRateID, u.SetTaxRateID, u.ClearTaxRateID)
	setOrClear(p.RevenueCategoryID, u.SetRevenueCategoryID, u.ClearRevenueCategoryID)
	return u.Exec(ctx)
}

// setOrClear sets a column that can be null.
func setOrClear[U *ent.ProductUpdate | *ent.ProductVariantUpdate, T any](v *T, set func(T) U, remove func() U) {
	if v == nil {
		remove()
		return
	}
	set(*v)
}

// saveOptions replaces the options of a product.
func saveOptions(ctx context.Context, tx *pg.Tx, p Product) error {
	b := tx.Batch()
	pg.QueueExec(b, `delete from product_options where business_id = $1 and product_id = $2 and position > $3`,
		tx.Business(), p.ID, len(p.Options))
	pg.QueueExec(b, `insert into product_options (id, business_id, product_id, position, name, choices, created_at)
		select x.id, $1, $2, x.position, x.option ->> 'name', x.option -> 'choices', $5
		from rows from (unnest($3::uuid[]), jsonb_array_elements($4::jsonb)) with ordinality as x (id, option, position)
		on conflict (business_id, product_id, position) do update set name = excluded.name, choices = excluded.choices`,
		tx.Business(), p.ID, pg.NewIDs(len(p.Options)), p.Options, tx.Now())
	return b.Send(ctx)
}

// used reports whether a tax rate and a revenue category are in use.
type used struct{ Rate, Category bool }

func inUse(ctx context.Context, tx *pg.Tx, rate, category *uuid.UUID) (used, error) {
	return pg.One[used](ctx, tx, `select
		exists (select from tax_rates where business_id = $1 and id = $2 and archived_at is null) as rate,
		exists (select from revenue_categories where business_id = $1 and id = $3 and archived_at is null) as category`,
		tx.Business(), rate, category)
}

// ReplaceTaxRateTx replaces a tax rate by its successor on every product: business.Ports.ReplaceTaxRateTx. It is an
// edit: versions go up.
func ReplaceTaxRateTx(ctx context.Context, tx *pg.Tx, old, successor uuid.UUID) error {
	return tx.Ent().Product.Update().Where(entproduct.BusinessID(tx.Business()), entproduct.TaxRateID(old)).
		SetTaxRateID(successor).AddVersion(1).SetUpdatedAt(tx.Now()).Exec(ctx)
}
