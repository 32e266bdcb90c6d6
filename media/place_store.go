package media

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// subjectIDSQL is the id of the subject of a placement; of is its alias.
func subjectIDSQL(of string) string {
	return `coalesce(` + of + `.location_id, ` + of + `.space_id, ` + of + `.member_id, ` + of + `.offering_id, ` + of +
		`.product_id, ` + of + `.business_id)`
}

// subjectID is the id of the subject of a placement p.
var subjectID = subjectIDSQL("p")

// placements are the placements of a photo, by the names of the subjects.
func placements(ctx context.Context, r pg.Reader, id uuid.UUID) ([]Placement, error) {
	return pg.All[Placement](ctx, r, `select p.asset_id,
			case when p.location_id is not null then 'location' when p.space_id is not null then 'space'
				when p.member_id is not null then 'member' when p.offering_id is not null then 'offering'
				when p.product_id is not null then 'product' else 'business' end as kind,
			`+subjectID+` as subject_id, coalesce(l.name, s.name, m.name, o.name, t.name, b.name) as name,
			coalesce(p.location_id, s.location_id, o.location_id) as location_id,
			(select count(*) from asset_placements q where q.business_id = $1
				and `+subjectIDSQL("q")+` = `+subjectID+`
				and (q.position, q.id) <= (p.position, p.id))::int as position
		from asset_placements p
			join businesses b on b.business_id = $1
			left join locations l on l.business_id = $1 and l.id = p.location_id
			left join spaces s on s.business_id = $1 and s.id = p.space_id
			left join members m on m.business_id = $1 and m.id = p.member_id
			left join offerings o on o.business_id = $1 and o.id = p.offering_id
			left join products t on t.business_id = $1 and t.id = p.product_id
		where p.business_id = $1 and p.asset_id = $2 order by name, subject_id`, r.Business(), id)
}

func detail(ctx context.Context, r pg.Reader, id uuid.UUID) (d Detail, err error) {
	if d.Asset, err = find(ctx, r, id); err != nil {
		return d, err
	}
	d.Placements, err = placements(ctx, r, id)
	return d, err
}

// named is a subject by its name.
type named struct {
	Name       string
	LocationID *uuid.UUID
}

func nameOf(ctx context.Context, r pg.Reader, of Subject) (named, bool, error) {
	return readSubject(ctx, r, of, "")
}

// lockedName is nameOf with a lock on the subject's row until the transaction ends, so that changes of its photos run
// one after the other.
func lockedName(ctx context.Context, tx *pg.Tx, of Subject) (named, bool, error) {
	return readSubject(ctx, tx, of, " for no key update")
}

func readSubject(ctx context.Context, r pg.Reader, of Subject, lock string) (named, bool, error) {
	kind, known := subjects[of.Kind]
	if !known {
		return named{}, false, nil
	}
	return pg.Find[named](ctx, r, kind.read+lock, r.Business(), of.ID)
}

// placed are the photos of a subject, in order.
func placed(ctx context.Context, r pg.Reader, subject uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select p.asset_id from asset_placements p where p.business_id = $1 and `+subjectID+` = $2
		order by p.position, p.id`, r.Business(), subject)
}

// ofSubject are the photos of a subject as they are listed, in order.
func ofSubject(ctx context.Context, r pg.Reader, subject uuid.UUID) ([]Asset, error) {
	return pg.All[Asset](ctx, r, `select `+columns+`, `+used+` as used from asset_placements at
			join assets a on a.business_id = $1 and a.id = at.asset_id
		where at.business_id = $1 and `+subjectIDSQL("at")+` = $2
		order by at.position, at.id`, r.Business(), subject)
}

// replace writes the photos of a subject, locked by the caller. Unchanged rows keep their id, so that only changes
// are recorded.
func replace(ctx context.Context, tx *pg.Tx, of Subject, ids []uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from asset_placements p where p.business_id = $1 and `+subjectID+` = $2 and p.asset_id <> all($3::uuid[])`,
		tx.Business(), of.ID, some(ids))
	if err != nil || len(ids) == 0 {
		return err
	}
	column, value := subjects[of.Kind].column, `, $3`
	if column == "" {
		value = ``
	} else {
		column = `, ` + column
	}
	args := []any{tx.Business(), tx.Now(), of.ID, pg.NewIDs(len(ids)), ids}
	_, err = tx.Exec(ctx, `insert into asset_placements as p (id, business_id, asset_id, position, created_at`+column+`)
		select w.made, $1, w.id, w.n, $2`+value+` from unnest($4::uuid[], $5::uuid[]) with ordinality w (made, id, n)
		where $3::uuid is not null
		on conflict (business_id, asset_id,
			coalesce(location_id, space_id, member_id, offering_id, product_id, business_id)) do update
			set position = excluded.position where p.position <> excluded.position`, args...)
	return err
}
