package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// The table of slugs is read across businesses through app.find_slug only; every other read sees one business's own
// rows. The slug column of a business or location is written here and nowhere else, in the statement that makes a row
// of slugs current.

// takeColumn writes the slug that the preceding statement made current into its record.
func takeColumn(owner *uuid.UUID) string {
	if owner == nil {
		return " update businesses set slug = now_current.slug from now_current where business_id = $1 and $2::uuid is null"
	}
	return " update locations set slug = now_current.slug from now_current where business_id = $1 and id = $2"
}

func findSlug(ctx context.Context, r pg.Reader, slug string) (Found, error) {
	return pg.Found(pg.One[Found](ctx, r, `select business_id as business, coalesce(location_id, $2) as location,
		current_slug as slug from app.find_slug($1)`, slug, uuid.Nil))
}

// freeSlugs returns the free ones of the slugs, in the given order.
func freeSlugs(ctx context.Context, r pg.Reader, slugs []string) ([]string, error) {
	return pg.All[string](ctx, r, `select c.slug from unnest($1::text[]) with ordinality as c (slug, n)
		where not exists (select from app.find_slug(c.slug)) order by c.n`, slugs)
}

// occupySlug makes a free slug the record's current one. It reports false when the slug is taken.
func occupySlug(ctx context.Context, tx *pg.Tx, owner *uuid.UUID, slug string) (bool, error) {
	n, err := tx.Exec(ctx, `with now_current as (
			insert into slugs (slug, business_id, location_id, current, created_at) values ($3, $1, $2, true, $4)
			on conflict (slug) do nothing returning slug
		)`+takeColumn(owner), tx.Business(), owner, slug, tx.Now())
	return n == 1, err
}

// leaveSlug makes the record's current slug a former one. It reports whether the wanted one was the record's own
// before and is current again.
func leaveSlug(ctx context.Context, tx *pg.Tx, owner *uuid.UUID, wanted string) (bool, error) {
	_, err := tx.Exec(ctx, `update slugs set current = false
		where business_id = $1 and location_id is not distinct from $2 and current`, tx.Business(), owner)
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(ctx, `with now_current as (
			update slugs set current = true
			where business_id = $1 and location_id is not distinct from $2 and slug = $3 returning slug
		)`+takeColumn(owner), tx.Business(), owner, wanted)
	return n == 1, err
}

func countSlugs(ctx context.Context, tx *pg.Tx, owner *uuid.UUID) (int, error) {
	return pg.One[int](ctx, tx, "select count(*) from slugs where business_id = $1 and location_id is not distinct from $2",
		tx.Business(), owner)
}
