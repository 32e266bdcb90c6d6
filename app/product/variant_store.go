package product

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/ent/productvariant"
	"foyer/policy"
)

// variantColumns are those of a variant v of the business @business, with its levels at the locations of a cover.
const variantColumns = `v.id, v.product_id, v.choices, v.sku, v.barcode, v.barcode_kind, v.price_amount, v.cost_amount,
	v.tracked_at, v.below_zero, v.archived_at, v.version, v.created_at, v.updated_at,
	coalesce((select jsonb_agg(jsonb_build_object('location_id', s.location_id, 'on_hand', s.on_hand, 'held', s.held,
			'last_number', s.moves) order by l.name, l.id)
		from stock_levels s join locations l on l.business_id = @business and l.id = s.location_id
		where s.business_id = @business and s.variant_id = v.id and (@everywhere or l.id = any(@locations::uuid[]))
	), '[]') as levels`

// seen are the arguments of variantColumns.
func seen(r pg.Reader, c policy.Cover, more pg.Named) pg.Named {
	more["business"], more["everywhere"], more["locations"] = r.Business(), c.Everywhere, c.Locations
	return more
}

// listVariants reads a part of a product's variants; found reports whether the business has the product.
func listVariants(
	ctx context.Context, v *pg.View, in VariantsInput, c policy.Cover,
) (rows []Variant, found bool, err error) {
	var one int
	b := v.Batch()
	pg.QueueOne(b, &one, &found, `select 1 from products where business_id = $1 and id = $2`, v.Business(), in.ProductID)
	pg.QueueAll(b, &rows, `select `+variantColumns+` from product_variants v
		where v.business_id = @business and v.product_id = @product and (v.archived_at is not null) = @archived
			and v.id > @after order by v.id limit @limit`,
		seen(v, c, pg.Named{"product": in.ProductID, "archived": in.Archived, "after": in.From(), "limit": in.Size() + 1}))
	return rows, found, b.Send(ctx)
}

const selectVariant = `select ` + variantColumns + ` from product_variants v
	where v.business_id = @business and v.product_id = @product and v.id = @id`

func findVariant(ctx context.Context, r pg.Reader, product, id uuid.UUID, c policy.Cover) (Variant, error) {
	return pg.Found(pg.One[Variant](ctx, r, selectVariant, seen(r, c, pg.Named{"product": product, "id": id})))
}

// lockVariant is findVariant under the lock of the variant. The caller has locked its product.
func lockVariant(ctx context.Context, tx *pg.Tx, product, id uuid.UUID, c policy.Cover) (Variant, error) {
	return pg.Found(pg.One[Variant](ctx, tx, selectVariant+` for no key update of v`,
		seen(tx, c, pg.Named{"product": product, "id": id})))
}

// activeVariants reads the ids and choices of the variants of a locked product that are not archived.
func activeVariants(ctx context.Context, tx *pg.Tx, product uuid.UUID) ([]Variant, error) {
	return pg.All[Variant](ctx, tx, `select id, choices from product_variants
		where business_id = $1 and product_id = $2 and archived_at is null order by id`, tx.Business(), product)
}

// chosenNow are the choices of a variant, for saveChoices.
type chosenNow struct {
	ID      uuid.UUID `json:"id"`
	Choices []string  `json:"choices"`
}

// saveChoices writes the choices of variants that have changed.
func saveChoices(ctx context.Context, tx *pg.Tx, variants []Variant) error {
	now := make([]chosenNow, len(variants))
	for i, v := range variants {
		now[i] = chosenNow{v.ID, v.Choices}
	}
	_, err := tx.Exec(ctx, `update product_variants v set choices = x.choices, version = v.version + 1, updated_at = $3
		from jsonb_to_recordset($2::jsonb) as x (id uuid, choices jsonb)
		where v.business_id = $1 and v.id = x.id and v.choices <> x.choices`, tx.Business(), now, tx.Now())
	return err
}

var variantConstraints = map[string]error{
	"product_variants_choices_key": ErrVariantExists, "product_variants_sku_key": ErrSKUInUse,
	"product_variants_barcode_key": ErrBarcodeInUse,
}

func insertVariant(ctx context.Context, tx *pg.Tx, v Variant) error {
	err := tx.Ent().ProductVariant.Create().SetID(v.ID).SetBusinessID(tx.Business()).SetProductID(v.ProductID).
		SetChoices(v.Choices).SetNillableSku(pg.OrNull(v.SKU)).SetNillableBarcode(pg.OrNull(v.Barcode)).
		SetNillableBarcodeKind(pg.OrNull(string(v.BarcodeKind))).SetPriceAmount(v.PriceAmount).
		SetNillableCostAmount(v.CostAmount).SetNillableTrackedAt(v.TrackedAt).SetBelowZero(v.BelowZero).
		SetVersion(v.Version).SetCreatedAt(v.CreatedAt).SetUpdatedAt(v.UpdatedAt).Exec(ctx)
	return pg.Map(err, variantConstraints)
}

// saveVariant writes a changed variant as its next version. The row is locked.
func saveVariant(ctx context.Context, tx *pg.Tx, v *Variant) error {
	v.Version, v.UpdatedAt = v.Version+1, tx.Now()
	u := tx.Ent().ProductVariant.Update().Where(productvariant.BusinessID(tx.Business()), productvariant.ID(v.ID)).
		SetChoices(v.Choices).SetPriceAmount(v.PriceAmount).SetBelowZero(v.BelowZero).
		SetVersion(v.Version).SetUpdatedAt(v.UpdatedAt)
	setOrClear(pg.OrNull(v.SKU), u.SetSku, u.ClearSku)
	setOrClear(pg.OrNull(v.Barcode), u.SetBarcode, u.ClearBarcode)
	setOrClear(pg.OrNull(string(v.BarcodeKind)), u.SetBarcodeKind, u.ClearBarcodeKind)
	setOrClear(v.CostAmount, u.SetCostAmount, u.ClearCostAmount)
	setOrClear(v.TrackedAt, u.SetTrackedAt, u.ClearTrackedAt)
	setOrClear(v.ArchivedAt, u.SetArchivedAt, u.ClearArchivedAt)
	return pg.Map(u.Exec(ctx), variantConstraints)
}
