package media

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

const columns = `a.id, a.sha256, a.format, a.bytes, a.width, a.height, a.color, a.blur, a.title, a.alt, a.tags, a.sizes, a.made, a.state,
	a.archived_at, a.version, a.created_at, a.updated_at`

const used = `(select count(*) from asset_placements p where p.business_id = $1 and p.asset_id = a.id)::int`

const selectAssets = `select ` + columns + `, ` + used + ` as used from assets a where a.business_id = $1 `

func find(ctx context.Context, r pg.Reader, id uuid.UUID) (Asset, error) {
	return pg.Found(pg.One[Asset](ctx, r, selectAssets+`and a.id = $2`, r.Business(), id))
}

func findBytes(ctx context.Context, r pg.Reader, sum string) (Asset, bool, error) {
	return pg.Find[Asset](ctx, r, selectAssets+`and a.sha256 = $2`, r.Business(), sum)
}

// lock locks a photo's row until the transaction ends.
func lock(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Asset, error) {
	return pg.Found(pg.One[Asset](ctx, tx, selectAssets+`and a.id = $2 for update of a`, tx.Business(), id))
}

// keep reads a photo and prevents its deletion until the transaction ends.
func keep(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Asset, error) {
	return pg.Found(pg.One[Asset](ctx, tx, selectAssets+`and a.id = $2 for share of a`, tx.Business(), id))
}

// keepUsable returns those of ids that are photos in use, and keeps them so until the transaction ends.
func keepUsable(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from assets where business_id = $1 and id = any($2::uuid[]) and archived_at is null
		order by id for share`, tx.Business(), some(ids))
}

// some is ids as a list that is not null to SQL.
func some(ids []uuid.UUID) []uuid.UUID { return append([]uuid.UUID{}, ids...) }

// orders are the ORDER BY clauses of the sorts.
var orders = map[Sort]string{
	Recent: `a.created_at desc, a.id desc`,
	Used:   `used desc, a.created_at desc, a.id desc`,
	Name:   `lower(a.title), a.title, a.id`,
}

// listed is a photo of a list and the number of all.
type listed struct {
	Asset
	Total int
}

func list(ctx context.Context, r pg.Reader, in ListInput) ([]Asset, int, error) {
	where := `from assets a where a.business_id = $1 and (a.archived_at is not null) = $2
		and ($3 = '' or a.tags @> jsonb_build_array($3::text))
		and ($4 = '' or a.title ilike $4 or a.alt ilike $4 or exists (select from jsonb_array_elements_text(a.tags) t where t ilike $4))
		and (not $5 or not exists (select from asset_placements p where p.business_id = $1 and p.asset_id = a.id)) `
	rows, err := pg.All[listed](ctx, r, `select `+columns+`, `+used+` as used, count(*) over ()::int as total `+where+
		`order by `+orders[in.Sort]+` limit $6 offset $7`,
		r.Business(), in.Archived, in.Tag, containing(in.Query), in.Unused, in.Limit, in.Offset)
	if err != nil {
		return nil, 0, err
	}
	assets := make([]Asset, len(rows))
	for i, row := range rows {
		assets[i] = row.Asset
	}
	if len(rows) > 0 || in.Offset == 0 {
		total := 0
		if len(rows) > 0 {
			total = rows[0].Total
		}
		return assets, total, nil
	}
	total, err := pg.One[int](ctx, r, `select count(*)::int `+where, r.Business(), in.Archived, in.Tag, containing(in.Query), in.Unused)
	return assets, total, err
}

// containing is a pattern for text that contains text.
func containing(text string) string {
	if text == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}

func tags(ctx context.Context, r pg.Reader) ([]string, error) {
	return pg.All[string](ctx, r, `select distinct t from assets a, jsonb_array_elements_text(a.tags) t
		where a.business_id = $1 and a.archived_at is null order by t limit 200`, r.Business())
}

// insert adds a photo, unless its bytes are there already or the business has the maximum number of photos.
func insert(ctx context.Context, tx *pg.Tx, a Asset) (made bool, err error) {
	n, err := tx.Exec(ctx, `insert into assets (id, business_id, sha256, format, bytes, width, height, color, blur, title, alt, tags, sizes, state,
			version, created_at, updated_at)
		select @id, @business, @sha256, @format, @bytes, @width, @height, @color, @blur, @title, @alt, @tags, @sizes, @state, @version, @at, @at
		where (select count(*) from assets where business_id = @business) < @most
		on conflict (business_id, sha256) do nothing`, pg.Named{
		"id": a.ID, "business": tx.Business(), "sha256": a.SHA256, "format": a.Format, "bytes": a.Bytes, "width": a.Width, "height": a.Height,
		"color": a.Color, "blur": a.Blur, "title": a.Title, "alt": a.Alt, "tags": a.Tags, "sizes": a.Sizes, "state": a.State,
		"version": a.Version, "at": a.CreatedAt, "most": AssetsMax,
	})
	return n == 1, err
}

// save writes the editable columns of a photo. The row is locked.
func save(ctx context.Context, tx *pg.Tx, a *Asset) error {
	a.Version, a.UpdatedAt = a.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update assets set title = $3, alt = $4, tags = $5, archived_at = $6, version = $7, updated_at = $8
		where business_id = $1 and id = $2`, tx.Business(), a.ID, a.Title, a.Alt, a.Tags, a.ArchivedAt, a.Version, a.UpdatedAt)
	return err
}

func remove(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from assets where business_id = $1 and id = $2`, tx.Business(), id)
	return err
}

// progress records the number of sizes made, and reports whether the photo still exists and waits for them.
func progress(ctx context.Context, tx *pg.Tx, id uuid.UUID, made int, state State) (bool, error) {
	n, err := tx.Exec(ctx, `update assets set made = $3, state = $4, updated_at = $5 where business_id = $1 and id = $2 and state = 'processing'`,
		tx.Business(), id, made, state, tx.Now())
	return n == 1, err
}

// dueLeftover schedules the deletion of a photo's files for a time, unless that is dropped before.
func dueLeftover(ctx context.Context, tx *pg.Tx, id uuid.UUID, at time.Time) error {
	_, err := tx.Exec(ctx, `insert into asset_leftovers (id, business_id, due_at, created_at) values ($2, $1, $3, $4)
		on conflict (business_id, id) do update set due_at = excluded.due_at`, tx.Business(), id, at, tx.Now())
	return err
}

func dropLeftover(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from asset_leftovers where business_id = $1 and id = $2`, tx.Business(), id)
	return err
}

// due is a photo, or the leftover of one, that needs work.
type due struct{ BusinessID, ID uuid.UUID }

func dueAssets(ctx context.Context, db *pg.DB, before time.Time) ([]due, error) {
	return pg.All[due](ctx, db.View(uuid.Nil), `select business_id, id from app.due_assets($1, $2)`, before, dueAtOnce)
}

func dueLeftovers(ctx context.Context, db *pg.DB, at time.Time) ([]due, error) {
	return pg.All[due](ctx, db.View(uuid.Nil), `select business_id, id from app.due_leftovers($1, $2)`, at, dueAtOnce)
}

// again moves a photo without progress to the end of the waiting ones.
func again(ctx context.Context, tx *pg.Tx, id uuid.UUID, before time.Time) (bool, error) {
	n, err := tx.Exec(ctx, `update assets set updated_at = $3 where business_id = $1 and id = $2 and state = 'processing' and updated_at <= $4`,
		tx.Business(), id, tx.Now(), before)
	return n == 1, err
}

func findAsset(ctx context.Context, r pg.Reader, id uuid.UUID) (Asset, bool, error) {
	return pg.Find[Asset](ctx, r, selectAssets+`and a.id = $2`, r.Business(), id)
}

// everyAsset is every photo of the business, with the columns that its keys are made of.
func everyAsset(ctx context.Context, r pg.Reader) ([]Asset, error) {
	return pg.All[Asset](ctx, r, selectAssets+`order by a.id`, r.Business())
}

// leftovers are the photos with files scheduled for deletion.
func leftovers(ctx context.Context, r pg.Reader) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select id from asset_leftovers where business_id = $1`, r.Business())
}

// reopen sets a photo back to wait for its sizes.
func reopen(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `update assets set state = 'processing', made = 0, updated_at = $3 where business_id = $1 and id = $2`,
		tx.Business(), id, tx.Now())
	return err
}
